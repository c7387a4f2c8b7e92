// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/lifetime/object_users.h"

#include <algorithm>
#include <iterator>

namespace assay::core {

using dispatch::IdOf;
using dispatch::IsAlive;
using dispatch::ObjectId;
using messages::Object;
using messages::ObjectRef;

void ObjectUsers::Add(ObjectRef user, ObjectRef used) {
  const dispatch::HandleTable& handles = dispatch::HandleTable::Get();
  const dispatch::Slot* const user_slot = handles.Find(user.type, user.handle);
  dispatch::Slot* const used_slot = handles.Find(used.type, used.handle);
  if (user_slot == nullptr || used_slot == nullptr) return;
  if (!used_slot->is_referenced.load(std::memory_order_relaxed))
    used_slot->is_referenced.store(true, std::memory_order_relaxed);
  dispatch::SpinLockHolder hold(lock_);
  if (used_slot->index >= users_.size()) users_.resize(2 * used_slot->index + 1);
  Users& entry = users_[used_slot->index];
  if (entry.handle != used.handle) entry.users.clear();
  entry.handle = used.handle;
  // Destroyed users are removed only when the list is full, so the average cost is small.
  if (entry.users.size() == entry.users.capacity()) {
    std::erase_if(entry.users, [](const ObjectId& old) { return !IsAlive(old); });
  }
  entry.users.push_back(IdOf(*user_slot));
}

void ObjectUsers::Note(const vk::CreateBufferView& call) { Add(Object(*call.pView), Object(call.pCreateInfo->buffer)); }
void ObjectUsers::Note(const vk::CreateImageView& call) { Add(Object(*call.pView), Object(call.pCreateInfo->image)); }

void ObjectUsers::Note(const vk::CreateFramebuffer& call) {
  const VkFramebufferCreateInfo& info = *call.pCreateInfo;
  if ((info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0 || info.pAttachments == nullptr) return;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) Add(Object(*call.pFramebuffer), Object(info.pAttachments[i]));
}

void ObjectUsers::Note(const vk::CreateAccelerationStructureKHR& call) {
  Add(Object(*call.pAccelerationStructure), Object(call.pCreateInfo->buffer));
}
void ObjectUsers::Note(const vk::CreateMicromapEXT& call) {
  Add(Object(*call.pMicromap), Object(call.pCreateInfo->buffer));
}

void ObjectUsers::Note(const vk::BindBufferMemory& call) { Add(Object(call.buffer), Object(call.memory)); }
void ObjectUsers::Note(const vk::BindImageMemory& call) { Add(Object(call.image), Object(call.memory)); }

void ObjectUsers::Note(const vk::BindBufferMemory2& call) {
  for (uint32_t i = 0; i < call.bindInfoCount; ++i) {
    Add(Object(call.pBindInfos[i].buffer), Object(call.pBindInfos[i].memory));
  }
}
void ObjectUsers::Note(const vk::BindImageMemory2& call) {
  for (uint32_t i = 0; i < call.bindInfoCount; ++i) {
    Add(Object(call.pBindInfos[i].image), Object(call.pBindInfos[i].memory));
  }
}

void ObjectUsers::RemoveUsersOf(const dispatch::Slot& slot) {
  if (!slot.is_referenced.load(std::memory_order_relaxed)) return;
  dispatch::SpinLockHolder hold(lock_);
  if (slot.index < users_.size()) users_[slot.index] = {};
}

void ObjectUsers::AddUsers(std::vector<ObjectId>* objects) const {
  dispatch::SpinLockHolder hold(lock_);
  for (size_t i = 0; i < objects->size(); ++i) {
    const ObjectId object = (*objects)[i];
    if (object.slot >= users_.size() || users_[object.slot].handle != object.handle) continue;
    std::ranges::copy_if(users_[object.slot].users, std::back_inserter(*objects), IsAlive);
  }
}

}  // namespace assay::core
