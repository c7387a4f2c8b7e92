// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_RECORDING_REFERENCES_H_
#define ASSAY_OBJECT_LIFETIMES_RECORDING_REFERENCES_H_

#include <vector>

#include "absl/base/thread_annotations.h"
#include "dispatch/handles/spin_lock.h"
#include "messages/messages.h"
#include "object_lifetimes/recording/recording.h"
#include "vk/commands.h"

namespace assay::object_lifetimes {

// Which objects use others for as long as they are used themselves: a view its image, a framebuffer its views, an image
// its memory. Thread safe.
class References {
 public:
  // After the command has succeeded.
  void Note(const vk::CreateBufferView& call);
  void Note(const vk::CreateImageView& call);
  void Note(const vk::CreateFramebuffer& call);
  void Note(const vk::CreateAccelerationStructureKHR& call);
  void Note(const vk::CreateMicromapEXT& call);
  void Note(const vk::BindBufferMemory& call);
  void Note(const vk::BindBufferMemory2& call);
  void Note(const vk::BindImageMemory& call);
  void Note(const vk::BindImageMemory2& call);

  // Before the object is destroyed.
  void RemoveUsersOf(const dispatch::Slot& slot);

  // Adds what uses an object of the list and has not been destroyed, directly or through others.
  void AddUsers(std::vector<ObjectId>* objects) const;

 private:
  struct Users {
    // Of the object that they use: slots are used again.
    uint64_t handle = 0;
    std::vector<ObjectId> users;
  };

  void Add(messages::ObjectRef user, messages::ObjectRef used);

  mutable dispatch::SpinLock lock_;
  // By the slot of what is used.
  std::vector<Users> users_ ABSL_GUARDED_BY(lock_);
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_RECORDING_REFERENCES_H_
