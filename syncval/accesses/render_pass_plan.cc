// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/accesses/render_pass_plan.h"

#include <algorithm>
#include <vector>

namespace assay::syncval {
namespace {

using state::RenderPass;

constexpr uint32_t kExternal = VK_SUBPASS_EXTERNAL;
static_assert(SubpassGraph::kExternal == kExternal);

// View-local and framebuffer-local dependencies count as global ones.
std::vector<SubpassGraph::Dependency> DependenciesOf(const RenderPass& render_pass) {
  std::vector<SubpassGraph::Dependency> dependencies;
  dependencies.reserve(render_pass.dependencies.size());
  for (const state::SubpassDependency& dependency : render_pass.dependencies) {
    dependencies.push_back(
        {dependency.src_subpass,
         dependency.dst_subpass,
         {dependency.src_stages, dependency.src_accesses, dependency.dst_stages, dependency.dst_accesses}});
  }
  return dependencies;
}

// The aspects of an attachment whose layouts differ.
VkImageAspectFlags Changed(const state::AttachmentDescription& attachment, const state::AttachmentLayouts& from,
                           const state::AttachmentLayouts& to) {
  VkImageAspectFlags aspects = 0;
  if (from.layout != to.layout) aspects |= attachment.aspects & ~VkImageAspectFlags{VK_IMAGE_ASPECT_STENCIL_BIT};
  if (from.stencil != to.stencil) aspects |= attachment.aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
  return aspects;
}

// For each dependency, the subpass of the last layout transition that happens after its first scope; 0 if its second
// scope begins no earlier. AddTransition says which these are. One from the initialLayout is where an attachment is
// used first, so that no second scope of those dependencies begins earlier.
std::vector<uint32_t> LastTransitionsOf(const RenderPass& render_pass) {
  std::vector<uint32_t> from_subpass(render_pass.subpasses.size());
  const auto note = [&](uint32_t attachment, const state::AttachmentLayouts& from, const state::AttachmentLayouts& to,
                        uint32_t src_subpass, uint32_t dst_subpass) {
    if (src_subpass == kExternal || Changed(render_pass.attachments[attachment], from, to) == 0) return;
    from_subpass[src_subpass] = std::max(from_subpass[src_subpass], dst_subpass);
  };
  for (uint32_t i = 0; i < render_pass.subpasses.size(); ++i) {
    for (const state::SubpassAttachment& used : render_pass.subpasses[i].attachments)
      note(used.attachment, used.previous_layouts, used.layouts, used.previous_subpass, i);
  }
  for (uint32_t i = 0; i < render_pass.attachments.size(); ++i) {
    const state::AttachmentDescription& attachment = render_pass.attachments[i];
    if (attachment.last_subpass == kExternal) continue;
    const state::SubpassAttachment* const last = render_pass.At(attachment.last_subpass)->FindAttachment(i);
    note(i, last->layouts, attachment.final, attachment.last_subpass, kExternal);
  }
  std::vector<uint32_t> result;
  result.reserve(render_pass.dependencies.size());
  for (const state::SubpassDependency& dependency : render_pass.dependencies)
    result.push_back(dependency.src_subpass < from_subpass.size() ? from_subpass[dependency.src_subpass] : 0);
  return result;
}

bool ReferencesAttachment(const RenderPass& render_pass, uint32_t subpass, uint32_t attachment) {
  const state::Subpass* const found = render_pass.At(subpass);
  return found != nullptr && found->FindAttachment(attachment) != nullptr;
}

void Unite(BarrierScope& scope, const BarrierScope& other) {
  scope.stages |= other.stages;
  scope.accesses |= other.accesses;
}

}  // namespace

RenderPassPlan::RenderPassPlan(const RenderPass& render_pass, VkQueueFlags queue_flags)
    : graph_(static_cast<uint32_t>(render_pass.subpasses.size()), DependenciesOf(render_pass), queue_flags,
             LastTransitionsOf(render_pass)),
      transitions_(render_pass.subpasses.size() + 1) {
  for (uint32_t i = 0; i < render_pass.subpasses.size(); ++i) {
    for (const state::SubpassAttachment& used : render_pass.subpasses[i].attachments)
      AddTransition(render_pass, used.attachment, used.previous_layouts, used.layouts, used.previous_subpass, i);
  }
  for (uint32_t i = 0; i < render_pass.attachments.size(); ++i) {
    const state::AttachmentDescription& attachment = render_pass.attachments[i];
    if (attachment.last_subpass == kExternal) continue;
    const state::SubpassAttachment* const last = render_pass.At(attachment.last_subpass)->FindAttachment(i);
    AddTransition(render_pass, i, last->layouts, attachment.final, attachment.last_subpass, kExternal);
  }
}

void RenderPassPlan::AddTransition(const RenderPass& render_pass, uint32_t attachment,
                                   const state::AttachmentLayouts& from, const state::AttachmentLayouts& to,
                                   uint32_t src_subpass, uint32_t dst_subpass) {
  AutomaticTransition transition{.attachment = attachment,
                                 .aspects = Changed(render_pass.attachments[attachment], from, to),
                                 .barrier = {},
                                 .src_subpass = src_subpass,
                                 .dst_subpass = dst_subpass,
                                 .dependency = kNoDependency};
  if (transition.aspects == 0) return;
  for (uint32_t i = 0; i < render_pass.dependencies.size(); ++i) {
    const state::SubpassDependency& dependency = render_pass.dependencies[i];
    const bool is_self = dependency.src_subpass == dependency.dst_subpass;
    if (is_self) continue;
    // From and to VK_SUBPASS_EXTERNAL, the dependencies of all subpasses with the attachment.
    if (dependency.src_subpass == src_subpass &&
        (src_subpass != kExternal || ReferencesAttachment(render_pass, dependency.dst_subpass, attachment))) {
      Unite(transition.barrier.src, graph_.FirstScope(i, dst_subpass));
      if (transition.dependency == kNoDependency || dependency.dst_subpass == dst_subpass) transition.dependency = i;
    }
    if (dependency.dst_subpass == dst_subpass &&
        (dst_subpass != kExternal || ReferencesAttachment(render_pass, dependency.src_subpass, attachment))) {
      Unite(transition.barrier.dst, graph_.SecondScope(i));
    }
  }
  if (transition.dependency != kNoDependency && !render_pass.dependencies[transition.dependency].is_implicit) {
    const state::SubpassDependency& written = render_pass.dependencies[transition.dependency];
    transition.barrier.flags = {written.src_stages, written.src_accesses, 0, 0};
  }
  (dst_subpass == kExternal ? transitions_.back() : transitions_[dst_subpass]).push_back(transition);
}

}  // namespace assay::syncval
