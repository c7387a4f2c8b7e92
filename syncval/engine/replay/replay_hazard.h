// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_HAZARD_H_
#define ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_HAZARD_H_

#include <cstdint>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// A hazard that a replay finds.
struct ReplayHazard {
  // The access that conflicts, and the tag of its command in the recorded command buffer.
  Access access;
  Tag tag;
  // Of a layout transition: its barrier, and the events if it is that of a wait. The recorded command buffer holds
  // both.
  const Barrier* transition = nullptr;
  absl::Span<const uint64_t> events;
  Hazard hazard;
  // As EventCommand::matches_by_access, of a wait for events.
  bool matches_by_access = false;
};

// The tag of a recorded command in a replay from base on.
inline Tag OffsetTag(Tag tag, Tag base) { return Tag{tag.value + base.value}; }

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_HAZARD_H_
