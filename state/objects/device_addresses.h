// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_DEVICE_ADDRESSES_H_
#define ASSAY_STATE_OBJECTS_DEVICE_ADDRESSES_H_

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "state/objects/object.h"
#include "state/objects/overlap_map.h"
#include "vk/vulkan.h"

namespace assay::state {

// Finds buffers or acceleration structures by device address. It has the objects whose address the application got.
// Objects in the same memory share addresses. Thread safe.
template <class T>
class DeviceAddresses {
 public:
  // Adds an object, or nothing if it has this address already.
  void Add(T& object, VkDeviceAddress address) {
    absl::MutexLock lock(&mutex_);
    if (address == 0 || object.device_address == address) return;
    if (object.device_address != 0) map_.Remove(object.device_address, &object);
    object.device_address = address;
    map_.Add(address, object.size, &object);
  }
  // Removes an object; call this before its handle is destroyed.
  void Remove(T& object) {
    absl::MutexLock lock(&mutex_);
    if (object.device_address != 0) map_.Remove(object.device_address, &object);
  }
  // The objects that have some of `bytes` bytes from `address` on.
  absl::InlinedVector<Ref<T>, 1> Find(VkDeviceAddress address, VkDeviceSize bytes = 1) const {
    absl::InlinedVector<Ref<T>, 1> found;
    const VkDeviceAddress end = address + bytes < address ? ~VkDeviceAddress{0} : address + bytes;
    absl::MutexLock lock(&mutex_);
    map_.ForEachOverlap(address, end, [&](T& object) { found.push_back(Ref<T>(&object)); });
    return found;
  }

 private:
  mutable absl::Mutex mutex_;
  OverlapMap<T> map_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_DEVICE_ADDRESSES_H_
