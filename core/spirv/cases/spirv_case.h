// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_CASES_SPIRV_CASE_H_
#define ASSAY_CORE_SPIRV_CASES_SPIRV_CASE_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "core/shader_stages/stage_test.h"

namespace assay::core {

// A module that breaks one rule of SPIR-V. It is correct with `from` replaced by `to`, everywhere.
struct SpirvCase {
  std::string Vuid() const { return VuidOf("StandaloneSpirv", id); }

  std::string id;
  StageText shader;
  std::string from;
  std::string to;
  // Features that the device does not have, for the case and its twin.
  std::vector<std::string> disabled = {};
  // Of the device; 0 for what tests have otherwise.
  uint32_t api_version = 0;
  // The module's version, as its header has it; 0 for that of the assembler, which is 1.6.
  uint32_t spirv_version = 0;
  // Whether the rule is read to the letter only with the setting strict.
  bool is_strict = false;
  // Of the device; 0 for what tests have otherwise.
  uint32_t subgroup_size = 0;
};

// The shader with more in its parts; globals stand before its own, and modes instead of them.
inline StageText With(StageText shader, const StageText& more) {
  shader.capabilities += more.capabilities;
  shader.variables.insert(shader.variables.end(), more.variables.begin(), more.variables.end());
  if (!more.modes.empty()) shader.modes = more.modes;
  shader.decorations += more.decorations;
  shader.globals = more.globals + shader.globals;
  return shader;
}

inline void PrintTo(const SpirvCase& row, std::ostream* out) { *out << row.id; }

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_CASES_SPIRV_CASE_H_
