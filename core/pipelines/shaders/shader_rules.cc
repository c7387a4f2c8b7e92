// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of the code of shaders before rasterization, and of what they are combined with.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using spv::BuiltIn;
using spv::ExecutionMode;
using vk::Vuid;
using View = GraphicsView;
using F = vk::FeatureId;

constexpr VkShaderStageFlagBits kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr VkShaderStageFlagBits kControl = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
constexpr VkShaderStageFlagBits kEvaluation = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
constexpr VkShaderStageFlagBits kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr VkShaderStageFlagBits kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlagBits kTask = VK_SHADER_STAGE_TASK_BIT_EXT;
constexpr VkShaderStageFlagBits kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;

Result If(bool is_wrong, std::string_view text, std::string_view fix = {}) {
  return is_wrong ? Wrong(std::string(text), std::string(fix)) : kFine;
}
// The last stage before rasterization.
VkShaderStageFlagBits LastStage(const View& view) {
  for (const VkShaderStageFlagBits stage : {kMesh, kGeometry, kEvaluation}) {
    if (view.HasStage(stage)) return stage;
  }
  return kVertex;
}
// The first shader for which `is_wrong` holds.
template <class Wrongness>
Result FindShader(const View& view, std::string_view text, const Wrongness& is_wrong) {
  for (uint32_t i = 0; i < view.shaders.size(); ++i) {
    const ShaderFacts* code = view.CodeOf(view.shaders[i].stage);
    if (code != nullptr && is_wrong(*code, view.shaders[i].stage))
      return Wrong(Value(view.shaders[i].stage, text), "", i);
  }
  return kFine;
}

// Transform feedback.
bool CapturesOutputs(const ShaderFacts& code, VkShaderStageFlagBits) { return code.Has(ExecutionMode::Xfb); }
Result ForbidXfb(const View& view, bool is_forbidden, std::string_view text) {
  return is_forbidden ? FindShader(view, text, CapturesOutputs) : kFine;
}
Result CheckMeshXfb(const View& view) {
  return ForbidXfb(view, view.HasStage(kMesh), "has the execution mode Xfb, in a pipeline with a mesh shader.");
}
Result CheckIndirectXfbNv(const View& view) {
  return ForbidXfb(view, view.HasFlag(VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV),
                   "has the execution mode Xfb, but flags has VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV.");
}
Result CheckIndirectXfb(const View& view) {
  return ForbidXfb(view, view.HasFlag(VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT),
                   "has the execution mode Xfb, but flags has VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT.");
}
std::vector<VkShaderStageFlagBits> XfbStages(const View& view) {
  std::vector<VkShaderStageFlagBits> stages;
  for (const VkPipelineShaderStageCreateInfo& shader : view.shaders) {
    const ShaderFacts* code = view.CodeOf(shader.stage);
    if (code != nullptr && code->Has(ExecutionMode::Xfb)) stages.push_back(shader.stage);
  }
  return stages;
}
Result CheckOneXfb(const View& view) {
  const auto stages = XfbStages(view);
  if (stages.size() <= 1) return kFine;
  return FindShader(view, absl::StrCat("has the execution mode Xfb, and so has ", vk::ToString(stages[1]), "."),
                    CapturesOutputs);
}
Result CheckLastXfb(const View& view) {
  if (XfbStages(view).size() != 1) return kFine;
  const VkShaderStageFlagBits last = LastStage(view);
  return FindShader(view, "has the execution mode Xfb, but is not the last stage before rasterization.",
                    [&](const ShaderFacts& code, VkShaderStageFlagBits stage) {
                      return stage != last && stage != kFragment && code.Has(ExecutionMode::Xfb);
                    });
}

// Tessellation.
struct Tessellation {
  explicit Tessellation(const View& view) : control(view.CodeOf(kControl)), evaluation(view.CodeOf(kEvaluation)) {}
  bool is_known() const { return control != nullptr && evaluation != nullptr; }

