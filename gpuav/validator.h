// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_VALIDATOR_H_
#define ASSAY_GPUAV_VALIDATOR_H_

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/builds/replacement_pipeline.h"
#include "gpuav/choices/command_choice.h"
#include "gpuav/completion/completion.h"
#include "gpuav/completion/layout_observer.h"
#include "gpuav/completion/lost.h"
#include "gpuav/descriptors/address_tables.h"
#include "gpuav/descriptors/image_numbers.h"
#include "gpuav/descriptors/known_descriptors.h"
#include "gpuav/descriptors/set_tables.h"
#include "gpuav/descriptors/table_memory.h"
#include "gpuav/device/context.h"
#include "gpuav/device/memory.h"
#include "gpuav/device/reserved_set.h"
#include "gpuav/markers/marked_commands.h"
#include "gpuav/parameters/indirect_command.h"
#include "gpuav/parameters/parameter_buffers.h"
#include "gpuav/parameters/structure_addresses.h"
#include "gpuav/pipelines/pipeline_binaries.h"
#include "gpuav/pipelines/pipeline_layouts.h"
#include "gpuav/pipelines/pipelines.h"
#include "gpuav/pipelines/shader_objects.h"
#include "gpuav/recording/actions.h"
#include "gpuav/recording/build_hooks.h"
#include "gpuav/recording/choice_hooks.h"
#include "gpuav/recording/depth_copies.h"
#include "gpuav/recording/draw_words.h"
#include "gpuav/recording/execution_memory.h"
#include "gpuav/recording/recording.h"
#include "gpuav/recording/reference_replacements.h"
#include "gpuav/recording/structure_builds.h"
#include "gpuav/reports/cause_limits.h"
#include "gpuav/shaders/instrumenter.h"
#include "gpuav/shaders/shader_registry.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::gpuav {

// The validator of a device. It is attached after the state tracker.
class Validator {
 public:
  explicit Validator(state::DeviceState& state);
  ~Validator();
  Validator(const Validator&) = delete;
  Validator& operator=(const Validator&) = delete;

  void Attach(dispatch::HookBuilder& builder);

