// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/core.h"
#include "dispatch/dispatch.h"

namespace assay::core {

void InstanceValidators::Attach(dispatch::Instance& instance, dispatch::HookBuilder& builder) {
  builder.Attach(surface_rules_.emplace(instance));
  builder.Attach(instance_rules_.emplace(instance));
}

}  // namespace assay::core
