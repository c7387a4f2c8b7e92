// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_SCRATCH_ARENA_H_
#define ASSAY_DISPATCH_TRANSLATION_SCRATCH_ARENA_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace assay::dispatch {

// Memory for the copies of one call's parameters. The first 2048 bytes are in the object itself, which lives on the
// stack. More comes from the heap. All is freed with the arena.
class ScratchArena {
 public:
  ScratchArena() = default;
  ScratchArena(const ScratchArena&) = delete;
  ScratchArena& operator=(const ScratchArena&) = delete;

  // Uninitialized bytes, aligned for any Vulkan structure.
  void* Allocate(size_t bytes) {
    bytes = (bytes + 15) & ~size_t{15};
    if (bytes <= sizeof(inline_) - inline_size_) {
      void* result = inline_ + inline_size_;
      inline_size_ += bytes;
      return result;
    }
    return AllocateFromHeap(bytes);
  }

  // A copy of bytes at source, which may be null when there are none.
  void* Copy(const void* source, size_t bytes) {
    void* const copy = Allocate(bytes);
    return bytes != 0 ? std::memcpy(copy, source, bytes) : copy;
  }

 private:
  [[gnu::noinline, gnu::cold]] void* AllocateFromHeap(size_t bytes) {
    if (heap_left_ < bytes) {
      const size_t chunk = bytes > 16384 ? bytes : 16384;
      heap_.push_back(std::make_unique_for_overwrite<std::byte[]>(chunk));
      heap_next_ = heap_.back().get();
      heap_left_ = chunk;
    }
    void* result = heap_next_;
    heap_next_ += bytes;
    heap_left_ -= bytes;
    return result;
  }

  size_t inline_size_ = 0;
  size_t heap_left_ = 0;
  std::byte* heap_next_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> heap_;
  // Not initialized: most calls need little of it.
  alignas(16) std::byte inline_[2048];
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_SCRATCH_ARENA_H_
