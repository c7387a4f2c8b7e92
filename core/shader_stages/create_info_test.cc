// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The create info of a stage, and what modules declare.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/shader_stages/stage_test.h"
#include "spirv/unified1/spirv.hpp11"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

constexpr std::string_view kStage = "VUID-VkPipelineShaderStageCreateInfo-";

class CreateInfo : public StageTest {
 protected:
  void MakeDeviceWithout(const std::string& feature) {
    driver().config().disabled_features.insert(feature);
    MakeDevice();
  }
  void ExpectStage(std::string_view rule) { ExpectMessage(absl::StrCat(kStage, rule)); }
  VkShaderModule Compute(const std::string& modes = "OpExecutionMode %main LocalSize 32 1 1\n") {
    return MakeShader(Text({.modes = modes}));
  }
};

TEST_F(CreateInfo, Flags) {
  MakeDevice();
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", Compute("OpExecutionMode %main LocalSize 64 1 1\n"));
  stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT |
                VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  MakeCompute(stage);
  ExpectNothing();
  stage.module = Compute("OpExecutionMode %main LocalSize 33 1 1\n");
  MakeCompute(stage);
  ExpectStage("flags-02758");
  stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  MakeCompute(stage);
  ExpectStage("flags-02759");
  stage.flags = 0;
  MakeCompute(stage);
  ExpectNothing();
}

TEST_F(CreateInfo, FlagsWithoutSubgroupSizeControl) {
  MakeDeviceWithout("subgroupSizeControl");
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", Compute());
  stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
  MakeCompute(stage);
  ExpectStage("flags-02784");
}

TEST_F(CreateInfo, FlagsWithoutFullSubgroups) {
  MakeDeviceWithout("computeFullSubgroups");
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", Compute());
  stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  MakeCompute(stage);
  ExpectStage("flags-02785");
}

TEST_F(CreateInfo, StageOfFlags) {
  MakeDevice();
  VkPipelineShaderStageCreateInfo stage = Stage("RayGenerationKHR", MakeShader(Text({.model = "RayGenerationKHR"})));
  MakeRayTracing(stage);
  ExpectNothing();
  stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  MakeRayTracing(stage);
  ExpectStage("flags-08988");
}

TEST_F(CreateInfo, Stages) {
  extensions.push_back(VK_HUAWEI_CLUSTER_CULLING_SHADER_EXTENSION_NAME);
  MakeDevice();
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", Compute());
  for (const VkShaderStageFlagBits all : {VK_SHADER_STAGE_ALL_GRAPHICS, VK_SHADER_STAGE_ALL}) {
    stage.stage = all;
    MakeCompute(stage);
    ExpectMessages({absl::StrCat(kStage, "stage-parameter"), absl::StrCat(kStage, "stage-00706"),
                    "VUID-VkComputePipelineCreateInfo-stage-00701"});
  }
  stage.stage = VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI;
  MakeCompute(stage);
  ExpectMessages({absl::StrCat(kStage, "clustercullingShader-07813"), "VUID-VkComputePipelineCreateInfo-stage-00701"});
}

class RequiredSize : public CreateInfo {
 protected:
  void MakeDeviceWith(VkShaderStageFlags stages) {
    driver().config().adjust_properties = [stages](VkBaseOutStructure* properties) {
      if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
        auto* sizes = reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlProperties*>(properties);
        sizes->minSubgroupSize = 8;
        sizes->maxSubgroupSize = 64;
        sizes->maxComputeWorkgroupSubgroups = 2;
        sizes->requiredSubgroupSizeStages = stages;
      }
    };
    MakeDevice();
  }
  void MakeWith(uint32_t size, uint32_t x, VkPipelineShaderStageCreateFlags flags = 0) {
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = size};
    VkPipelineShaderStageCreateInfo stage =
        Stage("GLCompute", Compute(absl::StrCat("OpExecutionMode %main LocalSize ", x, " 1 1\n")));
    stage.pNext = &required;
    stage.flags = flags;
    MakeCompute(stage);
  }
  static constexpr std::string_view kSize =
      "VUID-VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-requiredSubgroupSize-";
};

TEST_F(RequiredSize, Sizes) {
  MakeDeviceWith(VK_SHADER_STAGE_COMPUTE_BIT);
  MakeWith(16, 32);
  ExpectNothing();
  MakeWith(16, 33);
  ExpectStage("pNext-02756");
  MakeWith(16, 24, VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT);
  ExpectStage("pNext-02757");
  MakeWith(16, 24, VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT);
  ExpectStage("pNext-02754");
  MakeWith(12, 8);
  ExpectMessage(absl::StrCat(kSize, "02760"));
  MakeWith(4, 4);
  ExpectMessage(absl::StrCat(kSize, "02761"));
  MakeWith(128, 4);
  ExpectMessage(absl::StrCat(kSize, "02762"));
}

