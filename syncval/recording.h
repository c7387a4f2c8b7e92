// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_H_
#define ASSAY_SYNCVAL_RECORDING_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/engine/engine.h"
#include "vk/command_id.h"

namespace assay::syncval {

// RecordedAccess::index of a member that is no array.
inline constexpr uint32_t kNoIndex = ~0u;

// One access of a recorded command, in words a report can use.
struct RecordedAccess {
  Range range;
  // The VkBuffer or VkImage.
  uint64_t resource = 0;
  VkObjectType resource_type = VK_OBJECT_TYPE_UNKNOWN;
  // The index of member, or, for a descriptor (no member), set number << 24 | binding.
  uint32_t index = 0;
  // The parameter that the access comes from, e.g. "pRegions"; a string literal. Null for a descriptor.
  const char* member = nullptr;
  vk::SyncAccessIndex access = vk::kSyncNone;
  // As Access::region.
  uint64_t region = 0;

  operator Access() const { return {.range = range, .index = access, .region = region}; }
};

struct RecordedCommand {
  vk::CommandId id;
  // Among all commands of the command buffer.
  uint32_t position;
  // See state::CommandBuffer::LabelsOf.
  uint32_t label_path;
  // Index of its first RecordedAccess; the next command's ends them.
  uint32_t first_access;
};

// What synchronization validation keeps with a command buffer.
class SyncRecording : public state::CommandBufferSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kSyncval;

  explicit SyncRecording(state::CommandBuffer& buffer) : buffer_(buffer) {}

  state::CommandBuffer& buffer() const { return buffer_; }
  VkQueueFlags queue_flags() const { return buffer_.pool.queue_flags; }

  // Enters a command into the log; its accesses follow by Add.
  Tag Begin(vk::CommandId id) {
    commands_.push_back({id, buffer_.command_count, buffer_.label_path(), static_cast<uint32_t>(accesses_.size())});
    return Tag{static_cast<uint32_t>(commands_.size() - 1)};
  }
  void Add(const RecordedAccess& access) { accesses_.push_back(access); }
  // Takes the last command out again, since it is not going to be recorded.
  void Abandon() {
    accesses_.resize(commands_.back().first_access);
    commands_.pop_back();
  }

  const RecordedCommand& CommandAt(Tag tag) const { return commands_[tag.value]; }
  absl::Span<const RecordedAccess> AccessesOf(Tag tag) const;

  // What a bind point held when a command that only reads was last found in order. While only reads are recorded, the
  // same again is in order too, and its reads are already recorded.
  struct ReadOnlyUse {
    VkPipeline pipeline = VK_NULL_HANDLE;
    uint64_t sets_key = 0;
    // Of the context; its first is not 0 by the time that anything is recorded.
    uint64_t version = 0;
    bool operator==(const ReadOnlyUse&) const = default;
  };
  ReadOnlyUse& RememberedUse(const state::BindPointState& bindings) {
    return read_only_uses_[bindings.sets_key % kReadOnlyUses];
  }
  ReadOnlyUse UseOf(const state::BindPointState& bindings) const {
    return {bindings.pipeline, bindings.sets_key, context.version()};
  }

  // Takes everything so far for ordered before everything that follows.
  void OrderEverything() { context.Reset(); }

  // The command may access memory in ways that are not modelled (a draw's attachments, a descriptor array, a device
  // address). If it reads what an earlier write wrote, it hands its view on to what is ordered after it, so that what
  // looks like an unsynchronized write after that write may be none.
  void NoteUnknownAccess(Tag tag) { last_unknown_access_ = static_cast<int64_t>(tag.value); }
  bool HasUnknownAccessSince(Tag tag) const { return last_unknown_access_ > static_cast<int64_t>(tag.value); }

  void OnReset() override {
    context.Reset();
    commands_.clear();
    accesses_.clear();
    last_unknown_access_ = -1;
  }

  AccessContext context;
  BarrierCache barriers;

 private:
  static constexpr size_t kReadOnlyUses = 64;

  state::CommandBuffer& buffer_;
  std::array<ReadOnlyUse, kReadOnlyUses> read_only_uses_;
  // Both keep their memory through resets.
  std::vector<RecordedCommand> commands_;
  std::vector<RecordedAccess> accesses_;
  int64_t last_unknown_access_ = -1;
};

static_assert(sizeof(RecordedAccess) <= 56, "one is appended for each access while recording");

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_H_
