// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICE_GROUPS_DEVICE_GROUP_RULES_H_
#define ASSAY_CORE_DEVICE_GROUPS_DEVICE_GROUP_RULES_H_

// Device groups: that masks and indices of physical devices are those of the logical device, and what a device of
// several ones needs. A device that was created without VkDeviceGroupDeviceCreateInfo is a group of one.
//
// Which physical devices execute a command is not tracked.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::core {

// The validator.
class DeviceGroupRules {
 public:
  // `device` must outlive this.
  DeviceGroupRules(const dispatch::Device& device, const VkDeviceCreateInfo& info);
  // Attaches what a device of several physical devices needs only if it has them.
  void Attach(dispatch::HookBuilder& builder);

  void PreCallValidate(const vk::AllocateMemory& call, messages::Report& report) const;
  void PreCallValidate(const vk::BindBufferMemory2& call, messages::Report& report) const;
  void PreCallValidate(const vk::BindImageMemory2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateImage& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateSwapchainKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::AcquireNextImage2KHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceGroupPeerMemoryFeatures& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::QueueBindSparse& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::BeginCommandBuffer& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetDeviceMask& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginRendering& call, dispatch::Slot& slot, messages::Report& report) const;

  // Memory with several instances (memory_instances.cc).
  void PostCallRecord(const vk::AllocateMemory& call, VkResult result);
  void PreCallRecord(const vk::FreeMemory& call) { multiple_.Erase(call.memory); }
  void PreCallValidate(const vk::BuildAccelerationStructuresKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::BuildMicromapsEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyAccelerationStructureKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMemoryToAccelerationStructureKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyAccelerationStructureToMemoryKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMicromapEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMemoryToMicromapEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CopyMicromapToMemoryEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::WriteAccelerationStructuresPropertiesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::WriteMicromapsPropertiesEXT& call, messages::Report& report) const;

 private:
  // The commands that need bufferDeviceAddressMultiDevice.
  static void CheckFeature(void* self, const void* call, dispatch::Slot* slot, messages::Report& report);

  void Require(bool holds, vk::VuidIndex rule, const messages::Location& where, std::string_view text,
               messages::Report& report) const {
    if (!holds) [[unlikely]]
      report.Error(rule, {messages::Object(device_.handle)}, where, std::string(text));
  }
  void CheckMask(uint32_t mask, vk::VuidIndex rule, const messages::Location& where, messages::Report& report) const;
  void CheckIndex(uint32_t index, vk::VuidIndex rule, const messages::Location& where, messages::Report& report) const;
  // `count` is 0 or the other number.
  void CheckCount(uint32_t count, uint32_t other, vk::VuidIndex rule, const messages::Location& where,
                  messages::Report& report) const;
  void CheckIndices(const uint32_t* indices, uint32_t count, std::string_view member, vk::VuidIndex rule,
                    const messages::Location& where, messages::Report& report) const;
  void CheckInstance(const void* chain, const messages::Location& where, messages::Report& report) const;

  template <class T, class H>
  void CheckInstances(H handle, vk::VuidIndex rule, const messages::Location& where, messages::Report& report) const;
  template <class T, class H>
  void CheckAllInstances(const H* handles, uint32_t count, vk::VuidIndex rule, std::string_view member,
                         messages::Report& report) const;
  template <class T, class H>
  void CheckOperand(H handle, vk::VuidIndex rule, std::string_view member, messages::Report& report) const;

  const dispatch::Device& device_;
  const uint32_t size_;
  // Memory with several instances.
  HandleMap<bool> multiple_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICE_GROUPS_DEVICE_GROUP_RULES_H_
