// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_RECORDING_H_
#define ASSAY_SYNCVAL_RECORDING_RECORDING_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/accesses/attachments.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/accesses/render_pass_plan.h"
#include "syncval/engine/engine.h"
#include "vk/command_id.h"

namespace assay::syncval {

namespace trace {
class CommandTrace;
}

struct RecordedCommand {
  vk::CommandId id;
  // Among all commands of the command buffer, which for those of secondaries is the secondary.
  uint32_t position;
  // See state::CommandBuffer::LabelsOf.
  uint32_t label_path;
  // Index of its first RecordedAccess; the next command's ends them.
  uint32_t first_access;
  // Whether it is in a render pass instance, where few barriers have a place.
  bool is_in_instance;
};

// The commands of a secondary in the log of the primary that executes it.
struct ExecutedCommands {
  // The vkCmdExecuteCommands, and one past the last of them.
  Tag execute;
  Tag end;
  state::Ref<state::CommandBuffer> secondary;
};

// What a command did with an event.
struct EventOperation {
  enum class Kind : uint8_t { kSet, kReset, kWait };
  Kind kind;
  Tag tag;
  uint64_t event;
};

// A hazard between two commands of one recording by memory that a sparse buffer had at the time: one, if it has that
// still when the recording is submitted.
struct SparseMemoryHazard {
  // The part of it that conflicts.
  RecordedAccess access;
  Tag tag;
  Hazard hazard;
  Suggestion fix;
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
    commands_.push_back({id, buffer_.command_count, buffer_.label_path(), static_cast<uint32_t>(accesses_.size()),
                         buffer_.rendering.is_active()});
    return Tag{static_cast<uint32_t>(commands_.size() - 1)};
  }
  // Of the command that is entered next.
  Tag NextTag() const { return Tag{static_cast<uint32_t>(commands_.size())}; }
  void Add(const RecordedAccess& access) { accesses_.push_back(access); }
  // Takes the last command out again, since it is not going to be recorded.
  void RemoveLastCommand() {
    accesses_.shrink(commands_.back().first_access);
    commands_.pop_back();
    while (!event_operations_.empty() && event_operations_.back().tag >= NextTag()) event_operations_.pop_back();
  }

  const RecordedCommand& CommandAt(Tag tag) const { return commands_[tag.value]; }
  uint32_t command_count() const { return static_cast<uint32_t>(commands_.size()); }
  absl::Span<const RecordedAccess> AccessesOf(Tag tag) const;
  // Null when the log has no such access.
  const RecordedAccess* FindAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const;

  // Whether the earlier access of the hazard, by this command, is of the resource that `access` is of. An access that
  // is of_memory does not say which part of the image it is to, and only differs with those by other resources.
  bool IsOfSameResource(const RecordedAccess& access, Tag prior, const Hazard& hazard) const;

  // Whether a command of the log accesses the range by another resource that aliases this one.
  bool IsAliased(uint64_t resource, const Range& range) const;

  // Where bytes of a sparse buffer that may share its memory lie now. Bindings may change until submission, and what is
  // recorded with them is void then.
  state::ByteRanges SparseMemoryRangesOf(const state::Buffer& buffer, VkDeviceSize offset, VkDeviceSize size);
  // Whether the access is of memory that the buffer may not have any more.
  bool IsOutdated(const RecordedAccess& access) const {
    return access.is_of_sparse_memory && IsRebound(access.resource);
  }
  // Whether any access is.
  bool HasOutdatedBindings() const;
  // Whether one of the two accesses is_of_sparse_memory, so that only a submission can say that they conflict.
  bool IsBySparseMemory(const RecordedAccess& access, const Hazard& hazard) const;
  void Add(const SparseMemoryHazard& hazard) { sparse_memory_hazards_.push_back(hazard); }
  absl::Span<const SparseMemoryHazard> sparse_memory_hazards() const { return sparse_memory_hazards_; }

  // Enters the vkCmdExecuteCommands with this tag, which was begun last, with the log of one of its secondaries, and
  // replays that. on_hazard(const ReplayHazard&) as of AccessContext::Replay, with a tag of this log.
  void Execute(Tag execute, SyncRecording& secondary, AccessContext::OnHazard on_hazard);
  // Null for a command of the command buffer itself.
  const ExecutedCommands* FindExecuted(Tag tag) const;

  // What a bind point held when a command that only reads was last found in order. While only reads are recorded, the
  // same again is in order too, and its reads are already recorded.
  struct ReadOnlyAccessKey {
    VkPipeline pipeline = VK_NULL_HANDLE;
    uint64_t sets_key = 0;
    // Of the context; its first is not 0 by the time that anything is recorded.
    uint64_t version = 0;
    bool operator==(const ReadOnlyAccessKey&) const = default;
  };
  bool HasRecordedReads(const ReadOnlyAccessKey& key) const {
    const auto is_same = [&](const ReadOnlyAccessKey& other) { return other == key; };
    return recorded_reads_[key.sets_key % kRecordedReadSets].Find(is_same) != nullptr && trace_ == nullptr;
  }
  void NoteRecordedReads(const ReadOnlyAccessKey& key) {
    recorded_reads_[key.sets_key % kRecordedReadSets].Put(key, [&](const ReadOnlyAccessKey& other) {
      return other.sets_key == key.sets_key && other.pipeline == key.pipeline;
    });
  }
  ReadOnlyAccessKey ReadOnlyKeyOf(const state::BindPointState& bindings) const {
    return {bindings.pipeline, bindings.sets_key, context.version()};
  }

