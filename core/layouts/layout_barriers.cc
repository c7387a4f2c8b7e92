// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of image memory barriers.

#include <cstdint>

#include "core/barriers/barriers.h"
#include "core/layouts/layout_recorder.h"
#include "core/layouts/layout_rules.h"
#include "core/layouts/tracked_images.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::Items;

// with_location(f) calls f with the location of the barrier.
template <class Barrier, class F>
void RecordBarrier(LayoutRecorder& recorder, const Barrier& barrier, vk::VuidIndex rule, F&& with_location) {
  const ImagePart part = ImagePartOf(barrier);
  if (!part.changes_image()) return;
  const state::Image* image = TrackedImage(part.image);
  if (image == nullptr) return;
  LayoutAccess access = {part.old_layout == VK_IMAGE_LAYOUT_UNDEFINED ? kAnyLayout : part.old_layout, part.new_layout,
                         rule};
  if (part.families.differ()) {
    // The transition happens between release and acquire.
    const bool releases = part.families.ReleaseFrom(recorder.family());
    (releases ? access.left : access.expected) = kAnyLayout;
  }
  recorder.Access(*image, part.range, access, LayoutRecorder::Left::kByCommand, [&](const LayoutMismatch& mismatch) {
    with_location([&](const Location& where) { recorder.ReportMismatch(mismatch, *image, where.Dot("oldLayout")); });
  });
}

// d is a command or a structure with image memory barriers; with_location(f) calls f with its location.
template <class Dependency, class F>
void RecordBarriers(LayoutRecorder& recorder, const Dependency& d, vk::VuidIndex rule, F&& with_location) {
  for (uint32_t i = 0; const auto& barrier : Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) {
    RecordBarrier(recorder, barrier, rule, [&](auto&& f) {
      with_location([&](const Location& where) { f(where.Dot("pImageMemoryBarriers", i)); });
    });
    ++i;
  }
}

constexpr vk::VuidIndex kSync1Rule = vk::Vuid("VUID-VkImageMemoryBarrier-oldLayout-01197");
constexpr vk::VuidIndex kSync2Rule = vk::Vuid("VUID-VkImageMemoryBarrier2-oldLayout-01197");

}  // namespace

void LayoutRules::PreCallValidate(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot, Report& report) {
  if (call.imageMemoryBarrierCount == 0) return;
  LayoutRecorder recorder(slot, report);
  if (recorder.is_recording()) RecordBarriers(recorder, call, kSync1Rule, [&](auto&& f) { f(report.location()); });
}
void LayoutRules::PreCallValidate(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot, Report& report) {
  if (call.pDependencyInfo == nullptr || call.pDependencyInfo->imageMemoryBarrierCount == 0) return;
  LayoutRecorder recorder(slot, report);
  if (!recorder.is_recording()) return;
  RecordBarriers(recorder, *call.pDependencyInfo, kSync2Rule, [&](auto&& f) {
    const Location command = report.location();
    f(command.Dot("pDependencyInfo"));
  });
}
void LayoutRules::PreCallValidate(const vk::CmdWaitEvents& call, dispatch::Slot& slot, Report& report) {
  LayoutRecorder recorder(slot, report);
  if (recorder.is_recording()) RecordBarriers(recorder, call, kSync1Rule, [&](auto&& f) { f(report.location()); });
}
void LayoutRules::PreCallValidate(const vk::CmdWaitEvents2& call, dispatch::Slot& slot, Report& report) {
  LayoutRecorder recorder(slot, report);
  if (!recorder.is_recording()) return;
  for (uint32_t i = 0; const VkDependencyInfo& info : Items(call.pDependencyInfos, call.eventCount)) {
    RecordBarriers(recorder, info, kSync2Rule, [&](auto&& f) {
      const Location command = report.location();
      f(command.Dot("pDependencyInfos", i));
    });
    ++i;
  }
}

}  // namespace assay::core
