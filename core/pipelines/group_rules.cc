// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of shader groups (VkGraphicsPipelineShaderGroupsCreateInfoNV). A group is checked as a pipeline of its own: the
// create info with the group's stages, vertex input and tessellation. What the create info itself breaks is not
// reported again.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/pipelines/pipeline_rule.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;
using Group = VkGraphicsShaderGroupCreateInfoNV;
using Groups = VkGraphicsPipelineShaderGroupsCreateInfoNV;

constexpr VkShaderStageFlags kMesh = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;

VkShaderStageFlags StagesOf(const Group& group) {
  VkShaderStageFlags stages = 0;
  for (const auto& shader : state::Items(group.pStages, group.stageCount)) stages |= shader.stage;
  return stages;
}
bool IsMesh(VkShaderStageFlags stages) { return (stages & kMesh) != 0; }

// Whether both have the same elements, in any order.
template <class T, class Equal>
bool HaveSame(absl::Span<const T> a, absl::Span<const T> b, const Equal& equal) {
  const auto is_in_b = [&](const T& x) { return std::ranges::any_of(b, [&](const T& y) { return equal(x, y); }); };
  return a.size() == b.size() && std::ranges::all_of(a, is_in_b);
}
bool AreSame(const VkPipelineVertexInputStateCreateInfo& a, const VkPipelineVertexInputStateCreateInfo& b) {
  const auto same_binding = [](const auto& x, const auto& y) {
    return x.binding == y.binding && x.stride == y.stride && x.inputRate == y.inputRate;
  };
  const auto same_attribute = [](const auto& x, const auto& y) {
    return x.location == y.location && x.binding == y.binding && x.format == y.format && x.offset == y.offset;
  };
  return HaveSame(state::Items(a.pVertexBindingDescriptions, a.vertexBindingDescriptionCount),
                  state::Items(b.pVertexBindingDescriptions, b.vertexBindingDescriptionCount), same_binding) &&
         HaveSame(state::Items(a.pVertexAttributeDescriptions, a.vertexAttributeDescriptionCount),
                  state::Items(b.pVertexAttributeDescriptions, b.vertexAttributeDescriptionCount), same_attribute);
}

// What the first group and the create info do not have in common. Equal shaders may be in different modules.
Result CompareFirst(const Group& group, const GraphicsView& view) {
  const VkShaderStageFlags stages = StagesOf(group);
  if (stages != view.stages) {
    return Wrong(
        absl::StrCat("has the stages 0x", absl::Hex(stages), ", but the pipeline has 0x", absl::Hex(view.stages), "."));
  }
  const bool has_input = view.vertex_input != nullptr && vk::IsAddress(group.pVertexInputState) &&
                         !view.IsDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
  if (has_input && !AreSame(*group.pVertexInputState, *view.vertex_input))
    return Wrong("has a pVertexInputState that differs from that of the pipeline.");
  const bool has_patches = view.tessellation != nullptr && vk::IsAddress(group.pTessellationState);
  if (has_patches && group.pTessellationState->patchControlPoints != view.tessellation->patchControlPoints)
    return Wrong("has a pTessellationState that differs from that of the pipeline.");
  return kFine;
}

// What a pipeline, whose groups are added, and the create info do not have in common: some of the state that both know.
Result CompareState(const state::GraphicsState& other, const GraphicsView& view) {
  using enum state::FixedFunction;
  if (other.dynamic_states != view.dynamic) return Wrong("was created with other dynamic states.");
  const auto is_static = [&](state::FixedFunction f) { return (other.dynamic_functions & state::BitOf(f)) == 0; };
  if (view.assembly != nullptr && is_static(kTopology) && other.functions.topology != view.assembly->topology)
    return Wrong("was created with another topology.");
  if (view.rasterization != nullptr && is_static(kCullMode) &&
      other.functions.cull_mode != view.rasterization->cullMode) {
    return Wrong("was created with another cullMode.");
  }
  if (view.StaticSamples() != 0 && is_static(kSamples) && other.functions.samples != view.StaticSamples())
    return Wrong("was created with other rasterizationSamples.");
  return other.view_mask != view.view_mask ? Wrong("was created with another view mask.") : kFine;
}

constexpr vk::VuidIndex kStagesId = Vuid("VUID-VkGraphicsShaderGroupCreateInfoNV-pStages-02889");
constexpr vk::VuidIndex kInputId = Vuid("VUID-VkGraphicsShaderGroupCreateInfoNV-pVertexInputState-02890");
constexpr vk::VuidIndex kTessellationId = Vuid("VUID-VkGraphicsShaderGroupCreateInfoNV-pTessellationState-02891");

class GroupCheck {
 public:
  GroupCheck(const GraphicsView& view, const ShaderFactsCache* cache, const Location& where, messages::Report& report)
      : view_(view), cache_(cache), where_(where), report_(report) {}

