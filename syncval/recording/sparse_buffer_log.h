// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_SPARSE_BUFFER_LOG_H_
#define ASSAY_SYNCVAL_RECORDING_SPARSE_BUFFER_LOG_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {

// A hazard between two commands of one recording by memory that a sparse buffer had at the time. It is a hazard if the
// buffer still has that memory when the recording is submitted.
struct SparseMemoryHazard {
  // The part of it that conflicts.
  RecordedAccess access;
  Tag tag;
  Hazard hazard;
  Suggestion fix;
};

// The sparse buffers of a recording that may share their memory, and the hazards that depend on their bindings.
// Bindings may change until submission: accesses that were recorded with earlier ones are outdated then.
class SparseBufferLog {
 public:
  // The memory of bytes [offset, offset + size) of the buffer, as it is bound now.
  state::ByteRanges MemoryRangesOf(const state::Buffer& buffer, VkDeviceSize offset, VkDeviceSize size);
  // Whether the access is to memory that the buffer may not have any more.
  bool IsOutdated(const RecordedAccess& access) const {
    return access.is_of_sparse_memory && IsRebound(access.resource);
  }
  // Whether any access is.
  bool HasOutdatedBindings() const;

  void Add(const SparseMemoryHazard& hazard) { hazards_.push_back(hazard); }
  absl::Span<const SparseMemoryHazard> hazards() const { return hazards_; }

  // Appends the log of a secondary whose first command has the tag `base` in this recording.
  void Append(const SparseBufferLog& secondary, Tag base);
  void Reset() {
    hazards_.clear();
    buffers_.clear();
    lookup_time_ = UINT64_MAX;
  }

 private:
  void NoteBuffer(uint64_t buffer);
  // Whether the buffer's memory has changed since it was looked up.
  bool IsRebound(uint64_t handle) const;

  std::vector<SparseMemoryHazard> hazards_;
  // The buffers that MemoryRangesOf was called with.
  std::vector<uint64_t> buffers_;
  // state::SparseMemory::Now() at the first look-up.
  uint64_t lookup_time_ = UINT64_MAX;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_SPARSE_BUFFER_LOG_H_
