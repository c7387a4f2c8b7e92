// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_LOOKUP_H_
#define ASSAY_STATE_OBJECTS_LOOKUP_H_

#include <cstdint>

#include "dispatch/dispatch.h"
#include "state/objects/object.h"

// DeviceState::Get for the parts of DeviceState, which cannot include it. Private to the package.
namespace assay::state {

// The state of a live non-dispatchable object, or null if the handle is null, foreign or stale.
template <class T, class H>
T* FindState(H handle) {
  const dispatch::Slot* slot = dispatch::HandleTable::Get().Find(T::kType, reinterpret_cast<uint64_t>(handle));
  return slot != nullptr ? static_cast<T*>(static_cast<Object*>(slot->state)) : nullptr;
}

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_LOOKUP_H_
