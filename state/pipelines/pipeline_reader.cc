// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/pipelines/pipeline_reader.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "state/objects/items.h"
#include "state/objects/lookup.h"
#include "state/pipelines/create_info.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kPreRasterization =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// Whether the dynamic state decides where a polygon has fragments, besides viewports and scissors.
bool MayTakeFragments(VkDynamicState state) {
  switch (state) {
    case VK_DYNAMIC_STATE_POLYGON_MODE_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT:
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT:
    case VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV:
    case VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV:
    case VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV:
    case VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV:
    case VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT:
    case VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT:
    case VK_DYNAMIC_STATE_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV:
      return true;
    default:
      return false;
  }
}

template <class I>
Ref<Pipeline> Make(VkPipeline handle, VkPipelineBindPoint point, const I& info, Ref<PipelineLayout> layout,
                   std::vector<PipelineStage> stages) {
  auto pipeline = MakeRef<Pipeline>(reinterpret_cast<uint64_t>(handle), point, std::move(layout), std::move(stages));
  pipeline->flags = PipelineFlags(info);
  return pipeline;
}

Ref<PipelineLayout> FindLayout(VkPipelineLayout layout) {
  return Ref<PipelineLayout>(FindState<PipelineLayout>(layout));
}

std::vector<const Pipeline*> LibrariesOf(const VkPipelineLibraryCreateInfoKHR* info) {
  std::vector<const Pipeline*> libraries;
  if (info == nullptr) return libraries;
  for (VkPipeline handle : Items(info->pLibraries, info->libraryCount)) {
    if (const auto* library = FindState<Pipeline>(handle)) libraries.push_back(library);
  }
  return libraries;
}

// Reads the parts that a VkGraphicsPipelineCreateInfo has itself, without its libraries.
class GraphicsReader {
 public:
  GraphicsReader(const VkGraphicsPipelineCreateInfo& info, ShaderCodes& codes)
      : info_(info), codes_(codes), parts_(OwnParts(info)) {}

  Ref<Pipeline> Read(VkPipeline handle) {
    ReadStages();
    ReadDynamicStates();
    ReadTarget();
    if (Has(kVertexInput) && !has_mesh_) ReadVertexInput();
    if (Has(kPreRasterization)) ReadPreRasterization();
    state_->parts = parts_;
    LinkLibraries();
    // The remaining parts depend on the rasterization state and attachments of the parts before.
    const bool is_discarded = state_->functions.rasterizer_discard && !IsDynamic(FixedFunction::kRasterizerDiscard);
    if (!is_discarded) {
      if (Has(kFragmentShader) && HasDepthStencilAttachment()) ReadDepthStencil();
      if (Has(kFragmentOutput)) ReadFragmentOutput();
    }
    ReadFeedbackLoops();
    auto pipeline = Make(handle, VK_PIPELINE_BIND_POINT_GRAPHICS, info_, std::move(layout_), std::move(stages_));
    pipeline->graphics = std::move(state_);
    return pipeline;
  }

 private:
  bool Has(VkGraphicsPipelineLibraryFlagsEXT part) const { return (parts_ & part) != 0; }
  bool IsDynamic(FixedFunction function) const { return (state_->dynamic_functions & BitOf(function)) != 0; }
  FixedFunctions& functions() { return state_->functions; }

  void ReadStages() {
    layout_ = FindLayout(info_.layout);
    if (!Has(kPreRasterization | kFragmentShader)) return;
    const auto stages = Items(info_.pStages, info_.stageCount);
    stages_.reserve(stages.size());
    for (const auto& stage : stages) {
      has_mesh_ |= stage.stage == VK_SHADER_STAGE_MESH_BIT_EXT;
      stages_.push_back(ReflectStage(stage, codes_));
    }
  }

  void ReadDynamicStates() {
    if (info_.pDynamicState == nullptr) return;
    const uint32_t own_functions = FunctionsOfParts(parts_);
    for (VkDynamicState state : Items(info_.pDynamicState->pDynamicStates, info_.pDynamicState->dynamicStateCount)) {
      state_->dynamic_states.Add(state);
      state_->dynamic_functions |= FunctionsOf(state) & own_functions;
      state_->may_lack_fragments |= MayTakeFragments(state);
      if (Has(kPreRasterization)) ReadDynamicRasterArea(state);
      if (!Has(kVertexInput)) continue;
      state_->has_dynamic_vertex_input |= state == VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
      state_->has_dynamic_strides |= state == VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
    }
  }

