// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_SPIRV_RULES_H_
#define ASSAY_CORE_SPIRV_SPIRV_RULES_H_

// Whether SPIR-V is valid, wherever an application gives it: as a shader module, as part of a pipeline's stage, as a
// shader object. A module is judged once for its content and for what the device has enabled (ModuleJudge):
//
//   spirv_environment  the version, and the features that relax rules, as SPIRV-Tools wants to know them
//   SPIRV-Tools        its validator; a message has its id, or pCode-08737 if it names none
//   module_checks      rules of SPIR-V for Vulkan that SPIRV-Tools does not check
//   indices            the rules of indices into arrays of descriptors and push constants
//   builtins           the rules of built-in variables, as the registry has them
//   known_modules      modules that were found valid, in this process and before
//   specialized_words  a module with values for its specialization constants, which is judged like another module
//   foreign_module_checks, glsl_version   modules for OpenGL and OpenCL, and GLSL: what is certainly not for Vulkan
//
// VK_EXT_validation_cache (dispatch/extensions/validation_cache.h) is what an application keeps of known modules
// itself.
//
// Silent: modules with an extension that this layer's registry does not have, and devices with such an extension; of
// modules with such a capability, all but foreign_module_checks; specialization that changes no value, or is of a
// module that is invalid without.

#include "absl/types/span.h"
#include "core/spirv/module_judge.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class SpirvRules {
 public:
  // `state` must outlive it.
  explicit SpirvRules(const state::DeviceState& state);
  ~SpirvRules();
  SpirvRules(const SpirvRules&) = delete;
  SpirvRules& operator=(const SpirvRules&) = delete;

  void PreCallValidate(const vk::CreateShaderModule& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateShadersEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateGraphicsPipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateComputePipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, messages::Report& report) const;

 private:
  void CheckModuleInfo(const VkShaderModuleCreateInfo& info, const messages::Location& where,
                       messages::Report& report) const;
  // `is_used` says that the pipeline has code of the stage.
  void CheckStage(const VkPipelineShaderStageCreateInfo& stage, bool is_used, const messages::Location& where,
                  messages::Report& report) const;
  // The code after specialization.
  void CheckSpecialized(absl::Span<const uint32_t> words, const VkSpecializationInfo* info, const ModuleIds& ids,
                        const messages::Location& where, messages::Report& report) const;
  // The stages of each pipeline of a call whose create infos have pStages.
  template <typename C>
  void CheckStages(const C& call, messages::Report& report) const;
  void Check(const void* code, size_t size, const ModuleIds& ids, const void* chain, const messages::Location& where,
             messages::Report& report) const;

  const dispatch::Device& device_;
  KnownModules* const known_;
  const ModuleJudge judge_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_SPIRV_RULES_H_
