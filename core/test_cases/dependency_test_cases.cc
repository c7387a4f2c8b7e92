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

void AddSync1Command(TestCaseList& cases, std::string_view command, Call call) {
  const auto id = [&](std::string_view rule) { return absl::StrCat(command, "-", rule); };
  const bool waits = call == Call::kWaitEvents;
  cases.Add(id(waits ? "srcStageMask-06459" : "srcStageMask-06461"), call, [](TestCalls& c) {
    c.family = SyncDevice::kTransfer;
    c.src.stages = kVertex;
  });
  cases.Add(id(waits ? "dstStageMask-06460" : "dstStageMask-06462"), call, [](TestCalls& c) {
    c.family = SyncDevice::kTransfer;
    c.dst.stages = kVertex;
  });
  const auto access = [](int kind, bool src) {
    return [=](TestCalls& c) { c.kinds = kind, (src ? c.src : c.dst) = {kVertex, VK_ACCESS_2_HOST_READ_BIT}; };
  };
  cases.Add(id("srcAccessMask-02815"), call, access(TestCalls::kMemory, true));
  cases.Add(id("dstAccessMask-02816"), call, access(TestCalls::kMemory, false));
  cases.Add(id("pBufferMemoryBarriers-02817"), call, access(TestCalls::kBuffer, true));
  cases.Add(id("pBufferMemoryBarriers-02818"), call, access(TestCalls::kBuffer, false));
  cases.Add(id("pImageMemoryBarriers-02819"), call, access(TestCalls::kImage, true));
  cases.Add(id("pImageMemoryBarriers-02820"), call, access(TestCalls::kImage, false));
  for (bool src : {true, false}) {
    cases.AddDisabled(
        id(src ? "srcAccessMask-06257" : "dstAccessMask-06257"), call,
        [=](TestCalls& c) { (src ? c.src : c.dst) = {kVertex, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR}; },
        {"rayQuery"});
  }
}

// The rules of barriers inside render pass instances, which sync1 and synchronization2 share.
void AddPipelineBarrier(TestCaseList& cases, std::string_view command, Call call) {
  const auto add = [&](std::string_view rule, Change change, SyncTestOptions options = {}) {
    cases.Add(absl::StrCat(command, "-", rule), call, std::move(change), std::move(options));
  };
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
    c.SetLayouts(VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  });
  add("srcQueueFamilyIndex-01182", [=](TestCalls& c) {
    inside(false, kFragment, kFragment, kByRegion, TestCalls::kImage)(c);
    c.SetFamilies(0, 1);
  });
  cases.AddDisabled(absl::StrCat(command, "-None-09553"), call, inside(true, kFragment, kFragment, kByRegion),
                    {"dynamicRenderingLocalRead", "shaderTileImageColorReadAccess", "shaderTileImageDepthReadAccess",
                     "shaderTileImageStencilReadAccess"});
  cases.AddDisabled(absl::StrCat(command, "-None-09554"), call,
                    inside(true, kFragment, kFragment, kByRegion, TestCalls::kImage), {"dynamicRenderingLocalRead"});
  cases.AddDisabled(absl::StrCat(command, "-None-09586"), call,
                    [=](TestCalls& c) {
                      inside(true, kFragment, kFragment, kByRegion)(c);
                      c.src.accesses = VK_ACCESS_2_SHADER_READ_BIT;
                    },
                    {"dynamicRenderingLocalRead"});
  add(call == Call::kPipelineBarrier ? "srcQueueFamilyIndex-10388" : "srcQueueFamilyIndex-10387",
      [](TestCalls& c) { c.SetFamilies(1, 2); });
}

void AddSync2Command(TestCaseList& cases, std::string_view command, Call call, std::string_view src_id,
                     std::string_view dst_id, int kinds) {
  const auto stages = [=](bool src) {
    return [=](TestCalls& c) {
      c.family = SyncDevice::kTransfer;
      c.kinds = kinds;
      (src ? c.src : c.dst).stages = kVertex;
    };
  };
  cases.Add(absl::StrCat(command, "-srcStageMask-", src_id), call, stages(true));
  cases.Add(absl::StrCat(command, "-dstStageMask-", dst_id), call, stages(false));
}

}  // namespace

void AddDependencyCommands(TestCaseList& cases) {
  AddSync1Command(cases, "vkCmdPipelineBarrier", Call::kPipelineBarrier);
  AddSync1Command(cases, "vkCmdWaitEvents", Call::kWaitEvents);
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier", Call::kPipelineBarrier);
  AddPipelineBarrier(cases, "vkCmdPipelineBarrier2", Call::kPipelineBarrier2);
  AddSync2Command(cases, "vkCmdPipelineBarrier2", Call::kPipelineBarrier2, "09673", "09674", TestCalls::kMemory);
  AddSync2Command(cases, "vkCmdPipelineBarrier2", Call::kPipelineBarrier2, "09675", "09676", TestCalls::kImage);
  AddSync2Command(cases, "vkCmdWaitEvents2", Call::kWaitEvents2, "03842", "03843", TestCalls::kBuffer);
  AddSync2Command(cases, "vkCmdSetEvent2", Call::kSetEvent2, "03827", "03828", TestCalls::kMemory);
  for (auto [id, kind] : {std::pair("09634", TestCalls::kBuffer), {"09633", TestCalls::kImage}}) {
    cases.Add(absl::StrCat("vkCmdPipelineBarrier-srcStageMask-", id), Call::kPipelineBarrier, [=](TestCalls& c) {
      c.kinds = kind;
      c.src = {kHost, VK_ACCESS_2_HOST_READ_BIT};
      c.SetFamilies(0, 1);
    });
  }
  constexpr VkDependencyFlags kUseAll = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;
  cases.AddDisabled("vkCmdPipelineBarrier-maintenance8-10206", Call::kPipelineBarrier,
                    [=](TestCalls& c) { c.flags = kUseAll; }, {"maintenance8"});
  cases.Add("vkCmdWaitEvents2-maintenance8-10205", Call::kWaitEvents2, [=](TestCalls& c) { c.flags = kUseAll; },
            {.disabled = {"maintenance8"}});
  cases.Add("vkCmdWaitEvents2-dependencyFlags-10394", Call::kWaitEvents2,
            [](TestCalls& c) { c.flags = VK_DEPENDENCY_BY_REGION_BIT; });
  cases.Add("vkCmdSetEvent2-dependencyFlags-03825", Call::kSetEvent2,
            [](TestCalls& c) { c.flags = VK_DEPENDENCY_BY_REGION_BIT; });
  cases.Add("vkCmdSetEvent2-srcStageMask-09391", Call::kSetEvent2, [](TestCalls& c) { c.src = {kHost, 0}; });
  cases.Add("vkCmdSetEvent2-dstStageMask-09392", Call::kSetEvent2, [](TestCalls& c) { c.dst = {kHost, 0}; });
  const auto host_inside = [](TestCalls& c) { c.place = RecordingPlace::kInRenderPass, c.src = {kHost, 0}; };
  cases.Add("vkCmdWaitEvents-srcStageMask-07308", Call::kWaitEvents, host_inside);
  cases.Add("vkCmdWaitEvents2-dependencyFlags-03844", Call::kWaitEvents2, host_inside);
  cases.Add("vkCmdWaitEvents-srcQueueFamilyIndex-02803", Call::kWaitEvents, [](TestCalls& c) {
    c.kinds = TestCalls::kImage;
    c.SetFamilies(0, 1);
  });
}

}  // namespace assay::core
