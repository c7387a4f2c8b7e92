// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/graphics/vertex_input.h"

#include "vk/format_info.h"

namespace assay::state {

void VertexInput::AddBinding(uint32_t binding, const VertexBinding& description) {
  if (binding >= kMaxVertexBindings) return;
  described_bindings |= 1u << binding;
  bindings[binding] = description;
}

void VertexInput::AddAttribute(const VertexAttribute& attribute) {
  if (attribute_count >= kMaxAttributes) return;
  const vk::FormatInfo* format = vk::GetFormatInfo(attribute.format);
  attributes[attribute_count] = attribute;
  attributes[attribute_count++].size = format != nullptr ? format->block_size : 0;
}

}  // namespace assay::state