  const ShaderFacts* control;
  const ShaderFacts* evaluation;
};
constexpr ExecutionMode kNoMode = ExecutionMode::Max;
ExecutionMode FirstMode(const ShaderFacts& code, std::initializer_list<ExecutionMode> modes) {
  for (const ExecutionMode mode : modes) {
    if (code.Has(mode)) return mode;
  }
  return kNoMode;
}
ExecutionMode SubdivisionOf(const ShaderFacts& code) {
  return FirstMode(code, {ExecutionMode::Triangles, ExecutionMode::Quads, ExecutionMode::Isolines});
}
Result CheckSubdivision(const View& view) {
  const Tessellation shaders(view);
  return If(
      shaders.is_known() && SubdivisionOf(*shaders.control) == kNoMode && SubdivisionOf(*shaders.evaluation) == kNoMode,
      "has tessellation shaders, of which none has the execution mode Triangles, Quads or Isolines.");
}
Result CheckSameSubdivision(const View& view) {
  const Tessellation shaders(view);
  if (!shaders.is_known()) return kFine;
  const ExecutionMode control = SubdivisionOf(*shaders.control);
  const ExecutionMode evaluation = SubdivisionOf(*shaders.evaluation);
  return If(control != kNoMode && evaluation != kNoMode && control != evaluation,
            "has tessellation shaders with different execution modes for the subdivision.");
}
Result CheckPatchSize(const View& view) {
  const Tessellation shaders(view);
  return If(shaders.is_known() && shaders.control->output_vertices == 0 && shaders.evaluation->output_vertices == 0,
            "has tessellation shaders, of which none has the execution mode OutputVertices.");
}
Result CheckSamePatchSize(const View& view) {
  const Tessellation shaders(view);
  if (!shaders.is_known()) return kFine;
  const uint32_t control = shaders.control->output_vertices;
  const uint32_t evaluation = shaders.evaluation->output_vertices;
  return control != 0 && evaluation != 0 && control != evaluation
             ? Wrong(absl::StrCat("has tessellation shaders with different OutputVertices (", control, " and ",
                                  evaluation, ")."))
             : kFine;
}

// Geometry shaders.
ExecutionMode InputOf(const ShaderFacts& code) {
  return FirstMode(code, {ExecutionMode::InputPoints, ExecutionMode::InputLines, ExecutionMode::InputLinesAdjacency,
                          ExecutionMode::Triangles, ExecutionMode::InputTrianglesAdjacency});
}
ExecutionMode PrimitiveOf(VkPrimitiveTopology topology) {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
      return ExecutionMode::InputPoints;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
      return ExecutionMode::InputLines;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return ExecutionMode::InputLinesAdjacency;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
      return ExecutionMode::Triangles;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      return ExecutionMode::InputTrianglesAdjacency;
    default:
      return kNoMode;
  }
}
Result CheckGeometryInput(const View& view) {
  const ShaderFacts* geometry = view.CodeOf(kGeometry);
  if (geometry == nullptr || view.HasStage(kEvaluation) || view.assembly == nullptr ||
      view.IsDynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY)) {
    return kFine;
  }
  const ExecutionMode needed = PrimitiveOf(view.assembly->topology);
  const ExecutionMode input = InputOf(*geometry);
  return needed != kNoMode && input != kNoMode && input != needed
             ? Wrong(Value(view.assembly->topology, "is not the input primitive of the geometry shader."))
             : kFine;
}
Result CheckTessellatedInput(const View& view) {
  const ShaderFacts* geometry = view.CodeOf(kGeometry);
  const Tessellation shaders(view);
  if (geometry == nullptr || !shaders.is_known()) return kFine;
  const bool is_points =
      shaders.control->Has(ExecutionMode::PointMode) || shaders.evaluation->Has(ExecutionMode::PointMode);
  ExecutionMode subdivision = SubdivisionOf(*shaders.evaluation);
  if (subdivision == kNoMode) subdivision = SubdivisionOf(*shaders.control);
  const ExecutionMode output = is_points                                ? ExecutionMode::InputPoints
                               : subdivision == ExecutionMode::Isolines ? ExecutionMode::InputLines
                                                                        : ExecutionMode::Triangles;
  const ExecutionMode input = InputOf(*geometry);
  return If(subdivision != kNoMode && input != kNoMode && input != output,
            "has a geometry shader whose input primitive the tessellation shaders do not make.");
}

// The built-in PointSize.
bool MustWritePointSize(const View& view, const ShaderFacts& code) {
  return view.rasterizes() && !view.Has(F::kMaintenance5) && !code.maybe_written.contains(BuiltIn::PointSize);
}
constexpr std::string_view kNoPointSize = "has a shader that makes points but does not write PointSize.";
constexpr std::string_view kEnableMaintenance5 = "Write PointSize, or enable the feature maintenance5.";
constexpr std::string_view kPointSize =
    "has a shader that writes PointSize, which needs the feature shaderTessellationAndGeometryPointSize.";
