// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_VERTEX_ATTRIBUTES_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_VERTEX_ATTRIBUTES_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {

// What a shader needs to know of a vertex attribute: Vulkan, "Vertex Input Extraction". All sizes are in bytes.
struct VertexAttributeState {
  uint32_t location = 0;
  // From the offset of the bound vertex buffer to the end of what is bound.
  uint64_t range = 0;
  uint32_t stride = 0;
  // Of the attribute within an element, and the size of its format.
  uint32_t offset = 0;
  uint32_t size = 0;
  // Read once for each instance, or once for so many: VkVertexInputBindingDivisorDescription.
  bool is_per_instance = false;
  uint32_t divisor = 1;
  // Whatever is read is defined: robustBufferAccess is enabled, or the pipeline has ROBUST_BUFFER_ACCESS for its vertex
  // inputs (VUID-vkCmdDraw-None-02721), or the binding is null (nullDescriptor).
  bool is_robust = false;
};

// The first vertex index or instance index for which the attribute is not within the range; 0xffffffff if there is none
// that a draw can reach, or that can be told. Of an attribute with a divisor other than 1, this depends on the draw's
// first instance; that of an indirect draw is not known, nullopt.
uint32_t AttributeEnd(const VertexAttributeState& attribute, std::optional<uint32_t> first_instance);

// Sets the words of the action block that are about attributes: all locations that no attribute has are good.
// Attributes at locations from kMaxAttributes on are left out. `action` has kActionQuads quads.
void SetVertexAttributes(absl::Span<const VertexAttributeState> attributes, std::optional<uint32_t> first_instance,
                         absl::Span<uint32_t> action);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_VERTEX_ATTRIBUTES_H_
