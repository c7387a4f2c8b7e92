// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/text.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "messages/message/message.h"
#include "messages/message/object_ref.h"
#include "messages/message/specification_url.h"
#include "vk/vulkan.h"

namespace assay::messages {
namespace {

// "Validation", "Performance", "General". A message of several types is named after the rarest.
std::string_view TypeWord(VkDebugUtilsMessageTypeFlagsEXT type) {
  if ((type & VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT) != 0) return "Device Address Binding";
  if ((type & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT) != 0) return "Performance";
  if ((type & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) != 0) return "Validation";
  return "General";
}

std::string_view SeverityWord(Severity severity) {
  switch (severity) {
    case Severity::kVerbose:
      return "Verbose";
    case Severity::kInformation:
      return "Information";
    case Severity::kWarning:
      return "Warning";
    case Severity::kError:
      break;
  }
  return "Error";
}

// A colon joins "vkCmdDraw()" and a sentence. "vkCmdDraw(): vertexCount" has its colon already.
std::string_view LocationSeparator(std::string_view location) {
  if (location.empty()) return "";
  return absl::EndsWith(location, "()") ? ": " : " ";
}

std::string FormatObjects(const Message& message, std::span<const std::string> object_names) {
  std::vector<std::string> described;
  described.reserve(message.objects.size());
  for (size_t i = 0; i < message.objects.size(); ++i) {
    described.push_back(DescribeObject(message.objects[i], object_names[i]));
  }
  return absl::StrJoin(described, ", ");
}

void AppendLabels(std::string& entry, std::string_view what, const std::vector<Label>& labels) {
  if (labels.empty()) return;
  absl::StrAppend(&entry, "\n", what, ": ", absl::StrJoin(labels, "::", [](std::string* out, const Label& label) {
    out->append(EscapeName(label.name));
  }));
}

}  // namespace

std::string FormatText(const Message& message) {
  std::string text = absl::StrCat(message.location, LocationSeparator(message.location), message.text);
  if (!message.specification.empty()) {
    absl::StrAppend(&text, "\nThe Vulkan specification states: ", message.specification);
    const std::string url = SpecificationUrl(message.id);
    if (!url.empty()) {
      absl::StrAppend(&text, " (", url, ")");
    } else if (!message.id.empty()) {
      absl::StrAppend(&text, " (", message.id, ")");
    }
  }
  if (!message.related_ids.empty()) absl::StrAppend(&text, "\nSee also: ", absl::StrJoin(message.related_ids, ", "));
  if (!message.fix.empty()) absl::StrAppend(&text, "\nTo fix: ", message.fix);
  if (!message.note.empty()) absl::StrAppend(&text, "\nNote: ", message.note);
  return text;
}

std::string FormatLogEntry(const Message& message, std::span<const std::string> object_names) {
  std::string entry = absl::StrCat(TypeWord(message.type), " ", SeverityWord(message.severity), ": ");
  if (!message.id.empty()) absl::StrAppend(&entry, "[ ", message.id, " ] | ");
  if (!message.objects.empty()) absl::StrAppend(&entry, FormatObjects(message, object_names), " | ");
  absl::StrAppend(&entry, FormatText(message));
  AppendLabels(entry, "Queue labels", message.queue_labels);
  AppendLabels(entry, "Command buffer labels", message.command_buffer_labels);
  return absl::StrReplaceAll(entry, {{"\n", "\n    "}});
}

}  // namespace assay::messages
