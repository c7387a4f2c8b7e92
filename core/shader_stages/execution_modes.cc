// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Execution modes against features and properties.

#include <map>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Instruction;
using spv::ExecutionMode;
using vk::FeatureId;
using vk::Vuid;

namespace {

struct ModeFeature {
  ExecutionMode mode;
  FeatureId feature;
  const char* mode_name;
  const char* feature_name;
  vk::VuidIndex vuid;
};
constexpr ModeFeature kModeFeatures[] = {
    {ExecutionMode::LocalSizeId, FeatureId::kMaintenance4, "LocalSizeId", "maintenance4",
     Vuid("VUID-RuntimeSpirv-LocalSizeId-06434")},
    {ExecutionMode::SubgroupUniformControlFlowKHR, FeatureId::kShaderSubgroupUniformControlFlow,
     "SubgroupUniformControlFlowKHR", "shaderSubgroupUniformControlFlow",
     Vuid("VUID-RuntimeSpirv-SubgroupUniformControlFlowKHR-06379")},
    {ExecutionMode::EarlyAndLateFragmentTestsAMD, FeatureId::kShaderEarlyAndLateFragmentTests,
     "EarlyAndLateFragmentTestsAMD", "shaderEarlyAndLateFragmentTests",
     Vuid("VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-06767")},
    {ExecutionMode::StencilRefUnchangedFrontAMD, FeatureId::kShaderEarlyAndLateFragmentTests,
     "StencilRefUnchangedFrontAMD", "shaderEarlyAndLateFragmentTests",
     Vuid("VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-06768")},
    {ExecutionMode::StencilRefUnchangedBackAMD, FeatureId::kShaderEarlyAndLateFragmentTests,
     "StencilRefUnchangedBackAMD", "shaderEarlyAndLateFragmentTests",
     Vuid("VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-06769")},
    {ExecutionMode::StencilRefGreaterFrontAMD, FeatureId::kShaderEarlyAndLateFragmentTests, "StencilRefGreaterFrontAMD",
     "shaderEarlyAndLateFragmentTests", Vuid("VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-06770")},
    {ExecutionMode::StencilRefGreaterBackAMD, FeatureId::kShaderEarlyAndLateFragmentTests, "StencilRefGreaterBackAMD",
     "shaderEarlyAndLateFragmentTests", Vuid("VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-06771")},
    {ExecutionMode::StencilRefLessFrontAMD, FeatureId::kShaderEarlyAndLateFragmentTests, "StencilRefLessFrontAMD",
     "shaderEarlyAndLateFragmentTests", Vuid("VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-06772")},
    {ExecutionMode::StencilRefLessBackAMD, FeatureId::kShaderEarlyAndLateFragmentTests, "StencilRefLessBackAMD",
     "shaderEarlyAndLateFragmentTests", Vuid("VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-06773")},
};

using FloatControls = VkPhysicalDeviceFloatControlsProperties;
struct FloatMode {
  ExecutionMode mode;
  uint32_t width;
  VkBool32 FloatControls::* property;
  const char* name;
  vk::VuidIndex vuid;
};
constexpr FloatMode kFloatModes[] = {
    {ExecutionMode::SignedZeroInfNanPreserve, 16, &FloatControls::shaderSignedZeroInfNanPreserveFloat16,
     "shaderSignedZeroInfNanPreserveFloat16", Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat16-06293")},
    {ExecutionMode::SignedZeroInfNanPreserve, 32, &FloatControls::shaderSignedZeroInfNanPreserveFloat32,
     "shaderSignedZeroInfNanPreserveFloat32", Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat32-06294")},
    {ExecutionMode::SignedZeroInfNanPreserve, 64, &FloatControls::shaderSignedZeroInfNanPreserveFloat64,
     "shaderSignedZeroInfNanPreserveFloat64", Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat64-06295")},
    {ExecutionMode::DenormPreserve, 16, &FloatControls::shaderDenormPreserveFloat16, "shaderDenormPreserveFloat16",
     Vuid("VUID-RuntimeSpirv-shaderDenormPreserveFloat16-06296")},
    {ExecutionMode::DenormPreserve, 32, &FloatControls::shaderDenormPreserveFloat32, "shaderDenormPreserveFloat32",
     Vuid("VUID-RuntimeSpirv-shaderDenormPreserveFloat32-06297")},
    {ExecutionMode::DenormPreserve, 64, &FloatControls::shaderDenormPreserveFloat64, "shaderDenormPreserveFloat64",
     Vuid("VUID-RuntimeSpirv-shaderDenormPreserveFloat64-06298")},
    {ExecutionMode::DenormFlushToZero, 16, &FloatControls::shaderDenormFlushToZeroFloat16,
     "shaderDenormFlushToZeroFloat16", Vuid("VUID-RuntimeSpirv-shaderDenormFlushToZeroFloat16-06299")},
    {ExecutionMode::DenormFlushToZero, 32, &FloatControls::shaderDenormFlushToZeroFloat32,
     "shaderDenormFlushToZeroFloat32", Vuid("VUID-RuntimeSpirv-shaderDenormFlushToZeroFloat32-06300")},
    {ExecutionMode::DenormFlushToZero, 64, &FloatControls::shaderDenormFlushToZeroFloat64,
     "shaderDenormFlushToZeroFloat64", Vuid("VUID-RuntimeSpirv-shaderDenormFlushToZeroFloat64-06301")},
    {ExecutionMode::RoundingModeRTE, 16, &FloatControls::shaderRoundingModeRTEFloat16, "shaderRoundingModeRTEFloat16",
     Vuid("VUID-RuntimeSpirv-shaderRoundingModeRTEFloat16-06302")},
    {ExecutionMode::RoundingModeRTE, 32, &FloatControls::shaderRoundingModeRTEFloat32, "shaderRoundingModeRTEFloat32",
     Vuid("VUID-RuntimeSpirv-shaderRoundingModeRTEFloat32-06303")},
    {ExecutionMode::RoundingModeRTE, 64, &FloatControls::shaderRoundingModeRTEFloat64, "shaderRoundingModeRTEFloat64",
     Vuid("VUID-RuntimeSpirv-shaderRoundingModeRTEFloat64-06304")},
    {ExecutionMode::RoundingModeRTZ, 16, &FloatControls::shaderRoundingModeRTZFloat16, "shaderRoundingModeRTZFloat16",
     Vuid("VUID-RuntimeSpirv-shaderRoundingModeRTZFloat16-06305")},
    {ExecutionMode::RoundingModeRTZ, 32, &FloatControls::shaderRoundingModeRTZFloat32, "shaderRoundingModeRTZFloat32",
     Vuid("VUID-RuntimeSpirv-shaderRoundingModeRTZFloat32-06306")},
    {ExecutionMode::RoundingModeRTZ, 64, &FloatControls::shaderRoundingModeRTZFloat64, "shaderRoundingModeRTZFloat64",
     Vuid("VUID-RuntimeSpirv-shaderRoundingModeRTZFloat64-06307")},
};

// Modes of denormals, or of rounding, which differ by width.
struct IndependenceIds {
  ExecutionMode modes[2];
  VkShaderFloatControlsIndependence FloatControls::* property;
  vk::VuidIndex only_32;
  vk::VuidIndex none;
  const char* name;
};
constexpr IndependenceIds kIndependence[] = {
    {{ExecutionMode::DenormPreserve, ExecutionMode::DenormFlushToZero},
     &FloatControls::denormBehaviorIndependence,
     Vuid("VUID-RuntimeSpirv-denormBehaviorIndependence-06289"),
     Vuid("VUID-RuntimeSpirv-denormBehaviorIndependence-06290"),
     "denormBehaviorIndependence"},
    {{ExecutionMode::RoundingModeRTE, ExecutionMode::RoundingModeRTZ},
     &FloatControls::roundingModeIndependence,
     Vuid("VUID-RuntimeSpirv-roundingModeIndependence-06291"),
     Vuid("VUID-RuntimeSpirv-roundingModeIndependence-06292"),
     "roundingModeIndependence"},
};

void CheckIndependence(StageReader& reader, const FloatControls& controls, const IndependenceIds& ids) {
  // The mode of each width that has one.
  std::map<uint32_t, ExecutionMode> by_width;
  for (Instruction mode : reader.modes) {
    const auto which = mode.enumerant<ExecutionMode>(1);
    if (which == ids.modes[0] || which == ids.modes[1]) by_width.emplace(mode.literal(2), which);
  }
  const bool is_only_32 = controls.*ids.property == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  if (!is_only_32 && controls.*ids.property != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE) return;
  if (is_only_32) by_width.erase(32);
  for (const auto& [width, mode] : by_width) {
    if (mode == by_width.begin()->second) continue;
    reader.Add(is_only_32 ? ids.only_32 : ids.none,
               absl::StrCat("has different modes for floats of ", by_width.begin()->first, " and ", width,
                            " bits, and ", ids.name, " does not allow that."));
  }
}

void CheckFloatControls(StageReader& reader) {
  const auto* controls = reader.Properties<FloatControls>();
  if (controls == nullptr) return;
  for (Instruction mode : reader.modes) {
    for (const FloatMode& row : kFloatModes) {
      if (mode.enumerant<ExecutionMode>(1) != row.mode || mode.literal(2) != row.width) continue;
      if (controls->*row.property == VK_FALSE) {
        reader.Add(row.vuid, absl::StrCat("has an execution mode that needs ", row.name, ", which is VK_FALSE."));
      }
    }
  }
  for (const IndependenceIds& ids : kIndependence) CheckIndependence(reader, *controls, ids);
}

}  // namespace

void CheckExecutionModes(StageReader& reader) {
  for (const ModeFeature& row : kModeFeatures) {
    if (!reader.Mode(row.mode) || reader.Has(row.feature)) continue;
    reader.Add(row.vuid,
               absl::StrCat("has the execution mode ", row.mode_name, ", and the feature ", row.feature_name,
                            " is not enabled."),
               absl::StrCat("Enable ", row.feature_name, "."));
  }
  CheckFloatControls(reader);
}

}  // namespace assay::core
