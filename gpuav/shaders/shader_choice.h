// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_SHADER_CHOICE_H_
#define ASSAY_GPUAV_SHADERS_SHADER_CHOICE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/choices/patterns.h"

// Which shaders the setting gpuav_only_shaders chooses.
namespace assay::gpuav {

// The names of the source files of a shader, by its debug information: OpSource, and DebugSource of
// NonSemantic.Shader.DebugInfo. What is no SPIR-V has none.
std::vector<std::string> SourceFilesOf(absl::Span<const uint32_t> words);

// Whether one of the patterns matches a name. No patterns match everything. A source file also matches by its name
// without folders.
class ShaderChoice {
 public:
  explicit ShaderChoice(std::string_view patterns) : patterns_(patterns) {}

  bool chooses_all() const { return patterns_.empty(); }
  // `module` is the name that the application has given the shader module; "" without.
  bool Chooses(const std::string& module, const std::string& entry_point, absl::Span<const uint32_t> words) const;

 private:
  const Patterns patterns_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_SHADER_CHOICE_H_
