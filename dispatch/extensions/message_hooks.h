// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_EXTENSIONS_MESSAGE_HOOKS_H_
#define ASSAY_DISPATCH_EXTENSIONS_MESSAGE_HOOKS_H_

#include "dispatch/hooks/instance.h"
#include "vk/commands.h"

// The commands that concern messages: they add callbacks, name objects, and open labels. //layer attaches these hooks
// before those of the validators.
namespace assay::dispatch {

class InstanceMessageHooks {
 public:
  explicit InstanceMessageHooks(Instance& instance) : instance_(instance) {}

  void PostCallRecord(const vk::CreateDebugUtilsMessengerEXT& call, VkResult result);
  void PreCallRecord(const vk::DestroyDebugUtilsMessengerEXT& call);
  void PostCallRecord(const vk::CreateDebugReportCallbackEXT& call, VkResult result);
  void PreCallRecord(const vk::DestroyDebugReportCallbackEXT& call);

 private:
  Instance& instance_;
};

class DeviceMessageHooks {
 public:
  explicit DeviceMessageHooks(Device& device) : device_(device) {}

  void PreCallRecord(const vk::SetDebugUtilsObjectNameEXT& call);
  void PreCallRecord(const vk::DebugMarkerSetObjectNameEXT& call);

  // Labels. Messages show a label from the call that begins it to the call that ends it, both included, and an inserted
  // label until the next label of its queue or command buffer.
  void PreCallRecord(const vk::QueueInsertDebugUtilsLabelEXT& call);
  void PreCallRecord(const vk::CmdInsertDebugUtilsLabelEXT& call);
  void PreCallRecord(const vk::CmdDebugMarkerInsertEXT& call);
  void PreCallRecord(const vk::QueueBeginDebugUtilsLabelEXT& call);
  void PostCallRecord(const vk::QueueEndDebugUtilsLabelEXT& call);
  void PreCallRecord(const vk::CmdBeginDebugUtilsLabelEXT& call);
  void PostCallRecord(const vk::CmdEndDebugUtilsLabelEXT& call);
  void PreCallRecord(const vk::CmdDebugMarkerBeginEXT& call);
  void PostCallRecord(const vk::CmdDebugMarkerEndEXT& call);
  // A command buffer has no labels before its recording begins. vkResetCommandPool and vkDestroyCommandPool leave
  // labels behind. vkBeginCommandBuffer clears them, also when the driver gives the same handle to a new command
  // buffer.
  void PreCallRecord(const vk::BeginCommandBuffer& call);
  void PreCallRecord(const vk::FreeCommandBuffers& call);

 private:
  Device& device_;
};

// Reads the settings for an instance that is being created, and applies those that concern messages. Reports problems
// with the settings. create_info is vkCreateInstance's.
void ConfigureFromSettings(Instance& instance, const VkInstanceCreateInfo* create_info);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_MESSAGE_HOOKS_H_
