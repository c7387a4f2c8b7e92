// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_COMPONENT_TYPES_H_
#define ASSAY_CORE_SHADER_STAGES_COMPONENT_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dispatch/dispatch.h"
#include "spirv_instrument/ir/instruction.h"
#include "vk/commands.h"
#include "vk/extension_info.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// The numbers that cooperative matrices and vectors are made of, and the lists of them that a physical device has.
namespace assay::core {

struct Component {
  bool is_float;
  bool is_signed;
  uint32_t width;
};

// nullopt for one that is not a plain integer or float.
inline std::optional<Component> ComponentOf(VkComponentTypeKHR type) {
  if (type <= VK_COMPONENT_TYPE_FLOAT64_KHR) return Component{true, true, 16u << type};
  if (type > VK_COMPONENT_TYPE_UINT64_KHR) return std::nullopt;
  const bool is_signed = type <= VK_COMPONENT_TYPE_SINT64_KHR;
  const uint32_t first = is_signed ? VK_COMPONENT_TYPE_SINT8_KHR : VK_COMPONENT_TYPE_UINT8_KHR;
  return Component{false, is_signed, 8u << (type - first)};
}
// A type of SPIR-V. An encoding makes a float another number.
inline std::optional<Component> ComponentOf(spirv_instrument::Instruction type) {
  if (type.op() == spv::Op::OpTypeInt) return Component{false, type.literal(1) != 0, type.literal(0)};
  if (type.op() == spv::Op::OpTypeFloat && type.operand_count() == 1) return Component{true, true, type.literal(0)};
  return std::nullopt;
}
// The same but for the sign, which operations have of their own.
inline bool IsAlike(const Component& one, const std::optional<Component>& other) {
  return other && one.is_float == other->is_float && one.width == other->width;
}
inline std::string TextOf(const Component& component) {
  return absl::StrCat(component.is_float ? "floats" : "integers", " of ", component.width, " bits");
}

// What the physical device lists by the command of an enabled extension; empty if it fails.
template <class C, class P>
std::vector<P> QueryProperties(const dispatch::Device& device, vk::ExtensionId extension) {
  const auto get = dispatch::Next<C>(device.instance.next);
  uint32_t count = 0;
  if (!device.IsEnabled(extension) || get == nullptr) return {};
  if (get(device.physical_device->handle, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<P> rows(count, P{.sType = vk::kStructureTypeOf<P>});
  if (get(device.physical_device->handle, &count, rows.data()) != VK_SUCCESS) return {};
  rows.resize(count);
  return rows;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_COMPONENT_TYPES_H_
