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
#include "messages/report/label_stacks.h"
#include "messages/sinks/callback.h"
#include "messages/sinks/log_file.h"
#include "messages/sinks/rendering.h"
#include "messages/sinks/sarif_file.h"
#include "vk/vulkan.h"

namespace assay::messages {

// What the layer does with a message besides calling the application's callbacks.
struct ReporterOptions {
  enum class Log : uint8_t {
    // While the application has no callback at all.
    kWithoutCallbacks,
    kAlways,
    kNever,
  };
  Log log = Log::kWithoutCallbacks;
  // Which messages are logged, VkDebugReportFlagBitsEXT. A callback has its own filter instead.
  VkDebugReportFlagsEXT log_flags = VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT;
  // See LogFile::Open().
  std::string log_filename = "stdout";
  // Raises SIGTRAP after a message was delivered to at least one sink, so that a debugger stops there.
  bool break_on_message = false;
  // Errors skip the Vulkan call, whatever the callbacks say and also over the limit; not if they are muted or
  // suppressed.
  bool fail_call = false;
  // Ids of messages that nobody is told; see IdPattern.
  std::vector<std::string> muted_ids;
  // How many messages of each id are delivered; 0 for all of them.
  uint32_t duplicate_message_limit = 0;
  // Whether messages of the cause of one that was delivered are only counted.
  bool fold_messages = true;
  RenderingOptions rendering;
  // Where a SarifFile is written, "" for none. It is given what log_flags say, and what is suppressed.
  std::string sarif_filename;
  // See Suppressions; "" for none.
  std::string suppression_file;
};

// Takes messages to the application's callbacks and the log, and knows the objects' names. There is one for each
// VkInstance, and one for what is said before there is an instance. Thread safe.
//
// No lock is held while a callback runs: it may call any Vulkan command, may create and destroy callbacks, itself
// included, and what it adds or removes counts from the next message on (a removed one is not called any more at once).
// A message that a callback's own doing causes goes to the other callbacks, never back to it, and to the log if no
// callback is left; so nothing is endless and nothing lost.
class Reporter {
 public:
  // Logs to standard output as ReporterOptions{} says until Configure().
  Reporter();
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  // Hands the message to every sink that wants it, unless the user muted or suppressed it or there have been too many.
  // True when the Vulkan call is to be skipped (a callback returned VK_TRUE, or ReporterOptions::fail_call). A message
  // that has no labels is given those that are open on the queue or in the command buffer among its objects.
  bool Deliver(const Message& message);

  // For checks that can be broken many times in a frame: if messages of the id (its vk::VuidHash()) are muted or over
  // the limit, counts one, sets *skip to what Deliver() would return, and returns true; the message need not be
  // composed.
  bool CountIfFiltered(uint64_t id_hash, bool* skip);

  // For checks that find the same mistake again and again: if a message of the cause (Message::cause) was delivered,
  // counts one, sets *skip to what Deliver() would return, and returns true; the message need not be composed.
  bool CountIfDuplicate(uint64_t cause, bool* skip);

  // To be called once, at the end of vkDestroyInstance: tells how many messages were held back or folded, tells which
  // suppressions were of no use, and completes the SARIF file.
  void Finish();

  // Whether a message of this severity may reach anybody; false spares the caller from composing it. One relaxed load.
  bool IsEnabledFor(Severity severity) const {
    return (enabled_severities_.load(std::memory_order_relaxed) >> static_cast<unsigned>(severity) & 1) != 0;
  }

  // Writes text to the log whatever the options and callbacks are: for what the user asked for (the print_settings
  // setting).
  void Print(std::string_view text);

  // If the log file cannot be written, says so in a message and logs to standard output. Says likewise what is wrong
  // with the other files.
  void Configure(const ReporterOptions& options);

  void SetName(ObjectRef object, std::string_view name) { names_.Set(object, name); }
  // "" when the object has no name.
  std::string Name(ObjectRef object) const { return names_.Get(object); }
  // To be called for every destroyed object; see ObjectNames::Remove().
  void RemoveName(ObjectRef object) { names_.Remove(object); }
  // The same, for whoever goes on speaking of the object; returns the name.
  std::string TakeName(ObjectRef object) { return names_.Take(object); }
  // "VkBuffer 0x7f12[staging]".
  std::string Describe(ObjectRef object) const { return DescribeObject(object, Name(object)); }

  // The debug labels that are open.
  LabelStacks& labels() { return labels_; }

  // The handles are those that the application was given. Removing one that is not there does nothing.
  void AddMessenger(VkDebugUtilsMessengerEXT messenger, const VkDebugUtilsMessengerCreateInfoEXT& create_info);
  void RemoveMessenger(VkDebugUtilsMessengerEXT messenger);
  void AddReportCallback(VkDebugReportCallbackEXT callback, const VkDebugReportCallbackCreateInfoEXT& create_info);
  void RemoveReportCallback(VkDebugReportCallbackEXT callback);

  // Takes in every messenger and report callback create info in VkInstanceCreateInfo::pNext; there may be several of
  // each. They are called only while active, which is during vkCreateInstance and vkDestroyInstance; at first they are.
  void AddCreateInfoSinks(const void* next);
  void SetCreateInfoSinksActive(bool active);

 private:
  // What one message is delivered to: never changed once it is published, so that Deliver() needs the lock only to take
  // hold of it.
  struct Sinks {
    // The callbacks to call now, in the order in which they were added, those of the create info first.
    std::vector<std::shared_ptr<const Callback>> callbacks;
    std::shared_ptr<LogFile> log;
    std::shared_ptr<SarifFile> sarif;
    std::shared_ptr<const Suppressions> suppressions;
    std::shared_ptr<MessageIdFilter> id_filter;
    std::shared_ptr<MessageDeduplicator> deduplicator;
    ReporterOptions options;
  };

  std::shared_ptr<const Sinks> Snapshot() const ABSL_LOCKS_EXCLUDED(mutex_);
  void Add(std::shared_ptr<Callback> callback) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(ObjectRef identity) ABSL_LOCKS_EXCLUDED(mutex_);
  // Publishes a new list of sinks and what is wanted.
  void Publish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  static uint8_t EnabledSeverities(const Sinks& sinks);
  // Whether somebody is to be told of the message now.
  static bool HasReceiver(const Sinks& sinks, const Message& message);
  // Whether the user knows of the message; the SARIF file lists it then.
  bool IsSuppressed(const Sinks& sinks, const Message& message) const;
  // Counts the message where it belongs, and says whether it passes. If not, *skip, which says before whether errors
  // fail their calls, becomes the answer; a folded one is over the limit of its cause.
  MessageIdFilter::Verdict Pass(const Sinks& sinks, const Message& message, bool* skip) const;
  std::string PlaceOf(const Message& message) const;
  // Says what the reporter itself has to say, unless the user muted it.
  void DeliverOwnMessage(const Sinks& sinks, const Message& message) const;
  // Hands the message over without asking whether it was muted, suppressed or too often there.
  bool DeliverToSinks(const Sinks& sinks, const Message& message) const;
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
  // Null when nothing is folded.
  std::shared_ptr<MessageDeduplicator> deduplicator_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Sinks> sinks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_REPORTER_H_
