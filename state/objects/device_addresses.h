// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_DEVICE_ADDRESSES_H_
#define ASSAY_STATE_OBJECTS_DEVICE_ADDRESSES_H_

#include <cstdint>

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
  // Counts a new object, if it has an address that the application may get. Every object that is added was expected.
  void Expect(const T& object) {
    if (!IsExpected(object)) return;
    absl::MutexLock lock(&mutex_);
    ++unknown_;
  }
  // Whether the application got the address of each object that has one: an address in none of them is in no object.
  // For buffers.
  bool KnowsAll() const {
    absl::MutexLock lock(&mutex_);
    return unknown_ == 0;
  }
  // Adds an object, or nothing if it has this address already.
  void Add(T& object, VkDeviceAddress address) {
    absl::MutexLock lock(&mutex_);
    if (address == 0 || object.device_address == address) return;
    if (object.device_address != 0) {
      map_.Remove(object.device_address, &object);
    } else if (IsExpected(object)) {
      --unknown_;
    }
    object.device_address = address;
    map_.Add(address, object.size, &object);
  }
  // Removes an object; call this before its handle is destroyed.
  void Remove(T& object) {
    absl::MutexLock lock(&mutex_);
    if (object.device_address != 0) {
      map_.Remove(object.device_address, &object);
    } else if (IsExpected(object)) {
      --unknown_;
    }
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
  static bool IsExpected(const T& object) {
    if constexpr (requires { object.has_device_address(); }) return object.has_device_address();
    return false;
  }

  mutable absl::Mutex mutex_;
  OverlapMap<T> map_ ABSL_GUARDED_BY(mutex_);
  // The number of expected objects whose address the application did not get.
  uint32_t unknown_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_DEVICE_ADDRESSES_H_
