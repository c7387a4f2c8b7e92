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

bool Delivery::IsSuppressed(const Message& message, const ObjectNames& names) const {
  if (suppressions == nullptr || suppressions->empty()) return false;
  Rendering rendering(message, names, options.rendering);
  const auto reason = suppressions->Find(message, rendering.Names());
  if (reason.has_value() && sarif != nullptr) sarif->Add(message, rendering.Names(), reason);
  return reason.has_value();
}

MessageIdFilter::Verdict Delivery::Pass(const Message& message, const ObjectNames& names, bool* skip) const {
  if (message.cause == 0 || deduplicator == nullptr) return id_filter->Pass(message.id);
  MessageIdFilter::Verdict verdict = MessageIdFilter::Verdict::kOverLimit;
  const auto passes = [&] {
    verdict = id_filter->Pass(message.id);
    return verdict == MessageIdFilter::Verdict::kPass || verdict == MessageIdFilter::Verdict::kPassLast;
  };
  deduplicator->CountIfDuplicateElseAdd(message.cause, {.id = message.id, .place = PlaceOf(message, names)}, passes,
                                        skip);
  return verdict;
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
