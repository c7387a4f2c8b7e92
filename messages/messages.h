// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGES_H_
#define ASSAY_MESSAGES_MESSAGES_H_

// Messages: their content, their wording and their delivery. This header is the package's whole interface.
//
// A check *reports*, the reporter *delivers*, a sink *renders*:
//
// * A check has a Report, which stands for the Vulkan call being checked. The check names the rule (a VUID, which the
//   compiler looks up), the Location, the objects, and one or more sentences with the values. It composes text only
//   after it has found a violation. While Reporter::IsEnabledFor() is false, Report::Error() does nothing.
// * There is one Reporter for each VkInstance. It delivers the Message to every sink that receives it, and holds no
//   lock meanwhile. If a sink asks to skip the Vulkan call, the Report records that.
// * A sink renders the message for its interface. Sinks are the application's messengers (VK_EXT_debug_utils) and
//   report callbacks (VK_EXT_debug_report), both also from VkInstanceCreateInfo::pNext; the log, which is standard
//   output or a file, by default only while the application has no callback; and a SARIF file, which also lists
//   suppressed messages with their reasons.
//
// The reporter *filters* and *deduplicates* on the way:
//
// * It filters messages whose id the user muted, messages that a suppression file names (Suppressions), and messages
//   over the limit of their id (MessageIdFilter). The last message below the limit has a note, and the messages over
//   the limit are counted and reported at the end. A filtered id costs a look-up and a counter. The user can make a
//   call with an error fail even if the message is not delivered.
// * It deduplicates messages with one cause, such as a hazard in every frame (MessageDeduplicator). It delivers the
//   first, counts the others, and reports the counts at the end. A duplicate has the answer of the first one, and does
//   not count for the limit.
//
// LabelStacks adds the labels that are open on the message's queue or in its command buffer.
//
// The wording. A message has three paragraphs, each beginning a line, of which the last two may be absent:
//
//     vkCmdCopyBuffer(): pRegions[0].size (4096) is larger than what is left of srcBuffer VkBuffer 0x12[staging] ...
//     The Vulkan specification states: The size member of each element of pRegions must be ...
//     (https://...#VUID-...-00115) To fix: Copy at most 1024 bytes.
//
// Further rules may be violated together with this one and have no message of their own. Their ids stand before the fix
// on a line that begins with "See also:".
//
// * The location comes first, and the text continues it: name, then value in parentheses; enumerants by name; both the
//   value and the limit; full sentences in the present tense. If the message is about the command as a whole, a colon
//   stands between: "vkCmdDraw(): No graphics pipeline is bound." Reporter::Describe() words objects.
// * The specification's sentence is the registry's. The id follows it, for readers who see nothing but the text.
// * The fix is a sentence, or code to paste, which may span lines.
//
// A messenger receives this text as pMessage, and the id, the objects with their names, and the labels as data. A
// report callback and the log have nothing but text. They receive an entry with a heading and the labels:
//
//     Validation Error: [ VUID-...-00115 ] | VkCommandBuffer 0x34[frame], VkBuffer 0x12 | vkCmdCopyBuffer(): ...
//         The Vulkan specification states: ...
//         To fix: ...
//         Queue labels: frame 7
//         Command buffer labels: shadows::cascade 0
//
// If the user asks for JSON, an object on one line (sinks/json.h) replaces both. There a check can also give its values
// as data (Message::properties).
//
// Ids begin with VUID- (the registry's), SYNC-HAZARD- (synchronization validation), UNASSIGNED- (what no rule of the
// registry is about) or ASSAY- (the layer itself). What shaders print has WARNING-DEBUG-PRINTF.
//
// The package's rooms: message/ is a message as data and as text, report/ the Report and the Reporter, filter/ the
// filters and the deduplicator, sinks/ the callbacks and files. Checks are not here, and neither are the settings,
// which //layer reads.

#include "messages/message/location.h"    // IWYU pragma: export
#include "messages/message/message.h"     // IWYU pragma: export
#include "messages/message/object_ref.h"  // IWYU pragma: export
#include "messages/message/property.h"    // IWYU pragma: export
#include "messages/report/report.h"       // IWYU pragma: export
#include "messages/report/reporter.h"     // IWYU pragma: export
#include "messages/sinks/callback.h"      // IWYU pragma: export

#endif  // ASSAY_MESSAGES_MESSAGES_H_
