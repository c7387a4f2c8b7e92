// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_SYNC_VALIDATOR_H_
#define ASSAY_SYNCVAL_COMMANDS_SYNC_VALIDATOR_H_

#include <concepts>
#include <functional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "syncval/queues/queue_sync.h"
#include "syncval/recording/recording.h"
#include "vk/commands.h"

namespace assay::syncval {

template <class C, class... Cs>
concept OneOf = (std::same_as<C, Cs> || ...);

// Action commands outside of render passes that SyncValidator models, or that access no memory.
template <class C>
concept ModelledAction =
    OneOf<C, vk::CmdCopyBuffer, vk::CmdCopyBuffer2, vk::CmdCopyImage, vk::CmdCopyImage2, vk::CmdCopyBufferToImage,
          vk::CmdCopyBufferToImage2, vk::CmdCopyImageToBuffer, vk::CmdCopyImageToBuffer2, vk::CmdBlitImage,
          vk::CmdBlitImage2, vk::CmdResolveImage, vk::CmdResolveImage2, vk::CmdFillBuffer, vk::CmdUpdateBuffer,
          vk::CmdClearColorImage, vk::CmdClearDepthStencilImage, vk::CmdCopyQueryPoolResults, vk::CmdDispatch,
          vk::CmdDispatchBase, vk::CmdDispatchIndirect, vk::CmdBeginRenderPass, vk::CmdBeginRenderPass2,
          vk::CmdBeginRendering, vk::CmdBeginConditionalRenderingEXT, vk::CmdBuildAccelerationStructuresKHR,
          vk::CmdBuildAccelerationStructuresIndirectKHR, vk::CmdResetQueryPool, vk::CmdExecuteCommands,
          vk::CmdTraceRaysKHR, vk::CmdTraceRaysIndirectKHR, vk::CmdTraceRaysIndirect2KHR,
          vk::CmdCopyAccelerationStructureKHR, vk::CmdCopyAccelerationStructureToMemoryKHR,
          vk::CmdCopyMemoryToAccelerationStructureKHR, vk::CmdWriteAccelerationStructuresPropertiesKHR,
          vk::CmdBuildMicromapsEXT, vk::CmdCopyMicromapEXT, vk::CmdCopyMicromapToMemoryEXT,
          vk::CmdCopyMemoryToMicromapEXT, vk::CmdWriteMicromapsPropertiesEXT, vk::CmdPreprocessGeneratedCommandsEXT,
          vk::CmdPreprocessGeneratedCommandsNV, vk::CmdCopyMemoryIndirectNV, vk::CmdCopyMemoryToImageIndirectNV,
          vk::CmdDecompressMemoryNV, vk::CmdDecompressMemoryIndirectCountNV, vk::CmdDecodeVideoKHR,
          vk::CmdEncodeVideoKHR>;

template <class C>
concept DrawCommand =
    OneOf<C, vk::CmdDraw, vk::CmdDrawIndexed, vk::CmdDrawMultiEXT, vk::CmdDrawMultiIndexedEXT, vk::CmdDrawIndirect,
          vk::CmdDrawIndexedIndirect, vk::CmdDrawIndirectCount, vk::CmdDrawIndexedIndirectCount,
          vk::CmdDrawIndirectByteCountEXT, vk::CmdDrawMeshTasksEXT, vk::CmdDrawMeshTasksIndirectEXT,
          vk::CmdDrawMeshTasksIndirectCountEXT, vk::CmdDrawMeshTasksNV, vk::CmdDrawMeshTasksIndirectNV,
          vk::CmdDrawMeshTasksIndirectCountNV, vk::CmdDrawClusterHUAWEI, vk::CmdDrawClusterIndirectHUAWEI>;

// Action commands of which some accesses are not modelled, or all.
template <class C>
concept UnmodelledCommand =
    (requires { requires(C::kTasks & vk::kTaskAction) != 0 && C::kRenderPass == vk::CommandScope::kOutside; } &&
     !ModelledAction<C>) ||
    OneOf<C, vk::CmdExecuteGeneratedCommandsEXT, vk::CmdExecuteGeneratedCommandsNV, vk::CmdDispatchGraphAMDX,
          vk::CmdDispatchGraphIndirectAMDX, vk::CmdDispatchGraphIndirectCountAMDX,
          vk::CmdInitializeGraphScratchMemoryAMDX, vk::CmdCuLaunchKernelNVX, vk::CmdCudaLaunchKernelNV>;

// Calls from which the host may learn that batches are complete which were held back for all that the layer knew. They
// become ready then.
template <class C>
concept MakesHeldBatchesReady =
    OneOf<C, vk::WaitForFences, vk::GetFenceStatus, vk::WaitSemaphores, vk::GetSemaphoreCounterValue, vk::QueueWaitIdle,
          vk::DeviceWaitIdle, vk::WaitForPresentKHR, vk::ImportSemaphoreFdKHR, vk::GetSemaphoreFdKHR>;

// The validator of one device. It must be attached after all other validators, so that it knows whether a call is going
// to be skipped: it does not record skipped calls.
class SyncValidator {
 public:
  explicit SyncValidator(state::DeviceState& state);

