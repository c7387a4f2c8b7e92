// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The create info of a stage, and what modules declare.

#include "core/shader_stages/stage_test.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::core {
namespace {

class CreateInfo : public StageTest {
 protected:
  VkShaderModule Compute(uint32_t x = 32) {
    return MakeShader(Text({.modes = Modes(absl::StrCat("LocalSize ", x, " 1 1"))}));
  }
  void ExpectWith(std::string_view id, uint32_t x, VkPipelineShaderStageCreateFlags flags, const void* chain = nullptr,
                  std::source_location where = std::source_location::current()) {
    VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", Compute(x));
    stage.pNext = chain;
    stage.flags = flags;
    MakeCompute(stage);
    ExpectStage(id, where);
  }
  static constexpr VkPipelineShaderStageCreateFlags kVarying =
      VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
  static constexpr VkPipelineShaderStageCreateFlags kFull = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
};

TEST_F(CreateInfo, Flags) {
  ExpectWith("", 64, kVarying | kFull);
  ExpectWith("", 33, 0);
  ExpectWith("flags-02758", 33, kVarying | kFull);
  ExpectWith("flags-02759", 33, kFull);
}

TEST_F(CreateInfo, FlagsWithoutFeatures) {
  MakeDeviceWithout("subgroupSizeControl");
  ExpectWith("flags-02784", 32, kVarying);
  driver().config().disabled_features.clear();
  MakeDeviceWithout("computeFullSubgroups");
  ExpectWith("flags-02785", 32, kFull);
}

class RequiredSize : public CreateInfo {
 protected:
  void MakeDeviceWith(VkShaderStageFlags stages) {
    With<VkPhysicalDeviceSubgroupSizeControlProperties>([stages](auto& sizes) {
      sizes.minSubgroupSize = 8;
      sizes.maxSubgroupSize = 64;
      sizes.maxComputeWorkgroupSubgroups = 2;
      sizes.requiredSubgroupSizeStages = stages;
    })(driver().config());
    MakeDevice();
  }
  void Expect(std::string_view id, uint32_t size, uint32_t x, VkPipelineShaderStageCreateFlags flags = 0,
              std::source_location where = std::source_location::current()) {
    const auto required = Typed(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo{.requiredSubgroupSize = size});
    ExpectWith(id, x, flags, &required, where);
  }
};

TEST_F(RequiredSize, Sizes) {
  MakeDeviceWith(VK_SHADER_STAGE_COMPUTE_BIT);
  const std::string owner = "VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-";
  Expect("", 16, 32);
  Expect("pNext-02756", 16, 33);
  Expect("pNext-02757", 16, 24, kFull);
  Expect("pNext-02754", 16, 24, kVarying);
  Expect(owner + "requiredSubgroupSize-02760", 12, 8);
  Expect(owner + "requiredSubgroupSize-02761", 4, 4);
  Expect(owner + "requiredSubgroupSize-02762", 128, 4);
}

TEST_F(RequiredSize, OtherStagesAndWithoutFeature) {
  MakeDeviceWith(VK_SHADER_STAGE_MESH_BIT_EXT);
  Expect("pNext-02755", 16, 32);
  driver().config().disabled_features.insert("subgroupSizeControl");
  MakeDeviceWith(VK_SHADER_STAGE_COMPUTE_BIT);
  Expect("pNext-02755", 16, 32);
}

TEST_F(CreateInfo, SpecializationEntries) {
  const StageText text = {
      .capabilities = Capabilities("Int64"),
      .decorations = Decorate("%number", "SpecId 0") + Decorate("%choice", "SpecId 1") + Decorate("%long", "SpecId 2"),
      .globals =
          "%number = OpSpecConstant %uint 1\n%choice = OpSpecConstantTrue %bool\n"
          "%ulong = OpTypeInt 64 0\n%long = OpSpecConstant %ulong 1\n"};
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", MakeShader(Text(text)));
  const uint64_t data[4] = {1, 1, 1, 1};
  const auto expect = [&](std::string_view id, const std::vector<VkSpecializationMapEntry>& entries) {
    const VkSpecializationInfo info = {static_cast<uint32_t>(entries.size()), entries.data(), 16, data};
    stage.pSpecializationInfo = &info;
    MakeCompute(stage);
    ExpectStage(id);
  };
  expect("", {{0, 0, 4}, {1, 4, 4}, {2, 8, 8}, {9, 0, 1}});
  for (const VkSpecializationMapEntry& entry : {VkSpecializationMapEntry{0, 0, 8}, {1, 0, 1}, {2, 0, 4}}) {
    expect("VkSpecializationMapEntry-constantID-00776", {entry});
  }
}

TEST_F(CreateInfo, EntryPoint) {
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", MakeShader(Text({.model = "Vertex"})));
  MakeCompute(stage);
  ExpectStage("pName-00707");
  stage.module = Compute();
  MakeCompute(stage);
  ExpectNothing();
  stage.pName = "other";
  MakeCompute(stage);
  ExpectStage("pName-00707");
}

TEST_F(CreateInfo, SpecializedWorkgroup) {
  driver().config().limits.maxComputeWorkGroupSize[0] = 64;
  MakeDevice();
  const StageText text = {.modes = "OpExecutionModeId %main LocalSizeId %number %u1 %u1\n",
                          .decorations = "OpDecorate %number SpecId 0\n",
                          .globals = "%number = OpSpecConstant %uint 1\n"};
  const VkShaderModule module = MakeShader(Text(text));
  for (const uint32_t value : {64u, 65u, 64u}) {
    MakeSpecialized(Stage("GLCompute", module), value);
    if (value > 64) ExpectMessage("VUID-RuntimeSpirv-x-06429");
    ExpectNothing();
  }
}

class ModuleIdentifier : public CreateInfo {
 protected:
  void Expect(std::string_view id, uint32_t size, VkPipelineCreateFlags flags, bool has_module = false,
              bool has_chained = false, std::source_location where = std::source_location::current()) {
    const std::vector<uint32_t> words = test::AssembleSpirv(Text({}));
    const VkShaderModuleCreateInfo module = ModuleInfo(words);
    const std::vector<uint8_t> bytes(64);
    const auto identifier = Typed(VkPipelineShaderStageModuleIdentifierCreateInfoEXT{
        .pNext = has_chained ? &module : nullptr, .identifierSize = size, .pIdentifier = bytes.data()});
    VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", has_module ? Compute() : VK_NULL_HANDLE);
    stage.pNext = &identifier;
    MakeCompute(stage, flags);
    ExpectStage(id, where);
  }
  static constexpr VkPipelineCreateFlags kFail = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
};

TEST_F(ModuleIdentifier, Members) {
  Expect("", 16, kFail);
  Expect("", 0, 0, true);
  Expect("", 0, 0, false, true);
  Expect("stage-06844", 16, kFail, false, true);
  Expect("stage-06848", 16, kFail, true);
  Expect("stage-06845", 0, 0);
  Expect("VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06851", 16, 0);
  Expect("VkPipelineShaderStageModuleIdentifierCreateInfoEXT-identifierSize-06852", 33, kFail);
}

TEST_F(ModuleIdentifier, WithoutFeature) {
  MakeDeviceWithout("shaderModuleIdentifier");
  Expect("VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06850", 16, kFail);
}

TEST_F(ModuleIdentifier, WithoutMaintenance5) {
  MakeDeviceWithout("maintenance5");
  Expect("", 0, 0, true);
  Expect("stage-08771", 0, 0, false, true);
}

// What modules declare, in a module and in a shader object.
class Declarations : public StageTest {
 protected:
  using Rules = std::vector<const char*>;

