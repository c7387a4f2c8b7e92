// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_POSSIBLE_READS_H_
#define ASSAY_SYNCVAL_RECORDING_POSSIBLE_READS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "syncval/engine/engine.h"

namespace assay::syncval {

// The ranges of the possible reads of a recording (OrderingRule::kPossible). There are limits to these: draws that each
// may read the rest of one large buffer would cut the states of that buffer into many parts, and then touch all of
// them.
class PossibleReads {
 public:
  // Whether a possible read of the range is to be recorded. If not, it is an unknown access.
  bool Add(const Range& range) {
    for (size_t i = range.begin * 0x9E3779B97F4A7C15u >> 57;; ++i) {
      Slot& slot = slots_[i % slots_.size()];
      if (slot.version == version_) {
        if (slot.range == range) return true;
        continue;
      }
      if (count_ == kMaxRanges) return false;
      slot = {range, version_};
      ++count_;
      return true;
    }
  }
  void Reset() {
    ++version_;
    count_ = 0;
  }

 private:
  static constexpr size_t kMaxRanges = 64;

  // Free if it is of another version.
  struct Slot {
    Range range;
    uint32_t version = 0;
  };
  std::array<Slot, 2 * kMaxRanges> slots_;
  uint32_t version_ = 1;
  uint32_t count_ = 0;
};

// Collects the parts of possible reads that a replay finds in hazard.
class PossibleReadParts {
 public:
  // Adds a part of a possible read of range, by the command with the tag. Returns whether that was the last part: then
  // all of the range is in hazard. A replay finds parts in the order of addresses.
  bool Add(Tag tag, const Range& range, const Range& part) {
    if (part.begin == range.begin) {
      tag_ = tag;
      range_ = range;
    } else if (tag != tag_ || range != range_ || part.begin != end_) {
      return false;
    }
    end_ = part.end;
    return end_ == range.end;
  }

 private:
  Tag tag_;
  Range range_;
  uint64_t end_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_POSSIBLE_READS_H_