Result CheckVertexPoints(const View& view) {
  const ShaderFacts* vertex = view.CodeOf(kVertex);
  if (vertex == nullptr || view.HasStage(kEvaluation | kGeometry) || view.assembly == nullptr) return kFine;
  const auto* limits = view.Properties<VkPhysicalDeviceExtendedDynamicState3PropertiesEXT>();
  const bool is_open = view.IsDynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY) &&
                       (limits == nullptr || limits->dynamicPrimitiveTopologyUnrestricted == VK_TRUE);
  return If(
      view.assembly->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST && !is_open && MustWritePointSize(view, *vertex),
      kNoPointSize, kEnableMaintenance5);
}
const ShaderFacts* PointsOfEvaluation(const View& view) {
  const ShaderFacts* code = view.HasStage(kGeometry) ? nullptr : view.CodeOf(kEvaluation);
  return code != nullptr && code->Has(ExecutionMode::PointMode) ? code : nullptr;
}
const ShaderFacts* PointsOfGeometry(const View& view) {
  const ShaderFacts* code = view.CodeOf(kGeometry);
  return code != nullptr && code->Has(ExecutionMode::OutputPoints) ? code : nullptr;
}
template <const ShaderFacts* (*kFind)(const View&)>
Result CheckNeededSize(const View& view) {
  const ShaderFacts* code = kFind(view);
  return If(code != nullptr && view.Has(F::kShaderTessellationAndGeometryPointSize) && MustWritePointSize(view, *code),
            kNoPointSize, kEnableMaintenance5);
}
template <const ShaderFacts* (*kFind)(const View&)>
Result CheckForbiddenSize(const View& view) {
  const ShaderFacts* code = kFind(view);
  return If(
      code != nullptr && !view.Has(F::kShaderTessellationAndGeometryPointSize) && code->Writes(BuiltIn::PointSize),
      kPointSize);
}

// Conservative rasterization of points and lines.
Result CheckConservative(const View& view, const ShaderFacts* code, ExecutionMode lines) {
  const auto* limits = view.Properties<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>();
  if (code == nullptr || view.rasterization == nullptr || limits == nullptr ||
      limits->conservativePointAndLineRasterization == VK_TRUE ||
      view.IsDynamic(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT)) {
    return kFine;
  }
  const auto* state = vk::FindInChain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(view.rasterization->pNext);
  const bool is_used =
      state != nullptr && state->conservativeRasterizationMode != VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT;
  return is_used && (code->Has(ExecutionMode::OutputPoints) || code->Has(lines))
             ? Wrong(Value(state->conservativeRasterizationMode,
                           "is not VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT, but a shader makes points or "
                           "lines, and the device does not have conservativePointAndLineRasterization."))
             : kFine;
}
Result CheckConservativeGeometry(const View& view) {
  return CheckConservative(view, view.CodeOf(kGeometry), ExecutionMode::OutputLineStrip);
}
Result CheckConservativeMesh(const View& view) {
  return CheckConservative(view, view.CodeOf(kMesh), ExecutionMode::OutputLinesEXT);
}

// Task and mesh shaders.
Result CheckOneMeshModel(const View& view) {
  const ShaderFacts* task = view.CodeOf(kTask);
  const ShaderFacts* mesh = view.CodeOf(kMesh);
  return If(task != nullptr && mesh != nullptr &&
                (task->model == spv::ExecutionModel::TaskNV) != (mesh->model == spv::ExecutionModel::MeshNV),
            "has a task and a mesh shader, of which one has an execution model of NV and the other of EXT.");
}
Result CheckDrawIndex(const View& view) {
  const ShaderFacts* mesh = view.CodeOf(kMesh);
  return If(view.HasStage(kTask) && mesh != nullptr && mesh->inputs.contains(BuiltIn::DrawIndex),
            "has a task shader, and a mesh shader with the built-in DrawIndex.");
}

// Fragment shading rates of primitives.
bool LacksManyRates(const View& view) {
  const auto* limits = view.Properties<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>();
  return limits != nullptr && limits->primitiveFragmentShadingRateWithMultipleViewports == VK_FALSE;
}
Result CheckRateWith(const View& view, bool is_wrong, std::string_view text, BuiltIn other) {
  if (!is_wrong || !LacksManyRates(view)) return kFine;
  return FindShader(view, text, [&](const ShaderFacts& code, VkShaderStageFlagBits) {
    return code.Writes(BuiltIn::PrimitiveShadingRateKHR) && (other == BuiltIn::Max || code.Writes(other));
  });
}
Result CheckRateOfViewports(const View& view) {
  return CheckRateWith(view,
                       view.viewport != nullptr && view.viewport->viewportCount > 1 &&
                           !view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT),
                       "writes PrimitiveShadingRateKHR, but there are several viewports.", BuiltIn::Max);
}
Result CheckRateOfIndex(const View& view) {
  return CheckRateWith(view, true, "writes both PrimitiveShadingRateKHR and ViewportIndex.", BuiltIn::ViewportIndex);
}
Result CheckRateOfMask(const View& view) {
  return CheckRateWith(view, true, "writes both PrimitiveShadingRateKHR and ViewportMaskNV.", BuiltIn::ViewportMaskNV);
}

