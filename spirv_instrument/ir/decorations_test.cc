// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/decorations.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kText = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpName %1 "structure"
    OpMemberName %1 1 "second"
    OpName %2 "variable"
    OpDecorate %1 Block
    OpMemberDecorate %1 0 Offset 0
    OpMemberDecorate %1 1 Offset 16
    OpMemberDecorate %1 1 NonWritable
    OpDecorate %10 Restrict
    OpDecorate %10 Binding 4
    %10 = OpDecorationGroup
    OpDecorate %11 NonReadable
    %11 = OpDecorationGroup
    OpGroupDecorate %10 %2 %3
    OpGroupMemberDecorate %11 %1 0 %4 1 %1 1
    OpDecorate %2 DescriptorSet 5
    %9 = OpTypeInt 32 0
    %1 = OpTypeStruct %9 %9
    %4 = OpTypeStruct %9 %9
    %8 = OpTypePointer StorageBuffer %1
    %2 = OpVariable %8 StorageBuffer
    %3 = OpVariable %8 StorageBuffer
)";

using Found = std::vector<std::pair<spv::Decoration, int>>;

// Decorations and their members, -1 for the id itself.
Found AllOf(const Decorations& decorations, uint32_t id) {
  Found found;
  decorations.ForEach(Id{id}, [&](const Decoration& decoration) {
    found.emplace_back(decoration.decoration, decoration.member ? static_cast<int>(*decoration.member) : -1);
  });
  return found;
}

TEST(Decorations, OfIdsMembersAndGroups) {
  const Module module = ReadAssembly(kText);
  const Decorations decorations(module);
  EXPECT_EQ(AllOf(decorations, 1), (Found{{spv::Decoration::Block, -1},
                                          {spv::Decoration::Offset, 0},
                                          {spv::Decoration::Offset, 1},
                                          {spv::Decoration::NonWritable, 1},
                                          {spv::Decoration::NonReadable, 0},
                                          {spv::Decoration::NonReadable, 1}}));
  EXPECT_EQ(
      AllOf(decorations, 2),
      (Found{{spv::Decoration::Restrict, -1}, {spv::Decoration::Binding, -1}, {spv::Decoration::DescriptorSet, -1}}));
  EXPECT_EQ(AllOf(decorations, 4), (Found{{spv::Decoration::NonReadable, 1}}));
  EXPECT_EQ(decorations.Find(Id{3}, spv::Decoration::Binding)->parameter(0), 4u);
  EXPECT_EQ(decorations.Find(Id{3}, spv::Decoration::Binding)->parameter(1), 0u);
  EXPECT_FALSE(decorations.Has(Id{3}, spv::Decoration::DescriptorSet));
  EXPECT_EQ(decorations.FindMember(Id{1}, 1, spv::Decoration::Offset)->parameter(0), 16u);
  // A member's decoration is not the structure's, and the other way round.
  EXPECT_FALSE(decorations.Has(Id{1}, spv::Decoration::Offset));
  EXPECT_FALSE(decorations.HasMember(Id{1}, 0, spv::Decoration::Block));
  EXPECT_TRUE(decorations.HasAny(Id{4}));
  EXPECT_TRUE(decorations.HasGroup(Id{4}));
  EXPECT_FALSE(decorations.HasAny(Id{9}));
  EXPECT_FALSE(decorations.HasAny(Id{1000000}));
}

TEST(Decorations, Names) {
  Module module = ReadAssembly(kText);
  EXPECT_EQ(module.decorations().NameOf(Id{1}), "structure");
  EXPECT_EQ(module.decorations().MemberName(Id{1}, 1), "second");
  EXPECT_EQ(module.decorations().MemberName(Id{1}, 0), "");
  EXPECT_EQ(module.decorations().NameOf(Id{3}), "");
  SetName(module, Id{3}, "third");
  SetName(module, Id{1}, "four");
  EXPECT_EQ(module.decorations().NameOf(Id{3}), "third");
  EXPECT_EQ(module.decorations().NameOf(Id{1}), "four");
  EXPECT_EQ(module.decorations().MemberName(Id{1}, 1), "second");
}

