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
  // The stages whose later work happens after the read.
  StageSet ordered_stages;
  Tag tag;
  vk::SyncAccessIndex index = {};
  OrderingRule ordering = OrderingRule::kNone;
  // The context's own queue is where its own accesses are; see QueueIndex.
  QueueIndex queue = {};
  // The read's own; none for what happens in no stage, and for what another queue did, which no barrier here names.
  StageCode stage;

  bool IsOf(vk::SyncAccessIndex kind, QueueIndex where) const { return index == kind && queue == where; }
  bool IsLike(const ReadRecord& other) const { return IsOf(other.index, other.queue); }
  friend bool operator==(const ReadRecord&, const ReadRecord&) = default;
};

// What is known of bytes that have all been accessed alike. engine.h defines the algebra; each member there has the
// name of a set here.
struct AccessState {
  static constexpr uint32_t kInlineReads = 2;
  static constexpr uint32_t kNoSpill = ~uint32_t{0};

  // Of the last write, if there is one: the accesses it is visible to, and the stages that happen after it was made
  // available.
  AccessSet visible_to;
  StageSet available_stages;
  // Of all reads since, of other commands than the write's: their stages, and the stages whose later work happens after
  // any of them.
  StageSet read_stages;
  StageSet after_read_stages;
  Tag write_tag;
  vk::SyncAccessIndex write_index = vk::kSyncNone;
  // As write_index, or none if the write is another queue's: what barriers and ordering rules here can name.
  vk::SyncAccessIndex source_index = vk::kSyncNone;
  QueueIndex write_queue = {};
  // Whether the last write is of the current subpass.
  bool is_write_inside = false;
  // How much of the barrier log has been applied.
  uint32_t epoch = 0;
  uint32_t read_count = 0;
  // Where the reads are once there are more than fit here.
  uint32_t spill = kNoSpill;
  std::array<ReadRecord, kInlineReads> inline_reads;

  bool HasWrite() const { return write_index != vk::kSyncNone; }
  void ForgetWrite() {
    visible_to = AccessSet();
    available_stages = StageSet();
    write_tag = Tag();
    write_index = vk::kSyncNone;
    source_index = vk::kSyncNone;
    write_queue = {};
    is_write_inside = false;
  }
};

static_assert(sizeof(ReadRecord) == 32 && sizeof(AccessState) == 208, "a map of many ranges has one for each");

// Holds the states of a context, found by number, with the read records that do not fit in them.
class StatePool {
 public:
  uint32_t Add();
  uint32_t Copy(uint32_t number);
  void Remove(uint32_t number);
  void Clear();

  AccessState& operator[](uint32_t number) { return states_[number]; }

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
