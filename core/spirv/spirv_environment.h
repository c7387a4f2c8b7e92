// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_SPIRV_ENVIRONMENT_H_
#define ASSAY_CORE_SPIRV_SPIRV_ENVIRONMENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "spirv-tools/libspirv.h"

namespace assay::core {

// What decides on a device which SPIR-V is valid: the version, and the features that relax rules. For SPIRV-Tools.
class SpirvEnvironment {
 public:
  explicit SpirvEnvironment(const dispatch::Device& device);

  // Immutable, so that threads may share them. Never null.
  spv_const_context context() const { return context_.get(); }
  spv_const_validator_options options() const { return options_.get(); }
  // The same, but that messages name ids as the module's source does, which takes longer.
  spv_const_validator_options options_with_names() const { return options_with_names_.get(); }
  // Equal for environments in which the same modules are valid.
  const std::string& text() const { return text_; }
  // Whether rules may have changed since this layer was built: the application uses a version or an extension that the
  // registry did not have then.
  bool is_newer() const { return is_newer_; }

 private:
  struct Destroyer {
    void operator()(spv_context context) const { spvContextDestroy(context); }
    void operator()(spv_validator_options options) const { spvValidatorOptionsDestroy(options); }
  };
  using Options = std::unique_ptr<spv_validator_options_t, Destroyer>;

  Options MakeOptions(const dispatch::Device& device);

  std::string text_;
  std::unique_ptr<spv_context_t, Destroyer> context_;
  Options options_;
  Options options_with_names_;
  const bool is_newer_;
};

// Whose rules a module is written to.
enum class SpirvRulesOf : uint8_t {
  kVulkan,
  // It declares a capability that Vulkan did not have when this layer was built, or does not declare Shader, as modules
  // for OpenGL and OpenCL do. It must not, which another rule says (shader_stages/capability_checks.h).
  kOtherApi,
  // It is of a version of SPIR-V, or declares an extension, that Vulkan did not have when this layer was built. Nobody
  // knows yet which such modules are valid.
  kUnknown,
};
SpirvRulesOf RulesOf(absl::Span<const uint32_t> words);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_SPIRV_ENVIRONMENT_H_
