// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/address_pushes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::gpuav {

using dispatch::CallNext;

void AddressPushes::Note(VkPipelineLayout layout, uint32_t offset, uint32_t size, const void* values) {
  if (values == nullptr) return;
  layout_ = layout;
  const uint64_t ours = context_.push_constant_offset();
  const uint64_t begin = std::max<uint64_t>(offset, ours);
  const uint64_t end = std::min<uint64_t>(uint64_t{offset} + size, ours + kAddressBytes);
  if (begin >= end) return;
  place_layout_ = layout;
  std::memcpy(reinterpret_cast<std::byte*>(values_.data()) + (begin - ours),
              static_cast<const std::byte*>(values) + (begin - offset), end - begin);
}

void AddressPushes::Push(VkCommandBuffer command_buffer, VkPipelineLayout layout, const PushedAddress& with,
                         VkDeviceAddress address) {
  CallNext(context_.device(), vk::CmdPushConstants{command_buffer, layout, with.stages, context_.push_constant_offset(),
                                                   kAddressBytes, &address});
  pushed_with_ = with.ranges_id;
}

void AddressPushes::PushBack(VkCommandBuffer command_buffer) {
  const uint32_t pushed_with = std::exchange(pushed_with_, 0);
  const VkPipelineLayout layout = place_layout_ != VK_NULL_HANDLE ? place_layout_ : layout_;
  const auto* state = state::DeviceState::Get<state::PipelineLayout>(layout);
  const auto* data = state != nullptr ? state->Sub<LayoutData>() : nullptr;
  if (data == nullptr || data->address().ranges_id == pushed_with) return;
  if (data->address().stages != 0) {
    // No shader reads it, but it was pushed with the application's layout now.
    constexpr VkDeviceAddress kNone = 0;
    CallNext(context_.device(), vk::CmdPushConstants{command_buffer, data->layout(), data->address().stages,
                                                     context_.push_constant_offset(), kAddressBytes, &kNone});
    return;
  }
  PushWords(command_buffer, *data);
}

// Each word with the stages of all ranges that have it: VUID-vkCmdPushConstants-offset-01796.
void AddressPushes::PushWords(VkCommandBuffer command_buffer, const LayoutData& layout) {
  for (size_t i = 0; i < kWords; ++i) {
    const auto offset = static_cast<uint32_t>(context_.push_constant_offset() + i * sizeof(uint32_t));
    VkShaderStageFlags stages = 0;
    for (const VkPushConstantRange& range : layout.ranges()) {
      if (offset >= range.offset && offset - range.offset < range.size) stages |= range.stageFlags;
    }
    if (stages == 0) continue;
    CallNext(context_.device(),
             vk::CmdPushConstants{command_buffer, layout.layout(), stages, offset, sizeof(uint32_t), &values_[i]});
  }
}

}  // namespace assay::gpuav
