// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/test_cases/test_calls.h"

#include <algorithm>
#include <initializer_list>

#include "vk/struct_traits.h"

namespace assay::core {

void TestCalls::Run(std::string_view owner) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> owners) {
    return std::ranges::find(owners, owner) != owners.end();
  };
  if (owner.starts_with("VkMemoryBarrier")) kinds = kMemory;
  if (owner.starts_with("VkBufferMemoryBarrier")) kinds = kBuffer;
  if (owner.starts_with("VkImageMemoryBarrier")) kinds = kImage;
  if (is_one_of({"VkBufferMemoryBarrier", "VkImageMemoryBarrier", "vkCmdPipelineBarrier", "vkCmdWaitEvents"}))
    return RunSync1(owner);
  if (is_one_of({"VkMemoryBarrier2", "VkBufferMemoryBarrier2", "VkImageMemoryBarrier2", "vkCmdPipelineBarrier2",
                 "vkCmdWaitEvents2", "vkCmdSetEvent2"}))
    return RunSync2(owner);
  if (is_one_of({"VkSubmitInfo", "vkQueueSubmit", "VkBindSparseInfo", "VkSubmitInfo2", "VkCommandBufferSubmitInfo",
                 "VkSemaphoreSubmitInfo", "vkQueueSubmit2"}))
    return RunSubmit(owner);
  if (owner.starts_with("VkSubpassDependency")) return RunRenderPass(owner);
  if (owner.starts_with("vkCmd")) return RunStage(owner);
  RunHost(owner);
}

VkCommandBuffer TestCalls::Recording() { return device_.MakeRecording(family, place); }

template <class B>
B TestCalls::Barrier() {
  B barrier = {};
  barrier.sType = vk::kStructureTypeOf<B>;
  if constexpr (requires { barrier.srcStageMask; }) {
    barrier.srcStageMask = src.stages;
    barrier.dstStageMask = dst.stages;
  }
  barrier.srcAccessMask = static_cast<decltype(barrier.srcAccessMask)>(src.accesses);
  barrier.dstAccessMask = static_cast<decltype(barrier.dstAccessMask)>(dst.accesses);
  if constexpr (requires { barrier.srcQueueFamilyIndex; }) {
    barrier.srcQueueFamilyIndex = families.first;
    barrier.dstQueueFamilyIndex = families.second;
  }
  if constexpr (requires { barrier.buffer; }) {
    barrier.buffer = device_.MakeBuffer(buffer_info, is_bound);
    barrier.offset = bytes.first;
    barrier.size = bytes.second;
  }
  if constexpr (requires { barrier.image; }) {
    barrier.image = device_.MakeImage(image_info, is_bound);
    barrier.oldLayout = layouts.first;
    barrier.newLayout = layouts.second;
    barrier.subresourceRange = range;
  }
  return barrier;
}

void TestCalls::RunSync1(std::string_view owner) {
  const auto memory = Barrier<VkMemoryBarrier>();
  const auto of_buffer = Barrier<VkBufferMemoryBarrier>();
  const auto of_image = Barrier<VkImageMemoryBarrier>();
  const auto src_stages = static_cast<VkPipelineStageFlags>(src.stages);
  const auto dst_stages = static_cast<VkPipelineStageFlags>(dst.stages);
  const uint32_t memories = (kinds & kMemory) != 0, buffers = (kinds & kBuffer) != 0, images = (kinds & kImage) != 0;
  if (owner == "vkCmdWaitEvents") {
    const VkEvent event = device_.MakeEvent(0);
    device_.Call(vk::CmdWaitEvents{Recording(), 1, &event, src_stages, dst_stages, memories, &memory, buffers,
                                   &of_buffer, images, &of_image});
  } else {
    device_.Call(vk::CmdPipelineBarrier{Recording(), src_stages, dst_stages, flags, memories, &memory, buffers,
                                        &of_buffer, images, &of_image});
  }
}

void TestCalls::RunSync2(std::string_view owner) {
  const auto memory = Barrier<VkMemoryBarrier2>();
  const auto buffer = Barrier<VkBufferMemoryBarrier2>();
  const auto image = Barrier<VkImageMemoryBarrier2>();
  const uint32_t memories = (kinds & kMemory) != 0, buffers = (kinds & kBuffer) != 0, images = (kinds & kImage) != 0;
  const VkDependencyInfo info = {
      VK_STRUCTURE_TYPE_DEPENDENCY_INFO, nullptr, flags, memories, &memory, buffers, &buffer, images, &image};
  const VkEvent event = device_.MakeEvent(0);
  if (owner == "vkCmdWaitEvents2") {
    device_.Call(vk::CmdWaitEvents2{Recording(), 1, &event, &info});
  } else if (owner == "vkCmdSetEvent2") {
    device_.Call(vk::CmdSetEvent2{Recording(), event, &info});
  } else {
    device_.Call(vk::CmdPipelineBarrier2{Recording(), &info});
  }
}

void TestCalls::RunStage(std::string_view owner) {
  VkCommandBuffer commands = Recording();
  const auto first = static_cast<VkPipelineStageFlags>(stages);
  const auto one = static_cast<VkPipelineStageFlagBits>(stages);
  const VkEvent event = device_.MakeEvent(0);
  const VkBuffer buffer = device_.MakeBuffer(buffer_info, true);
  const VkQueryPool pool = device_.MakeQueryPool();
  if (owner == "vkCmdSetEvent") return device_.Call(vk::CmdSetEvent{commands, event, first});
  if (owner == "vkCmdResetEvent") return device_.Call(vk::CmdResetEvent{commands, event, first});
  if (owner == "vkCmdResetEvent2") return device_.Call(vk::CmdResetEvent2{commands, event, stages});
  if (owner == "vkCmdWriteTimestamp") return device_.Call(vk::CmdWriteTimestamp{commands, one, pool, 0});
  if (owner == "vkCmdWriteTimestamp2") return device_.Call(vk::CmdWriteTimestamp2{commands, stages, pool, 0});
  if (owner == "vkCmdWriteBufferMarkerAMD")
    return device_.Call(vk::CmdWriteBufferMarkerAMD{commands, one, buffer, 0, 0});
  device_.Call(vk::CmdWriteBufferMarker2AMD{commands, stages, buffer, 0, 0});
}

