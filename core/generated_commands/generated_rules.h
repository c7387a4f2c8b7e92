// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_GENERATED_COMMANDS_GENERATED_RULES_H_
#define ASSAY_CORE_GENERATED_COMMANDS_GENERATED_RULES_H_

// Device-generated commands (VK_EXT_device_generated_commands, VK_NV_device_generated_commands): the tokens of layouts,
// execution sets and what is written to them, preprocessing, and the structures that describe what is generated.
//
//   command_layouts.cc     which tokens go together, with the stages and with the limits
//   execution_sets.cc      initial pipelines and shaders, and those that are written later
//   generated_infos.cc     what commands and questions for memory are given: layout, set and counts that fit
//   generated_infos_nv.cc  the same of the older extension, and its compute pipelines with places for their metadata
//
// As in core/resources, a rule is a row of a table. What generated commands need bound and set is in core/draw.

#include <cstdint>
#include <vector>

#include "core/generated_commands/tokens.h"
#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// What is noted of an execution set.
struct ExecutionSetNote {
  bool has_shaders = false;
  uint32_t most = 0;
  // Of the initial pipeline, or of the initial shaders.
  VkShaderStageFlags stages = 0;
  VkPipelineBindPoint bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
  std::vector<state::Ref<state::Pipeline>> pipeline;
  std::vector<state::Ref<state::Shader>> shaders;
  std::vector<VkPushConstantRange> push_constants;

  // Of the initial pipeline.
  const state::PipelineLayout* layout() const { return pipeline.empty() ? nullptr : pipeline[0]->layout.get(); }
};

// The validator.
class GeneratedCommandRules {
 public:
  // `state` must outlive it.
  explicit GeneratedCommandRules(const state::DeviceState& state) : state_(state), device_(state.device()) {}

  void PreCallValidate(const vk::CreateIndirectCommandsLayoutEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateIndirectCommandsLayoutNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateIndirectExecutionSetEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::UpdateIndirectExecutionSetPipelineEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::UpdateIndirectExecutionSetShaderEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetGeneratedCommandsMemoryRequirementsEXT& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetGeneratedCommandsMemoryRequirementsNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdExecuteGeneratedCommandsEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdExecuteGeneratedCommandsNV& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdPreprocessGeneratedCommandsEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdPreprocessGeneratedCommandsNV& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdUpdatePipelineIndirectBufferNV& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::GetPipelineIndirectDeviceAddressNV& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateComputePipelines& call, messages::Report& report) const;

  void PostCallRecord(const vk::CreateIndirectCommandsLayoutEXT& call, VkResult result);
  void PostCallRecord(const vk::CreateIndirectCommandsLayoutNV& call, VkResult result);
  void PostCallRecord(const vk::CreateIndirectExecutionSetEXT& call, VkResult result);
  void PostCallRecord(const vk::CreateComputePipelines& call, VkResult result);
  void PreCallRecord(const vk::DestroyIndirectCommandsLayoutEXT& call) { layouts_.Erase(call.indirectCommandsLayout); }
  void PreCallRecord(const vk::DestroyIndirectCommandsLayoutNV& call) { layouts_.Erase(call.indirectCommandsLayout); }
  void PreCallRecord(const vk::DestroyIndirectExecutionSetEXT& call) { sets_.Erase(call.indirectExecutionSet); }
  void PreCallRecord(const vk::DestroyPipeline& call) { buffered_.Erase(call.pipeline); }

 private:
  void CheckInfo(const VkGeneratedCommandsInfoEXT& info, const state::CommandBuffer& buffer,
                 const state::CommandBuffer& state_buffer, bool is_preprocessing, messages::Report& report) const;
  void CheckInfo(const VkGeneratedCommandsInfoNV& info, const state::CommandBuffer& buffer,
                 messages::Report& report) const;

  const state::DeviceState& state_;
  const dispatch::Device& device_;
  HandleMap<LayoutNote> layouts_;
  HandleMap<ExecutionSetNote> sets_;
  // Whether a compute pipeline that may be bound by its address was created with a place for its metadata.
  HandleMap<bool> buffered_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_GENERATED_COMMANDS_GENERATED_RULES_H_
