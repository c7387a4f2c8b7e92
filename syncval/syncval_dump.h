// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_SYNCVAL_DUMP_H_
#define ASSAY_SYNCVAL_SYNCVAL_DUMP_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "state/state.h"
#include "syncval/commands/sync_validator.h"
#include "syncval/context_dump.h"
#include "syncval/queues/queue_sync.h"
#include "syncval/recording/recording.h"
#include "testing/dump/dump.h"

// For tests: what synchronization validation knows, as text. DumpRecording() is for the recording of a command buffer;
// SyncValidator has a DumpTo() for what it knows of queues.
namespace assay::syncval {

inline void AppendTo(test::Dump& dump, const RecordedAccess& access) {
  dump.Values(access.range.begin, access.range.end, access.resource, access.access, access.role, access.index,
              access.ordering, access.region);
}

inline void AppendTo(test::Dump& dump, const EventOperation& operation) {
  dump.Values(operation.kind, operation.tag.value, operation.event);
}

inline void AppendTo(test::Dump& dump, const UsageSource& source) {
  dump.Values(source.kind, source.buffer ? source.buffer->handle() : 0, source.recording,
              source.queue != nullptr ? source.queue->handle() : 0, source.serial, source.command, source.batch_index,
              source.index);
}

// 0 for none.
inline void AppendTo(test::Dump& dump, const std::shared_ptr<const Snapshot>& snapshot) {
  dump.Values(snapshot != nullptr ? snapshot->number : 0);
}

inline void DumpRecording(const state::CommandBuffer& buffer, test::Dump& dump) {
  auto* const recording = buffer.Sub<SyncRecording>();
  if (recording == nullptr) return;
  dump.Line("sync recording", buffer.handle(), recording->command_count(), recording->context.version(),
            ContextDump::BarrierCount(recording->context), recording->current_subpass(), recording->event_operations(),
            recording->waits_for_host(), recording->HasUnknownAccess(), recording->last_unknown_access().value,
            recording->deferred_hazards().size(), recording->late_accesses().size(), recording->operations().size());
  for (uint32_t i = 0; i < recording->command_count(); ++i) {
    const RecordedCommand& command = recording->CommandAt({i});
    dump.Line("sync command", buffer.handle(), i, command.id, command.position, command.label_path,
              command.is_in_instance, recording->AccessesOf(Tag{i}));
  }
  ContextDump::Append("recorded", buffer.handle(), recording->context, dump);
}

// Queues that have no work are left out.
template <class Dump>
void QueueSync::DumpTo(Dump& dump) {
  ContextDump::Append(device_, dump);
  for (size_t i = 0; i < queue_states_.size(); ++i) {
    if (!queue_states_[i].has_value()) continue;
    const QueueState& queue_state = *queue_states_[i];
    if (queue_state.points.empty() && queue_state.retired == 0 && queue_state.sparse_serial == 0) continue;
    dump.Line("sync queue", i, queue_state.retired, queue_state.sparse_serial, queue_state.sparse_snapshot);
    for (const Point& point : queue_state.points) {
      dump.Line("sync point", i, point.serial, ContextDump::ToText(point.point));
    }
  }
  for (const auto& [image, presentable] : presentable_images_) {
    dump.Line("presentable image", image, presentable.range.begin, presentable.range.end, presentable.presented_after,
              presentable.acquired);
    if (presentable.present.has_value()) dump.Values(*presentable.present);
  }
  for (const state::QueuePoint& waiting : host_event_waits_) {
    dump.Line("waits for an event of the host", waiting.queue->handle(), waiting.serial);
  }
  for (const SharedTimelineWaits& waits : shared_timeline_waits_) {
    dump.Line("waits for a shared timeline", waits.queue->handle(), waits.first, waits.last);
  }
  for (const auto& [fence, point] : acquire_fences_) dump.Line("acquire fence", fence, ContextDump::ToText(point));
  dump.Line("sync sources", sources_.size(), last_unknown_access_.value, found_.size(), hazards_.size());
}

template <class Dump>
void SyncValidator::DumpTo(Dump& dump) {
  state_.InspectQueues([&] { queues_.DumpTo(dump); });
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_SYNCVAL_DUMP_H_
