// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_STATE_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_STATE_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/ordering.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/accesses/transition_flags.h"
#include "syncval/engine/ranges/types.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// A single stage, inside or outside of the current subpass, or none.
class StageCode {
 public:
  constexpr StageCode() = default;
  constexpr StageCode(VkPipelineStageFlags2 stage, bool is_inside)
      : code_(stage == 0 ? kNone : static_cast<uint8_t>(std::countr_zero(stage) | (is_inside ? kInside : 0))) {}

  constexpr bool is_none() const { return code_ == kNone; }
  constexpr bool is_inside() const { return (code_ & ~0x3f) == kInside; }
  constexpr StageSet ToSet() const {
    if (is_none()) return {};
    const VkPipelineStageFlags2 stage = VkPipelineStageFlags2{1} << (code_ & 0x3f);
    return is_inside() ? StageSet(0, stage) : StageSet(stage);
  }
  // Whether the set has it.
  constexpr bool IsIn(const StageSet& set) const {
    return !is_none() && (((is_inside() ? set.inside : set.outside) >> (code_ & 0x3f)) & 1) != 0;
  }
  constexpr void MoveOutside() {
    if (is_inside()) code_ &= 0x3f;
  }
  friend constexpr bool operator==(const StageCode&, const StageCode&) = default;

 private:
  static constexpr uint8_t kInside = 0x40;
  static constexpr uint8_t kNone = 0x80;
  uint8_t code_ = kNone;
};

// The latest read of one kind since the last write.
struct ReadRecord {
  // D: the stages whose later work happens after the read.
  StageSet ordered_stages;
  Tag tag;
  vk::SyncAccessIndex index = {};
  OrderingRule ordering = OrderingRule::kNone;
  // In the context of a command buffer, 0.
  QueueIndex queue = {};
  // The read's own. None for a read in no stage, and for a read of another queue, which no barrier here names.
  StageCode stage;

  // An atomic or possible read does not conflict with all that another one does, so it is a kind of its own.
  bool IsOf(vk::SyncAccessIndex kind, OrderingRule rule, QueueIndex where) const {
    return index == kind && queue == where && KindOf(ordering) == KindOf(rule);
  }
  bool IsLike(const ReadRecord& other) const { return IsOf(other.index, other.ordering, other.queue); }
  friend bool operator==(const ReadRecord&, const ReadRecord&) = default;
};

// The state of bytes that have all been accessed alike. The letters are those of the sets in engine.h, which defines
// the algebra.
struct AccessState {
  static constexpr uint32_t kInlineReads = 2;
  static constexpr uint32_t kNoSpill = ~uint32_t{0};

  // V: the accesses that the last write is visible to.
  AccessSet visible_to;
  // C: the stages ordered after the last write was made available. Carries its transition flags too.
  StageSet available_stages;
  // S: the stages of all reads since, except those of the write's command.
  StageSet read_stages;
  // K: the stages whose later work happens after any of these reads, replaced ones included.
  StageSet after_read_stages;
  // W: the last write, if there is one.
  Tag write_tag;
  vk::SyncAccessIndex write_index = vk::kSyncNone;
  // As write_index, but none for a write of another queue, which no barrier or ordering rule here names.
  vk::SyncAccessIndex source_index = vk::kSyncNone;
  QueueIndex write_queue = {};
  // Whether the last write is of the current subpass.
  bool is_write_inside = false;
  // kAtomic if all writes of the last write's command are atomic, else kNone.
  OrderingRule write_ordering = OrderingRule::kNone;
  // How much of the barrier log has been applied.
  uint32_t epoch = 0;
  uint32_t read_count = 0;
  // Where the pool has the reads once there are more than fit here.
  uint32_t spill = kNoSpill;
  std::array<ReadRecord, kInlineReads> inline_reads;

  bool HasWrite() const { return write_index != vk::kSyncNone; }
  // Of a last write that is a layout transition. A later write clears them.
  TransitionFlags transition_flags() const { return available_stages.transition_flags(); }
  void AddTransitionFlags(TransitionFlags flags) { available_stages.AddTransitionFlags(flags); }
  void ForgetWrite() {
    visible_to = AccessSet();
    available_stages = StageSet();
    write_tag = Tag();
    write_index = vk::kSyncNone;
    source_index = vk::kSyncNone;
    write_queue = {};
    is_write_inside = false;
    write_ordering = OrderingRule::kNone;
  }
};

static_assert(sizeof(ReadRecord) == 32 && sizeof(AccessState) == 208, "a map of many ranges has one for each");

// The states of a context, by number, with the read records that do not fit in them.
class StatePool {
 public:
  uint32_t Add();
  // A copy of a state that may be another pool's; reads are its.
  uint32_t Add(const AccessState& copied, absl::Span<const ReadRecord> reads);
  uint32_t Copy(uint32_t number);
  void Remove(uint32_t number);
  void Clear();

  AccessState& operator[](uint32_t number) { return states_[number]; }
  uint32_t NumberOf(const AccessState& state) const { return static_cast<uint32_t>(&state - states_.data()); }

  absl::Span<ReadRecord> Reads(AccessState& state) {
    if (state.spill == AccessState::kNoSpill) [[likely]]
      return {state.inline_reads.data(), state.read_count};
    return absl::MakeSpan(spills_[state.spill]);
  }
  void AddRead(AccessState& state, const ReadRecord& read) {
    if (state.spill == AccessState::kNoSpill && state.read_count < AccessState::kInlineReads) [[likely]] {
      state.inline_reads[state.read_count++] = read;
    } else {
      AddToSpill(state, read);
    }
  }
  void ClearReads(AccessState& state) {
    if (state.spill != AccessState::kNoSpill) [[unlikely]]
      ReleaseSpill(state);
    state.read_count = 0;
  }
  // Drops the reads of commands other than tag's.
  void KeepReadsOf(AccessState& state, Tag tag) {
    if (state.spill == AccessState::kNoSpill) [[likely]] {
      uint32_t kept = 0;
      for (uint32_t i = 0; i < state.read_count; ++i) {
        if (state.inline_reads[i].tag == tag) state.inline_reads[kept++] = state.inline_reads[i];
      }
      state.read_count = kept;
    } else {
      RemoveReadsIf(state, [tag](const ReadRecord& read) { return read.tag != tag; });
    }
  }
  template <typename Predicate>
  void RemoveReadsIf(AccessState& state, Predicate&& predicate) {
    const absl::Span<ReadRecord> reads = Reads(state);
    KeepFirstReads(state, static_cast<uint32_t>(std::remove_if(reads.begin(), reads.end(), predicate) - reads.begin()));
  }

  // Whether two states are alike in everything.
  bool Same(uint32_t a, uint32_t b);

 private:
  void AddToSpill(AccessState& state, const ReadRecord& read);
  void KeepFirstReads(AccessState& state, uint32_t count);
  void ReleaseSpill(AccessState& state);
  uint32_t NewSpill();

  std::vector<AccessState> states_;
  std::vector<uint32_t> free_states_;
  // A vector whose number is in free_spills_ keeps its memory for the next time.
  std::vector<std::vector<ReadRecord>> spills_;
  std::vector<uint32_t> free_spills_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_STATE_H_
