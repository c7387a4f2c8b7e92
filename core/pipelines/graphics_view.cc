// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/graphics_view.h"

#include <algorithm>
#include <utility>

#include "state/pipelines/create_info.h"
#include "vk/format_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::IsAddress;

template <class T>
const T* If(bool is_read, const T* state) {
  return is_read && IsAddress(state) ? state : nullptr;
}

// Asked without VkFormatProperties3, which not every device and loader knows.
VkFormatProperties FormatProperties(const dispatch::Device& device, VkFormat format) {
  VkFormatProperties properties = {};
  if (const auto get = dispatch::Next<vk::GetPhysicalDeviceFormatProperties>(device.instance.next))
    get(device.physical_device->handle, format, &properties);
  return properties;
}

}  // namespace

GraphicsView::GraphicsView(const dispatch::Device& of, const VkGraphicsPipelineCreateInfo& create,
                           std::vector<LinkedLibrary> linked, SharedLayout with_layout, const ShaderFactsCache* cache)
    : device(of),
      info(create),
      flags(state::PipelineFlags(create)),
      parts(state::OwnParts(create)),
      all_parts(parts),
      library_info(vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(create.pNext)),
      libraries(std::move(linked)),
      layout(std::move(with_layout)) {
  if (IsAddress(info.pDynamicState) && IsAddress(info.pDynamicState->pDynamicStates))
    dynamic_states = {info.pDynamicState->pDynamicStates, info.pDynamicState->dynamicStateCount};
  for (const VkDynamicState state : dynamic_states) dynamic.Add(state);
  ReadStages(cache);
  for (const LinkedLibrary& library : libraries) {
    all_parts |= library.pipeline->graphics->parts;
    for (const auto& stage : library.pipeline->stages) all_stages |= stage.stage;
  }
  ReadTargets();
  rasterization = If(Requires(kPreRasterization), info.pRasterizationState);
  rasterizes_ = Rasterizes();
  ReadStates();
  ReadBlend();
}

bool GraphicsView::AreDynamic(std::initializer_list<VkDynamicState> all) const {
  return std::ranges::all_of(all, [&](VkDynamicState state) { return IsDynamic(state); });
}

VkSampleCountFlags GraphicsView::StaticSamples() const {
  if (multisample == nullptr || IsDynamic(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT)) return 0;
  return multisample->rasterizationSamples;
}

VkFormatFeatureFlags2 GraphicsView::PotentialFeatures(VkFormat format) const {
  const VkFormatProperties properties = FormatProperties(device, format);
  // This one is not among the features of VkFormatProperties.
  const VkFormatFeatureFlags2 unknown =
      device.HasFeature(vk::FeatureId::kLinearColorAttachment) ? VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV : 0;
  return properties.linearTilingFeatures | properties.optimalTilingFeatures | unknown;
}

VkFormatFeatureFlags2 GraphicsView::BufferFeatures(VkFormat format) const {
  return FormatProperties(device, format).bufferFeatures;
}

const ShaderFacts* GraphicsView::CodeOf(VkShaderStageFlagBits stage) const {
  const bool is_read = stage == VK_SHADER_STAGE_FRAGMENT_BIT ? requires_fragment_shader() : Requires(kPreRasterization);
  const size_t index = std::countr_zero<uint32_t>(stage);
  return is_read && index < kStages ? code_[index].get() : nullptr;
}

void GraphicsView::ReadStages(const ShaderFactsCache* cache) {
  if (Requires(kPreRasterization | kFragmentShader) && IsAddress(info.pStages)) {
    shaders = {info.pStages, info.stageCount};
  }
  for (const auto& shader : shaders) {
    stages |= shader.stage;
    const size_t index = std::countr_zero<uint32_t>(shader.stage);
    // Of two shaders of a stage, which is wrong, the first one counts.
    if (cache == nullptr || index >= kStages || code_[index] != nullptr) continue;
    code_[index] = cache->Get(shader);
    if (code_[index] == nullptr) continue;
    has_code = true;
    traits |= code_[index]->traits;
  }
  all_stages = stages;
}

