// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/extensions/layer_extensions.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dispatch/chain/intercept.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/extensions/layer_identity.h"
#include "dispatch/extensions/validation_cache.h"
#include "vk/command_id.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;

std::vector<VkExtensionProperties> ExtensionsOfNext(Instance& instance, VkPhysicalDevice physical_device) {
  const auto enumerate = Next<vk::EnumerateDeviceExtensionProperties>(instance.next);
  std::vector<VkExtensionProperties> result;
  uint32_t count = 0;
  if (enumerate == nullptr || enumerate(physical_device, nullptr, &count, nullptr) != VK_SUCCESS) return result;
  result.resize(count);
  if (enumerate(physical_device, nullptr, &count, result.data()) < 0) count = 0;
  result.resize(count);
  return result;
}

// Forwards the call when the next layer or driver has the command. Otherwise runs the hooks around implementation().
template <class C, class F>
typename C::Result RunOrImplement(const C& call, F implementation) {
  Slot* const slot = FindDispatchedOn(call);
  if (slot == nullptr || Next<C>(slot->device->next) != nullptr) return Run(call);
  Device& device = *slot->device;
  const CommandHooks& hooks = device.hooks[C::kId];
  if (!RunPreCall(hooks, call, slot, device.reporter())) return ResultWhenSkipped<C>();
  if constexpr (std::is_void_v<typename C::Result>) {
    implementation(device);
    RunPostCallRecord(hooks, call, slot, nullptr);
  } else {
    const typename C::Result result = implementation(device);
    RunPostCallRecord(hooks, call, slot, &result);
    return result;
  }
}

constexpr auto kDoNothing = [](Device&) {};
constexpr auto kReturnSuccess = [](Device&) { return VK_SUCCESS; };

VkPhysicalDeviceToolProperties OwnToolProperties() {
  VkPhysicalDeviceToolProperties tool = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES};
  const VkLayerProperties& layer = GetLayerIdentity().properties;
  const auto copy = [](auto& to, std::string_view text) { text.copy(to, sizeof(to) - 1); };
  copy(tool.name, "Assay");
  copy(tool.version, std::to_string(layer.implementationVersion));
  copy(tool.description, layer.description);
  copy(tool.layer, layer.layerName);
  tool.purposes =
      VK_TOOL_PURPOSE_VALIDATION_BIT | VK_TOOL_PURPOSE_DEBUG_REPORTING_BIT_EXT | VK_TOOL_PURPOSE_DEBUG_MARKERS_BIT_EXT;
  return tool;
}

// Copies all but pNext, so that the application's pNext chain stays as it is.
void CopyTool(const VkPhysicalDeviceToolProperties& from, VkPhysicalDeviceToolProperties& to) {
  void* const chain = to.pNext;
  to = from;
  to.pNext = chain;
}

