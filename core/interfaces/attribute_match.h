// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_ATTRIBUTE_MATCH_H_
#define ASSAY_CORE_INTERFACES_ATTRIBUTE_MATCH_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "core/interfaces/shader_interface.h"
#include "vk/vulkan.h"

namespace assay::core {

// The rules of an input of a vertex shader and its attributes, in the order in which they are looked at.
enum class AttributeRule : uint8_t { kIsDescribed, kNumbers, kNot64Bits, k64Bits, kComponents };

struct AttributeFault {
  AttributeRule rule;
  // What follows the input: "but the attribute at location 1 is R32_UINT, which has unsigned integers."
  std::string text;
  const char* fix;
};

struct AttributeFeatures {
  // vertexAttributeRobustness: attributes may be missing.
  bool is_robust = false;
  // legacyVertexAttributes: numbers of up to 32 bits may be of another type.
  bool is_legacy = false;
};

// The first rule that is broken. `format_of` has the format of the attribute at a location; nothing for none.
std::optional<AttributeFault> FindAttributeFault(
    const InterfaceElement& input, const AttributeFeatures& features,
    absl::FunctionRef<std::optional<VkFormat>(uint32_t location)> format_of);

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_ATTRIBUTE_MATCH_H_
