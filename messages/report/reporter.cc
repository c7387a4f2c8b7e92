// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "messages/sinks/rendering.h"

namespace assay::messages {

namespace {

bool Logs(const ReporterOptions& options, bool has_callbacks) {
  return options.log == ReporterOptions::Log::kAlways ||
         (options.log == ReporterOptions::Log::kWithoutCallbacks && !has_callbacks);
}

Message GeneralWarning(std::string id, std::string text) {
  return {.severity = Severity::kWarning,
          .type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
          .id = std::move(id),
          .text = std::move(text)};
}

Message UnwritableFile(std::string_view what, const std::string& path, int error, std::string_view consequence) {
  return GeneralWarning("ASSAY-unwritable-log-file",
                        absl::StrCat("The ", what, " ", EscapeName(path), " cannot be written (", std::strerror(error),
                                     "); ", consequence));
}

std::string LastMessageNote(uint32_t limit) {
  return absl::StrCat("This is the last message of this id that is shown, since duplicate_message_limit is ", limit,
                      "; further ones are counted.");
}

Message LimitSummary(const MessageIdFilter& id_filter) {
  std::vector<std::string> parts;
  for (const MessageIdFilter::OverLimitCount& entry : id_filter.CountsOverLimit())
    parts.push_back(absl::StrCat(entry.count, " of ", entry.id));
  return GeneralWarning("ASSAY-message-limit",
                        absl::StrCat("Messages that were not shown, since duplicate_message_limit is ",
                                     id_filter.limit(), ": ", absl::StrJoin(parts, ", "), "."));
}

// Of so many causes, the most frequent ones, the counts are told one by one.
constexpr size_t kMaxReportedCauses = 32;

Message DuplicateSummary(std::span<const MessageDeduplicator::Duplicates> duplicates) {
  std::vector<std::string> parts;
  std::vector<PropertyValue> list;
  for (const MessageDeduplicator::Duplicates& duplicate :
       duplicates.first(std::min(duplicates.size(), kMaxReportedCauses))) {
    parts.push_back(absl::StrCat(duplicate.count, " of ", duplicate.id, " at ", duplicate.place));
    list.push_back(Properties{{"id", duplicate.id}, {"place", duplicate.place}, {"count", duplicate.count}});
  }
  uint64_t further = 0;
  for (size_t i = parts.size(); i < duplicates.size(); ++i) further += duplicates[i].count;
  if (further != 0) parts.push_back(absl::StrCat(further, " of ", duplicates.size() - parts.size(), " other causes"));
  Message message =
      GeneralWarning("ASSAY-folded-messages",
                     absl::StrCat("Messages that were not shown, since they say again what one that was shown "
                                  "says, and fold_messages is true: ",
                                  absl::StrJoin(parts, "; "), "."));
  message.properties = {{"folded", std::move(list)}};
  return message;
}

}  // namespace

Reporter::Reporter()
    : log_(LogFile::Open("stdout")),
      id_filter_(std::make_shared<MessageIdFilter>(0, std::vector<IdPattern>())),
      deduplicator_(std::make_shared<MessageDeduplicator>()) {
  absl::MutexLock lock(&mutex_);
  Publish();
}

Reporter::~Reporter() = default;

bool Reporter::Deliver(const Message& unlabelled) {
  const std::shared_ptr<const Sinks> sinks = Snapshot();
  const bool fails = sinks->options.fail_call && unlabelled.severity == Severity::kError;
  if (!HasReceiver(*sinks, unlabelled)) return fails && !sinks->id_filter->IsMuted(unlabelled.id);
  Message message = WithLabels(unlabelled);
  if (IsSuppressed(*sinks, message)) return false;
  bool skip = fails;
  const MessageIdFilter::Verdict verdict = Pass(*sinks, message, &skip);
  if (verdict == MessageIdFilter::Verdict::kMuted) return false;
  if (verdict == MessageIdFilter::Verdict::kOverLimit) return skip;
  if (verdict == MessageIdFilter::Verdict::kPassLast) message.note = LastMessageNote(sinks->id_filter->limit());
  skip |= DeliverToSinks(*sinks, message);
  if (message.cause != 0 && sinks->deduplicator != nullptr) sinks->deduplicator->SetSkip(message.cause, skip);
  return skip;
}

MessageIdFilter::Verdict Reporter::Pass(const Sinks& sinks, const Message& message, bool* skip) const {
  if (message.cause == 0 || sinks.deduplicator == nullptr) return sinks.id_filter->Pass(message.id);
  MessageIdFilter::Verdict verdict = MessageIdFilter::Verdict::kOverLimit;
  const auto passes = [&] {
    verdict = sinks.id_filter->Pass(message.id);
    return verdict == MessageIdFilter::Verdict::kPass || verdict == MessageIdFilter::Verdict::kPassLast;
  };
  sinks.deduplicator->CountIfDuplicateElseAdd(message.cause, {.id = message.id, .place = PlaceOf(message)}, passes,
                                              skip);
  return verdict;
}

bool Reporter::CountIfDuplicate(uint64_t cause, bool* skip) {
  const std::shared_ptr<const Sinks> sinks = Snapshot();
  return cause != 0 && sinks->deduplicator != nullptr && sinks->deduplicator->CountIfDuplicate(cause, skip);
}

bool Reporter::CountIfFiltered(uint64_t id_hash, bool* skip) {
  const std::shared_ptr<const Sinks> sinks = Snapshot();
  const MessageIdFilter::Verdict verdict = sinks->id_filter->CountIfFiltered(id_hash);
  *skip = verdict == MessageIdFilter::Verdict::kOverLimit && sinks->options.fail_call;
  return verdict != MessageIdFilter::Verdict::kPass;
}

void Reporter::Finish() {
  const std::shared_ptr<const Sinks> sinks = Snapshot();
  if (!sinks->id_filter->CountsOverLimit().empty()) DeliverOwnMessage(*sinks, LimitSummary(*sinks->id_filter));
  if (sinks->deduplicator != nullptr) {
    if (const auto duplicates = sinks->deduplicator->Counts(); !duplicates.empty())
      DeliverOwnMessage(*sinks, DuplicateSummary(duplicates));
  }
  if (sinks->suppressions != nullptr) {
    for (const Message& unused : sinks->suppressions->ReportUnused()) DeliverToSinks(*sinks, unused);
  }
  if (sinks->sarif != nullptr) sinks->sarif->Finish();
}

void Reporter::DeliverOwnMessage(const Sinks& sinks, const Message& message) const {
  if (!sinks.id_filter->IsMuted(message.id)) DeliverToSinks(sinks, message);
}

// "vkCmdCopyBuffer(): pRegions[0], VkBuffer 0x12[staging], VkCommandBuffer 0x34".
std::string Reporter::PlaceOf(const Message& message) const {
  std::vector<std::string> parts;
  if (!message.location.empty()) parts.push_back(message.location);
  for (const ObjectRef& object : message.objects) parts.push_back(Describe(object));
  return absl::StrJoin(parts, ", ");
}

bool Reporter::HasReceiver(const Sinks& sinks, const Message& message) {
  bool has_callbacks = false;
  for (const std::shared_ptr<const Callback>& callback : sinks.callbacks) {
    if (callback->IsRunningOnThisThread()) continue;
    has_callbacks = true;
    if (callback->IsEnabledFor(message)) return true;
  }
  return (sinks.sarif != nullptr || Logs(sinks.options, has_callbacks)) &&
         (sinks.options.log_flags & ToDebugReportFlag(message)) != 0;
}

bool Reporter::IsSuppressed(const Sinks& sinks, const Message& message) const {
  if (sinks.suppressions == nullptr || sinks.suppressions->empty()) return false;
  Rendering rendering(message, names_, sinks.options.rendering);
  const auto reason = sinks.suppressions->Find(message, rendering.Names());
  if (reason.has_value() && sinks.sarif != nullptr) sinks.sarif->Add(message, rendering.Names(), reason);
  return reason.has_value();
}

bool Reporter::DeliverToSinks(const Sinks& sinks, const Message& message) const {
  Rendering rendering(message, names_, sinks.options.rendering);
  bool skip = false;
  bool reached = false;
  bool has_callbacks = false;
  for (const std::shared_ptr<const Callback>& callback : sinks.callbacks) {
    if (callback->IsRunningOnThisThread()) continue;
    has_callbacks = true;
    if (!callback->IsEnabledFor(message)) continue;
    reached = true;
    skip |= callback->Call(rendering);
  }
  const bool is_flagged = (sinks.options.log_flags & ToDebugReportFlag(message)) != 0;
  if (is_flagged && Logs(sinks.options, has_callbacks)) {
    reached = true;
    sinks.log->Write(rendering.LogEntry());
  }
  if (is_flagged && sinks.sarif != nullptr) {
    reached = true;
    sinks.sarif->Add(message, rendering.Names());
  }
  if (reached && sinks.options.break_on_message) std::raise(SIGTRAP);
  return skip;
}

Message Reporter::WithLabels(const Message& message) const {
  Message result = message;
  for (const ObjectRef& object : message.objects) {
    if (object.type == VK_OBJECT_TYPE_QUEUE && result.queue_labels.empty()) {
      result.queue_labels = labels_.Get(object);
    } else if (object.type == VK_OBJECT_TYPE_COMMAND_BUFFER && result.command_buffer_labels.empty()) {
      result.command_buffer_labels = labels_.Get(object);
    }
  }
  return result;
}

void Reporter::Print(std::string_view text) { Snapshot()->log->Write(text); }

void Reporter::Configure(const ReporterOptions& options) {
  std::vector<Message> problems;
  std::shared_ptr<LogFile> log = LogFile::Open(options.log_filename);
  if (log == nullptr) {
    problems.push_back(UnwritableFile("log file", options.log_filename, errno, "standard output is used instead."));
    log = LogFile::Open("stdout");
  }
  std::shared_ptr<SarifFile> sarif;
  if (!options.sarif_filename.empty()) {
    sarif = SarifFile::Open(options.sarif_filename);
    if (sarif == nullptr) {
      problems.push_back(UnwritableFile("SARIF file", options.sarif_filename, errno, "there is none."));
    }
  }
  std::shared_ptr<const Suppressions> suppressions;
  if (!options.suppression_file.empty()) suppressions = Suppressions::Load(options.suppression_file, &problems);
  std::vector<IdPattern> muted(options.muted_ids.begin(), options.muted_ids.end());
  {
    absl::MutexLock lock(&mutex_);
    options_ = options;
    log_ = std::move(log);
    sarif_ = std::move(sarif);
    suppressions_ = std::move(suppressions);
    id_filter_ = std::make_shared<MessageIdFilter>(options.duplicate_message_limit, std::move(muted));
    deduplicator_ = options.fold_messages ? std::make_shared<MessageDeduplicator>() : nullptr;
    Publish();
  }
  for (const Message& problem : problems) Deliver(problem);
}

void Reporter::AddMessenger(VkDebugUtilsMessengerEXT messenger, const VkDebugUtilsMessengerCreateInfoEXT& create_info) {
  Add(MakeCallback(Object(messenger), create_info));
}

void Reporter::RemoveMessenger(VkDebugUtilsMessengerEXT messenger) { Remove(Object(messenger)); }

void Reporter::AddReportCallback(VkDebugReportCallbackEXT callback,
                                 const VkDebugReportCallbackCreateInfoEXT& create_info) {
  Add(MakeCallback(Object(callback), create_info));
}

void Reporter::RemoveReportCallback(VkDebugReportCallbackEXT callback) { Remove(Object(callback)); }

void Reporter::AddCreateInfoSinks(const void* next) {
  absl::MutexLock lock(&mutex_);
  for (const auto* link = static_cast<const VkBaseInStructure*>(next); link != nullptr; link = link->pNext) {
    std::shared_ptr<Callback> callback;
    if (link->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT) {
      callback = MakeCallback({}, *reinterpret_cast<const VkDebugUtilsMessengerCreateInfoEXT*>(link));
    } else if (link->sType == VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT) {
      callback = MakeCallback({}, *reinterpret_cast<const VkDebugReportCallbackCreateInfoEXT*>(link));
    }
    if (callback != nullptr) create_info_callbacks_.push_back(std::move(callback));
  }
  Publish();
}

void Reporter::SetCreateInfoSinksActive(bool active) {
  absl::MutexLock lock(&mutex_);
  create_info_callbacks_active_ = active;
  Publish();
}

std::shared_ptr<const Reporter::Sinks> Reporter::Snapshot() const {
  absl::ReaderMutexLock lock(&mutex_);
  return sinks_;
}

void Reporter::Add(std::shared_ptr<Callback> callback) {
  if (callback == nullptr) return;
  absl::MutexLock lock(&mutex_);
  callbacks_.push_back(std::move(callback));
  Publish();
}

void Reporter::Remove(ObjectRef identity) {
  absl::MutexLock lock(&mutex_);
  std::erase_if(callbacks_, [identity](const std::shared_ptr<Callback>& callback) {
    if (callback->identity() != identity) return false;
    callback->Retire();
    return true;
  });
  Publish();
}

void Reporter::Publish() {
  auto sinks = std::make_shared<Sinks>();
  if (create_info_callbacks_active_) {
    sinks->callbacks.assign(create_info_callbacks_.begin(), create_info_callbacks_.end());
  }
  sinks->callbacks.insert(sinks->callbacks.end(), callbacks_.begin(), callbacks_.end());
  sinks->log = log_;
  sinks->sarif = sarif_;
  sinks->suppressions = suppressions_;
  sinks->id_filter = id_filter_;
  sinks->deduplicator = deduplicator_;
  sinks->options = options_;
  enabled_severities_.store(EnabledSeverities(*sinks), std::memory_order_relaxed);
  sinks_ = std::move(sinks);
}

uint8_t Reporter::EnabledSeverities(const Sinks& sinks) {
  const bool logs = sinks.sarif != nullptr || Logs(sinks.options, !sinks.callbacks.empty());
  const VkDebugReportFlagsEXT log_flags = logs ? sinks.options.log_flags : 0;
  uint8_t enabled_severities = 0;
  for (Severity severity : {Severity::kVerbose, Severity::kInformation, Severity::kWarning, Severity::kError}) {
    bool is_enabled =
        (log_flags & ToDebugReportFlags(severity)) != 0 || (sinks.options.fail_call && severity == Severity::kError);
    for (const std::shared_ptr<const Callback>& callback : sinks.callbacks)
      is_enabled |= callback->IsEnabledFor(severity);
    if (is_enabled) enabled_severities |= static_cast<uint8_t>(1u << static_cast<unsigned>(severity));
  }
  return enabled_severities;
}

}  // namespace assay::messages
