// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of draws and what is bound for them. Each call has its own, so that these are compared each time. The
// rules that commands that run generated ones have alone: nothing here depends on what the sequences bind and set.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

// By dimension; the last is that of their product.
using GroupRules = std::array<ActionRule, 4>;
constexpr GroupRules kTaskRules = {ActionRule("TaskEXT-07322"), ActionRule("TaskEXT-07323"),
                                   ActionRule("TaskEXT-07324"), ActionRule("TaskEXT-07325")};
constexpr GroupRules kMeshRules = {ActionRule("TaskEXT-07326"), ActionRule("TaskEXT-07327"),
                                   ActionRule("TaskEXT-07328"), ActionRule("TaskEXT-07329")};
constexpr std::string_view kGroupNames[] = {"groupCountX", "groupCountY", "groupCountZ"};

using state::DeviceState;
using state::GeneratedSequence;
using vk::Vuid;

// What both commands ask.
struct GeneratedCheck {
  const state::CommandBuffer& buffer;
  messages::Report& report;
  const GeneratedSequence* sequence;
  bool is_preprocessed;

  void Require(bool is_right, vk::VuidIndex rule, std::string_view text) const {
    if (!is_right)
      report.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}}, report.location(), std::string(text));
  }
  void RequireUnprotected(vk::VuidIndex rule) const {
    Require((buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) == 0, rule,
            "The command buffer is protected. Its pool has VK_COMMAND_POOL_CREATE_PROTECTED_BIT.");
  }
  void RequirePreprocessing(vk::VuidIndex rule) const {
    Require(sequence == nullptr || sequence->is_preprocessed || !is_preprocessed, rule,
            "isPreprocessed is VK_TRUE, but indirectCommandsLayout was not created with the flag for that.");
  }
  bool Draws() const {
    return sequence != nullptr && sequence->action >= GeneratedSequence::Action::kDraw &&
           sequence->action <= GeneratedSequence::Action::kDrawMeshes;
  }
  bool HasDensityMap() const {
    const auto* const pass = buffer.rendering.render_pass();
    return buffer.rendering.dynamic().fragment_density_map ||
           (pass != nullptr && pass->fragment_density_map.attachment != VK_ATTACHMENT_UNUSED);
  }
};

template <class T, class H>
const GeneratedSequence* SequenceOf(H layout) {
  const T* const state = DeviceState::Get<T>(layout);
  return state != nullptr ? &state->sequence : nullptr;
}

std::string StagesText(VkShaderStageFlags stages) {
  return vk::FlagsToString(vk::EnumId::kShaderStageFlagBits, stages);
}

}  // namespace

void DrawRules::CheckInstances(Action action, uint32_t first, uint32_t count) const {
  if (action.buffer.rendering.view_mask() == 0) return;
  Report(action, "maxMultiviewInstanceIndex-02688",
         absl::StrCat("firstInstance (", first, ") and instanceCount (", count,
                      ") give a last instance that is larger than maxMultiviewInstanceIndex (", instance_limit_ - 1,
                      "), in a render pass instance with multiview."));
}

void DrawRules::ReportIndirectCount(Action action) {
  Report(action, "None-04445", "The feature drawIndirectCount is not enabled.");
}

void DrawRules::CheckGroupBase(Action action) {
  const auto* const pipeline =
      action.draw().HasPipeline(DrawRecording::kCompute)
          ? DeviceState::Get<state::Pipeline>(action.buffer.At(VK_PIPELINE_BIND_POINT_COMPUTE).pipeline)
          : nullptr;
  const auto* const shader =
      (action.draw().called_stages() & VK_SHADER_STAGE_COMPUTE_BIT) != 0
          ? DeviceState::Get<state::Shader>(action.buffer.draw.shader(VK_SHADER_STAGE_COMPUTE_BIT))
          : nullptr;
  if (pipeline != nullptr && (pipeline->flags & VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT) == 0) {
    Report(action, "baseGroupX-00427",
           absl::StrCat("The base group is not 0, but ", PipelineText(action),
                        " is not created with VK_PIPELINE_CREATE_DISPATCH_BASE."));
  } else if (pipeline == nullptr && shader != nullptr &&
             (shader->flags & VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT) == 0) {
    Report(
        action, "baseGroupX-00427",
        "The base group is not 0, but the compute shader is not created with VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT.");
  }
}

void DrawRules::CheckSubpass(Action action) {
  const state::Subpass* const subpass = action.buffer.rendering.subpass();
  if (subpass == nullptr || subpass->bind_point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI) return;
  Report(action, "None-04931",
         absl::StrCat("The pipelineBindPoint of subpass ", action.buffer.rendering.subpass_index(), " is ",
                      vk::EnumName(vk::EnumId::kPipelineBindPoint, subpass->bind_point), "."));
}

