// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/barriers/subpass_barriers.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"

namespace assay::core {
namespace {

using messages::Location;
using state::RenderPassInstance;
using state::SubpassAttachment;

// Flags that the barrier must have if the subpass's self-dependency has them.
constexpr VkDependencyFlags kLocal = VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT;

void CheckSelfDependency(const Check& check, const RenderPassInstance& rendering, vk::VuidIndex vuid,
                         VkDependencyFlags flags, const Location& where) {
  const state::Subpass& subpass = *rendering.subpass();
  const auto& dependencies = rendering.render_pass()->dependencies;
  const auto allows = [&](uint32_t index) { return (dependencies[index].flags & kLocal & ~flags) == 0; };
  if (std::ranges::any_of(subpass.self, allows)) return;
  const messages::ObjectRef pass = {VK_OBJECT_TYPE_RENDER_PASS, rendering.render_pass()->handle()};
  const std::string of = absl::StrCat("subpass ", rendering.subpass_index(), " of ", check.Describe(pass));
  if (subpass.self.empty()) {
    return check.Error(
        vuid, where, absl::StrCat("is in ", of, ", which has no dependency of the subpass on itself."),
        "Create the render pass with a VkSubpassDependency whose srcSubpass and dstSubpass are both this "
        "subpass, or end the render pass before.",
        pass);
  }
  check.Error(
      vuid, where.Dot("dependencyFlags"),
      absl::StrCat("is ", vk::FlagsToString(vk::EnumId::kDependencyFlagBits, flags), ", but each dependency of ", of,
                   " on itself has more than that of VK_DEPENDENCY_BY_REGION_BIT and "
                   "VK_DEPENDENCY_VIEW_LOCAL_BIT."),
      "Give the flags of the dependency.", pass);
}

// How the subpass uses the image; false if not all attachments are known.
bool FindAttachmentKinds(const RenderPassInstance& rendering, VkImage image, uint8_t* kinds, bool* resolves_color) {
  const state::Subpass& subpass = *rendering.subpass();
  const auto is_it = [&](uint32_t attachment) {
    const state::ImageView* view = rendering.ViewOf(attachment);
    return view != nullptr && view->image->handle() == reinterpret_cast<uint64_t>(image);
  };
  for (const SubpassAttachment& used : subpass.attachments) {
    if (rendering.ViewOf(used.attachment) == nullptr) return false;
    if (is_it(used.attachment)) *kinds |= used.kinds;
  }
  for (size_t i = 0; i < subpass.resolves.size() && i < subpass.colors.size(); ++i) {
    const bool is_resolved = subpass.resolves[i].is_used() && is_it(subpass.resolves[i].attachment);
    *resolves_color |= is_resolved && subpass.colors[i].is_used();
  }
  return true;
}

void CheckAttachment(const Check& check, const RenderPassInstance& rendering, const SubpassBarrierIds& ids,
                     VkImage image, const Location& where) {
  constexpr uint8_t kWritten =
      SubpassAttachment::kColor | SubpassAttachment::kResolve | SubpassAttachment::kDepthStencil;
  uint8_t kinds = 0;
  bool resolves_color = false;
  if (!FindAttachmentKinds(rendering, image, &kinds, &resolves_color)) return;
  const messages::ObjectRef object = messages::Object(image);
  const std::string name = absl::StrCat("(", check.Describe(object), ")");
  const bool is_both = (kinds & SubpassAttachment::kInput) != 0 && (kinds & kWritten) != 0;
  // A rule whose reading depends on the setting (docs/settings.md): otherwise, any attachment of the subpass will do.
  if (check.limits.strict ? !is_both : kinds == 0) {
    const char* const what = kinds == 0 ? " is no attachment of the current subpass."
                             : (kinds & SubpassAttachment::kInput) == 0
                                 ? " is no input attachment of the current subpass."
                                 : " is only read by the current subpass.";
    check.Error(ids.attachment, where, absl::StrCat(name, what),
                "Record the barrier outside of the render pass instance.", object);
  }
  if (resolves_color) {
    check.Error(ids.resolved_color, where,
                absl::StrCat(name, " is what the current subpass resolves a color attachment to."),
                "Record the barrier outside of the render pass instance.", object);
  }
}

void CheckRenderingLayout(const Check& check, const state::DynamicRendering& rendering, vk::VuidIndex vuid,
                          VkImage image, const Location& where) {
  const auto is_local = [](VkImageLayout layout) {
    return layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ;
  };
  const auto check_one = [&](const state::ImageView* view, VkImageLayout layout) {
    if (view == nullptr || view->image->handle() != reinterpret_cast<uint64_t>(image) || is_local(layout)) return false;
    const messages::ObjectRef object = messages::Object(image);
    check.Error(vuid, where,
                absl::StrCat("(", check.Describe(object), ") is an attachment in ",
                             vk::EnumName(vk::EnumId::kImageLayout, layout),
                             ", in which it cannot be read while it is rendered to."),
                "Render to it in VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ.", object);
    return true;
  };
  for (const state::RenderingAttachment& color : rendering.colors) {
    if (check_one(color.view.get(), color.layout)) return;
  }
  if (check_one(rendering.depth.view.get(), rendering.depth.layout)) return;
  check_one(rendering.stencil.view.get(), rendering.stencil.layout);
}

}  // namespace

void CheckSubpassBarrier(const Check& check, const RenderPassInstance& rendering, const SubpassBarrierIds& ids,
                         VkDependencyFlags flags, absl::Span<const VkImage> images, const Location& where) {
  if (!rendering.is_active()) return;
  if (std::popcount(rendering.view_mask()) > 1 && (flags & VK_DEPENDENCY_VIEW_LOCAL_BIT) == 0) {
    check.Error(ids.views, where.Dot("dependencyFlags"),
                absl::StrCat("lacks VK_DEPENDENCY_VIEW_LOCAL_BIT, and ", std::popcount(rendering.view_mask()),
                             " views are rendered to."),
                "Add VK_DEPENDENCY_VIEW_LOCAL_BIT.");
  }
  const bool in_subpass = rendering.subpass() != nullptr;
  if (in_subpass) CheckSelfDependency(check, rendering, ids.self_dependency, flags, where);
  for (uint32_t i = 0; i < images.size(); ++i) {
    const Location barrier = where.Dot("pImageMemoryBarriers", i);
    if (in_subpass) {
      CheckAttachment(check, rendering, ids, images[i], barrier.Dot("image"));
    } else {
      CheckRenderingLayout(check, rendering.dynamic(), ids.rendering_layout, images[i], barrier.Dot("image"));
    }
  }
}

}  // namespace assay::core
