// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_GRAPHICS_VERTEX_INPUT_H_
#define ASSAY_STATE_GRAPHICS_VERTEX_INPUT_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "vk/vulkan.h"

namespace assay::state {

// Bindings with this number or a larger one are not tracked; no device has as many.
inline constexpr size_t kMaxVertexBindings = 32;

struct VertexBinding {
  // Bytes.
  uint32_t stride = 0;
  VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX;
  // Number of instances that share an element, with VK_VERTEX_INPUT_RATE_INSTANCE; 0 if all do.
  uint32_t divisor = 1;
};

struct VertexAttribute {
  uint32_t location = 0;
  uint32_t binding = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  // Bytes from the start of the element.
  uint32_t offset = 0;
  // Bytes of the format; VertexInput::AddAttribute sets it.
  uint32_t size = 0;
};

// The bindings and attributes of vertex buffers. It holds no pointers, since each command buffer has one for dynamic
// state.
struct VertexInput {
  static constexpr size_t kMaxAttributes = 32;

  // A bit for each described binding.
  uint32_t described_bindings = 0;
  uint32_t attribute_count = 0;
  std::array<VertexBinding, kMaxVertexBindings> bindings;
  // The first attribute_count are valid.
  std::array<VertexAttribute, kMaxAttributes> attributes;

  void AddBinding(uint32_t binding, const VertexBinding& description);
  void AddAttribute(const VertexAttribute& attribute);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_GRAPHICS_VERTEX_INPUT_H_
