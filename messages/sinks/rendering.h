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

// How text is made of a message.
struct RenderingOptions {
  // FormatJson() takes the place of FormatText() and FormatLogEntry().
  bool json = false;
  // Said with each message, so that programs and instances can be told apart; "" for none.
  std::string application_name = {};
};

// One message on its way to several sinks: what they need of it is made when the first of them asks and shared by the
// rest. For one thread; message, names and options must outlive it.
class Rendering {
 public:
  Rendering(const Message& message, const ObjectNames& names, const RenderingOptions& options)
      : message_(message), names_(names), options_(options) {}

  const Message& message() const { return message_; }
  // FormatText() or FormatJson(), for callbacks that are given objects and labels besides.
  const std::string& Text();
  // FormatLogEntry() or FormatJson(), for who is given nothing but text.
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
