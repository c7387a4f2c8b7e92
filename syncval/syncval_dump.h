// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_SYNCVAL_DUMP_H_
#define ASSAY_SYNCVAL_SYNCVAL_DUMP_H_

#include <cstdint>

#include "state/state.h"
#include "syncval/recording/recording.h"
#include "testing/dump/dump.h"

namespace assay::syncval {

inline void AppendTo(test::Dump& dump, const RecordedAccess& access) {
  dump.Values(access.range.begin, access.range.end, access.resource, access.access, access.role, access.index,
              access.ordering, access.region);
}

inline void AppendTo(test::Dump& dump, const EventOperation& operation) {
  dump.Values(operation.kind, operation.tag.value, operation.event);
}

// For tests: what a recording holds for synchronization validation, as text. The version of its context stands for the
// access states in it.
inline void DumpRecording(const state::CommandBuffer& buffer, test::Dump& dump) {
  const auto* recording = buffer.Sub<SyncRecording>();
  if (recording == nullptr) return;
  dump.Line("sync recording", &buffer, recording->command_count(), recording->context.version(),
            recording->context.is_in_subpass(), recording->current_subpass(), recording->event_operations(),
            recording->waits_for_host(), recording->HasUnknownAccess(), recording->last_unknown_access().value,
            recording->deferred_hazards().size());
  for (uint32_t i = 0; i < recording->command_count(); ++i) {
    const RecordedCommand& command = recording->CommandAt({i});
    dump.Line("sync command", &buffer, i, command.id, command.position, command.label_path, command.is_in_instance,
              recording->AccessesOf({i}));
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_SYNCVAL_DUMP_H_
