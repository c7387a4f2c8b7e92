// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/render_pass/render_pass.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "state/objects/items.h"
#include "vk/chain.h"
#include "vk/format_info.h"

namespace assay::state {
namespace {

// The structures of vkCreateRenderPass have no chain.
template <class T>
const void* NextOf(const T& info) {
  if constexpr (requires { info.pNext; }) {
    return info.pNext;
  } else {
    return nullptr;
  }
}

VkImageAspectFlags AspectsOf(VkFormat format) {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  if (info == nullptr || (info->aspects & kDepthStencil) == 0) return VK_IMAGE_ASPECT_COLOR_BIT;
  return info->aspects & kDepthStencil;
}

template <class D>
AttachmentDescription ReadAttachment(const D& info) {
  AttachmentDescription attachment;
  attachment.flags = info.flags;
  attachment.format = info.format;
  attachment.samples = info.samples;
  attachment.aspects = AspectsOf(info.format);
  attachment.load_op = info.loadOp;
  attachment.store_op = info.storeOp;
  attachment.stencil_load_op = info.stencilLoadOp;
  attachment.stencil_store_op = info.stencilStoreOp;
  attachment.initial = {info.initialLayout, info.initialLayout};
  attachment.final = {info.finalLayout, info.finalLayout};
  if (const auto* stencil = vk::FindInChain<VkAttachmentDescriptionStencilLayout>(NextOf(info))) {
    attachment.initial.stencil = stencil->stencilInitialLayout;
    attachment.final.stencil = stencil->stencilFinalLayout;
  }
  return attachment;
}

// Reads the attachment references of one render pass.
class ReferenceReader {
 public:
  explicit ReferenceReader(const std::vector<AttachmentDescription>& attachments) : attachments_(attachments) {}

  template <class R>
  AttachmentReference Read(const R& info) const {
    if (info.attachment >= attachments_.size()) return {};
    AttachmentReference reference;
    reference.attachment = info.attachment;
    reference.layouts = {info.layout, info.layout};
    reference.aspects = attachments_[info.attachment].aspects;
    if (const auto* stencil = vk::FindInChain<VkAttachmentReferenceStencilLayout>(NextOf(info))) {
      reference.layouts.stencil = stencil->stencilLayout;
    }
    return reference;
  }
  template <class R>
  AttachmentReference Read(const R* info) const {
    return info != nullptr ? Read(*info) : AttachmentReference();
  }
  template <class R>
  std::vector<AttachmentReference> ReadAll(const R* infos, uint32_t count) const {
    std::vector<AttachmentReference> references;
    for (const R& info : Items(infos, count)) references.push_back(Read(info));
    return references;
  }

