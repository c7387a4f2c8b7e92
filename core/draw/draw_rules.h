// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_DRAW_RULES_H_
#define ASSAY_CORE_DRAW_DRAW_RULES_H_

// What draws, dispatches and traces need bound and set.
//
// An *action command* uses the pipeline of its bind point, or shader objects. A recording keeps what is bound, and
// which dynamic states are set (DrawRecording). Of a pipeline is noted, when it is created, which states are dynamic,
// which it has itself, and the values of these (PipelineStates); binding it shares the note. So a draw compares sets of
// states:
//
//   needed and not set    One message for each missing state, under the rule of that state. The table of these rules is
//                         read from the specification (vk/dynamic_state_rules.h). A rule may depend on the values of
//                         other states: a depth bias is not needed while depthBiasEnable is false. Where a value is not
//                         known, the rule is not reported.
//   set and static        One message. The state was set after the pipeline was bound, which has it itself.
//
// Then the pipeline must be made for the render pass instance: for its render pass and subpass, or for the formats and
// views of dynamic rendering. Its fixed functions, and those that are set, must suit the attachments: no writes to an
// attachment in a read-only layout, the same number of samples, blending only where the format can, dynamic states for
// all of them (attachment_checks.cc, sample_checks.cc); and so must what the fragment shader writes (output_checks.cc).
// The values of states must suit each other, and the device (value_checks.cc). Each input of a vertex shader must have
// an attribute that suits it, and a buffer (vertex_checks.cc).
//
// A draw that follows a correct one of the same kind, with nothing bound or set between, is only compared with it.
//
// Generated commands are like the draw, dispatch or trace that ends each sequence of their layout. Where a sequence has
// pipelines, shaders or states of its own, nothing is compared; where it binds buffers or pushes constants, these are
// not (call_checks.cc).
//
// All action commands have these rules, under the same names. A check is written once and finds the id of its command
// in a table (action_rules.h).
//
// Nothing is reported of a pipeline that is not known, or where command buffers inherit what the queue has bound and
// set (commandBufferInheritance). What descriptors are is in core/descriptors. Of index buffers, the range of direct
// draws is compared; whether vertex buffers are large enough, and index buffers for other draws, is checked where
// shaders run (gpuav).

#include <array>
#include <cstdint>

#include "core/descriptors/bound_shaders.h"
#include "core/draw/action_rules.h"
#include "core/draw/set_values.h"
#include "core/formats/format_features.h"
#include "core/recording/recording_scope.h"
#include "core/set_layouts/handle_map.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// An action command that is being recorded.
struct Action {
  const ActionIds& ids;
  ActionForm form;
  const state::CommandBuffer& buffer;
  const RecordingScope& scope;
  messages::Report& report;
  // Whether the command certainly runs no shader.
  bool runs_nothing = false;
  // Whether a rule was broken.
  bool is_wrong = false;

  const DrawRecording& draw() const { return scope.draw; }
  // Whether the command has the rule.
  bool Has(ActionRule rule) const { return ids.Of(rule) != vk::kNoVuid; }
};

// Bytes of an index. 1 for what has none.
constexpr VkDeviceSize IndexSize(VkIndexType type) {
  return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
}

// The validator.
class DrawRules {
 public:
  // state must outlive it.
  explicit DrawRules(const state::DeviceState& state);

