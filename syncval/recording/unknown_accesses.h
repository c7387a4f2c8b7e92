// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_UNKNOWN_ACCESSES_H_
#define ASSAY_SYNCVAL_RECORDING_UNKNOWN_ACCESSES_H_

#include <cstdint>

#include "syncval/engine/engine.h"

namespace assay::syncval {

// The commands of a recording that may access memory in ways that are not modelled: by a descriptor array, a device
// address, the vertices of an indexed draw. Such a command may read what an earlier write wrote. Later accesses that
// are ordered after the read are ordered after the write too, so a write that seems unsynchronized may be in order.
class UnknownAccesses {
 public:
  // The tag must not be before those of earlier calls.
  void Note(Tag tag) {
    if (!HasAny()) first_ = tag;
    last_ = static_cast<int64_t>(tag.value);
  }
  bool HasAny() const { return last_ >= 0; }
  bool HasAnySince(Tag tag) const { return last_ > static_cast<int64_t>(tag.value); }
  bool HasAnyBefore(Tag tag) const { return HasAny() && first_ < tag; }
  // There must be one.
  Tag last() const { return Tag{static_cast<uint32_t>(last_)}; }

  // Appends those of a secondary whose first command has the tag `base` in this recording.
  void Append(const UnknownAccesses& secondary, Tag base) {
    if (!secondary.HasAny()) return;
    if (!HasAny()) first_ = Tag{base.value + secondary.first_.value};
    last_ = static_cast<int64_t>(base.value) + secondary.last_;
  }
  void Reset() { last_ = -1; }

 private:
  // -1 for none.
  int64_t last_ = -1;
  // Valid where there is one.
  Tag first_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_UNKNOWN_ACCESSES_H_
