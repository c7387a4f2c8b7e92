// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/references.h"

#include <algorithm>

namespace assay::object_lifetimes {

using messages::Object;
using messages::ObjectRef;

void References::Add(ObjectRef user, ObjectRef used) {
  const dispatch::Slot* slot = dispatch::HandleTable::Get().Find(user.type, user.handle);
  if (slot == nullptr || used.handle == 0) return;
  absl::MutexLock lock(&mutex_);
  std::vector<ObjectId>& users = users_[used];
  // Users that were destroyed are left out only when there is no room, so that this costs little on the average.
  if (users.size() == users.capacity()) std::erase_if(users, [](const ObjectId& old) { return !IsAlive(old); });
  users.push_back(IdOf(*slot));
}

void References::Note(const vk::CreateBufferView& call) { Add(Object(*call.pView), Object(call.pCreateInfo->buffer)); }
void References::Note(const vk::CreateImageView& call) { Add(Object(*call.pView), Object(call.pCreateInfo->image)); }

void References::Note(const vk::CreateFramebuffer& call) {
  const VkFramebufferCreateInfo& info = *call.pCreateInfo;
  if ((info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0 || info.pAttachments == nullptr) return;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) Add(Object(*call.pFramebuffer), Object(info.pAttachments[i]));
}

void References::Note(const vk::CreateAccelerationStructureKHR& call) {
  Add(Object(*call.pAccelerationStructure), Object(call.pCreateInfo->buffer));
}
void References::Note(const vk::CreateMicromapEXT& call) {
  Add(Object(*call.pMicromap), Object(call.pCreateInfo->buffer));
}

void References::Note(const vk::BindBufferMemory& call) { Add(Object(call.buffer), Object(call.memory)); }
void References::Note(const vk::BindImageMemory& call) { Add(Object(call.image), Object(call.memory)); }

void References::Note(const vk::BindBufferMemory2& call) {
  for (uint32_t i = 0; i < call.bindInfoCount; ++i) {
    Add(Object(call.pBindInfos[i].buffer), Object(call.pBindInfos[i].memory));
  }
}
void References::Note(const vk::BindImageMemory2& call) {
  for (uint32_t i = 0; i < call.bindInfoCount; ++i) {
    Add(Object(call.pBindInfos[i].image), Object(call.pBindInfos[i].memory));
  }
}

void References::Forget(ObjectRef object) {
  absl::MutexLock lock(&mutex_);
  users_.erase(object);
}

void References::AddUsers(std::vector<ObjectId>* objects) const {
  absl::ReaderMutexLock lock(&mutex_);
  for (size_t i = 0; i < objects->size(); ++i) {
    const auto found = users_.find(ObjectRef{(*objects)[i].type, (*objects)[i].handle});
    if (found == users_.end()) continue;
    std::ranges::copy_if(found->second, std::back_inserter(*objects), IsAlive);
  }
}

}  // namespace assay::object_lifetimes
