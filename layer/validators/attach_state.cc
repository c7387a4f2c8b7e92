// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/core.h"
#include "dispatch/dispatch.h"
#include "layer/validators/validator_sets.h"
#include "state/state.h"

namespace assay::layer {

void AttachState(state::DeviceState& state, dispatch::HookBuilder& builder) {
  builder.Attach(state, dispatch::RecordOrder::kFirstButDestroysLast);
}

void AttachState(state::QueueState& state, dispatch::HookBuilder& builder) {
  builder.Attach(state, dispatch::RecordOrder::kFirstButDestroysLast);
}

void AttachLifetime(core::LifetimeRules& rules, dispatch::HookBuilder& builder) { builder.Attach(rules); }

}  // namespace assay::layer