TEST_F(RequiredSize, OtherStages) {
  MakeDeviceWith(VK_SHADER_STAGE_MESH_BIT_EXT);
  MakeWith(16, 32);
  ExpectStage("pNext-02755");
}

TEST_F(RequiredSize, WithoutFeature) {
  driver().config().disabled_features.insert("subgroupSizeControl");
  MakeDeviceWith(VK_SHADER_STAGE_COMPUTE_BIT);
  MakeWith(16, 32);
  ExpectStage("pNext-02755");
}

class StageSpecialization : public CreateInfo {
 protected:
  void SetUp() override { MakeDevice(); }
  void MakeWith(const std::vector<VkSpecializationMapEntry>& entries, size_t size) {
    const StageText text = {.capabilities = "OpCapability Int64\n",
                            .decorations =
                                "OpDecorate %number SpecId 0\nOpDecorate %choice SpecId 1\n"
                                "OpDecorate %long SpecId 2\n",
                            .globals =
                                "%number = OpSpecConstant %uint 1\n%choice = OpSpecConstantTrue %bool\n"
                                "%ulong = OpTypeInt 64 0\n%long = OpSpecConstant %ulong 1\n"};
    const uint64_t data[4] = {1, 1, 1, 1};
    const VkSpecializationInfo info = {static_cast<uint32_t>(entries.size()), entries.data(), size, data};
    VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", MakeShader(Text(text)));
    stage.pSpecializationInfo = &info;
    MakeCompute(stage);
  }
};

TEST_F(StageSpecialization, Entries) {
  MakeWith({{0, 0, 4}, {1, 4, 4}, {2, 8, 8}, {9, 0, 1}}, 16);
  ExpectNothing();
  for (const VkSpecializationMapEntry& entry : {VkSpecializationMapEntry{0, 0, 8}, {1, 0, 1}, {2, 0, 4}}) {
    MakeWith({entry}, 16);
    ExpectMessage("VUID-VkSpecializationMapEntry-constantID-00776");
  }
}

TEST_F(CreateInfo, EntryPoint) {
  MakeDevice();
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", Compute());
  MakeCompute(stage);
  ExpectNothing();
  stage.pName = "other";
  MakeCompute(stage);
  ExpectStage("pName-00707");
  stage = Stage("GLCompute", MakeShader(Text({.model = "Vertex"})));
  MakeCompute(stage);
  ExpectStage("pName-00707");
}

TEST_F(CreateInfo, SpecializedWorkgroup) {
  driver().config().limits.maxComputeWorkGroupSize[0] = 64;
  MakeDevice();
  const StageText text = {.modes = "OpExecutionModeId %main LocalSizeId %number %u1 %u1\n",
                          .decorations = "OpDecorate %number SpecId 0\n",
                          .globals = "%number = OpSpecConstant %uint 1\n"};
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", MakeShader(Text(text)));
  for (uint32_t value : {64u, 65u, 64u}) {
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo info = {1, &entry, 4, &value};
    stage.pSpecializationInfo = &info;
    MakeCompute(stage);
    if (value > 64) ExpectMessage("VUID-RuntimeSpirv-x-06429");
    ExpectNothing();
  }
}

class ModuleIdentifier : public CreateInfo {
 protected:
  void MakeWith(uint32_t size, VkPipelineCreateFlags flags, bool has_module = false, bool has_chained = false) {
    const std::vector<uint32_t> words = test::AssembleSpirv(Text({}));
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = words.size() * sizeof(uint32_t),
                                             .pCode = words.data()};
    const std::vector<uint8_t> bytes(64);
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .pNext = has_chained ? &module : nullptr,
        .identifierSize = size,
        .pIdentifier = bytes.data()};
    VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", has_module ? Compute() : VK_NULL_HANDLE);
    stage.pNext = &identifier;
    MakeCompute(stage, flags);
  }
  static constexpr VkPipelineCreateFlags kFail = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
};

TEST_F(ModuleIdentifier, Members) {
  MakeDevice();
  MakeWith(16, kFail);
  MakeWith(0, 0, true);
  MakeWith(0, 0, false, true);
  ExpectNothing();
  MakeWith(16, kFail, false, true);
  ExpectStage("stage-06844");
  MakeWith(16, kFail, true);
  ExpectStage("stage-06848");
  MakeWith(0, 0);
  ExpectStage("stage-06845");
  MakeWith(16, 0);
  ExpectMessage("VUID-VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06851");
  MakeWith(33, kFail);
  ExpectMessage("VUID-VkPipelineShaderStageModuleIdentifierCreateInfoEXT-identifierSize-06852");
}

