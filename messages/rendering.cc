// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/rendering.h"

#include <string>
#include <vector>

#include "messages/text.h"

namespace assay::messages {

const std::string& Rendering::Text() {
  if (!text_.has_value()) text_ = FormatText(message_);
  return *text_;
}

const std::string& Rendering::LogEntry() {
  if (!log_entry_.has_value()) log_entry_ = FormatLogEntry(message_, Names());
  return *log_entry_;
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
