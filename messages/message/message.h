// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGE_MESSAGE_H_
#define ASSAY_MESSAGES_MESSAGE_MESSAGE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "messages/message/object_ref.h"
#include "messages/message/property.h"
#include "vk/vulkan.h"

namespace assay::messages {

enum class Severity : uint8_t { kVerbose, kInformation, kWarning, kError };

// A debug label (VK_EXT_debug_utils) that was open on a queue or in a command buffer.
struct Label {
  std::string name;
  // Red, green, blue, alpha; all zero when the application gave none.
  float color[4] = {};
};

// A message to the developer. A check composes it, the reporter delivers it, and sinks render it.
struct Message {
  Severity severity = Severity::kError;
  VkDebugUtilsMessageTypeFlagsEXT type = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  // "VUID-vkCmdCopyBuffer-size-00115", "SYNC-HAZARD-WRITE-AFTER-WRITE", "ASSAY-unknown-setting".
  std::string id;
  // Location::Text(), or empty.
  std::string location;
  // Full sentences in the present tense. The first one continues the location: "(4096) is larger than ...".
  std::string text;
  // The specification's sentence; may be empty.
  std::string specification;
  // Other rules that are violated together with id. They are reported by this message only.
  std::vector<std::string> related_ids;
  // The fix, a full sentence or a piece of code; may be empty.
  std::string fix;
  // The reporter's note about the message itself: that it is the last one of its id. May be empty.
  std::string note;
  // The most important object first.
  absl::InlinedVector<ObjectRef, 4> objects;
  // Outermost first.
  std::vector<Label> queue_labels;
  std::vector<Label> command_buffer_labels;
  // The values of the sentences, for programs; may be empty.
  Properties properties;
  // An arbitrary number that identifies the mistake. Messages of one cause report the same mistake, such as a hazard in
  // every frame, so one of them is enough. 0 for a message that has no duplicates.
  uint64_t cause = 0;
};

VkDebugUtilsMessageSeverityFlagBitsEXT ToDebugUtilsSeverity(Severity severity);

// The flag of VK_EXT_debug_report for the message. A warning about performance is PERFORMANCE_WARNING.
VkDebugReportFlagBitsEXT ToDebugReportFlag(const Message& message);
// Every flag that ToDebugReportFlag() returns for messages of the severity.
VkDebugReportFlagsEXT ToDebugReportFlags(Severity severity);

// The number that callbacks receive for an id: a hash that is the same in every run and release, so applications may
// filter by it. It is the Khronos layer's (XXH32 with seed 8), so filters made for that layer work. 0 for an empty id.
int32_t MessageIdNumber(std::string_view id);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_MESSAGE_H_
