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

// The memory that vkQueueBindSparse has bound to a resource so far, in the order in which the binding batches become
// ready. Thread safe.
class SparseMemory {
 public:
  SparseMemory() = default;
  // For a buffer that may share its memory (VK_BUFFER_CREATE_SPARSE_ALIASED_BIT): it is added to each bound
  // DeviceMemory, which marks it and the resources there as sharing.
  explicit SparseMemory(Buffer& aliased) : aliased_(&aliased) {}
  ~SparseMemory();

  // Binds memory to a range. Ranges are bytes of the resource, as for VkSparseMemoryBind::resourceOffset; memory_offset
  // is in bytes of the memory. Null memory unbinds the range.
  void Bind(const ByteRange& range, DeviceMemory* memory, VkDeviceSize memory_offset);
  // Whether every byte of the range has memory.
  bool HasAll(const ByteRange& range) const;
  // Appends the addresses of the range's bytes in the AddressSpace, as far as they have memory. They are in the order
  // of the range; ranges that touch are joined.
  void AppendBytes(const ByteRange& range, ByteRanges& out) const;

  // Times: the changes of all resources are counted together.
  static uint64_t Now() { return changes_.load(std::memory_order_acquire); }
  uint64_t last_change() const { return last_change_.load(std::memory_order_acquire); }

 private:
  struct Piece {
    uint64_t end;
    Ref<DeviceMemory> memory;
    // In the AddressSpace.
    uint64_t address;
  };
  // By the byte at which the piece begins. Pieces do not overlap.
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
