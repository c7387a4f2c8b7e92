// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_CHOICE_HOOKS_H_
#define ASSAY_GPUAV_RECORDING_CHOICE_HOOKS_H_

#include <concepts>

#include "dispatch/dispatch.h"
#include "gpuav/choices/command_choice.h"
#include "gpuav/recording/recording.h"
#include "gpuav/recording/shader_switch.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/commands.h"

namespace assay::gpuav {

// What is known only for CommandChoice and ShaderSwitch: what is bound, and frames and regions of queues. To be
// attached if there is something to choose from (KeepsOriginals); all others save these calls.
class ChoiceHooks {
 public:
  explicit ChoiceHooks(CommandChoice& choice) : choice_(choice) {}

  void PostCallRecord(const vk::CmdBindPipeline& call, dispatch::Slot& slot) {
    if (ShaderSwitch* const shaders = SwitchIn(slot)) shaders->OnBindPipeline(call.pipelineBindPoint);
  }
  void PostCallRecord(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot) {
    ShaderSwitch* const shaders = SwitchIn(slot);
    if (shaders == nullptr) return;
    for (uint32_t i = 0; i < call.stageCount; ++i) {
      shaders->OnBindShaders(call.pStages[i] == VK_SHADER_STAGE_COMPUTE_BIT ? VK_PIPELINE_BIND_POINT_COMPUTE
                                                                            : VK_PIPELINE_BIND_POINT_GRAPHICS);
    }
  }
  void PreCallRecord(const vk::CmdBeginTransformFeedbackEXT&, dispatch::Slot& slot) {
    if (ShaderSwitch* const shaders = SwitchIn(slot)) shaders->BeforeTransformFeedback();
  }
  void PreCallRecord(const vk::CmdPreprocessGeneratedCommandsEXT& call) {
    const state::CommandBuffer* const buffer = state::DeviceState::Get(call.stateCommandBuffer);
    auto* const recording = buffer != nullptr ? buffer->Sub<Recording>() : nullptr;
    if (recording != nullptr && recording->shader_switch() != nullptr) {
      recording->shader_switch()->BindOriginalPipelines();
    }
  }

  template <class C>
    requires std::same_as<C, vk::QueueBeginDebugUtilsLabelEXT> || std::same_as<C, vk::QueueInsertDebugUtilsLabelEXT>
  void PreCallRecord(const C& call) {
    choice_.OnQueueLabel(call.queue);
  }
  void PostCallRecord(const vk::QueuePresentKHR& call, VkResult) {
    choice_.OnPresent(vk::FindInChain<VkFrameBoundaryEXT>(call.pPresentInfo->pNext));
  }
  void PostCallRecord(const vk::QueueSubmit& call, VkResult) { OnSubmit(call.pSubmits, call.submitCount); }
  void PostCallRecord(const vk::QueueSubmit2& call, VkResult) { OnSubmit(call.pSubmits, call.submitCount); }
  void PostCallRecord(const vk::QueueBindSparse& call, VkResult) { OnSubmit(call.pBindInfo, call.bindInfoCount); }

 private:
  static ShaderSwitch* SwitchIn(dispatch::Slot& slot) {
    const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
    auto* const recording = buffer != nullptr ? buffer->Sub<Recording>() : nullptr;
    return recording != nullptr ? recording->shader_switch() : nullptr;
  }
  template <class I>
  void OnSubmit(const I* infos, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) choice_.OnSubmit(vk::FindInChain<VkFrameBoundaryEXT>(infos[i].pNext));
  }

  CommandChoice& choice_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_CHOICE_HOOKS_H_
