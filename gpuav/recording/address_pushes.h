// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_ADDRESS_PUSHES_H_
#define ASSAY_GPUAV_RECORDING_ADDRESS_PUSHES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "gpuav/device/context.h"
#include "gpuav/pipelines/pipeline_layouts.h"
#include "vk/vulkan.h"

// Addresses that one recording pushes for its actions, and the application's push constants next to them.
//
// An application may push, dispatch with a pipeline whose layout has other ranges, and then use what it has pushed: the
// pipeline in between does not disturb it. An address that is pushed for that pipeline would, so that what the
// application has pushed there is pushed again, with its layout, before the next action that gets no address:
//
//   vkCmdPushConstants(a)        an address, if a is extended, or the application's values at its place
//   vkCmdDispatch with b         pushes the address with b
//   vkCmdDispatch with a         pushes what was there with a
namespace assay::gpuav {

class AddressPushes {
 public:
  explicit AddressPushes(const Context& context) : context_(context) {}

  void Reset() {
    layout_ = place_layout_ = VK_NULL_HANDLE;
    values_ = {};
    pushed_with_ = 0;
  }
  // The application pushes constants. Need not be called unless Context::uses_addresses().
  void Note(VkPipelineLayout layout, uint32_t offset, uint32_t size, const void* values);
  // Pushes an address, with the driver's layout.
  void Push(VkCommandBuffer command_buffer, VkPipelineLayout layout, const PushedAddress& with,
            VkDeviceAddress address);
  // An action without an address is about to be recorded, or one of ours was.
  void Restore(VkCommandBuffer command_buffer) {
    if (pushed_with_ != 0) [[unlikely]]
      PushBack(command_buffer);
  }

 private:
  static constexpr size_t kWords = kAddressBytes / sizeof(uint32_t);

  void PushBack(VkCommandBuffer command_buffer);
  void PushWords(VkCommandBuffer command_buffer, const LayoutData& layout);

  const Context& context_;
  // What the application has pushed last; null for nothing.
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  // What it has pushed where the address would be, and with which layout; null for nothing.
  VkPipelineLayout place_layout_ = VK_NULL_HANDLE;
  std::array<uint32_t, kWords> values_ = {};
  // PushedAddress::ranges_id of the address; 0 if nothing of ours is in the application's way.
  uint32_t pushed_with_ = 0;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_ADDRESS_PUSHES_H_
