// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGES_H_
#define ASSAY_MESSAGES_MESSAGES_H_

// What Assay says, how it is worded, and who hears it. This header is the package's whole interface.
//
// A check *reports*, the reporter *delivers*, a sink *renders*:
//
// * A check is given a Report, which stands for the Vulkan call being checked. It names the rule (a VUID that the
//   compiler has looked up), the Location, the objects, and one or more sentences with the values. It composes text
//   only once it has found something wrong; and while Reporter::IsEnabledFor() says no, Report::Error() does nothing at
//   all.
// * The Reporter, one for each VkInstance, hands the Message to every sink that wants it and holds no lock meanwhile.
//   If a sink asks that the Vulkan call be skipped, the Report remembers it. On the way it *holds back* what the user
//   muted by id, what a suppression file knows, and what came more often than the limit of its id (MessageIdFilter);
//   the last one of an id says that it is, and what was held back for the limit is counted and told at the end. A call
//   with an error can be made to fail whether or not anybody is told. An id that is closed costs a look-up and a
//   counter. It also *folds*: of messages with one cause, like a hazard that is there in every frame, it delivers the
//   first, counts the rest, and tells the counts at the end (MessageDeduplicator). What is folded is answered as the
//   first one was, and does not count for the limit.
// * A sink turns the message into what its interface has room for. Sinks are the application's messengers
//   (VK_EXT_debug_utils) and report callbacks (VK_EXT_debug_report), both also from VkInstanceCreateInfo::pNext, and
//   the log: standard output or a file, by default only while the application has no callback; and a SARIF file, which
//   also lists what was suppressed, and why.
//
// The labels that are open on the queue or in the command buffer that a message is about are added to it (LabelStacks).
//
// The wording. One message is three paragraphs, each beginning a line, of which the last two may be absent:
//
//     vkCmdCopyBuffer(): pRegions[0].size (4096) is larger than what is left of srcBuffer VkBuffer 0x12[staging] ...
//     The Vulkan specification states: The size member of each element of pRegions must be ... (VUID-...-00115)
//     To fix: Copy at most 1024 bytes.
//
// Ids of further rules that the same thing breaks, and that have no message of their own, stand before the fix on a
// line that begins with "See also:".
//
// * The location comes first and the text goes on from it: name, then value in parentheses; enumerants by name; both
//   the value and the limit; full sentences in the present tense. If the message is about the command as a whole, a
//   colon stands between: "vkCmdDraw(): No graphics pipeline is bound." Reporter::Describe() words objects.
// * The specification's sentence is the registry's, with the id after it, for those who see nothing but the text.
// * The fix is a sentence, or code to paste, which may span lines.
//
// A messenger is given this text as pMessage, and id, objects with their names, and labels as data. A report callback
// and the log, which have nothing but text, are given an entry that also has what goes before and after:
//
//     Validation Error: [ VUID-...-00115 ] | VkCommandBuffer 0x34[frame], VkBuffer 0x12 | vkCmdCopyBuffer(): ...
//         The Vulkan specification states: ...
//         To fix: ...
//         Queue labels: frame 7
//         Command buffer labels: shadows > cascade 0
//
// If the user asks for JSON, an object on one line (json.h) takes the place of both. There a check that knows more than
// sentences can say well gives it as values too (Message::properties).
//
// Ids begin with VUID- (the registry's), SYNC-HAZARD- (synchronization validation) or ASSAY- (the layer itself).

#include "messages/message/location.h"    // IWYU pragma: export
#include "messages/message/message.h"     // IWYU pragma: export
#include "messages/message/object_ref.h"  // IWYU pragma: export
#include "messages/message/property.h"    // IWYU pragma: export
#include "messages/report/report.h"       // IWYU pragma: export
#include "messages/report/reporter.h"     // IWYU pragma: export

#endif  // ASSAY_MESSAGES_MESSAGES_H_
