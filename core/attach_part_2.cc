// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/attach_part.h"

namespace assay::core {

template void Validators::AttachPart<2>(state::DeviceState& state, const VkDeviceCreateInfo& info,
                                        dispatch::HookBuilder& builder);

}  // namespace assay::core
