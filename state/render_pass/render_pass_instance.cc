// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/render_pass/render_pass_instance.h"

#include <algorithm>
#include <limits>

#include "state/objects/items.h"
#include "state/objects/lookup.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

constexpr VkRect2D kEverything = {{0, 0}, {std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::max()}};

Ref<ImageView> FindView(VkImageView view) { return Ref<ImageView>(FindState<ImageView>(view)); }

RenderingAttachment ReadAttachment(const VkRenderingAttachmentInfo& info) {
  RenderingAttachment attachment;
  attachment.view = FindView(info.imageView);
  // An external format may be resolved without a view.
  if (!attachment.view && info.resolveMode != VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID) return attachment;
  attachment.resolve_mode = info.resolveMode;
  if (info.resolveMode != VK_RESOLVE_MODE_NONE) {
    attachment.resolve_view = FindView(info.resolveImageView);
    attachment.resolve_layout = info.resolveImageLayout;
  }
  if (!attachment.view) return attachment;
  attachment.format = attachment.view->format;
  attachment.layout = info.imageLayout;
  attachment.load_op = info.loadOp;
  attachment.store_op = info.storeOp;
  return attachment;
}

RenderingAttachment ReadAttachment(const VkRenderingAttachmentInfo* info) {
  return info != nullptr ? ReadAttachment(*info) : RenderingAttachment();
}

RenderingAttachment Inherited(VkFormat format) {
  RenderingAttachment attachment;
  attachment.format = format;
  return attachment;
}

VkSubpassContents ContentsOf(VkRenderingFlags flags) {
  const bool is_secondary = (flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT) != 0;
  const bool is_inline = (flags & VK_RENDERING_CONTENTS_INLINE_BIT_KHR) != 0;
  if (!is_secondary) return VK_SUBPASS_CONTENTS_INLINE;
  return is_inline ? VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR
                   : VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS;
}

bool HasOtherArea(const void* chain) {
  const auto* group = vk::FindInChain<VkDeviceGroupRenderPassBeginInfo>(chain);
  const auto* transform = vk::FindInChain<VkRenderPassTransformBeginInfoQCOM>(chain);
  return (group != nullptr && group->deviceRenderAreaCount != 0) ||
         (transform != nullptr && transform->transform != VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR);
}

VkSampleCountFlags SingleSampledSamples(const void* chain) {
  const auto* info = vk::FindInChain<VkMultisampledRenderToSingleSampledInfoEXT>(chain);
  if (info == nullptr || info->multisampledRenderToSingleSampledEnable == VK_FALSE) return 0;
  return info->rasterizationSamples;
}

// Null `values` give each attachment its own index.
void SetMap(ColorAttachmentMap& map, const uint32_t* values, uint32_t count) {
  map = IdentityMap();
  const auto given = Items(values, std::min<size_t>(count, map.size()));
  std::copy(given.begin(), given.end(), map.begin());
}

}  // namespace

uint32_t RenderPassInstance::view_mask() const {
  if (kind_ == Kind::kDynamic) return view_mask_;
  const Subpass* current = subpass();
  return current != nullptr ? current->view_mask : 0;
}

uint32_t RenderPassInstance::color_count() const {
  if (kind_ == Kind::kDynamic) return static_cast<uint32_t>(dynamic_.colors.size());
  const Subpass* current = subpass();
  return current != nullptr ? static_cast<uint32_t>(current->colors.size()) : 0;
}

const ImageView* RenderPassInstance::ColorAttachment(uint32_t index) const {
  if (index >= color_count()) return nullptr;
  return kind_ == Kind::kDynamic ? dynamic_.colors[index].view.get() : ViewOf(subpass()->colors[index].attachment);
}

const ImageView* RenderPassInstance::DepthAttachment() const {
  return kind_ == Kind::kDynamic ? dynamic_.depth.view.get() : DepthStencilAttachment(VK_IMAGE_ASPECT_DEPTH_BIT);
}

const ImageView* RenderPassInstance::StencilAttachment() const {
  return kind_ == Kind::kDynamic ? dynamic_.stencil.view.get() : DepthStencilAttachment(VK_IMAGE_ASPECT_STENCIL_BIT);
}

const ImageView* RenderPassInstance::DepthStencilAttachment(VkImageAspectFlagBits aspect) const {
  const Subpass* current = subpass();
  if (current == nullptr || (current->depth_stencil.aspects & aspect) == 0) return nullptr;
  return ViewOf(current->depth_stencil.attachment);
}

uint32_t RenderPassInstance::ColorAtLocation(uint32_t location) const {
  if (kind_ == Kind::kDynamic) return dynamic_.ColorAtLocation(location);
  return location < color_count() ? location : VK_ATTACHMENT_UNUSED;
}

void RenderPassInstance::Begin(const VkRenderPassBeginInfo& info, VkSubpassContents contents) {
  End();
  kind_ = Kind::kRenderPass;
  contents_ = contents;
  render_area_ = info.renderArea;
  has_other_area_ = HasOtherArea(info.pNext);
  render_pass_ = Ref<RenderPass>(FindState<RenderPass>(info.renderPass));
  framebuffer_ = Ref<Framebuffer>(FindState<Framebuffer>(info.framebuffer));
  if (!framebuffer_) return;
  layer_count_ = framebuffer_->layers;
  if (!framebuffer_->is_imageless()) {
    views_.assign(framebuffer_->views.begin(), framebuffer_->views.end());
  } else if (const auto* given = vk::FindInChain<VkRenderPassAttachmentBeginInfo>(info.pNext)) {
    for (VkImageView view : Items(given->pAttachments, given->attachmentCount)) views_.push_back(FindView(view));
  }
}

