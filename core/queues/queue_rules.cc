// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queues/queue_rules.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/barriers/barriers.h"
#include "core/queues/binary_semaphore_checker.h"
#include "core/queues/fence_check.h"
#include "core/queues/semaphore_operations.h"
#include "core/queues/timeline_semaphore_checker.h"
#include "core/recording/submitted_commands.h"
#include "dispatch/dispatch.h"
#include "vk/rules/limit_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::Items;

// The ids of a command that submits batches or presents.
struct SubmissionIds {
  BinarySemaphoreIds binary;
  TimelineSemaphoreIds timeline;
  FenceIds fence;
  vk::VuidIndex pending = vk::kNoVuid;
  vk::VuidIndex pending_secondary = vk::kNoVuid;
};

template <class C>
constexpr SubmissionIds kIds{};
template <>
constexpr SubmissionIds kIds<vk::QueueSubmit> = {
    .binary = {vk::Vuid("VUID-vkQueueSubmit-pWaitSemaphores-03238"),
               vk::Vuid("VUID-vkQueueSubmit-pWaitSemaphores-00068"),
               vk::Vuid("VUID-vkQueueSubmit-pSignalSemaphores-00067")},
    .timeline = {vk::Vuid("VUID-VkSubmitInfo-pSignalSemaphores-03242"),
                 vk::Vuid("VUID-VkSubmitInfo-pSignalSemaphores-03244"),
                 vk::Vuid("VUID-VkSubmitInfo-pWaitSemaphores-03243")},
    .fence = {vk::Vuid("VUID-vkQueueSubmit-fence-00063"), vk::Vuid("VUID-vkQueueSubmit-fence-00064")},
    .pending = vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00071"),
    .pending_secondary = vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00073")};
template <>
constexpr SubmissionIds kIds<vk::QueueSubmit2> = {
    .binary = {vk::Vuid("VUID-vkQueueSubmit2-semaphore-03873"), vk::Vuid("VUID-vkQueueSubmit2-semaphore-03871"),
               vk::Vuid("VUID-vkQueueSubmit2-semaphore-03868")},
    .timeline = {.signal_value = vk::Vuid("VUID-VkSubmitInfo2-semaphore-03882"),
                 .signal_difference = vk::Vuid("VUID-VkSubmitInfo2-semaphore-03883"),
                 .wait_difference = vk::Vuid("VUID-VkSubmitInfo2-semaphore-03884"),
                 .has_rule_of_batch = true},
    .fence = {vk::Vuid("VUID-vkQueueSubmit2-fence-04894"), vk::Vuid("VUID-vkQueueSubmit2-fence-04895")},
    .pending = vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03875"),
    .pending_secondary = vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03877")};
template <>
constexpr SubmissionIds kIds<vk::QueueBindSparse> = {
    .binary = {vk::Vuid("VUID-vkQueueBindSparse-pWaitSemaphores-03245"),
               vk::Vuid("VUID-vkQueueBindSparse-pWaitSemaphores-01116"),
               vk::Vuid("VUID-vkQueueBindSparse-pSignalSemaphores-01115")},
    .timeline = {.signal_value = vk::Vuid("VUID-VkBindSparseInfo-pSignalSemaphores-03249"),
                 .signal_difference = vk::Vuid("VUID-VkBindSparseInfo-pSignalSemaphores-03251"),
                 .wait_difference = vk::Vuid("VUID-VkBindSparseInfo-pWaitSemaphores-03250"),
                 .is_ordered = false},
    .fence = {vk::Vuid("VUID-vkQueueBindSparse-fence-01113"), vk::Vuid("VUID-vkQueueBindSparse-fence-01114")}};
// A present signals nothing, and waits for binary semaphores only.
template <>
constexpr SubmissionIds kIds<vk::QueuePresentKHR> = {
    .binary = {vk::Vuid("VUID-vkQueuePresentKHR-pWaitSemaphores-03268"),
               vk::Vuid("VUID-vkQueuePresentKHR-pWaitSemaphores-01294"), vk::kNoVuid},
    .timeline = {vk::kNoVuid, vk::kNoVuid, vk::kNoVuid},
    .fence = {vk::kNoVuid, vk::kNoVuid}};

template <class C>
size_t BatchCountOf(const C& call) {
  if constexpr (std::is_same_v<C, vk::QueuePresentKHR>) {
    return 1;
  } else {
    return BatchesOf(call).size();
  }
}

// The secondary command buffers that a command buffer executes, and those that these execute, as they were recorded.
template <class F>
void ForEachSecondary(const state::CommandBuffer& buffer, const F& visit) {
  for (const state::ExecutedSecondary& executed : buffer.executed) {
    state::CommandBuffer* secondary = state::DeviceState::Get(executed.handle);
    if (secondary == nullptr || secondary->recording != executed.recording) continue;
    visit(*secondary);
    ForEachSecondary(*secondary, visit);
  }
}

bool IsPendingOnce(const state::CommandBuffer& buffer) {
  const auto* scope = buffer.Sub<RecordingScope>();
  return scope != nullptr && (buffer.usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) == 0 &&
         state::IsPending(scope->submitted);
}

struct PendingCommandBuffer {
  vk::VuidIndex vuid;
  VkCommandBuffer handle;
  uint64_t pending;
  state::QueuePoint point;
  uint32_t batch, index;
};

uint64_t MaxDifference(const dispatch::Device& device) {
  constexpr std::string_view kName = "VkPhysicalDeviceTimelineSemaphoreProperties::maxTimelineSemaphoreValueDifference";
  return device.Limit(vk::Limits()[vk::FindLimit(kName)]).value_or(~uint64_t{0});
}

}  // namespace

QueueRules::QueueRules(state::DeviceState& state) : state_(state), max_difference_(MaxDifference(state.device())) {
  state.TrackQueues();
}

template <class C>
void QueueRules::CheckTimelines(const TimelineSemaphoreChecker& checker, Report& report) const {
  using Kind = TimelineSemaphoreChecker::Finding::Kind;
  const Location command = report.location();
  for (const TimelineSemaphoreChecker::Finding& finding : checker.findings()) {
    const SemaphoreOperation& operation = finding.operation;
    const messages::ObjectRef object = messages::Object(operation.handle);
    std::string text, fix = "Signal a greater value each time.";
    const std::string begin = absl::StrCat("(", operation.value, ") is not greater than the value that ");
    uint64_t now = 0;
    switch (finding.kind) {
      case Kind::kReached:
        text = absl::StrCat(begin, report.reporter().Describe(object), " has by now (", finding.other, ").");
        break;
      case Kind::kSignaledBefore:
        text = absl::StrCat(begin, "the same queue signals ", report.reporter().Describe(object), " with before (",
                            finding.other, ").");
        break;
      case Kind::kWaitedFor:
        text = absl::StrCat(begin, "the same batch waits for (", finding.other, ").");
        break;
      case Kind::kMaybeTooFar:
        if (!GetCounterValue(state_.device(), operation.handle, &now)) continue;
        if (operation.value <= now || operation.value - now <= max_difference_) continue;
        text = absl::StrCat("(", operation.value, ") is further from the current value of ",
                            report.reporter().Describe(object), " (", now,
                            ") than maxTimelineSemaphoreValueDifference (", max_difference_, ").");
        fix = "Count in smaller steps.";
    }
    WithLocation<C>(operation, OperationPart::kValue, command, [&](const Location& where) {
      report.Error(finding.vuid, {object}, where, std::move(text), std::move(fix));
    });
  }
}

template <class C>
void QueueRules::CheckSemaphores(const C& call, Report& report) const {
  const state::Queue* queue = state::DeviceState::Get(call.queue);
  const SemaphoreOperations operations = SemaphoreOperationsOf(call);
  if (queue == nullptr || operations.empty()) return;
  BinarySemaphoreChecker binary(*queue, kIds<C>.binary);
  TimelineSemaphoreChecker timeline(*queue, kIds<C>.timeline, max_difference_);
  state_.InspectQueues([&] {
    for (const SemaphoreOperation& operation : operations) {
      if (!operation.semaphore->is_timeline) {
        binary.Add(operation);
      } else if constexpr (!std::is_same_v<C, vk::QueuePresentKHR>) {
        timeline.Add(operation);
      }
    }
  });
  const Location command = report.location();
  std::optional<size_t> ready;
  for (const BinarySemaphoreChecker::Finding& finding : binary.findings()) {
    if (finding.kind == BinarySemaphoreChecker::Finding::Kind::kIsSignaled) {
      // A later submission that lets the batch go on may wait for the semaphore first.
      if (!ready.has_value()) ready = BatchCountOf(call) - state_.PreviewSubmission(call).held;
      if (finding.operation.batch >= *ready) continue;
    }
    WithLocation<C>(finding.operation, OperationPart::kSemaphore, command,
                    [&](const Location& where) { ReportFinding(finding, where, report); });
  }
  CheckTimelines<C>(timeline, report);
}

template <class C>
void QueueRules::CheckPending(const C& call, Report& report) const {
  std::vector<PendingCommandBuffer> found;
  state_.InspectQueues([&] {
    ForEachCommandBuffer(call, [&](VkCommandBuffer handle, uint32_t batch, uint32_t index) {
      const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
      if (buffer == nullptr) return;
      const auto check = [&](const state::CommandBuffer& of, vk::VuidIndex vuid) {
        if (!IsPendingOnce(of)) return;
        found.push_back({vuid, handle, of.handle(), of.Sub<RecordingScope>()->submitted, batch, index});
      };
      check(*buffer, kIds<C>.pending);
      ForEachSecondary(*buffer, [&](const auto& secondary) { check(secondary, kIds<C>.pending_secondary); });
    });
  });
  const Location command = report.location();
  for (const PendingCommandBuffer& pending_buffer : found) {
    const messages::ObjectRef object = messages::Object(pending_buffer.handle);
    const messages::ObjectRef pending = {VK_OBJECT_TYPE_COMMAND_BUFFER, pending_buffer.pending};
    const messages::Reporter& reporter = report.reporter();
    const std::string subject = pending == object ? absl::StrCat("(", reporter.Describe(object), ")")
                                                  : absl::StrCat("executes ", reporter.Describe(pending), ", which");
    WithCommandBufferLocation<C>(command, pending_buffer.batch, pending_buffer.index, [&](const Location& where) {
      report.Error(pending_buffer.vuid, {object, pending}, where,
                   absl::StrCat(subject, " was submitted to ",
                                reporter.Describe({VK_OBJECT_TYPE_QUEUE, pending_buffer.point.queue->handle()}),
                                " before; the host has not waited for that to complete, and it was begun without "
                                "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT."),
                   "Wait for the fence of that submission before, have a command buffer for each frame in flight, or "
                   "begin it with the flag.");
    });
  }
}

template <class C>
void QueueRules::Mark(const C& call, bool has_succeeded) {
  state::Queue* queue = state::DeviceState::Get(call.queue);
  if (queue == nullptr || BatchesOf(call).empty()) return;
  state_.WithQueuesLocked([&] {
    const uint64_t first = queue->progress.submitted + 1 - BatchesOf(call).size();
    ForEachCommandBuffer(call, [&](VkCommandBuffer handle, uint32_t batch, uint32_t) {
      const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
      if (buffer == nullptr) return;
      const auto mark = [&](const state::CommandBuffer& of) {
        auto* const scope = of.Sub<RecordingScope>();
        if (scope == nullptr) return;
        const bool is_marked = scope->submitted.queue == queue && scope->submitted.serial >= first;
        if (has_succeeded) {
          if (!is_marked) scope->submitted_before = scope->submitted;
          scope->submitted = {queue, first + batch};
        } else if (is_marked) {
          scope->submitted = scope->submitted_before;
        }
      };
      mark(*buffer);
      ForEachSecondary(*buffer, mark);
    });
  });
}

void QueueRules::PreCallValidate(const vk::QueueSubmit& call, Report& report) const {
  CheckSemaphores(call, report);
  CheckPending(call, report);
  const Location command = report.location();
  CheckFence(state_, call.fence, kIds<vk::QueueSubmit>.fence, command.Dot("fence"), report);
}
void QueueRules::PreCallValidate(const vk::QueueSubmit2& call, Report& report) const {
  CheckSemaphores(call, report);
  CheckPending(call, report);
  const Location command = report.location();
  CheckFence(state_, call.fence, kIds<vk::QueueSubmit2>.fence, command.Dot("fence"), report);
}
void QueueRules::PreCallValidate(const vk::QueueBindSparse& call, Report& report) const {
  CheckSemaphores(call, report);
  const Location command = report.location();
  CheckFence(state_, call.fence, kIds<vk::QueueBindSparse>.fence, command.Dot("fence"), report);
}
void QueueRules::PreCallValidate(const vk::QueuePresentKHR& call, Report& report) const {
  CheckSemaphores(call, report);
}

void QueueRules::PreCallValidate(const vk::SignalSemaphore& call, Report& report) const {
  if (call.pSignalInfo == nullptr) return;
  const VkSemaphoreSignalInfo& info = *call.pSignalInfo;
  const auto* semaphore = state::DeviceState::Get<state::Semaphore>(info.semaphore);
  uint64_t now = 0;
  if (semaphore == nullptr || !semaphore->is_timeline || info.value <= semaphore->initial_value) return;
  if (!GetCounterValue(state_.device(), info.semaphore, &now)) return;
  // The least value that a queue will signal.
  std::optional<uint64_t> pending;
  bool is_tracked = false;
  state_.InspectQueues([&] {
    is_tracked = !semaphore->progress.is_external;
    for (const auto& signal : semaphore->progress.signals) {
      if (signal.value > now) pending = std::min(pending.value_or(signal.value), signal.value);
    }
  });
  if (!is_tracked) return;
  const messages::ObjectRef object = messages::Object(info.semaphore);
  const std::string name = report.reporter().Describe(object);
  const Location command = report.location();
  const Location parameter = command.Dot("pSignalInfo");
  const Location where = parameter.Dot("value");
  if (info.value <= now) {
    return report.Error(
        vk::Vuid("VUID-VkSemaphoreSignalInfo-value-03258"), {object}, where,
        absl::StrCat("(", info.value, ") is not greater than the current value of ", name, " (", now, ")."),
        "Signal a greater value each time.");
  }
  if (pending.has_value() && info.value >= *pending) {
    report.Error(vk::Vuid("VUID-VkSemaphoreSignalInfo-value-03259"), {object}, where,
                 absl::StrCat("(", info.value, ") is not less than the value that a queue is going to signal ", name,
                              " with (", *pending, ")."),
                 "Signal a value between the current one and those that were submitted.");
  }
  if (info.value - now > max_difference_) {
    report.Error(vk::Vuid("VUID-VkSemaphoreSignalInfo-value-03260"), {object}, where,
                 absl::StrCat("(", info.value, ") is further from the current value of ", name, " (", now,
                              ") than maxTimelineSemaphoreValueDifference (", max_difference_, ")."),
                 "Count in smaller steps.");
  }
}

void QueueRules::PreCallRecord(const vk::QueueSubmit& call) { Mark(call, true); }
void QueueRules::PreCallRecord(const vk::QueueSubmit2& call) { Mark(call, true); }
void QueueRules::PostCallRecord(const vk::QueueSubmit& call, VkResult result) {
  if (result != VK_SUCCESS) Mark(call, false);
}
void QueueRules::PostCallRecord(const vk::QueueSubmit2& call, VkResult result) {
  if (result != VK_SUCCESS) Mark(call, false);
}

}  // namespace assay::core
