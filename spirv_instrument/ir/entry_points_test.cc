// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/entry_points.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

// Two entry points; the second calls a function that uses a variable.
constexpr std::string_view kText = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %1 "first" %10
    OpEntryPoint Fragment %2 "second, with a name" %10 %11
    OpExecutionMode %1 OriginUpperLeft
    OpExecutionMode %2 OriginUpperLeft
    OpExecutionMode %2 EarlyFragmentTests
    OpDecorate %10 Location 0
    OpDecorate %11 Location 1
    OpDecorate %14 Location 2
    %20 = OpTypeVoid
    %21 = OpTypeFunction %20
    %22 = OpTypeInt 32 0
    %23 = OpTypePointer Output %22
    %24 = OpTypePointer Private %22
    %25 = OpConstant %22 1
    %10 = OpVariable %23 Output
    %11 = OpVariable %23 Output
    %12 = OpVariable %24 Private
    %13 = OpVariable %24 Private
    %14 = OpVariable %23 Output
    %1 = OpFunction %20 None %21
    %30 = OpLabel
    OpStore %10 %25
    OpReturn
    OpFunctionEnd
    %2 = OpFunction %20 None %21
    %31 = OpLabel
    OpStore %11 %25
    %32 = OpFunctionCall %20 %3
    OpReturn
    OpFunctionEnd
    %3 = OpFunction %20 None %21
    %33 = OpLabel
    %34 = OpLoad %22 %12
    OpReturn
    OpFunctionEnd
)";

std::vector<uint32_t> InterfaceOf(const Module& module, size_t index) {
  const EntryPoint entry_point = EntryPoints(module)[index];
  return {entry_point.interface().begin(), entry_point.interface().end()};
}

using Ids = std::vector<uint32_t>;

TEST(EntryPoints, WhatTheyAre) {
  const Module module = ReadAssembly(kText);
  const std::vector<EntryPoint> entry_points = EntryPoints(module);
  ASSERT_EQ(entry_points.size(), 2u);
  EXPECT_EQ(entry_points[0].name(), "first");
  EXPECT_EQ(entry_points[0].function(), Id{1});
  EXPECT_EQ(entry_points[1].model(), spv::ExecutionModel::Fragment);
  EXPECT_EQ(entry_points[1].name(), "second, with a name");
  EXPECT_EQ(InterfaceOf(module, 1), (Ids{10, 11}));
  EXPECT_TRUE(entry_points[1].HasInInterface(Id{11}));
  EXPECT_FALSE(entry_points[0].HasInInterface(Id{11}));
}

TEST(EntryPoints, ExecutionModes) {
  Module module = ReadAssembly(kText, SPV_ENV_VULKAN_1_1);
  EXPECT_EQ(ExecutionModes(module, Id{2}).size(), 2u);
  EXPECT_TRUE(FindExecutionMode(module, Id{2}, spv::ExecutionMode::EarlyFragmentTests));
  EXPECT_FALSE(FindExecutionMode(module, Id{1}, spv::ExecutionMode::EarlyFragmentTests));
  AddExecutionMode(module, Id{1}, spv::ExecutionMode::EarlyFragmentTests);
  AddExecutionMode(module, Id{1}, spv::ExecutionMode::EarlyFragmentTests);
  EXPECT_EQ(ExecutionModes(module, Id{1}).size(), 2u);
  EXPECT_EQ(ValidationErrors(module, SPV_ENV_VULKAN_1_1), "");
}

TEST(EntryPoints, InterfaceFollowsTheVersion) {
  Module old = ReadAssembly(kText, SPV_ENV_VULKAN_1_1);
  AddToInterfaces(old, Id{14});
  AddToInterfaces(old, Id{12});
  EXPECT_EQ(InterfaceOf(old, 0), (Ids{10, 14}));
  EXPECT_EQ(InterfaceOf(old, 1), (Ids{10, 11, 14}));
  EXPECT_EQ(ValidationErrors(old, SPV_ENV_VULKAN_1_1), "");

  Module recent = ReadAssembly(kText);
  AddToInterfaces(recent, Id{12});
  AddToInterfaces(recent, Id{12});
  EXPECT_EQ(InterfaceOf(recent, 0), (Ids{10, 12}));
  EXPECT_EQ(InterfaceOf(recent, 1), (Ids{10, 11, 12}));
  // What is no variable.
  AddToInterfaces(recent, Id{25});
  EXPECT_EQ(InterfaceOf(recent, 0), (Ids{10, 12}));
  EXPECT_EQ(ValidationErrors(recent), "");
}

TEST(EntryPoints, RaiseVersion) {
  Module module = ReadAssembly(kText, SPV_ENV_VULKAN_1_1);
  EXPECT_EQ(module.version(), 0x00010300u);
  RaiseVersion(module, 0x00010200);
  EXPECT_EQ(module.version(), 0x00010300u);
  RaiseVersion(module, 0x00010500);
  EXPECT_EQ(module.version(), 0x00010500u);
  EXPECT_EQ(InterfaceOf(module, 0), (Ids{10}));
  EXPECT_EQ(InterfaceOf(module, 1), (Ids{10, 11, 12}));
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(EntryPoints, FunctionsAndVariablesThatTheyReach) {
  const Module module = ReadAssembly(kText);
  EXPECT_EQ(ReachableFunctions(module, Id{1}), (std::vector<Id>{Id{1}}));
  EXPECT_EQ(ReachableFunctions(module, Id{2}), (std::vector<Id>{Id{2}, Id{3}}));
  EXPECT_TRUE(ReachableFunctions(module, Id{20}).empty());
  EXPECT_EQ(UsedVariables(module, Id{1}), (std::vector<Id>{Id{10}}));
  EXPECT_EQ(UsedVariables(module, Id{2}), (std::vector<Id>{Id{11}, Id{12}}));
}

}  // namespace
}  // namespace assay::spirv_instrument
