// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_REPORTER_H_
#define ASSAY_MESSAGES_REPORT_REPORTER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "messages/filter/message_deduplicator.h"
#include "messages/filter/message_id_filter.h"
#include "messages/filter/suppressions.h"
#include "messages/message/message.h"
#include "messages/message/object_names.h"
#include "messages/message/object_ref.h"
#include "messages/report/delivery.h"
#include "messages/report/label_stacks.h"
#include "messages/report/reporter_options.h"  // IWYU pragma: export
#include "messages/sinks/callback.h"
#include "messages/sinks/log_file.h"
#include "messages/sinks/sarif_file.h"
#include "vk/vulkan.h"

namespace assay::messages {

// Delivers messages to the application's callbacks and the log, and holds the objects' names. There is one for each
// VkInstance, and one for messages before there is an instance. Thread safe.
//
// No lock is held while a callback runs, so it may call any Vulkan command. It may create and destroy callbacks, itself
// included. A change applies from the next message on; a removed callback is not called again even for this one.
//
// A message that a callback itself causes is delivered to the other callbacks but not to this one, and to the log if no
// callback is left. So there is no endless recursion, and no message is lost.
class Reporter {
 public:
  // Until Configure(), the options are ReporterOptions{}: it logs to standard output.
  Reporter();
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  // Delivers the message to every sink that receives it, unless it is muted, suppressed, over the limit or a duplicate.
  // True if the Vulkan call is to be skipped: a callback returned VK_TRUE, or ReporterOptions::fail_call is set. A
  // message without labels gets those that are open on the queue or in the command buffer among its objects.
  bool Deliver(const Message& message);

  // The sinks, filters and options of now, which live as long as the pointer, not as the reporter. For a message about
  // an object that no instance is known of: any instance's may have it, while another thread destroys that.
  using Sinks = std::shared_ptr<const Delivery>;
  Sinks CurrentSinks() const { return Current(); }
  // Deliver(), without the names of objects and the labels, which the reporter has.
  static bool DeliverTo(const Delivery& sinks, const Message& message);

  // For checks that can report many times in a frame. True if messages of the id (its vk::VuidHash()) are muted or over
  // the limit. The caller then need not compose the message: it is counted, and *skip is what Deliver() would return.
  // False while errors fail their calls and there are suppressions, which may match some messages of an id alone.
  bool CountIfFiltered(uint64_t id_hash, bool* skip);

  // For checks that find one mistake repeatedly. True if a message of the cause (Message::cause) was delivered. The
  // caller then need not compose the message: it is counted, and *skip is what Deliver() would return.
  bool CountIfDuplicate(uint64_t cause, bool* skip);

  // To be called once, at the end of vkDestroyInstance. Reports how many messages were over the limit or duplicates,
  // and which suppressions matched nothing; completes the SARIF file.
  void Finish();

  // Whether a message of this severity can reach a sink or fail its call. If not, the caller need not compose it. One
  // relaxed load.
  bool IsEnabledFor(Severity severity) const {
    return (enabled_severities_.load(std::memory_order_relaxed) >> static_cast<unsigned>(severity) & 1) != 0;
  }

  // Writes text to the log, whatever the options and callbacks are. For text that the user requested (the
  // print_settings setting).
  void Print(std::string_view text);

  // Replaces the options and opens their files. Reports files that cannot be read or written; if the log file cannot be
  // written, logs to standard output.
  void Configure(const ReporterOptions& options);

  void SetName(ObjectRef object, std::string_view name) { names_.Set(object, name); }
  // "" when the object has no name.
  std::string Name(ObjectRef object) const { return names_.Get(object); }
  // To be called for every destroyed object; see ObjectNames::Remove().
  void RemoveName(ObjectRef object) { names_.Remove(object); }
  // The same, for callers that describe the object afterwards. Returns the name.
  std::string TakeName(ObjectRef object) { return names_.Take(object); }
  // "VkBuffer 0x7f12[staging]".
  std::string Describe(ObjectRef object) const { return DescribeObject(object, Name(object)); }

  // The debug labels that are open.
  LabelStacks& labels() { return labels_; }

  // The handles are those that the application has. Removing an unknown one does nothing.
  void AddMessenger(VkDebugUtilsMessengerEXT messenger, const VkDebugUtilsMessengerCreateInfoEXT& create_info);
  void RemoveMessenger(VkDebugUtilsMessengerEXT messenger);
  void AddReportCallback(VkDebugReportCallbackEXT callback, const VkDebugReportCallbackCreateInfoEXT& create_info);
  void RemoveReportCallback(VkDebugReportCallbackEXT callback);

  // Adds every messenger and report callback create info in VkInstanceCreateInfo::pNext; there may be several of each.
  // They are called only while active: during vkCreateInstance and vkDestroyInstance. Initially they are active.
  void AddCreateInfoSinks(const void* next);
  void SetCreateInfoSinksActive(bool active);

 private:
  // The lock is held only to copy the pointer.
  std::shared_ptr<const Delivery> Current() const ABSL_LOCKS_EXCLUDED(mutex_);
  void Add(std::shared_ptr<Callback> callback) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(ObjectRef identity) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes a Delivery of the members below. To be called after each change of them.
  void Publish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static bool Deliver(const Delivery& delivery, Message message, const ObjectNames& names);
  // The message with the labels that are open.
  Message WithLabels(const Message& message) const;

  ObjectNames names_;
  LabelStacks labels_;
  // A bit for each Severity.
  std::atomic<uint8_t> enabled_severities_ = 0;

  mutable absl::Mutex mutex_;
  std::vector<std::shared_ptr<Callback>> callbacks_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Callback>> create_info_callbacks_ ABSL_GUARDED_BY(mutex_);
  bool create_info_callbacks_active_ ABSL_GUARDED_BY(mutex_) = true;
  ReporterOptions options_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<LogFile> log_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<SarifFile> sarif_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Suppressions> suppressions_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<MessageIdFilter> id_filter_ ABSL_GUARDED_BY(mutex_);
  // Null if duplicates are delivered.
  std::shared_ptr<MessageDeduplicator> deduplicator_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Delivery> delivery_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_REPORTER_H_
