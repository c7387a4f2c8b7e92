// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/sinks/rendering.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "messages/message/text.h"
#include "messages/sinks/json.h"

namespace assay::messages {

const std::string& Rendering::Text() {
  if (options_.json) return LogEntry();
  if (!text_.has_value()) text_ = WithApplication(FormatText(message_));
  return *text_;
}

const std::string& Rendering::LogEntry() {
  if (!log_entry_.has_value()) {
    log_entry_ = options_.json ? FormatJson(message_, Names(), options_.application_name)
                               : WithApplication(FormatLogEntry(message_, Names()));
  }
  return *log_entry_;
}

std::string Rendering::WithApplication(std::string text) const {
  if (options_.application_name.empty()) return text;
  return absl::StrCat("[AppName: ", EscapeName(options_.application_name), "] ", text);
}

const std::vector<std::string>& Rendering::Names() {
  if (!object_names_.has_value()) {
    std::vector<std::string>& names = object_names_.emplace();
    names.reserve(message_.objects.size());
    for (const ObjectRef& object : message_.objects) names.push_back(names_.Get(object));
  }
  return *object_names_;
}

}  // namespace assay::messages
