// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_RANGES_GROWING_ARRAY_H_
#define ASSAY_SYNCVAL_ENGINE_RANGES_GROWING_ARRAY_H_

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"

namespace assay::syncval {

// The part of std::vector that a log of plain values needs, for values that each recorded command adds. A vector may
// pass the address of a pushed value to a function. So the value is built in memory, read back at once, which stalls,
// and copied. Here it is written where it stays. Keeps its memory through clear().
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray&) = default;
  GrowingArray& operator=(const GrowingArray&) = default;
  GrowingArray(GrowingArray&& other) noexcept { *this = std::move(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    slots_ = std::exchange(other.slots_, {});
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return slots_[i]; }
  const T& operator[](size_t i) const { return slots_[i]; }
  T& back() { return slots_[size_ - 1]; }
  const T& back() const { return slots_[size_ - 1]; }
  T* data() { return slots_.data(); }
  const T* data() const { return slots_.data(); }
  T* begin() { return slots_.data(); }
  const T* begin() const { return slots_.data(); }
  T* end() { return slots_.data() + size_; }
  const T* end() const { return slots_.data() + size_; }

  ABSL_ATTRIBUTE_ALWAYS_INLINE void push_back(T value) {
    if (size_ == capacity_) [[unlikely]]
      Grow();
    slots_[size_++] = value;
  }
  // Adds a value that is not set yet: one that is large is filled in where it stays.
  ABSL_ATTRIBUTE_ALWAYS_INLINE T& Add() {
    if (size_ == capacity_) [[unlikely]]
      Grow();
    return slots_[size_++];
  }
  void pop_back() { --size_; }
  // size is at most size().
  void shrink(size_t size) { size_ = size; }
  void clear() { size_ = 0; }

 private:
  ABSL_ATTRIBUTE_NOINLINE void Grow() {
    capacity_ = std::max<size_t>(16, 2 * capacity_);
    slots_.resize(capacity_);
  }

  std::vector<T> slots_;
  size_t size_ = 0;
  // slots_.size(), which takes a division.
  size_t capacity_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_RANGES_GROWING_ARRAY_H_