void TestCalls::RunSubmit(std::string_view owner) {
  const VkQueue queue = device_.MakeQueue(queue_family == ~uint32_t{0} ? family : queue_family, queue_flags);
  const VkCommandBuffer commands = device_.MakeCommands({family, level, pool_flags, is_executable});
  const VkSemaphore semaphore = device_.MakeSemaphore(semaphore_type, 5);
  VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                          .waitSemaphoreValueCount = wait_value_count,
                                          .pWaitSemaphoreValues = &wait_value,
                                          .signalSemaphoreValueCount = signal_value_count,
                                          .pSignalSemaphoreValues = &signal_value};
  if (owner == "VkSubmitInfo" || owner == "vkQueueSubmit") {
    const VkProtectedSubmitInfo with = {VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO, nullptr, is_protected};
    values.pNext = &with;
    const auto mask = static_cast<VkPipelineStageFlags>(stages);
    const void* const next = has_timeline_info ? static_cast<const void*>(&values) : &with;
    const VkSubmitInfo submit = {
        VK_STRUCTURE_TYPE_SUBMIT_INFO, next, 1, &semaphore, &mask, 1, &commands, 1, &semaphore};
    return device_.Call(vk::QueueSubmit{queue, 1, &submit, VK_NULL_HANDLE});
  }
  if (owner == "VkBindSparseInfo") {
    const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .pNext = has_timeline_info ? &values : nullptr,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &semaphore,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &semaphore};
    return device_.Call(vk::QueueBindSparse{queue, 1, &info, VK_NULL_HANDLE});
  }
  VkSemaphoreSubmitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, wait_value,
                                VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
  VkSemaphoreSubmitInfo signal = wait;
  signal.value = signal_value;
  (stages_are_signaled ? signal : wait).stageMask = stages;
  const VkCommandBufferSubmitInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, commands, 0};
  const VkSubmitFlags submit_flags = is_protected ? VK_SUBMIT_PROTECTED_BIT : 0;
  const VkSubmitInfo2 submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2, nullptr, submit_flags, 1, &wait, 1, &info, 1, &signal};
  device_.Call(vk::QueueSubmit2{queue, 1, &submit, VK_NULL_HANDLE});
}

void TestCalls::RunHost(std::string_view owner) {
  const VkEvent event = device_.MakeEvent(event_flags);
  const VkSemaphore semaphore = device_.MakeSemaphore(semaphore_type, 5);
  const VkDevice device = device_.device();
  if (owner == "vkSetEvent") return device_.Call(vk::SetEvent{device, event});
  if (owner == "vkResetEvent") return device_.Call(vk::ResetEvent{device, event});
  if (owner == "vkCreateEvent") {
    const VkEventCreateInfo info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, nullptr, event_flags};
    VkEvent created;
    return device_.Call(vk::CreateEvent{device, &info, nullptr, &created});
  }
  if (owner == "VkSemaphoreWaitInfo") {
    const VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &wait_value};
    return device_.Call(vk::WaitSemaphores{device, &info, 0});
  }
  if (owner == "VkSemaphoreSignalInfo") {
    const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, signal_value};
    return device_.Call(vk::SignalSemaphore{device, &info});
  }
  if (owner == "vkGetSemaphoreCounterValue") {
    uint64_t value = 0;
    return device_.Call(vk::GetSemaphoreCounterValue{device, semaphore, &value});
  }
  // Also for structures whose rules nothing checks, so that their test cases fail.
  device_.Call(vk::GetEventStatus{device, event});
}

void TestCalls::RunRenderPass(std::string_view owner) {
  const auto create = [&](auto call, auto info, auto subpass, auto dependency) {
    const decltype(subpass) subpasses[] = {subpass, subpass};
    dependency.srcSubpass = src_subpass;
    dependency.dstSubpass = dst_subpass;
    dependency.srcStageMask = static_cast<VkPipelineStageFlags>(src.stages);
    dependency.dstStageMask = static_cast<VkPipelineStageFlags>(dst.stages);
    dependency.srcAccessMask = static_cast<VkAccessFlags>(src.accesses);
    dependency.dstAccessMask = static_cast<VkAccessFlags>(dst.accesses);
    dependency.dependencyFlags = flags;
    info.subpassCount = 2;
    info.pSubpasses = subpasses;
    info.dependencyCount = 1;
    info.pDependencies = &dependency;
    VkRenderPass created = VK_NULL_HANDLE;
    call = {device_.device(), &info, nullptr, &created};
    device_.Call(call);
  };
  if (owner == "VkSubpassDependency") {
    const uint32_t view_masks[] = {view_mask, view_mask};
    const VkRenderPassMultiviewCreateInfo views = {VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, nullptr, 2,
                                                   view_masks};
    return create(vk::CreateRenderPass(), VkRenderPassCreateInfo{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, &views},
                  VkSubpassDescription(), VkSubpassDependency());
  }
  create(vk::CreateRenderPass2(), VkRenderPassCreateInfo2{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2},
         VkSubpassDescription2{.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .viewMask = view_mask},
         VkSubpassDependency2{.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .viewOffset = view_offset});
}

}  // namespace assay::core
