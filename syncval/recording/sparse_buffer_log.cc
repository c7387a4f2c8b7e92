// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/sparse_buffer_log.h"

#include <algorithm>

namespace assay::syncval {

state::ByteRanges SparseBufferLog::MemoryRangesOf(const state::Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) {
  if (lookup_time_ == UINT64_MAX) lookup_time_ = state::SparseMemory::Now();
  NoteBuffer(buffer.handle());
  state::ByteRanges ranges;
  buffer.sparse->AppendBytes({offset, offset + size}, ranges);
  return ranges;
}

void SparseBufferLog::NoteBuffer(uint64_t buffer) {
  if (std::ranges::find(buffers_, buffer) == buffers_.end()) buffers_.push_back(buffer);
}

bool SparseBufferLog::IsRebound(uint64_t handle) const {
  const auto* buffer = state::DeviceState::Get<state::Buffer>(handle);
  return buffer == nullptr || buffer->sparse == nullptr || buffer->sparse->last_change() > lookup_time_;
}

bool SparseBufferLog::HasOutdatedBindings() const {
  return std::ranges::any_of(buffers_, [this](uint64_t buffer) { return IsRebound(buffer); });
}

void SparseBufferLog::Append(const SparseBufferLog& secondary) {
  lookup_time_ = std::min(lookup_time_, secondary.lookup_time_);
  for (uint64_t buffer : secondary.buffers_) NoteBuffer(buffer);
}

}  // namespace assay::syncval
