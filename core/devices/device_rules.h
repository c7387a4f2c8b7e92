// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_DEVICE_RULES_H_
#define ASSAY_CORE_DEVICES_DEVICE_RULES_H_

// What a device is asked for besides objects: its queues, its timestamps and counters (device_queries.cc); indices and
// masks of the physical devices that it has (device_groups.cc); optical flow and decompression (other_engines.cc).
// Where debug labels end, and whose objects are named (debugging.cc).

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class DeviceRules {
 public:
  // `state` must outlive this. `create_info` is the device's.
  DeviceRules(const state::DeviceState& state, const VkDeviceCreateInfo& create_info);

  void PreCallValidate(const vk::GetDeviceQueue& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceQueue2& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetCalibratedTimestampsKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateQueryPool& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetPerformanceStreamMarkerINTEL& call, messages::Report& report) const;

  void PreCallValidate(const vk::GetDeviceGroupPeerMemoryFeatures& call, messages::Report& report) const;
  void PreCallValidate(const vk::BeginCommandBuffer& call, messages::Report& report) const;
  void PostCallRecord(const vk::BeginCommandBuffer& call, VkResult result);
  void PreCallValidate(const vk::CmdSetDeviceMask& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginRenderPass& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginRenderPass2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginRendering& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report) const;

  void PreCallValidate(const vk::CreateOpticalFlowSessionNV& call, messages::Report& report) const;
  void PostCallRecord(const vk::CreateOpticalFlowSessionNV& call, VkResult result);
  void PreCallRecord(const vk::DestroyOpticalFlowSessionNV& call) { sessions_.Erase(call.session); }
  void PreCallValidate(const vk::CmdOpticalFlowExecuteNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdDecompressMemoryNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdDecompressMemoryIndirectCountNV& call, messages::Report& report) const;

  void PreCallValidate(const vk::SetDebugUtilsObjectNameEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::SetDebugUtilsObjectTagEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueEndDebugUtilsLabelEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndDebugUtilsLabelEXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdDebugMarkerEndEXT& call, dispatch::Slot& slot, messages::Report& report) const;

 private:
  struct QueueIds;
  void CheckQueue(const VkDeviceQueueInfo2& asked, const QueueIds& ids, const messages::Location& where,
                  messages::Report& report) const;
  // Of VkDeviceGroupRenderPassBeginInfo.
  void CheckRenderPass(VkCommandBuffer commands, const void* chain, const messages::Location& where,
                       messages::Report& report) const;

  bool IsMask(uint32_t mask) const { return group_size_ >= 32 || mask >> group_size_ == 0; }
  bool AreIndices(const uint32_t* indices, uint32_t count) const;
  // The device mask with which the command buffer was begun.
  uint32_t FirstMask(VkCommandBuffer commands) const;

  const state::DeviceState& state_;
  const dispatch::Device& device_;
  // Without pointers.
  std::vector<VkDeviceQueueCreateInfo> queues_;
  // The number of physical devices.
  uint32_t group_size_ = 1;
  HandleMap<VkOpticalFlowSessionCreateFlagsNV> sessions_;
  // Of command buffers that were begun with a mask, and whether there was one.
  HandleMap<uint32_t> masks_;
  std::atomic<bool> has_masks_ = false;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_DEVICE_RULES_H_
