// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

Instruction FindOp(const Module& module, spv::Op op, int skipped = 0) {
  for (Instruction instruction : module.instructions()) {
    if (instruction.op() == op && skipped-- == 0) return instruction;
  }
  return {};
}

TEST(Guard, LoadWithResult) {
  Module module = ReadAssembly(ComputeShader(R"(
      %60 = OpLabel
      %50 = OpAccessChain %ptr_uint %buffer %zero %zero
      %51 = OpLoad %uint %50
      OpStore %50 %51
      OpReturn
  )",
                                             "", "OpDecorate %51 RelaxedPrecision\n"));
  const Id condition = module.globals().BoolConstant(true);
  const Instruction load = module.Find(Id{51});
  const Guard guard = GuardInstruction(module, load, condition);
  EXPECT_EQ(ValidationErrors(module), "");
  // The uses are as they were: the OpPhi has the id.
  EXPECT_EQ(guard.result, module.Find(Id{51}));
  EXPECT_EQ(guard.result.op(), spv::Op::OpPhi);
  EXPECT_EQ(guard.result.id(0), load.result_id());
  EXPECT_EQ(guard.result.id(1), guard.guarded.id());
  EXPECT_EQ(module.Find(guard.result.id(2)).op(), spv::Op::OpConstantNull);
  EXPECT_EQ(guard.result.id(3), guard.otherwise.id());
  EXPECT_NE(load.result_id(), Id{51});
  EXPECT_TRUE(module.decorations().Has(Id{51}, spv::Decoration::RelaxedPrecision));
  EXPECT_TRUE(module.decorations().Has(load.result_id(), spv::Decoration::RelaxedPrecision));
  EXPECT_EQ(guard.head.id(), Id{60});
  EXPECT_EQ(guard.head.merge().id(0), guard.merge.id());
  const Instruction branch = guard.head.terminator();
  EXPECT_EQ(branch.id(0), condition);
  EXPECT_EQ(branch.id(1), guard.guarded.id());
  EXPECT_EQ(branch.id(2), guard.otherwise.id());
  EXPECT_EQ(FindOp(module, spv::Op::OpStore).block(), guard.merge);
}

TEST(Guard, WithoutResultThereIsNoPhi) {
  Module module = ReadAssembly(ComputeShader(R"(
      %60 = OpLabel
      %50 = OpAccessChain %ptr_uint %buffer %zero %zero
      OpStore %50 %ten
      %51 = OpFunctionCall %void %61
      OpReturn
      OpFunctionEnd
      %61 = OpFunction %void None %fn
      %62 = OpLabel
      OpReturn
  )"));
  const Id condition = module.globals().BoolConstant(true);
  EXPECT_FALSE(GuardInstruction(module, FindOp(module, spv::Op::OpStore), condition).result);
  EXPECT_FALSE(GuardInstruction(module, module.Find(Id{51}), condition).result);
  EXPECT_FALSE(FindOp(module, spv::Op::OpPhi));
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(Guard, DecorationsOfArithmeticStayWithIt) {
  Module module = ReadAssembly(ComputeShader(R"(
      %60 = OpLabel
      %51 = OpFAdd %float %half %half
      OpReturn
  )",
                                             "%float = OpTypeFloat 32\n%half = OpConstant %float 0.5\n",
                                             "OpDecorate %51 NoContraction\n"));
  const Instruction add = module.Find(Id{51});
  GuardInstruction(module, add, module.globals().BoolConstant(true));
  EXPECT_FALSE(module.decorations().Has(Id{51}, spv::Decoration::NoContraction));
  EXPECT_TRUE(module.decorations().Has(add.result_id(), spv::Decoration::NoContraction));
  EXPECT_EQ(ValidationErrors(module), "");
}

constexpr std::string_view kSampling = R"(
    OpCapability Shader
    OpCapability ImageQuery
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %color %10 %11
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %color Location 0
    OpDecorate %10 DescriptorSet 0
    OpDecorate %10 Binding 0
    OpDecorate %11 DescriptorSet 0
    OpDecorate %11 Binding 1
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %vec2 = OpTypeVector %float 2
    %vec4 = OpTypeVector %float 4
    %at = OpConstantNull %vec2
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %sampler = OpTypeSampler
    %sampled = OpTypeSampledImage %image
    %ptr_image = OpTypePointer UniformConstant %image
    %ptr_sampler = OpTypePointer UniformConstant %sampler
    %ptr_color = OpTypePointer Output %vec4
    %10 = OpVariable %ptr_image UniformConstant
    %11 = OpVariable %ptr_sampler UniformConstant
    %color = OpVariable %ptr_color Output
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %20 = OpLoad %image %10
    %21 = OpLoad %sampler %11
    %30 = OpSampledImage %sampled %20 %21
    %41 = OpImageSampleImplicitLod %vec4 %30 %at
    %42 = OpImageSampleImplicitLod %vec4 %30 %at
    %43 = OpImageQueryLod %vec2 %30 %at
    %sum = OpFAdd %vec4 %41 %42
    OpStore %color %sum
    OpReturn
    OpFunctionEnd
)";

