// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HAZARD_PROPERTIES_H_
#define ASSAY_SYNCVAL_REPORTS_HAZARD_PROPERTIES_H_

#include <string_view>

#include "absl/types/span.h"
#include "messages/messages.h"
#include "syncval/queues/usage_source.h"
#include "syncval/recording/recording.h"
#include "syncval/reports/fix.h"

// The values behind a report, for programs (Message::properties). docs/json.md describes every member:
//
//     {"hazard":"READ-AFTER-WRITE",
//      "access":{"stage":"VK_PIPELINE_STAGE_2_COPY_BIT","access":"VK_ACCESS_2_TRANSFER_READ_BIT",
//                "parameter":"pRegions[1]","command":"vkCmdCopyBuffer","position":8,"labels":["frame","read back"],
//                "command_buffer":{"type":"VkCommandBuffer","handle":"0x12","name":"main"},
//                "queue":{"type":"VkQueue","handle":"0x34"},"batch":2,"submitted_by":"vkQueueSubmit2"},
//      "prior_access":{...},
//      "resource":{"type":"VkBuffer","handle":"0x56","name":"particles","ranges":[{"offset":512,"size":256}]},
//      "synchronization":{"ordered_stages":"VK_PIPELINE_STAGE_2_NONE","visible_to":[],
//                         "missing_stage":"VK_PIPELINE_STAGE_2_COPY_BIT",
//                         "missing_access":"VK_ACCESS_2_TRANSFER_READ_BIT"},
//      "fix":{"action":"record","structure":"VkMemoryBarrier2","srcStageMask":"...","srcAccessMask":"...",
//             "dstStageMask":"...","dstAccessMask":"...","place":"Before this vkCmdCopyBuffer(), record ...",
//             "or_for_the_resource_alone":{"structure":"VkBufferMemoryBarrier2",...,"offset":512,"size":256}}}
//
// Positions count from 1, as in the text. queue, batch and submitted_by are there only for submissions. Unknown members
// are left out. Ranges of an image are mip levels and array layers, with texels where they are not all. Private to the
// package.
namespace assay::syncval {

messages::Properties ObjectProperties(const messages::ObjectRef& object, const messages::Reporter& reporter);

// An access: its stage and access, and the parameter, descriptor or attachment. logged may be null.
messages::Properties AccessProperties(vk::SyncAccessIndex access, const RecordedAccess* logged);
// Adds the command that did an access, with labels and command buffers.
void AddCommandProperties(const SyncRecording& recording, Tag tag, const messages::Reporter& reporter,
                          messages::Properties& properties);

// The access and its command.
messages::Properties AccessProperties(const SyncRecording& recording, Tag tag, vk::SyncAccessIndex access,
                                      const RecordedAccess* logged, const messages::Reporter& reporter);

// An access that a queue executed: with its command, or the kind of source if it is no command's, and its batch. logged
// may be null.
messages::Properties SourceProperties(const UsageSource& source, Tag tag, vk::SyncAccessIndex access,
                                      const RecordedAccess* logged, const messages::Reporter& reporter);

// A barrier of the resource alone, less its masks, if both accesses are of that resource; else empty. prior may be
// null.
messages::Properties SameResourceBarrierProperties(const RecordedAccess& access, const RecordedAccess* prior);

// The properties of a report. access_properties and prior_properties are complete; fix may be empty.
messages::Properties HazardProperties(std::string_view id, const Hazard& hazard, const RecordedAccess& access,
                                      absl::Span<const Range> ranges, messages::Properties access_properties,
                                      messages::Properties prior_properties, messages::Properties fix,
                                      const messages::Reporter& reporter);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HAZARD_PROPERTIES_H_
