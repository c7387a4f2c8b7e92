// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_EVENT_TEXT_H_
#define ASSAY_SYNCVAL_REPORTS_EVENT_TEXT_H_

#include <optional>
#include <string>

#include "messages/messages.h"
#include "syncval/recording/recording.h"

// What events have to do with a hazard, in words. Private to the package.
namespace assay::syncval {

// An event that looks as if it were to order the two accesses of a hazard, and does not.
struct IneffectiveEvent {
  enum class Reason : uint8_t {
    // It is set before the earlier access, or in the log of no command that is known, and waited for after it.
    kSetTooEarly,
    kNeverSet,
    // It is set after the earlier access, and not waited for before the later one.
    kNotWaitedFor,
  };
  Reason reason;
  uint64_t event;
  // Of kNeverSet, only the wait is known; of kNotWaitedFor, only the set.
  const SyncRecording* set_log = nullptr;
  Tag set;
  Tag wait;
};

// prior is of prior_log, tag of log; they may be the same.
std::optional<IneffectiveEvent> FindIneffectiveEvent(const SyncRecording& prior_log, Tag prior,
                                                     const SyncRecording& log, Tag tag);

// A sentence on what the event lacks. log is that of the later access.
std::string IneffectiveEventText(const IneffectiveEvent& between, const SyncRecording& log,
                                 const messages::Reporter& reporter);
// What would help, as another way than a barrier: a sentence but for its first letter.
std::string EventFix(const IneffectiveEvent& between, const messages::Reporter& reporter);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_EVENT_TEXT_H_
