// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_STATIC_STATES_H_
#define ASSAY_CORE_DRAW_CASES_STATIC_STATES_H_

#include "vk/vulkan.h"

namespace assay::core {

// The states that a pipeline of DrawTest without dynamic state has itself. It has no structures of extensions.
inline constexpr VkDynamicState kStaticStates[] = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
                                                   VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                                   VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                                                   VK_DYNAMIC_STATE_VIEWPORT,
                                                   VK_DYNAMIC_STATE_SCISSOR,
                                                   VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                                   VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                                                   VK_DYNAMIC_STATE_LINE_WIDTH,
                                                   VK_DYNAMIC_STATE_DEPTH_BIAS,
                                                   VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
                                                   VK_DYNAMIC_STATE_CULL_MODE,
                                                   VK_DYNAMIC_STATE_FRONT_FACE,
                                                   VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                                                   VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
                                                   VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
                                                   VK_DYNAMIC_STATE_DEPTH_BOUNDS,
                                                   VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                                                   VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
                                                   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                                                   VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
                                                   VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
                                                   VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
                                                   VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
                                                   VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                                                   VK_DYNAMIC_STATE_STENCIL_OP,
                                                   VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
                                                   VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                                                   VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
                                                   VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT,
                                                   VK_DYNAMIC_STATE_BLEND_CONSTANTS,
                                                   VK_DYNAMIC_STATE_LOGIC_OP_EXT,
                                                   VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,
                                                   VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                                   VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                                                   VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_STATIC_STATES_H_
