// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/interface_rules.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/interfaces/pipeline_stages.h"
#include "state/pipelines/create_info.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

constexpr LayoutIds kGraphicsLayout = {
    .range = vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-layout-07987"),
    .range_size = vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-layout-10069"),
    .binding = vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-layout-07988"),
    .type = vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-layout-07990"),
    .count = vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-layout-07991"),
};
constexpr LayoutIds kComputeLayout = {
    .range = vk::Vuid("VUID-VkComputePipelineCreateInfo-layout-07987"),
    .range_size = vk::Vuid("VUID-VkComputePipelineCreateInfo-layout-10069"),
    .binding = vk::Vuid("VUID-VkComputePipelineCreateInfo-layout-07988"),
    .type = vk::Vuid("VUID-VkComputePipelineCreateInfo-layout-07990"),
    .count = vk::Vuid("VUID-VkComputePipelineCreateInfo-layout-07991"),
    .block_array = vk::Vuid("VUID-VkComputePipelineCreateInfo-None-10391"),
};
constexpr LayoutIds kRayTracingLayout = {
    .range = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-layout-07987"),
    .range_size = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-layout-10069"),
    .binding = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-layout-07988"),
    .type = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-layout-07990"),
    .count = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-layout-07991"),
    .block_array = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-None-10391"),
};
constexpr LayoutIds kRayTracingLayoutNv = {
    .range = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoNV-layout-07987"),
    .range_size = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoNV-layout-10069"),
    .binding = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoNV-layout-07988"),
    .type = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoNV-layout-07990"),
    .count = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoNV-layout-07991"),
    .block_array = vk::Vuid("VUID-VkRayTracingPipelineCreateInfoNV-None-10391"),
};
constexpr LayoutIds kGraphLayout = {
    .range = vk::Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-layout-07987"),
    .range_size = vk::Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-layout-10069"),
    .binding = vk::Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-layout-07988"),
    .type = vk::Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-layout-07990"),
    .count = vk::Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-layout-07991"),
    .block_array = vk::Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-None-10391"),
};
constexpr LayoutIds kObjectLayout = {
    .range = vk::Vuid("VUID-VkShaderCreateInfoEXT-codeType-10064"),
    .range_size = vk::Vuid("VUID-VkShaderCreateInfoEXT-codeType-10065"),
    .binding = vk::Vuid("VUID-VkShaderCreateInfoEXT-codeType-10383"),
    .type = vk::Vuid("VUID-VkShaderCreateInfoEXT-codeType-10384"),
    .count = vk::Vuid("VUID-VkShaderCreateInfoEXT-codeType-10385"),
    .block_array = vk::Vuid("VUID-VkShaderCreateInfoEXT-codeType-10386"),
};
constexpr MatchingIds kGraphicsMatching = {vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-00742"),
                                           vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-None-04889")};

// Where stages are in a pipeline; -1 for stages that are in no graphics pipeline.
int OrderOf(VkShaderStageFlagBits stage) {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
    case VK_SHADER_STAGE_TASK_BIT_EXT:
      return 0;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    case VK_SHADER_STAGE_MESH_BIT_EXT:
      return 1;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return 2;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return 3;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return 4;
    default:
      return -1;
  }
}

}  // namespace

// Stages whose code is found, in the order in which they are added.
class InterfaceRules::Stages {
 public:
  explicit Stages(const InterfaceRules& rules) : rules_(rules) {}

  void Add(const VkPipelineShaderStageCreateInfo& info, const Location& where) {
    std::shared_ptr<state::ShaderCode> code = state::CodeOf(info, rules_.codes_);
    if (code == nullptr) return void(has_unknown_ = true);
    Add(info.stage, std::move(code), info.pName, info.pSpecializationInfo, info.module, where);
  }
  void Add(const VkShaderCreateInfoEXT& info, const Location& where) {
    if (info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) return void(has_unknown_ = true);
    auto code = rules_.codes_.Get(Items(static_cast<const uint32_t*>(info.pCode), info.codeSize / sizeof(uint32_t)));
    Add(info.stage, std::move(code), info.pName, info.pSpecializationInfo, VK_NULL_HANDLE, where);
  }

  // Compares neighbors, if all stages are known and fit into one pipeline.
  void Match(const MatchingIds& ids, Report& report) {
    if (has_unknown_) return;
    const auto is_before = [](const auto& a, const auto& b) { return OrderOf(a.stage) < OrderOf(b.stage); };
    // As they nearly always are.
    if (!std::is_sorted(stages_.begin(), stages_.end(), is_before))
      std::stable_sort(stages_.begin(), stages_.end(), is_before);
    for (size_t i = 0; i < stages_.size(); ++i) {
      const int order = OrderOf(stages_[i].stage);
      if (order < 0 || (i > 0 && order == OrderOf(stages_[i - 1].stage))) return;
    }
    CheckStages(stages_, rules_.maintenance4_, rules_.device_.physical_device->limits, ids, report);
  }
  void CheckLayouts(VkPipelineLayout handle, const LayoutIds& ids, Report& report) const {
    const auto* const state = DeviceState::Get<state::PipelineLayout>(handle);
    if (state == nullptr) return;
    StageLayout layout = {.handle = handle, .sets = {}, .ranges = state->push_constants};
    // What the pipeline does not say, since other libraries do, is null.
    for (const auto& set : state->set_layouts) layout.sets.push_back(set.get());
    CheckLayouts(layout, ids, report);
  }
  void CheckLayouts(const StageLayout& layout, const LayoutIds& ids, Report& report) const {
    for (const CheckedStage& stage : stages_) {
      CheckLayout(stage, layout, ids, report);
      CheckBlockMatches(stage, layout, report);
    }
  }
  // Adds the stages of another.
  void Add(Stages&& other) {
    has_unknown_ |= other.has_unknown_;
    std::move(other.stages_.begin(), other.stages_.end(), std::back_inserter(stages_));
  }
  const CheckedStage* Find(VkShaderStageFlagBits stage) const {
    for (const CheckedStage& candidate : stages_) {
      if (candidate.stage == stage) return &candidate;
    }
    return nullptr;
  }

