// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LIFETIME_OBJECT_USERS_H_
#define ASSAY_CORE_LIFETIME_OBJECT_USERS_H_

#include <vector>

#include "absl/base/thread_annotations.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// Objects that use other objects whenever they are in use: a view uses its image, a framebuffer its views, an image its
// memory. Thread safe.
class ObjectUsers {
 public:
  // Call after the command has succeeded.
  void Note(const vk::CreateBufferView& call);
  void Note(const vk::CreateImageView& call);
  void Note(const vk::CreateFramebuffer& call);
  void Note(const vk::CreateAccelerationStructureKHR& call);
  void Note(const vk::CreateMicromapEXT& call);
  void Note(const vk::BindBufferMemory& call);
  void Note(const vk::BindBufferMemory2& call);
  void Note(const vk::BindImageMemory& call);
  void Note(const vk::BindImageMemory2& call);

  // Call before the object is destroyed.
  void RemoveUsersOf(const dispatch::Slot& slot);

  // Adds all live objects that use an object of the list, directly or through others.
  void AddUsers(std::vector<dispatch::ObjectId>* objects) const;

  // For tests: all that it knows, as text (core_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  struct Users {
    // The handle of the object that they use, since slots are recycled.
    uint64_t handle = 0;
    std::vector<dispatch::ObjectId> users;
  };

  void Add(messages::ObjectRef user, messages::ObjectRef used);

  mutable dispatch::SpinLock lock_;
  // By the slot of the object that others use.
  std::vector<Users> users_ ABSL_GUARDED_BY(lock_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_OBJECT_USERS_H_
