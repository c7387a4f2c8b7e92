// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that submit to queues.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/barriers/sync_rules.h"
#include "core/masks/masks.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::Items;

// The ids of the rules about a submission's command buffers.
struct CommandBufferIds {
  vk::VuidIndex secondary, family, state, protected_buffer, unprotected_buffer;
};

struct Submission {
  Check check;
  // Null when the queue was not retrieved from this device.
  const state::Queue* queue;
  bool is_protected;
};

// where leads to the handle.
void CheckCommandBuffer(const Submission& submission, const CommandBufferIds& ids, VkCommandBuffer handle,
                        const Location& where) {
  const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
  if (buffer == nullptr) return;
  const Check& check = submission.check;
  const messages::ObjectRef object = messages::Object(handle);
  const auto error = [&](vk::VuidIndex vuid, const std::string& text, std::string fix) {
    check.Error(vuid, where, absl::StrCat(check.Describe(object), " ", text), std::move(fix), object);
  };
  if (buffer->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY) {
    error(ids.secondary, "is a secondary command buffer.",
          "Execute it from a primary command buffer, with vkCmdExecuteCommands().");
  }
  if (submission.queue != nullptr && buffer->pool.queue_family != submission.queue->family) {
    error(ids.family,
          absl::StrCat("is from a command pool of queue family ", buffer->pool.queue_family,
                       "; the queue is of family ", submission.queue->family, "."),
          "Submit it to a queue of the pool's family.");
  }
  if (buffer->recording_state != state::RecordingState::kExecutable) {
    const bool is_recording = buffer->recording_state == state::RecordingState::kRecording;
    error(ids.state, is_recording ? "is still being recorded." : "holds no complete recording.",
          is_recording ? "Call vkEndCommandBuffer() before." : "Record it before.");
  }
  const bool is_protected = (buffer->pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
  if (is_protected && !submission.is_protected) {
    error(ids.protected_buffer, "is protected, and the submission is not.", "Submit it in a protected submission.");
  } else if (!is_protected && submission.is_protected) {
    error(ids.unprotected_buffer, "is not protected, and the submission is.",
          "Allocate it from a pool with VK_COMMAND_POOL_CREATE_PROTECTED_BIT.");
  }
}

// The family whose stages are valid; ~0 if the queue is unknown.
uint32_t FamilyOf(const Submission& submission) {
  return submission.queue != nullptr ? submission.queue->family : ~uint32_t{0};
}

bool AnyTimeline(absl::Span<const VkSemaphore> semaphores) {
  return std::any_of(semaphores.begin(), semaphores.end(), [](VkSemaphore handle) {
    const auto* semaphore = state::DeviceState::Get<state::Semaphore>(handle);
    return semaphore != nullptr && semaphore->is_timeline;
  });
}

struct TimelineInfoIds {
  vk::VuidIndex missing, waits, signals;
};

// VkSubmitInfo or VkBindSparseInfo.
template <class Info>
void CheckTimelines(const Check& check, const TimelineInfoIds& ids, const Info& submit, const Location& where) {
  const bool waits = AnyTimeline(Items(submit.pWaitSemaphores, submit.waitSemaphoreCount));
  const bool signals = AnyTimeline(Items(submit.pSignalSemaphores, submit.signalSemaphoreCount));
  if (!waits && !signals) return;
  const auto* values = vk::FindInChain<VkTimelineSemaphoreSubmitInfo>(submit.pNext);
  if (values == nullptr) {
    return check.Error(ids.missing, where.Dot("pNext"),
                       "has no VkTimelineSemaphoreSubmitInfo, but there are timeline semaphores.",
                       "Chain VkTimelineSemaphoreSubmitInfo with a value for each semaphore.");
  }
  const auto count = [&](bool matters, uint32_t value_count, uint32_t wanted, vk::VuidIndex vuid,
                         std::string_view member) {
    if (!matters || value_count == wanted) return;
    check.Error(vuid, where.Next("VkTimelineSemaphoreSubmitInfo", member),
                absl::StrCat("is ", value_count, ", but there are ", wanted, " semaphores, timeline ones among them."),
                "Give a value for each semaphore; those of binary ones are not looked at.");
  };
  count(waits, values->waitSemaphoreValueCount, submit.waitSemaphoreCount, ids.waits, "waitSemaphoreValueCount");
  count(signals, values->signalSemaphoreValueCount, submit.signalSemaphoreCount, ids.signals,
        "signalSemaphoreValueCount");
}

void CheckSubmit(const Submission& submission, const VkSubmitInfo& submit, const Location& where) {
  static constexpr CommandBufferIds kIds = {
      vk::Vuid("VUID-VkSubmitInfo-pCommandBuffers-00075"), vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00074"),
      vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00070"), vk::Vuid("VUID-VkSubmitInfo-pNext-04120"),
      vk::Vuid("VUID-VkSubmitInfo-pNext-04148")};
  for (uint32_t i = 0; VkPipelineStageFlags stages : Items(submit.pWaitDstStageMask, submit.waitSemaphoreCount)) {
    const Location mask = where.Dot("pWaitDstStageMask", i++);
    CheckStages(submission.check, {"VkSubmitInfo", "pWaitDstStageMask"}, stages, mask);
    CheckNoHostStage(submission.check, vk::Vuid("VUID-VkSubmitInfo-pWaitDstStageMask-00078"), stages, mask);
    CheckFamilyStages(submission.check, vk::Vuid("VUID-vkQueueSubmit-pWaitDstStageMask-00066"), stages,
                      FamilyOf(submission), mask);
  }
  static constexpr TimelineInfoIds kTimelines = {vk::Vuid("VUID-VkSubmitInfo-pWaitSemaphores-03239"),
                                                 vk::Vuid("VUID-VkSubmitInfo-pNext-03240"),
                                                 vk::Vuid("VUID-VkSubmitInfo-pNext-03241")};
  CheckTimelines(submission.check, kTimelines, submit, where);
  for (uint32_t i = 0; VkCommandBuffer buffer : Items(submit.pCommandBuffers, submit.commandBufferCount))
    CheckCommandBuffer(submission, kIds, buffer, where.Dot("pCommandBuffers", i++));
}

void CheckSemaphoreStages(const Submission& submission, const VkSemaphoreSubmitInfo& info, vk::VuidIndex family,
                          const Location& where) {
  const Location mask = where.Dot("stageMask");
  if (info.stageMask != 0) CheckStages(submission.check, {"VkSemaphoreSubmitInfo", "stageMask"}, info.stageMask, mask);
  CheckFamilyStages(submission.check, family, info.stageMask, FamilyOf(submission), mask);
}

// A timeline semaphore that a batch waits for and signals must be signaled with a greater value.
void CheckSameSemaphore(const Submission& submission, const VkSubmitInfo2& submit, const VkSemaphoreSubmitInfo& signal,
                        const Location& where) {
  const auto* semaphore = state::DeviceState::Get<state::Semaphore>(signal.semaphore);
  if (semaphore == nullptr || !semaphore->is_timeline) return;
  for (const VkSemaphoreSubmitInfo& wait : Items(submit.pWaitSemaphoreInfos, submit.waitSemaphoreInfoCount)) {
    if (wait.semaphore != signal.semaphore || signal.value > wait.value) continue;
    submission.check.Error(vk::Vuid("VUID-VkSubmitInfo2-semaphore-03881"), where.Dot("value"),
                           absl::StrCat("(", signal.value,
                                        ") is not greater than the value that the same submission "
                                        "waits for (",
                                        wait.value, ")."),
                           "Signal a greater value.", messages::Object(signal.semaphore));
  }
}

void CheckSubmit(const Submission& submission, const VkSubmitInfo2& submit, const Location& where) {
  static constexpr CommandBufferIds kIds = {
      vk::Vuid("VUID-VkCommandBufferSubmitInfo-commandBuffer-03890"),
      vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03878"), vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03874"),
      vk::Vuid("VUID-VkSubmitInfo2-flags-03887"), vk::Vuid("VUID-VkSubmitInfo2-flags-03886")};
  for (uint32_t i = 0; const auto& wait : Items(submit.pWaitSemaphoreInfos, submit.waitSemaphoreInfoCount)) {
    CheckSemaphoreStages(submission, wait, vk::Vuid("VUID-vkQueueSubmit2-stageMask-03870"),
                         where.Dot("pWaitSemaphoreInfos", i++));
  }
  for (uint32_t i = 0; const auto& signal : Items(submit.pSignalSemaphoreInfos, submit.signalSemaphoreInfoCount)) {
    const Location info = where.Dot("pSignalSemaphoreInfos", i++);
    CheckSemaphoreStages(submission, signal, vk::Vuid("VUID-vkQueueSubmit2-stageMask-03869"), info);
    CheckSameSemaphore(submission, submit, signal, info);
  }
  for (uint32_t i = 0; const auto& info : Items(submit.pCommandBufferInfos, submit.commandBufferInfoCount)) {
    const Location element = where.Dot("pCommandBufferInfos", i++);
    CheckCommandBuffer(submission, kIds, info.commandBuffer, element.Dot("commandBuffer"));
  }
}

