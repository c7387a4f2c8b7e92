// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Test cases of commands with a stage mask, queues, the host and subpasses.

#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/test_cases/test_calls.h"
#include "core/test_cases/test_case_list.h"
#include "vk/vulkan.h"

namespace assay::core {
void AddStageCommands(TestCaseList& cases) {
  cases.AddAll({"vkCmdSetEvent-stageMask-06457", "vkCmdResetEvent-stageMask-06458",
                "vkCmdWriteTimestamp-pipelineStage-04074", "vkCmdWriteTimestamp2-stage-03860",
                "vkCmdWriteBufferMarkerAMD-pipelineStage-04074", "vkCmdWriteBufferMarker2AMD-stage-03895"},
               {.stages = kVertex, .family = SyncDevice::kTransfer});
  cases.AddAll({"vkCmdSetEvent-stageMask-01149", "vkCmdResetEvent-stageMask-01153", "vkCmdResetEvent2-stageMask-03830"},
               {.stages = kHost});
  cases.AddAll({"vkCmdWriteTimestamp2-stage-03859", "vkCmdWriteBufferMarker2AMD-stage-03894"},
               {.stages = kVertex | kFragment});
  cases.AddAll({"vkCmdWriteTimestamp-timestampValidBits-00829", "vkCmdWriteTimestamp2-timestampValidBits-03863"},
               {.family = SyncDevice::kNoTimestamps});
}

void AddSubmissions(TestCaseList& cases) {
  cases.Add("VkSubmitInfo-pWaitDstStageMask-00078", {.stages = kHost});
  cases.AddAll({"vkQueueSubmit-pWaitDstStageMask-00066", "vkQueueSubmit2-stageMask-03870"},
               {.stages = kVertex, .family = SyncDevice::kTransfer});
  cases.Add("vkQueueSubmit2-stageMask-03869",
            {.stages = kVertex, .stages_are_signaled = true, .family = SyncDevice::kTransfer});
  cases.AddAll({"VkSubmitInfo-pCommandBuffers-00075", "VkCommandBufferSubmitInfo-commandBuffer-03890"},
               {.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY});
  cases.AddAll({"vkQueueSubmit-pCommandBuffers-00074", "vkQueueSubmit2-commandBuffer-03878"},
               {.queue_family = SyncDevice::kCompute});
  cases.AddAll({"vkQueueSubmit-pCommandBuffers-00070", "vkQueueSubmit2-commandBuffer-03874"}, {.is_executable = false});
  cases.AddAll({"VkSubmitInfo-pNext-04120", "VkSubmitInfo2-flags-03887"},
               {.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT});
  cases.AddAll({"VkSubmitInfo-pNext-04148", "VkSubmitInfo2-flags-03886"}, {.is_protected = true});
  cases.AddAll({"vkQueueSubmit-queue-06448", "vkQueueSubmit2-queue-06447"},
               {.queue_flags = 0, .pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT, .is_protected = true});
  cases.AddAll({"VkSubmitInfo-pWaitSemaphores-03239", "VkBindSparseInfo-pWaitSemaphores-03246"},
               {.has_timeline_info = false});
  cases.AddAll({"VkSubmitInfo-pNext-03240", "VkBindSparseInfo-pNext-03247"}, {.wait_value_count = 0});
  cases.AddAll({"VkSubmitInfo-pNext-03241", "VkBindSparseInfo-pNext-03248"}, {.signal_value_count = 0});
  cases.Add("VkSubmitInfo2-semaphore-03881", {.wait_value = 6, .signal_value = 6});
}

void AddHostCommands(TestCaseList& cases) {
  cases.AddDisabled("vkCreateEvent-events-04468", {}, {"events"});
  cases.Add("vkCreateEvent-device-09672", {});
  cases.all.back().options.unsupported =
      VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR;
  cases.AddAll({"vkSetEvent-event-03941", "vkResetEvent-event-03823", "vkGetEventStatus-event-03940"},
               {.event_flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT});
  cases.AddAll({"VkSemaphoreWaitInfo-pSemaphores-03256", "VkSemaphoreSignalInfo-semaphore-03257",
                "vkGetSemaphoreCounterValue-semaphore-03255"},
               {.semaphore_type = VK_SEMAPHORE_TYPE_BINARY});
  cases.Add("VkSemaphoreSignalInfo-value-03258", {.signal_value = 5});
}

void AddSubpasses(TestCaseList& cases) {
  const auto self = [](VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst, VkDependencyFlags flags) {
    return CallMembers{.src = {src, 0}, .dst = {dst, 0}, .flags = flags, .dst_subpass = 0};
  };
  constexpr VkDependencyFlags kUseAll = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;
  for (bool second : {false, true}) {
    const std::string_view owner = second ? "VkSubpassDependency2-" : "VkSubpassDependency-";
    const auto add = [&](std::string_view first_id, std::string_view second_id, const CallMembers& wrong) {
      cases.Add(absl::StrCat(owner, second ? second_id : first_id), wrong);
    };
    const SyncScope host{kVertex, VK_ACCESS_2_HOST_READ_BIT};
    add("srcAccessMask-00868", "srcAccessMask-03088", {.src = host});
    add("dstAccessMask-00869", "dstAccessMask-03089", {.dst = host});
    add("srcSubpass-00864", "srcSubpass-03084", {.src_subpass = 1, .dst_subpass = 0});
    add("srcSubpass-00865", "srcSubpass-03085",
        {.src_subpass = VK_SUBPASS_EXTERNAL, .dst_subpass = VK_SUBPASS_EXTERNAL});
    add("srcSubpass-02243", "srcSubpass-02245", self(kFragment, kFragment, 0));
    add("srcSubpass-06809", "srcSubpass-06810", self(kFragment, kVertex, VK_DEPENDENCY_BY_REGION_BIT));
    add("dependencyFlags-10203", "dependencyFlags-10204", {.flags = kUseAll});
    add("dependencyFlags-02520", "dependencyFlags-03090",
        {.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT, .src_subpass = VK_SUBPASS_EXTERNAL});
    add("dependencyFlags-02521", "dependencyFlags-03091",
        {.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT, .dst_subpass = VK_SUBPASS_EXTERNAL});
  }
  CallMembers with_views = self(kFragment, kFragment, VK_DEPENDENCY_BY_REGION_BIT);
  with_views.view_mask = 3;
  cases.Add("VkSubpassDependency-srcSubpass-00872", with_views);
  cases.Add("VkSubpassDependency2-dependencyFlags-03092", {.view_offset = 1});
  CallMembers with_offset = self(kFragment, kFragment, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT);
  with_offset.view_offset = 1;
  cases.Add("VkSubpassDependency2-viewOffset-02530", with_offset);
}

}  // namespace assay::core
