// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/dispatch.h"
#include "layer/validators/validator_sets.h"
#include "object_lifetimes/object_lifetimes.h"
#include "thread_safety/thread_safety.h"

namespace assay::layer {

void AttachThreadSafety(thread_safety::ThreadSafety& validator, dispatch::HookBuilder& builder) {
  builder.Attach(validator);
}

void AttachObjectLifetimes(object_lifetimes::ObjectLifetimes& validator, dispatch::HookBuilder& builder) {
  builder.Attach(validator);
}

}  // namespace assay::layer