void RenderPassInstance::NextSubpass(VkSubpassContents contents) {
  if (kind_ != Kind::kRenderPass) return;
  ++subpass_;
  ++version_;
  contents_ = contents;
}

void RenderPassInstance::Begin(const VkRenderingInfo& info) {
  End();
  kind_ = Kind::kDynamic;
  contents_ = ContentsOf(info.flags);
  render_area_ = info.renderArea;
  has_other_area_ = HasOtherArea(info.pNext);
  layer_count_ = info.layerCount;
  view_mask_ = info.viewMask;
  dynamic_.flags = info.flags;
  for (const auto& color : Items(info.pColorAttachments, info.colorAttachmentCount))
    dynamic_.colors.push_back(ReadAttachment(color));
  dynamic_.depth = ReadAttachment(info.pDepthAttachment);
  dynamic_.stencil = ReadAttachment(info.pStencilAttachment);
  if (const auto* rate = vk::FindInChain<VkRenderingFragmentShadingRateAttachmentInfoKHR>(info.pNext)) {
    dynamic_.fragment_shading_rate = FindView(rate->imageView);
    dynamic_.shading_rate_layout = rate->imageLayout;
    dynamic_.shading_rate_texel_size = rate->shadingRateAttachmentTexelSize;
  }
  if (const auto* density = vk::FindInChain<VkRenderingFragmentDensityMapAttachmentInfoEXT>(info.pNext)) {
    dynamic_.fragment_density_map = FindView(density->imageView);
    dynamic_.density_map_layout = density->imageLayout;
  }
  dynamic_.single_sampled_rasterization_samples = SingleSampledSamples(info.pNext);
}

void RenderPassInstance::Inherit(const VkCommandBufferInheritanceInfo& info) {
  End();
  is_inherited_ = true;
  render_area_ = kEverything;
  if (info.renderPass == VK_NULL_HANDLE) {
    const auto* rendering = vk::FindInChain<VkCommandBufferInheritanceRenderingInfo>(info.pNext);
    if (rendering != nullptr) return InheritDynamic(*rendering, info.pNext);
  }
  kind_ = Kind::kRenderPass;
  subpass_ = info.subpass;
  render_pass_ = Ref<RenderPass>(FindState<RenderPass>(info.renderPass));
  framebuffer_ = Ref<Framebuffer>(FindState<Framebuffer>(info.framebuffer));
  if (!framebuffer_) return;
  layer_count_ = framebuffer_->layers;
  views_.assign(framebuffer_->views.begin(), framebuffer_->views.end());
}

void RenderPassInstance::InheritDynamic(const VkCommandBufferInheritanceRenderingInfo& info, const void* chain) {
  kind_ = Kind::kDynamic;
  dynamic_.flags = info.flags;
  view_mask_ = info.viewMask;
  for (VkFormat format : Items(info.pColorAttachmentFormats, info.colorAttachmentCount))
    dynamic_.colors.push_back(Inherited(format));
  dynamic_.depth = Inherited(info.depthAttachmentFormat);
  dynamic_.stencil = Inherited(info.stencilAttachmentFormat);
  dynamic_.inherited_samples = info.rasterizationSamples;
  dynamic_.single_sampled_rasterization_samples = SingleSampledSamples(chain);
  if (const auto* locations = vk::FindInChain<VkRenderingAttachmentLocationInfo>(chain)) SetLocations(*locations);
  if (const auto* indices = vk::FindInChain<VkRenderingInputAttachmentIndexInfo>(chain)) SetInputIndices(*indices);
}

void RenderPassInstance::SetLocations(const VkRenderingAttachmentLocationInfo& info) {
  if (kind_ != Kind::kDynamic) return;
  ++version_;
  SetMap(dynamic_.color_locations, info.pColorAttachmentLocations, info.colorAttachmentCount);
}

void RenderPassInstance::SetInputIndices(const VkRenderingInputAttachmentIndexInfo& info) {
  if (kind_ != Kind::kDynamic) return;
  ++version_;
  SetMap(dynamic_.color_input_indices, info.pColorAttachmentInputIndices, info.colorAttachmentCount);
  const uint32_t* const depth = info.pDepthInputAttachmentIndex;
  const uint32_t* const stencil = info.pStencilInputAttachmentIndex;
  dynamic_.depth_input_has_no_index = depth == nullptr;
  dynamic_.depth_input_index = depth != nullptr ? *depth : VK_ATTACHMENT_UNUSED;
  dynamic_.stencil_input_has_no_index = stencil == nullptr;
  dynamic_.stencil_input_index = stencil != nullptr ? *stencil : VK_ATTACHMENT_UNUSED;
}

void RenderPassInstance::End() {
  ++version_;
  if (kind_ == Kind::kDynamic) dynamic_.Reset();
  kind_ = Kind::kNone;
  is_inherited_ = false;
  has_other_area_ = false;
  contents_ = VK_SUBPASS_CONTENTS_INLINE;
  layer_count_ = 0;
  view_mask_ = 0;
  subpass_ = 0;
  render_area_ = {};
  render_pass_ = {};
  framebuffer_ = {};
  // Unlike clear(), it keeps the memory.
  views_.erase(views_.begin(), views_.end());
}

void RenderPassInstance::Reset() {
  End();
  version_ = 0;
}

}  // namespace assay::state
