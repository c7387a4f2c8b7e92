// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter_messages.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "messages/message/object_ref.h"
#include "messages/message/property.h"
#include "vk/vulkan.h"

namespace assay::messages {
namespace {

// A summary lists the counts of this many causes, the most frequent ones.
constexpr size_t kMaxReportedCauses = 32;

Message GeneralWarning(std::string id, std::string text) {
  return {.severity = Severity::kWarning,
          .type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
          .id = std::move(id),
          .text = std::move(text)};
}

}  // namespace

Message UnwritableFile(std::string_view file, const std::string& path, int error, std::string_view consequence) {
  return GeneralWarning("ASSAY-unwritable-log-file",
                        absl::StrCat("The ", file, " ", EscapeName(path), " cannot be written (", std::strerror(error),
                                     "); ", consequence));
}

std::string LastMessageNote(uint32_t limit) {
  return absl::StrCat("This is the last message of this id that is shown, since duplicate_message_limit is ", limit,
                      "; further ones are counted.");
}

Message LimitSummary(const MessageIdFilter& id_filter) {
  std::vector<std::string> parts;
  for (const MessageIdFilter::OverLimitCount& entry : id_filter.CountsOverLimit())
    parts.push_back(absl::StrCat(entry.count, " of ", entry.id));
  return GeneralWarning("ASSAY-message-limit",
                        absl::StrCat("Messages that were not shown, since duplicate_message_limit is ",
                                     id_filter.limit(), ": ", absl::StrJoin(parts, ", "), "."));
}

Message DuplicateSummary(std::span<const MessageDeduplicator::Duplicates> duplicates) {
  std::vector<std::string> parts;
  std::vector<PropertyValue> list;
  for (const MessageDeduplicator::Duplicates& duplicate :
       duplicates.first(std::min(duplicates.size(), kMaxReportedCauses))) {
    parts.push_back(absl::StrCat(duplicate.count, " of ", duplicate.id, " at ", duplicate.place));
    list.push_back(Properties{{"id", duplicate.id}, {"place", duplicate.place}, {"count", duplicate.count}});
  }
  uint64_t further = 0;
  for (size_t i = parts.size(); i < duplicates.size(); ++i) further += duplicates[i].count;
  if (further != 0) parts.push_back(absl::StrCat(further, " of ", duplicates.size() - parts.size(), " other causes"));
  Message message =
      GeneralWarning("ASSAY-folded-messages",
                     absl::StrCat("Messages that were not shown, since they say again what one that was shown "
                                  "says, and fold_messages is true: ",
                                  absl::StrJoin(parts, "; "), "."));
  message.properties = {{"folded", std::move(list)}};
  return message;
}

}  // namespace assay::messages
