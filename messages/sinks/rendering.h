// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_SINKS_RENDERING_H_
#define ASSAY_MESSAGES_SINKS_RENDERING_H_

#include <optional>
#include <string>
#include <vector>

#include "messages/message/message.h"
#include "messages/message/object_names.h"

namespace assay::messages {

// Options for the text of a message.
struct RenderingOptions {
  // FormatJson() takes the place of FormatText() and FormatLogEntry().
  bool json = false;
  // Part of each message, to distinguish programs and instances; "" for none.
  std::string application_name = {};
};

// One message on its way to several sinks. Its texts are made when the first sink needs them, and shared by the others.
// For one thread. message, names and options must outlive it.
class Rendering {
 public:
  Rendering(const Message& message, const ObjectNames& names, const RenderingOptions& options)
      : message_(message), names_(names), options_(options) {}

  const Message& message() const { return message_; }
  // FormatText() or FormatJson(), for callbacks that receive objects and labels besides.
  const std::string& Text();
  // FormatLogEntry() or FormatJson(), for sinks that receive nothing but text.
  const std::string& LogEntry();
  // The names of message().objects, one for each; "" for those that have none.
  const std::vector<std::string>& Names();

 private:
  std::string WithApplication(std::string text) const;

  const Message& message_;
  const ObjectNames& names_;
  const RenderingOptions& options_;
  std::optional<std::string> text_;
  std::optional<std::string> log_entry_;
  std::optional<std::vector<std::string>> object_names_;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_SINKS_RENDERING_H_