  // All that decides what a draw accesses, except for its own parameters.
  struct DrawAccessKey {
    VkPipeline pipeline = VK_NULL_HANDLE;
    uint64_t sets_key = 0;
    uint64_t draw_key = 0;
    // Of the context and of the RenderPassInstance.
    uint64_t version = 0;
    uint32_t rendering = 0;

    // Without a branch for each member: for most draws all are equal.
    bool operator==(const DrawAccessKey& other) const {
      return ((reinterpret_cast<uint64_t>(pipeline) ^ reinterpret_cast<uint64_t>(other.pipeline)) |
              (sets_key ^ other.sets_key) | (draw_key ^ other.draw_key) | (version ^ other.version) |
              (rendering ^ other.rendering)) == 0;
    }
  };
  // A draw's parameters, equal when they are the same and practically never otherwise.
  struct DrawParameters {
    // The command's number plus one; 0 for a draw that is like no other.
    uint64_t command = 0;
    std::array<uint64_t, 4> words = {};

    bool operator==(const DrawParameters& other) const {
      uint64_t difference = command ^ other.command;
      for (size_t i = 0; i < words.size(); ++i) difference |= words[i] ^ other.words[i];
      return difference == 0 && command != 0;
    }
  };
  // A draw that was found in order. The same again is in order too, whatever it writes: attachments are written in
  // rasterization order, and storage that draws of one instance share is not compared (see ReportAccessHazards).
  struct RecordedDraw {
    DrawAccessKey key;
    DrawParameters parameters;
  };
  RecordedDraw& RecordedDrawFor(const DrawAccessKey& key) {
    const uint64_t hash = key.draw_key ^ key.sets_key ^ reinterpret_cast<uint64_t>(key.pipeline);
    RecordedDraw& draw = draws_[(hash * 0x9E3779B97F4A7C15u) >> 58];
    if (trace_ != nullptr) [[unlikely]]
      draw = {};
    return draw;
  }
  DrawAccessKey CurrentDrawKey() const {
    const state::BindPointState& bindings = buffer_.At(VK_PIPELINE_BIND_POINT_GRAPHICS);
    return {bindings.pipeline, bindings.sets_key, buffer_.draw.key(), context.version(), buffer_.rendering.version()};
  }

  // What a draw accesses besides vertex, index and argument buffers.
  struct DrawStateAccessKey {
    VkPipeline pipeline = VK_NULL_HANDLE;
    uint64_t sets_key = 0;
    uint64_t draw_key = 0;
    uint64_t version = 0;
    uint32_t rendering = 0;
    bool operator==(const DrawStateAccessKey&) const = default;
  };
  // Found in order with the last draw of the pipeline, and recorded. While the context's version stays it need not be
  // again.
  DrawStateAccessKey& RecordedDrawStateOf(VkPipeline pipeline) {
    DrawStateAccessKey& key = draw_states_[(reinterpret_cast<uint64_t>(pipeline) * 0x9E3779B97F4A7C15u) >> 58];
    if (trace_ != nullptr) [[unlikely]]
      key = {};
    return key;
  }
  DrawStateAccessKey CurrentDrawStateKey() const {
    const state::BindPointState& bindings = buffer_.At(VK_PIPELINE_BIND_POINT_GRAPHICS);
    return {bindings.pipeline, bindings.sets_key, buffer_.draw.key_without_input(), context.version(),
            buffer_.rendering.version()};
  }

  // A render pass instance begins with this command, or, if it resumes another, goes on.
  void BeginInstance(Tag tag, bool resumes) {
    if (resumes) {
      resumed_end_ = UINT32_MAX;
      return;
    }
    instance_begin_ = tag.value;
    resumed_end_ = std::min(resumed_end_, tag.value);
  }
  // Whether a command is of the instance that the last one is in.
  bool IsInCurrentInstance(Tag tag) const { return buffer_.rendering.is_active() && tag.value >= instance_begin_; }

  // Whether a command may be of an instance that another command buffer began.
  bool IsInResumedInstance(Tag tag) const { return tag.value < resumed_end_; }

  // What the draws of a secondary command buffer do with the attachments of the instance that it continues.
  void NoteInheritedAccesses(AttachmentAccesses accesses) { inherited_accesses_ |= accesses; }
  AttachmentAccesses inherited_accesses() const { return inherited_accesses_; }

  // A subpass begins, of a render pass object, with this command.
  void BeginSubpass(uint32_t subpass, Tag tag) {
    if (subpass == 0) subpass_begins_.clear();
    subpass_begins_.push_back(tag);
    BeginInstance(tag, false);
  }
  // The subpass that a command is of in the current instance; VK_SUBPASS_EXTERNAL for what was before.
  uint32_t SubpassOf(Tag tag) const;
  uint32_t current_subpass() const { return static_cast<uint32_t>(subpass_begins_.size() - 1); }
  const RenderPassPlan& PlanOf(const state::RenderPass& render_pass);

