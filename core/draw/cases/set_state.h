// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_SET_STATE_H_
#define ASSAY_CORE_DRAW_CASES_SET_STATE_H_

#include <cstdint>
#include <functional>
#include <type_traits>

#include "testing/functions.h"
#include "vk/vulkan.h"

// Test-only.
namespace assay::core {

// Two of what there is for each viewport. The viewports have 64 by 64 pixels.
inline constexpr VkViewport kViewports[2] = {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}};
inline constexpr VkRect2D kScissors[2] = {{{0, 0}, {64, 64}}, {{0, 0}, {64, 64}}};
inline constexpr VkViewportWScalingNV kScalings[2] = {{1, 1}, {1, 1}};
inline constexpr VkViewportSwizzleNV kSwizzle = {
    VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_X_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Y_NV,
    VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Z_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_W_NV};
inline constexpr VkViewportSwizzleNV kSwizzles[2] = {kSwizzle, kSwizzle};
inline constexpr VkShadingRatePaletteEntryNV kNoInvocations = VK_SHADING_RATE_PALETTE_ENTRY_NO_INVOCATIONS_NV;
inline constexpr VkShadingRatePaletteNV kPalettes[2] = {{1, &kNoInvocations}, {1, &kNoInvocations}};

// Records the command that sets a dynamic state. `value` counts where the state is one number or an array of switches.
// The buffer is bound where that sets the state.
void SetState(const test::Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t value,
              VkBuffer buffer = VK_NULL_HANDLE);

using SetFunction = std::function<void(const test::Functions&, VkCommandBuffer)>;

// Sets a state, as SetState().
inline SetFunction Sets(VkDynamicState state, uint32_t value) {
  return [=](const test::Functions& vk, VkCommandBuffer commands) { SetState(vk, commands, state, value); };
}
// Calls a command with these parameters.
template <class... Parameters>
SetFunction Calls(void (VKAPI_PTR* test::Functions::*command)(VkCommandBuffer, Parameters...),
                  std::type_identity_t<Parameters>... parameters) {
  return [=](const test::Functions& vk, VkCommandBuffer commands) { (vk.*command)(commands, parameters...); };
}
inline SetFunction Both(const SetFunction& one, const SetFunction& other) {
  return [=](const test::Functions& vk, VkCommandBuffer commands) { one(vk, commands), other(vk, commands); };
}

// The value of a state that is valid, and switches nothing on.
uint32_t PlainValue(VkDynamicState state);

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_SET_STATE_H_
