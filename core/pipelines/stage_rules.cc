// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of which stages and states a pipeline has.

#include <bit>

#include "core/pipelines/pipeline_rule.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using E = vk::ExtensionId;
using F = vk::FeatureId;

constexpr VkShaderStageFlags kControl = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
constexpr VkShaderStageFlags kEvaluation = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
constexpr VkShaderStageFlags kMesh = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlags kPrimitive =
    VK_SHADER_STAGE_VERTEX_BIT | kControl | kEvaluation | VK_SHADER_STAGE_GEOMETRY_BIT;
// Stages of extensions that have rules of their own.
constexpr VkShaderStageFlags kOther =
    VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI | VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI;

bool IsPreRasterization(const View& view) { return view.Requires(kPreRasterization) && !view.shaders.empty(); }
Result If(bool is_wrong, std::string_view text, std::string_view fix = {}) {
  return is_wrong ? Wrong(std::string(text), std::string(fix)) : kFine;
}
// The first shader whose stage is one of these.
Result Forbid(const View& view, bool is_forbidden, VkShaderStageFlags stages, std::string_view why) {
  if (!is_forbidden) return kFine;
  for (uint32_t i = 0; i < view.shaders.size(); ++i) {
    if ((view.shaders[i].stage & stages) != 0) return Wrong(Value(view.shaders[i].stage, why), "", i);
  }
  return kFine;
}

Result CheckFirstStage(const View& view) {
  return If(
      IsPreRasterization(view) && !view.HasStage(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_MESH_BIT_EXT | kOther),
      "has neither VK_SHADER_STAGE_VERTEX_BIT nor VK_SHADER_STAGE_MESH_BIT_EXT.");
}
Result CheckOnePipeline(const View& view) {
  return Forbid(view, IsPreRasterization(view) && view.HasStage(kMesh), kPrimitive,
                "is combined with a task or mesh shader.");
}
Result CheckEvaluation(const View& view) {
  return Forbid(view, IsPreRasterization(view) && !view.HasStage(kEvaluation), kControl,
                "needs a tessellation evaluation shader.");
}
Result CheckControl(const View& view) {
  return Forbid(view, IsPreRasterization(view) && !view.HasStage(kControl), kEvaluation,
                "needs a tessellation control shader.");
}
Result CheckNoFragmentStage(const View& view) {
  return Forbid(view, view.Requires(kPreRasterization) && !view.Requires(kFragmentShader), VK_SHADER_STAGE_FRAGMENT_BIT,
                "is not part of pre-rasterization shader state.");
}
Result CheckOnlyFragmentStage(const View& view) {
  return Forbid(view, view.Requires(kFragmentShader) && !view.Requires(kPreRasterization), kPrimitive | kMesh,
                "is not part of fragment shader state.");
}
Result CheckGraphicsStages(const View& view) {
  return Forbid(view, view.Requires(kPreRasterization),
                ~(kPrimitive | kMesh | kOther | VK_SHADER_STAGE_FRAGMENT_BIT) & 0x7fffffff,
                "is not a stage of graphics pipelines.");
}
Result CheckUniqueStages(const View& view) {
  VkShaderStageFlags seen = 0;
  for (uint32_t i = 0; i < view.shaders.size(); ++i) {
    if ((seen & view.shaders[i].stage) != 0)
      return Wrong(Value(view.shaders[i].stage, "is that of an earlier element."), "", i);
    seen |= view.shaders[i].stage;
  }
  return kFine;
}

constexpr VkGraphicsPipelineLibraryFlagsEXT kShaders = kPreRasterization | kFragmentShader;
Result CheckStageCount(const View& view) {
  return If(view.Requires(kPreRasterization) && view.library_info == nullptr && view.info.stageCount == 0, "is 0.");
}
Result CheckLibraryStageCount(const View& view) {
  return If(view.library_info != nullptr && view.Requires(kShaders) && view.info.stageCount == 0, "is 0.");
}
Result CheckNoStages(const View& view) {
  return view.info.stageCount != 0 && !view.Requires(kShaders)
             ? Wrong(Value(view.info.stageCount, "is not 0, but the pipeline has no shader state of its own."))
             : kFine;
}

bool HasExtended3(const View& view) { return view.IsEnabled(E::kExtExtendedDynamicState3); }

