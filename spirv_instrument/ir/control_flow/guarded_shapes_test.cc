// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Blocks of every shape of structured control flow, with each of their loads, stores and calls guarded: one at a time,
// all of them, and with reports alone. SPIRV-Tools' validator accepts them all.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/control_flow/shapes_test.h"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

std::string Expanded(std::string_view body) {
  std::string text;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '$') {
      text += body[i];
      continue;
    }
    const std::string number(1, body[++i]);
    text += absl::StrCat("%v", number, " = OpLoad %uint %element\n OpStore %element %v", number, "\n %r", number,
                         " = OpFunctionCall %void %other\n");
  }
  return text;
}

std::string TextOf(const Shape& shape) {
  std::string body = Expanded(shape.body);
  const std::string_view globals = "%ptr_local = OpTypePointer Function %uint\n";
  // The pointer is the parameter of a function that main calls, so that it is there in all blocks.
  std::string text = ComputeShader(R"(
      %main_entry = OpLabel
      %pointer = OpAccessChain %ptr_uint %buffer %zero %ten
      %call = OpFunctionCall %void %tested %pointer
      OpReturn
      OpFunctionEnd
      %other = OpFunction %void None %fn
      %other_entry = OpLabel
      OpReturn
      OpFunctionEnd
      %tested = OpFunction %void None %tested_fn
      %element = OpFunctionParameter %ptr_uint
  )" + body,
                                   std::string(globals) + "%tested_fn = OpTypeFunction %void %ptr_uint\n");
  // A pointer into a buffer may be a parameter.
  text.replace(text.find("OpCapability Shader"), 19, "OpCapability Shader\nOpCapability VariablePointersStorageBuffer");
  return text;
}

bool IsGuarded(spv::Op op) {
  return op == spv::Op::OpLoad || op == spv::Op::OpStore || op == spv::Op::OpFunctionCall || op == spv::Op::OpIAdd ||
         op == spv::Op::OpULessThan;
}

std::vector<Instruction> GuardedOf(const Module& module) {
  std::vector<Instruction> found;
  for (Function function : module.functions()) {
    for (Block block : function.blocks()) {
      for (Instruction instruction : block.instructions()) {
        if (IsGuarded(instruction.op())) found.push_back(instruction);
      }
    }
  }
  return found;
}

class GuardedShapes : public testing::TestWithParam<Shape> {
 protected:
  Module Read() const { return ReadAssembly(TextOf(GetParam()), SPV_ENV_VULKAN_1_3); }
};

TEST_P(GuardedShapes, AreValidBefore) { EXPECT_EQ(ValidationErrors(Read()), ""); }

TEST_P(GuardedShapes, EachAlone) {
  const size_t count = GuardedOf(Read()).size();
  ASSERT_GE(count, 5u);
  for (size_t i = 0; i < count; ++i) {
    Module module = Read();
    const Id condition = module.globals().BoolConstant(true);
    const Instruction instruction = GuardedOf(module)[i];
    const spv::Op op = instruction.op();
    const Guard guard = GuardInstruction(module, instruction, condition);
    EXPECT_EQ(guard.guarded.label().next(), instruction);
    EXPECT_EQ(instruction.next(), guard.guarded.terminator());
    EXPECT_EQ(ValidationErrors(module), "") << i << ", opcode " << static_cast<uint32_t>(op) << "\n"
                                            << Disassemble(module);
  }
}

TEST_P(GuardedShapes, All) {
  Module module = Read();
  const Id condition = module.globals().BoolConstant(true);
  for (Instruction instruction : GuardedOf(module)) GuardInstruction(module, instruction, condition);
  EXPECT_EQ(ValidationErrors(module), "") << Disassemble(module);
}

TEST_P(GuardedShapes, AllFromTheEnd) {
  Module module = Read();
  const Id condition = module.globals().BoolConstant(true);
  const std::vector<Instruction> instructions = GuardedOf(module);
  for (size_t i = instructions.size(); i-- > 0;) GuardInstruction(module, instructions[i], condition);
  EXPECT_EQ(ValidationErrors(module), "") << Disassemble(module);
}

TEST_P(GuardedShapes, AllWithReportsAlone) {
  Module module = Read();
  const Id condition = module.globals().BoolConstant(true);
  for (Instruction instruction : GuardedOf(module)) ReportUnless(module, instruction, condition);
  EXPECT_EQ(ValidationErrors(module), "") << Disassemble(module);
}

TEST_P(GuardedShapes, BlocksSplitAtEveryPoint) {
  Module module = Read();
  for (Instruction instruction : GuardedOf(module)) {
    const Id label = instruction.block().id();
    const Split split = SplitBefore(module, instruction);
    EXPECT_EQ(split.head.id(), label);
    EXPECT_EQ(split.tail, instruction.block());
    EXPECT_EQ(split.head.terminator().id(0), split.tail.id());
  }
  EXPECT_EQ(ValidationErrors(module), "") << Disassemble(module);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GuardedShapes, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return std::string(shape.param.name); });

}  // namespace
}  // namespace assay::spirv_instrument