TEST(Annotate, KeepsTheIndexUpToDate) {
  Module module = ReadAssembly(kText);
  EXPECT_FALSE(module.decorations().Has(Id{3}, spv::Decoration::Aliased));
  const Instruction added = Decorate(module, Id{3}, spv::Decoration::Aliased);
  EXPECT_EQ(module.decorations().Find(Id{3}, spv::Decoration::Aliased)->instruction, added);
  DecorateMember(module, Id{4}, 0, spv::Decoration::Offset, {12u});
  EXPECT_EQ(module.decorations().FindMember(Id{4}, 0, spv::Decoration::Offset)->parameter(0), 12u);
  module.Remove(added);
  EXPECT_FALSE(module.decorations().Has(Id{3}, spv::Decoration::Aliased));
  module.SetOperand(module.decorations().FindMember(Id{4}, 0, spv::Decoration::Offset)->instruction, 0, Id{1});
  EXPECT_FALSE(module.decorations().HasMember(Id{4}, 0, spv::Decoration::Offset));
  EXPECT_EQ(AllOf(module.decorations(), 1).back(), std::make_pair(spv::Decoration::Offset, 0));
}

TEST(Annotate, CopyDecorations) {
  Module module = ReadAssembly(kText);
  CopyDecorations(module, Id{2}, Id{3});
  // Restrict and Binding are there already.
  EXPECT_EQ(
      AllOf(module.decorations(), 3),
      (Found{{spv::Decoration::Restrict, -1}, {spv::Decoration::Binding, -1}, {spv::Decoration::DescriptorSet, -1}}));
  CopyDecorations(module, Id{1}, Id{4});
  EXPECT_EQ(AllOf(module.decorations(), 4), (Found{{spv::Decoration::NonReadable, 1},
                                                   {spv::Decoration::Block, -1},
                                                   {spv::Decoration::Offset, 0},
                                                   {spv::Decoration::Offset, 1},
                                                   {spv::Decoration::NonWritable, 1},
                                                   {spv::Decoration::NonReadable, 0}}));
  EXPECT_EQ(Decorations(*Module::Read(*module.Write())).FindMember(Id{4}, 1, spv::Decoration::Offset)->parameter(0),
            16u);
}

TEST(Annotate, RemoveDecoration) {
  Module module = ReadAssembly(kText);
  RemoveDecoration(module, Id{1}, spv::Decoration::Block);
  EXPECT_FALSE(module.decorations().Has(Id{1}, spv::Decoration::Block));
  EXPECT_TRUE(module.decorations().HasMember(Id{1}, 0, spv::Decoration::NonReadable));
  // One of a group leaves the group's others to both targets.
  RemoveDecoration(module, Id{2}, spv::Decoration::Binding);
  EXPECT_FALSE(module.decorations().Has(Id{2}, spv::Decoration::Binding));
  EXPECT_TRUE(module.decorations().Has(Id{2}, spv::Decoration::Restrict));
  EXPECT_TRUE(module.decorations().Has(Id{2}, spv::Decoration::DescriptorSet));
  EXPECT_TRUE(module.decorations().Has(Id{3}, spv::Decoration::Binding));
  EXPECT_EQ(AllOf(Decorations(*Module::Read(*module.Write())), 2), AllOf(module.decorations(), 2));
}

TEST(Annotate, RemoveAnnotations) {
  Module module = ReadAssembly(kText);
  RemoveAnnotations(module, Id{1});
  RemoveAnnotations(module, Id{2});
  EXPECT_FALSE(module.decorations().HasAny(Id{1}));
  EXPECT_EQ(module.decorations().NameOf(Id{1}), "");
  EXPECT_EQ(module.decorations().MemberName(Id{1}, 1), "");
  // Others in the same groups keep theirs.
  EXPECT_TRUE(module.decorations().HasMember(Id{4}, 1, spv::Decoration::NonReadable));
  EXPECT_TRUE(module.decorations().Has(Id{3}, spv::Decoration::Restrict));
  for (Instruction instruction : module.instructions()) {
    if (instruction.op() == spv::Op::OpDecorate || instruction.op() == spv::Op::OpName) {
      EXPECT_GT(instruction.id(0), Id{2});
    }
  }
}

}  // namespace
}  // namespace assay::spirv_instrument
