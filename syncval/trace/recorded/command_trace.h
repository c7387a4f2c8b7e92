// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_RECORDED_COMMAND_TRACE_H_
#define ASSAY_SYNCVAL_TRACE_RECORDED_COMMAND_TRACE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "messages/messages.h"
#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/trace/recorded/recorded_trace.h"

namespace assay::syncval::trace {

// The trace of one command buffer: the recording in progress, then the finished one. Belongs to the thread that
// records, so it takes no lock.
//
// A command is added when it is recorded, after it was checked: Begin, then its accesses, barriers and regions. The
// check itself adds hazards and possible reads before; they wait for Begin or DropPending.
class CommandTrace : public state::CommandBufferSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kSyncTrace;

  CommandTrace(state::CommandBuffer& buffer, messages::Reporter& reporter);

  // The next four are called during the check of a command.

  // A possible read: the command reads at least a part of this.
  void AddPossibleRead(const RecordedAccess& access) { possible_reads_.push_back(access); }
  void NoteUnknown() { is_unknown_ = true; }
  // prior is the tag of the earlier command. The message's first object is the accessed resource.
  void AddHazard(const messages::Message& message, Tag prior);
  // Drops what the check added: the command will not be recorded.
  void DropPending();

  // The others are called when the command is recorded.

  void Begin(vk::CommandId id);
  // How many commands of SyncRecording's log were added or skipped.
  uint32_t next_tag() const { return static_cast<uint32_t>(trace_->command_of_tag.size()); }
  // Adds one command of that log, which belongs to the command that was begun last.
  void AddAccesses(absl::Span<const RecordedAccess> accesses);
  // Skips one that does not.
  void SkipTag() { trace_->command_of_tag.push_back(kNone); }
  void MarkUnknown();
  // A region begins or ends with the command that was begun last, or with the next if there is none.
  void BeginRegion(TracedRegion::Kind kind, std::string_view name);
  void EndRegion(TracedRegion::Kind kind);
  // Begins the instance of a render pass object, goes on to its next subpass, and ends it. Returns whether the render
  // pass is known.
  bool BeginRenderPass(state::Ref<state::RenderPass> pass);
  bool NextSubpass();
  bool EndRenderPass();
  // Adds a barrier to the command that was begun last. resource is a VkBuffer or VkImage, or 0; ranges are addresses.
  void AddBarrier(TracedBarrier barrier, VkObjectType type, uint64_t resource, absl::Span<const Range> ranges);

  // The recording that ended last; null when there is none.
  const RecordedTraceRef& finished() const { return finished_; }

  void OnBegin(const VkCommandBufferBeginInfo& info) override;
  void OnReset() override;
  void OnEnd() override;
  void OnExecute(absl::Span<const state::ExecutedSecondary> secondaries) override;

 private:
  struct OpenRegion {
    TracedRegion::Kind kind;
    TextIndex name;
    uint32_t first_command;
  };

  TextIndex Intern(std::string_view text);
  uint32_t ResourceOf(VkObjectType type, uint64_t handle);
  TextIndex RangeTextOf(const RecordedAccess& access);
  void Add(const RecordedAccess& access, bool is_possible_read);
  void Close(size_t index, uint32_t end);
  // Adds the dependencies whose second scope begins with the command that was begun last.
  bool AddDependencies(uint32_t dst_subpass);
  void MarkAliased();
  // The border of a region that begins or ends now.
  uint32_t EndOfCommands() const { return trace_->size(); }

  state::CommandBuffer& buffer_;
  messages::Reporter& reporter_;
  std::unique_ptr<RecordedTrace> trace_;
  RecordedTraceRef finished_;
  std::vector<OpenRegion> open_;
  state::Ref<state::RenderPass> render_pass_;
  uint32_t subpass_ = 0;
  absl::flat_hash_map<std::string, TextIndex> text_index_;
  absl::flat_hash_map<uint64_t, uint32_t> resource_index_;
  absl::flat_hash_map<std::pair<uint32_t, std::pair<uint64_t, uint64_t>>, TextIndex> where_index_;

  // Of the command that is being checked.
  struct PendingHazard {
    TracedHazard hazard;
    Tag prior;
  };
  std::vector<RecordedAccess> possible_reads_;
  std::vector<PendingHazard> hazards_;
  bool is_unknown_ = false;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_RECORDED_COMMAND_TRACE_H_
