// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/test_cases/test_calls.h"

#include <array>
#include <utility>

namespace assay::core {

Call CallOf(std::string_view owner) {
  static constexpr std::pair<std::string_view, Call> kOwners[] = {
      {"VkMemoryBarrier2", Call::kMemory2},
      {"VkBufferMemoryBarrier", Call::kBuffer},
      {"VkBufferMemoryBarrier2", Call::kBuffer2},
      {"VkImageMemoryBarrier", Call::kImage},
      {"VkImageMemoryBarrier2", Call::kImage2},
      {"VkSubpassDependency", Call::kCreateRenderPass},
      {"VkSubpassDependency2", Call::kCreateRenderPass2},
      {"VkSubmitInfo", Call::kQueueSubmit},
      {"VkSemaphoreSubmitInfo", Call::kQueueSubmit2},
      {"vkCmdPipelineBarrier", Call::kPipelineBarrier},
      {"vkCmdWaitEvents", Call::kWaitEvents},
      {"vkCmdSetEvent", Call::kSetEvent},
      {"vkCmdResetEvent", Call::kResetEvent},
      {"vkCmdResetEvent2", Call::kResetEvent2},
      {"vkCmdWriteTimestamp", Call::kWriteTimestamp},
      {"vkCmdWriteTimestamp2", Call::kWriteTimestamp2},
      {"vkCmdWriteBufferMarkerAMD", Call::kWriteBufferMarker},
      {"vkCmdWriteBufferMarker2AMD", Call::kWriteBufferMarker2},
  };
  for (const auto& [name, call] : kOwners) {
    if (name == owner) return call;
  }
  // Nothing checks the rules of this structure, so its test cases fail.
  return Call::kGetEventStatus;
}

void TestCalls::SetStages(std::string_view member, VkPipelineStageFlags2 mask) {
  if (member.starts_with("src")) {
    src = {mask, 0};
  } else if (member.starts_with("dst")) {
    dst = {mask, 0};
  } else {
    stages = mask;
  }
}

void TestCalls::SetFamilies(uint32_t from, uint32_t to) {
  src_family_ = from;
  dst_family_ = to;
}

void TestCalls::SetLayouts(VkImageLayout from, VkImageLayout to) {
  old_layout_ = from;
  new_layout_ = to;
}

void TestCalls::SetBytes(VkDeviceSize offset, VkDeviceSize size) {
  offset_ = offset;
  size_ = size;
}

void TestCalls::Run(Call call) {
  switch (call) {
    case Call::kBuffer:
    case Call::kBuffer2:
      kinds = kBuffer;
      break;
    case Call::kImage:
    case Call::kImage2:
      kinds = kImage;
      break;
    case Call::kMemory2:
      kinds = kMemory;
      break;
    default:
      break;
  }
  switch (call) {
    case Call::kBuffer:
    case Call::kImage:
    case Call::kPipelineBarrier:
    case Call::kWaitEvents:
      return RunSync1(call);
    case Call::kMemory2:
    case Call::kBuffer2:
    case Call::kImage2:
    case Call::kPipelineBarrier2:
    case Call::kWaitEvents2:
    case Call::kSetEvent2:
      return RunSync2(call);
    case Call::kQueueSubmit:
    case Call::kQueueSubmit2:
    case Call::kQueueBindSparse:
      return RunSubmit(call);
    case Call::kCreateRenderPass:
    case Call::kCreateRenderPass2:
      return RunRenderPass(call);
    case Call::kCreateEvent:
    case Call::kHostSetEvent:
    case Call::kHostResetEvent:
    case Call::kGetEventStatus:
    case Call::kWaitSemaphores:
    case Call::kSignalSemaphore:
    case Call::kGetSemaphoreCounterValue:
      return RunHost(call);
    default:
      return RunStage(call);
  }
}

VkCommandBuffer TestCalls::Recording() { return device_.MakeRecording(family, place); }

void TestCalls::RunSync1(Call call) {
  const VkBuffer buffer = device_.MakeBuffer(buffer_info, is_bound);
  const VkImage image = device_.MakeImage(image_info, is_bound);
  const auto src_access = static_cast<VkAccessFlags>(src.accesses),
             dst_access = static_cast<VkAccessFlags>(dst.accesses);
  const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, src_access, dst_access};
  const VkBufferMemoryBarrier of_buffer = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                           nullptr,
                                           src_access,
                                           dst_access,
                                           src_family_,
                                           dst_family_,
                                           buffer,
                                           offset_,
                                           size_};
  const VkImageMemoryBarrier of_image = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         nullptr,
                                         src_access,
                                         dst_access,
                                         old_layout_,
                                         new_layout_,
                                         src_family_,
                                         dst_family_,
                                         image,
                                         range_};
  const auto src_stages = static_cast<VkPipelineStageFlags>(src.stages);
  const auto dst_stages = static_cast<VkPipelineStageFlags>(dst.stages);
  const uint32_t memories = (kinds & kMemory) != 0, buffers = (kinds & kBuffer) != 0, images = (kinds & kImage) != 0;
  if (call == Call::kWaitEvents) {
    const VkEvent event = device_.MakeEvent(0);
    device_.Call(vk::CmdWaitEvents{Recording(), 1, &event, src_stages, dst_stages, memories, &memory, buffers,
                                   &of_buffer, images, &of_image});
  } else {
    device_.Call(vk::CmdPipelineBarrier{Recording(), src_stages, dst_stages, flags, memories, &memory, buffers,
                                        &of_buffer, images, &of_image});
  }
}

