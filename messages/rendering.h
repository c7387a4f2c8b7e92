// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_RENDERING_H_
#define ASSAY_MESSAGES_RENDERING_H_

#include <optional>
#include <string>
#include <vector>

#include "messages/message.h"
#include "messages/object_names.h"

namespace assay::messages {

// One message on its way to several sinks: what they need of it is made when the first of them asks and shared by the
// rest. For one thread; message and names must outlive it.
class Rendering {
 public:
  Rendering(const Message& message, const ObjectNames& names) : message_(message), names_(names) {}

  const Message& message() const { return message_; }
  // FormatText().
  const std::string& Text();
  // FormatLogEntry().
  const std::string& LogEntry();
  // The names of message().objects, one for each; "" for those that have none.
  const std::vector<std::string>& Names();

 private:
  const Message& message_;
  const ObjectNames& names_;
  std::optional<std::string> text_;
  std::optional<std::string> log_entry_;
  std::optional<std::vector<std::string>> object_names_;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_RENDERING_H_
