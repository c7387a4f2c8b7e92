// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_CORE_DUMP_H_
#define ASSAY_CORE_CORE_DUMP_H_

#include <cstdint>
#include <string_view>

#include "absl/synchronization/mutex.h"
#include "core/core.h"
#include "core/recording/layout_entries.h"
#include "core/recording/layout_recording.h"
#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "dispatch/testing/recording_dump.h"
#include "state/state_dump.h"
#include "testing/dump/dump.h"

// For tests: what core knows, as text. DumpScope() is for the recording of a command buffer; LayoutRules, EventRules
// and OwnershipTransferRules have a DumpTo() for what they know of queues, and LifetimeRules for which objects use
// which others. The other validators know nothing of their own.
namespace assay::core {

inline void AppendTo(test::Dump& dump, const OwnershipTransfer& transfer) {
  const VkImageSubresourceRange& range = transfer.range;
  dump.Values(transfer.resource.type, transfer.resource.handle, transfer.is_release, transfer.src_family,
              transfer.dst_family, transfer.offset, transfer.size, transfer.old_layout, transfer.new_layout,
              range.aspectMask, range.baseMipLevel, range.levelCount, range.baseArrayLayer, range.layerCount);
}

inline void AppendTo(test::Dump& dump, const LayoutEntry& entry) {
  const LayoutBox& box = entry.box;
  const LayoutAccess& first = entry.first;
  dump.Values(box.aspect, box.level_begin, box.level_end, box.layer_begin, box.layer_end, first.expected, first.left,
              first.command, first.left_by, entry.last, entry.last_command);
}

inline void AppendTo(test::Dump& dump, const EventState& state) {
  dump.Values(state.kind, state.stages, state.dependency.get(), state.queue);
}

// Of one image: the order of its entries does not matter.
inline void DumpLayouts(std::string_view what, uint64_t image, const LayoutEntries& layouts, test::Dump& dump) {
  dump.Line(what, image, layouts.is_unknown());
  for (const LayoutEntry& entry : layouts.entries()) dump.Line(what, image, entry);
}

inline void DumpScope(const state::CommandBuffer& buffer, test::Dump& dump) {
  const auto* scope = buffer.Sub<RecordingScope>();
  if (scope == nullptr) return;
  const RenderingChain& chain = scope->rendering_chain;
  dump.Line("scope", &buffer, scope->bits(), scope->in_rendering(), scope->transfers, chain.has_instances,
            chain.begins_resuming, chain.ends_suspended, chain.lacks_suspension, chain.is_interrupted, scope->submitted,
            scope->events.dependencies(), scope->events.waits.size());
  for (const ContentNeed& need : scope->needs)
    dump.Line("need", &buffer, need.kind, need.command, need.object.handle, need.first, need.count);
  for (const ActiveQuery& active : scope->active_queries)
    dump.Line("active query", &buffer, active.pool, active.query, active.index, active.instance, active.subpass);
  const DrawRecording& draw = scope->draw;
  dump.Line("bound and set", &buffer, draw.set().words()[0], draw.set().words()[1], draw.set_since_bind().words()[0],
            draw.set_since_bind().words()[1], draw.called_stages(), draw.has_executed());
  for (const auto point : {DrawRecording::kGraphics, DrawRecording::kCompute, DrawRecording::kRayTracing}) {
    dump.Line("bound pipeline", &buffer, point, draw.HasPipeline(point), draw.pipeline(point));
  }
  for (uint8_t i = 0; i < vk::kDynamicStateCount; ++i) {
    if (draw.set().Has(i)) dump.Line("set value", &buffer, i, draw.last_value(i));
  }
  for (const LayoutRecording::ImageEntries& image : scope->layouts.images()) {
    dump.Line("recorded image", &buffer, image.image, image.address);
    DumpLayouts("recorded layout", image.image, image.layouts, dump);
  }
  for (const EventRecording::Entry& entry : scope->events.entries()) {
    dump.Line("recorded event", &buffer, entry.event, entry.effect.is_known(), entry.effect.sets(),
              entry.effect.AfterUnset(), entry.waits, entry.last_reset.at, entry.last_reset.is_sync2,
              entry.last_wait.at, entry.last_wait.is_sync2, entry.dst_stages);
  }
}

template <class Dump>
void LayoutRules::DumpTo(Dump& dump) {
  absl::MutexLock lock(&mutex_);
  layouts_.ForEach(
      [&](uint64_t address, const LayoutEntries& layouts) { DumpLayouts("layout", address, layouts, dump); });
  uses_.ForEach([&](uint64_t address, const state::QueuePoints& uses) {
    for (const state::QueuePoint& use : uses) dump.Line("last use", address, use);
  });
}

template <class Dump>
void EventRules::DumpTo(Dump& dump) {
  absl::MutexLock lock(&mutex_);
  dump.Line("kept batches", kept_);
  events_.ForEach([&](VkEvent handle, const DeviceEvent& event) {
    dump.Line("event", handle, event.state, event.last_use, event.last_wait, event.may_be_kept, event.waits);
  });
}

template <class Dump>
void ObjectUsers::DumpTo(Dump& dump) const {
  dispatch::SpinLockHolder hold(lock_);
  for (const Users& used : users_) {
    if (!used.users.empty()) dump.Line("users", used.handle, used.users);
  }
}

template <class Dump>
void LifetimeRules::DumpTo(Dump& dump) const {
  dump.Line("changes", changes_.load());
  users_.DumpTo(dump);
}

template <class Dump>
void OwnershipTransferRules::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  for (const auto& [resource, releases] : releases_) {
    for (const Release& release : releases) dump.Line("release", resource, release.transfer, release.count);
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_CORE_DUMP_H_
