// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_SET_STATE_H_
#define ASSAY_CORE_DRAW_CASES_SET_STATE_H_

#include <cstdint>

#include "testing/functions.h"
#include "vk/vulkan.h"

// Test-only.
namespace assay::core {

// Records the command that sets a dynamic state. `value` counts where the state is one number or an array of switches.
// The buffer is bound where that sets the state.
void SetState(const test::Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value,
              VkBuffer buffer = VK_NULL_HANDLE);

// The value of a state that is valid, and switches nothing on.
uint32_t PlainValue(VkDynamicState state);

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_SET_STATE_H_
