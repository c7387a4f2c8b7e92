// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/draw_words.h"

#include "absl/container/inlined_vector.h"
#include "spirv_instrument/runtime/layout.h"
#include "spirv_instrument/runtime/vertex_attributes.h"

namespace assay::gpuav {
namespace {

constexpr size_t kQuadWords = 4;

}  // namespace

void SetDrawWords(const DrawParameters& draw, const state::GraphicsState* pipeline, const state::DrawState& state,
                  bool is_robust, bool allows_first_instance, absl::Span<uint32_t> action) {
  uint32_t* const parameters = &action[spirv_instrument::kDrawQuad * kQuadWords];
  parameters[spirv_instrument::kFirstVertexWord] = draw.first_vertex;
  parameters[spirv_instrument::kFirstInstanceWord] = draw.first_instance;
  parameters[spirv_instrument::kVertexCountWord] = draw.vertex_count;
  parameters[spirv_instrument::kInstanceCountWord] = draw.instance_count;
  uint32_t* const limits = &action[spirv_instrument::kDrawLimitsQuad * kQuadWords];
  limits[spirv_instrument::kBaseInstancesWord] = draw.is_indirect && !draw.is_copied && !allows_first_instance ? 1 : 0;
  limits[spirv_instrument::kDrawIndicesWord] = draw.is_copied ? 0 : draw.max_draws;
  if (is_robust || draw.may_bind_vertex_buffers) return;
  const state::ResolvedDrawState resolved(pipeline, state);
  absl::InlinedVector<spirv_instrument::VertexAttributeState, 8> attributes;
  const state::VertexInput& input = *resolved.vertex_input;
  for (uint32_t i = 0; i < input.attribute_count; ++i) {
    const state::VertexAttribute& attribute = input.attributes[i];
    if (attribute.binding >= state::kMaxVertexBindings) continue;
    const state::VertexBinding& binding = input.bindings[attribute.binding];
    const state::BoundBuffer& buffer = state.vertex_buffer(attribute.binding);
    attributes.push_back({.location = attribute.location,
                          .range = buffer.size,
                          .stride = static_cast<uint32_t>(resolved.StrideOf(attribute.binding)),
                          .offset = attribute.offset,
                          .size = attribute.size,
                          .is_per_instance = binding.rate == VK_VERTEX_INPUT_RATE_INSTANCE,
                          .divisor = binding.divisor,
                          // Null, or not bound, which needs no shader to be found.
                          .is_robust = buffer.buffer == VK_NULL_HANDLE});
  }
  const bool knows_instance = !draw.is_indirect;
  spirv_instrument::SetVertexAttributes(
      attributes, knows_instance ? std::optional<uint32_t>(draw.first_instance) : std::nullopt, action);
}

}  // namespace assay::gpuav
