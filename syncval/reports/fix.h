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

// Ways to make a hazard go away. Private to the package.
namespace assay::syncval {

// The same for people and for programs. Programs are told what to do ("action"), with which structure, its members by
// their names, and where ("place").
struct Fix {
  std::string text;
  messages::Properties fields;
};

// A stage or access in the terms of the commands before VK_KHR_synchronization2, which have 32 bits: itself, or the
// least that stands for it.
VkPipelineStageFlags Sync1Stages(VkPipelineStageFlags2 stages);
VkAccessFlags Sync1Accesses(VkAccessFlags2 accesses);

// Whether the command takes 32 bits.
bool IsSync1(vk::CommandId id);

// Stages as a text, in the terms of that command.
std::string StagesFor(vk::CommandId id, VkPipelineStageFlags2 stages);

// The barrier as text ready to paste:
//
//   VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask =
//   VK_PIPELINE_STAGE_2_COPY_BIT, .srcAccessMask = ...};
std::string MemoryBarrierText(const BarrierFlags& flags);

// A barrier to be recorded. place goes before the command's name: "Before this vkCmdDispatch(), record". resource is
// a barrier of the conflicting range alone, less its masks, as a choice for programs; may be empty.
Fix RecordBarrier(const std::string& place, const BarrierFlags& flags, messages::Properties resource);

enum class BarrierSide : uint8_t { kSource, kDestination };

// Bits to add to one side of the image barrier at path of a barrier command: "pDependencyInfo.pImageMemoryBarriers[0]".
// command is "this vkCmdPipelineBarrier2()" or "command 3, vkCmdPipelineBarrier2()".
Fix AddToBarrier(BarrierSide side, const BarrierFlags& flags, vk::CommandId id, const std::string& path,
                 const std::string& command);

// "VK_SUBPASS_EXTERNAL" or a number.
std::string SubpassName(uint32_t subpass);

// A VkSubpassDependency2 that the render pass lacks.
Fix NewDependency(uint32_t src_subpass, uint32_t dst_subpass, const BarrierFlags& flags);

// Bits to add to one side of a dependency that is there: "the VkSubpassDependency2 with .srcSubpass = 0, …".
Fix AddToDependency(BarrierSide side, const BarrierFlags& flags, const std::string& dependency);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_FIX_H_
