// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_REPORTER_MESSAGES_H_
#define ASSAY_MESSAGES_REPORT_REPORTER_MESSAGES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "messages/filter/message_deduplicator.h"
#include "messages/filter/message_id_filter.h"
#include "messages/message/message.h"

// The reporter's own messages: about messages that it did not deliver, and about files that it cannot write.
namespace assay::messages {

// A warning that the file at `path` cannot be written. `file` says which file that is ("log file"), `error` is an
// errno, and `consequence` ends the sentence.
Message UnwritableFile(std::string_view file, const std::string& path, int error, std::string_view consequence);

// The note of the last message of an id that is delivered.
std::string LastMessageNote(uint32_t limit);

// A warning with the counts of the messages over the limit.
Message LimitSummary(const MessageIdFilter& id_filter);

// A warning with the counts of duplicates, of which the most frequent ones are listed. `duplicates` is not empty and
// begins with these.
Message DuplicateSummary(std::span<const MessageDeduplicator::Duplicates> duplicates);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_REPORTER_MESSAGES_H_
