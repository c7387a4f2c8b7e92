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

// The barrier as code to paste:
//
//   VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask =
//   VK_PIPELINE_STAGE_2_COPY_BIT, .srcAccessMask = ...};
std::string MemoryBarrierText(const BarrierFlags& flags);

// Recording one more barrier. place goes before the command's name: "Before this vkCmdDispatch(), record". resource is
// a barrier of the conflicting range alone without its masks, for the properties; it may be empty.
Fix RecordBarrier(const std::string& place, const BarrierFlags& flags, messages::Properties resource);

enum class BarrierSide : uint8_t { kSource, kDestination };

// Adding bits to one side of the image barrier at path of a barrier command: "pDependencyInfo.pImageMemoryBarriers[0]".
// command is "this vkCmdPipelineBarrier2()" or "command 3, vkCmdPipelineBarrier2()".
Fix AddToBarrier(BarrierSide side, const BarrierFlags& flags, vk::CommandId id, const std::string& path,
                 const std::string& command);

// "VK_SUBPASS_EXTERNAL" or a number.
std::string SubpassName(uint32_t subpass);

// Adding a VkSubpassDependency2 to the render pass.
Fix NewDependency(uint32_t src_subpass, uint32_t dst_subpass, const BarrierFlags& flags);

// Adding bits to one side of an existing dependency: "the VkSubpassDependency2 with .srcSubpass = 0, …".
Fix AddToDependency(BarrierSide side, const BarrierFlags& flags, const std::string& dependency);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_FIX_H_
