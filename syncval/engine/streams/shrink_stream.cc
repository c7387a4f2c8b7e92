// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/streams/shrink_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay::syncval {
namespace {

class Shrinker {
 public:
  Shrinker(Stream stream, absl::FunctionRef<bool(const Stream&)> fails) : stream_(std::move(stream)), fails_(fails) {}

  Stream Run() {
    do {
      changed_ = false;
      for (size_t size = stream_.size(); size > 0; size /= 2) DropCommands(size);
      for (size_t i = 0; i < stream_.size(); ++i) {
        DropEach(i, &StreamCommand::accesses);
        DropEach(i, &StreamCommand::barriers);
        DropEach(i, &StreamCommand::transitions);
        for (size_t j = 0; j < stream_[i].dependencies.size(); ++j) ShrinkFlags(i, j);
        for (size_t j = 0; j < stream_[i].transitions.size(); ++j) ShrinkTransition(i, j);
        for (size_t j = 0; j < stream_[i].accesses.size(); ++j) ShrinkAccess(i, j);
        for (size_t j = 0; j < stream_[i].barriers.size(); ++j) ShrinkBarrier(i, j);
      }
    } while (changed_);
    return std::move(stream_);
  }

 private:
  bool Try(Stream candidate) {
    if (!fails_(candidate)) return false;
    stream_ = std::move(candidate);
    changed_ = true;
    return true;
  }

  void DropCommands(size_t size) {
    for (size_t begin = 0; begin + size <= stream_.size();) {
      Stream candidate = stream_;
      const auto first = candidate.begin() + static_cast<ptrdiff_t>(begin);
      candidate.erase(first, first + static_cast<ptrdiff_t>(size));
      if (!Try(std::move(candidate))) ++begin;
    }
  }

  template <typename Item>
  void DropEach(size_t command, std::vector<Item> StreamCommand::* list) {
    for (size_t i = 0; i < (stream_[command].*list).size();) {
      Stream candidate = stream_;
      std::vector<Item>& items = candidate[command].*list;
      items.erase(items.begin() + static_cast<ptrdiff_t>(i));
      if (!Try(std::move(candidate))) ++i;
    }
  }

  // Tries a change to one item. `get` finds the item in a stream.
  template <typename Get, typename Change>
  bool TryChange(Get get, Change change) {
    Stream candidate = stream_;
    change(get(candidate));
    return Try(std::move(candidate));
  }

  template <typename Get>
  void ShrinkRange(Get get) {
    while (get(stream_).Size() > 1 && TryChange(get, [](Range& range) { --range.end; })) {
    }
    while (get(stream_).Size() > 1 && TryChange(get, [](Range& range) { ++range.begin; })) {
    }
  }

  template <typename Get>
  void ShrinkBits(Get get) {
    for (uint64_t rest = get(stream_); rest != 0; rest &= rest - 1) {
      const uint64_t bit = rest & (~rest + 1);
      TryChange(get, [bit](uint64_t& bits) { bits &= ~bit; });
    }
  }

  void ShrinkAccess(size_t command, size_t i) {
    const auto access = [=](Stream& stream) -> Access& { return stream[command].accesses[i]; };
    ShrinkRange([=](Stream& stream) -> Range& { return access(stream).range; });
    if (access(stream_).ordering != OrderingRule::kNone) {
      TryChange(access, [](Access& changed) { changed.ordering = OrderingRule::kNone; });
    }
  }

  void ShrinkFlags(size_t command, size_t i) {
    for (uint64_t BarrierFlags::* member :
         {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages, &BarrierFlags::dst_access}) {
      ShrinkBits([=](Stream& stream) -> uint64_t& { return stream[command].dependencies[i].flags.*member; });
    }
  }

  void ShrinkTransition(size_t command, size_t i) {
    const auto change = [=](Stream& stream) -> StreamTransition& { return stream[command].transitions[i]; };
    ShrinkRange([=](Stream& stream) -> Range& { return change(stream).range; });
    for (std::vector<uint32_t> StreamTransition::* list : {&StreamTransition::after, &StreamTransition::before}) {
      for (size_t j = 0; j < (change(stream_).*list).size();) {
        const auto drop = [=](StreamTransition& changed) {
          (changed.*list).erase((changed.*list).begin() + static_cast<ptrdiff_t>(j));
        };
        if (!TryChange(change, drop)) ++j;
      }
    }
  }

  void ShrinkBarrier(size_t command, size_t i) {
    const auto barrier = [=](Stream& stream) -> StreamBarrier& { return stream[command].barriers[i]; };
    if (barrier(stream_).layout_transition) {
      TryChange(barrier, [](StreamBarrier& changed) { changed.layout_transition = false; });
    }
    if (!barrier(stream_).global) {
      if (!barrier(stream_).layout_transition)
        TryChange(barrier, [](StreamBarrier& changed) { changed.global = true; });
      ShrinkRange([=](Stream& stream) -> Range& { return barrier(stream).range; });
    }
    ShrinkBits([=](Stream& stream) -> uint64_t& { return barrier(stream).flags.src_stages; });
    ShrinkBits([=](Stream& stream) -> uint64_t& { return barrier(stream).flags.src_access; });
    ShrinkBits([=](Stream& stream) -> uint64_t& { return barrier(stream).flags.dst_stages; });
    ShrinkBits([=](Stream& stream) -> uint64_t& { return barrier(stream).flags.dst_access; });
  }

  Stream stream_;
  absl::FunctionRef<bool(const Stream&)> fails_;
  bool changed_ = false;
};

}  // namespace

Stream ShrinkStream(Stream stream, absl::FunctionRef<bool(const Stream&)> fails) {
  return Shrinker(std::move(stream), fails).Run();
}

}  // namespace assay::syncval
