// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_DELIVERY_H_
#define ASSAY_MESSAGES_REPORT_DELIVERY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "messages/filter/message_deduplicator.h"
#include "messages/filter/message_id_filter.h"
#include "messages/filter/suppressions.h"
#include "messages/message/message.h"
#include "messages/message/object_names.h"
#include "messages/report/reporter_options.h"
#include "messages/sinks/callback.h"
#include "messages/sinks/log_file.h"
#include "messages/sinks/sarif_file.h"

namespace assay::messages {

// What is to be done with one message.
struct Decision {
  enum class Why : uint8_t {
    // Nothing stops it.
    kPasses,
    // The last message of its id below the limit.
    kPassesLast,
    // No sink receives it.
    kNoReceiver,
    // A suppression names it.
    kSuppressed,
    // The user muted its id.
    kMuted,
    kOverLimit,
    // One of the same cause was delivered before.
    kDuplicate,
  };
  Why why = Why::kPasses;
  // Whether its call is to be skipped, whatever callbacks return.
  bool skip = false;

  // Whether the sinks get it.
  bool deliver() const { return why == Why::kPasses || why == Why::kPassesLast; }
};

// The sinks, filters and options of the reporter at one moment. The reporter publishes a new one for every change and
// never changes a published one, so a delivery holds no lock. The sinks and filters themselves are thread safe.
struct Delivery {
  // The callbacks that are active, in the order in which they were added. Those of the VkInstanceCreateInfo come first.
  std::vector<std::shared_ptr<const Callback>> callbacks;
  std::shared_ptr<LogFile> log;
  // Null if there is no such file.
  std::shared_ptr<SarifFile> sarif;
  std::shared_ptr<const Suppressions> suppressions;
  std::shared_ptr<MessageIdFilter> id_filter;
  // Null if duplicates are delivered.
  std::shared_ptr<MessageDeduplicator> deduplicator;
  ReporterOptions options;

  // A bit for each Severity: whether a message of it can reach a sink or fail its call.
  uint8_t EnabledSeverities() const;

  // Decides what happens to the message, which has its labels. This is the one place that decides: a suppression comes
  // before the limit of an id and before the duplicates of a cause, and a message that is suppressed or muted skips no
  // call. Counts the message in its filter. A suppressed one is added to the SARIF file.
  Decision Decide(const Message& message, const ObjectNames& names) const;

  // The same for a message that is not composed yet and has this id (its vk::VuidHash()) or cause. If what is known of
  // it decides, counts it, sets *decision and returns true. A message that a suppression might keep from skipping its
  // call has to be composed.
  bool DecideById(uint64_t id_hash, Decision* decision) const;
  bool DecideByCause(uint64_t cause, Decision* decision) const;

  // Delivers the message to its sinks, past all filters. Returns whether a callback skips the call.
  bool DeliverToSinks(const Message& message, const ObjectNames& names) const;

  // Delivers a message of the reporter itself, unless the user muted its id.
  void DeliverOwnMessage(const Message& message, const ObjectNames& names) const;

 private:
  // Whether a sink receives the message now, if no filter stops it.
  bool HasReceiver(const Message& message) const;
  bool HasSuppressions() const { return suppressions != nullptr && !suppressions->empty(); }
  // Whether the suppression file names the message. If so, and if a sink receives the message, adds it to the SARIF
  // file.
  bool IsSuppressed(const Message& message, const ObjectNames& names, bool has_receiver) const;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_DELIVERY_H_