Result CheckVertexInput(const View& view) {
  return If(view.Requires(kVertexInput) && view.info.pVertexInputState == nullptr &&
                !view.IsDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT) && (view.all_stages & kMesh) == 0 &&
                (IsPreRasterization(view) || !view.Requires(kPreRasterization)),
            "is NULL, but the pipeline has a vertex shader.");
}
Result CheckAssembly(const View& view) {
  const auto* limits = view.Properties<VkPhysicalDeviceExtendedDynamicState3PropertiesEXT>();
  const bool is_dynamic =
      HasExtended3(view) && limits != nullptr && limits->dynamicPrimitiveTopologyUnrestricted == VK_TRUE &&
      view.AreDynamic({VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE});
  return If(view.Requires(kVertexInput) && view.info.pInputAssemblyState == nullptr && !is_dynamic &&
                (view.all_stages & kMesh) == 0 && (IsPreRasterization(view) || !view.Requires(kPreRasterization)),
            "is NULL, but the pipeline has a vertex shader.");
}
Result CheckTessellation(const View& view) {
  return If(IsPreRasterization(view) && view.HasStage(kControl) && view.info.pTessellationState == nullptr &&
                !(HasExtended3(view) && view.IsDynamic(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT)),
            "is NULL, but the pipeline has a tessellation control shader.");
}
Result CheckRasterization(const View& view) {
  const bool is_dynamic =
      HasExtended3(view) &&
      view.AreDynamic({VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                       VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE,
                       VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_LINE_WIDTH});
  return If(view.Requires(kPreRasterization) && view.info.pRasterizationState == nullptr && !is_dynamic, "is NULL.");
}
Result CheckViewport(const View& view) {
  const bool is_dynamic = HasExtended3(view) &&
                          view.AreDynamic({VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT});
  const bool may_be_discarded = view.rasterization == nullptr;
  return If(view.Requires(kPreRasterization) && view.rasterizes() && !may_be_discarded &&
                view.info.pViewportState == nullptr && !is_dynamic,
            "is NULL, but primitives are rasterized.");
}
Result CheckMultisample(const View& view) {
  return If(view.requires_fragment_output() && LacksMultisample(view), "is NULL, but there is fragment output state.");
}
Result CheckShaderMultisample(const View& view) {
  return If(view.requires_fragment_shader() && !view.requires_fragment_output() && view.has_render_pass() &&
                LacksMultisample(view),
            "is NULL, but there is fragment shader state with a render pass.");
}
bool LacksDepthStencil(const View& view) {
  const bool is_dynamic = HasExtended3(view) &&
                          view.AreDynamic({VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                                           VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                                           VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP,
                                           VK_DYNAMIC_STATE_DEPTH_BOUNDS});
  return view.requires_fragment_shader() && view.info.pDepthStencilState == nullptr && !is_dynamic;
}
bool HasDepthStencil(const View& view) {
  return view.depth_format != VK_FORMAT_UNDEFINED || view.stencil_format != VK_FORMAT_UNDEFINED;
}
constexpr char kNoDepthStencil[] = "is NULL, but there is a depth/stencil attachment.";
Result CheckSubpassDepthStencil(const View& view) {
  return If(view.subpass != nullptr && HasDepthStencil(view) && LacksDepthStencil(view), kNoDepthStencil);
}
Result CheckRenderingDepthStencil(const View& view) {
  return If(
      view.rendering != nullptr && view.Requires(kFragmentOutput) && HasDepthStencil(view) && LacksDepthStencil(view),
      kNoDepthStencil);
}
Result CheckShaderDepthStencil(const View& view) {
  return If(!view.has_render_pass() && !view.Requires(kFragmentOutput) && LacksDepthStencil(view),
            "is NULL, but there is fragment shader state without fragment output state.");
}
bool LacksBlend(const View& view) {
  bool has_colors = false;
  for (const ColorTarget& color : view.colors) has_colors |= color.format != VK_FORMAT_UNDEFINED;
  const bool is_dynamic =
      HasExtended3(view) &&
      view.AreDynamic({VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_LOGIC_OP_EXT,
                       VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                       VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_BLEND_CONSTANTS});
  return view.requires_fragment_output() && has_colors && view.info.pColorBlendState == nullptr && !is_dynamic;
}
Result CheckSubpassBlend(const View& view) {
  return If(view.subpass != nullptr && LacksBlend(view), "is NULL, but the subpass has color attachments.");
}
Result CheckRenderingBlend(const View& view) {
  return If(view.rendering != nullptr && LacksBlend(view), "is NULL, but there are color attachments.");
}

