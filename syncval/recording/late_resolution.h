// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_LATE_RESOLUTION_H_
#define ASSAY_SYNCVAL_RECORDING_LATE_RESOLUTION_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"
#include "syncval/recording/deferred_hazards.h"

namespace assay::syncval {

// A descriptor of a late access, as it was at a submission.
struct LateDescriptor {
  // Of LateAccesses.
  uint32_t late_access = 0;
  uint32_t element = 0;
  // A range of the access. Its `access` is kSyncNone if the descriptor leads to nothing that is known.
  RecordedAccess access;

  friend bool operator==(const LateDescriptor& a, const LateDescriptor& b) {
    return a.late_access == b.late_access && a.element == b.element && a.access.range == b.access.range &&
           a.access.resource == b.access.resource && a.access.access == b.access.access;
  }
};

// The late accesses of a recording, as the last submission found them (ResolveLateAccesses). With them the commands are
// recorded anew, in a context of its own, which the queue replays instead of the recording's. It is kept for
// submissions that find the same descriptors. The lock of the queues guards it while the recording is pending.
struct LateResolution {
  explicit LateResolution(VkPipelineStageFlags2 device_stages) { context.SetDeviceStages(device_stages); }

  struct Resolved {
    Tag tag;
    RecordedAccess access;
  };

  // Null when no late access is like that.
  const RecordedAccess* Find(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
    for (auto of_tag = std::ranges::lower_bound(accesses, tag, {}, &Resolved::tag);
         of_tag != accesses.end() && of_tag->tag == tag; ++of_tag) {
      if (of_tag->access.access == access && of_tag->access.range.Intersects(range)) return &of_tag->access;
    }
    return nullptr;
  }
  // Keeps the memory.
  void Clear() {
    is_made = false;
    context.Reset();
    descriptors.clear();
    accesses.clear();
    hazards.clear();
  }

  bool is_made = false;
  AccessContext context;
  std::vector<LateDescriptor> descriptors;
  // By tag.
  std::vector<Resolved> accesses;
  // The hazards between commands of the recording in which late accesses take part.
  std::vector<DeferredHazard> hazards;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_LATE_RESOLUTION_H_
