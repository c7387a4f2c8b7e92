// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Test cases of commands with a stage mask, queues, the host and subpasses.

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/test_cases/test_calls.h"
#include "core/test_cases/test_case_list.h"
#include "vk/vulkan.h"

namespace assay::core {
void AddStageCommands(TestCaseList& cases) {
  for (auto [id, call] : {std::pair("vkCmdSetEvent-stageMask-06457", Call::kSetEvent),
                          {"vkCmdResetEvent-stageMask-06458", Call::kResetEvent},
                          {"vkCmdWriteTimestamp-pipelineStage-04074", Call::kWriteTimestamp},
                          {"vkCmdWriteTimestamp2-stage-03860", Call::kWriteTimestamp2},
                          {"vkCmdWriteBufferMarkerAMD-pipelineStage-04074", Call::kWriteBufferMarker},
                          {"vkCmdWriteBufferMarker2AMD-stage-03895", Call::kWriteBufferMarker2}}) {
    cases.Add(id, call, [](TestCalls& c) { c.family = SyncDevice::kTransfer, c.stages = kVertex; });
  }
  for (auto [id, call] : {std::pair("vkCmdSetEvent-stageMask-01149", Call::kSetEvent),
                          {"vkCmdResetEvent-stageMask-01153", Call::kResetEvent},
                          {"vkCmdResetEvent2-stageMask-03830", Call::kResetEvent2}}) {
    cases.Add(id, call, [](TestCalls& c) { c.stages = kHost; });
  }
  for (auto [id, call] : {std::pair("vkCmdWriteTimestamp2-stage-03859", Call::kWriteTimestamp2),
                          {"vkCmdWriteBufferMarker2AMD-stage-03894", Call::kWriteBufferMarker2}}) {
    cases.Add(id, call, [](TestCalls& c) { c.stages = kVertex | kFragment; });
  }
  for (auto [id, call] : {std::pair("vkCmdWriteTimestamp-timestampValidBits-00829", Call::kWriteTimestamp),
                          {"vkCmdWriteTimestamp2-timestampValidBits-03863", Call::kWriteTimestamp2}}) {
    cases.Add(id, call, [](TestCalls& c) { c.family = SyncDevice::kNoTimestamps; });
  }
}

void AddSubmissions(TestCaseList& cases) {
  cases.Add("VkSubmitInfo-pWaitDstStageMask-00078", Call::kQueueSubmit, [](TestCalls& c) { c.stages = kHost; });
  const auto transfer_queue = [](TestCalls& c) { c.family = SyncDevice::kTransfer, c.stages = kVertex; };
  cases.Add("vkQueueSubmit-pWaitDstStageMask-00066", Call::kQueueSubmit, transfer_queue);
  cases.Add("vkQueueSubmit2-stageMask-03870", Call::kQueueSubmit2, transfer_queue);
  cases.Add("vkQueueSubmit2-stageMask-03869", Call::kQueueSubmit2, [=](TestCalls& c) {
    transfer_queue(c);
    c.stages_are_signaled = true;
  });
  for (auto [second, call] : {std::pair(false, Call::kQueueSubmit), {true, Call::kQueueSubmit2}}) {
    cases.Add(second ? "VkCommandBufferSubmitInfo-commandBuffer-03890" : "VkSubmitInfo-pCommandBuffers-00075", call,
              [](TestCalls& c) { c.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY; });
    cases.Add(second ? "vkQueueSubmit2-commandBuffer-03878" : "vkQueueSubmit-pCommandBuffers-00074", call,
              [](TestCalls& c) { c.queue_family = SyncDevice::kCompute; });
    cases.Add(second ? "vkQueueSubmit2-commandBuffer-03874" : "vkQueueSubmit-pCommandBuffers-00070", call,
              [](TestCalls& c) { c.is_executable = false; });
    cases.Add(second ? "VkSubmitInfo2-flags-03887" : "VkSubmitInfo-pNext-04120", call,
              [](TestCalls& c) { c.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT; });
    cases.Add(second ? "VkSubmitInfo2-flags-03886" : "VkSubmitInfo-pNext-04148", call,
              [](TestCalls& c) { c.is_protected = true; });
    cases.Add(second ? "vkQueueSubmit2-queue-06447" : "vkQueueSubmit-queue-06448", call, [](TestCalls& c) {
      c.is_protected = true;
      c.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
      c.queue_flags = 0;
    });
  }
  cases.Add("VkSubmitInfo-pWaitSemaphores-03239", Call::kQueueSubmit,
            [](TestCalls& c) { c.has_timeline_info = false; });
  cases.Add("VkSubmitInfo-pNext-03240", Call::kQueueSubmit, [](TestCalls& c) { c.wait_value_count = 0; });
  cases.Add("VkSubmitInfo-pNext-03241", Call::kQueueSubmit, [](TestCalls& c) { c.signal_value_count = 0; });
  cases.Add("VkBindSparseInfo-pWaitSemaphores-03246", Call::kQueueBindSparse,
            [](TestCalls& c) { c.has_timeline_info = false; });
  cases.Add("VkBindSparseInfo-pNext-03247", Call::kQueueBindSparse, [](TestCalls& c) { c.wait_value_count = 0; });
  cases.Add("VkBindSparseInfo-pNext-03248", Call::kQueueBindSparse, [](TestCalls& c) { c.signal_value_count = 0; });
  cases.Add("VkSubmitInfo2-semaphore-03881", Call::kQueueSubmit2, [](TestCalls& c) { c.signal_value = c.wait_value; });
}

void AddHostCommands(TestCaseList& cases) {
  const auto device_only = [](TestCalls& c) { c.event_flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT; };
  cases.AddDisabled("vkCreateEvent-events-04468", Call::kCreateEvent, {}, {"events"});
  cases.Add("vkCreateEvent-device-09672", Call::kCreateEvent, {});
  cases.all.back().options.unsupported =
      VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR;
  cases.Add("vkSetEvent-event-03941", Call::kHostSetEvent, device_only);
  cases.Add("vkResetEvent-event-03823", Call::kHostResetEvent, device_only);
  cases.Add("vkGetEventStatus-event-03940", Call::kGetEventStatus, device_only);
  const auto binary = [](TestCalls& c) { c.semaphore_type = VK_SEMAPHORE_TYPE_BINARY; };
  cases.Add("VkSemaphoreWaitInfo-pSemaphores-03256", Call::kWaitSemaphores, binary);
  cases.Add("VkSemaphoreSignalInfo-semaphore-03257", Call::kSignalSemaphore, binary);
  cases.Add("vkGetSemaphoreCounterValue-semaphore-03255", Call::kGetSemaphoreCounterValue, binary);
  cases.Add("VkSemaphoreSignalInfo-value-03258", Call::kSignalSemaphore, [](TestCalls& c) { c.signal_value = 5; });
}

void AddSubpasses(TestCaseList& cases) {
  const auto self = [](VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst, VkDependencyFlags flags) {
    return [=](TestCalls& c) {
      c.src_subpass = c.dst_subpass = 0;
      c.src = {src, 0};
      c.dst = {dst, 0};
      c.flags = flags;
    };
  };
  constexpr VkDependencyFlags kUseAll = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;
  for (bool second : {false, true}) {
    const Call call = second ? Call::kCreateRenderPass2 : Call::kCreateRenderPass;
    const auto add = [&](std::string_view first_id, std::string_view second_id, Change change) {
      cases.Add(
          second ? absl::StrCat("VkSubpassDependency2-", second_id) : absl::StrCat("VkSubpassDependency-", first_id),
          call, std::move(change));
    };
    const SyncScope host{kVertex, VK_ACCESS_2_HOST_READ_BIT};
    add("srcAccessMask-00868", "srcAccessMask-03088", [=](TestCalls& c) { c.src = host; });
    add("dstAccessMask-00869", "dstAccessMask-03089", [=](TestCalls& c) { c.dst = host; });
    add("srcSubpass-00864", "srcSubpass-03084", [](TestCalls& c) { std::swap(c.src_subpass, c.dst_subpass); });
    add("srcSubpass-00865", "srcSubpass-03085",
        [](TestCalls& c) { c.src_subpass = c.dst_subpass = VK_SUBPASS_EXTERNAL; });
    add("srcSubpass-02243", "srcSubpass-02245", self(kFragment, kFragment, 0));
    add("srcSubpass-06809", "srcSubpass-06810", self(kFragment, kVertex, VK_DEPENDENCY_BY_REGION_BIT));
    add("dependencyFlags-10203", "dependencyFlags-10204", [=](TestCalls& c) { c.flags = kUseAll; });
    add("dependencyFlags-02520", "dependencyFlags-03090", [](TestCalls& c) {
      c.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT;
      c.src_subpass = VK_SUBPASS_EXTERNAL;
    });
    add("dependencyFlags-02521", "dependencyFlags-03091", [](TestCalls& c) {
      c.flags = VK_DEPENDENCY_VIEW_LOCAL_BIT;
      c.dst_subpass = VK_SUBPASS_EXTERNAL;
    });
  }
  cases.Add("VkSubpassDependency-srcSubpass-00872", Call::kCreateRenderPass, [=](TestCalls& c) {
    self(kFragment, kFragment, VK_DEPENDENCY_BY_REGION_BIT)(c);
    c.view_mask = 3;
  });
  cases.Add("VkSubpassDependency2-dependencyFlags-03092", Call::kCreateRenderPass2,
            [](TestCalls& c) { c.view_offset = 1; });
  cases.Add("VkSubpassDependency2-viewOffset-02530", Call::kCreateRenderPass2, [=](TestCalls& c) {
    self(kFragment, kFragment, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT)(c);
    c.view_offset = 1;
  });
}

}  // namespace assay::core