  void ReadDynamicRasterArea(VkDynamicState state) {
    const bool has_viewport_count = state == VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT;
    const bool has_scissor_count = state == VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT;
    state_->has_dynamic_viewports |= has_viewport_count || state == VK_DYNAMIC_STATE_VIEWPORT;
    state_->has_dynamic_viewport_count |= has_viewport_count;
    state_->has_dynamic_scissors |= has_scissor_count || state == VK_DYNAMIC_STATE_SCISSOR;
    state_->has_dynamic_scissor_count |= has_scissor_count;
  }

  // The render pass or the formats of dynamic rendering.
  void ReadTarget() {
    if (!Has(kPreRasterization | kFragmentShader | kFragmentOutput)) return;
    state_->render_pass = Ref<RenderPass>(FindState<RenderPass>(info_.renderPass));
    state_->subpass = info_.subpass;
    if (info_.renderPass != VK_NULL_HANDLE) {
      if (const Subpass* subpass = SubpassOf()) state_->view_mask = subpass->view_mask;
      return;
    }
    const auto* rendering = vk::FindInChain<VkPipelineRenderingCreateInfo>(info_.pNext);
    if (rendering == nullptr) return;
    state_->view_mask = rendering->viewMask;
    // Only the fragment output part has formats; they are ignored for other parts.
    if (!Has(kFragmentOutput)) return;
    const auto formats = Items(rendering->pColorAttachmentFormats, rendering->colorAttachmentCount);
    state_->color_formats.assign(formats.begin(), formats.end());
    state_->depth_format = rendering->depthAttachmentFormat;
    state_->stencil_format = rendering->stencilAttachmentFormat;
  }

  const Subpass* SubpassOf() const { return state_->render_pass ? state_->render_pass->At(state_->subpass) : nullptr; }

  void ReadVertexInput() {
    if (const auto* assembly = info_.pInputAssemblyState) {
      functions().topology = assembly->topology;
      functions().primitive_restart = assembly->primitiveRestartEnable != VK_FALSE;
    }
    const VkPipelineVertexInputStateCreateInfo* input = info_.pVertexInputState;
    if (state_->has_dynamic_vertex_input || input == nullptr) return;
    for (const auto& binding : Items(input->pVertexBindingDescriptions, input->vertexBindingDescriptionCount))
      state_->vertex_input.AddBinding(binding.binding, {binding.stride, binding.inputRate, 1});
    for (const auto& attribute : Items(input->pVertexAttributeDescriptions, input->vertexAttributeDescriptionCount)) {
      state_->vertex_input.AddAttribute({attribute.location, attribute.binding, attribute.format, attribute.offset});
    }
    const auto* divisors = vk::FindInChain<VkPipelineVertexInputDivisorStateCreateInfo>(input->pNext);
    if (divisors == nullptr) return;
    for (const auto& divisor : Items(divisors->pVertexBindingDivisors, divisors->vertexBindingDivisorCount)) {
      if (divisor.binding < kMaxVertexBindings)
        state_->vertex_input.bindings[divisor.binding].divisor = divisor.divisor;
    }
  }

  void ReadPreRasterization() {
    if (const auto* rasterization = info_.pRasterizationState) {
      functions().rasterizer_discard = rasterization->rasterizerDiscardEnable != VK_FALSE;
      functions().cull_mode = rasterization->cullMode;
      // An extension of the state may leave out fragments, such as those of pixels that are only partly covered.
      state_->may_lack_fragments |=
          rasterization->polygonMode != VK_POLYGON_MODE_FILL || rasterization->pNext != nullptr;
    }
    const bool is_discarded = functions().rasterizer_discard && !IsDynamic(FixedFunction::kRasterizerDiscard);
    if (!is_discarded) ReadRasterArea();
    const bool has_tessellation = std::any_of(stages_.begin(), stages_.end(), [](const PipelineStage& stage) {
      return stage.stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    });
    if (has_tessellation && info_.pTessellationState != nullptr)
      state_->patch_control_points = info_.pTessellationState->patchControlPoints;
    if (const auto* rate = vk::FindInChain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(info_.pNext))
      functions().attachment_rate_op = rate->combinerOps[1];
    if (const auto* rate = vk::FindInChain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(info_.pNext))
      functions().attachment_rate_op = rate->combinerOps[1];
  }