// The tools of the next layer or driver, then this layer.
VkResult EnumerateTools(const vk::GetPhysicalDeviceToolProperties& call, const Instance& instance) {
  if (call.pToolCount == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const auto next = Next<vk::GetPhysicalDeviceToolProperties>(instance.next);
  uint32_t below = 0;
  std::vector<VkPhysicalDeviceToolProperties> tools;
  if (next != nullptr) {
    if (const VkResult result = next(call.physicalDevice, &below, nullptr); result < 0) return result;
    tools.resize(below, {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES});
    if (const VkResult result = next(call.physicalDevice, &below, tools.data()); result < 0) return result;
    tools.resize(below);
  }
  tools.push_back(OwnToolProperties());
  if (call.pToolProperties == nullptr) {
    *call.pToolCount = static_cast<uint32_t>(tools.size());
    return VK_SUCCESS;
  }
  const uint32_t written = std::min(*call.pToolCount, static_cast<uint32_t>(tools.size()));
  for (uint32_t i = 0; i < written; ++i) CopyTool(tools[i], call.pToolProperties[i]);
  *call.pToolCount = written;
  return written < tools.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace

bool IsProvidedByLayer(CommandId id, const Device& device) {
  switch (id) {
    case CommandId::kDebugMarkerSetObjectNameEXT:
    case CommandId::kDebugMarkerSetObjectTagEXT:
    case CommandId::kCmdDebugMarkerBeginEXT:
    case CommandId::kCmdDebugMarkerEndEXT:
    case CommandId::kCmdDebugMarkerInsertEXT:
      return device.IsEnabled(*vk::FindExtension(VK_EXT_DEBUG_MARKER_EXTENSION_NAME));
    case CommandId::kCreateValidationCacheEXT:
    case CommandId::kDestroyValidationCacheEXT:
    case CommandId::kMergeValidationCachesEXT:
    case CommandId::kGetValidationCacheDataEXT:
      return device.IsEnabled(*vk::FindExtension(VK_EXT_VALIDATION_CACHE_EXTENSION_NAME));
    default:
      return false;
  }
}

bool IsProvidedByLayer(CommandId id) { return id == CommandId::kGetPhysicalDeviceToolProperties; }

std::vector<const char*> ExtensionsForNext(Instance& instance, VkPhysicalDevice physical_device,
                                           const VkDeviceCreateInfo& create_info) {
  std::vector<const char*> result(create_info.ppEnabledExtensionNames,
                                  create_info.ppEnabledExtensionNames + create_info.enabledExtensionCount);
  if (std::ranges::none_of(result, IsLayerDeviceExtension)) return result;
  const std::vector<VkExtensionProperties> below = ExtensionsOfNext(instance, physical_device);
  std::erase_if(result, [&below](std::string_view name) {
    return IsLayerDeviceExtension(name) && std::ranges::none_of(below, [name](const VkExtensionProperties& extension) {
             return extension.extensionName == name;
           });
  });
  return result;
}

VkResult OverrideCall(const vk::GetPhysicalDeviceToolProperties& call) {
  Slot* const slot = FindDispatchedOn(call);
  if (slot == nullptr) {
    ReportUnknownObject(call.kId, call.physicalDevice);
    return VK_ERROR_VALIDATION_FAILED_EXT;
  }
  Instance& instance = *slot->instance;
  const CommandHooks& hooks = instance.hooks[call.kId];
  if (!RunPreCall(hooks, call, slot, instance.reporter)) return VK_ERROR_VALIDATION_FAILED_EXT;
  const VkResult result = EnumerateTools(call, instance);
  RunPostCallRecord(hooks, call, slot, &result);
  return result;
}

// DeviceMessageHooks keeps the names and labels, so the implementations do nothing.
VkResult OverrideCall(const vk::DebugMarkerSetObjectNameEXT& call) { return RunOrImplement(call, kReturnSuccess); }
VkResult OverrideCall(const vk::DebugMarkerSetObjectTagEXT& call) { return RunOrImplement(call, kReturnSuccess); }
void OverrideCall(const vk::CmdDebugMarkerBeginEXT& call) { RunOrImplement(call, kDoNothing); }
void OverrideCall(const vk::CmdDebugMarkerEndEXT& call) { RunOrImplement(call, kDoNothing); }
void OverrideCall(const vk::CmdDebugMarkerInsertEXT& call) { RunOrImplement(call, kDoNothing); }

VkResult OverrideCall(const vk::CreateValidationCacheEXT& call) {
  return RunOrImplement(call, [&call](Device& device) { return CreateValidationCache(call, device); });
}
void OverrideCall(const vk::DestroyValidationCacheEXT& call) {
  RunOrImplement(call, [&call](Device& device) { DestroyValidationCache(call, device); });
}
VkResult OverrideCall(const vk::MergeValidationCachesEXT& call) {
  return RunOrImplement(call, [&call](Device&) { return MergeValidationCaches(call); });
}
VkResult OverrideCall(const vk::GetValidationCacheDataEXT& call) {
  return RunOrImplement(call, [&call](Device&) { return GetValidationCacheData(call); });
}

}  // namespace assay::dispatch
