// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/table_memory.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace assay::gpuav {

uint32_t TableMemory::Allocate(uint32_t quads) {
  absl::MutexLock lock(&mutex_);
  const auto fits = [quads](const auto& range) { return range.second >= quads; };
  auto found = std::ranges::find_if(free_, fits);
  if (found == free_.end()) {
    if (!Grow(quads)) return 0;
    found = std::ranges::find_if(free_, fits);
    if (found == free_.end()) return 0;
  }
  const auto [offset, size] = *found;
  free_.erase(found);
  if (size > quads) free_.emplace(offset + quads, size - quads);
  return offset;
}

void TableMemory::Free(uint32_t offset, uint32_t quads) {
  if (offset == 0) return;
  absl::MutexLock lock(&mutex_);
  Release(offset, quads);
}

void TableMemory::Release(uint32_t offset, uint32_t quads) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + quads) {
    quads += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      previous->second += quads;
      return;
    }
  }
  free_.emplace_hint(next, offset, quads);
}

bool TableMemory::Grow(uint32_t quads) {
  const uint32_t before = current_ != nullptr ? current_->quads() : 0;
  uint64_t wanted = std::max<uint64_t>(kFirstQuads, uint64_t{before} * 2);
  // What is added joins no free quads of before, so that it alone has to hold them.
  while (wanted - before < uint64_t{quads} + 1) wanted *= 2;
  if (wanted > UINT32_MAX) return false;
  const MemoryRange range = memory_.Allocate(wanted * kQuadBytes);
  if (!range) return false;
  if (current_ != nullptr) {
    std::ranges::copy(current_->range().words(), range.mapped);
    std::erase_if(old_, [](const auto& array) { return array.expired(); });
    old_.push_back(current_);
  } else {
    std::fill_n(range.mapped, kQuadWords, 0u);
  }
  current_ = std::make_shared<Array>(memory_, range);
  address_.store(current_.get(), std::memory_order_release);
  const uint32_t first = std::max(before, 1u);
  Release(first, current_->quads() - first);
  return true;
}

void TableMemory::Write(uint32_t offset, uint32_t word, absl::Span<const uint32_t> words) {
  const auto write = [&](const Array& array) {
    const size_t first = size_t{offset} * kQuadWords + word;
    if (first + words.size() > array.range().words().size()) return;
    std::memcpy(array.range().mapped + first, words.data(), words.size() * sizeof(uint32_t));
  };
  absl::MutexLock lock(&mutex_);
  if (current_ != nullptr) write(*current_);
  for (const std::weak_ptr<const Array>& old : old_) {
    if (const auto array = old.lock()) write(*array);
  }
}

std::shared_ptr<const TableMemory::Array> TableMemory::Current() {
  absl::MutexLock lock(&mutex_);
  if (current_ == nullptr) Grow(1);
  return current_;
}

void TableMemory::Clear() {
  absl::MutexLock lock(&mutex_);
  current_ = nullptr;
  old_.clear();
  free_.clear();
}

}  // namespace assay::gpuav
