// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_DESCRIPTORS_ZEROED_MEMORY_H_
#define ASSAY_STATE_DESCRIPTORS_ZEROED_MEMORY_H_

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace assay::state {

// An allocator for containers of T whose default value is zero in all bytes. Default values cost nothing: large blocks
// are pages that the system makes when they are written for the first time.
template <typename T>
struct ZeroedMemory {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  using value_type = T;

  ZeroedMemory() = default;
  template <typename U>
  explicit ZeroedMemory(const ZeroedMemory<U>& /*other*/) {}

  T* allocate(size_t count) {
    void* const block = std::calloc(count, sizeof(T));
    if (block == nullptr) throw std::bad_alloc();
    return static_cast<T*>(block);
  }
  void deallocate(T* block, size_t /*count*/) { std::free(block); }
  template <typename U, typename... Args>
  void construct(U* place, Args&&... args) {
    if constexpr (sizeof...(Args) > 0) ::new (place) U(std::forward<Args>(args)...);
  }
  friend bool operator==(const ZeroedMemory&, const ZeroedMemory&) { return true; }
};

}  // namespace assay::state

#endif  // ASSAY_STATE_DESCRIPTORS_ZEROED_MEMORY_H_
