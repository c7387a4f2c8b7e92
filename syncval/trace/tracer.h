// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TRACER_H_
#define ASSAY_SYNCVAL_TRACE_TRACER_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "state/state.h"
#include "syncval/commands/sync_validator.h"
#include "syncval/queues/queue_sync.h"
#include "syncval/recording/recording.h"
#include "syncval/trace/output/trace_file.h"
#include "syncval/trace/recorded/command_trace.h"
#include "syncval/trace/timeline/timeline.h"
#include "syncval/trace/timeline/traced_run.h"
#include "vk/commands.h"

namespace assay::syncval::trace {

template <class C>
concept LabelCommand =
    OneOf<C, vk::CmdBeginDebugUtilsLabelEXT, vk::CmdEndDebugUtilsLabelEXT, vk::CmdInsertDebugUtilsLabelEXT,
          vk::CmdDebugMarkerBeginEXT, vk::CmdDebugMarkerEndEXT, vk::CmdDebugMarkerInsertEXT>;

// Commands that act, synchronize or execute others. Commands that only set state are in no trace.
template <class C>
concept TracedCommand =
    C::kDispatch == vk::DispatchLevel::kCommandBuffer && std::is_void_v<typename C::Result> &&
    (C::kTasks & (vk::kTaskAction | vk::kTaskSynchronization | vk::kTaskIndirection)) != 0 && !LabelCommand<C>;

// The hooks and the queue observer of one device that is traced. Must be made and attached after SyncValidator, whose
// recordings it reads, and destroyed before DeviceState. Its destructor writes the trace.
class Tracer final : public state::QueueObserver {
 public:
  Tracer(state::DeviceState& state, SyncValidator& validator, const std::string& path, uint32_t limit);
  ~Tracer();

  template <TracedCommand C>
  void PreCallRecord(const C& call) {
    AddCommand<C>(call.commandBuffer);
  }
  template <TracedCommand C>
  void CallSkipped(const C& call) {
    if (CommandTrace* trace = TraceOf(call.commandBuffer)) Skip(*trace, call.commandBuffer);
  }

  void PreCallRecord(const vk::CmdBeginDebugUtilsLabelEXT& call);
  void PreCallRecord(const vk::CmdEndDebugUtilsLabelEXT& call);
  void PreCallRecord(const vk::CmdDebugMarkerBeginEXT& call);
  void PreCallRecord(const vk::CmdDebugMarkerEndEXT& call);

  void PreCallRecord(const vk::CmdBeginRendering& call);
  void PreCallRecord(const vk::CmdEndRendering& call);
  void PreCallRecord(const vk::CmdBeginRenderPass& call);
  void PreCallRecord(const vk::CmdBeginRenderPass2& call);
  void PreCallRecord(const vk::CmdNextSubpass& call);
  void PreCallRecord(const vk::CmdNextSubpass2& call);
  void PreCallRecord(const vk::CmdEndRenderPass& call);
  void PreCallRecord(const vk::CmdEndRenderPass2& call);

  void PreCallRecord(const vk::CmdPipelineBarrier& call);
  void PreCallRecord(const vk::CmdPipelineBarrier2& call);
  void PreCallRecord(const vk::CmdWaitEvents& call);
  void PreCallRecord(const vk::CmdWaitEvents2& call);

  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;

 private:
  static CommandTrace* TraceOf(VkCommandBuffer buffer) {
    const state::CommandBuffer* const state = state::DeviceState::Get(buffer);
    return state != nullptr ? state->Sub<CommandTrace>() : nullptr;
  }

  // Adds a command with the accesses that the validator logged for it. Null when the handle is invalid.
  template <class C>
  CommandTrace* AddCommand(VkCommandBuffer buffer) {
    CommandTrace* const trace = TraceOf(buffer);
    if (trace == nullptr) return nullptr;
    trace->Begin(C::kId);
    AddLoggedAccesses(*trace, buffer);
    if (UnmodelledCommand<C>) trace->MarkUnknown();
    return trace;
  }
  // Adds the accesses that the validator logged for the command, if any.
  static void AddLoggedAccesses(CommandTrace& trace, VkCommandBuffer buffer);
  static void Skip(CommandTrace& trace, VkCommandBuffer buffer);

  template <class C>
  void BeginLabel(const C& call, const char* name);
  template <class C>
  void BeginRenderPass(const C& call);
  template <class C>
  void NextSubpass(const C& call);
  template <class C>
  void EndRenderPass(const C& call);
  template <class C>
  void AddBarriers(const C& call, bool is_event);

  std::string Describe(VkObjectType type, uint64_t handle) const;
  TracedBatch TraceBatch(const state::SubmittedBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddHazard(const SubmissionHazard& hazard, const messages::Message& message);
  uint32_t QueueOf(const state::Queue& queue) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  messages::Reporter& reporter_;
  TraceFile& file_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const DeviceNumber device_;
  absl::Mutex mutex_;
  // Whether the file has the queue, by its index.
  std::vector<bool> known_queues_ ABSL_GUARDED_BY(mutex_);
  // By index of the queue: the serial of its last batch.
  std::vector<uint64_t> traced_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TRACER_H_