  void ExpectBoth(const std::string& capabilities, const Rules& rules) {
    ExpectBoth(test::AssembleSpirv(Text({.capabilities = capabilities})), rules);
  }
  void ExpectBoth(const std::vector<uint32_t>& words, const Rules& rules) {
    MakeShader(words);
    ExpectRules("VUID-VkShaderModuleCreateInfo-", rules);
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
  ExpectBoth(Capabilities("Float64, GroupNonUniformVote"), {});
  ExpectBoth(Capabilities("Addresses"), {"pCode-08739"});
  // Newer than the layer.
  std::vector<uint32_t> newer = test::AssembleSpirv(Text({.capabilities = Capabilities("Addresses")}));
  *std::ranges::find(newer, static_cast<uint32_t>(spv::Capability::Addresses)) = 65000;
  ExpectBoth(newer, {});
  ExpectBoth(Capabilities("Int64ImageEXT", "SPV_EXT_shader_image_int64"), {});
  ExpectBoth(Capabilities("FragmentDensityEXT", "SPV_EXT_fragment_invocation_density"), {"pCode-08740", "pCode-08742"});
  ExpectBoth(Capabilities("RayTracingNV", "SPV_NV_ray_tracing"), {"pCode-08740", "pCode-08742"});
  ExpectBoth(test::AssembleSpirv(absl::StrReplaceAll(Text({}), {{"OpCapability Shader", "OpCapability Matrix"}})),
             {"pCode-08738"});
}

TEST_F(Declarations, CapabilitiesWithoutFeatures) {
  Disable("shaderFloat64")(driver().config());
  Set(&VkPhysicalDeviceVulkan11Properties::subgroupSupportedOperations,
      VK_SUBGROUP_FEATURE_BASIC_BIT)(driver().config());
  MakeDevice();
  ExpectBoth(Capabilities("Float64"), {"pCode-08740"});
  ExpectBoth(Capabilities("GroupNonUniformVote"), {"pCode-08740"});
  ExpectBoth(Capabilities("GroupNonUniform"), {});
}

TEST_F(Declarations, Extensions) {
  ExpectBoth(Extensions("SPV_KHR_variable_pointers"), {});
  ExpectBoth(Extensions("SPV_KHR_ray_query"), {});
  ExpectBoth(Extensions("SPV_NV_ray_tracing"), {"pCode-08742"});
  ExpectBoth(Extensions("SPV_INTEL_subgroups"), {"pCode-08741"});
  // It may be newer than the layer.
  ExpectBoth(Extensions("SPV_NONE_unknown"), {});
}

}  // namespace
}  // namespace assay::core
