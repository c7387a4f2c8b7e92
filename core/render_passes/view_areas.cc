// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/render_passes/view_areas.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::Items;
using vk::Vuid;

// What two areas share, in texels.
uint64_t SharedTexels(const VkRect2D& a, const VkRect2D& b) {
  const auto length = [](int32_t from, uint32_t size, int32_t other, uint32_t other_size) {
    const int64_t begin = std::max(from, other);
    const int64_t end = std::min(int64_t{from} + size, int64_t{other} + other_size);
    return static_cast<uint64_t>(std::max<int64_t>(end - begin, 0));
  };
  return length(a.offset.x, a.extent.width, b.offset.x, b.extent.width) *
         length(a.offset.y, a.extent.height, b.offset.y, b.extent.height);
}
uint64_t Texels(const VkRect2D& area) { return uint64_t{area.extent.width} * area.extent.height; }

void CheckStripes(const VkRenderPassStripeBeginInfoARM& stripes, const VkRect2D& area, vk::VuidIndex covered,
                  const dispatch::PhysicalDevice& device, const Location& where, Report& report) {
  const auto* const limits = device.Find<VkPhysicalDeviceRenderPassStripedPropertiesARM>();
  const auto error = [&](vk::VuidIndex rule, const Location& at, std::string_view text) {
    report.Error(rule, {}, at, std::string(text));
  };
  const auto infos = Items(stripes.pStripeInfos, stripes.stripeInfoCount);
  uint64_t texels = 0;
  bool is_apart = true;
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const VkRect2D& stripe = infos[i].stripeArea;
    const Location info = where.Dot("pStripeInfos", i);
    const Location at = info.Dot("stripeArea");
    const bool overlaps = std::ranges::any_of(
        infos.first(i), [&](const auto& other) { return SharedTexels(stripe, other.stripeArea) != 0; });
    if (overlaps)
      error(Vuid("VUID-VkRenderPassStripeBeginInfoARM-stripeArea-09451"), at, "overlaps that of an element before.");
    is_apart = is_apart && !overlaps;
    texels += SharedTexels(stripe, area);
    // The last stripe ends where the render area does.
    const auto is_whole = [](uint32_t size, uint32_t granularity, int32_t offset, uint32_t end, int32_t area_offset) {
      const int64_t own_end = int64_t{offset} + size;
      return granularity == 0 || size % granularity == 0 || own_end == end || own_end == int64_t{area_offset} + end;
    };
    if (limits == nullptr) continue;
    const VkExtent2D granularity = limits->renderPassStripeGranularity;
    const auto text = [](uint32_t value, uint32_t multiple) {
      return absl::StrCat("(", value, ") is not a multiple of renderPassStripeGranularity (", multiple,
                          "), and does not lead to the end of the render area.");
    };
    const Location extent = at.Dot("extent");
    if (!is_whole(stripe.extent.width, granularity.width, stripe.offset.x, area.extent.width, area.offset.x)) {
      error(Vuid("VUID-VkRenderPassStripeInfoARM-stripeArea-09453"), extent.Dot("width"),
            text(stripe.extent.width, granularity.width));
    }
    if (!is_whole(stripe.extent.height, granularity.height, stripe.offset.y, area.extent.height, area.offset.y)) {
      error(Vuid("VUID-VkRenderPassStripeInfoARM-stripeArea-09455"), extent.Dot("height"),
            text(stripe.extent.height, granularity.height));
    }
  }
  if (is_apart && texels != Texels(area)) error(covered, where.Dot("pStripeInfos"), "do not cover the render area.");
}

}  // namespace

void CheckViewAreas(const void* chain, const VkRect2D& area, uint32_t views, const ViewAreaIds& ids,
                    const dispatch::PhysicalDevice& device, const Location& where, Report& report) {
  if (chain == nullptr) [[likely]]
    return;
  const auto* const stripes = vk::FindInChain<VkRenderPassStripeBeginInfoARM>(chain);
  if (stripes != nullptr)
    CheckStripes(*stripes, area, ids.covered, device, where.Next("VkRenderPassStripeBeginInfoARM"), report);
  const auto* const of_views = vk::FindInChain<VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM>(chain);
  if (of_views == nullptr || of_views->perViewRenderAreaCount == 0) return;
  const Location at = where.Next("VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM");
  const auto needed = static_cast<uint32_t>(std::bit_width(views));
  if (of_views->perViewRenderAreaCount < needed) {
    report.Error(
        ids.count, {}, at.Dot("perViewRenderAreaCount"),
        absl::StrCat("(", of_views->perViewRenderAreaCount, ") is less than the number of views (", needed, ")."));
  }
  const auto areas = Items(of_views->pPerViewRenderAreas, of_views->perViewRenderAreaCount);
  for (uint32_t i = 0; i < areas.size(); ++i) {
    if (SharedTexels(areas[i], area) == Texels(areas[i])) continue;
    return report.Error(ids.inside, {}, at.Dot("pPerViewRenderAreas", i), "is not inside of renderArea.");
  }
}

}  // namespace assay::core