  // Transfer commands.
  void PreCallValidate(const vk::CmdCopyBuffer& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyBuffer2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyBufferToImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyBufferToImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImageToBuffer& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyImageToBuffer2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBlitImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBlitImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdResolveImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdResolveImage2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdFillBuffer& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdUpdateBuffer& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdClearColorImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdClearDepthStencilImage& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyQueryPoolResults& call, dispatch::Slot& slot, messages::Report& report);

  // Commands that run compute shaders.
  void PreCallValidate(const vk::CmdDispatch& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdDispatchBase& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdDispatchIndirect& call, dispatch::Slot& slot, messages::Report& report);

  // Draws.
  template <DrawCommand C>
  void PreCallValidate(const C& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginConditionalRenderingEXT& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginTransformFeedbackEXT& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdEndTransformFeedbackEXT& call, dispatch::Slot& slot, messages::Report& report);

  // Dynamic rendering.
  void PreCallValidate(const vk::CmdBeginRendering& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdEndRendering& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdClearAttachments& call, dispatch::Slot& slot, messages::Report& report);

  // Render pass objects.
  void PreCallValidate(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdNextSubpass& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdNextSubpass2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdEndRenderPass& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdEndRenderPass2& call, dispatch::Slot& slot, messages::Report& report);

  // Builds and copies of acceleration structures.
  void PreCallValidate(const vk::CmdBuildAccelerationStructuresKHR& call, dispatch::Slot& slot,
                       messages::Report& report);
  void PreCallValidate(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, dispatch::Slot& slot,
                       messages::Report& report);

  void PreCallValidate(const vk::CmdCopyAccelerationStructureKHR& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyAccelerationStructureToMemoryKHR& call, dispatch::Slot& slot,
                       messages::Report& report);
  void PreCallValidate(const vk::CmdCopyMemoryToAccelerationStructureKHR& call, dispatch::Slot& slot,
                       messages::Report& report);
  void PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Slot& slot,
                       messages::Report& report);

  // Builds and copies of micromaps.
  void PreCallValidate(const vk::CmdBuildMicromapsEXT& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyMicromapEXT& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyMicromapToMemoryEXT& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyMemoryToMicromapEXT& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot, messages::Report& report);

  // Device-generated commands. What they do when they are executed is not modelled.
  void PreCallValidate(const vk::CmdPreprocessGeneratedCommandsEXT& call, dispatch::Slot& slot,
                       messages::Report& report);
  void PreCallValidate(const vk::CmdExecuteGeneratedCommandsEXT& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdPreprocessGeneratedCommandsNV& call, dispatch::Slot& slot,
                       messages::Report& report);
  void PreCallValidate(const vk::CmdExecuteGeneratedCommandsNV& call, dispatch::Slot& slot, messages::Report& report);

  // Commands of a single vendor's extensions.
  void PreCallValidate(const vk::CmdCopyMemoryIndirectNV& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdCopyMemoryToImageIndirectNV& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdDecompressMemoryNV& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdDecompressMemoryIndirectCountNV& call, dispatch::Slot& slot,
                       messages::Report& report);
  void PreCallValidate(const vk::CmdWriteBufferMarkerAMD& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdWriteBufferMarker2AMD& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdSubpassShadingHUAWEI& call, dispatch::Slot& slot, messages::Report& report);