  // The values of dynamic viewports and scissors are ignored.
  void ReadRasterArea() {
    const auto* discarded = vk::FindInChain<VkPipelineDiscardRectangleStateCreateInfoEXT>(info_.pNext);
    const auto* few = vk::FindInChain<VkPipelineRepresentativeFragmentTestStateCreateInfoNV>(info_.pNext);
    state_->may_lack_fragments |= discarded != nullptr || few != nullptr;
    if (info_.pViewportState == nullptr) return;
    const VkPipelineViewportStateCreateInfo& info = *info_.pViewportState;
    state_->may_lack_fragments |= info.pNext != nullptr;
    state_->raster_area.SetViewportCount(info.viewportCount);
    state_->raster_area.SetScissorCount(info.scissorCount);
    if (!state_->has_dynamic_viewports) state_->raster_area.SetViewports(0, Items(info.pViewports, info.viewportCount));
    if (!state_->has_dynamic_scissors) state_->raster_area.SetScissors(0, Items(info.pScissors, info.scissorCount));
  }

  void LinkLibraries() {
    for (const Pipeline* library : LibrariesOf(vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info_.pNext))) {
      if (library->graphics == nullptr) continue;
      state_->Link(*library->graphics);
      stages_.insert(stages_.end(), library->stages.begin(), library->stages.end());
      if (!layout_) layout_ = library->layout;
    }
  }

  // Without such attachments pDepthStencilState is ignored.
  bool HasDepthStencilAttachment() const {
    if (info_.renderPass == VK_NULL_HANDLE) {
      return (state_->parts & kFragmentOutput) == 0 || state_->depth_format != VK_FORMAT_UNDEFINED ||
             state_->stencil_format != VK_FORMAT_UNDEFINED;
    }
    const Subpass* subpass = SubpassOf();
    return subpass != nullptr && subpass->depth_stencil.is_used();
  }
  // Without such attachments pColorBlendState is ignored.
  bool HasColorAttachments() const {
    if (info_.renderPass == VK_NULL_HANDLE) return !state_->color_formats.empty();
    const Subpass* subpass = SubpassOf();
    return subpass != nullptr && std::any_of(subpass->colors.begin(), subpass->colors.end(),
                                             [](const AttachmentReference& color) { return color.is_used(); });
  }

  void ReadDepthStencil() {
    if (info_.pDepthStencilState == nullptr) return;
    const VkPipelineDepthStencilStateCreateInfo& info = *info_.pDepthStencilState;
    constexpr VkPipelineDepthStencilStateCreateFlags kOrdered =
        VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
        VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;
    state_->has_rasterization_order_access |= (info.flags & kOrdered) != 0;
    functions().depth_test = info.depthTestEnable != VK_FALSE;
    functions().depth_write = info.depthWriteEnable != VK_FALSE;
    functions().depth_compare_op = info.depthCompareOp;
    functions().depth_bounds_test = info.depthBoundsTestEnable != VK_FALSE;
    functions().stencil_test = info.stencilTestEnable != VK_FALSE;
    const VkStencilOpState* const faces[] = {&info.front, &info.back};
    for (size_t i = 0; i < 2; ++i) {
      const VkStencilOpState& face = *faces[i];
      functions().stencil_faces[i] = {face.failOp, face.passOp, face.depthFailOp, face.compareOp};
      functions().stencil_compare_masks[i] = face.compareMask;
      functions().stencil_write_masks[i] = face.writeMask;
    }
  }

  void ReadFragmentOutput() {
    if (const auto* multisample = info_.pMultisampleState) {
      functions().samples = multisample->rasterizationSamples;
      state_->may_lack_fragments |=
          multisample->alphaToCoverageEnable != VK_FALSE || multisample->pSampleMask != nullptr;
    }
    if (info_.pColorBlendState == nullptr || !HasColorAttachments()) return;
    const VkPipelineColorBlendStateCreateInfo& info = *info_.pColorBlendState;
    constexpr VkPipelineColorBlendStateCreateFlags kOrdered =
        VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
    state_->has_rasterization_order_access |= (info.flags & kOrdered) != 0;
    functions().logic_op_enable = info.logicOpEnable != VK_FALSE;
    functions().logic_op = info.logicOp;
    const auto* write = vk::FindInChain<VkPipelineColorWriteCreateInfoEXT>(info.pNext);
    if (write != nullptr && !IsDynamic(FixedFunction::kColorWriteEnables)) {
      const auto enables = Items(write->pColorWriteEnables, write->attachmentCount);
      for (size_t i = 0; i < std::min(enables.size(), kMaxColorAttachments); ++i) {
        if (enables[i] == VK_FALSE) functions().color_write_enables &= ~(1u << i);
      }
    }
    state_->color_attachment_count = info.attachmentCount;
    if (!BlendAttachmentsAreIgnored()) ReadBlendAttachments(Items(info.pAttachments, info.attachmentCount));
  }

  bool BlendAttachmentsAreIgnored() const {
    return IsDynamic(FixedFunction::kBlendEnables) && IsDynamic(FixedFunction::kColorWriteMasks) &&
           state_->dynamic_states.Has(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT);
  }

  void ReadBlendAttachments(absl::Span<const VkPipelineColorBlendAttachmentState> attachments) {
    for (size_t i = 0; i < std::min(attachments.size(), kMaxColorAttachments); ++i) {
      functions().color_write_masks[i] = static_cast<uint8_t>(attachments[i].colorWriteMask);
      if (attachments[i].blendEnable != VK_FALSE) functions().blend_enables |= 1u << i;
    }
  }

  void ReadFeedbackLoops() {
    const VkPipelineCreateFlags2 flags = PipelineFlags(info_);
    if ((flags & VK_PIPELINE_CREATE_2_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT) != 0)
      functions().feedback_loop_aspects |= VK_IMAGE_ASPECT_COLOR_BIT;
    if ((flags & VK_PIPELINE_CREATE_2_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT) != 0)
      functions().feedback_loop_aspects |= VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  }

  const VkGraphicsPipelineCreateInfo& info_;
  ShaderCodes& codes_;
  const VkGraphicsPipelineLibraryFlagsEXT parts_;
  bool has_mesh_ = false;
  Ref<PipelineLayout> layout_;
  std::vector<PipelineStage> stages_;
  std::unique_ptr<GraphicsState> state_ = std::make_unique_for_overwrite<GraphicsState>();
};

