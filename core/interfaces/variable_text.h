// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_VARIABLE_TEXT_H_
#define ASSAY_CORE_INTERFACES_VARIABLE_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/types/span.h"
#include "core/interfaces/shader_interface.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::core {

// Words the variables of a module for messages, with their names and source lines as far as the module has them. It
// parses the module, since this is for messages alone.
class VariableTexts {
 public:
  explicit VariableTexts(absl::Span<const uint32_t> words);

  // "lights" or %12; with members "Block.color". A source line follows: "color" (quad.vert:7).
  std::string Of(spirv_instrument::Id variable, absl::Span<const uint32_t> members = {}) const;
  // The same with the type, and where it is: "color", a vec4 at location 1 (quad.vert:7).
  std::string Of(const InterfaceElement& element) const;

 private:
  std::string Name(spirv_instrument::Id variable, absl::Span<const uint32_t> members) const;
  std::string Line(spirv_instrument::Id variable) const;

  std::optional<spirv_instrument::Module> module_;
  std::optional<spirv_instrument::Decorations> decorations_;
};

// "float", "u16vec3", "mat4x3[2]".
std::string TypeText(const InterfaceType& type);

// "vertex", "ray tracing".
std::string_view StageText(VkShaderStageFlagBits stage);

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_VARIABLE_TEXT_H_
