// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_HAZARD_WORDS_H_
#define ASSAY_SYNCVAL_HAZARD_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/messages.h"
#include "syncval/recording.h"
#include "vk/sync_info.h"
#include "vk/vulkan.h"

// Parts of sentences about accesses and hazards. Private to the package.
namespace assay::syncval {

// The message's id.
const char* IdOf(HazardKind kind);

inline const vk::SyncStageAccessInfo& InfoOf(vk::SyncAccessIndex access) { return vk::SyncStageAccesses()[access]; }
inline bool IsTransition(vk::SyncAccessIndex access) { return access == vk::kSyncImageLayoutTransition; }

std::string Stages(VkPipelineStageFlags2 stages);
std::string Accesses(VkAccessFlags2 accesses);

// "reads", "writes" or "changes the layout of".
const char* VerbOf(vk::SyncAccessIndex access);
// " (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT)".
std::string HowOf(vk::SyncAccessIndex access);
// " in "frame" > "simulate""; empty outside of labels.
std::string LabelsText(const state::CommandBuffer& buffer, uint32_t label_path);
// "command 3, vkCmdDispatch() in "frame" > "simulate"", without saying of which command buffer.
std::string DescribeInItsBuffer(const SyncRecording& recording, Tag tag);
// The same, and of which secondary, executed by which command, if it is one's.
std::string Describe(const SyncRecording& recording, Tag tag, const messages::Reporter& reporter);
// " through the descriptor at set 0, binding 1", " by pRegions[2]", " as vertex buffer 0", " by the storeOp of color
// attachment 1"; empty where the command says it all.
std::string ByWhat(const RecordedAccess& access);
// Where the barrier goes that this command needs before it: "Before this vkCmdDispatch(), record".
// vkCmdPipelineBarrier2 has no place in dynamic rendering.
std::string PlaceOfBarrier(const SyncRecording& recording, const Hazard& hazard, std::string_view command);
// "srcStageMask |= VK_PIPELINE_STAGE_2_COPY_BIT and srcAccessMask |= VK_ACCESS_2_TRANSFER_WRITE_BIT", or the half of it
// that adds anything; side is "src" or "dst".
std::string Additions(const char* side, VkPipelineStageFlags2 stages, VkAccessFlags2 accesses);
// What barriers between the two accesses do, and what they lack.
std::string WhatIsMissing(const Hazard& hazard, vk::SyncAccessIndex access);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_HAZARD_WORDS_H_
