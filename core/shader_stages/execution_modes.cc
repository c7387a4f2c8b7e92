// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Execution modes against features and properties.

#include <map>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"
#include "vk/extension_info.h"

namespace assay::core {

using spirv_instrument::Instruction;
using spv::ExecutionMode;
using spv::Op;
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

// What a fast math mode must have for floats of a width.
struct FastMathIds {
  uint32_t width;
  VkBool32 FloatControls::* property;
  const char* name;
  vk::VuidIndex mode;
  vk::VuidIndex decoration;
};
constexpr FastMathIds kFastMath[] = {
    {16, &FloatControls::shaderSignedZeroInfNanPreserveFloat16, "shaderSignedZeroInfNanPreserveFloat16",
     Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat16-09559"),
     Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat16-09560")},
    {32, &FloatControls::shaderSignedZeroInfNanPreserveFloat32, "shaderSignedZeroInfNanPreserveFloat32",
     Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat32-09561"),
     Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat32-09562")},
    {64, &FloatControls::shaderSignedZeroInfNanPreserveFloat64, "shaderSignedZeroInfNanPreserveFloat64",
     Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat64-09563"),
     Vuid("VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat64-09564")},
};
// NotNaN, NotInf, NSZ.
constexpr uint64_t kNeededFastMath = 7;

// The bits of the floats of a type that is a float, a vector or a matrix of them; 0 for another.
uint32_t FloatWidth(const StageReader& reader, Instruction type) {
  for (int i = 0; i < 2 && (type.op() == Op::OpTypeVector || type.op() == Op::OpTypeMatrix); ++i) {
    type = reader.module.Find(type.id(0));
  }
  return type.op() == Op::OpTypeFloat ? type.literal(0) : 0;
}

void CheckFastMathDefault(StageReader& reader, const FloatControls& controls) {
  for (Instruction mode : reader.modes) {
    if (mode.enumerant<ExecutionMode>(1) != ExecutionMode::FPFastMathDefault) continue;
    const uint32_t width = FloatWidth(reader, reader.module.Find(mode.id(2)));
    const auto flags = reader.Evaluate(mode.id(3));
    if (!flags || (*flags & kNeededFastMath) == kNeededFastMath) continue;
    for (const FastMathIds& row : kFastMath) {
      if (row.width != width || controls.*row.property == VK_TRUE) continue;
      reader.Add(row.mode,
                 absl::StrCat("has the execution mode FPFastMathDefault for floats of ", width,
                              " bits without one of NSZ, NotInf and NotNaN, and ", row.name, " is VK_FALSE."));
    }
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
  CheckFastMathDefault(reader, *controls);
}

// Rules of what a module declares, on a device of the portability subset.
void CheckPortability(StageReader& reader) {
  if (!reader.device.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset)) return;
  const auto check = [&](bool has, FeatureId feature, const char* what, const char* feature_name, vk::VuidIndex vuid) {
    if (!has || reader.Has(feature)) return;
    reader.Add(vuid, absl::StrCat("has the ", what, ", and the feature ", feature_name, " is not enabled."));
  };
  check(reader.Declares(spv::Capability::InterpolationFunction), FeatureId::kShaderSampleRateInterpolationFunctions,
        "capability InterpolationFunction", "shaderSampleRateInterpolationFunctions",
        Vuid("VUID-RuntimeSpirv-shaderSampleRateInterpolationFunctions-06325"));
  if (!reader.Has(FeatureId::kTessellationShader)) return;
  check(static_cast<bool>(reader.Mode(ExecutionMode::Isolines)), FeatureId::kTessellationIsolines,
        "execution mode Isolines", "tessellationIsolines", Vuid("VUID-RuntimeSpirv-tessellationShader-06326"));
  check(static_cast<bool>(reader.Mode(ExecutionMode::PointMode)), FeatureId::kTessellationPointMode,
        "execution mode PointMode", "tessellationPointMode", Vuid("VUID-RuntimeSpirv-tessellationShader-06327"));
}

void CheckDerivativeGroups(StageReader& reader) {
  using Properties = VkPhysicalDeviceComputeShaderDerivativesPropertiesKHR;
  const auto* derivatives = reader.Properties<Properties>();
  constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_TASK_BIT_EXT;
  if (derivatives == nullptr || derivatives->meshAndTaskShaderDerivatives == VK_TRUE || (reader.stage & kStages) == 0) {
    return;
  }
  if (!reader.Mode(ExecutionMode::DerivativeGroupLinearKHR) && !reader.Mode(ExecutionMode::DerivativeGroupQuadsKHR)) {
    return;
  }
  reader.Add(Vuid("VUID-RuntimeSpirv-meshAndTaskShaderDerivatives-10153"),
             "has an execution mode for groups of derivatives, and meshAndTaskShaderDerivatives is VK_FALSE.");
}

// SPV_KHR_subgroup_uniform_control_flow in a stage without subgroups.
void CheckUniformControlFlow(StageReader& reader) {
  const auto* subgroup = reader.Properties<VkPhysicalDeviceSubgroupProperties>();
  if (subgroup == nullptr || subgroup->supportedStages == 0 || (subgroup->supportedStages & reader.stage) != 0) return;
  if (!reader.Mode(ExecutionMode::SubgroupUniformControlFlowKHR)) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-SubgroupUniformControlFlowKHR-06379"),
             "has the execution mode SubgroupUniformControlFlowKHR in a stage that subgroupSupportedStages does not "
             "have.");
}

// SPV_AMDX_shader_enqueue in a module without an entry point that may have it.
void CheckEnqueue(StageReader& reader) {
  if (!reader.Declares(spv::Capability::ShaderEnqueueAMDX)) return;
  for (spirv_instrument::EntryPoint entry_point : spirv_instrument::EntryPoints(reader.module.module())) {
    const spv::ExecutionModel model = entry_point.model();
    if (model == spv::ExecutionModel::GLCompute || model == spv::ExecutionModel::MeshEXT) return;
  }
  reader.Add(Vuid("VUID-RuntimeSpirv-ShaderEnqueueAMDX-09191"),
             "declares the capability ShaderEnqueueAMDX, and is neither a compute nor a mesh shader.");
}

void CheckFullCoverage(StageReader& reader) {
  const auto* conservative = reader.Properties<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>();
  if (conservative == nullptr || conservative->conservativeRasterizationPostDepthCoverage == VK_TRUE) return;
  if (!reader.Mode(ExecutionMode::PostDepthCoverage) || !reader.HasInput(spv::BuiltIn::FullyCoveredEXT)) return;
  reader.Add(Vuid("VUID-FullyCoveredEXT-conservativeRasterizationPostDepthCoverage-04235"),
             "has the built-in FullyCoveredEXT and the execution mode PostDepthCoverage, and "
             "conservativeRasterizationPostDepthCoverage is VK_FALSE.");
}

}  // namespace

void CheckFastMath(StageReader& reader, Instruction instruction) {
  if (instruction.type_id() == spirv_instrument::kNoId) return;
  const auto flags = reader.module.DecorationOf(instruction.result_id(), spv::Decoration::FPFastMathMode);
  if (!flags || (*flags & kNeededFastMath) == kNeededFastMath) return;
  const auto* controls = reader.Properties<FloatControls>();
  if (controls == nullptr) return;
  const uint32_t result = FloatWidth(reader, reader.module.Find(instruction.type_id()));
  // The first operand of OpExtInst is the set.
  const uint32_t operand = FloatWidth(reader, reader.module.module().TypeOf(instruction.id(0)));
  for (const FastMathIds& row : kFastMath) {
    if ((row.width != result && row.width != operand) || controls->*row.property == VK_TRUE) continue;
    reader.Add(row.decoration, absl::StrCat("has ", reader.Name(instruction), " on floats of ", row.width,
                                            " bits, whose FPFastMathMode lacks one of NSZ, NotInf and NotNaN, and ",
                                            row.name, " is VK_FALSE."));
  }
}

void CheckExecutionModes(StageReader& reader) {
  for (const ModeFeature& row : kModeFeatures) {
    if (!reader.Mode(row.mode) || reader.Has(row.feature)) continue;
    reader.Add(row.vuid,
               absl::StrCat("has the execution mode ", row.mode_name, ", and the feature ", row.feature_name,
                            " is not enabled."),
               absl::StrCat("Enable ", row.feature_name, "."));
  }
  CheckFloatControls(reader);
  CheckPortability(reader);
  CheckDerivativeGroups(reader);
  CheckUniformControlFlow(reader);
  CheckEnqueue(reader);
  CheckFullCoverage(reader);
}

}  // namespace assay::core