// Views and stages.
template <bool kRenderPass>
Result CheckViews(const View& view, VkShaderStageFlags stages, F feature) {
  const bool is_multiview = view.has_render_pass() == kRenderPass && view.view_mask != 0 && IsPreRasterization(view);
  if (!is_multiview || view.Has(feature)) return kFine;
  return Forbid(view, true, stages,
                absl::StrCat("is used with a view mask (0x", absl::Hex(view.view_mask), "), but the feature ",
                             vk::FeatureName(feature), " is not enabled."));
}
template <bool kRenderPass>
Result CheckTessellationViews(const View& view) {
  return CheckViews<kRenderPass>(view, kControl | kEvaluation, F::kMultiviewTessellationShader);
}
template <bool kRenderPass>
Result CheckGeometryViews(const View& view) {
  return CheckViews<kRenderPass>(view, VK_SHADER_STAGE_GEOMETRY_BIT, F::kMultiviewGeometryShader);
}
template <bool kRenderPass>
Result CheckMeshViews(const View& view) {
  return CheckViews<kRenderPass>(view, VK_SHADER_STAGE_MESH_BIT_EXT, F::kMultiviewMeshShader);
}

Result CheckDispatchBase(const View& view) {
  return If(view.HasFlag(VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT), "has VK_PIPELINE_CREATE_DISPATCH_BASE.");
}
Result CheckFeedbackCount(const View& view) {
  const auto* feedback = view.Chained<VkPipelineCreationFeedbackCreateInfo>();
  const bool is_wrong = feedback != nullptr && feedback->pipelineStageCreationFeedbackCount != 0 &&
                        feedback->pipelineStageCreationFeedbackCount != view.info.stageCount;
  return is_wrong ? Wrong(Value(feedback->pipelineStageCreationFeedbackCount,
                                absl::StrCat("is not stageCount (", view.info.stageCount, ").")))
                  : kFine;
}

constexpr char kStage[] = "pStages[].stage";
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-stage-02096"), "pStages", CheckFirstStage},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-02095"), kStage, CheckOnePipeline},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00729"), kStage, CheckEvaluation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00730"), kStage, CheckControl},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-06894"), kStage, CheckNoFragmentStage},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-06895"), kStage, CheckOnlyFragmentStage},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-06896"), kStage, CheckGraphicsStages},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-stage-06897"), kStage, CheckUniqueStages},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-stageCount-09530"), "stageCount", CheckStageCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06644"), "stageCount", CheckLibraryStageCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-stageCount-09587"), "stageCount", CheckNoStages},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-02097"), "pVertexInputState", CheckVertexInput},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-dynamicPrimitiveTopologyUnrestricted-09031"), "pInputAssemblyState",
     CheckAssembly},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-09022"), "pTessellationState", CheckTessellation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pRasterizationState-06601"), "pRasterizationState", CheckRasterization},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-rasterizerDiscardEnable-09024"), "pViewportState", CheckViewport},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09026"), "pMultisampleState", CheckMultisample},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderpass-06631"), "pMultisampleState", CheckShaderMultisample},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09028"), "pDepthStencilState", CheckSubpassDepthStencil},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09033"), "pDepthStencilState", CheckRenderingDepthStencil},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09035"), "pDepthStencilState", CheckShaderDepthStencil},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09030"), "pColorBlendState", CheckSubpassBlend},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09037"), "pColorBlendState", CheckRenderingBlend},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06047"), kStage, CheckTessellationViews<true>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06048"), kStage, CheckGeometryViews<true>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-07064"), kStage, CheckMeshViews<true>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06057"), kStage, CheckTessellationViews<false>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06058"), kStage, CheckGeometryViews<false>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-07720"), kStage, CheckMeshViews<false>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-00764"), "flags", CheckDispatchBase},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pipelineStageCreationFeedbackCount-06594"),
     "pNext<VkPipelineCreationFeedbackCreateInfo>.pipelineStageCreationFeedbackCount", CheckFeedbackCount},
};

}  // namespace

bool LacksMultisample(const View& view) {
  const bool is_dynamic = view.IsEnabled(E::kExtExtendedDynamicState3) &&
                          view.AreDynamic({VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                                           VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT}) &&
                          (!view.Has(F::kAlphaToOne) || view.IsDynamic(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT));
  return view.info.pMultisampleState == nullptr && !is_dynamic;
}

absl::Span<const PipelineRule> StageRules() { return kRules; }

}  // namespace assay::core
