// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_SPARSE_BUFFER_LOG_H_
#define ASSAY_SYNCVAL_RECORDING_SPARSE_BUFFER_LOG_H_

#include <cstdint>
#include <vector>

#include "state/state.h"
#include "syncval/accesses/recorded_access.h"

namespace assay::syncval {

// The sparse buffers of a recording that may share their memory. Bindings may change until submission: accesses that
// were recorded with earlier ones are outdated then.
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

  // Appends the log of a secondary.
  void Append(const SparseBufferLog& secondary);
  void Reset() {
    buffers_.clear();
    lookup_time_ = UINT64_MAX;
  }

 private:
  void NoteBuffer(uint64_t buffer);
  // Whether the buffer's memory has changed since it was looked up.
  bool IsRebound(uint64_t handle) const;

  // The buffers that MemoryRangesOf was called with.
  std::vector<uint64_t> buffers_;
  // state::SparseMemory::Now() at the first look-up.
  uint64_t lookup_time_ = UINT64_MAX;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_SPARSE_BUFFER_LOG_H_
