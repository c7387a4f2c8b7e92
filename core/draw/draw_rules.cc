// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/draw_rules.h"

#include <algorithm>
#include <memory>

#include "core/draw/pipeline_states.h"
#include "vk/chain.h"
#include "vk/command_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

std::optional<DrawRecording::BindPoint> BindPointOf(VkPipelineBindPoint point) {
  for (uint8_t i = 0; i < DrawRecording::kBindPoints; ++i) {
    const auto known = static_cast<DrawRecording::BindPoint>(i);
    if (PointOf(known) == point) return known;
  }
  return std::nullopt;
}

// Whether the device has the command by its own name. A state that no command can set is needed by no shader object.
bool HasCommand(const dispatch::Device& device, vk::CommandId id) {
  const vk::CommandInfo& command = vk::GetCommandInfo(id);
  if (command.core_version != 0 && command.core_version <= device.api_version) return true;
  return std::ranges::any_of(command.extensions, [&](uint16_t extension) {
    return device.IsEnabled(static_cast<vk::ExtensionId>(extension));
  });
}

uint64_t InstanceLimit(const dispatch::Device& device) {
  const auto* const limits = device.physical_device->Find<VkPhysicalDeviceMultiviewProperties>();
  return limits != nullptr ? uint64_t{limits->maxMultiviewInstanceIndex} + 1 : ~uint64_t{0};
}

// Whether divisors other than 1 go with no other first instance than 0.
bool LacksFirstInstances(const dispatch::Device& device) {
  const auto* const limits = device.physical_device->Find<VkPhysicalDeviceVertexAttributeDivisorProperties>();
  return limits != nullptr && limits->supportsNonZeroFirstInstance == VK_FALSE;
}

template <class C>
void NotePipelines(const C& call) {
  for (uint32_t i = 0; call.pPipelines != nullptr && i < call.createInfoCount; ++i) {
    auto* const pipeline = state::DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    if (pipeline != nullptr) pipeline->core_data = ReadPipelineStates(call.pCreateInfos[i], *pipeline);
  }
}

}  // namespace

DrawRules::DrawRules(const state::DeviceState& state)
    : state_(state),
      device_(state.device()),
      has_shader_objects_(device_.HasFeature(vk::FeatureId::kShaderObject)),
      inherits_(device_.HasFeature(vk::FeatureId::kCommandBufferInheritance)),
      lacks_indirect_counts_(!device_.HasFeature(vk::FeatureId::kDrawIndirectCount)),
      checks_index_range_(!device_.HasFeature(vk::FeatureId::kRobustBufferAccess2)),
      may_need_first_instance_0_(LacksFirstInstances(device_)),
      features_(device_),
      instance_limit_(InstanceLimit(device_)),
      mesh_limits_(device_.physical_device->Find<VkPhysicalDeviceMeshShaderPropertiesEXT>()),
      trace_limits_(device_.physical_device->Find<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>()) {
  for (size_t i = 0; i < vk::kDynamicStateRuleCount; ++i) {
    const vk::DynamicStateRule& rule = vk::kDynamicStateRules[i];
    const auto features = absl::MakeConstSpan(rule.features).first(rule.feature_count);
    const bool has_feature =
        features.empty() || std::ranges::any_of(features, [&](vk::FeatureId f) { return device_.HasFeature(f); });
    enabled_[i] = has_feature && (!rule.extension || device_.IsEnabled(*rule.extension));
    enabled_for_shaders_[i] = enabled_[i] && rule.shader_stages != 0 && HasCommand(device_, rule.setter);
    if (enabled_for_shaders_[i]) shader_states_.Add(rule.needed[0]);
  }
  shader_states_.Add(IndexOf(VK_DYNAMIC_STATE_BLEND_CONSTANTS));
}

void DrawRules::PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult) { NotePipelines(call); }
void DrawRules::PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult) { NotePipelines(call); }

void DrawRules::PostCallRecord(const vk::CreateImage& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const auto* const external = vk::FindInChain<VkExternalFormatANDROID>(call.pCreateInfo->pNext);
  if (external != nullptr && external->externalFormat != 0)
    external_formats_.Set(*call.pImage, external->externalFormat);
}
void DrawRules::PreCallRecord(const vk::DestroyImage& call) { external_formats_.Erase(call.image); }

void DrawRules::PostCallRecord(const vk::CmdBindPipeline& call, dispatch::Slot& slot) {
  DrawRecording* const draw = RecordingIn(slot);
  const auto point = BindPointOf(call.pipelineBindPoint);
  if (draw == nullptr || !point) return;
  const auto* const pipeline = state::DeviceState::Get<state::Pipeline>(call.pipeline);
  draw->BindPipeline(
      *point, pipeline != nullptr ? std::static_pointer_cast<const PipelineStates>(pipeline->core_data) : nullptr);
}

void DrawRules::PostCallRecord(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot) {
  DrawRecording* const draw = RecordingIn(slot);
  if (draw == nullptr || call.pStages == nullptr) return;
  for (uint32_t i = 0; i < call.stageCount; ++i) draw->BindShader(call.pStages[i]);
}

}  // namespace assay::core
