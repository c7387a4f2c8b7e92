// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGE_TEXT_H_
#define ASSAY_MESSAGES_MESSAGE_TEXT_H_

#include <span>
#include <string>

#include "messages/message/message.h"

namespace assay::messages {

// The pMessage of a VK_EXT_debug_utils callback: the location with the text, the specification's sentence with the id,
// and the fix. Each begins a line. Ids, objects and labels have members of their own there.
//
//     vkCmdCopyBuffer(): pRegions[0].size (4096) is larger than ...
//     The Vulkan specification states: The size member of ... (https://...#VUID-vkCmdCopyBuffer-size-00115)
//     See also: VUID-..., VUID-...
//     To fix: ...
//     Note: ...
std::string FormatText(const Message& message);

// The entry for sinks that have nothing but text: standard output, a log file, and VK_EXT_debug_report callbacks.
// object_names are the names of message.objects, one for each. All lines but the first are indented, which shows where
// a message ends. The last line has no line feed.
//
//     Validation Error: [ VUID-...-00115 ] | VkCommandBuffer 0x34[frame], VkBuffer 0x12 | vkCmdCopyBuffer(): ...
//         The Vulkan specification states: ...
//         To fix: ...
//         Queue labels: frame 7
//         Command buffer labels: shadows::cascade 0
std::string FormatLogEntry(const Message& message, std::span<const std::string> object_names);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_TEXT_H_
