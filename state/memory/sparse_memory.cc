// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory/sparse_memory.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "state/memory/buffer.h"
#include "state/memory/device_memory.h"

namespace assay::state {

std::atomic<uint64_t> SparseMemory::changes_ = 0;

SparseMemory::~SparseMemory() {
  absl::MutexLock lock(&mutex_);
  while (!pieces_.empty()) Erase(pieces_.begin());
}

void SparseMemory::Bind(const ByteRange& range, DeviceMemory* memory, VkDeviceSize memory_offset) {
  absl::MutexLock lock(&mutex_);
  CutOut(range);
  if (memory != nullptr) {
    const ByteRange bytes = memory->Clamp(memory_offset, range.end - range.begin);
    const uint64_t end = range.begin + (bytes.end - bytes.begin);
    if (range.begin < end) Insert(range.begin, {end, Ref<DeviceMemory>(memory), memory->address + bytes.begin});
  }
  last_change_.store(changes_.fetch_add(1, std::memory_order_acq_rel) + 1, std::memory_order_release);
}

bool SparseMemory::HasAll(const ByteRange& range) const {
  absl::ReaderMutexLock lock(&mutex_);
  uint64_t begin = range.begin;
  for (auto it = FirstFrom(begin); begin < range.end; ++it) {
    if (it == pieces_.end() || it->first > begin) return false;
    begin = it->second.end;
  }
  return true;
}

void SparseMemory::AppendBytes(const ByteRange& range, ByteRanges& out) const {
  absl::ReaderMutexLock lock(&mutex_);
  const size_t first = out.size();
  for (auto it = FirstFrom(range.begin); it != pieces_.end() && it->first < range.end; ++it) {
    const auto& [begin, piece] = *it;
    const ByteRange bytes = {piece.address + (std::max(begin, range.begin) - begin),
                             piece.address + (std::min(piece.end, range.end) - begin)};
    if (out.size() > first && out.back().end == bytes.begin) {
      out.back().end = bytes.end;
    } else {
      out.push_back(bytes);
    }
  }
}

// The first piece with a byte from `begin` on.
SparseMemory::Pieces::const_iterator SparseMemory::FirstFrom(uint64_t begin) const {
  auto it = pieces_.upper_bound(begin);
  if (it == pieces_.begin() || std::prev(it)->second.end <= begin) return it;
  return std::prev(it);
}

void SparseMemory::Insert(uint64_t begin, Piece piece) {
  if (aliased_ != nullptr) piece.memory->Add(*aliased_, {piece.address, piece.address + (piece.end - begin)});
  pieces_.emplace(begin, std::move(piece));
}

void SparseMemory::Erase(Pieces::const_iterator piece) {
  if (aliased_ != nullptr) piece->second.memory->Remove(*aliased_, piece->second.address);
  pieces_.erase(piece);
}

void SparseMemory::CutOut(const ByteRange& range) {
  for (auto it = FirstFrom(range.begin); it != pieces_.end() && it->first < range.end; it = FirstFrom(range.begin)) {
    const uint64_t begin = it->first;
    const Piece piece = it->second;
    Erase(it);
    if (begin < range.begin) Insert(begin, {range.begin, piece.memory, piece.address});
    if (piece.end > range.end) Insert(range.end, {piece.end, piece.memory, piece.address + (range.end - begin)});
  }
}

}  // namespace assay::state
