// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_LIVE_HANDLES_H_
#define ASSAY_DISPATCH_TESTING_LIVE_HANDLES_H_

#include <cstdint>

#include "dispatch/handles/handle_table.h"

namespace assay::dispatch {

// A non-dispatchable handle as an integer.
template <class Handle>
uint64_t Integer(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

// Whether the handle is a wrapped one of a live object.
template <class Handle>
bool IsLive(Handle handle) {
  return HandleTable::Get().FindWrapped(Integer(handle)) != nullptr;
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_LIVE_HANDLES_H_
