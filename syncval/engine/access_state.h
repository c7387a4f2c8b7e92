// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESS_STATE_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESS_STATE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/access_mask.h"
#include "syncval/engine/ordering.h"
#include "syncval/engine/types.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// The latest read of one kind since the last write.
struct ReadRecord {
  // The stages whose later work happens after the read.
  VkPipelineStageFlags2 ordered_stages = 0;
  // The read's own stage; 0 for what happens in no stage, and for what another queue did, which no barrier here names.
  VkPipelineStageFlags2 stage = 0;
  Tag tag;
  vk::SyncAccessIndex index = {};
  OrderingRule ordering = OrderingRule::kNone;
  // The context's own queue is where its own accesses are; see QueueIndex.
  QueueIndex queue = {};

  bool IsOf(vk::SyncAccessIndex kind, QueueIndex where) const { return index == kind && queue == where; }
  friend bool operator==(const ReadRecord&, const ReadRecord&) = default;
};

// What is known of bytes that have all been used alike. engine.h defines the algebra; each member there has the name of
// a set here.
struct AccessState {
  static constexpr uint32_t kInlineReads = 2;
  static constexpr uint32_t kNoSpill = ~uint32_t{0};

  // Of the last write, if there is one: the accesses it is visible to, and the stages that happen after it was made
  // available.
  SyncAccessMask visible_to;
  VkPipelineStageFlags2 available_stages = 0;
  // Of all reads since, of other commands than the write's: their stages, and the stages whose later work happens after
  // any of them.
  VkPipelineStageFlags2 read_stages = 0;
  VkPipelineStageFlags2 after_read_stages = 0;
  Tag write_tag;
  vk::SyncAccessIndex write_index = vk::kSyncNone;
  // As write_index, or none if the write is another queue's: what barriers and ordering rules here can name.
  vk::SyncAccessIndex source_index = vk::kSyncNone;
  QueueIndex write_queue = {};
  // How much of the barrier log has been applied.
  uint32_t epoch = 0;
  uint32_t read_count = 0;
  // Where the reads are once there are more than fit here.
  uint32_t spill = kNoSpill;
  std::array<ReadRecord, kInlineReads> inline_reads;

  bool HasWrite() const { return write_index != vk::kSyncNone; }
  void ForgetWrite() {
    visible_to = SyncAccessMask();
    available_stages = 0;
    write_tag = Tag();
    write_index = vk::kSyncNone;
    source_index = vk::kSyncNone;
    write_queue = {};
  }
};

static_assert(sizeof(ReadRecord) == 24 && sizeof(AccessState) == 120, "a map of many ranges has one for each");

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
  void AddRead(AccessState& state, const ReadRecord& read);
  void ClearReads(AccessState& state) {
    if (state.spill != AccessState::kNoSpill) [[unlikely]]
      ReleaseSpill(state);
    state.read_count = 0;
  }
  // Drops the reads of commands other than tag's.
  void KeepReadsOf(AccessState& state, Tag tag);
  template <typename Predicate>
  void RemoveReadsIf(AccessState& state, Predicate&& predicate) {
    const absl::Span<ReadRecord> reads = Reads(state);
    KeepFirstReads(state, static_cast<uint32_t>(std::remove_if(reads.begin(), reads.end(), predicate) - reads.begin()));
  }

  // Whether two states are alike in everything.
  bool Same(uint32_t a, uint32_t b);

 private:
  void KeepFirstReads(AccessState& state, uint32_t count);
  void ReleaseSpill(AccessState& state);
  uint32_t NewSpill();

  std::vector<AccessState> states_;
  std::vector<uint32_t> free_states_;
  // A vector whose number is in free_spills_ keeps its memory for the next use.
  std::vector<std::vector<ReadRecord>> spills_;
  std::vector<uint32_t> free_spills_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESS_STATE_H_
