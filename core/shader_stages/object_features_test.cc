// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader objects that need a feature.

#include "core/shader_stages/stage_test.h"

namespace assay::core {
namespace {

// A shader object that needs a feature, and is correct with it.
struct FeatureCase {
  const char* rule;
  const char* model;
  const char* feature;
  VkShaderCreateFlagsEXT flags = 0;
  VkShaderStageFlags next = 0;
  // What the code declares.
  std::vector<std::string> also = {};
  // For a rule of the stage, not of the feature: a stage that is right.
  const char* right_model = nullptr;
};
void PrintTo(const FeatureCase& row, std::ostream* out) { *out << row.rule; }

class ObjectFeatures : public StageTest, public ::testing::WithParamInterface<FeatureCase> {
 protected:
  void SetUp() override {}
  void MakeCase(const std::string& model) {
    const bool has_density = GetParam().feature == std::string("fragmentDensityMap");
    MakeDeviceWith(
        {has_density ? VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME : VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
         VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME});
    const std::string modes = model == "GLCompute" ? Modes("LocalSize 64 1 1") : "";
    const std::vector<uint32_t> words = test::AssembleSpirv(Text({.model = model, .modes = modes}));
    VkShaderCreateInfoEXT info = Object(model, words);
    info.flags = GetParam().flags;
    info.nextStage = GetParam().next;
    MakeObjects({info});
  }
};

TEST_P(ObjectFeatures, IsReported) {
  if (GetParam().right_model == nullptr) driver().config().disabled_features.insert(GetParam().feature);
  MakeCase(GetParam().model);
  std::vector<std::string> ids = {absl::StrCat("VUID-VkShaderCreateInfoEXT-", GetParam().rule)};
  ids.insert(ids.end(), GetParam().also.begin(), GetParam().also.end());
  ExpectMessages(ids);
}

TEST_P(ObjectFeatures, TwinIsSilent) {
  MakeCase(GetParam().right_model != nullptr ? GetParam().right_model : GetParam().model);
  ExpectNothing();
}

std::vector<FeatureCase> FeatureCasesOfObjects() {
  const char* const capability = "VUID-VkShaderCreateInfoEXT-pCode-08740";
  const auto of_fragment = [](const char* rule, const char* feature, VkShaderCreateFlagsEXT flags) {
    return FeatureCase{rule, "Vertex", feature, flags, 0, {}, "Fragment"};
  };
  return {
      {"flags-08487", "Fragment", "attachmentFragmentShadingRate",
       VK_SHADER_CREATE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_EXT},
      {"flags-08489", "Fragment", "fragmentDensityMap", VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT},
      {"flags-09404", "GLCompute", "subgroupSizeControl", VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT},
      {"flags-09405", "GLCompute", "computeFullSubgroups", VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT},
      {"flags-11005", "GLCompute", "deviceGeneratedCommands", VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT},
      {"nextStage-08428", "Vertex", "tessellationShader", 0, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
      {"nextStage-08429", "Vertex", "geometryShader", 0, VK_SHADER_STAGE_GEOMETRY_BIT},
      {"stage-08419", "TessellationControl", "tessellationShader", 0, 0, {capability}},
      {"stage-08420", "Geometry", "geometryShader", 0, 0, {capability}},
      {"stage-08421", "TaskEXT", "taskShader"},
      {"stage-08422", "MeshEXT", "meshShader"},
      of_fragment("flags-08486", "attachmentFragmentShadingRate",
                  VK_SHADER_CREATE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_EXT),
      of_fragment("flags-08488", "fragmentDensityMap", VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT),
  };
}
INSTANTIATE_TEST_SUITE_P(Features, ObjectFeatures, ::testing::ValuesIn(FeatureCasesOfObjects()),
                         [](const auto& info) { return absl::StrReplaceAll(info.param.rule, {{"-", "_"}}); });

}  // namespace
}  // namespace assay::core