 private:
  const std::vector<AttachmentDescription>& attachments_;
};

// Reads the members that both versions have.
template <class S>
Subpass ReadSubpass(const S& info, const ReferenceReader& reader) {
  Subpass subpass;
  subpass.flags = info.flags;
  subpass.bind_point = info.pipelineBindPoint;
  subpass.inputs = reader.ReadAll(info.pInputAttachments, info.inputAttachmentCount);
  subpass.colors = reader.ReadAll(info.pColorAttachments, info.colorAttachmentCount);
  subpass.resolves = reader.ReadAll(info.pResolveAttachments, info.colorAttachmentCount);
  subpass.depth_stencil = reader.Read(info.pDepthStencilAttachment);
  for (uint32_t attachment : Items(info.pPreserveAttachments, info.preserveAttachmentCount)) {
    subpass.preserves.push_back(attachment);
  }
  return subpass;
}

void ReadChain(const VkSubpassDescription2& info, const ReferenceReader& reader, Subpass& subpass) {
  subpass.view_mask = info.viewMask;
  // An aspect mask of 0 is an error. It counts as all aspects.
  for (size_t i = 0; i < subpass.inputs.size(); ++i) {
    if (info.pInputAttachments[i].aspectMask != 0 && subpass.inputs[i].is_used())
      subpass.inputs[i].aspects = info.pInputAttachments[i].aspectMask;
  }
  if (const auto* resolve = vk::FindInChain<VkSubpassDescriptionDepthStencilResolve>(info.pNext)) {
    subpass.depth_stencil_resolve = reader.Read(resolve->pDepthStencilResolveAttachment);
    subpass.depth_resolve_mode = resolve->depthResolveMode;
    subpass.stencil_resolve_mode = resolve->stencilResolveMode;
  }
  if (const auto* rate = vk::FindInChain<VkFragmentShadingRateAttachmentInfoKHR>(info.pNext)) {
    subpass.fragment_shading_rate = reader.Read(rate->pFragmentShadingRateAttachment);
    subpass.shading_rate_texel_size = rate->shadingRateAttachmentTexelSize;
  }
  const auto* single_sampled = vk::FindInChain<VkMultisampledRenderToSingleSampledInfoEXT>(info.pNext);
  if (single_sampled != nullptr && single_sampled->multisampledRenderToSingleSampledEnable != VK_FALSE) {
    subpass.single_sampled_rasterization_samples = single_sampled->rasterizationSamples;
  }
}

template <class D>
SubpassDependency ReadDependency(const D& info) {
  SubpassDependency dependency = {info.srcSubpass,
                                  info.dstSubpass,
                                  info.srcStageMask,
                                  info.srcAccessMask,
                                  info.dstStageMask,
                                  info.dstAccessMask,
                                  info.dependencyFlags,
                                  0,
                                  false};
  if (const auto* barrier = vk::FindInChain<VkMemoryBarrier2>(NextOf(info))) {
    dependency.src_stages = barrier->srcStageMask;
    dependency.src_accesses = barrier->srcAccessMask;
    dependency.dst_stages = barrier->dstStageMask;
    dependency.dst_accesses = barrier->dstAccessMask;
  }
  return dependency;
}

// Reads structures that version 1 has in the render pass's chain, and version 2 in its parts.
void ReadChain(const void* chain, std::vector<Subpass>& subpasses, std::vector<SubpassDependency>& dependencies) {
  if (const auto* multiview = vk::FindInChain<VkRenderPassMultiviewCreateInfo>(chain)) {
    const auto masks = Items(multiview->pViewMasks, multiview->subpassCount);
    for (size_t i = 0; i < std::min(masks.size(), subpasses.size()); ++i) subpasses[i].view_mask = masks[i];
    const auto offsets = Items(multiview->pViewOffsets, multiview->dependencyCount);
    for (size_t i = 0; i < std::min(offsets.size(), dependencies.size()); ++i) dependencies[i].view_offset = offsets[i];
  }
  if (const auto* aspects = vk::FindInChain<VkRenderPassInputAttachmentAspectCreateInfo>(chain)) {
    for (const auto& reference : Items(aspects->pAspectReferences, aspects->aspectReferenceCount)) {
      if (reference.subpass >= subpasses.size()) continue;
      std::vector<AttachmentReference>& inputs = subpasses[reference.subpass].inputs;
      if (reference.inputAttachmentIndex >= inputs.size()) continue;
      AttachmentReference& input = inputs[reference.inputAttachmentIndex];
      if (input.is_used()) input.aspects = reference.aspectMask;
    }
  }
}

// Adds a reference to the attachments of a subpass. If there are several references to an attachment, the first one's
// layouts count; in a correct program all have the same.
void AddReference(Subpass& subpass, const AttachmentReference& reference, SubpassAttachment::Kind kind) {
  if (!reference.is_used()) return;
  auto found =
      std::lower_bound(subpass.attachments.begin(), subpass.attachments.end(), reference.attachment,
                       [](const SubpassAttachment& used, uint32_t number) { return used.attachment < number; });
  if (found == subpass.attachments.end() || found->attachment != reference.attachment) {
    SubpassAttachment used = {};
    used.attachment = reference.attachment;
    used.layouts = reference.layouts;
    found = subpass.attachments.insert(found, used);
  }
  found->kinds = static_cast<uint8_t>(found->kinds | kind);
}

void AddReferences(Subpass& subpass) {
  AddReference(subpass, subpass.depth_stencil, SubpassAttachment::kDepthStencil);
  for (const AttachmentReference& color : subpass.colors) AddReference(subpass, color, SubpassAttachment::kColor);
  for (const AttachmentReference& resolve : subpass.resolves)
    AddReference(subpass, resolve, SubpassAttachment::kResolve);
  AddReference(subpass, subpass.depth_stencil_resolve, SubpassAttachment::kDepthStencilResolve);
  AddReference(subpass, subpass.fragment_shading_rate, SubpassAttachment::kFragmentShadingRate);
  for (const AttachmentReference& input : subpass.inputs) AddReference(subpass, input, SubpassAttachment::kInput);
}

constexpr VkAccessFlags2 kAttachmentAccesses =
    VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

SubpassDependency ImplicitFromExternal(uint32_t subpass) {
  return {VK_SUBPASS_EXTERNAL,
          subpass,
          VK_PIPELINE_STAGE_2_NONE,
          VK_ACCESS_2_NONE,
          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
          kAttachmentAccesses,
          0,
          0,
          true};
}

SubpassDependency ImplicitToExternal(uint32_t subpass) {
  return {subpass,
          VK_SUBPASS_EXTERNAL,
          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
          kAttachmentAccesses,
          VK_PIPELINE_STAGE_2_NONE,
          VK_ACCESS_2_NONE,
          0,
          0,
          true};
}

// Whether the layouts differ, for the aspects that the attachment has.
bool IsTransition(const AttachmentDescription& attachment, const AttachmentLayouts& a, const AttachmentLayouts& b) {
  const bool has_first = attachment.aspects != VK_IMAGE_ASPECT_STENCIL_BIT;
  const bool has_stencil = (attachment.aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
  return (has_first && a.layout != b.layout) || (has_stencil && a.stencil != b.stencil);
}

}  // namespace

const SubpassAttachment* Subpass::FindAttachment(uint32_t attachment) const {
  for (const SubpassAttachment& used : attachments) {
    if (used.attachment == attachment) return &used;
  }
  return nullptr;
}

RenderPass::RenderPass(uint64_t handle, const VkRenderPassCreateInfo& info) : Object(kType, handle) {
  for (const auto& attachment : Items(info.pAttachments, info.attachmentCount))
    attachments.push_back(ReadAttachment(attachment));
  const ReferenceReader reader(attachments);
  for (const auto& subpass : Items(info.pSubpasses, info.subpassCount))
    subpasses.push_back(ReadSubpass(subpass, reader));
  for (const auto& dependency : Items(info.pDependencies, info.dependencyCount))
    dependencies.push_back(ReadDependency(dependency));
  ReadChain(info.pNext, subpasses, dependencies);
  Finish(info.pNext);
}

RenderPass::RenderPass(uint64_t handle, const VkRenderPassCreateInfo2& info) : Object(kType, handle) {
  for (const auto& attachment : Items(info.pAttachments, info.attachmentCount))
    attachments.push_back(ReadAttachment(attachment));
  const ReferenceReader reader(attachments);
  for (const auto& subpass : Items(info.pSubpasses, info.subpassCount)) {
    subpasses.push_back(ReadSubpass(subpass, reader));
    ReadChain(subpass, reader, subpasses.back());
  }
  for (const auto& dependency : Items(info.pDependencies, info.dependencyCount)) {
    dependencies.push_back(ReadDependency(dependency));
    dependencies.back().view_offset = dependency.viewOffset;
  }
  Finish(info.pNext);
}

void RenderPass::Finish(const void* chain) {
  if (const auto* density = vk::FindInChain<VkRenderPassFragmentDensityMapCreateInfoEXT>(chain)) {
    fragment_density_map = ReferenceReader(attachments).Read(density->fragmentDensityMapAttachment);
  }
  for (Subpass& subpass : subpasses) {
    std::erase_if(subpass.preserves, [&](uint32_t attachment) { return attachment >= attachments.size(); });
  }
  const auto is_bad = [&](uint32_t number) { return number != VK_SUBPASS_EXTERNAL && number >= subpasses.size(); };
  std::erase_if(dependencies,
                [&](const SubpassDependency& d) { return is_bad(d.src_subpass) || is_bad(d.dst_subpass); });
  AddSubpassAttachments();
  AddImplicitDependencies();
  SortDependencies();
}

void RenderPass::AddSubpassAttachments() {
  // By attachment: the views in which a subpass before uses it, and its layouts there.
  std::vector<uint32_t> used_views(attachments.size());
  std::vector<AttachmentLayouts> layouts;
  layouts.reserve(attachments.size());
  for (const AttachmentDescription& attachment : attachments) layouts.push_back(attachment.initial);
  for (uint32_t i = 0; i < subpasses.size(); ++i) {
    Subpass& subpass = subpasses[i];
    AddReferences(subpass);
    for (SubpassAttachment& used : subpass.attachments) {
      AttachmentDescription& attachment = attachments[used.attachment];
      if (attachment.first_subpass == VK_SUBPASS_EXTERNAL) attachment.first_subpass = i;
      used.previous_subpass = std::exchange(attachment.last_subpass, i);
      used.previous_layouts = std::exchange(layouts[used.attachment], used.layouts);
      used.first_views = subpass.views() & ~used_views[used.attachment];
      used_views[used.attachment] |= subpass.views();
    }
  }
  used_views.assign(attachments.size(), 0);
  for (Subpass& subpass : std::views::reverse(subpasses)) {
    for (SubpassAttachment& used : subpass.attachments) {
      used.last_views = subpass.views() & ~used_views[used.attachment];
      used_views[used.attachment] |= subpass.views();
    }
  }
}

bool RenderPass::HasDependency(uint32_t from, uint32_t to) const {
  return std::any_of(dependencies.begin(), dependencies.end(), [&](const SubpassDependency& dependency) {
    return dependency.src_subpass == from && dependency.dst_subpass == to;
  });
}

void RenderPass::AddImplicitDependencies() {
  for (const AttachmentDescription& attachment : attachments) {
    const uint32_t first = attachment.first_subpass;
    const uint32_t last = attachment.last_subpass;
    if (first == VK_SUBPASS_EXTERNAL) continue;
    const auto number = static_cast<uint32_t>(&attachment - attachments.data());
    const SubpassAttachment* in_first_subpass = subpasses[first].FindAttachment(number);
    const SubpassAttachment* in_last_subpass = subpasses[last].FindAttachment(number);
    if (IsTransition(attachment, attachment.initial, in_first_subpass->layouts) &&
        !HasDependency(VK_SUBPASS_EXTERNAL, first))
      dependencies.push_back(ImplicitFromExternal(first));
    if (IsTransition(attachment, in_last_subpass->layouts, attachment.final) &&
        !HasDependency(last, VK_SUBPASS_EXTERNAL))
      dependencies.push_back(ImplicitToExternal(last));
  }
}

void RenderPass::SortDependencies() {
  for (uint32_t i = 0; i < dependencies.size(); ++i) {
    const SubpassDependency& dependency = dependencies[i];
    if (dependency.dst_subpass == VK_SUBPASS_EXTERNAL) {
      if (dependency.src_subpass != VK_SUBPASS_EXTERNAL) outgoing.push_back(i);
    } else if (dependency.src_subpass == dependency.dst_subpass) {
      subpasses[dependency.dst_subpass].self.push_back(i);
    } else {
      subpasses[dependency.dst_subpass].incoming.push_back(i);
    }
  }
}

}  // namespace assay::state
