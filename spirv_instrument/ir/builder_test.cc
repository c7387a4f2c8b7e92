// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/builder.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

TEST(Builder, PutsInstructionsInARow) {
  Module module = ReadAssembly(ComputeShader(R"(
      %60 = OpLabel
      %50 = OpAccessChain %ptr_uint %buffer %zero %zero
      OpStore %50 %ten
      OpReturn
  )"));
  Globals globals = module.globals();
  const Id uint = globals.Uint32();
  const Instruction store = module.Find(Id{50}).next();
  Builder before = Builder::Before(module, store);
  const Id chain = before.AccessChain(module.Find(Id{50}).type_id(), module.Find(Id{50}).id(0),
                                      std::vector<Id>{globals.Uint(0), globals.Uint(1)});
  const Id value = before.Load(uint, chain);
  const Id sum = before.Binary(spv::Op::OpIAdd, uint, value, globals.Uint(2));
  before.Store(chain, sum);
  EXPECT_EQ(module.Find(Id{50}).next(), module.Find(chain));
  EXPECT_EQ(module.Find(chain).next(), module.Find(value));
  EXPECT_EQ(module.Find(value).next(), module.Find(sum));
  EXPECT_EQ(module.Find(sum).next().next(), store);
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(Builder, PlacesInABlock) {
  Module module = ReadAssembly(ComputeShader(R"(
      %60 = OpLabel
      %61 = OpVariable %ptr_local Function
      OpSelectionMerge %63 None
      OpBranchConditional %true %62 %63
      %62 = OpLabel
      OpBranch %63
      %63 = OpLabel
      %64 = OpPhi %uint %zero %60 %one %62
      OpReturn
  )",
                                             "%ptr_local = OpTypePointer Function %uint\n"));
  Globals globals = module.globals();
  const auto add = [&](Builder builder) {
    return module.Find(builder.Binary(spv::Op::OpIAdd, globals.Uint32(), globals.Uint(1), globals.Uint(2)));
  };
  const Block entry = module.FindBlock(Id{60});
  const Instruction end = add(Builder::AtEnd(module, entry));
  EXPECT_EQ(end.next(), entry.merge());
  EXPECT_EQ(add(Builder::AtStart(module, entry)).next(), end);
  const Block last = module.FindBlock(Id{63});
  EXPECT_EQ(add(Builder::AtStart(module, last)).previous(), module.Find(Id{64}));
  EXPECT_EQ(add(Builder::AtEnd(module, last)).next(), last.terminator());
  EXPECT_EQ(add(Builder::After(module, module.Find(Id{64}))).previous(), module.Find(Id{64}));
  EXPECT_EQ(add(Builder::AtEnd(module, module.FindBlock(Id{62}))).previous().op(), spv::Op::OpLabel);
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(Builder, ZeroValues) {
  Module module = ReadAssembly(R"(
      OpCapability Shader
      OpCapability PhysicalStorageBufferAddresses
      OpMemoryModel PhysicalStorageBuffer64 GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      OpMemberDecorate %80 0 Offset 0
      OpDecorate %80 Block
      %void = OpTypeVoid
      %fn = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %two = OpConstant %uint 2
      %many = OpConstant %uint 100000
      %80 = OpTypeStruct %uint
      %81 = OpTypePointer PhysicalStorageBuffer %80
      %82 = OpTypeArray %81 %two
      %83 = OpTypeStruct %uint %82
      %84 = OpTypeArray %uint %two
      %85 = OpTypeSampler
      %86 = OpTypeStruct %81 %85
      %87 = OpTypeArray %81 %many
      %main = OpFunction %void None %fn
      %60 = OpLabel
      OpReturn
      OpFunctionEnd
  )");
  Builder builder = Builder::AtEnd(module, module.FindBlock(Id{60}));
  EXPECT_EQ(module.Find(builder.ZeroValue(Id{84})).op(), spv::Op::OpConstantNull);
  EXPECT_EQ(module.Find(builder.ZeroValue(Id{81})).op(), spv::Op::OpBitcast);
  EXPECT_EQ(module.Find(builder.ZeroValue(Id{82})).op(), spv::Op::OpCompositeConstruct);
  const Instruction structure = module.Find(builder.ZeroValue(Id{83}));
  EXPECT_EQ(structure.operand_count(), 2u);
  EXPECT_EQ(module.Find(structure.id(0)).op(), spv::Op::OpConstantNull);
  const Instruction before = module.FindBlock(Id{60}).terminator().previous();
  for (uint32_t type : {85u, 86u, 87u}) {
    EXPECT_FALSE(HasZeroValue(module, Id{type}));
    EXPECT_EQ(builder.ZeroValue(Id{type}), kNoId);
  }
  EXPECT_EQ(module.FindBlock(Id{60}).terminator().previous(), before);
  // A structure with a sampler is none of Vulkan's.
  EXPECT_EQ(ValidationErrors(module, SPV_ENV_UNIVERSAL_1_6), "") << Disassemble(module);
}

TEST(Builder, RepeatDebugLine) {
  std::string text = ComputeShader(R"(
      %60 = OpLabel
      OpLine %70 6 2
      %50 = OpAccessChain %ptr_uint %buffer %zero %zero
      OpBranch %61
      %61 = OpLabel
      OpReturn
  )");
  text.insert(text.find("OpDecorate"), "%70 = OpString \"a.comp\"\n");
  Module module = ReadAssembly(text);
  const Block block = module.FindBlock(Id{61});
  Builder end = Builder::AtEnd(module, block);
  end.RepeatDebugLine(block.terminator());
  EXPECT_EQ(block.label().next(), block.terminator());
  end.RepeatDebugLine(module.Find(Id{50}));
  EXPECT_EQ(block.label().next().op(), spv::Op::OpLine);
  EXPECT_EQ(block.label().next().literal(1), 6u);
  // It is in effect now.
  end.RepeatDebugLine(module.Find(Id{50}));
  EXPECT_EQ(block.label().next().next(), block.terminator());
  Builder same = Builder::After(module, module.Find(Id{50}));
  same.RepeatDebugLine(module.Find(Id{50}));
  EXPECT_EQ(module.Find(Id{50}).next().op(), spv::Op::OpBranch);
}

}  // namespace
}  // namespace assay::spirv_instrument