TEST_F(ModuleIdentifier, WithoutFeature) {
  MakeDeviceWithout("shaderModuleIdentifier");
  MakeWith(16, kFail);
  ExpectMessage("VUID-VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06850");
}

TEST_F(ModuleIdentifier, WithoutMaintenance5) {
  MakeDeviceWithout("maintenance5");
  MakeWith(0, 0, true);
  ExpectNothing();
  MakeWith(0, 0, false, true);
  ExpectStage("stage-08771");
}

// What modules declare, in a module and in a shader object.
class Declarations : public StageTest {
 protected:
  using Rules = std::vector<const char*>;

  void ExpectBoth(const std::string& text, const Rules& rules) { ExpectBoth(test::AssembleSpirv(text), rules); }
  void ExpectBoth(const std::vector<uint32_t>& words, const Rules& rules) {
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = words.size() * sizeof(uint32_t),
                                           .pCode = words.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    vk.CreateShaderModule(device, &info, nullptr, &module);
    ExpectRules("VUID-VkShaderModuleCreateInfo-", rules);
    vk.DestroyShaderModule(device, module, nullptr);
    MakeObjects({Object("GLCompute", words)});
    ExpectRules("VUID-VkShaderCreateInfoEXT-", rules);
  }

 private:
  void ExpectRules(const char* owner, const Rules& rules) {
    std::vector<std::string> ids;
    ids.reserve(rules.size());
    for (const char* rule : rules) ids.push_back(absl::StrCat(owner, rule));
    ExpectMessages(ids);
  }
};

TEST_F(Declarations, Capabilities) {
  MakeDevice();
  ExpectBoth(Text({.capabilities = "OpCapability Float64\nOpCapability GroupNonUniformVote\n"}), {});
  ExpectBoth(Text({.capabilities = "OpCapability Addresses\n"}), {"pCode-08739"});
  // Newer than the layer.
  std::vector<uint32_t> newer = test::AssembleSpirv(Text({.capabilities = "OpCapability Addresses\n"}));
  *std::ranges::find(newer, static_cast<uint32_t>(spv::Capability::Addresses)) = 65000;
  ExpectBoth(newer, {});
  ExpectBoth(Text({.capabilities = "OpCapability Int64ImageEXT\nOpExtension \"SPV_EXT_shader_image_int64\"\n"}), {});
  ExpectBoth(Text({.capabilities = "OpCapability FragmentDensityEXT\n"
                                   "OpExtension \"SPV_EXT_fragment_invocation_density\"\n"}),
             {"pCode-08740", "pCode-08742"});
  ExpectBoth(Text({.capabilities = "OpCapability RayTracingNV\nOpExtension \"SPV_NV_ray_tracing\"\n"}),
             {"pCode-08740", "pCode-08742"});
  ExpectBoth(absl::StrReplaceAll(Text({}), {{"OpCapability Shader", "OpCapability Matrix"}}), {"pCode-08738"});
}

TEST_F(Declarations, CapabilitiesWithoutFeatures) {
  driver().config().disabled_features.insert("shaderFloat64");
  driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
    if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) return;
    reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(properties)->subgroupSupportedOperations =
        VK_SUBGROUP_FEATURE_BASIC_BIT;
  };
  MakeDevice();
  ExpectBoth(Text({.capabilities = "OpCapability Float64\n"}), {"pCode-08740"});
  ExpectBoth(Text({.capabilities = "OpCapability GroupNonUniformVote\n"}), {"pCode-08740"});
  ExpectBoth(Text({.capabilities = "OpCapability GroupNonUniform\n"}), {});
}

TEST_F(Declarations, Extensions) {
  MakeDevice();
  ExpectBoth(Text({.capabilities = "OpExtension \"SPV_KHR_variable_pointers\"\n"}), {});
  ExpectBoth(Text({.capabilities = "OpExtension \"SPV_KHR_ray_query\"\n"}), {});
  ExpectBoth(Text({.capabilities = "OpExtension \"SPV_NV_ray_tracing\"\n"}), {"pCode-08742"});
  ExpectBoth(Text({.capabilities = "OpExtension \"SPV_INTEL_subgroups\"\n"}), {"pCode-08741"});
  // It may be newer than the layer.
  ExpectBoth(Text({.capabilities = "OpExtension \"SPV_NONE_unknown\"\n"}), {});
}

}  // namespace
}  // namespace assay::core