TEST(Guard, SampledImagesAreInTheBlockOfTheirUses) {
  for (const std::vector<uint32_t>& guarded : std::vector<std::vector<uint32_t>>{
           {41}, {42}, {43}, {41, 42}, {41, 43}, {42, 43}, {41, 42, 43}, {43, 42, 41}, {43, 41}}) {
    Module module = ReadAssembly(kSampling);
    const Id condition = module.globals().BoolConstant(true);
    std::vector<Instruction> instructions;
    instructions.reserve(guarded.size());
    for (uint32_t id : guarded) instructions.push_back(module.Find(Id{id}));
    for (Instruction instruction : instructions) {
      GuardInstruction(module, instruction, condition);
      EXPECT_EQ(module.Find(instruction.id(0)).block(), instruction.block());
    }
    EXPECT_EQ(ValidationErrors(module), "") << Disassemble(module);
  }
}

TEST(Guard, SampledImageIsNotRepeatedWithoutNeed) {
  Module module = ReadAssembly(kSampling);
  const Id condition = module.globals().BoolConstant(true);
  GuardInstruction(module, FindOp(module, spv::Op::OpFAdd), condition);
  EXPECT_TRUE(FindOp(module, spv::Op::OpSampledImage));
  EXPECT_FALSE(FindOp(module, spv::Op::OpSampledImage, 1));
  EXPECT_EQ(ValidationErrors(module), "");
}

constexpr std::string_view kLines = R"(
      %60 = OpLabel
      OpLine %70 5 1
      %50 = OpAccessChain %ptr_uint %buffer %zero %zero
      OpLine %70 6 2
      %51 = OpLoad %uint %50
      OpStore %50 %51
      OpLine %70 7 3
      OpStore %50 %ten
      OpReturn
)";

TEST(Guard, EachBlockHasTheLine) {
  std::string text = ComputeShader(kLines);
  text.insert(text.find("OpDecorate"), "%70 = OpString \"a.comp\"\n");
  Module module = ReadAssembly(text);
  const Guard guard = GuardInstruction(module, module.Find(Id{51}), module.globals().BoolConstant(true));
  Builder otherwise = Builder::AtEnd(module, guard.otherwise);
  const Id added =
      otherwise.Binary(spv::Op::OpIAdd, module.globals().Uint32(), module.globals().Uint(1), module.globals().Uint(1));
  EXPECT_EQ(ValidationErrors(module), "");
  // As a reader finds it.
  const Module again = *Module::Read(*module.Write());
  for (Instruction instruction : again.instructions()) {
    const bool is_second = instruction.op() == spv::Op::OpStore && instruction.id(1) != Id{51};
    if (instruction.op() == spv::Op::OpLoad || instruction.op() == spv::Op::OpStore) {
      EXPECT_EQ(instruction.line().literal(1), is_second ? 7u : 6u);
    }
  }
  EXPECT_EQ(again.Find(added).line().literal(1), 6u);
  EXPECT_EQ(again.Find(guard.guarded.id()).block().terminator().line().literal(1), 6u);
}

