// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_SHADER_H_
#define ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_SHADER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "vk/spirv/builtin_rule_info.h"

// Test-only: modules whose only purpose is one built-in.
namespace assay::core {

// How many vertices and primitives an interface has, where it has an element for each.
inline constexpr uint32_t kInterfaceElements = 3;

// A shader whose only variable, or constant, has the built-in. It reads the whole of an input, and writes zeros to an
// output.
struct BuiltInShader {
  enum class Form { kVariable, kBlock, kConstant };
  // How the shader accesses it: as a whole, or an element.
  enum class Access { kWhole, kConstantIndex, kVariableIndex };

  spv::BuiltIn built_in = {};
  spv::ExecutionModel model = {};
  spv::StorageClass storage = spv::StorageClass::Input;
  vk::BuiltInType type = {};
  // The number of elements of each array of the type, where the type does not say.
  uint32_t elements = 1;
  // The number of elements of an array around the variable; 0 for none.
  uint32_t outer_elements = 0;
  Form form = Form::kVariable;
  Access access = Access::kWhole;
  // A second variable like the first.
  bool has_twin = false;
  std::vector<spv::Decoration> decorations = {};
  // In addition to what each shader of the model has, or instead of the mode of the same purpose.
  std::optional<spv::ExecutionMode> mode = std::nullopt;
  // The extension that the module declares where it could declare others; empty if it does not matter.
  std::string extension = {};
  // One of the capabilities that the built-in needs is enough. Not these.
  std::vector<spv::Capability> avoided = {};
};

// As text for the assembler. Capabilities and extensions are those that the grammar asks for.
std::string Text(const BuiltInShader& shader);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_SHADER_H_
