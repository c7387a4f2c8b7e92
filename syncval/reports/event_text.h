// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_EVENT_TEXT_H_
#define ASSAY_SYNCVAL_REPORTS_EVENT_TEXT_H_

#include <optional>
#include <string>

#include "messages/messages.h"
#include "syncval/recording/recording.h"

// Events that seem to order the accesses of a hazard, for its report. Private to the package.
namespace assay::syncval {

// An event that seems to order the two accesses of a hazard, and does not.
struct IneffectiveEvent {
  enum class Reason : uint8_t {
    // It is waited for after the earlier access, and set before that access.
    kSetTooEarly,
    // It is waited for after the earlier access, and no known command sets it.
    kNeverSet,
    // It is set after the earlier access, and not waited for before the later one.
    kNotWaitedFor,
  };
  Reason reason;
  uint64_t event;
  // kNeverSet has only the wait, kNotWaitedFor only the set.
  const SyncRecording* set_log = nullptr;
  Tag set;
  Tag wait;
};

// prior is the earlier command, in prior_log, and tag the later one, in log. The logs may be the same.
std::optional<IneffectiveEvent> FindIneffectiveEvent(const SyncRecording& prior_log, Tag prior,
                                                     const SyncRecording& log, Tag tag);

// A sentence on why the event does not order the two. log is that of the later access.
std::string IneffectiveEventText(const IneffectiveEvent& between, const SyncRecording& log,
                                 const messages::Reporter& reporter);
// A fix by the event, as an alternative to a barrier: a sentence without its capital letter.
std::string EventFix(const IneffectiveEvent& between, const messages::Reporter& reporter);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_EVENT_TEXT_H_
