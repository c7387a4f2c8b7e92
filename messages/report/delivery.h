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

  // Whether a sink receives the message now, if no filter stops it.
  bool HasReceiver(const Message& message) const;

  // Whether the suppression file names the message. If so, adds it to the SARIF file.
  bool IsSuppressed(const Message& message, const ObjectNames& names) const;

  // Counts the message in its filter and returns whether it passes; a duplicate is over the limit of its cause. *skip
  // is whether errors fail their calls. If the message does not pass, *skip becomes whether its call is to be skipped.
  MessageIdFilter::Verdict Pass(const Message& message, const ObjectNames& names, bool* skip) const;

  // Delivers the message to its sinks, past all filters. Returns whether a callback skips the call.
  bool DeliverToSinks(const Message& message, const ObjectNames& names) const;

  // Delivers a message of the reporter itself, unless the user muted its id.
  void DeliverOwnMessage(const Message& message, const ObjectNames& names) const;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_DELIVERY_H_
