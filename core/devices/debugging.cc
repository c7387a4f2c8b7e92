// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/devices/device_rules.h"
#include "dispatch/translation/call_handles.h"
#include "state/state.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::Vuid;

// What an object that is named or tagged must be of.
struct OwnerIds {
  vk::VuidIndex instance;
  vk::VuidIndex physical_device;
  vk::VuidIndex device;
};

// The loader gives applications its own handles of instances and physical devices. They are not looked up.
void CheckOwner(const dispatch::Device& device, VkObjectType type, uint64_t handle, const OwnerIds& ids,
                const Location& where, Report& report) {
  if (type == VK_OBJECT_TYPE_INSTANCE || type == VK_OBJECT_TYPE_PHYSICAL_DEVICE) return;
  const dispatch::Slot* const slot = dispatch::FindSlot(type, handle);
  if (slot == nullptr) return;
  const auto error = [&](vk::VuidIndex id, const char* text) {
    report.Error(id, {messages::Object(device.handle), {type, handle}}, where.Dot("objectHandle"), text);
  };
  if (slot->device != nullptr) {
    if (slot->device != &device) error(ids.device, "is of another device.");
  } else if (slot->instance != &device.instance) {
    error(ids.instance, "is of another instance.");
  } else if (type == VK_OBJECT_TYPE_DISPLAY_KHR && !slot->has_several_physical_devices) {
    const auto* const own = dispatch::DispatchableTable::Get().Find(device.physical_device->handle);
    if (own != nullptr && slot->parent != dispatch::HandleTable::kNone && slot->parent != own->index)
      error(ids.physical_device, "is of another physical device.");
  }
}

// A secondary command buffer ends what it has begun.
void CheckLabelEnd(const dispatch::Slot& slot, vk::VuidIndex id, Report& report) {
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || buffer->recording_state != state::RecordingState::kRecording ||
      buffer->level != VK_COMMAND_BUFFER_LEVEL_SECONDARY || buffer->label_path() != 0)
    return;
  report.Error(id, {{VK_OBJECT_TYPE_COMMAND_BUFFER, slot.application_handle}}, report.location().Dot("commandBuffer"),
               "is a secondary command buffer without an open label.");
}

}  // namespace

void DeviceRules::PreCallValidate(const vk::SetDebugUtilsObjectNameEXT& call, Report& report) const {
  if (call.pNameInfo == nullptr) return;
  CheckOwner(device_, call.pNameInfo->objectType, call.pNameInfo->objectHandle,
             {Vuid("VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-07872"),
              Vuid("VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-07873"),
              Vuid("VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-07874")},
             report.location().Dot("pNameInfo"), report);
}
void DeviceRules::PreCallValidate(const vk::SetDebugUtilsObjectTagEXT& call, Report& report) const {
  if (call.pTagInfo == nullptr) return;
  CheckOwner(device_, call.pTagInfo->objectType, call.pTagInfo->objectHandle,
             {Vuid("VUID-vkSetDebugUtilsObjectTagEXT-pNameInfo-07875"),
              Vuid("VUID-vkSetDebugUtilsObjectTagEXT-pNameInfo-07876"),
              Vuid("VUID-vkSetDebugUtilsObjectTagEXT-pNameInfo-07877")},
             report.location().Dot("pTagInfo"), report);
}

void DeviceRules::PreCallValidate(const vk::QueueEndDebugUtilsLabelEXT& call, Report& report) const {
  if (!device_.reporter().labels().Get(messages::Object(call.queue)).empty()) return;
  report.Error(Vuid("VUID-vkQueueEndDebugUtilsLabelEXT-None-01911"), {messages::Object(call.queue)},
               report.location().Dot("queue"), "has no open label.");
}
void DeviceRules::PreCallValidate(const vk::CmdEndDebugUtilsLabelEXT&, dispatch::Slot& slot, Report& report) const {
  CheckLabelEnd(slot, Vuid("VUID-vkCmdEndDebugUtilsLabelEXT-commandBuffer-01913"), report);
}
void DeviceRules::PreCallValidate(const vk::CmdDebugMarkerEndEXT&, dispatch::Slot& slot, Report& report) const {
  CheckLabelEnd(slot, Vuid("VUID-vkCmdDebugMarkerEndEXT-commandBuffer-01240"), report);
}

}  // namespace assay::core
