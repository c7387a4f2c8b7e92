// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/testing/test_objects.h"

#include "messages/messages.h"

namespace assay::dispatch {
namespace {

// Addresses that no object of the process has.
uint64_t NewDriverHandle() {
  static uint64_t last = 0x10000;
  return last += 64;
}

VkObjectType ParentType(VkObjectType type) {
  switch (type) {
    case VK_OBJECT_TYPE_COMMAND_BUFFER:
      return VK_OBJECT_TYPE_COMMAND_POOL;
    case VK_OBJECT_TYPE_DESCRIPTOR_SET:
      return VK_OBJECT_TYPE_DESCRIPTOR_POOL;
    case VK_OBJECT_TYPE_DISPLAY_KHR:
    case VK_OBJECT_TYPE_DISPLAY_MODE_KHR:
      return VK_OBJECT_TYPE_PHYSICAL_DEVICE;
    default:
      return VK_OBJECT_TYPE_UNKNOWN;
  }
}

}  // namespace

bool IsOfInstance(VkObjectType type) {
  for (const vk::HandleInfo* info = vk::FindHandle(type); info != nullptr;) {
    if (info->object_type == VK_OBJECT_TYPE_DEVICE) return false;
    info = info->parent != vk::kNoType ? &vk::Handles()[info->parent] : nullptr;
  }
  return true;
}

TestObjects::TestObjects() {
  VkDebugUtilsMessengerCreateInfoEXT messenger = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                  .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                  .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                  .pfnUserCallback = Collect,
                                                  .pUserData = &ids_};
  instances_[0].reporter.AddMessenger(reinterpret_cast<VkDebugUtilsMessengerEXT>(uint64_t{1}), messenger);
  instances_[0].enabled_extensions.set();
  instances_[0].next_get_proc_addr = [](VkInstance, const char*) -> PFN_vkVoidFunction { return [] {}; };
  for (bool other : {false, true}) {
    devices_[other] = std::make_unique<Device>(instances_[0]);
    devices_[other]->physical_device = &physical_device_;
  }
  for (VkObjectType first : {VK_OBJECT_TYPE_INSTANCE, VK_OBJECT_TYPE_PHYSICAL_DEVICE, VK_OBJECT_TYPE_DEVICE,
                             VK_OBJECT_TYPE_COMMAND_POOL, VK_OBJECT_TYPE_DESCRIPTOR_POOL}) {
    for (bool other : {false, true}) Add(first, other);
  }
  physical_device_.handle = reinterpret_cast<VkPhysicalDevice>(Handle(VK_OBJECT_TYPE_PHYSICAL_DEVICE, false));
  for (const vk::HandleInfo& info : vk::Handles()) {
    for (bool other : {false, true}) {
      if (!slots_.contains({info.object_type, other})) Add(info.object_type, other);
    }
  }
}

TestObjects::~TestObjects() {
  for (const auto& [key, slot] : slots_) {
    DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot->driver_handle), slot);
    slot->first_child = slot->next_sibling = slot->previous_sibling = slot->parent = HandleTable::kNone;
    HandleTable::Get().Remove(slot, vk::CommandId::kDestroyInstance);
  }
}

void TestObjects::Add(VkObjectType type, bool other) {
  const bool dispatchable = vk::FindHandle(type)->dispatchable;
  const bool of_instance = IsOfInstance(type) && type != VK_OBJECT_TYPE_DEVICE;
  Slot* parent = ParentType(type) != VK_OBJECT_TYPE_UNKNOWN ? SlotOf(ParentType(type), other) : nullptr;
  Slot* slot = HandleTable::Get().Add(type, NewDriverHandle(), &instances_[of_instance && other],
                                      of_instance ? nullptr : devices_[other].get(),
                                      dispatchable ? HandleKind::kDispatchable : HandleKind::kWrapped, parent);
  if (dispatchable) DispatchableTable::Get().Add(reinterpret_cast<const void*>(slot->driver_handle), slot);
  slots_[{type, other}] = slot;
  handles_[{type, other}] = slot->application_handle;
  if (type == VK_OBJECT_TYPE_INSTANCE)
    instances_[other].handle = reinterpret_cast<VkInstance>(slot->application_handle);
  if (type == VK_OBJECT_TYPE_DEVICE) devices_[other]->handle = reinterpret_cast<VkDevice>(slot->application_handle);
}

uint64_t TestObjects::Destroyed(VkObjectType type) {
  const bool dispatchable = vk::FindHandle(type)->dispatchable;
  Slot* slot =
      HandleTable::Get().Add(type, NewDriverHandle(), &instances_[0], IsOfInstance(type) ? nullptr : devices_[0].get(),
                             dispatchable ? HandleKind::kDispatchable : HandleKind::kWrapped);
  const uint64_t handle = slot->application_handle;
  HandleTable::Get().Remove(slot, vk::CommandId::kDestroyBuffer);
  return handle;
}

VkBool32 VKAPI_PTR TestObjects::Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                        const VkDebugUtilsMessengerCallbackDataEXT* data, void* ids) {
  static_cast<std::vector<std::string>*>(ids)->push_back(data->pMessageIdName);
  return VK_FALSE;
}

uint64_t TestObjects::DispatchedOn(const vk::CommandInfo& command) const {
  return Handle(vk::Handles()[command.parameters->members[0].type].object_type, false);
}

}  // namespace assay::dispatch
