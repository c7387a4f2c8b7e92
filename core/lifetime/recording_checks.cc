// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Command buffers that became invalid since recorded objects were destroyed, and commands that destroy or reset these.

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/lifetime/idle_objects.h"
#include "core/lifetime/lifetime_rules.h"
#include "dispatch/translation/call_handles.h"

namespace assay::core {
namespace {

using dispatch::CommandBufferData;
using dispatch::DispatchableTable;
using dispatch::HandleTable;
using dispatch::ObjectId;
using dispatch::Slot;
using messages::ObjectRef;
using state::Items;

ObjectRef RefOf(const ObjectId& object) { return {object.type, object.handle}; }

// The effect of an object's destruction on the recordings that have it.
bool AffectsRecordings(vk::CommandId command, const Slot& slot) {
  switch (command) {
    case vk::CommandId::kResetFences:
      return false;
    // The objects of a pool are destroyed with it.
    case vk::CommandId::kDestroyCommandPool:
    case vk::CommandId::kResetCommandPool:
    case vk::CommandId::kDestroyDescriptorPool:
    case vk::CommandId::kResetDescriptorPool:
    case vk::CommandId::kDestroySwapchainKHR:
      return slot.first_child != HandleTable::kNone;
    default:
      return slot.is_recorded.load(std::memory_order_relaxed);
  }
}

// Whether destroying or resetting the one object of a parameter certainly affects no recording.
bool AffectsNothing(vk::CommandId command, const vk::MemberInfo& object, const void* call) {
  uint64_t handle;
  std::memcpy(&handle, static_cast<const char*>(call) + object.offset, sizeof(handle));
  const Slot* slot = vk::Handles()[object.type].dispatchable
                         ? DispatchableTable::Get().Find(reinterpret_cast<const void*>(handle))
                         : HandleTable::Get().FindWrapped(handle);
  if (slot == nullptr) return false;
  if (vk::GetCommandInfo(command).lifetime == vk::LifetimeEffect::kDestroy) return IsSurelyIdle(*slot);
  return !AffectsRecordings(command, *slot);
}

// Also for an object that was destroyed.
std::string Describe(const messages::Reporter& reporter, const ObjectId& object) {
  dispatch::DestroyedObject destroyed;
  if (dispatch::IsAlive(object) || !HandleTable::Get().FindDestroyed(object.handle, &destroyed)) {
    return reporter.Describe(RefOf(object));
  }
  return messages::DescribeObject(RefOf(object), destroyed.name);
}

// "has been destroyed by vkDestroyBuffer".
std::string DescribeEnd(const ObjectId& object) {
  dispatch::DestroyedObject destroyed;
  if (!HandleTable::Get().FindDestroyed(object.handle, &destroyed)) return "has been destroyed";
  return absl::StrCat("has been destroyed by ", vk::GetCommandInfo(destroyed.destroyed_by).name);
}

}  // namespace

void LifetimeRules::BeforeEnd(vk::CommandId command, const void* call) {
  const vk::MemberInfo* object = InUseRules::All().Of(command).object;
  if (object == nullptr) return;
  if (object->indirection == vk::Indirection::kInline && AffectsNothing(command, *object, call)) return;
  dispatch::ForEachHandle(command, *object, call, [&](messages::ObjectRef handle, uint32_t) {
    const Slot* slot = dispatch::FindSlot(handle.type, handle.handle);
    if (slot == nullptr) return;
    if (AffectsRecordings(command, *slot)) changes_.fetch_add(1, std::memory_order_relaxed);
    if (vk::GetCommandInfo(command).lifetime == vk::LifetimeEffect::kDestroy) users_.RemoveUsersOf(*slot);
  });
}

void LifetimeRules::PostCallRecord(const vk::BeginCommandBuffer& call, VkResult result) {
  if (result < 0) return;
  if (const auto* data = CommandBufferData::Of(call.commandBuffer)) {
    data->recording()->SetValid(changes_.load(std::memory_order_relaxed));
  }
}

void LifetimeRules::CheckValid(VkCommandBuffer command_buffer, vk::VuidIndex rule, vk::VuidIndex secondary_rule,
                               const messages::Location& where, messages::Report& report) const {
  if (!checks_.command_buffer) return;
  const auto* data = CommandBufferData::Of(command_buffer);
  const uint64_t changes = changes_.load(std::memory_order_relaxed);
  dispatch::Recording::InvalidObject invalid;
  if (data == nullptr || !data->recording()->FindInvalidObject(changes, MustOutliveUse, &invalid)) return;
  const messages::Reporter& reporter = report.reporter();
  const ObjectId& object = invalid.object.id;
  const bool in_secondary = invalid.secondary.handle != 0;
  report.Error(
      in_secondary ? secondary_rule : rule, {messages::Object(command_buffer), RefOf(object)}, where,
      absl::StrCat("(", reporter.Describe(messages::Object(command_buffer)), ") is invalid: ",
                   Describe(reporter, object), ", which ", vk::GetCommandInfo(invalid.object.command).name,
                   in_secondary ? absl::StrCat(" in ", Describe(reporter, invalid.secondary)) : "", " was given, ",
                   invalid.is_rerecorded ? "has been reset or recorded anew since" : DescribeEnd(object), "."),
      "Record the command buffer again without it, or keep it for as long as the command buffer is needed.");
}

void LifetimeRules::PreCallValidate(const vk::EndCommandBuffer& call, messages::Report& report) {
  constexpr vk::VuidIndex kRule = vk::Vuid("VUID-vkEndCommandBuffer-commandBuffer-00059");
  CheckValid(call.commandBuffer, kRule, kRule, report.location().Dot("commandBuffer"), report);
}

void LifetimeRules::PreCallValidate(const vk::CmdExecuteCommands& call, messages::Report& report) {
  constexpr vk::VuidIndex kRule = vk::Vuid("VUID-vkCmdExecuteCommands-pCommandBuffers-00089");
  for (uint32_t i = 0; i < Items(call.pCommandBuffers, call.commandBufferCount).size(); ++i) {
    CheckValid(call.pCommandBuffers[i], kRule, kRule, report.location().Dot("pCommandBuffers", i), report);
  }
}

void LifetimeRules::PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) {
  const messages::Location location = report.location();
  uint32_t i = 0;
  for (const VkSubmitInfo& info : Items(call.pSubmits, call.submitCount)) {
    const messages::Location submit = location.Dot("pSubmits", i++);
    uint32_t j = 0;
    for (VkCommandBuffer command_buffer : Items(info.pCommandBuffers, info.commandBufferCount)) {
      CheckValid(command_buffer, vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00070"),
                 vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00072"), submit.Dot("pCommandBuffers", j++), report);
    }
  }
}

void LifetimeRules::PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) {
  const messages::Location location = report.location();
  uint32_t i = 0;
  for (const VkSubmitInfo2& info : Items(call.pSubmits, call.submitCount)) {
    const messages::Location submit = location.Dot("pSubmits", i++);
    uint32_t j = 0;
    for (const auto& executed : Items(info.pCommandBufferInfos, info.commandBufferInfoCount)) {
      const messages::Location at = submit.Dot("pCommandBufferInfos", j++);
      CheckValid(executed.commandBuffer, vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03874"),
                 vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03876"), at.Dot("commandBuffer"), report);
    }
  }
}

}  // namespace assay::core
