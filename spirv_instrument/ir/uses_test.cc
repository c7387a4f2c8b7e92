// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/uses.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kText = R"(
    OpCapability Kernel
    OpCapability Addresses
    OpCapability Linkage
    OpCapability Int64
    %1 = OpExtInstImport "OpenCL.std"
    %2 = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Physical64 OpenCL
    OpName %20 "twenty"
    OpDecorate %20 LinkageAttributes "twenty" Export
    OpDecorateId %20 UniformId %12
    %10 = OpTypeVoid
    %11 = OpTypeInt 32 0
    %12 = OpConstant %11 12
    %13 = OpTypeFunction %10
    %14 = OpTypeInt 64 0
    %15 = OpConstant %14 0x1100000012
    %16 = OpTypePointer Function %11
    %17 = OpTypeFloat 32
    %18 = OpTypeVector %17 4
    %19 = OpSpecConstantOp %11 IAdd %12 %12
    %20 = OpFunction %10 None %13
    %21 = OpLabel
    %22 = OpVariable %16 Function %12
    %23 = OpLoad %11 %22 Aligned 16
    %24 = OpUndef %17
    %25 = OpConvertUToPtr %16 %15
    %26 = OpExtInst %18 %1 vloadn %12 %25 4
    %27 = OpExtInst %17 %2 Sqrt %24
    OpCopyMemory %22 %25 Aligned 12 Aligned 22
    OpSelectionMerge %31 None
    OpSwitch %15 %31 12 %30 0x1500000016 %31
    %30 = OpLabel
    OpBranch %31
    %31 = OpLabel
    %32 = OpPhi %11 %12 %21 %23 %30
    OpReturn
    OpFunctionEnd
)";

using Ids = std::vector<std::pair<uint32_t, uint32_t>>;

// Words and ids of an instruction.
Ids IdsOf(const Module& module, Instruction instruction) {
  Ids ids;
  ForEachId(module, instruction, [&](uint32_t word, Id id) { ids.emplace_back(word, ToNumber(id)); });
  return ids;
}

Instruction FindOp(const Module& module, spv::Op op) {
  for (Instruction instruction : module.instructions()) {
    if (instruction.op() == op) return instruction;
  }
  return {};
}

TEST(ForEachId, TellsIdsFromLiterals) {
  const Module module = ReadAssembly(kText);
  EXPECT_EQ(IdsOf(module, module.Find(Id{12})), (Ids{{1, 11}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{15})), (Ids{{1, 14}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{16})), (Ids{{3, 11}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{18})), (Ids{{2, 17}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{19})), (Ids{{1, 11}, {4, 12}, {5, 12}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{20})), (Ids{{1, 10}, {4, 13}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{22})), (Ids{{1, 16}, {4, 12}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{23})), (Ids{{1, 11}, {3, 22}}));
  // The count of vloadn is a literal.
  EXPECT_EQ(IdsOf(module, module.Find(Id{26})), (Ids{{1, 18}, {3, 1}, {5, 12}, {6, 25}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{27})), (Ids{{1, 17}, {3, 2}, {5, 24}}));
  EXPECT_EQ(IdsOf(module, module.Find(Id{32})), (Ids{{1, 11}, {3, 12}, {4, 21}, {5, 23}, {6, 30}}));
  EXPECT_EQ(IdsOf(module, FindOp(module, spv::Op::OpSwitch)), (Ids{{1, 15}, {2, 31}, {5, 30}, {8, 31}}));
  EXPECT_EQ(IdsOf(module, FindOp(module, spv::Op::OpCopyMemory)), (Ids{{1, 22}, {2, 25}}));
  EXPECT_EQ(IdsOf(module, FindOp(module, spv::Op::OpDecorate)), (Ids{{1, 20}}));
  EXPECT_EQ(IdsOf(module, FindOp(module, spv::Op::OpDecorateId)), (Ids{{1, 20}, {3, 12}}));
  EXPECT_EQ(IdsOf(module, FindOp(module, spv::Op::OpName)), (Ids{{1, 20}}));
  EXPECT_EQ(IdsOf(module, FindOp(module, spv::Op::OpMemoryModel)), Ids{});
  EXPECT_EQ(IdsOf(module, Instruction()), Ids{});
}

TEST(ForEachTarget, LabelsOfATerminator) {
  const Module module = ReadAssembly(kText);
  Ids targets;
  ForEachTarget(module, FindOp(module, spv::Op::OpSwitch),
                [&](uint32_t word, Id label) { targets.emplace_back(word, ToNumber(label)); });
  EXPECT_EQ(targets, (Ids{{2, 31}, {5, 30}, {8, 31}}));
  targets.clear();
  ForEachTarget(module, FindOp(module, spv::Op::OpReturn),
                [&](uint32_t word, Id label) { targets.emplace_back(word, ToNumber(label)); });
  EXPECT_TRUE(targets.empty());
}

TEST(Uses, OfAnId) {
  const Module module = ReadAssembly(kText);
  const Uses uses(module);
  std::vector<spv::Op> users;
  for (const Use& use : uses.Of(Id{12})) {
    EXPECT_EQ(use.user.words()[use.word], 12u);
    users.push_back(use.user.op());
  }
  EXPECT_EQ(users, (std::vector<spv::Op>{spv::Op::OpDecorateId, spv::Op::OpSpecConstantOp, spv::Op::OpSpecConstantOp,
                                         spv::Op::OpVariable, spv::Op::OpExtInst, spv::Op::OpPhi}));
  EXPECT_TRUE(uses.Of(Id{32}).empty());
  EXPECT_TRUE(uses.Of(kNoId).empty());
  EXPECT_TRUE(uses.Of(Id{4000000}).empty());
}

TEST(Uses, Replace) {
  Module module = ReadAssembly(kText);
  ReplaceUses(module, Uses(module).Of(Id{12}), Id{19});
  EXPECT_TRUE(Uses(module).Of(Id{12}).empty());
  // The operation names itself now.
  EXPECT_EQ(Uses(module).Of(Id{19}).size(), 6u);
  EXPECT_EQ(FindOp(module, spv::Op::OpCopyMemory).literal(3), 12u);
}

TEST(MapIds, ChangesIdsAndNothingElse) {
  Module module = ReadAssembly(kText);
  const Instruction copy = FindOp(module, spv::Op::OpSwitch);
  MapIds(module, copy, [](Id id) { return Id{ToNumber(id) + 100}; });
  const std::vector<uint32_t> operands(copy.operands().begin(), copy.operands().end());
  EXPECT_EQ(operands, (std::vector<uint32_t>{115, 131, 12, 0, 130, 0x16, 0x15, 131}));
  const Instruction constant = module.Find(Id{15});
  MapIds(module, constant, [](Id) { return Id{11}; });
  EXPECT_EQ(constant.type_id(), Id{11});
  EXPECT_EQ(constant.result_id(), Id{15});
}

}  // namespace
}  // namespace assay::spirv_instrument
