// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The lifetimes of command buffers' recordings, and commands that destroy or reset recorded objects.

#include <cstring>

#include "object_lifetimes/handles/handle_check.h"
#include "object_lifetimes/in_use/submissions.h"
#include "object_lifetimes/rules/in_use_rules.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::DispatchableTable;
using dispatch::HandleTable;
using dispatch::Slot;

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

}  // namespace

void Submissions::BeforeEnd(vk::CommandId command, const void* call) {
  const vk::MemberInfo* object = InUseRules::All().Of(command).object;
  if (object == nullptr) return;
  if (object->indirection == vk::Indirection::kInline && AffectsNothing(command, *object, call)) return;
  ForEachHandle(command, *object, call, [&](messages::ObjectRef handle, uint32_t) {
    const Slot* slot = FindSlot(handle.type, handle.handle);
    if (slot == nullptr) return;
    if (AffectsRecordings(command, *slot)) changes_.fetch_add(1, std::memory_order_relaxed);
    if (vk::GetCommandInfo(command).lifetime != vk::LifetimeEffect::kDestroy) return;
    references_.RemoveUsersOf(*slot);
    if (IsOfBatches(handle.type)) Remove(handle);
    if (command != vk::CommandId::kDestroyCommandPool) return;
    for (uint32_t i = slot->first_child; i != HandleTable::kNone; i = HandleTable::Get().AtIndex(i)->next_sibling) {
      Remove({VK_OBJECT_TYPE_COMMAND_BUFFER, HandleTable::Get().AtIndex(i)->application_handle});
    }
  });
}

void Submissions::BeforeCall(const vk::CmdExecuteCommands& call) {
  auto* const data = CommandBufferData::Of(call.commandBuffer);
  if (data == nullptr || data->open() == nullptr) return;
  for (VkCommandBuffer secondary : Elements(call.pCommandBuffers, call.commandBufferCount)) {
    const Slot* slot = DispatchableTable::Get().Find(secondary);
    const auto* its_data = CommandBufferData::Of(secondary);
    if (its_data != nullptr) data->open()->AddSecondary(*slot, its_data->recording());
  }
}

void Submissions::AfterCall(const vk::AllocateCommandBuffers& call, VkResult result) {
  if (result < 0) return;
  for (uint32_t i = 0; i < call.pAllocateInfo->commandBufferCount; ++i) {
    if (Slot* slot = DispatchableTable::Get().Find(call.pCommandBuffers[i])) {
      slot->recording = std::make_unique<CommandBufferData>();
    }
  }
}

void Submissions::AfterCall(const vk::BeginCommandBuffer& call, VkResult result) {
  if (result < 0) return;
  if (auto* data = CommandBufferData::Of(call.commandBuffer)) data->Begin(changes_.load(std::memory_order_relaxed));
}

void Submissions::AfterCall(const vk::EndCommandBuffer& call, VkResult) {
  if (auto* data = CommandBufferData::Of(call.commandBuffer)) data->End();
}

void Submissions::AfterCall(const vk::ResetCommandBuffer& call, VkResult result) {
  if (result < 0) return;
  if (auto* data = CommandBufferData::Of(call.commandBuffer)) data->Reset();
}

void Submissions::AfterCall(const vk::ResetCommandPool& call, VkResult result) {
  const Slot* pool = FindSlot(VK_OBJECT_TYPE_COMMAND_POOL, reinterpret_cast<uint64_t>(call.commandPool));
  if (result < 0 || pool == nullptr) return;
  for (uint32_t i = pool->first_child; i != HandleTable::kNone; i = HandleTable::Get().AtIndex(i)->next_sibling) {
    if (auto* data = HandleTable::Get().AtIndex(i)->recording.get()) static_cast<CommandBufferData*>(data)->Reset();
  }
}

}  // namespace assay::object_lifetimes