TEST(Guard, TypesThatMayOnlyBeStored) {
  const std::string text = R"(
    OpCapability Shader
    OpCapability StorageBuffer8BitAccess
    OpCapability StorageBuffer16BitAccess
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %buffer
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %Block Block
    OpMemberDecorate %Block 0 Offset 0
    OpMemberDecorate %Block 1 Offset 8
    OpMemberDecorate %Block 2 Offset 16
    OpMemberDecorate %Pair 0 Offset 0
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %byte = OpTypeInt 8 1
    %half = OpTypeFloat 16
    %hvec2 = OpTypeVector %half 2
    %uint = OpTypeInt 32 0
    %c0 = OpConstant %uint 0
    %c1 = OpConstant %uint 1
    %c2 = OpConstant %uint 2
    %Pair = OpTypeStruct %byte
    %Block = OpTypeStruct %byte %hvec2 %Pair
    %ptr_Block = OpTypePointer StorageBuffer %Block
    %ptr_byte = OpTypePointer StorageBuffer %byte
    %ptr_hvec2 = OpTypePointer StorageBuffer %hvec2
    %ptr_Pair = OpTypePointer StorageBuffer %Pair
    %buffer = OpVariable %ptr_Block StorageBuffer
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %p0 = OpAccessChain %ptr_byte %buffer %c0
    %p1 = OpAccessChain %ptr_hvec2 %buffer %c1
    %p2 = OpAccessChain %ptr_Pair %buffer %c2
    %91 = OpLoad %byte %p0
    %92 = OpLoad %hvec2 %p1
    %93 = OpLoad %Pair %p2
    OpStore %p0 %91
    OpStore %p1 %92
    OpReturn
    OpFunctionEnd
  )";
  Module module = ReadAssembly(text);
  const Instruction loads[] = {module.Find(Id{91}), module.Find(Id{92}), module.Find(Id{93})};
  const Id condition = module.globals().BoolConstant(true);
  EXPECT_TRUE(CanGuard(module, loads[0]));
  EXPECT_TRUE(CanGuard(module, loads[1]));
  // A structure cannot go through OpPhi in parts of 32 bits. Nor may it be loaded.
  EXPECT_FALSE(CanGuard(module, loads[2]));
  module.Remove(loads[2]);
  EXPECT_EQ(GuardInstruction(module, loads[0], condition).result.op(), spv::Op::OpSConvert);
  EXPECT_EQ(GuardInstruction(module, loads[1], condition).result.op(), spv::Op::OpFConvert);
  EXPECT_EQ(ValidationErrors(module), "") << Disassemble(module);
}

TEST(Guard, ImagesCannotBeGuarded) {
  Module module = ReadAssembly(kSampling);
  EXPECT_FALSE(CanGuard(module, module.Find(Id{20})));
  EXPECT_FALSE(CanGuard(module, module.Find(Id{21})));
  EXPECT_TRUE(CanGuard(module, module.Find(Id{41})));
  EXPECT_TRUE(CanGuard(module, FindOp(module, spv::Op::OpStore)));
}

TEST(Guard, AreLinear) {
  // Ten times the loads, ten times the words: what one guard adds does not depend on others.
  const auto growth = [](int count) {
    std::string body = "%60 = OpLabel\n%50 = OpAccessChain %ptr_uint %buffer %zero %zero\n";
    for (int i = 0; i < count; ++i) body += "%l" + std::to_string(i) + " = OpLoad %uint %50\n";
    Module module = ReadAssembly(ComputeShader(body + "OpReturn\n"));
    const size_t before = module.Write()->size();
    const Id condition = module.globals().BoolConstant(true);
    module.globals().Null(module.globals().Uint32());
    const size_t added = module.Write()->size() - before;
    std::vector<Instruction> loads;
    for (Instruction instruction : module.instructions()) {
      if (instruction.op() == spv::Op::OpLoad) loads.push_back(instruction);
    }
    for (Instruction load : loads) GuardInstruction(module, load, condition);
    return module.Write()->size() - before - added;
  };
  EXPECT_EQ(growth(20), 20 * growth(1));
  EXPECT_EQ(growth(200), 200 * growth(1));
}

}  // namespace
}  // namespace assay::spirv_instrument
