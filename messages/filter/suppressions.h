// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_FILTER_SUPPRESSIONS_H_
#define ASSAY_MESSAGES_FILTER_SUPPRESSIONS_H_

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/filter/pattern.h"
#include "messages/message/message.h"

namespace assay::messages {

// Messages that the user has accepted, each with a reason and an optional last day. They are read from a file:
//
//     {
//       "suppressions": [
//         // Comments are allowed.
//         {"id": "VUID-vkCmdDraw-None-08600", "reason": "Fixed in the next engine release.", "expires": "2026-12-31"},
//         {"id": "SYNC-HAZARD-*", "object": "legacy shadow map*", "reason": "Issue 123."},
//         {"label": "third-party UI", "reason": "Not our code."}
//       ]
//     }
//
// An entry has a reason and at least one of "id" (see IdPattern), "object" (the name of one of the message's objects)
// and "label" (a debug label that is open on the queue or in the command buffer). Object and label may have wildcards
// (see MatchesWildcard()). A message must match all of them. "expires" is the last day (UTC) on which the entry
// applies. Thread safe.
class Suppressions {
 public:
  // today is "2026-11-21". Problems with the file, and entries that have expired, are appended to problems; the other
  // entries apply.
  static std::shared_ptr<Suppressions> Parse(std::string_view contents, std::string_view path, std::string_view today,
                                             std::vector<Message>* problems);

  // The same for the file at that path, today.
  static std::shared_ptr<Suppressions> Load(const std::string& path, std::vector<Message>* problems);

  bool empty() const { return entries_.empty(); }

  // The reason of the first entry that matches. Records that this entry has matched. object_names are the names of
  // message.objects, one for each.
  std::optional<std::string_view> Find(const Message& message, std::span<const std::string> object_names) const;

  // One message for each entry that never matched.
  std::vector<Message> ReportUnused() const;

 private:
  struct Entry {
    // The entry as text for messages: "suppressions[2] (id SYNC-*, object legacy) of /home/me/suppressions.json".
    std::string description;
    std::optional<IdPattern> id;
    std::optional<std::string> object;
    std::optional<std::string> label;
    std::string reason;
    mutable std::atomic<bool> has_matched = false;

    bool Matches(const Message& message, std::span<const std::string> object_names) const;
  };

  // Does not move its elements.
  std::deque<Entry> entries_;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_FILTER_SUPPRESSIONS_H_
