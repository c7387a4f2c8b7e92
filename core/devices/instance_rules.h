// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_INSTANCE_RULES_H_
#define ASSAY_CORE_DEVICES_INSTANCE_RULES_H_

// What instances (instance_creation.cc) and devices (device_creation.cc) are created with: extensions that need others,
// features that need or exclude others, queues that the physical device has. What physical devices are asked for
// (queries.cc).

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator of an instance, where the others of core are of devices.
class InstanceRules {
 public:
  // `instance` must outlive this.
  explicit InstanceRules(dispatch::Instance& instance) : instance_(instance) {}

  void PreCallValidate(const vk::CreateInstance& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateDevice& call, messages::Report& report) const;

  void PreCallValidate(const vk::GetPhysicalDeviceProperties2& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPhysicalDeviceImageFormatProperties& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPhysicalDeviceImageFormatProperties2& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPhysicalDeviceExternalImageFormatPropertiesNV& call,
                       messages::Report& report) const;
  void PreCallValidate(const vk::GetPhysicalDeviceExternalBufferProperties& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPhysicalDeviceSparseImageFormatProperties& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetPhysicalDeviceSparseImageFormatProperties2& call, messages::Report& report) const;

  void PreCallValidate(const vk::SubmitDebugUtilsMessageEXT& call, messages::Report& report) const;

 private:
  dispatch::Instance& instance_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_INSTANCE_RULES_H_
