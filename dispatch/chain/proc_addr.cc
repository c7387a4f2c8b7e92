// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/chain/proc_addr.h"

#include <string_view>

#include "dispatch/chain/intercept_table.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/extensions/layer_extensions.h"
#include "dispatch/handles/dispatchable_table.h"
#include "vk/command_info.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;
using vk::DispatchLevel;

bool IsDeviceLevel(DispatchLevel level) {
  return level == DispatchLevel::kDevice || level == DispatchLevel::kQueue || level == DispatchLevel::kCommandBuffer;
}

// Whether anything is to be done around the command on this device.
bool IsIntercepted(const Device& device, CommandId id) {
  return MustIntercept(id, device.wraps_handles()) || !device.hooks[id].empty();
}

}  // namespace

PFN_vkVoidFunction OverrideCall(const vk::GetInstanceProcAddr& call) {
  if (call.pName == nullptr) return nullptr;
  const auto id = vk::FindCommand(call.pName);
  if (id.has_value() && vk::GetCommandInfo(*id).dispatch == DispatchLevel::kGlobal) return EntryPointOf(*id);
  if (call.instance == VK_NULL_HANDLE) return nullptr;
  const Slot* slot = DispatchableTable::Get().Find(call.instance);
  if (slot == nullptr) return nullptr;
  const PFN_vkVoidFunction next = slot->instance->next_get_proc_addr(call.instance, call.pName);
  // A name that is not in the registry may be known further down; so may one that is not available on this instance be
  // refused there.
  if (!id.has_value()) return next;
  if (next == nullptr && !IsProvidedByLayer(*id)) return nullptr;
  // A device-level function from here serves every device, so it cannot depend on what is attached to one.
  return EntryPointOf(*id);
}

PFN_vkVoidFunction OverrideCall(const vk::GetDeviceProcAddr& call) {
  if (call.pName == nullptr) return nullptr;
  const Slot* slot = DispatchableTable::Get().Find(call.device);
  if (slot == nullptr) return nullptr;
  const Device& device = *slot->device;
  const PFN_vkVoidFunction next = device.next_get_proc_addr(call.device, call.pName);
  const auto id = vk::FindCommand(call.pName);
  if (next == nullptr && id.has_value() && IsProvidedByLayer(*id, device)) return EntryPointOf(*id);
  if (next == nullptr || !id.has_value() || !IsDeviceLevel(vk::GetCommandInfo(*id).dispatch)) return next;
  return IsIntercepted(device, *id) ? EntryPointOf(*id) : next;
}

PFN_vkVoidFunction GetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  if (name == nullptr) return nullptr;
  const Slot* slot = DispatchableTable::Get().Find(instance);
  if (slot == nullptr) return nullptr;
  const auto id = vk::FindCommand(name);
  if (id.has_value()) {
    if (vk::GetCommandInfo(*id).dispatch != DispatchLevel::kPhysicalDevice) return nullptr;
    const bool is_there = IsProvidedByLayer(*id) || slot->instance->next_get_proc_addr(instance, name) != nullptr;
    return is_there ? EntryPointOf(*id) : nullptr;
  }
  const auto next = slot->instance->next_get_physical_device_proc_addr;
  return next != nullptr ? next(instance, name) : nullptr;
}

}  // namespace assay::dispatch
