// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// vkCreateInstance, vkCreateDevice and their vkDestroy commands, which link the layer into the layer chain and take it
// out.

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dispatch/chain/overrides.h"
#include "dispatch/extensions/layer_extensions.h"
#include "dispatch/extensions/message_hooks.h"
#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/instance.h"
#include "dispatch/hooks/run_hooks.h"
#include "dispatch/rewriting/rewriter.h"
#include "dispatch/translation/removed_handles.h"
#include "dispatch/translation/scratch_arena.h"
#include "dispatch/translation/unknown_object.h"
#include "messages/messages.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/extension_info.h"

namespace assay::dispatch {
namespace {

// The loader's link for this layer in a create info's pNext chain. Null when the caller is not a loader.
template <class Link>
Link* FindLoaderLink(const void* chain, VkStructureType type, VkLayerFunction function) {
  for (auto* next = static_cast<const VkBaseInStructure*>(chain); next != nullptr; next = next->pNext) {
    if (next->sType != type) continue;
    // The loader expects each layer to advance the link, through this very structure.
    auto* link = const_cast<Link*>(reinterpret_cast<const Link*>(next));
    if (link->function == function) return link;
  }
  return nullptr;
}

// Reports a problem before there is an instance with callbacks.
void ReportEarly(std::string id, std::string location, std::string text) {
  messages::Message message;
  message.id = std::move(id);
  message.location = std::move(location);
  message.text = std::move(text);
  ReportWithoutInstance(message);
}

// Asks the next layer for the device-level commands alone, or for all others alone. The loader has a limited number of
// trampolines. It makes one for every name that an instance is asked for and that a device may have.
// api_version is that of the instance or device.
template <class GetProcAddr, class Handle>
void FillNextTable(NextTable& next, GetProcAddr get_proc_addr, Handle handle, bool device_level, uint32_t api_version) {
  for (size_t i = 0; i < next.size(); ++i) {
    const vk::CommandInfo& info = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (vk::IsDeviceLevel(info.dispatch) == device_level)
      next[i] = get_proc_addr(handle, std::string(info.name).c_str());
  }
  // A promoted command has two names. When the version does not have the command, or the driver has only the
  // extension's name, that function is called. A layer below may hook only the name that the application may use.
  for (const vk::CommandAlias& alias : vk::CommandAliases()) {
    PFN_vkVoidFunction& function = next[static_cast<size_t>(alias.id)];
    const vk::CommandInfo& info = vk::GetCommandInfo(alias.id);
    if (vk::IsDeviceLevel(info.dispatch) != device_level) continue;
    if (function != nullptr && info.core_version <= api_version) continue;
    const PFN_vkVoidFunction of_alias = get_proc_addr(handle, std::string(alias.name).c_str());
    if (of_alias != nullptr) function = of_alias;
  }
}

// The version and the extensions that the application asks for.
void ReadCreateInfo(Instance& instance, const VkInstanceCreateInfo& info) {
  if (info.pApplicationInfo != nullptr && info.pApplicationInfo->apiVersion != 0) {
    instance.api_version = info.pApplicationInfo->apiVersion;
  }
  for (uint32_t i = 0; info.ppEnabledExtensionNames != nullptr && i < info.enabledExtensionCount; ++i) {
    if (info.ppEnabledExtensionNames[i] == nullptr) continue;
    if (const auto id = vk::FindExtension(info.ppEnabledExtensionNames[i])) {
      instance.enabled_extensions.set(static_cast<size_t>(*id));
    }
  }
}

// Registers a new instance in the tables.
void RegisterInstance(Instance& instance) {
  instance.slot = HandleTable::Get().Add(VK_OBJECT_TYPE_INSTANCE, reinterpret_cast<uint64_t>(instance.handle),
                                         &instance, nullptr, HandleKind::kDispatchable);
  if (instance.slot == nullptr) throw std::bad_alloc();
  DispatchableTable::Get().Add(instance.handle, instance.slot);
}

// The same for a device. `below` is the create info that the driver got.
void RegisterDevice(Device& device, const vk::CreateDevice& call, const VkDeviceCreateInfo& below) {
  device.ReadCreateInfo(*call.pCreateInfo, below);
  device.slot = HandleTable::Get().Add(VK_OBJECT_TYPE_DEVICE, reinterpret_cast<uint64_t>(device.handle),
                                       &device.instance, &device, HandleKind::kDispatchable);
  if (device.slot == nullptr) throw std::bad_alloc();
  DispatchableTable::Get().Add(device.handle, device.slot);
  if (const auto make_validators = GetValidatorFactory().make_device_validators)
    device.validators = make_validators(device, *call.pCreateInfo);
}

// Destroys the layer's record of a device, and unregisters its objects.
void UnregisterDevice(std::unique_ptr<Device> device, vk::CommandId destroyed_by) {
  device->validators.reset();
  RemoveObjectsOf(&device->instance, device.get(), destroyed_by);
}

// Destroys the layer's record of an instance, and those of devices that the application did not destroy.
void UnregisterInstance(std::unique_ptr<Instance> instance, vk::CommandId destroyed_by) {
  for (const Slot* slot : HandleTable::Get().DevicesOf(instance.get())) {
    UnregisterDevice(std::unique_ptr<Device>(slot->device), destroyed_by);
  }
  instance->validators.reset();
  RemoveObjectsOf(instance.get(), nullptr, destroyed_by);
  instance->reporter.Finish();
}

VkResult ForwardCreateInstance(const vk::CreateInstance& call) {
  constexpr const char* kWhere = "vkCreateInstance()";
  if (call.pCreateInfo == nullptr || call.pInstance == nullptr) {
    const char* name = call.pCreateInfo == nullptr ? "pCreateInfo" : "pInstance";
    ReportEarly(std::string("VUID-vkCreateInstance-") + name + "-parameter", std::string(kWhere) + ": " + name,
                "is NULL. The call is not passed on.");
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  auto* link = FindLoaderLink<VkLayerInstanceCreateInfo>(
      call.pCreateInfo->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, VK_LAYER_LINK_INFO);
  if (link == nullptr || link->u.pLayerInfo == nullptr) {
    ReportEarly("ASSAY-no-loader", kWhere,
                "is called without the Vulkan loader's link to the next layer. The layer only works when the loader "
                "enables it.");
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
  ReadCreateInfo(*instance, *call.pCreateInfo);
  const CommandHooks& hooks = instance->hooks[vk::CommandId::kCreateInstance];
  if (const auto make_validators = GetValidatorFactory().make_instance_validators)
    instance->validators = make_validators(*instance, *call.pCreateInfo);
  // Before the call down, where a wrong create info may crash.
  if (!RunPreCall(hooks, call, nullptr, instance->reporter)) {
    instance->reporter.Finish();
    return VK_ERROR_VALIDATION_FAILED_EXT;
  }
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;

  ScratchArena arena;
  Rewriter rewriter(arena);
  vk::CreateInstance down = call;
  RunRewrite(hooks, &call, &down, sizeof(down), nullptr, rewriter);
  const VkResult result = create(down.pCreateInfo, down.pAllocator, down.pInstance);
  if (result != VK_SUCCESS) {
    rewriter.Finish(result);
    RunPostCallRecord(hooks, call, nullptr, &result);
    instance->reporter.Finish();
    return result;
  }
  instance->handle = *call.pInstance;
  FillNextTable(instance->next, get_proc_addr, instance->handle, false, instance->api_version);
  try {
    RegisterInstance(*instance);
  } catch (...) {
    // Out of memory.
    const auto destroy = Next<vk::DestroyInstance>(instance->next);
    UnregisterInstance(std::move(instance), vk::CommandId::kCreateInstance);
    if (destroy != nullptr) destroy(*call.pInstance, call.pAllocator);
    *call.pInstance = VK_NULL_HANDLE;
    throw;
  }
  instance->reporter.SetCreateInfoSinksActive(false);
  rewriter.Finish(result);
  RunPostCallRecord(hooks, call, nullptr, &result);
  // The slot owns the instance from here on, until vkDestroyInstance.
  std::ignore = instance.release();
  return result;
}

}  // namespace

VkResult OverrideCall(const vk::CreateInstance& call) { return ForwardCreateInstance(call); }

void OverrideCall(const vk::DestroyInstance& call) {
  if (call.instance == VK_NULL_HANDLE) return;
  Slot* const slot = DispatchableTable::Get().Find(call.instance);
  if (slot == nullptr || slot->type != VK_OBJECT_TYPE_INSTANCE) return ReportUnknownObject(call.kId, call.instance);
  Instance* const instance = slot->instance;
  instance->reporter.SetCreateInfoSinksActive(true);
  const CommandHooks& hooks = instance->hooks[vk::CommandId::kDestroyInstance];
  if (!RunPreCall(hooks, call, slot, instance->reporter)) {
    instance->reporter.SetCreateInfoSinksActive(false);
    return;
  }
  std::unique_ptr<Instance> owned(instance);
  RemoveDispatchableHandles(instance, nullptr);
  vk::CallDown(call, Next<vk::DestroyInstance>(instance->next));
  RunPostCallRecord(hooks, call, slot, nullptr);
  UnregisterInstance(std::move(owned), vk::CommandId::kDestroyInstance);
}

VkResult OverrideCall(const vk::CreateDevice& call) {
  Slot* const slot = DispatchableTable::Get().Find(call.physicalDevice);
  if (slot == nullptr || slot->type != VK_OBJECT_TYPE_PHYSICAL_DEVICE) {
    ReportUnknownObject(call.kId, call.physicalDevice);
    return VK_ERROR_INITIALIZATION_FAILED;
  }
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
  auto* link = FindLoaderLink<VkLayerDeviceCreateInfo>(call.pCreateInfo->pNext,
                                                       VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, VK_LAYER_LINK_INFO);
  if (link == nullptr || link->u.pLayerInfo == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get_instance_proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr get_proc_addr = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(get_instance_proc_addr(instance.handle, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const CommandHooks& hooks = instance.hooks[vk::CommandId::kCreateDevice];
  if (!RunPreCall(hooks, call, slot, instance.reporter)) return VK_ERROR_VALIDATION_FAILED_EXT;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;

  const std::vector<const char*> extensions = ExtensionsForNext(instance, call.physicalDevice, *call.pCreateInfo);
  VkDeviceCreateInfo create_info = *call.pCreateInfo;
  create_info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  create_info.ppEnabledExtensionNames = extensions.data();
  ScratchArena arena;
  Rewriter rewriter(arena);
  vk::CreateDevice down = call;
  down.pCreateInfo = &create_info;
  RunRewrite(hooks, &call, &down, sizeof(down), slot, rewriter);
  const VkResult result = create(down.physicalDevice, down.pCreateInfo, down.pAllocator, down.pDevice);
  if (result != VK_SUCCESS) {
    rewriter.Finish(result);
    RunPostCallRecord(hooks, call, slot, &result);
    return result;
  }
  auto device = std::make_unique<Device>(instance);
  device->handle = *call.pDevice;
  device->next_get_proc_addr = get_proc_addr;
  if (const auto* callback = FindLoaderLink<VkLayerDeviceCreateInfo>(
          call.pCreateInfo->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, VK_LOADER_DATA_CALLBACK)) {
    device->set_loader_data = callback->u.pfnSetDeviceLoaderData;
  }
  device->physical_device = &instance.GetPhysicalDevice(call.physicalDevice);
  device->api_version = std::min(instance.api_version, device->physical_device->properties.apiVersion);
  FillNextTable(device->next, get_proc_addr, device->handle, true, device->api_version);
  try {
    RegisterDevice(*device, call, *down.pCreateInfo);
  } catch (...) {
    const auto destroy = Next<vk::DestroyDevice>(device->next);
    UnregisterDevice(std::move(device), vk::CommandId::kCreateDevice);
    if (destroy != nullptr) destroy(*call.pDevice, call.pAllocator);
    *call.pDevice = VK_NULL_HANDLE;
    throw;
  }
  rewriter.Finish(result);
  RunPostCallRecord(hooks, call, slot, &result);
  std::ignore = device.release();
  return result;
}

void OverrideCall(const vk::DestroyDevice& call) {
  if (call.device == VK_NULL_HANDLE) return;
  Slot* const slot = DispatchableTable::Get().Find(call.device);
  if (slot == nullptr || slot->type != VK_OBJECT_TYPE_DEVICE) return ReportUnknownObject(call.kId, call.device);
  Device* const device = slot->device;
  const CommandHooks& hooks = device->hooks[vk::CommandId::kDestroyDevice];
  if (!RunPreCall(hooks, call, slot, device->reporter())) return;
  std::unique_ptr<Device> owned(device);
  RemoveDispatchableHandles(&device->instance, device);
  vk::CallDown(call, Next<vk::DestroyDevice>(device->next));
  RunPostCallRecord(hooks, call, slot, nullptr);
  UnregisterDevice(std::move(owned), vk::CommandId::kDestroyDevice);
}

}  // namespace assay::dispatch
