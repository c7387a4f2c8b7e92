// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/extensions/message_hooks.h"

#include <vector>

#include "dispatch/extensions/layer_identity.h"
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

namespace {

using messages::LabelStacks;

constexpr float kNoColor[4] = {};

// method is LabelStacks::Begin or Insert. A null structure begins a label too: the command that ends labels must find
// it.
void Label(LabelStacks& stacks, decltype(&LabelStacks::Begin) method, messages::ObjectRef object,
           const VkDebugUtilsLabelEXT* info) {
  (stacks.*method)(object, info != nullptr ? info->pLabelName : nullptr, info != nullptr ? info->color : kNoColor);
}
void Label(LabelStacks& stacks, decltype(&LabelStacks::Begin) method, messages::ObjectRef object,
           const VkDebugMarkerMarkerInfoEXT* info) {
  (stacks.*method)(object, info != nullptr ? info->pMarkerName : nullptr, info != nullptr ? info->color : kNoColor);
}

}  // namespace

void DeviceMessageHooks::PreCallRecord(const vk::QueueBeginDebugUtilsLabelEXT& call) {
  Label(device_.reporter().labels(), &LabelStacks::Begin, messages::Object(call.queue), call.pLabelInfo);
}
void DeviceMessageHooks::PreCallRecord(const vk::QueueInsertDebugUtilsLabelEXT& call) {
  Label(device_.reporter().labels(), &LabelStacks::Insert, messages::Object(call.queue), call.pLabelInfo);
}
void DeviceMessageHooks::PostCallRecord(const vk::QueueEndDebugUtilsLabelEXT& call) {
  device_.reporter().labels().End(messages::Object(call.queue));
}
void DeviceMessageHooks::PreCallRecord(const vk::CmdBeginDebugUtilsLabelEXT& call) {
  Label(device_.reporter().labels(), &LabelStacks::Begin, messages::Object(call.commandBuffer), call.pLabelInfo);
}
void DeviceMessageHooks::PreCallRecord(const vk::CmdInsertDebugUtilsLabelEXT& call) {
  Label(device_.reporter().labels(), &LabelStacks::Insert, messages::Object(call.commandBuffer), call.pLabelInfo);
}
void DeviceMessageHooks::PostCallRecord(const vk::CmdEndDebugUtilsLabelEXT& call) {
  device_.reporter().labels().End(messages::Object(call.commandBuffer));
}
void DeviceMessageHooks::PreCallRecord(const vk::CmdDebugMarkerBeginEXT& call) {
  Label(device_.reporter().labels(), &LabelStacks::Begin, messages::Object(call.commandBuffer), call.pMarkerInfo);
}
void DeviceMessageHooks::PreCallRecord(const vk::CmdDebugMarkerInsertEXT& call) {
  Label(device_.reporter().labels(), &LabelStacks::Insert, messages::Object(call.commandBuffer), call.pMarkerInfo);
}
void DeviceMessageHooks::PostCallRecord(const vk::CmdDebugMarkerEndEXT& call) {
  device_.reporter().labels().End(messages::Object(call.commandBuffer));
}
void DeviceMessageHooks::PreCallRecord(const vk::BeginCommandBuffer& call) {
  device_.reporter().labels().Clear(messages::Object(call.commandBuffer));
}
void DeviceMessageHooks::PreCallRecord(const vk::FreeCommandBuffers& call) {
  for (uint32_t i = 0; call.pCommandBuffers != nullptr && i < call.commandBufferCount; ++i) {
    device_.reporter().labels().Remove(messages::Object(call.pCommandBuffers[i]));
  }
}

void ConfigureFromSettings(Instance& instance, const VkInstanceCreateInfo* create_info) {
  std::vector<messages::Message> problems;
  instance.settings = LoadSettings(create_info, &problems, GetLayerIdentity().loaded_as);
  const VkApplicationInfo* application = create_info != nullptr ? create_info->pApplicationInfo : nullptr;
  const bool is_named = application != nullptr && application->pApplicationName != nullptr;
  instance.reporter.Configure(ToReporterOptions(instance.settings, is_named ? application->pApplicationName : ""));
  for (const messages::Message& problem : problems) instance.reporter.Deliver(problem);
  if (instance.settings.print_settings) instance.reporter.Print(DescribeSettings(instance.settings));
}

}  // namespace assay::dispatch
