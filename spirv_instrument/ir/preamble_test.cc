// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/preamble.h"

#include <cstddef>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kReturn = R"(
    %60 = OpLabel
    OpReturn
)";

size_t Count(const Module& module, spv::Op op) {
  size_t count = 0;
  for (Instruction instruction : module.instructions()) count += instruction.op() == op ? 1 : 0;
  return count;
}

TEST(Capabilities, ImpliedOnesCount) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  EXPECT_TRUE(HasCapability(module, spv::Capability::Shader));
  EXPECT_TRUE(HasCapability(module, spv::Capability::Matrix));
  EXPECT_FALSE(HasCapability(module, spv::Capability::Int64));
  AddCapability(module, spv::Capability::Matrix);
  AddCapability(module, spv::Capability::Int64Atomics);
  AddCapability(module, spv::Capability::Int64Atomics);
  // Int64Atomics implies Int64.
  AddCapability(module, spv::Capability::Int64);
  EXPECT_EQ(Count(module, spv::Op::OpCapability), 2u);
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(Capabilities, ShadersHaveInt8WithoutKernel) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  AddCapability(module, spv::Capability::Int8);
  EXPECT_FALSE(HasCapability(module, spv::Capability::Kernel));
  AddCapability(module, spv::Capability::ImageReadWrite);
  EXPECT_TRUE(HasCapability(module, spv::Capability::Kernel));
}

TEST(Capabilities, BringTheirExtensionWhereTheVersionDoesNot) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  AddCapability(module, spv::Capability::ShaderNonUniform);
  EXPECT_EQ(Count(module, spv::Op::OpExtension), 0u);
  AddCapability(module, spv::Capability::RayQueryKHR);
  EXPECT_TRUE(HasExtension(module, "SPV_KHR_ray_query"));
  EXPECT_EQ(Count(module, spv::Op::OpExtension), 1u);

  Module old = ReadAssembly(ComputeShader(kReturn), SPV_ENV_VULKAN_1_1);
  AddCapability(old, spv::Capability::ShaderNonUniform);
  EXPECT_TRUE(HasExtension(old, "SPV_EXT_descriptor_indexing"));
}

TEST(Extensions, AreAddedOnce) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  EXPECT_FALSE(HasExtension(module, "SPV_KHR_non_semantic_info"));
  AddExtension(module, "SPV_KHR_non_semantic_info");
  AddExtension(module, "SPV_KHR_non_semantic_info");
  EXPECT_EQ(Count(module, spv::Op::OpExtension), 1u);
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(ExtendedSets, AreImportedOnce) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  EXPECT_EQ(FindExtendedSet(module, "GLSL.std.450"), kNoId);
  const Id set = ImportExtendedSet(module, "GLSL.std.450");
  EXPECT_EQ(ImportExtendedSet(module, "GLSL.std.450"), set);
  EXPECT_EQ(FindExtendedSet(module, "GLSL.std.450"), set);
  EXPECT_EQ(ExtendedSetName(module, set), "GLSL.std.450");
  EXPECT_EQ(ExtendedSetName(module, Id{60}), "");
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(AddressingModel, IsRaisedForDeviceAddresses) {
  for (spv_target_env environment : {SPV_ENV_UNIVERSAL_1_6, SPV_ENV_VULKAN_1_1}) {
    Module module = ReadAssembly(ComputeShader(kReturn), environment);
    EXPECT_EQ(AddressingModelOf(module), spv::AddressingModel::Logical);
    EXPECT_EQ(MemoryModelOf(module), spv::MemoryModel::GLSL450);
    EnablePhysicalStorageBuffer(module);
    EnablePhysicalStorageBuffer(module);
    EXPECT_EQ(AddressingModelOf(module), spv::AddressingModel::PhysicalStorageBuffer64);
    EXPECT_EQ(MemoryModelOf(module), spv::MemoryModel::GLSL450);
    EXPECT_EQ(Count(module, spv::Op::OpMemoryModel), 1u);
    EXPECT_EQ(Count(module, spv::Op::OpCapability), 2u);
    EXPECT_EQ(Count(module, spv::Op::OpExtension), environment == SPV_ENV_VULKAN_1_1 ? 1u : 0u);
    // The shader's interface is that of newer versions.
    if (environment == SPV_ENV_UNIVERSAL_1_6) {
      EXPECT_EQ(ValidationErrors(module), "");
    }
  }
}

}  // namespace
}  // namespace assay::spirv_instrument
