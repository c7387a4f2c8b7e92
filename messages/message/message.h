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

// One thing to tell the developer.
struct Message {
  Severity severity = Severity::kError;
  VkDebugUtilsMessageTypeFlagsEXT type = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  // "VUID-vkCmdCopyBuffer-size-00115", "SYNC-HAZARD-WRITE-AFTER-WRITE", "ASSAY-unknown-setting".
  std::string id;
  // Location::Text(), or empty.
  std::string location;
  // Full sentences in the present tense. The first one goes on from the location: "(4096) is larger than ...".
  std::string text;
  // The specification's sentence; may be empty.
  std::string specification;
  // Other rules that are broken by the same thing and have no message of their own, since the one that id names says
  // it.
  std::vector<std::string> related_ids;
  // What to do, a full sentence or a piece of code; may be empty.
  std::string fix;
  // What the reporter has to say of the message itself: that it is the last one of its id. May be empty.
  std::string note;
  // The most important object first.
  absl::InlinedVector<ObjectRef, 4> objects;
  // Outermost first.
  std::vector<Label> queue_labels;
  std::vector<Label> command_buffer_labels;
  // What the sentences say, for programs; may be empty.
  Properties properties;
  // Messages with the same one, an arbitrary number, say the same of the same mistake, so that one of them is enough: a
  // hazard that a loop makes in every frame. 0 for a message that is like no other.
  uint64_t cause = 0;
};

VkDebugUtilsMessageSeverityFlagBitsEXT ToDebugUtilsSeverity(Severity severity);

// The one bit of the older interface that stands for the message: a warning about performance is PERFORMANCE_WARNING.
VkDebugReportFlagBitsEXT ToDebugReportFlag(const Message& message);
// Every bit that ToDebugReportFlag() gives for some message of the severity.
VkDebugReportFlagsEXT ToDebugReportFlags(Severity severity);

// The number that callbacks are given for an id: a hash, the same in every run and every release, so that applications
// may filter by it; and the same as the Khronos layer's (XXH32 with seed 8), so that filters made for that go on
// working. 0 for an empty id.
int32_t MessageIdNumber(std::string_view id);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_MESSAGE_H_
