// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/reporter.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "messages/rendering.h"

namespace assay::messages {

namespace {

bool Logs(const ReporterOptions& options, bool has_callbacks) {
  return options.log == ReporterOptions::Log::kAlways ||
         (options.log == ReporterOptions::Log::kWithoutCallbacks && !has_callbacks);
}

}  // namespace

Reporter::Reporter() : log_(LogFile::Open("stdout")) {
  absl::MutexLock lock(&mutex_);
  Publish();
}

Reporter::~Reporter() = default;

bool Reporter::Deliver(const Message& message) {
  const std::shared_ptr<const Sinks> sinks = Snapshot();
  Rendering rendering(message, names_);
  bool skip = false;
  bool reached = false;
  bool has_callbacks = false;
  for (const std::shared_ptr<const Callback>& callback : sinks->callbacks) {
    if (callback->IsRunningHere()) continue;
    has_callbacks = true;
    if (!callback->Wants(message)) continue;
    reached = true;
    skip |= callback->Call(rendering);
  }
  if (Logs(sinks->options, has_callbacks) && (sinks->options.log_flags & ToDebugReportFlag(message)) != 0) {
    reached = true;
    sinks->log->Write(rendering.LogEntry());
  }
  if (reached && sinks->options.break_on_message) std::raise(SIGTRAP);
  return skip;
}

void Reporter::Print(std::string_view text) { Snapshot()->log->Write(text); }

void Reporter::Configure(const ReporterOptions& options) {
  std::shared_ptr<LogFile> log = LogFile::Open(options.log_filename);
  const int error = log == nullptr ? errno : 0;
  {
    absl::MutexLock lock(&mutex_);
    options_ = options;
    log_ = log != nullptr ? std::move(log) : LogFile::Open("stdout");
    Publish();
  }
  if (error == 0) return;
  Deliver({.severity = Severity::kWarning,
           .type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
           .id = "ASSAY-unwritable-log-file",
           .text = absl::StrCat("The log file ", options.log_filename, " cannot be written (", std::strerror(error),
                                "); standard output is used instead.")});
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
  sinks->options = options_;
  wanted_.store(WantedSeverities(*sinks), std::memory_order_relaxed);
  sinks_ = std::move(sinks);
}

uint8_t Reporter::WantedSeverities(const Sinks& sinks) {
  const VkDebugReportFlagsEXT log_flags = Logs(sinks.options, !sinks.callbacks.empty()) ? sinks.options.log_flags : 0;
  uint8_t wanted = 0;
  for (Severity severity : {Severity::kVerbose, Severity::kInformation, Severity::kWarning, Severity::kError}) {
    bool is_wanted = (log_flags & ToDebugReportFlags(severity)) != 0;
    for (const std::shared_ptr<const Callback>& callback : sinks.callbacks) is_wanted |= callback->Wants(severity);
    if (is_wanted) wanted |= static_cast<uint8_t>(1u << static_cast<unsigned>(severity));
  }
  return wanted;
}

}  // namespace assay::messages
