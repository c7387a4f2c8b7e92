// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HAZARD_TEXT_H_
#define ASSAY_SYNCVAL_REPORTS_HAZARD_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/messages.h"
#include "syncval/recording/recording.h"
#include "vk/sync/sync_info.h"
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
std::string StageAndAccessText(vk::SyncAccessIndex access);
// " in "frame::simulate""; empty outside of labels.
std::string LabelsText(const state::CommandBuffer& buffer, uint32_t label_path);
// "command 3, vkCmdDispatch() in "frame::simulate"", without the command buffer.
std::string DescribeInCommandBuffer(const SyncRecording& recording, Tag tag);
// The same; for a command of a secondary, with the secondary and the command that executes it.
std::string Describe(const SyncRecording& recording, Tag tag, const messages::Reporter& reporter);
// "color attachment 1", "vertex buffer 0"; for accesses by other means than parameters and descriptors.
std::string NameOf(const RecordedAccess& access);
// "pRegions[2]", "dstBuffer"; empty for accesses by other means than parameters.
std::string ParameterText(const RecordedAccess& access);
// " through the descriptor at set 0, binding 1", " by pRegions[2]", " as vertex buffer 0", " by the storeOp of color
// attachment 1"; empty where the command alone determines it.
std::string RoleText(const RecordedAccess& access);
// The place of a barrier that this command needs: "Before this vkCmdDispatch(), record". In dynamic rendering that is
// outside the render pass instance.
std::string PlaceOfBarrier(const SyncRecording& recording, const Hazard& hazard, std::string_view command);
// A sentence about what barriers between the two accesses do, and what they lack. is_automatic: the access is an
// automatic layout transition, which subpass dependencies order.
std::string MissingSynchronizationText(const Hazard& hazard, vk::SyncAccessIndex access, bool is_automatic = false);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HAZARD_TEXT_H_
