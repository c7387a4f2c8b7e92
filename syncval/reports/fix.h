// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_FIX_H_
#define ASSAY_SYNCVAL_REPORTS_FIX_H_

#include <cstdint>
#include <string>

#include "messages/messages.h"
#include "syncval/engine/engine.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Changes that remove a hazard. Private to the package.
namespace assay::syncval {

// A change that removes a hazard, as text and as properties. "action" names the change, "structure" the structure that
// it needs; masks have the names of the structure's members, and "place" says where. docs/json.md lists all members.
struct Fix {
  std::string text;
  messages::Properties fields;
};

// Stages or accesses for sync1, whose masks have 32 bits. A bit that sync1 does not have becomes the sync1 bit that
// stands for it and for the fewest others.
VkPipelineStageFlags Sync1Stages(VkPipelineStageFlags2 stages);
VkAccessFlags Sync1Accesses(VkAccessFlags2 accesses);

// Whether the command is of sync1.
bool IsSync1(vk::CommandId id);

// Stages as text, by the names that the command takes.
std::string StagesFor(vk::CommandId id, VkPipelineStageFlags2 stages);

// The commands and structures that a fix uses: those of synchronization2 where the device has that feature enabled.
enum class SyncVersion : uint8_t { kSync1, kSynchronization2 };

// "vkCmdPipelineBarrier2()" or "vkCmdPipelineBarrier()".
std::string BarrierCommandText(SyncVersion version);

// What that command is to be recorded with, as code to paste:
//
//   VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask =
//   VK_PIPELINE_STAGE_2_COPY_BIT, .srcAccessMask = ...};
//
// In sync1 the stages are parameters:
//
//   srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT, dstStageMask = ..., and VkMemoryBarrier barrier = {.sType =
//   VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = ..., .dstAccessMask = ...};
std::string MemoryBarrierText(SyncVersion version, const BarrierFlags& flags);

// Recording one more barrier. place goes before the command's name: "Before this vkCmdDispatch(), record". resource is
// a barrier of the conflicting range alone without its masks, for the properties; it may be empty. Its structure is
// that of synchronization2.
Fix RecordBarrier(SyncVersion version, const std::string& place, const BarrierFlags& flags,
                  messages::Properties resource);

enum class BarrierSide : uint8_t { kSource, kDestination };

// Adding bits to one side of the image barrier at path of a barrier command: "pDependencyInfo.pImageMemoryBarriers[0]".
// command is "this vkCmdPipelineBarrier2()" or "command 3, vkCmdPipelineBarrier2()".
Fix AddToBarrier(BarrierSide side, const BarrierFlags& flags, vk::CommandId id, const std::string& path,
                 const std::string& command);

// "VK_SUBPASS_EXTERNAL" or a number.
std::string SubpassName(uint32_t subpass);

// "VkSubpassDependency2" or "VkSubpassDependency".
std::string DependencyStructure(SyncVersion version);

// Adding a dependency to the render pass.
Fix NewDependency(SyncVersion version, uint32_t src_subpass, uint32_t dst_subpass, const BarrierFlags& flags);

// Adding bits to one side of an existing dependency. dependency goes after the structure's name and `article`: "with
// .srcSubpass = 0, …".
Fix AddToDependency(SyncVersion version, BarrierSide side, const BarrierFlags& flags, const char* article,
                    const std::string& dependency);

// Stages and accesses as text, by the names of the version.
std::string StagesFor(SyncVersion version, VkPipelineStageFlags2 stages);
std::string AccessesFor(SyncVersion version, VkAccessFlags2 accesses);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_FIX_H_