// where leads to the member that makes the submission protected.
void CheckQueue(const Submission& submission, vk::VuidIndex vuid, const Location& where) {
  if (!submission.is_protected || submission.queue == nullptr) return;
  if ((submission.queue->create_flags & VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT) != 0) return;
  const messages::ObjectRef queue = {VK_OBJECT_TYPE_QUEUE, submission.queue->handle()};
  submission.check.Error(vuid, where,
                         absl::StrCat("asks for a protected submission, and ", submission.check.Describe(queue),
                                      " was created without VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT."),
                         "Submit it to a queue that is created with the flag, and retrieved with vkGetDeviceQueue2().");
}

}  // namespace

void SyncRules::PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const {
  const Check check{limits_, report, messages::Object(call.queue), SyncVersion::kSync1};
  const Location command = report.location();
  for (uint32_t i = 0; const VkSubmitInfo& submit : Items(call.pSubmits, call.submitCount)) {
    const auto* with = vk::FindInChain<VkProtectedSubmitInfo>(submit.pNext);
    const bool is_protected = with != nullptr && with->protectedSubmit != VK_FALSE;
    const Submission submission = {check, state::DeviceState::Get(call.queue), is_protected};
    const Location where = command.Dot("pSubmits", i++);
    CheckQueue(submission, vk::Vuid("VUID-vkQueueSubmit-queue-06448"),
               where.Next("VkProtectedSubmitInfo", "protectedSubmit"));
    CheckSubmit(submission, submit, where);
  }
}

