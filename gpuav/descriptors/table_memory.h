// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_TABLE_MEMORY_H_
#define ASSAY_GPUAV_DESCRIPTORS_TABLE_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "gpuav/device/memory.h"

namespace assay::gpuav {

// The tables (spirv_instrument/runtime/layout.h): one array of quads for the device, of which each descriptor set and
// the device addresses have a part. A part keeps its place while it lives.
//
// When the array is full, a larger one takes its place, with what is in it. Command buffers that were recorded before
// still read the old one, so what is written goes to all arrays that somebody has. Thread-safe.
class TableMemory {
 public:
  // An array, as long as somebody has it.
  class Array {
   public:
    Array(Memory& memory, MemoryRange range) : memory_(memory), range_(range) {}
    ~Array() { memory_.Free(range_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    const MemoryRange& range() const { return range_; }
    uint32_t quads() const { return static_cast<uint32_t>(range_.size / kQuadBytes); }

   private:
    Memory& memory_;
    const MemoryRange range_;
  };

  explicit TableMemory(Memory& memory) : memory_(memory) {}
  TableMemory(const TableMemory&) = delete;
  TableMemory& operator=(const TableMemory&) = delete;

  // Room for so many quads, whose contents are whatever they were. Returns the offset of the first in quads; 0 if there
  // is no memory. What is at offset 0 stands for "nothing", and is no part.
  uint32_t Allocate(uint32_t quads);
  void Free(uint32_t offset, uint32_t quads);
  // Writes words from the quad `offset` on, a word further with `word`.
  void Write(uint32_t offset, uint32_t word, absl::Span<const uint32_t> words);

  // The array that is to be bound now; null if there is no memory. All parts that are allocated are in it.
  std::shared_ptr<const Array> Current();
  // Whether that is this one. Takes no lock.
  bool IsCurrent(const Array& array) const { return address_.load(std::memory_order_acquire) == &array; }
  // Gives up the memory, before the device goes.
  void Clear();

 private:
  static constexpr VkDeviceSize kQuadBytes = 16;
  static constexpr size_t kQuadWords = 4;
  static constexpr uint32_t kFirstQuads = 1u << 14;

  bool Grow(uint32_t quads) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Release(uint32_t offset, uint32_t quads) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Memory& memory_;
  absl::Mutex mutex_;
  std::shared_ptr<const Array> current_ ABSL_GUARDED_BY(mutex_);
  // Of current_.
  std::atomic<const Array*> address_{nullptr};
  std::vector<std::weak_ptr<const Array>> old_ ABSL_GUARDED_BY(mutex_);
  // Free quads of the current array: how many there are, by the offset of the first.
  std::map<uint32_t, uint32_t> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_TABLE_MEMORY_H_