  // Leaves nothing to be compared with.
  void ResetContext() {
    context.Reset();
    if (buffer_.rendering.kind() == state::RenderPassInstance::Kind::kRenderPass) context.InheritSubpass();
  }
  // Takes everything so far for ordered before everything that follows.
  void OrderEverything() { context.OrderEverything(); }

  // In the order of recording; for reports.
  void NoteEvent(const EventOperation& operation) { event_operations_.push_back(operation); }
  absl::Span<const EventOperation> event_operations() const { return event_operations_; }
  // The command waits for the host, which may have waited for anything, on any queue.
  void OrderEverythingByHost() {
    OrderEverything();
    waits_for_host_ = true;
  }
  bool waits_for_host() const { return waits_for_host_; }

  // The command may access memory in ways that are not modelled (a descriptor array, a device address, the
  // vertices of an indexed draw). If it reads what an earlier write wrote, it hands its view on to what is ordered
  // after it, so that what looks like an unsynchronized write after that write may be none.
  void NoteUnknownAccess(Tag tag) {
    if (!HasUnknownAccess()) first_unknown_access_ = tag;
    last_unknown_access_ = static_cast<int64_t>(tag.value);
  }
  bool HasUnknownAccessSince(Tag tag) const { return last_unknown_access_ > static_cast<int64_t>(tag.value); }
  bool HasUnknownAccess() const { return last_unknown_access_ >= 0; }
  // Where there is one.
  Tag last_unknown_access() const { return Tag{static_cast<uint32_t>(last_unknown_access_)}; }
  bool HasUnknownAccessBefore(Tag tag) const { return HasUnknownAccess() && first_unknown_access_ < tag; }

  // From now on the trace is told what only validation knows, and nothing is left out because it was there before: the
  // accesses of every command are to be seen.
  void SetTrace(trace::CommandTrace& trace) { trace_ = &trace; }
  // Null when there is none.
  trace::CommandTrace* trace() const { return trace_; }

  void OnBegin(const VkCommandBufferBeginInfo&) override {
    if (buffer_.rendering.kind() == state::RenderPassInstance::Kind::kRenderPass) context.InheritSubpass();
    if (buffer_.rendering.is_inherited()) attachments.BeginInherited();
  }
  void OnReset() override {
    context.Reset();
    commands_.clear();
    accesses_.clear();
    executed_.clear();
    event_operations_.clear();
    waits_for_host_ = false;
    sparse_memory_hazards_.clear();
    sparse_buffers_.clear();
    sparse_lookup_time_ = UINT64_MAX;
    last_unknown_access_ = -1;
    instance_begin_ = 0;
    resumed_end_ = 0;
    attachments.End();
    inherited_accesses_ = 0;
  }

  AccessContext context;
  BarrierCache barriers;
  // Of the render pass instance that is being recorded.
  Attachments attachments;

 private:
  static constexpr size_t kRecordedReadSets = 32;
  static constexpr size_t kDraws = 64;
  static constexpr size_t kDrawStates = 64;
  static constexpr size_t kPlans = 16;

  struct Plan {
    state::Ref<state::RenderPass> render_pass;
    std::unique_ptr<RenderPassPlan> plan;
  };

  state::CommandBuffer& buffer_;
  trace::CommandTrace* trace_ = nullptr;
  std::array<CacheSet<ReadOnlyAccessKey, 4>, kRecordedReadSets> recorded_reads_;
  std::array<RecordedDraw, kDraws> draws_;
  std::array<DrawStateAccessKey, kDrawStates> draw_states_;
  std::array<Plan, kPlans> plans_;
  // By subpass of the current instance of a render pass object.
  std::vector<Tag> subpass_begins_;
  // Both keep their memory through resets.
  GrowingArray<RecordedCommand> commands_;
  GrowingArray<RecordedAccess> accesses_;
  std::vector<ExecutedCommands> executed_;
  std::vector<EventOperation> event_operations_;
  bool waits_for_host_ = false;
  void NoteSparseBuffer(uint64_t buffer);
  // Whether the buffer's memory has changed since it was looked up.
  bool IsRebound(uint64_t buffer) const;

  std::vector<SparseMemoryHazard> sparse_memory_hazards_;
  // Those that SparseMemoryRangesOf was asked for.
  std::vector<uint64_t> sparse_buffers_;
  // As state::SparseMemory::Now() was when the first of SparseMemoryRangesOf were looked up.
  uint64_t sparse_lookup_time_ = UINT64_MAX;
  // Of a secondary that may be executed by several primaries, which several threads may record: a replay keeps its plan
  // in the context.
  absl::Mutex replay_;
  int64_t last_unknown_access_ = -1;
  // Where there is one.
  Tag first_unknown_access_;
  uint32_t instance_begin_ = 0;
  uint32_t resumed_end_ = 0;
  AttachmentAccesses inherited_accesses_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_RECORDING_H_
