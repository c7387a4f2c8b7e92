// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_DRAW_WORDS_H_
#define ASSAY_GPUAV_RECORDING_DRAW_WORDS_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// What a draw command says itself. Nothing of it is known of an indirect draw.
struct DrawParameters {
  uint32_t first_vertex = 0;
  uint32_t first_instance = 0;
  uint32_t vertex_count = 0;
  uint32_t instance_count = 0;
  bool is_indirect = false;
  // Whether the host checks what an indirect draw reads, so that shaders need not.
  bool is_copied = false;
  // How many draws there may be at most; 0 for any number.
  uint32_t max_draws = 0;
  // It may bind vertex buffers itself.
  bool may_bind_vertex_buffers = false;
};

template <class C>
DrawParameters ParametersOf(const C& call, const VkPhysicalDeviceLimits& limits) {
  DrawParameters draw;
  if constexpr (requires { call.firstInstance; }) draw.first_instance = call.firstInstance;
  if constexpr (requires { call.instanceCount; }) draw.instance_count = call.instanceCount;
  if constexpr (requires { call.firstVertex; }) draw.first_vertex = call.firstVertex;
  if constexpr (requires { call.vertexCount; }) draw.vertex_count = call.vertexCount;
  draw.is_indirect = !requires { call.firstInstance; } && !requires { call.groupCountX; };
  if constexpr (requires { call.countBuffer; }) draw.max_draws = limits.maxDrawIndirectCount;
  return draw;
}

// Writes what an action block says of a draw: parameters, their limits, and how many vertices and instances the vertex
// buffers hold. `pipeline` is null with shader objects. `is_robust` says that attributes may be fetched from outside of
// their buffer.
void SetDrawWords(const DrawParameters& draw, const state::GraphicsState* pipeline, const state::DrawState& state,
                  bool is_robust, bool allows_first_instance, absl::Span<uint32_t> action);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_DRAW_WORDS_H_
