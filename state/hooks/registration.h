// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_HOOKS_REGISTRATION_H_
#define ASSAY_STATE_HOOKS_REGISTRATION_H_

#include <atomic>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "state/hooks/device_state.h"

// How the hooks of DeviceState tie state objects to handles. Private to the package.
namespace assay::state {

inline dispatch::Slot* FindSlot(VkObjectType type, uint64_t handle) {
  if (type == VK_OBJECT_TYPE_COMMAND_BUFFER || type == VK_OBJECT_TYPE_QUEUE) {
    return dispatch::DispatchableTable::Get().Find(reinterpret_cast<const void*>(handle));
  }
  return dispatch::HandleTable::Get().Find(type, handle);
}

inline void RemoveState(dispatch::Slot* slot) {
  if (slot == nullptr || slot->state == nullptr) return;
  Object* removed = nullptr;
  {
    absl::MutexLock lock(&DeviceState::LockOf(*slot));
    removed = static_cast<Object*>(std::exchange(slot->state, nullptr));
  }
  // Drops the slot's reference.
  Ref<Object>::Adopt(removed);
}

template <class T, class H, class... A>
T* DeviceState::Add(H handle, A&&... arguments) {
  if (FindSlot(T::kType, reinterpret_cast<uint64_t>(handle)) == nullptr) return nullptr;
  return AddState<T>(handle, MakeRef<T>(std::forward<A>(arguments)...));
}

template <class T, class H>
T* DeviceState::AddState(H handle, Ref<T> object) {
  dispatch::Slot* const slot = FindSlot(T::kType, reinterpret_cast<uint64_t>(handle));
  if (slot == nullptr) return nullptr;
  RemoveState(slot);
  // For DeviceState::GetRef, which may look at a slot that it was in time to find with its last object.
  std::atomic_ref(slot->state).store(static_cast<Object*>(object.get()), std::memory_order_release);
  return object.Release();
}

template <class T, class H>
void DeviceState::Remove(H handle) {
  RemoveState(FindSlot(T::kType, reinterpret_cast<uint64_t>(handle)));
}

}  // namespace assay::state

#endif  // ASSAY_STATE_HOOKS_REGISTRATION_H_