void TestCalls::RunSync2(Call call) {
  const VkMemoryBarrier2 memory = {
      VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, src.stages, src.accesses, dst.stages, dst.accesses};
  const VkBufferMemoryBarrier2 buffer = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                         nullptr,
                                         src.stages,
                                         src.accesses,
                                         dst.stages,
                                         dst.accesses,
                                         src_family_,
                                         dst_family_,
                                         device_.MakeBuffer(buffer_info, is_bound),
                                         offset_,
                                         size_};
  const VkImageMemoryBarrier2 image = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                       nullptr,
                                       src.stages,
                                       src.accesses,
                                       dst.stages,
                                       dst.accesses,
                                       old_layout_,
                                       new_layout_,
                                       src_family_,
                                       dst_family_,
                                       device_.MakeImage(image_info, is_bound),
                                       range_};
  const uint32_t memories = (kinds & kMemory) != 0, buffers = (kinds & kBuffer) != 0, images = (kinds & kImage) != 0;
  const VkDependencyInfo info = {
      VK_STRUCTURE_TYPE_DEPENDENCY_INFO, nullptr, flags, memories, &memory, buffers, &buffer, images, &image};
  const VkEvent event = device_.MakeEvent(0);
  if (call == Call::kWaitEvents2) {
    device_.Call(vk::CmdWaitEvents2{Recording(), 1, &event, &info});
  } else if (call == Call::kSetEvent2) {
    device_.Call(vk::CmdSetEvent2{Recording(), event, &info});
  } else {
    device_.Call(vk::CmdPipelineBarrier2{Recording(), &info});
  }
}

void TestCalls::RunStage(Call call) {
  VkCommandBuffer commands = Recording();
  const auto first = static_cast<VkPipelineStageFlags>(stages);
  const auto one = static_cast<VkPipelineStageFlagBits>(stages);
  const VkEvent event = device_.MakeEvent(0);
  const VkBuffer buffer = device_.MakeBuffer(buffer_info, true);
  const VkQueryPool pool = device_.MakeQueryPool();
  switch (call) {
    case Call::kSetEvent:
      return device_.Call(vk::CmdSetEvent{commands, event, first});
    case Call::kResetEvent:
      return device_.Call(vk::CmdResetEvent{commands, event, first});
    case Call::kResetEvent2:
      return device_.Call(vk::CmdResetEvent2{commands, event, stages});
    case Call::kWriteTimestamp:
      return device_.Call(vk::CmdWriteTimestamp{commands, one, pool, 0});
    case Call::kWriteTimestamp2:
      return device_.Call(vk::CmdWriteTimestamp2{commands, stages, pool, 0});
    case Call::kWriteBufferMarker:
      return device_.Call(vk::CmdWriteBufferMarkerAMD{commands, one, buffer, 0, 0});
    default:
      return device_.Call(vk::CmdWriteBufferMarker2AMD{commands, stages, buffer, 0, 0});
  }
}

