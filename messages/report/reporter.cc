// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "messages/report/reporter_messages.h"

namespace assay::messages {

Reporter::Reporter()
    : log_(LogFile::Open("stdout")),
      id_filter_(std::make_shared<MessageIdFilter>(0, std::vector<IdPattern>())),
      deduplicator_(std::make_shared<MessageDeduplicator>()) {
  absl::MutexLock lock(&mutex_);
  Publish();
}

Reporter::~Reporter() = default;

bool Reporter::Deliver(const Message& unlabelled) {
  const std::shared_ptr<const Delivery> delivery = Current();
  return Deliver(*delivery, WithLabels(unlabelled), names_);
}

bool Reporter::DeliverTo(const Delivery& sinks, const Message& message) {
  return Deliver(sinks, message, ObjectNames());
}

bool Reporter::Deliver(const Delivery& delivery, Message message, const ObjectNames& names) {
  const Decision decision = delivery.Decide(message, names);
  if (!decision.deliver()) return decision.skip;
  if (decision.why == Decision::Why::kPassesLast) message.note = LastMessageNote(delivery.id_filter->limit());
  const bool skip = delivery.DeliverToSinks(message, names) || decision.skip;
  if (message.cause != 0 && delivery.deduplicator != nullptr) delivery.deduplicator->SetSkip(message.cause, skip);
  return skip;
}

bool Reporter::CountIfDuplicate(uint64_t cause, bool* skip) {
  Decision decision;
  if (!Current()->DecideByCause(cause, &decision)) return false;
  *skip = decision.skip;
  return true;
}

bool Reporter::CountIfFiltered(uint64_t id_hash, bool* skip) {
  Decision decision;
  if (!Current()->DecideById(id_hash, &decision)) return false;
  *skip = decision.skip;
  return true;
}

void Reporter::Finish() {
  const std::shared_ptr<const Delivery> delivery = Current();
  if (!delivery->id_filter->CountsOverLimit().empty())
    delivery->DeliverOwnMessage(LimitSummary(*delivery->id_filter), names_);
  if (delivery->deduplicator != nullptr) {
    if (const auto duplicates = delivery->deduplicator->Counts(); !duplicates.empty())
      delivery->DeliverOwnMessage(DuplicateSummary(duplicates), names_);
  }
  if (delivery->suppressions != nullptr) {
    for (const Message& unused : delivery->suppressions->ReportUnused()) delivery->DeliverToSinks(unused, names_);
  }
  if (delivery->sarif != nullptr) delivery->sarif->Finish();
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

void Reporter::Print(std::string_view text) { Current()->log->Write(text); }

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

std::shared_ptr<const Delivery> Reporter::Current() const {
  absl::ReaderMutexLock lock(&mutex_);
  return delivery_;
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
  auto delivery = std::make_shared<Delivery>();
  if (create_info_callbacks_active_) {
    delivery->callbacks.assign(create_info_callbacks_.begin(), create_info_callbacks_.end());
  }
  delivery->callbacks.insert(delivery->callbacks.end(), callbacks_.begin(), callbacks_.end());
  delivery->log = log_;
  delivery->sarif = sarif_;
  delivery->suppressions = suppressions_;
  delivery->id_filter = id_filter_;
  delivery->deduplicator = deduplicator_;
  delivery->options = options_;
  enabled_severities_.store(delivery->EnabledSeverities(), std::memory_order_relaxed);
  delivery_ = std::move(delivery);
}

}  // namespace assay::messages
