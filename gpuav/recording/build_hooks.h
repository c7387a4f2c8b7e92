// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_BUILD_HOOKS_H_
#define ASSAY_GPUAV_RECORDING_BUILD_HOOKS_H_

#include <concepts>

#include "dispatch/dispatch.h"
#include "gpuav/device/context.h"
#include "gpuav/recording/recording.h"
#include "gpuav/recording/reference_replacements.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::gpuav {

// What is known only for ReferenceReplacements: builds that go down otherwise, queries, and what is pushed. To be
// attached behind the validator if references are replaced (Context::replaces_references); all others save these calls.
class BuildHooks {
 public:
  explicit BuildHooks(const Context& context) : context_(context) {}

  template <BuildsStructures C>
  void Rewrite(const C&, C& down, dispatch::Slot& slot, dispatch::Rewriter& rewriter) {
    if (Recording* const recording = RecordingIn(slot)) recording->replacements().Rewrite(down, rewriter);
  }

  template <class C>
    requires std::same_as<C, vk::CmdBeginQuery> || std::same_as<C, vk::CmdBeginQueryIndexedEXT>
  void PreCallRecord(const C&, dispatch::Slot& slot) {
    if (Recording* const recording = RecordingIn(slot)) recording->replacements().OnBeginQuery();
  }
  template <class C>
    requires std::same_as<C, vk::CmdEndQuery> || std::same_as<C, vk::CmdEndQueryIndexedEXT>
  void PreCallRecord(const C&, dispatch::Slot& slot) {
    if (Recording* const recording = RecordingIn(slot)) recording->replacements().OnEndQuery();
  }

  // Where addresses are pushed, the validator notes it.
  void PreCallRecord(const vk::CmdPushConstants& call, dispatch::Slot& slot) {
    NotePush(call.layout, call.offset, call.size, call.pValues, slot);
  }
  void PreCallRecord(const vk::CmdPushConstants2& call, dispatch::Slot& slot) {
    const VkPushConstantsInfo& info = *call.pPushConstantsInfo;
    NotePush(info.layout, info.offset, info.size, info.pValues, slot);
  }

 private:
  static Recording* RecordingIn(dispatch::Slot& slot) {
    const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
    return buffer != nullptr ? buffer->Sub<Recording>() : nullptr;
  }
  void NotePush(VkPipelineLayout layout, uint32_t offset, uint32_t size, const void* values, dispatch::Slot& slot) {
    if (context_.pushes_addresses()) return;
    if (Recording* const recording = RecordingIn(slot)) recording->pushes().Note(layout, offset, size, values);
  }

  const Context& context_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_BUILD_HOOKS_H_