void GraphicsView::ReadTargets() {
  if (!Requires(kPreRasterization | kFragmentShader | kFragmentOutput)) return;
  if (has_render_pass()) {
    render_pass = state::DeviceState::Get<state::RenderPass>(info.renderPass);
    subpass = render_pass != nullptr ? render_pass->At(info.subpass) : nullptr;
    if (subpass == nullptr) return;
    view_mask = subpass->view_mask;
    colors.reserve(subpass->colors.size());
    for (const auto& color : subpass->colors) {
      if (!color.is_used()) {
        colors.emplace_back();
        continue;
      }
      const state::AttachmentDescription& of = render_pass->attachments[color.attachment];
      colors.push_back({of.format, of.samples});
    }
    if (!subpass->depth_stencil.is_used()) return;
    const state::AttachmentDescription& of = render_pass->attachments[subpass->depth_stencil.attachment];
    depth_format = (of.aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? of.format : VK_FORMAT_UNDEFINED;
    stencil_format = (of.aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0 ? of.format : VK_FORMAT_UNDEFINED;
    depth_stencil_samples = of.samples;
    return;
  }
  rendering = Chained<VkPipelineRenderingCreateInfo>();
  if (rendering == nullptr) return;
  view_mask = rendering->viewMask;
  if (!Requires(kFragmentOutput)) return;
  depth_format = rendering->depthAttachmentFormat;
  stencil_format = rendering->stencilAttachmentFormat;
  if (!IsAddress(rendering->pColorAttachmentFormats)) return;
  colors.reserve(rendering->colorAttachmentCount);
  for (uint32_t i = 0; i < rendering->colorAttachmentCount; ++i) {
    colors.push_back({rendering->pColorAttachmentFormats[i], 0});
  }
}

bool GraphicsView::Rasterizes() const {
  if (Requires(kPreRasterization)) {
    return rasterization == nullptr || IsDynamic(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE) ||
           rasterization->rasterizerDiscardEnable == VK_FALSE;
  }
  return std::ranges::none_of(libraries, [](const LinkedLibrary& library) {
    const state::GraphicsState& of = *library.pipeline->graphics;
    return (of.parts & kPreRasterization) != 0 && of.functions.rasterizer_discard &&
           !of.dynamic_states.Has(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  });
}

bool GraphicsView::MayReadDepthStencil() const {
  if (!requires_fragment_shader()) return false;
  if (has_render_pass()) return subpass != nullptr && subpass->depth_stencil.is_used();
  return !Requires(kFragmentOutput) || depth_format != VK_FORMAT_UNDEFINED || stencil_format != VK_FORMAT_UNDEFINED;
}

void GraphicsView::ReadStates() {
  const bool is_mesh = (all_stages & VK_SHADER_STAGE_MESH_BIT_EXT) != 0;
  const bool has_vertices = Requires(kVertexInput) && !is_mesh;
  vertex_input = If(has_vertices && !IsDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT), info.pVertexInputState);
  assembly =
      If(has_vertices && !AreDynamic({VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE}),
         info.pInputAssemblyState);
  tessellation = If(Requires(kPreRasterization) && HasStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) &&
                        !IsDynamic(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT),
                    info.pTessellationState);
  viewport = If(Requires(kPreRasterization) && rasterizes_, info.pViewportState);
  // A fragment shader alone has no multisample state of its own unless it shades samples.
  const bool has_samples = requires_fragment_output() || (requires_fragment_shader() && has_render_pass());
  multisample =
      If(has_samples && !AreDynamic({VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                                     VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT}),
         info.pMultisampleState);
  depth_stencil = If(MayReadDepthStencil(), info.pDepthStencilState);
}

void GraphicsView::ReadBlend() {
  const bool has_colors = std::ranges::any_of(colors, [](const ColorTarget& c) { return c.format != 0; });
  blend = If(requires_fragment_output() && has_colors, info.pColorBlendState);
  if (blend == nullptr || !IsAddress(blend->pAttachments)) return;
  if (AreDynamic({VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                  VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT})) {
    return;
  }
  blends = {blend->pAttachments, blend->attachmentCount};
}

}  // namespace assay::core
