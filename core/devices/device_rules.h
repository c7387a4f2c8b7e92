// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_DEVICE_RULES_H_
#define ASSAY_CORE_DEVICES_DEVICE_RULES_H_

// What a device is asked for besides objects: its queues, timestamps and counters (device_queries.cc). Where debug
// labels end, and whose objects are named (debugging.cc).

#include <vector>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class DeviceRules {
 public:
  // `device` must outlive this. `info` is what it is created with.
  DeviceRules(const dispatch::Device& device, const VkDeviceCreateInfo& info);

  void PreCallValidate(const vk::GetDeviceQueue& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDeviceQueue2& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetCalibratedTimestampsKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateQueryPool& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetPerformanceStreamMarkerINTEL& call, messages::Report& report) const;

  void PreCallValidate(const vk::SetDebugUtilsObjectNameEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::SetDebugUtilsObjectTagEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueEndDebugUtilsLabelEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndDebugUtilsLabelEXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdDebugMarkerEndEXT& call, dispatch::Slot& slot, messages::Report& report) const;

 private:
  struct QueueIds;
  void CheckQueue(const VkDeviceQueueInfo2& asked, const QueueIds& ids, const messages::Location& where,
                  messages::Report& report) const;
  const dispatch::Device& device_;
  // Their pointers are not valid.
  std::vector<VkDeviceQueueCreateInfo> queues_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_DEVICE_RULES_H_
