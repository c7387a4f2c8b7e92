// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HAZARD_PROPERTIES_H_
#define ASSAY_SYNCVAL_REPORTS_HAZARD_PROPERTIES_H_

#include <string_view>

#include "absl/types/span.h"
#include "messages/messages.h"
#include "syncval/recording/recording.h"
#include "syncval/reports/fix.h"

// What a report says, for programs (Message::properties):
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
// Positions count from 1, as in the text. Queue, batch and submitted_by are there only for submissions; what is not
// known is left out. Of an image, ranges are of mip levels and array layers, with texels where they are not all.
// Private to the package.
namespace assay::syncval {

messages::Properties ObjectProperties(const messages::ObjectRef& object, const messages::Reporter& reporter);

// Of one access: how, and through what.
messages::Properties AccessProperties(vk::SyncAccessIndex access, const RecordedAccess* logged);
// Of the command that did it, with labels and command buffers.
void AddCommandProperties(const SyncRecording& recording, Tag tag, const messages::Reporter& reporter,
                          messages::Properties& properties);

// Both.
messages::Properties AccessProperties(const SyncRecording& recording, Tag tag, vk::SyncAccessIndex access,
                                      const RecordedAccess* logged, const messages::Reporter& reporter);

// All of them. access and prior_access are complete.
messages::Properties HazardProperties(std::string_view id, const Hazard& hazard, const RecordedAccess& access,
                                      absl::Span<const Range> ranges, messages::Properties access_properties,
                                      messages::Properties prior_properties, messages::Properties fix,
                                      const messages::Reporter& reporter);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HAZARD_PROPERTIES_H_
