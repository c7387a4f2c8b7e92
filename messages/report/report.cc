// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/report.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "vk/vuid.h"

namespace assay::messages {

void Report::Error(vk::VuidIndex vuid, std::initializer_list<ObjectRef> objects, const Location& where,
                   std::string text, std::string fix) {
  if (!reporter_.IsEnabledFor(Severity::kError)) return;
  bool skip;
  if (reporter_.CountIfFiltered(vk::kVuidHashes[static_cast<uint32_t>(vuid)], &skip)) {
    skip_ |= skip;
    return;
  }
  const vk::VuidInfo rule = vk::GetVuid(vuid);
  Deliver({.severity = Severity::kError,
           .type = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
           .id = std::string(rule.id),
           .location = where.Text(),
           .text = std::move(text),
           .specification = std::string(rule.text),
           .fix = std::move(fix),
           .objects = objects});
}

void Report::Deliver(Message message) {
  if (message.location.empty()) message.location = location().Text();
  skip_ |= reporter_.Deliver(message);
}

bool Report::CountIfDuplicate(uint64_t cause) {
  bool skip = false;
  const bool is_duplicate = reporter_.CountIfDuplicate(cause, &skip);
  skip_ |= skip;
  return is_duplicate;
}

void Report::UndoRecorded() {
  for (; undo_count_ != 0; --undo_count_) {
    const RegisteredUndo& last = undos_[undo_count_ - 1];
    last.undo(last.object);
  }
}

}  // namespace assay::messages
