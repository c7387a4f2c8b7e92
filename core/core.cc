// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/core.h"

#include <utility>

#include "dispatch/dispatch.h"

namespace assay::core {

void Validators::Attach(state::DeviceState& state, const VkDeviceCreateInfo& info, dispatch::HookBuilder& builder) {
  [&]<size_t... part>(std::index_sequence<part...>) {
    (AttachPart<part>(state, info, builder), ...);
  }(std::make_index_sequence<kParts>());
}

}  // namespace assay::core
