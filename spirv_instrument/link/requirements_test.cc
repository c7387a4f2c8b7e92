// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/link/requirements.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kExt = "SPV_EXT_physical_storage_buffer";
constexpr std::string_view kKhr = "SPV_KHR_physical_storage_buffer";

// An empty compute shader.
Module Shader(std::string_view declarations, std::string_view addressing, spv_target_env environment) {
  return ReadAssembly(absl::StrCat("OpCapability Shader\n", declarations, "OpMemoryModel ", addressing, R"( GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)"),
                      environment);
}

// With the extension, the shader has pointers already.
std::string Declares(std::string_view extension) {
  return absl::StrCat("OpCapability PhysicalStorageBufferAddresses\nOpExtension \"", extension, "\"\n");
}

TEST(RequireAddressCasts, AnOldModuleGetsOneExtension) {
  for (spv_target_env environment : {SPV_ENV_VULKAN_1_0, SPV_ENV_VULKAN_1_1}) {
    Module module = Shader("", "Logical", environment);
    RequireAddressCasts(module);
    EXPECT_TRUE(HasExtension(module, kKhr));
    EXPECT_FALSE(HasExtension(module, kExt));
    EXPECT_TRUE(HasCapability(module, spv::Capability::PhysicalStorageBufferAddresses));
    EXPECT_EQ(AddressingModelOf(module), spv::AddressingModel::PhysicalStorageBuffer64);
    EXPECT_EQ(ValidationErrors(module, environment), "");
  }
}

// The first extension does not have the casts.
TEST(RequireAddressCasts, AModuleWithTheOtherExtensionGetsIt) {
  Module module = Shader(Declares(kExt), "PhysicalStorageBuffer64", SPV_ENV_VULKAN_1_1);
  RequireAddressCasts(module);
  EXPECT_TRUE(HasExtension(module, kKhr));
  EXPECT_TRUE(HasExtension(module, kExt));
  EXPECT_EQ(ValidationErrors(module, SPV_ENV_VULKAN_1_1), "");
}

TEST(RequireAddressCasts, WhatIsThereStaysAsItIs) {
  Module module = Shader(Declares(kKhr), "PhysicalStorageBuffer64", SPV_ENV_VULKAN_1_1);
  const std::string before = Disassemble(module);
  RequireAddressCasts(module);
  EXPECT_EQ(Disassemble(module), before);
}

TEST(RequireAddressCasts, ANewModuleNeedsNoExtension) {
  Module module = Shader("", "Logical", SPV_ENV_UNIVERSAL_1_5);
  RequireAddressCasts(module);
  EXPECT_FALSE(HasExtension(module, kKhr));
  EXPECT_FALSE(HasExtension(module, kExt));
  EXPECT_TRUE(HasCapability(module, spv::Capability::PhysicalStorageBufferAddresses));
  EXPECT_EQ(AddressingModelOf(module), spv::AddressingModel::PhysicalStorageBuffer64);
}

}  // namespace
}  // namespace assay::spirv_instrument
