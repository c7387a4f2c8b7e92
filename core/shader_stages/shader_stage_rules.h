// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_SHADER_STAGE_RULES_H_
#define ASSAY_CORE_SHADER_STAGES_SHADER_STAGE_RULES_H_

// The rules of one shader stage, wherever it is given: a stage of a graphics, compute or ray tracing pipeline, or a
// shader object.
//
//   module          Capabilities and extensions against what the device has enabled (capability_checks.h). A module is
//                   checked when it is made, since its words alone decide.
//   create info     The stage against features; specialization; sizes of subgroups; module identifiers.
//   entry point     Limits, execution modes, variables and instructions against features and properties; which outputs
//                   are written on which paths.
//   pipeline        What the entry point uses against the pipeline's flags, multisample state and subpass.
//
// What an entry point breaks is found once for its content and the values of its specialization constants
// (EntryPointCache); a pipeline of known shaders only looks it up. A message names the instruction, and its line of
// source if the module has it. Of several instructions that break one rule the first is reported.
//
// Silent: stages that the parts of a pipeline library ignore, pipelines that come from binaries, shaders that are only
// identified or binary, values that are not constant, limits that the device does not say.

#include <memory>

#include "core/shader_stages/stage_facts.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/shader/entry_point_cache.h"
#include "state/shader/shader_code.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class ShaderStageRules {
 public:
  // `state` must outlive it.
  explicit ShaderStageRules(const state::DeviceState& state)
      : device_(state.device()), codes_(state.shader_codes()), cache_(codes_), object_cache_(codes_) {}

  void PreCallValidate(const vk::CreateShaderModule& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateGraphicsPipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateComputePipelines& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateShadersEXT& call, messages::Report& report) const;

 private:
  // The facts of the entry point; null if there is none, or its code is not known.
  std::shared_ptr<const StageFacts> CheckStage(const VkPipelineShaderStageCreateInfo& info,
                                               VkPipelineCreateFlags2 flags, const messages::Location& where,
                                               messages::Report& report) const;

  const dispatch::Device& device_;
  // Also of modules that are part of a create info.
  state::ShaderCodes& codes_;
  // Of stages of pipelines, and of shader objects.
  mutable state::EntryPointCache<StageFacts> cache_;
  mutable state::EntryPointCache<StageFacts> object_cache_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_SHADER_STAGE_RULES_H_
