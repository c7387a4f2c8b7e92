// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_QUEUE_NEEDS_H_
#define ASSAY_CORE_RESOURCES_QUEUE_NEEDS_H_

// Devices without any queue that could use what is created.

#include <algorithm>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {

// A command needs one of these queues.
struct QueueNeed {
  vk::CommandId command;
  vk::VuidIndex id;
  VkQueueFlags queues;
};
inline constexpr VkQueueFlags kComputes = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
inline constexpr VkQueueFlags kShows = kComputes | VK_QUEUE_VIDEO_ENCODE_BIT_KHR | VK_QUEUE_VIDEO_DECODE_BIT_KHR;
inline constexpr VkQueueFlags kMoves = kShows | VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT;
inline constexpr QueueNeed kQueueNeeds[] = {
    {vk::CreateBuffer::kId, vk::Vuid("VUID-vkCreateBuffer-device-09664"), kMoves},
    {vk::CreateImage::kId, vk::Vuid("VUID-vkCreateImage-device-09666"), kMoves | VK_QUEUE_OPTICAL_FLOW_BIT_NV},
    {vk::CreateImageView::kId, vk::Vuid("VUID-vkCreateImageView-device-09667"), kShows},
    {vk::CreateQueryPool::kId, vk::Vuid("VUID-vkCreateQueryPool-device-09663"), kShows},
    {vk::CreateBufferView::kId, vk::Vuid("VUID-vkCreateBufferView-device-09665"), kComputes},
    {vk::CreateSampler::kId, vk::Vuid("VUID-vkCreateSampler-device-09668"), kComputes},
    {vk::CreateFramebuffer::kId, vk::Vuid("VUID-vkCreateFramebuffer-device-10002"), VK_QUEUE_GRAPHICS_BIT},
    {vk::CreateRenderPass::kId, vk::Vuid("VUID-vkCreateRenderPass-device-10000"), VK_QUEUE_GRAPHICS_BIT},
    {vk::CreateRenderPass2::kId, vk::Vuid("VUID-vkCreateRenderPass2-device-10001"), VK_QUEUE_GRAPHICS_BIT},
};
template <class C>
concept NeedsQueue = std::ranges::count(kQueueNeeds, C::kId, &QueueNeed::command) != 0;

// The validator.
class QueueNeedRules {
 public:
  explicit QueueNeedRules(const dispatch::Device& device) {
    for (const VkQueueFamilyProperties& family : device.physical_device->queue_families) queues_ |= family.queueFlags;
  }

  template <NeedsQueue C>
  void PreCallValidate(const C& call, messages::Report& report) const {
    constexpr QueueNeed kNeed = *std::ranges::find(kQueueNeeds, C::kId, &QueueNeed::command);
    if ((queues_ & kNeed.queues) != 0) [[likely]]
      return;
    report.Error(kNeed.id, {messages::Object(call.device)}, report.location().Dot("device"),
                 absl::StrCat("has only queues with ", vk::FlagsToString(vk::EnumId::kQueueFlagBits, queues_), "."));
  }

 private:
  // Of all families together.
  VkQueueFlags queues_ = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_QUEUE_NEEDS_H_
