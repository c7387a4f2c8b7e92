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
  const auto stages = [=](bool src) {
    return [=](TestCalls& c) {
      c.family = SyncDevice::kTransfer;
      c.kinds = kinds;
      (src ? c.src : c.dst).stages = kVertex;
    };
  };
  cases.Add(absl::StrCat(command, "-srcStageMask-", src_id), stages(true));
  cases.Add(absl::StrCat(command, "-dstStageMask-", dst_id), stages(false));
}

void AddSync1Command(TestCaseList& cases, std::string_view command) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(command, "-", rule); };
  const auto access = [](int kind, bool src) {
    return [=](TestCalls& c) { c.kinds = kind, (src ? c.src : c.dst) = {kVertex, VK_ACCESS_2_HOST_READ_BIT}; };
  };
  cases.Add(id("srcAccessMask-02815"), access(TestCalls::kMemory, true));
  cases.Add(id("dstAccessMask-02816"), access(TestCalls::kMemory, false));
  cases.Add(id("pBufferMemoryBarriers-02817"), access(TestCalls::kBuffer, true));
  cases.Add(id("pBufferMemoryBarriers-02818"), access(TestCalls::kBuffer, false));
  cases.Add(id("pImageMemoryBarriers-02819"), access(TestCalls::kImage, true));
  cases.Add(id("pImageMemoryBarriers-02820"), access(TestCalls::kImage, false));
  for (bool src : {true, false}) {
    cases.AddDisabled(
        id(src ? "srcAccessMask-06257" : "dstAccessMask-06257"),
        [=](TestCalls& c) { (src ? c.src : c.dst) = {kVertex, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR}; },
        {"rayQuery"});
  }
}

// The rules of barriers inside render pass instances, which sync1 and synchronization2 share.
void AddPipelineBarrier(TestCaseList& cases, std::string_view command) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(command, "-", rule); };
  const auto add = [&](std::string_view rule, const Change& change) { cases.Add(id(rule), change); };
  constexpr VkDependencyFlags kByRegion = VK_DEPENDENCY_BY_REGION_BIT;
  const auto inside = [](bool rendering, VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst, VkDependencyFlags flags,
                         int kinds = TestCalls::kMemory) {
    return [=](TestCalls& c) {
      c.place = rendering ? RecordingPlace::kInRendering : RecordingPlace::kInRenderPass;
      c.kinds = kinds;
      c.src = {src, 0};
      c.dst = {dst, 0};
      c.flags = flags;
    };
  };
  add("None-07890", inside(false, kFragment, kVertex, kByRegion));
  add("dependencyFlags-07891", inside(false, kFragment, kFragment, 0));
  add("None-07892", inside(false, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kFragment, kByRegion));
  add("bufferMemoryBarrierCount-01178", inside(false, kFragment, kFragment, kByRegion, TestCalls::kBuffer));
  add("srcStageMask-09556", inside(true, kVertex, kFragment, kByRegion));
  add("dependencyFlags-01186", [](TestCalls& c) { c.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT; });
  add("oldLayout-01181", [=](TestCalls& c) {
    inside(false, kFragment, kFragment, kByRegion, TestCalls::kImage)(c);
    c.layouts = {VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL};
  });
  add("srcQueueFamilyIndex-01182", [=](TestCalls& c) {
    inside(false, kFragment, kFragment, kByRegion, TestCalls::kImage)(c);
    c.families = {0, 1};
  });
  cases.AddDisabled(id("None-09553"), inside(true, kFragment, kFragment, kByRegion),
                    {"dynamicRenderingLocalRead", "shaderTileImageColorReadAccess", "shaderTileImageDepthReadAccess",
                     "shaderTileImageStencilReadAccess"});
  cases.AddDisabled(id("None-09554"), inside(true, kFragment, kFragment, kByRegion, TestCalls::kImage),
                    {"dynamicRenderingLocalRead"});
  const auto shader_read = [=](TestCalls& c) {
    inside(true, kFragment, kFragment, kByRegion)(c);
    c.src.accesses = VK_ACCESS_2_SHADER_READ_BIT;
  };
  cases.AddDisabled(id("None-09586"), shader_read, {"dynamicRenderingLocalRead"});
  add(command == "vkCmdPipelineBarrier" ? "srcQueueFamilyIndex-10388" : "srcQueueFamilyIndex-10387",
      [](TestCalls& c) { c.families = {1, 2}; });
}

}  // namespace

void AddDependencyCommands(TestCaseList& cases) {
  AddSync1Command(cases, "vkCmdPipelineBarrier");
  AddSync1Command(cases, "vkCmdWaitEvents");
  AddStagesOfQueue(cases, "vkCmdPipelineBarrier", "06461", "06462", TestCalls::kImage);
  AddStagesOfQueue(cases, "vkCmdWaitEvents", "06459", "06460", TestCalls::kImage);
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier");
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier2");
  AddStagesOfQueue(cases, "vkCmdPipelineBarrier2", "09673", "09674", TestCalls::kMemory);
  AddStagesOfQueue(cases, "vkCmdPipelineBarrier2", "09675", "09676", TestCalls::kImage);
  AddStagesOfQueue(cases, "vkCmdWaitEvents2", "03842", "03843", TestCalls::kBuffer);
  AddStagesOfQueue(cases, "vkCmdSetEvent2", "03827", "03828", TestCalls::kMemory);
  for (auto [id, kind] : {std::pair("09634", TestCalls::kBuffer), {"09633", TestCalls::kImage}}) {
    cases.Add(absl::StrCat("vkCmdPipelineBarrier-srcStageMask-", id), [=](TestCalls& c) {
      c.kinds = kind;
      c.src = {kHost, VK_ACCESS_2_HOST_READ_BIT};
      c.families = {0, 1};
    });
  }
  constexpr VkDependencyFlags kUseAll = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;
  cases.AddDisabled("vkCmdPipelineBarrier-maintenance8-10206", [=](TestCalls& c) { c.flags = kUseAll; },
                    {"maintenance8"});
  cases.Add("vkCmdWaitEvents2-maintenance8-10205", [=](TestCalls& c) { c.flags = kUseAll; },
            {.disabled = {"maintenance8"}});
  cases.AddAll({"vkCmdWaitEvents2-dependencyFlags-10394", "vkCmdSetEvent2-dependencyFlags-03825"},
               [](TestCalls& c) { c.flags = VK_DEPENDENCY_BY_REGION_BIT; });
  cases.Add("vkCmdSetEvent2-srcStageMask-09391", [](TestCalls& c) { c.src = {kHost, 0}; });
  cases.Add("vkCmdSetEvent2-dstStageMask-09392", [](TestCalls& c) { c.dst = {kHost, 0}; });
  cases.AddAll({"vkCmdWaitEvents-srcStageMask-07308", "vkCmdWaitEvents2-dependencyFlags-03844"},
               [](TestCalls& c) { c.place = RecordingPlace::kInRenderPass, c.src = {kHost, 0}; });
  cases.Add("vkCmdWaitEvents-srcQueueFamilyIndex-02803", [](TestCalls& c) {
    c.kinds = TestCalls::kImage;
    c.families = {0, 1};
  });
}

}  // namespace assay::core
