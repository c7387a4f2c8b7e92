// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/delivery.h"

#include <csignal>
#include <string>

#include "absl/strings/str_join.h"
#include "messages/message/object_ref.h"
#include "messages/sinks/rendering.h"
#include "vk/vulkan.h"

namespace assay::messages {
namespace {

bool Logs(const ReporterOptions& options, bool has_callbacks) {
  return options.log == ReporterOptions::Log::kAlways ||
         (options.log == ReporterOptions::Log::kWithoutCallbacks && !has_callbacks);
}

// "vkCmdCopyBuffer(): pRegions[0], VkBuffer 0x12[staging], VkCommandBuffer 0x34".
std::string PlaceOf(const Message& message, const ObjectNames& names) {
  std::vector<std::string> parts;
  if (!message.location.empty()) parts.push_back(message.location);
  for (const ObjectRef& object : message.objects) parts.push_back(DescribeObject(object, names.Get(object)));
  return absl::StrJoin(parts, ", ");
}

Decision::Why WhyOf(MessageIdFilter::Verdict verdict) {
  switch (verdict) {
    case MessageIdFilter::Verdict::kPass:
      return Decision::Why::kPasses;
    case MessageIdFilter::Verdict::kPassLast:
      return Decision::Why::kPassesLast;
    case MessageIdFilter::Verdict::kOverLimit:
      return Decision::Why::kOverLimit;
    case MessageIdFilter::Verdict::kMuted:
      break;
  }
  return Decision::Why::kMuted;
}

}  // namespace

uint8_t Delivery::EnabledSeverities() const {
  const bool logs = sarif != nullptr || Logs(options, !callbacks.empty());
  const VkDebugReportFlagsEXT log_flags = logs ? options.log_flags : 0;
  uint8_t enabled_severities = 0;
  for (Severity severity : {Severity::kVerbose, Severity::kInformation, Severity::kWarning, Severity::kError}) {
    bool is_enabled =
        (log_flags & ToDebugReportFlags(severity)) != 0 || (options.fail_call && severity == Severity::kError);
    for (const std::shared_ptr<const Callback>& callback : callbacks) is_enabled |= callback->IsEnabledFor(severity);
    if (is_enabled) enabled_severities |= static_cast<uint8_t>(1u << static_cast<unsigned>(severity));
  }
  return enabled_severities;
}

bool Delivery::HasReceiver(const Message& message) const {
  bool has_callbacks = false;
  for (const std::shared_ptr<const Callback>& callback : callbacks) {
    if (callback->IsRunningOnThisThread()) continue;
    has_callbacks = true;
    if (callback->IsEnabledFor(message)) return true;
  }
  return (sarif != nullptr || Logs(options, has_callbacks)) && (options.log_flags & ToDebugReportFlag(message)) != 0;
}

bool Delivery::IsSuppressed(const Message& message, const ObjectNames& names, bool has_receiver) const {
  if (!HasSuppressions()) return false;
  Rendering rendering(message, names, options.rendering);
  const auto reason = suppressions->Find(message, rendering.Names());
  if (reason.has_value() && sarif != nullptr && has_receiver) sarif->Add(message, rendering.Names(), reason);
  return reason.has_value();
}

Decision Delivery::Decide(const Message& message, const ObjectNames& names) const {
  Decision decision{.skip = options.fail_call && message.severity == Severity::kError};
  const bool has_receiver = HasReceiver(message);
  if (!has_receiver && !decision.skip) return {.why = Decision::Why::kNoReceiver};
  if (IsSuppressed(message, names, has_receiver)) return {.why = Decision::Why::kSuppressed};
  if (!has_receiver) return {.why = Decision::Why::kNoReceiver, .skip = !id_filter->IsMuted(message.id)};
  const auto pass_id = [&] {
    decision.why = WhyOf(id_filter->Pass(message.id));
    return decision.deliver();
  };
  if (message.cause == 0 || deduplicator == nullptr) {
    pass_id();
  } else if (deduplicator->CountIfDuplicateElseAdd(message.cause, {.id = message.id, .place = PlaceOf(message, names)},
                                                   pass_id, &decision.skip)) {
    decision.why = Decision::Why::kDuplicate;
  }
  if (decision.why == Decision::Why::kMuted) decision.skip = false;
  return decision;
}

bool Delivery::DecideById(uint64_t id_hash, Decision* decision) const {
  if (options.fail_call && HasSuppressions()) return false;
  const MessageIdFilter::Verdict verdict = id_filter->CountIfFiltered(id_hash);
  *decision = {.why = WhyOf(verdict), .skip = verdict == MessageIdFilter::Verdict::kOverLimit && options.fail_call};
  return !decision->deliver();
}

bool Delivery::DecideByCause(uint64_t cause, Decision* decision) const {
  if (cause == 0 || deduplicator == nullptr) return false;
  *decision = {.why = Decision::Why::kDuplicate};
  return deduplicator->CountIfDuplicate(cause, !HasSuppressions(), &decision->skip);
}

bool Delivery::DeliverToSinks(const Message& message, const ObjectNames& names) const {
  Rendering rendering(message, names, options.rendering);
  bool skip = false;
  bool reached = false;
  bool has_callbacks = false;
  for (const std::shared_ptr<const Callback>& callback : callbacks) {
    if (callback->IsRunningOnThisThread()) continue;
    has_callbacks = true;
    if (!callback->IsEnabledFor(message)) continue;
    reached = true;
    skip |= callback->Call(rendering);
  }
  const bool is_flagged = (options.log_flags & ToDebugReportFlag(message)) != 0;
  if (is_flagged && Logs(options, has_callbacks)) {
    reached = true;
    log->Write(rendering.LogEntry());
  }
  if (is_flagged && sarif != nullptr) {
    reached = true;
    sarif->Add(message, rendering.Names());
  }
  if (reached && options.break_on_message) std::raise(SIGTRAP);
  return skip;
}

void Delivery::DeliverOwnMessage(const Message& message, const ObjectNames& names) const {
  if (!id_filter->IsMuted(message.id)) DeliverToSinks(message, names);
}

}  // namespace assay::messages