void SyncRules::PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report) const {
  static constexpr TimelineInfoIds kTimelines = {vk::Vuid("VUID-VkBindSparseInfo-pWaitSemaphores-03246"),
                                                 vk::Vuid("VUID-VkBindSparseInfo-pNext-03247"),
                                                 vk::Vuid("VUID-VkBindSparseInfo-pNext-03248")};
  const Check check{limits_, report, messages::Object(call.queue)};
  const Location command = report.location();
  for (uint32_t i = 0; const VkBindSparseInfo& info : Items(call.pBindInfo, call.bindInfoCount)) {
    CheckTimelines(check, kTimelines, info, command.Dot("pBindInfo", i++));
  }
}

void SyncRules::PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) const {
  const Check check{limits_, report, messages::Object(call.queue)};
  const Location command = report.location();
  for (uint32_t i = 0; const VkSubmitInfo2& submit : Items(call.pSubmits, call.submitCount)) {
    const bool is_protected = (submit.flags & VK_SUBMIT_PROTECTED_BIT) != 0;
    const Submission submission = {check, state::DeviceState::Get(call.queue), is_protected};
    const Location where = command.Dot("pSubmits", i++);
    CheckQueue(submission, vk::Vuid("VUID-vkQueueSubmit2-queue-06447"), where.Dot("flags"));
    CheckSubmit(submission, submit, where);
  }
}

}  // namespace assay::core
