// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_SPARSE_MEMORY_H_
#define ASSAY_STATE_MEMORY_SPARSE_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "state/image/subresource_encoder.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

class Buffer;
class DeviceMemory;

// What vkQueueBindSparse has bound to a resource so far, in the order in which the batches that bind become ready.
// Thread safe.
class SparseMemory {
 public:
  SparseMemory() = default;
  // Of a buffer whose memory may be that of others too, so that they are told (VK_BUFFER_CREATE_SPARSE_ALIASED_BIT).
  explicit SparseMemory(Buffer& aliased) : aliased_(&aliased) {}
  ~SparseMemory();

  // Ranges are bytes of the resource, as VkSparseMemoryBind::resourceOffset counts them; memory_offset is of the
  // memory. Without memory, what is there is taken off.
  void Bind(const ByteRange& range, DeviceMemory* memory, VkDeviceSize memory_offset);
  bool HasAll(const ByteRange& range) const;
  // Adds where the bytes of the range lie in the AddressSpace, as far as they have memory. Sorted as the range is; what
  // touches is joined.
  void AppendBytes(const ByteRange& range, ByteRanges& out) const;

  // The times of changes, of all resources in one order.
  static uint64_t Now() { return changes_.load(std::memory_order_acquire); }
  uint64_t last_change() const { return last_change_.load(std::memory_order_acquire); }

 private:
  struct Piece {
    uint64_t end;
    Ref<DeviceMemory> memory;
    // In the AddressSpace.
    uint64_t address;
  };
  // By the byte at which they begin; they do not overlap.
  using Pieces = std::map<uint64_t, Piece>;

  Pieces::const_iterator FirstFrom(uint64_t begin) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  void Insert(uint64_t begin, Piece piece) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Erase(Pieces::const_iterator piece) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CutOut(const ByteRange& range) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  static std::atomic<uint64_t> changes_;
  Buffer* const aliased_ = nullptr;
  std::atomic<uint64_t> last_change_ = 0;
  mutable absl::Mutex mutex_;
  Pieces pieces_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_SPARSE_MEMORY_H_
