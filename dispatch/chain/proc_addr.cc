// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/chain/proc_addr.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "dispatch/chain/intercept_table.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/extensions/layer_extensions.h"
#include "dispatch/handles/dispatchable_table.h"
#include "vk/command_enums.h"
#include "vk/command_info.h"
#include "vk/extension_info.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;
using vk::DispatchLevel;

enum class Availability : uint8_t { kYes, kNo, kUnknown };

// Whether the instance has the device-level command under this name, as far as the instance decides that: by its
// version or, for commands that instance extensions alone provide, by its enabled extensions. The next layer need not
// be asked then: the loader has few trampolines, and makes one for each such name that it is asked for. Of device
// extensions the next layer knows more: which ones it implements, and whether what a command depends on besides is
// there.
Availability AvailabilityOf(const Instance& instance, CommandId id, std::string_view name) {
  const vk::CommandInfo& info = vk::GetCommandInfo(id);
  if (!vk::IsDeviceLevel(info.dispatch) || info.name != name) return Availability::kUnknown;
  if (info.core_version != 0)
    return info.core_version <= instance.api_version ? Availability::kYes : Availability::kUnknown;
  const auto is_of_instance = [](uint16_t extension) {
    return vk::GetExtensionInfo(vk::ExtensionId{extension}).instance;
  };
  if (info.extensions.empty() || !std::ranges::all_of(info.extensions, is_of_instance)) return Availability::kUnknown;
  const auto is_enabled = [&](uint16_t extension) { return instance.enabled_extensions[extension]; };
  return std::ranges::any_of(info.extensions, is_enabled) ? Availability::kYes : Availability::kNo;
}

// Whether the layer has work to do around the command on this device. Only the layer's function finds that a handle is
// no device. Commands of a device are not frequent, so this costs nothing that shows.
bool IsIntercepted(const Device& device, CommandId id) {
  const bool checks_device =
      device.instance.settings.object_lifetime && vk::GetCommandInfo(id).dispatch == DispatchLevel::kDevice;
  return checks_device || MustIntercept(id, device.wraps_handles()) || !device.hooks[id].empty();
}

}  // namespace

PFN_vkVoidFunction OverrideCall(const vk::GetInstanceProcAddr& call) {
  if (call.pName == nullptr) return nullptr;
  const auto id = vk::FindCommand(call.pName);
  if (id.has_value() && vk::GetCommandInfo(*id).dispatch == DispatchLevel::kGlobal) return EntryPointOf(*id);
  if (call.instance == VK_NULL_HANDLE) return nullptr;
  const Slot* slot = DispatchableTable::Get().Find(call.instance);
  if (slot == nullptr) return nullptr;
  const Availability availability =
      id.has_value() ? AvailabilityOf(*slot->instance, *id, call.pName) : Availability::kUnknown;
  if (availability != Availability::kUnknown) return availability == Availability::kYes ? EntryPointOf(*id) : nullptr;
  const PFN_vkVoidFunction next = slot->instance->next_get_proc_addr(call.instance, call.pName);
  // The next layer or driver may know a name that is not in the registry. It also refuses the names that are not
  // available on this instance.
  if (!id.has_value()) return next;
  if (next == nullptr && !IsProvidedByLayer(*id)) return nullptr;
  // A device-level function that an instance returns serves every device. So it cannot depend on the hooks of one.
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
  if (next == nullptr || !id.has_value() || !vk::IsDeviceLevel(vk::GetCommandInfo(*id).dispatch)) return next;
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
