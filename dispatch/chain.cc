// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The commands that make and unmake the chain: vkCreateInstance, vkCreateDevice and their opposites.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dispatch/intercept.h"
#include "dispatch/message_hooks.h"
#include "dispatch/overrides.h"
#include "messages/messages.h"
#include "vk/extension_info.h"

namespace assay::dispatch {
namespace {

// The loader's link for this layer in a create info's chain; null when the caller is no loader.
template <class Link>
Link* FindLink(const void* chain, VkStructureType type, VkLayerFunction function) {
  for (auto* next = static_cast<const VkBaseInStructure*>(chain); next != nullptr; next = next->pNext) {
    if (next->sType != type) continue;
    // The loader expects each layer to advance the link, through this very structure.
    auto* link = const_cast<Link*>(reinterpret_cast<const Link*>(next));
    if (link->function == function) return link;
  }
  return nullptr;
}

// Problems that come before there is an instance to report them to.
void ReportEarly(std::string id, std::string location, std::string text) {
  messages::Reporter reporter;
  messages::Message message;
  message.id = std::move(id);
  message.location = std::move(location);
  message.text = std::move(text);
  reporter.Deliver(message);
}

template <class GetProcAddr, class Handle>
void FillNext(NextTable& next, GetProcAddr get_proc_addr, Handle handle) {
  for (size_t i = 0; i < next.size(); ++i) {
    const std::string name(vk::GetCommandInfo(static_cast<vk::CommandId>(i)).name);
    next[i] = get_proc_addr(handle, name.c_str());
  }
  // The name that a promoted command had as an extension's stands in for it, so that both lead to what the driver has.
  for (const vk::CommandAlias& alias : vk::CommandAliases()) {
    PFN_vkVoidFunction& function = next[static_cast<size_t>(alias.id)];
    if (function == nullptr) function = get_proc_addr(handle, std::string(alias.name).c_str());
  }
}

VkResult CreateInstanceInChain(const vk::CreateInstance& call) {
  constexpr const char* kWhere = "vkCreateInstance()";
  if (call.pCreateInfo == nullptr || call.pInstance == nullptr) {
    const char* name = call.pCreateInfo == nullptr ? "pCreateInfo" : "pInstance";
    ReportEarly(std::string("VUID-vkCreateInstance-") + name + "-parameter", std::string(kWhere) + ": " + name,
                "is NULL. The call is not passed on.");
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  auto* link = FindLink<VkLayerInstanceCreateInfo>(call.pCreateInfo->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                                   VK_LAYER_LINK_INFO);
  if (link == nullptr || link->u.pLayerInfo == nullptr) {
    ReportEarly("ASSAY-no-loader", kWhere,
                "is called without the Vulkan loader's link to the next layer. The layer only works when the loader enables it.");
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const PFN_vkGetInstanceProcAddr get_proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get_proc_addr(nullptr, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;

  auto instance = std::make_unique<Instance>();
  instance->next_get_proc_addr = get_proc_addr;
  instance->next_get_physical_device_proc_addr = link->u.pLayerInfo->pfnNextGetPhysicalDeviceProcAddr;
  instance->reporter.AddCreateInfoSinks(call.pCreateInfo->pNext);
  ConfigureFromSettings(*instance, call.pCreateInfo);
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;

  const VkResult result = create(call.pCreateInfo, call.pAllocator, call.pInstance);
  if (result != VK_SUCCESS) return result;
  instance->handle = *call.pInstance;
  if (call.pCreateInfo->pApplicationInfo != nullptr && call.pCreateInfo->pApplicationInfo->apiVersion != 0) {
    instance->api_version = call.pCreateInfo->pApplicationInfo->apiVersion;
  }
  for (uint32_t i = 0; i < call.pCreateInfo->enabledExtensionCount; ++i) {
    if (const auto id = vk::FindExtension(call.pCreateInfo->ppEnabledExtensionNames[i])) {
      instance->enabled_extensions.set(static_cast<size_t>(*id));
    }
  }
  FillNext(instance->next, get_proc_addr, instance->handle);
  instance->slot = HandleTable::Get().Add(VK_OBJECT_TYPE_INSTANCE, reinterpret_cast<uint64_t>(instance->handle), instance.get(),
                                          nullptr, Naming::kDispatchable);
  DispatchableTable::Get().Add(instance->handle, instance->slot);
  if (const auto compose = GetComposer().compose_instance) instance->validators = compose(*instance, *call.pCreateInfo);
  instance->reporter.SetCreateInfoSinksActive(false);
  RunPostCallRecord(instance->hooks[vk::CommandId::kCreateInstance], call, &result);
  // The slot owns it from here on; vkDestroyInstance takes it back.
  instance.release();
  return result;
}

}  // namespace

VkResult Override(const vk::CreateInstance& call) { return CreateInstanceInChain(call); }

void Override(const vk::DestroyInstance& call) {
  Slot* const slot = DispatchableTable::Get().Find(call.instance);
  if (slot == nullptr) return;
  std::unique_ptr<Instance> instance(slot->instance);
  instance->reporter.SetCreateInfoSinksActive(true);
  const CommandHooks& hooks = instance->hooks[vk::CommandId::kDestroyInstance];
  if (!RunPreCall(hooks, call, instance->reporter)) {
    instance->reporter.SetCreateInfoSinksActive(false);
    instance.release();
    return;
  }
  vk::CallDown(call, Next<vk::DestroyInstance>(instance->next));
  RunPostCallRecord(hooks, call, nullptr);
  instance->validators.reset();
  RemoveAllOf(instance.get(), nullptr, vk::CommandId::kDestroyInstance);
}

VkResult Override(const vk::CreateDevice& call) {
  const Slot* const slot = DispatchableTable::Get().Find(call.physicalDevice);
  if (slot == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  Instance& instance = *slot->instance;
  if (call.pCreateInfo == nullptr || call.pDevice == nullptr) {
    messages::Report report(instance.reporter, call.kId);
    if (call.pCreateInfo == nullptr) {
      report.Error(vk::Vuid("VUID-vkCreateDevice-pCreateInfo-parameter"), {messages::Object(call.physicalDevice)},
                   report.location().Dot("pCreateInfo"), "is NULL. The call is not passed on.");
    } else {
      report.Error(vk::Vuid("VUID-vkCreateDevice-pDevice-parameter"), {messages::Object(call.physicalDevice)},
                   report.location().Dot("pDevice"), "is NULL. The call is not passed on.");
    }
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  auto* link = FindLink<VkLayerDeviceCreateInfo>(call.pCreateInfo->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                                 VK_LAYER_LINK_INFO);
  if (link == nullptr || link->u.pLayerInfo == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get_instance_proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr get_proc_addr = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(get_instance_proc_addr(instance.handle, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const CommandHooks& hooks = instance.hooks[vk::CommandId::kCreateDevice];
  if (!RunPreCall(hooks, call, instance.reporter)) return VK_ERROR_VALIDATION_FAILED_EXT;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;

  const VkResult result = create(call.physicalDevice, call.pCreateInfo, call.pAllocator, call.pDevice);
  if (result != VK_SUCCESS) return result;
  auto device = std::make_unique<Device>(instance);
  device->handle = *call.pDevice;
  device->next_get_proc_addr = get_proc_addr;
  if (const auto* callback = FindLink<VkLayerDeviceCreateInfo>(
          call.pCreateInfo->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, VK_LOADER_DATA_CALLBACK)) {
    device->set_loader_data = callback->u.pfnSetDeviceLoaderData;
  }
  device->physical_device = &instance.GetPhysicalDevice(call.physicalDevice);
  device->api_version = std::min(instance.api_version, device->physical_device->properties.apiVersion);
  device->ReadCreateInfo(*call.pCreateInfo);
  FillNext(device->next, get_proc_addr, device->handle);
  device->slot = HandleTable::Get().Add(VK_OBJECT_TYPE_DEVICE, reinterpret_cast<uint64_t>(device->handle), &instance,
                                        device.get(), Naming::kDispatchable);
  DispatchableTable::Get().Add(device->handle, device->slot);
  if (const auto compose = GetComposer().compose_device) device->validators = compose(*device, *call.pCreateInfo);
  RunPostCallRecord(hooks, call, &result);
  device.release();
  return result;
}

void Override(const vk::DestroyDevice& call) {
  Slot* const slot = DispatchableTable::Get().Find(call.device);
  if (slot == nullptr) return;
  Device* const device = slot->device;
  const CommandHooks& hooks = device->hooks[vk::CommandId::kDestroyDevice];
  if (!RunPreCall(hooks, call, device->reporter())) return;
  std::unique_ptr<Device> owned(device);
  vk::CallDown(call, Next<vk::DestroyDevice>(device->next));
  RunPostCallRecord(hooks, call, nullptr);
  device->validators.reset();
  RemoveAllOf(&device->instance, device, vk::CommandId::kDestroyDevice);
}

}  // namespace assay::dispatch