// The index of a stage in the pipeline; `count` is the number of stages. An index past them stands for none.
template <class G>
ShaderGroup ReadGroup(const G& info, size_t count) {
  const auto index = [&](uint32_t stage) { return stage < count ? stage : VK_SHADER_UNUSED_KHR; };
  return {info.type, index(info.generalShader), index(info.closestHitShader), index(info.anyHitShader),
          index(info.intersectionShader)};
}

void LinkLibrary(const Pipeline& library, std::vector<PipelineStage>& stages, std::vector<ShaderGroup>& groups) {
  const auto first = static_cast<uint32_t>(stages.size());
  const auto move = [&](uint32_t& stage) {
    if (stage != VK_SHADER_UNUSED_KHR) stage += first;
  };
  stages.insert(stages.end(), library.stages.begin(), library.stages.end());
  for (ShaderGroup group : library.groups) {
    move(group.general);
    move(group.closest_hit);
    move(group.any_hit);
    move(group.intersection);
    groups.push_back(group);
  }
}

template <class I>
Ref<Pipeline> ReadRayTracing(VkPipeline handle, const I& info, const VkPipelineLibraryCreateInfoKHR* linked,
                             ShaderCodes& codes) {
  std::vector<PipelineStage> stages;
  for (const auto& stage : Items(info.pStages, info.stageCount)) stages.push_back(ReflectStage(stage, codes));
  std::vector<ShaderGroup> groups;
  for (const auto& group : Items(info.pGroups, info.groupCount)) groups.push_back(ReadGroup(group, stages.size()));
  for (const Pipeline* library : LibrariesOf(linked)) LinkLibrary(*library, stages, groups);
  auto pipeline =
      Make(handle, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, info, FindLayout(info.layout), std::move(stages));
  pipeline->groups = std::move(groups);
  return pipeline;
}

}  // namespace

Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkGraphicsPipelineCreateInfo& info, ShaderCodes& codes) {
  return GraphicsReader(info, codes).Read(handle);
}

Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkComputePipelineCreateInfo& info, ShaderCodes& codes) {
  const VkPipelineBindPoint point = info.stage.stage == VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI
                                        ? VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI
                                        : VK_PIPELINE_BIND_POINT_COMPUTE;
  return Make(handle, point, info, FindLayout(info.layout),
              std::vector<PipelineStage>{ReflectStage(info.stage, codes)});
}

Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkExecutionGraphPipelineCreateInfoAMDX& info, ShaderCodes& codes) {
  std::vector<PipelineStage> stages;
  for (const auto& stage : Items(info.pStages, info.stageCount)) stages.push_back(ReflectStage(stage, codes));
  for (const Pipeline* library : LibrariesOf(info.pLibraryInfo))
    stages.insert(stages.end(), library->stages.begin(), library->stages.end());
  return Make(handle, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, info, FindLayout(info.layout), std::move(stages));
}

Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkRayTracingPipelineCreateInfoKHR& info, ShaderCodes& codes) {
  return ReadRayTracing(handle, info, info.pLibraryInfo, codes);
}

Ref<Pipeline> ReadPipeline(VkPipeline handle, const VkRayTracingPipelineCreateInfoNV& info, ShaderCodes& codes) {
  return ReadRayTracing(handle, info, nullptr, codes);
}

}  // namespace assay::state