void DrawRules::CheckGroups(Action action, const std::array<uint32_t, 3>& counts) const {
  const PipelineStates* const pipeline = action.draw().pipeline(action.form.point);
  const auto* const limits = mesh_limits_;
  if (limits == nullptr || pipeline == nullptr || (pipeline->stages & VK_SHADER_STAGE_MESH_BIT_EXT) == 0) return;
  const bool has_task = (pipeline->stages & VK_SHADER_STAGE_TASK_BIT_EXT) != 0;
  const GroupRules& rules = has_task ? kTaskRules : kMeshRules;
  const std::string_view name = has_task ? "maxTaskWorkGroup" : "maxMeshWorkGroup";
  const auto most = absl::MakeConstSpan(has_task ? limits->maxTaskWorkGroupCount : limits->maxMeshWorkGroupCount);
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] <= most[i]) continue;
    Report(action, rules[i],
           absl::StrCat(kGroupNames[i], " (", counts[i], ") is larger than ", name, "Count[", i, "] (", most[i], ")."));
  }
  const uint32_t total = has_task ? limits->maxTaskWorkGroupTotalCount : limits->maxMeshWorkGroupTotalCount;
  if (action.is_wrong || counts[2] == 0 || uint64_t{counts[0]} * counts[1] <= total / counts[2]) return;
  Report(action, rules[3],
         absl::StrCat("The product of groupCountX (", counts[0], "), groupCountY (", counts[1], ") and groupCountZ (",
                      counts[2], ") is larger than ", name, "TotalCount (", total, ")."));
}

void DrawRules::CheckGenerated(const vk::CmdExecuteGeneratedCommandsEXT& call, const state::CommandBuffer& buffer,
                               messages::Report& report) const {
  if (call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoEXT& info = *call.pGeneratedCommandsInfo;
  const GeneratedCheck check = {buffer, report,
                                SequenceOf<state::IndirectCommandsLayoutEXT>(info.indirectCommandsLayout),
                                call.isPreprocessed != VK_FALSE};
  check.RequireUnprotected(Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-commandBuffer-11045"));
  check.RequirePreprocessing(Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-isPreprocessed-11047"));
  check.Require(check.sequence == nullptr || !check.sequence->is_preprocessed || check.is_preprocessed,
                Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-indirectCommandsLayout-11141"),
                "isPreprocessed is VK_FALSE, but indirectCommandsLayout was created with "
                "VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT.");
  check.Require((buffer.usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) == 0,
                Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-commandBuffer-11143"),
                "The command buffer was begun with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT.");
  check.Require(!check.Draws() || !check.HasDensityMap(),
                Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-indirectCommandsLayout-11056"),
                "The generated commands draw, but the render pass has a fragment density map.");
  check.Require(
      buffer.rendering.view_mask() == 0, Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-None-11062"),
      absl::StrCat("The view mask of the render pass instance is ", buffer.rendering.view_mask(), ". It must be 0."));
  const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT>();
  if (limits == nullptr) return;
  if (buffer.draw.transform_feedback_is_active()) {
    check.Require(limits->deviceGeneratedCommandsTransformFeedback != VK_FALSE,
                  Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-deviceGeneratedCommandsTransformFeedback-11057"),
                  "Transform feedback is active, and deviceGeneratedCommandsTransformFeedback is VK_FALSE.");
    check.Require(info.indirectExecutionSet == VK_NULL_HANDLE,
                  Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-indirectExecutionSet-11058"),
                  "Transform feedback is active, and there is an indirectExecutionSet.");
  }
  const VkShaderStageFlags supported = limits->supportedIndirectCommandsShaderStages;
  check.Require((info.shaderStages & ~supported) == 0,
                Vuid("VUID-vkCmdExecuteGeneratedCommandsEXT-supportedIndirectCommandsShaderStages-11061"),
                absl::StrCat("shaderStages has ", StagesText(info.shaderStages & ~supported),
                             ", which supportedIndirectCommandsShaderStages does not have."));
}

void DrawRules::CheckGenerated(const vk::CmdExecuteGeneratedCommandsNV& call, const state::CommandBuffer& buffer,
                               messages::Report& report) const {
  if (call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoNV& info = *call.pGeneratedCommandsInfo;
  const GeneratedCheck check = {buffer, report,
                                SequenceOf<state::IndirectCommandsLayoutNV>(info.indirectCommandsLayout),
                                call.isPreprocessed != VK_FALSE};
  check.RequireUnprotected(Vuid("VUID-vkCmdExecuteGeneratedCommandsNV-commandBuffer-02970"));
  check.RequirePreprocessing(Vuid("VUID-vkCmdExecuteGeneratedCommandsNV-isPreprocessed-02908"));
  check.Require(!buffer.draw.transform_feedback_is_active(), Vuid("VUID-vkCmdExecuteGeneratedCommandsNV-None-02910"),
                "Transform feedback is active.");
  const bool may_differ = info.pipeline == VK_NULL_HANDLE || buffer.Sub<RecordingScope>()->draw.has_executed();
  check.Require(
      may_differ || buffer.At(info.pipelineBindPoint).pipeline == info.pipeline,
      Vuid("VUID-vkCmdExecuteGeneratedCommandsNV-pipeline-02909"),
      absl::StrCat("pipeline is not what is bound to ",
                   vk::EnumName(vk::EnumId::kPipelineBindPoint, info.pipelineBindPoint), ": ",
                   report.reporter().Describe(messages::Object(buffer.At(info.pipelineBindPoint).pipeline)), "."));
}

}  // namespace assay::core