  void CheckGroups(absl::Span<const Group> groups) {
    for (uint32_t i = 0; i < groups.size(); ++i) {
      const Location at = where_.Dot("pGroups", i);
      if (i == 0 ? IsFirst(groups[0], at) : IsLike(groups[0], groups[i], at)) CheckAlone(groups[i], at);
    }
  }
  void CheckPipelines(absl::Span<const VkPipeline> pipelines) {
    for (uint32_t i = 0; i < pipelines.size(); ++i) {
      const auto* pipeline = state::DeviceState::Get<state::Pipeline>(pipelines[i]);
      if (pipeline == nullptr || pipeline->graphics == nullptr) continue;
      if (Result wrong = CompareState(*pipeline->graphics, view_)) {
        Report(Vuid("VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pPipelines-02886"), where_.Dot("pPipelines", i),
               *std::move(wrong));
      }
    }
  }
  void Report(vk::VuidIndex id, const Location& at, Finding finding) {
    ReportFinding(id, "", std::move(finding), view_, at, report_);
  }

 private:
  bool IsFirst(const Group& group, const Location& at) {
    Result wrong = CompareFirst(group, view_);
    if (!wrong) return true;
    Report(Vuid("VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02881"), at, *std::move(wrong));
    return false;
  }
  bool IsLike(const Group& first, const Group& group, const Location& at) {
    const VkShaderStageFlags wanted = StagesOf(first);
    const VkShaderStageFlags stages = StagesOf(group);
    if (IsMesh(stages) != IsMesh(wanted)) {
      Report(Vuid("VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02885"), at,
             {absl::StrCat(IsMesh(stages) ? "has" : "has no", " mesh shader, unlike the first group.")});
      return false;
    }
    if (stages == wanted || IsMesh(stages)) return true;
    Report(
        Vuid("VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02884"), at,
        {absl::StrCat("has the stages 0x", absl::Hex(stages), ", but the first group has 0x", absl::Hex(wanted), ".")});
    return false;
  }
  // As a pipeline of its own.
  void CheckAlone(const Group& group, const Location& at) {
    VkGraphicsPipelineCreateInfo info = view_.info;
    info.stageCount = group.stageCount;
    info.pStages = group.pStages;
    info.pVertexInputState = group.pVertexInputState;
    info.pTessellationState = group.pTessellationState;
    const GraphicsView alone(view_.device, info, {}, view_.layout, cache_);
    for (const auto& rules : {StageRules(), VertexInputRules(), ShaderRules(), FragmentShaderRules()}) {
      for (const PipelineRule& rule : rules) {
        Result wrong = rule.check(alone);
        if (wrong && !rule.check(view_)) ReportAlone(rule, *std::move(wrong), at);
      }
    }
  }
  void ReportAlone(const PipelineRule& rule, Finding finding, const Location& at) {
    // An implicit rule has the number of stages.
    if (rule.where == "stageCount") return;
    const auto report = [&](vk::VuidIndex id) {
      const bool is_own = !vk::GetVuid(rule.id).id.starts_with("VUID-VkGraphicsPipelineCreateInfo-");
      ReportFinding(is_own ? rule.id : id, rule.where, std::move(finding), view_, at, report_);
    };
    if (rule.where.starts_with("pStages")) return report(kStagesId);
    if (rule.where.starts_with("pVertexInputState")) return report(kInputId);
    if (rule.where.starts_with("pTessellationState")) return report(kTessellationId);
    finding.text = absl::StrCat("does not fit the pipeline's ", rule.where, ", which ", finding.text);
    Report(Vuid("VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02882"), at, std::move(finding));
  }

  const GraphicsView& view_;
  const ShaderFactsCache* cache_;
  const Location& where_;
  messages::Report& report_;
};

}  // namespace

void CheckShaderGroups(const GraphicsView& view, const HandleMap<uint32_t>& group_counts, const ShaderFactsCache* cache,
                       const Location& where, messages::Report& report) {
  const auto* groups = view.Chained<Groups>();
  if (groups == nullptr || view.parts != state::GraphicsState::kAllParts || !view.libraries.empty()) return;
  const Location structure = where.Next("VkGraphicsPipelineShaderGroupsCreateInfoNV");
  GroupCheck check(view, cache, structure, report);
  const auto* limits = view.Properties<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV>();
  const uint32_t most = limits != nullptr ? limits->maxGraphicsShaderGroupCount : 0;
  const auto pipelines = state::Items(groups->pPipelines, groups->pipelineCount);
  uint64_t sum = groups->groupCount;
  for (const VkPipeline pipeline : pipelines) sum += group_counts.Find(pipeline).value_or(0);
  if (most != 0 && groups->groupCount > most) {
    check.Report(Vuid("VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-groupCount-02879"), structure.Dot("groupCount"),
                 {Value(groups->groupCount, absl::StrCat("is larger than maxGraphicsShaderGroupCount (", most, ")."))});
  } else if (most != 0 && sum > most) {
    check.Report(Vuid("VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-groupCount-02880"), structure.Dot("groupCount"),
                 {Value(groups->groupCount, absl::StrCat("and the groups of pPipelines are ", sum,
                                                         ", more than maxGraphicsShaderGroupCount (", most, ")."))});
  }
  check.CheckGroups(state::Items(groups->pGroups, groups->groupCount));
  check.CheckPipelines(pipelines);
}

}  // namespace assay::core