  // Ray tracing.
  void PreCallValidate(const vk::CmdTraceRaysKHR& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdTraceRaysIndirectKHR& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdTraceRaysIndirect2KHR& call, dispatch::Slot& slot, messages::Report& report);

  // Video.
  void PreCallValidate(const vk::CmdDecodeVideoKHR& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdEncodeVideoKHR& call, dispatch::Slot& slot, messages::Report& report);

  // Accesses by the host itself.
  void PreCallValidate(const vk::CopyMemoryToImage& call, messages::Report& report);
  void PreCallValidate(const vk::CopyImageToMemory& call, messages::Report& report);
  void PreCallValidate(const vk::CopyImageToImage& call, messages::Report& report);
  void PreCallValidate(const vk::TransitionImageLayout& call, messages::Report& report);
  void PreCallValidate(const vk::FlushMappedMemoryRanges& call, messages::Report& report);
  void PreCallValidate(const vk::InvalidateMappedMemoryRanges& call, messages::Report& report);

  // Barriers: their layout transitions are accesses.
  void PreCallValidate(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot, messages::Report& report);

  // Events.
  void PreCallValidate(const vk::CmdSetEvent& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdSetEvent2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdResetEvent& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdResetEvent2& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents2& call, dispatch::Slot& slot, messages::Report& report);

  // Commands that execute recorded commands: the secondaries of a primary, and queue submissions. The state tracker's
  // hook for the same call has found the hazards of a submission; they are reported here. If a callback skips the call
  // then, the state tracker undoes the submission.
  void PreCallValidate(const vk::CmdExecuteCommands& call, dispatch::Slot& slot, messages::Report& report);
  void PreCallReport(const vk::QueueSubmit&, messages::Report& report) { ReportSubmissionHazards(report); }
  void PreCallReport(const vk::QueueSubmit2&, messages::Report& report) { ReportSubmissionHazards(report); }
  void PreCallReport(const vk::QueueBindSparse&, messages::Report& report) { ReportSubmissionHazards(report); }
  void PreCallReport(const vk::QueuePresentKHR&, messages::Report& report) { ReportSubmissionHazards(report); }
  void PreCallReport(const vk::SignalSemaphore&, messages::Report& report) { ReportSubmissionHazards(report); }

  template <MakesHeldBatchesReady C>
  void PostCallRecord(const C&, VkResult) {
    messages::Report report(reporter_, C::kId);
    ReportSubmissionHazards(report);
  }

  // The images of the swapchain are gone by now.
  void PreCallRecord(const vk::DestroySwapchainKHR& call);

  // The listener receives every hazard between submissions before it is reported. To be called while validators are
  // composed.
  using SubmissionHazardListener = std::function<void(const SubmissionHazard&, const messages::Message&)>;
  void SetSubmissionHazardListener(SubmissionHazardListener listener) {
    submission_hazard_listener_ = std::move(listener);
  }

  // For tests: what it knows of queues, as text (syncval/syncval_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

  // Commands that access memory in ways that are not modelled.
  template <UnmodelledCommand C>
  void PreCallRecord(const C&, dispatch::Slot& slot) {
    RecordUnknownAccess(slot, C::kId);
  }

 private:
  void WithRecordings(SubmissionHazard& hazard, absl::FunctionRef<void()> f);
  void ReportSubmissionHazards(messages::Report& report);
  void ReportHostRaces(absl::Span<const RecordedAccess> accesses, messages::Report& report);
  void ReportFoundRaces(absl::Span<SubmissionHazard> races, messages::Report& report);
  void ReportMappedRaces(absl::Span<const VkMappedMemoryRange> named, vk::SyncAccessIndex access,
                         messages::Report& report);
  static void RecordUnknownAccess(const dispatch::Slot& slot, vk::CommandId id);

  state::DeviceState& state_;
  messages::Reporter& reporter_;
  QueueSync queues_;
  SubmissionHazardListener submission_hazard_listener_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_SYNC_VALIDATOR_H_
