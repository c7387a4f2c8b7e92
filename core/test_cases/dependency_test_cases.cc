// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/test_cases/test_calls.h"
#include "core/test_cases/test_case_list.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

// Stages that the queue family, which is for transfers, does not support.
void AddStagesOfQueue(TestCaseList& cases, std::string_view command, std::string_view src_id, std::string_view dst_id,
                      int kinds) {
  CallMembers wrong_src = {.kinds = kinds, .family = SyncDevice::kTransfer}, wrong_dst = wrong_src;
  wrong_src.src.stages = wrong_dst.dst.stages = kVertex;
  cases.Add(absl::StrCat(command, "-srcStageMask-", src_id), wrong_src);
  cases.Add(absl::StrCat(command, "-dstStageMask-", dst_id), wrong_dst);
}

void AddSync1Command(TestCaseList& cases, std::string_view command) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(command, "-", rule); };
  const auto access = [](int kind, bool src) { return WithScope(src, {kVertex, VK_ACCESS_2_HOST_READ_BIT}, kind); };
  cases.Add(id("srcAccessMask-02815"), access(CallMembers::kMemory, true));
  cases.Add(id("dstAccessMask-02816"), access(CallMembers::kMemory, false));
  cases.Add(id("pBufferMemoryBarriers-02817"), access(CallMembers::kBuffer, true));
  cases.Add(id("pBufferMemoryBarriers-02818"), access(CallMembers::kBuffer, false));
  cases.Add(id("pImageMemoryBarriers-02819"), access(CallMembers::kImage, true));
  cases.Add(id("pImageMemoryBarriers-02820"), access(CallMembers::kImage, false));
  for (bool src : {true, false}) {
    cases.AddDisabled(id(src ? "srcAccessMask-06257" : "dstAccessMask-06257"),
                      WithScope(src, {kVertex, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR}), {"rayQuery"});
  }
}

// The rules of barriers inside render pass instances, which sync1 and synchronization2 share.
void AddPipelineBarrier(TestCaseList& cases, std::string_view command) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(command, "-", rule); };
  const auto add = [&](std::string_view rule, const CallMembers& wrong) { cases.Add(id(rule), wrong); };
  constexpr VkDependencyFlags kByRegion = VK_DEPENDENCY_BY_REGION_BIT;
  const auto inside = [](bool rendering, VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst, VkDependencyFlags flags,
                         int kinds = CallMembers::kMemory) {
    return CallMembers{.kinds = kinds,
                       .src = {src, 0},
                       .dst = {dst, 0},
                       .flags = flags,
                       .place = rendering ? RecordingPlace::kInRendering : RecordingPlace::kInRenderPass};
  };
  add("None-07890", inside(false, kFragment, kVertex, kByRegion));
  add("dependencyFlags-07891", inside(false, kFragment, kFragment, 0));
  add("None-07892", inside(false, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kFragment, kByRegion));
  add("bufferMemoryBarrierCount-01178", inside(false, kFragment, kFragment, kByRegion, CallMembers::kBuffer));
  add("srcStageMask-09556", inside(true, kVertex, kFragment, kByRegion));
  add("dependencyFlags-01186", {.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT});
  CallMembers new_layout = inside(false, kFragment, kFragment, kByRegion, CallMembers::kImage), new_family = new_layout;
  new_layout.layouts = {VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL};
  new_family.families = {0, 1};
  add("oldLayout-01181", new_layout);
  add("srcQueueFamilyIndex-01182", new_family);
  cases.AddDisabled(id("None-09553"), inside(true, kFragment, kFragment, kByRegion),
                    {"dynamicRenderingLocalRead", "shaderTileImageColorReadAccess", "shaderTileImageDepthReadAccess",
                     "shaderTileImageStencilReadAccess"});
  cases.AddDisabled(id("None-09554"), inside(true, kFragment, kFragment, kByRegion, CallMembers::kImage),
                    {"dynamicRenderingLocalRead"});
  CallMembers shader_read = inside(true, kFragment, kFragment, kByRegion);
  shader_read.src.accesses = VK_ACCESS_2_SHADER_READ_BIT;
  cases.AddDisabled(id("None-09586"), shader_read, {"dynamicRenderingLocalRead"});
  add(command == "vkCmdPipelineBarrier" ? "srcQueueFamilyIndex-10388" : "srcQueueFamilyIndex-10387",
      {.families = {1, 2}});
}

}  // namespace

void AddDependencyCommands(TestCaseList& cases) {
  AddSync1Command(cases, "vkCmdPipelineBarrier");
  AddSync1Command(cases, "vkCmdWaitEvents");
  AddStagesOfQueue(cases, "vkCmdPipelineBarrier", "06461", "06462", CallMembers::kImage);
  AddStagesOfQueue(cases, "vkCmdWaitEvents", "06459", "06460", CallMembers::kImage);
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier");
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier2");
  AddStagesOfQueue(cases, "vkCmdPipelineBarrier2", "09673", "09674", CallMembers::kMemory);
  AddStagesOfQueue(cases, "vkCmdPipelineBarrier2", "09675", "09676", CallMembers::kImage);
  AddStagesOfQueue(cases, "vkCmdWaitEvents2", "03842", "03843", CallMembers::kBuffer);
  AddStagesOfQueue(cases, "vkCmdSetEvent2", "03827", "03828", CallMembers::kMemory);
  for (auto [id, kind] : {std::pair("09634", CallMembers::kBuffer), {"09633", CallMembers::kImage}}) {
    cases.Add(absl::StrCat("vkCmdPipelineBarrier-srcStageMask-", id),
              {.kinds = kind, .src = {kHost, VK_ACCESS_2_HOST_READ_BIT}, .families = {0, 1}});
  }
  constexpr VkDependencyFlags kUseAll = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;
  cases.AddDisabled("vkCmdPipelineBarrier-maintenance8-10206", {.flags = kUseAll}, {"maintenance8"});
  cases.Add("vkCmdWaitEvents2-maintenance8-10205", {.flags = kUseAll}, {.disabled = {"maintenance8"}});
  cases.AddAll({"vkCmdWaitEvents2-dependencyFlags-10394", "vkCmdSetEvent2-dependencyFlags-03825"},
               {.flags = VK_DEPENDENCY_BY_REGION_BIT});
  cases.Add("vkCmdSetEvent2-srcStageMask-09391", {.src = {kHost, 0}});
  cases.Add("vkCmdSetEvent2-dstStageMask-09392", {.dst = {kHost, 0}});
  cases.AddAll({"vkCmdWaitEvents-srcStageMask-07308", "vkCmdWaitEvents2-dependencyFlags-03844"},
               {.src = {kHost, 0}, .place = RecordingPlace::kInRenderPass});
  cases.Add("vkCmdWaitEvents-srcQueueFamilyIndex-02803", {.kinds = CallMembers::kImage, .families = {0, 1}});
}

}  // namespace assay::core