  // Layouts, pipelines and shader objects.
  template <class C>
    requires requires(PipelineLayouts& layouts, const C& call, C& down, dispatch::Rewriter& rewriter) {
      layouts.Rewrite(call, down, rewriter);
    }
  void Rewrite(const C& call, C& down, dispatch::Rewriter& rewriter) {
    layouts_.Rewrite(call, down, rewriter);
  }
  template <class C>
    requires requires(Pipelines& pipelines, const C& call, C& down, dispatch::Rewriter& rewriter) {
      pipelines.Rewrite(call, down, rewriter);
    }
  void Rewrite(const C& call, C& down, dispatch::Rewriter& rewriter) {
    pipelines_.Rewrite(call, down, rewriter);
  }
  template <class C>
    requires requires(ParameterBuffers& buffers, const C& call, C& down, dispatch::Rewriter& rewriter) {
      buffers.Rewrite(call, down, rewriter);
    }
  void Rewrite(const C& call, C& down, dispatch::Rewriter& rewriter) {
    if (copies_builds_) buffers_.Rewrite(call, down, rewriter);
  }
  template <class C>
    requires requires(ShaderObjects& shaders, const C& call, C& down, dispatch::Rewriter& rewriter) {
      shaders.Rewrite(call, down, rewriter);
    }
  void Rewrite(const C& call, C& down, dispatch::Rewriter& rewriter) {
    shader_objects_.Rewrite(call, down, rewriter);
  }
  template <class C>
    requires requires(const PipelineBinaries& binaries, const C& call, C& down, dispatch::Rewriter& rewriter) {
      binaries.Rewrite(call, down, rewriter);
    }
  void Rewrite(const C& call, C& down, dispatch::Rewriter& rewriter) {
    PipelineBinaries().Rewrite(call, down, rewriter);
  }
  void PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
    layouts_.PostCallRecord(call, result);
    context_.DeliverFailure();
  }
  template <class C>
    requires requires(Pipelines& pipelines, const C& call, VkResult result) { pipelines.PostCallRecord(call, result); }
  void PostCallRecord(const C& call, VkResult result) {
    pipelines_.PostCallRecord(call, result);
    context_.DeliverFailure();
  }
  template <class C>
    requires requires(ShaderObjects& shaders, const C& call, VkResult result) { shaders.PostCallRecord(call, result); }
  void PostCallRecord(const C& call, VkResult result) {
    shader_objects_.PostCallRecord(call, result);
    context_.DeliverFailure();
  }
  // The original may be made for it.
  void PostCallRecord(const vk::GetShaderBinaryDataEXT&, VkResult) { context_.DeliverFailure(); }
  void PreCallRecord(const vk::DestroyShaderModule& call) { pipelines_.PreCallRecord(call); }

  // Descriptors and addresses.
  void PostCallRecord(const vk::AllocateDescriptorSets& call, VkResult result) {
    sets_.PostCallRecord(call, result);
    context_.DeliverFailure();
  }
  template <class C>
    requires requires(SetTables& sets, const C& call) { sets.PostCallRecord(call); }
  void PostCallRecord(const C& call) {
    sets_.PostCallRecord(call);
  }
  template <class C>
    requires requires(AddressTables& addresses, const C& call, VkResult result) {
      addresses.PostCallRecord(call, result);
    }
  void PostCallRecord(const C& call, VkResult result) {
    addresses_.PostCallRecord(call, result);
    if constexpr (requires { call.pBindInfos; }) {
      for (uint32_t i = 0; i < call.bindInfoCount; ++i) structures_.OnBind(call.pBindInfos[i].buffer);
    } else {
      structures_.OnBind(call.buffer);
    }
  }
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
    addresses_.PostCallRecord(call, result);
    buffers_.PostCallRecord(call, result);
  }
  void PreCallRecord(const vk::DestroyBuffer& call) {
    addresses_.PreCallRecord(call);
    buffers_.PreCallRecord(call);
  }

  // Recording.
  template <Draws C>
  void PreCallRecord(const C& call, dispatch::Slot& slot) {
    DrawParameters draw = ParametersOf(call, context_.device().physical_device->limits);
    if constexpr (IndirectDraws<C>) {
      draw.is_copied = copies_draws_ && AddParameters(IndirectCommandOf(call), slot, VK_PIPELINE_BIND_POINT_GRAPHICS);
    }
    Record(C::kId, VK_PIPELINE_BIND_POINT_GRAPHICS, slot, &draw);
  }
  template <Dispatches C>
  void PreCallRecord(const C& call, dispatch::Slot& slot) {
    if constexpr (IndirectDispatches<C>) {
      if (copies_dispatches_) AddParameters(IndirectCommandOf(call), slot, VK_PIPELINE_BIND_POINT_COMPUTE);
    }
    Record(C::kId, VK_PIPELINE_BIND_POINT_COMPUTE, slot);
  }
  template <Traces C>
  void PreCallRecord(const C& call, dispatch::Slot& slot) {
    if constexpr (IndirectTraces<C>) {
      if (copies_traces_) AddParameters(IndirectCommandOf(call), slot, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
    }
    Record(C::kId, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, slot);
  }
  // Whichever of the pipelines and shader objects that are bound such commands use. The last address that is pushed is
  // the one that counts, so that those that they do use come last.
  template <Generates C>
  void PreCallRecord(const C& call, dispatch::Slot& slot) {
    const DrawParameters draw = {.is_indirect = true, .may_bind_vertex_buffers = true};
    const bool is_preprocessed = call.isPreprocessed == VK_TRUE && std::same_as<C, vk::CmdExecuteGeneratedCommandsEXT>;
    ForEachPoint(BindPointOf(call), [&](VkPipelineBindPoint point) {
      Recording* const recording = RecordingIn(slot);
      if (recording == nullptr) return;
      recording->markers().Mark(C::kId, point);
      if (is_preprocessed) return recording->AddUnchecked(point);
      recording->Add(C::kId, point, point == VK_PIPELINE_BIND_POINT_GRAPHICS ? &draw : nullptr);
    });
  }
  void PreCallRecord(const vk::CmdPushConstants& call, dispatch::Slot& slot) {
    NotePush(call.layout, call.offset, call.size, call.pValues, slot);
  }
  void PreCallRecord(const vk::CmdPushConstants2& call, dispatch::Slot& slot) {
    const VkPushConstantsInfo& info = *call.pPushConstantsInfo;
    NotePush(info.layout, info.offset, info.size, info.pValues, slot);
  }

  void PostCallRecord(const vk::CmdBindPipeline& call, dispatch::Slot& slot) {
    if (call.pipelineBindPoint != VK_PIPELINE_BIND_POINT_COMPUTE) return;
    if (Recording* const recording = RecordingIn(slot)) recording->OnBindCompute();
  }
  void PostCallRecord(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot) {
    const auto stages = absl::MakeSpan(call.pStages, call.stageCount);
    if (std::ranges::find(stages, VK_SHADER_STAGE_COMPUTE_BIT) == stages.end()) return;
    if (Recording* const recording = RecordingIn(slot)) recording->OnBindCompute();
  }

  // Markers, copies of parameters, and what may follow commands that read parameters.
  template <class C>
    requires Orders<C> || ActsOtherwise<C> || BeginsRenderPass<C>
  void PreCallRecord(const C& call, dispatch::Slot& slot) {
    Recording* const recording = RecordingIn(slot);
    if (recording == nullptr) return;
    if constexpr (Orders<C> || BeginsRenderPass<C>) {
      recording->BeforeOrdering();
      recording->BeforeLayouts();
    }
    if constexpr (BeginsRenderPass<C>) {
      VkRenderingFlags flags = 0;
      if constexpr (requires { call.pRenderingInfo; }) flags = call.pRenderingInfo->flags;
      recording->OnBeginRendering(flags);
    }
    if constexpr (BuildsStructures<C>) {
      if (copies_builds_) recording->AddBuild(call);
    }
    if constexpr (CopiesToImage<C>) {
      if (copies_depths_) recording->AddDepths(call);
    }
    if constexpr (ActsOtherwise<C>) recording->markers().Mark(C::kId);
  }
  void PreCallRecord(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot);
  void PreCallRecord(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot);
  template <EndsRendering C>
  void PostCallRecord(const C&, dispatch::Slot& slot) {
    Recording* const recording = RecordingIn(slot);
    if (recording == nullptr) return;
    recording->OnEndRendering();
    recording->BeforeLayouts();
  }
  // A dependency between subpasses may let shaders write.
  template <class C>
    requires std::same_as<C, vk::CmdNextSubpass> || std::same_as<C, vk::CmdNextSubpass2>
  void PreCallRecord(const C&, dispatch::Slot& slot) {
    Recording* const recording = RecordingIn(slot);
    if (recording == nullptr) return;
    recording->BeforeBarrier(VK_ACCESS_2_SHADER_WRITE_BIT);
    recording->BeforeLayouts();
  }
  void PostCallRecord(const vk::CreateAccelerationStructureKHR& call, VkResult result) {
    structures_.PostCallRecord(call, result);
  }
  void PostCallRecord(const vk::GetAccelerationStructureDeviceAddressKHR& call, VkDeviceAddress address) {
    structures_.PostCallRecord(call, address);
  }
  void PreCallRecord(const vk::DestroyAccelerationStructureKHR& call) { structures_.PreCallRecord(call); }
  void PreCallRecord(const vk::CmdPreprocessGeneratedCommandsEXT& call) {
    const state::CommandBuffer* const buffer = state::DeviceState::Get(call.stateCommandBuffer);
    auto* const recording = buffer != nullptr ? buffer->Sub<Recording>() : nullptr;
    if (recording == nullptr) return;
    recording->BindApplicationsPipeline();
    ForEachPoint(BindPointOf(call), [&](VkPipelineBindPoint point) { recording->AddUnchecked(point); });
  }
  void PreCallRecord(const vk::CmdExecuteCommands& call, dispatch::Slot& slot);
  void PreCallRecord(const vk::EndCommandBuffer& call, dispatch::Slot& slot);
  // What failed while commands were recorded has its message here.
  void PostCallRecord(const vk::EndCommandBuffer&, VkResult) { context_.DeliverFailure(); }

  // Submission and completion.
  void PreCallRecord(const vk::QueueSubmit& call);
  void PreCallRecord(const vk::QueueSubmit2& call);
  void PostCallRecord(const vk::QueueSubmit& call, VkResult result);
  void PostCallRecord(const vk::QueueSubmit2& call, VkResult result);
  void PostCallRecord(const vk::WaitForFences& call, VkResult result);
  void PostCallRecord(const vk::GetFenceStatus& call, VkResult result);
  void PostCallRecord(const vk::WaitSemaphores& call, VkResult result);
  void PostCallRecord(const vk::GetSemaphoreCounterValue& call, VkResult result);
  void PostCallRecord(const vk::QueueWaitIdle& call, VkResult result);
  void PostCallRecord(const vk::DeviceWaitIdle& call, VkResult result);
  void PostCallRecord(const vk::QueuePresentKHR& call, VkResult result);
  // Others say nothing of completion.
  template <class C>
    requires MayFindLoss<C>
  void PostCallRecord(const C&, VkResult result) {
    if (result == VK_ERROR_DEVICE_LOST) Report(completion_.CollectLost(), C::kId);
  }
  void PreCallRecord(const vk::DestroyDevice& call);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  // The last is the one that generated commands use.
  template <class F>
  static void ForEachPoint(VkPipelineBindPoint last, const F& f) {
    for (const VkPipelineBindPoint point :
         {VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR}) {
      if (point != last) f(point);
    }
    f(last);
  }
  // Null if there is none.
  static Recording* RecordingIn(dispatch::Slot& slot) {
    const state::CommandBuffer* buffer = state::DeviceState::CommandBufferIn(slot);
    return buffer != nullptr ? buffer->Sub<Recording>() : nullptr;
  }
  void Record(vk::CommandId command, VkPipelineBindPoint point, dispatch::Slot& slot,
              const DrawParameters* draw = nullptr) {
    Recording* const recording = RecordingIn(slot);
    if (recording == nullptr) return;
    recording->markers().Mark(command, point);
    recording->Add(command, point, draw);
  }
  void NotePush(VkPipelineLayout layout, uint32_t offset, uint32_t size, const void* values, dispatch::Slot& slot) {
    if (!context_.pushes_addresses()) return;
    if (Recording* const recording = RecordingIn(slot)) recording->pushes().Note(layout, offset, size, values);
  }
  static bool AddParameters(const IndirectCommand& command, dispatch::Slot& slot, VkPipelineBindPoint point) {
    Recording* const recording = RecordingIn(slot);
    return recording != nullptr && recording->AddParameters(command, point);
  }
  // Makes what recordings need. False if shaders are not to be instrumented.
  bool Prepare();
  void BeforeSubmit(absl::Span<const VkCommandBuffer> command_buffers);
  void AfterSubmit(vk::CommandId command, VkQueue queue, VkResult result, VkFence fence, Completion::Signals signals);
  // What is complete after a command that returned this.
  Collected Collect(VkResult result);
  // Delivers messages, also about failures, so that no lock may be held. The command is the one that found all this.
  void Report(const Collected& collected, vk::CommandId command);

  Context context_;
  CommandChoice commands_;
  ChoiceHooks choice_hooks_;
  Memory read_memory_;
  Memory written_memory_;
  Memory instance_memory_;
  ReservedSet reserved_;
  // For pipelines of execution sets; without a layout where there may be none.
  ReservedSet fixed_;
  TableMemory tables_;
  ParameterBuffers buffers_;
  ShaderRegistry shaders_;
  CauseLimits limits_;
  Instrumenter instrumenter_;
  Completion completion_;
  // Null if layouts of images are not compared.
  const std::unique_ptr<ImageNumbers> image_numbers_;
  LayoutObserver layouts_of_executions_;
  SetTables sets_;
  StructureAddresses structures_;
  ReplacementPipeline replacement_pipeline_;
  const ReferenceReplacer replacer_;
  BuildHooks build_hooks_;
  AddressTables addresses_;
  KnownDescriptors known_;
  PipelineLayouts layouts_;
  Pipelines pipelines_;
  ShaderObjects shader_objects_;
  // Whether what such commands read is checked; copies_builds_ if anything is.
  const bool copies_builds_;
  const bool copies_draws_;
  const bool copies_dispatches_;
  const bool copies_traces_;
  const bool copies_depths_;
  const ExecutionMemory::Sources sources_;
  Sink sink_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_VALIDATOR_H_
