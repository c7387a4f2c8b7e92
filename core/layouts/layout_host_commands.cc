// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts that the host names for its own copies and transitions of images.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/layouts/image_commands.h"
#include "core/layouts/layout_rules.h"
#include "core/layouts/tracked_images.h"
#include "core/recording/layout_box.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;

// An image whose layouts are tracked and that has memory: without, it is in no layout.
const state::Image* HostImage(VkImage handle) {
  const state::Image* image = TrackedImage(handle);
  return image != nullptr && (image->memory || image->is_presentable) ? image : nullptr;
}

// A range of an image that the host names the layout of. `where` leads to the layout.
struct HostAccess {
  const state::Image& image;
  VkImageSubresourceRange range;
  VkImageLayout expected;
  VkImageLayout left;
  vk::VuidIndex rule;
  const Location& where;
};

// Applies the access to the image's layouts, and reports the first subresource that is in another layout.
void Apply(const HostAccess& access, LayoutEntries& layouts, Report& report) {
  const messages::ObjectRef image = {VK_OBJECT_TYPE_IMAGE, access.image.handle()};
  ForEachBox(access.image, access.range, [&](const LayoutBox& box, bool is_color) {
    const LayoutAccess one = {LayoutOf(box.aspect, is_color, access.expected),
                              LayoutOf(box.aspect, is_color, access.left), access.rule, report.command(),
                              report.command()};
    layouts.Access(box, one, [&](const LayoutMismatch& mismatch) {
      report.Error(access.rule, {image}, access.where,
                   absl::StrCat("(", LayoutText(mismatch.access.expected), ") is not the layout of ",
                                SubresourceText(mismatch.box, image, report.reporter()), ", which ",
                                CommandText(mismatch.command), " left in ", LayoutText(mismatch.actual), "."),
                   absl::StrCat("Name the layout that the image is in, or transition it to ",
                                LayoutText(mismatch.access.expected), " before."));
    });
  });
}

}  // namespace

std::optional<LayoutEntries> LayoutRules::SettledLayouts(const state::Image& image) const {
  std::optional<LayoutEntries> layouts;
  state_.InspectQueues([&] {
    absl::MutexLock lock(&mutex_);
    const state::QueuePoints* const uses = uses_.Find(image.address);
    if (uses != nullptr && !std::ranges::all_of(*uses, state::IsComplete)) return;
    layouts.emplace();
    if (const LayoutEntries* known = layouts_.Find(image.address)) {
      *layouts = *known;
    } else {
      InitializeLayouts(image, *layouts);
    }
  });
  return layouts;
}

template <class C>
void LayoutRules::CheckHostCopy(const C& call, Report& report) const {
  const Location command = report.location();
  for (const ImageOperand& operand : OperandsOf(call)) {
    const state::Image* image = HostImage(operand.image);
    std::optional<LayoutEntries> layouts = image != nullptr ? SettledLayouts(*image) : std::nullopt;
    if (!layouts.has_value()) continue;
    const Location parameter = command.Dot(operand.parameter);
    const Location where = parameter.Dot(operand.member);
    for (uint32_t i = 0; i < operand.count; ++i)
      Apply({*image, operand.RangeAt(i), operand.layout, operand.layout, operand.rule, where}, *layouts, report);
  }
}

void LayoutRules::PreCallValidate(const vk::CopyMemoryToImage& call, Report& report) const {
  CheckHostCopy(call, report);
}
void LayoutRules::PreCallValidate(const vk::CopyImageToMemory& call, Report& report) const {
  CheckHostCopy(call, report);
}
void LayoutRules::PreCallValidate(const vk::CopyImageToImage& call, Report& report) const {
  CheckHostCopy(call, report);
}

void LayoutRules::PreCallValidate(const vk::TransitionImageLayout& call, Report& report) const {
  // By state::Image::address, as the transitions before leave them.
  absl::flat_hash_map<uint64_t, std::optional<LayoutEntries>> left;
  const Location command = report.location();
  for (uint32_t i = 0;
       const VkHostImageLayoutTransitionInfo& info : state::Items(call.pTransitions, call.transitionCount)) {
    const Location transition = command.Dot("pTransitions", i++);
    const state::Image* image = HostImage(info.image);
    if (image == nullptr) continue;
    const auto [layouts, is_first] = left.try_emplace(image->address);
    if (is_first) layouts->second = SettledLayouts(*image);
    if (!layouts->second.has_value()) continue;
    const VkImageLayout expected = info.oldLayout == VK_IMAGE_LAYOUT_UNDEFINED ? kAnyLayout : info.oldLayout;
    Apply({*image, info.subresourceRange, expected, info.newLayout,
           vk::Vuid("VUID-VkHostImageLayoutTransitionInfo-oldLayout-09229"), transition.Dot("oldLayout")},
          *layouts->second, report);
  }
}

}  // namespace assay::core
