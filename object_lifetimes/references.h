// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_REFERENCES_H_
#define ASSAY_OBJECT_LIFETIMES_REFERENCES_H_

#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "messages/messages.h"
#include "object_lifetimes/recording.h"
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
  void Forget(messages::ObjectRef object);

  // Adds what uses an object of the list and has not been destroyed, directly or through others.
  void AddUsers(std::vector<ObjectId>* objects) const;

 private:
  void Add(messages::ObjectRef user, messages::ObjectRef used);

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<messages::ObjectRef, std::vector<ObjectId>> users_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_REFERENCES_H_
