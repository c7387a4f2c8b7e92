// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/message_hooks.h"

#include <vector>

#include "dispatch/settings/settings.h"
#include "messages/messages.h"
#include "vk/struct_info.h"

namespace assay::dispatch {

void InstanceMessageHooks::PostCallRecord(const vk::CreateDebugUtilsMessengerEXT& call, VkResult result) {
  if (result == VK_SUCCESS) instance_.reporter.AddMessenger(*call.pMessenger, *call.pCreateInfo);
}

void InstanceMessageHooks::PreCallRecord(const vk::DestroyDebugUtilsMessengerEXT& call) {
  instance_.reporter.RemoveMessenger(call.messenger);
}

void InstanceMessageHooks::PostCallRecord(const vk::CreateDebugReportCallbackEXT& call, VkResult result) {
  if (result == VK_SUCCESS) instance_.reporter.AddReportCallback(*call.pCallback, *call.pCreateInfo);
}

void InstanceMessageHooks::PreCallRecord(const vk::DestroyDebugReportCallbackEXT& call) {
  instance_.reporter.RemoveReportCallback(call.callback);
}

void DeviceMessageHooks::PreCallRecord(const vk::SetDebugUtilsObjectNameEXT& call) {
  const VkDebugUtilsObjectNameInfoEXT* info = call.pNameInfo;
  if (info == nullptr) return;
  const messages::ObjectRef object{info->objectType, info->objectHandle};
  device_.reporter().SetName(object, info->pObjectName != nullptr ? info->pObjectName : "");
}

void DeviceMessageHooks::PreCallRecord(const vk::DebugMarkerSetObjectNameEXT& call) {
  const VkDebugMarkerObjectNameInfoEXT* info = call.pNameInfo;
  if (info == nullptr) return;
  const vk::HandleInfo* type = vk::FindHandle(info->objectType);
  if (type == nullptr) return;
  device_.reporter().SetName({type->object_type, info->object}, info->pObjectName != nullptr ? info->pObjectName : "");
}

void ConfigureFromSettings(Instance& instance, const VkInstanceCreateInfo* create_info) {
  std::vector<messages::Message> problems;
  instance.settings = LoadSettings(create_info, &problems);
  instance.reporter.Configure(ToReporterOptions(instance.settings));
  for (const messages::Message& problem : problems) instance.reporter.Deliver(problem);
  if (instance.settings.print_settings) instance.reporter.Print(DescribeSettings(instance.settings));
}

}  // namespace assay::dispatch