  template <ActionCommand C>
  void PreCallValidate(const C& call, dispatch::Slot& slot, messages::Report& report) const {
    const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
    RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr || inherits_ || buffer->recording_state != state::RecordingState::kRecording) return;
    if constexpr (GeneratedCommands<C>) CheckGenerated(call, *buffer, report);
    const std::optional<ActionForm> form = FormOf(call);
    if (!form) return;
    const auto begin = [&] { return Action{IdsOf<C>(*form), *form, *buffer, *scope, report}; };
    if constexpr (C::kId == vk::CommandId::kCmdDrawMeshTasksEXT)
      CheckGroups(begin(), {call.groupCountX, call.groupCountY, call.groupCountZ});
    if constexpr (C::kId == vk::CommandId::kCmdSubpassShadingHUAWEI) CheckSubpass(begin());
    if constexpr (TracesWithAddresses<C>) CheckTrace(begin(), ReadTrace(call));
    if constexpr (DispatchesGraph<C>) CheckGraph(begin(), ReadGraph(call));
    if constexpr (HasRule(C::kName, "None-04445")) {
      if (lacks_indirect_counts_) [[unlikely]]
        ReportIndirectCount(begin());
    }
    if constexpr (requires { call.baseGroupX; }) {
      if ((call.baseGroupX | call.baseGroupY | call.baseGroupZ) != 0) CheckGroupBase(begin());
    }
    // These depend on the parameters of each draw.
    if constexpr (DrawsIndices<C>) {
      const uint64_t end = checks_index_range_ ? IndexEnd(call) : 0;
      if (end * IndexSize(buffer->draw.index_type()) > buffer->draw.index_buffer().size) [[unlikely]]
        ReportIndices(begin(), end);
    }
    if constexpr (requires { call.firstInstance; }) {
      if (uint64_t{call.firstInstance} + call.instanceCount > instance_limit_ && !RunsNothing(call)) [[unlikely]]
        CheckInstances(begin(), call.firstInstance, call.instanceCount);
      if (call.firstInstance != 0 && may_need_first_instance_0_) [[unlikely]]
        CheckFirstInstance(begin(), call.firstInstance);
    }
    const uint64_t key = buffer->draw.key() + (uint64_t{buffer->rendering.version()} << 32);
    if (scope->draw.checked().Has(form->kind, key)) [[likely]]
      return;
    Action action = begin();
    action.runs_nothing = RunsNothing(call);
    Check(action);
    if (!action.is_wrong && !action.runs_nothing) scope->draw.SetChecked(form->kind, key);
  }

  void PreCallValidate(const vk::CmdInitializeGraphScratchMemoryAMDX& call, dispatch::Slot& slot,
                       messages::Report& report) const;

  template <SetsDynamicState C>
  void PostCallRecord(const C& call, dispatch::Slot& slot) {
    if (DrawRecording* const draw = RecordingIn(slot)) NoteState(call, *draw);
  }
  void PostCallRecord(const vk::CmdBindPipeline& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot);
  void PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult result);
  void PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult result);
  void PostCallRecord(const vk::CreateImage& call, VkResult result);
  void PreCallRecord(const vk::DestroyImage& call);

 private:
  static DrawRecording* RecordingIn(const dispatch::Slot& slot) {
    const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
    RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
    return scope != nullptr ? &scope->draw : nullptr;
  }

  // Parameters of a call: the last instance, with multiview; the numbers of groups of meshes.
  void CheckInstances(Action action, uint32_t first, uint32_t count) const;
  void CheckGroups(Action action, const std::array<uint32_t, 3>& counts) const;
  static void ReportIndirectCount(Action action);
  // That the dispatch may begin with another group than the first.
  static void CheckGroupBase(Action action);
  // That subpass shading is in a subpass for it.
  static void CheckSubpass(Action action);
  // The rules that other commands do not have.
  void CheckGenerated(const vk::CmdExecuteGeneratedCommandsEXT& call, const state::CommandBuffer& buffer,
                      messages::Report& report) const;
  void CheckGenerated(const vk::CmdExecuteGeneratedCommandsNV& call, const state::CommandBuffer& buffer,
                      messages::Report& report) const;

  void CheckTrace(Action action, const TraceCall& trace) const;
  void CheckGraph(Action action, const GraphCall& graph) const;
  void CheckTables(Action& action, const TraceCall& trace) const;
  // Whether the bytes are in a buffer, as far as their addresses are known.
  bool IsInBuffer(VkDeviceAddress address, VkDeviceSize bytes) const;

  void Check(Action& action) const;
  void CheckPipeline(Action& action) const;
  // What the code of its shaders has.
  static void CheckCode(Action& action);
  void CheckShaders(Action& action) const;
  // Whether the shader objects are a combination that can draw.
  void CheckShaderStages(Action& action) const;
  // Whether shader objects that are bound fit each other.
  void CheckLinkedShaders(Action& action) const;
  void CheckNeededStates(Action& action) const;
  void CheckBlendConstants(Action& action) const;
  // What shader objects that output lines need set, but for the states that are reported.
  void CheckLineStates(Action& action, const StateSet& reported) const;
  // The numbers of viewports and scissors.
  void CheckCounts(Action& action) const;
  // Vertex and index buffers, and the attributes that are read from them.
  void CheckBuffers(Action& action) const;
  void CheckFirstInstance(Action action, uint32_t first) const;
  // That the indices up to that one are not all in the bound range of the index buffer.
  static void ReportIndices(Action action, uint64_t end);
  // Whether the pipeline is made for the current render pass instance.
  void CheckRendering(Action& action) const;
  void CheckDynamicRendering(Action& action, const state::GraphicsState& pipeline) const;
  void CheckPipelineFlags(Action& action, VkPipelineCreateFlags2 flags) const;
  // Whether the fixed functions and the attachments fit each other.
  void CheckAttachments(Action& action) const;
  // Sample locations and coverage. The pipeline is null for shader objects.
  void CheckSamples(Action& action, const state::Pipeline* pipeline) const;
  // Values of states: numbers of viewports, lines, topologies. Active queries.
  void CheckValues(Action& action) const;
  // The outputs of the fragment shader, and what else it and the attachments decide. As CheckSamples().
  void CheckOutputs(Action& action, const state::Pipeline* pipeline) const;
  // Whether a rule of vk::kDynamicStateRules applies, whatever has been set.
  bool Applies(const vk::DynamicStateRule& rule, const Action& action) const;

  const state::DeviceState& state_;
  const dispatch::Device& device_;
  const bool has_shader_objects_;
  const bool inherits_;
  // Whether the feature drawIndirectCount is not enabled.
  const bool lacks_indirect_counts_;
  // Whether the feature robustBufferAccess2 is not enabled.
  const bool checks_index_range_;
  // Whether supportsNonZeroFirstInstance is VK_FALSE.
  const bool may_need_first_instance_0_;
  const FormatFeatures features_;
  // One more than maxMultiviewInstanceIndex.
  const uint64_t instance_limit_;
  // Null if the device has none.
  const VkPhysicalDeviceMeshShaderPropertiesEXT* const mesh_limits_;
  const VkPhysicalDeviceRayTracingPipelinePropertiesKHR* const trace_limits_;
  // By index in vk::kDynamicStateRules: whether the device has the features and extensions of the rule.
  std::array<bool, vk::kDynamicStateRuleCount> enabled_;
  // The same for shader objects, if a command can set the state.
  std::array<bool, vk::kDynamicStateRuleCount> enabled_for_shaders_;
  // The states that some shader objects need.
  StateSet shader_states_;
  // VkExternalFormatANDROID::externalFormat of images that have one.
  HandleMap<uint64_t> external_formats_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_DRAW_RULES_H_