 private:
  void Add(VkShaderStageFlagBits stage, std::shared_ptr<state::ShaderCode> code, const char* name,
           const VkSpecializationInfo* specialization, VkShaderModule module, const Location& where) {
    auto interface = rules_.cache_.Borrow(code, name, stage, specialization, InterfaceReader{stage});
    if (!interface->is_known) return void(has_unknown_ = true);
    stages_.push_back({stage, std::move(code), std::move(interface), module, where});
  }

  const InterfaceRules& rules_;
  CheckedStages stages_;
  bool has_unknown_ = false;
};

InterfaceRules::InterfaceRules(const state::DeviceState& state)
    : device_(state.device()),
      maintenance4_(device_.HasFeature(vk::FeatureId::kMaintenance4)),
      attribute_robustness_(device_.HasFeature(vk::FeatureId::kVertexAttributeRobustness)),
      needs_facts_(device_.IsEnabled(vk::ExtensionId::kExtSampleLocations) ||
                   device_.IsEnabled(vk::ExtensionId::kExtShaderTileImage) ||
                   device_.HasFeature(vk::FeatureId::kExternalFormatResolve)),
      codes_(state.shader_codes()),
      cache_(codes_),
      facts_(codes_) {}

void InterfaceRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) CheckGraphics(infos[i], command.Dot("pCreateInfos", i), report);
}

void InterfaceRules::CheckGraphics(const VkGraphicsPipelineCreateInfo& info, const Location& where,
                                   Report& report) const {
  if (state::HasBinaries(info.pNext)) return;
  const VkGraphicsPipelineLibraryFlagsEXT parts = state::OwnParts(info);
  const state::UsedStages used(info);
  Stages stages(*this);
  const auto infos = Items(info.pStages, info.stageCount);
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (used.Has(infos[i].stage)) stages.Add(infos[i], where.Dot("pStages", i));
  }
  stages.CheckLayouts(info.layout, kGraphicsLayout, report);
  stages.Match(kGraphicsMatching, report);
  const bool has_attributes = (parts & kVertexInput) != 0 && info.pVertexInputState != nullptr &&
                              !state::IsDynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
  if (const CheckedStage* vertex = stages.Find(VK_SHADER_STAGE_VERTEX_BIT); vertex != nullptr && has_attributes) {
    CheckVertexInput(*vertex, *info.pVertexInputState, attribute_robustness_, report);
  }
  const CheckedStage* const fragment = stages.Find(VK_SHADER_STAGE_FRAGMENT_BIT);
  if (fragment == nullptr) return;
  const auto* const render_pass = DeviceState::Get<state::RenderPass>(info.renderPass);
  const state::Subpass* const subpass = render_pass != nullptr ? render_pass->At(info.subpass) : nullptr;
  if (subpass != nullptr) CheckInputAspects(*fragment, *render_pass, *subpass, report);
  const bool has_multisample =
      (parts & kFragmentOutput) != 0 && !state::IsDynamic(info, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
  CheckFragment(*fragment, has_multisample && vk::IsAddress(info.pMultisampleState) ? info.pMultisampleState : nullptr,
                report);
}

void InterfaceRules::PreCallValidate(const vk::CreateComputePipelines& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (state::HasBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    Stages stages(*this);
    stages.Add(infos[i].stage, where.Dot("stage"));
    stages.CheckLayouts(infos[i].layout, kComputeLayout, report);
  }
}

template <class C>
void InterfaceRules::CheckAllStages(const C& call, const LayoutIds& ids, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (state::HasBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    Stages stages(*this);
    const auto own = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < own.size(); ++k) stages.Add(own[k], where.Dot("pStages", k));
    stages.CheckLayouts(infos[i].layout, ids, report);
  }
}
void InterfaceRules::PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, Report& report) const {
  CheckAllStages(call, kRayTracingLayout, report);
}
void InterfaceRules::PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, Report& report) const {
  CheckAllStages(call, kRayTracingLayoutNv, report);
}
void InterfaceRules::PreCallValidate(const vk::CreateExecutionGraphPipelinesAMDX& call, Report& report) const {
  CheckAllStages(call, kGraphLayout, report);
}

void InterfaceRules::PreCallValidate(const vk::CreateShadersEXT& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  Stages linked(*this);
  for (uint32_t i = 0; i < infos.size(); ++i) {
    Stages stage(*this);
    stage.Add(infos[i], command.Dot("pCreateInfos", i));
    StageLayout layout = {.ranges = Items(infos[i].pPushConstantRanges, infos[i].pushConstantRangeCount)};
    for (VkDescriptorSetLayout set : Items(infos[i].pSetLayouts, infos[i].setLayoutCount)) {
      layout.sets.push_back(DeviceState::Get<state::DescriptorSetLayout>(set));
    }
    stage.CheckLayouts(layout, kObjectLayout, report);
    if ((infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) != 0) linked.Add(std::move(stage));
  }
  // What has no id but that of a graphics pipeline has none here.
  linked.Match({}, report);
}

}  // namespace assay::core