void TestCalls::RunSubmit(Call call) {
  const VkQueue queue = device_.MakeQueue(queue_family == ~uint32_t{0} ? family : queue_family, queue_flags);
  const VkCommandBuffer commands = device_.MakeCommands({family, level, pool_flags, is_executable});
  const VkSemaphore semaphore = device_.MakeSemaphore(semaphore_type, 5);
  if (call == Call::kQueueSubmit) {
    const VkProtectedSubmitInfo with = {VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO, nullptr, is_protected};
    const VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                  &with,
                                                  wait_value_count,
                                                  &wait_value,
                                                  signal_value_count,
                                                  &signal_value};
    const auto mask = static_cast<VkPipelineStageFlags>(stages);
    const void* const next = has_timeline_info ? static_cast<const void*>(&values) : &with;
    const VkSubmitInfo submit = {
        VK_STRUCTURE_TYPE_SUBMIT_INFO, next, 1, &semaphore, &mask, 1, &commands, 1, &semaphore};
    return device_.Call(vk::QueueSubmit{queue, 1, &submit, VK_NULL_HANDLE});
  }
  if (call == Call::kQueueBindSparse) {
    const VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                  nullptr,
                                                  wait_value_count,
                                                  &wait_value,
                                                  signal_value_count,
                                                  &signal_value};
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

void TestCalls::RunHost(Call call) {
  const VkEvent event = device_.MakeEvent(event_flags);
  const VkSemaphore semaphore = device_.MakeSemaphore(semaphore_type, 5);
  const VkDevice device = device_.device();
  switch (call) {
    case Call::kCreateEvent: {
      const VkEventCreateInfo info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, nullptr, event_flags};
      VkEvent created;
      return device_.Call(vk::CreateEvent{device, &info, nullptr, &created});
    }
    case Call::kHostSetEvent:
      return device_.Call(vk::SetEvent{device, event});
    case Call::kHostResetEvent:
      return device_.Call(vk::ResetEvent{device, event});
    case Call::kGetEventStatus:
      return device_.Call(vk::GetEventStatus{device, event});
    case Call::kWaitSemaphores: {
      const VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &wait_value};
      return device_.Call(vk::WaitSemaphores{device, &info, 0});
    }
    case Call::kSignalSemaphore: {
      const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, signal_value};
      return device_.Call(vk::SignalSemaphore{device, &info});
    }
    default: {
      uint64_t value = 0;
      return device_.Call(vk::GetSemaphoreCounterValue{device, semaphore, &value});
    }
  }
}

void TestCalls::RunRenderPass(Call call) {
  const auto src_stages = static_cast<VkPipelineStageFlags>(src.stages);
  const auto dst_stages = static_cast<VkPipelineStageFlags>(dst.stages);
  const auto src_access = static_cast<VkAccessFlags>(src.accesses),
             dst_access = static_cast<VkAccessFlags>(dst.accesses);
  VkRenderPass created = VK_NULL_HANDLE;
  if (call == Call::kCreateRenderPass) {
    const std::array<uint32_t, 2> view_masks = {view_mask, view_mask};
    const VkRenderPassMultiviewCreateInfo views = {VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, nullptr, 2,
                                                   view_masks.data()};
    const VkSubpassDependency dependency = {src_subpass, dst_subpass, src_stages, dst_stages,
                                            src_access,  dst_access,  flags};
    const std::array<VkSubpassDescription, 2> subpasses = {};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .pNext = &views,
                                         .subpassCount = static_cast<uint32_t>(subpasses.size()),
                                         .pSubpasses = subpasses.data(),
                                         .dependencyCount = 1,
                                         .pDependencies = &dependency};
    return device_.Call(vk::CreateRenderPass{device_.device(), &info, nullptr, &created});
  }
  const VkSubpassDependency2 dependency = {VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                           nullptr,
                                           src_subpass,
                                           dst_subpass,
                                           src_stages,
                                           dst_stages,
                                           src_access,
                                           dst_access,
                                           flags,
                                           view_offset};
  VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  subpass.viewMask = view_mask;
  const std::array<VkSubpassDescription2, 2> subpasses = {subpass, subpass};
  const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                        .subpassCount = static_cast<uint32_t>(subpasses.size()),
                                        .pSubpasses = subpasses.data(),
                                        .dependencyCount = 1,
                                        .pDependencies = &dependency};
  device_.Call(vk::CreateRenderPass2{device_.device(), &info, nullptr, &created});
}

}  // namespace assay::core