// Vertex streams.
Result CheckStreams(const View& view, bool is_zero) {
  const ShaderFacts* code = view.CodeOf(kGeometry);
  if (code == nullptr || view.rasterization == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT))
    return kFine;
  const auto* state = vk::FindInChain<VkPipelineRasterizationStateStreamCreateInfoEXT>(view.rasterization->pNext);
  const uint32_t wanted = state != nullptr ? state->rasterizationStream : 0;
  if ((wanted == 0) != is_zero) return kFine;
  for (const auto& [built_in, stream] : code->streams) {
    const bool is_position = built_in == BuiltIn::Position || built_in == BuiltIn::PointSize ||
                             built_in == BuiltIn::ClipDistance || built_in == BuiltIn::CullDistance;
    if (is_position && stream != wanted) {
      return Wrong(
          absl::StrCat("rasterizes the stream ", wanted, ", but a shader has a position in the stream ", stream, "."));
    }
  }
  return kFine;
}
Result CheckOtherStream(const View& view) { return CheckStreams(view, false); }
Result CheckStreamZero(const View& view) { return CheckStreams(view, true); }

// The built-in Layer, with multiview.
template <bool kRenderPass>
Result CheckLayer(const View& view) {
  if (view.has_render_pass() != kRenderPass || view.view_mask == 0 || !view.Requires(kPreRasterization)) return kFine;
  return FindShader(view, "has a variable with the built-in Layer, but there is multiview.",
                    [](const ShaderFacts& code, VkShaderStageFlagBits) {
                      return code.inputs.contains(BuiltIn::Layer) || code.outputs.contains(BuiltIn::Layer);
                    });
}

constexpr char kStage[] = "pStages[].stage";
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-02322"), kStage, CheckMeshXfb, kMesh, kCapturesOutputs},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-02966"), kStage, CheckIndirectXfbNv, 0, kCapturesOutputs},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-11001"), kStage, CheckIndirectXfb, 0, kCapturesOutputs},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-02317"), kStage, CheckOneXfb, 0, kCapturesOutputs},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-02318"), kStage, CheckLastXfb, 0, kCapturesOutputs},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00732"), "pStages", CheckSubdivision, kEvaluation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00733"), "pStages", CheckSameSubdivision, kEvaluation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00734"), "pStages", CheckPatchSize, kEvaluation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00735"), "pStages", CheckSamePatchSize, kEvaluation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00738"), "pInputAssemblyState.topology", CheckGeometryInput,
     kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00739"), "pStages", CheckTessellatedInput, kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-topology-08773"), "pStages", CheckVertexPoints},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-TessellationEvaluation-07723"), "pStages",
     CheckNeededSize<PointsOfEvaluation>, kEvaluation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-TessellationEvaluation-07724"), "pStages",
     CheckForbiddenSize<PointsOfEvaluation>, kEvaluation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-shaderTessellationAndGeometryPointSize-08776"), "pStages",
     CheckNeededSize<PointsOfGeometry>, kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-Geometry-07726"), "pStages", CheckForbiddenSize<PointsOfGeometry>,
     kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-conservativePointAndLineRasterization-06760"),
     "pRasterizationState.pNext<VkPipelineRasterizationConservativeStateCreateInfoEXT>.conservativeRasterizationMode",
     CheckConservativeGeometry, kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-conservativePointAndLineRasterization-06761"),
     "pRasterizationState.pNext<VkPipelineRasterizationConservativeStateCreateInfoEXT>.conservativeRasterizationMode",
     CheckConservativeMesh, kMesh},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-TaskNV-07063"), "pStages", CheckOneMeshModel, kMesh},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-09631"), "pStages", CheckDrawIndex, kMesh},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-primitiveFragmentShadingRateWithMultipleViewports-04503"), kStage,
     CheckRateOfViewports, 0, kWritesShadingRate},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-primitiveFragmentShadingRateWithMultipleViewports-04504"), kStage,
     CheckRateOfIndex, 0, kWritesShadingRate},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-primitiveFragmentShadingRateWithMultipleViewports-04505"), kStage,
     CheckRateOfMask, 0, kWritesShadingRate},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-rasterizationStream-02319"), "pRasterizationState", CheckOtherStream,
     kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-rasterizationStream-02320"), "pRasterizationState", CheckStreamZero,
     kGeometry},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06050"), kStage, CheckLayer<true>, 0, kHasLayer},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06059"), kStage, CheckLayer<false>, 0, kHasLayer},
};

}  // namespace

absl::Span<const PipelineRule> ShaderRules() { return kRules; }

}  // namespace assay::core
