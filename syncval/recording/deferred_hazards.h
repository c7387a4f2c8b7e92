// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_DEFERRED_HAZARDS_H_
#define ASSAY_SYNCVAL_RECORDING_DEFERRED_HAZARDS_H_

#include <vector>

#include "absl/types/span.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {

// A hazard between two commands of one recording, one of which depends on what may change until submission
// (RecordedAccess::may_be_outdated, LateAccess). It is reported when the recording is submitted, unless the access is
// outdated then.
struct DeferredHazard {
  // The part of it that conflicts.
  RecordedAccess access;
  Tag tag;
  Hazard hazard;
  Suggestion fix;
};

class DeferredHazards {
 public:
  void Add(const DeferredHazard& hazard) { hazards_.push_back(hazard); }
  absl::Span<const DeferredHazard> all() const { return hazards_; }
  // Removes the hazards of the command with this tag and of later ones.
  void RemoveFrom(Tag tag) {
    while (!hazards_.empty() && hazards_.back().tag >= tag) hazards_.pop_back();
  }

  // Appends those of a secondary whose first command has the tag `base` in this recording.
  void Append(const DeferredHazards& secondary, Tag base) {
    for (DeferredHazard hazard : secondary.hazards_) {
      hazard.tag.value += base.value;
      hazard.hazard.prior_tag.value += base.value;
      hazards_.push_back(hazard);
    }
  }
  void Reset() { hazards_.clear(); }

 private:
  std::vector<DeferredHazard> hazards_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_DEFERRED_HAZARDS_H_
