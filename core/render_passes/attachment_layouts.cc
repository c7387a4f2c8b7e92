// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What usages the attachments of a render pass instance need for their layouts.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "core/render_passes/attachment_views.h"
#include "core/render_passes/render_pass_rules.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/enum_to_string.h"

namespace assay::core {
namespace {

using state::DeviceState;

// Layouts that a render pass gives to an attachment.
struct Place {
  std::string_view name;
  const state::AttachmentLayouts& layouts;
};
using Places = absl::InlinedVector<Place, 16>;

Places PlacesOf(const state::RenderPass& pass, uint32_t attachment) {
  Places places = {{"initial layout", pass.attachments[attachment].initial},
                   {"final layout", pass.attachments[attachment].final}};
  for (const state::Subpass& subpass : pass.subpasses) {
    if (const auto* used = subpass.FindAttachment(attachment)) places.push_back({"layout in a subpass", used->layouts});
  }
  if (pass.fragment_density_map.attachment == attachment)
    places.push_back({"layout as the fragment density map", pass.fragment_density_map.layouts});
  return places;
}

}  // namespace

RenderPassRules::AttachmentRules RenderPassRules::RulesOf(std::string_view command) {
  AttachmentRules rules;
  std::ranges::copy_if(vk::LayoutUsageRules(), std::back_inserter(rules),
                       [&](const vk::LayoutUsageRule& rule) { return rule.owner == command; });
  return rules;
}

void RenderPassRules::CheckLayouts(const VkRenderPassBeginInfo& info, const AttachmentRules& rules,
                                   messages::Report& report) {
  const auto* const pass = DeviceState::Get<state::RenderPass>(info.renderPass);
  const auto* const framebuffer = DeviceState::Get<state::Framebuffer>(info.framebuffer);
  if (pass == nullptr || framebuffer == nullptr) return;
  const auto* const given = vk::FindInChain<VkRenderPassAttachmentBeginInfo>(info.pNext);
  const auto view_of = [&](uint32_t i) -> const state::ImageView* {
    if (i < framebuffer->views.size()) return framebuffer->views[i].get();
    const bool is_given = framebuffer->is_imageless() && given != nullptr && i < given->attachmentCount;
    return is_given ? DeviceState::Get<state::ImageView>(given->pAttachments[i]) : nullptr;
  };
  const auto describe = [&](const messages::ObjectRef& object) { return report.reporter().Describe(object); };
  for (uint32_t i = 0; i < pass->attachments.size(); ++i) {
    const state::ImageView* const view = view_of(i);
    if (view == nullptr) continue;
    const VkImageUsageFlags usage = UsagesOf(*view);
    const Places places = PlacesOf(*pass, i);
    vk::VuidIndex reported = vk::kNoVuid;
    for (const vk::LayoutUsageRule& rule : rules) {
      if (rule.IsKeptBy(usage) || rule.vuid == reported) continue;
      // Without a layout of its own, the stencil aspect has the layout of the other rule.
      const bool is_of_stencil = rule.member == "stencilInitialLayout";
      const auto found = std::ranges::find_if(places, [&](const Place& place) {
        const auto& [layout, stencil] = place.layouts;
        return is_of_stencil ? stencil == rule.layout && stencil != layout : layout == rule.layout;
      });
      if (found == places.end()) continue;
      reported = rule.vuid;
      const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE_VIEW, view->handle()};
      report.Error(
          rule.vuid, {object, messages::Object(info.renderPass)},
          report.location().Dot("pRenderPassBegin").Dot("renderPass"),
          absl::StrCat("(", describe(messages::Object(info.renderPass)), ") has ", vk::ToString(rule.layout),
                       " as the ", found->name, " of attachment ", i, ", which needs ", rule.UsagesText(), "; ",
                       describe(object), " has ", vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, usage), "."),
          "Create the image with the usage, or use another layout.");
    }
  }
}

}  // namespace assay::core
