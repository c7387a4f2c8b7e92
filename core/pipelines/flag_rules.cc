// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of flags, of a subpass's flags, and of what pipelines consist of besides.

#include <algorithm>
#include <cstdint>

#include "core/pipelines/pipeline_rule.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using F = vk::FeatureId;

Result If(bool is_wrong, std::string_view text) { return is_wrong ? Wrong(std::string(text)) : kFine; }

VkPipelineCreateFlags KnownFlags() {
  static const VkPipelineCreateFlags known = [] {
    VkPipelineCreateFlags all = 0;
    for (const vk::EnumValue& value : vk::FindEnumInfo("VkPipelineCreateFlagBits")->values)
      all |= static_cast<VkPipelineCreateFlags>(value.value);
    return all;
  }();
  return known;
}
Result CheckKnownFlags(const View& view) {
  const VkPipelineCreateFlags unknown = view.info.flags & ~KnownFlags();
  const bool is_read =
      view.Chained<VkPipelineCreateFlags2CreateInfo>() == nullptr && !view.device.has_unknown_extensions;
  return is_read && unknown != 0 ? Wrong(absl::StrCat("has bits that are no flags (0x", absl::Hex(unknown), ")."))
                                 : kFine;
}
Result CheckIndirectBindable(const View& view) {
  return If(view.HasFlag(VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT) && !view.Has(F::kDeviceGeneratedCommands),
            "has VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT, which needs the feature deviceGeneratedCommands.");
}
constexpr VkPipelineCreateFlags2 kGraph = VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX;
Result CheckGraphStages(const View& view) {
  return If(view.HasFlag(kGraph) && view.Requires(kPreRasterization) &&
                view.HasStage(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TASK_BIT_EXT),
            "has VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX, but there is a vertex or task shader.");
}
Result CheckGraphLibraries(const View& view) {
  for (const LinkedLibrary& library : view.libraries) {
    if (view.HasFlag(kGraph) && (library.pipeline->flags & kGraph) == 0)
      return Wrong("was created without VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX.", "", library.index);
  }
  return kFine;
}

// Groups of shaders of VK_NV_device_generated_commands.
Result CheckGroups(const View& view) {
  const auto* groups = view.Chained<VkGraphicsPipelineShaderGroupsCreateInfoNV>();
  const bool is_whole = view.parts == state::GraphicsState::kAllParts && view.libraries.empty();
  return If(groups != nullptr && !is_whole && (groups->groupCount != 0 || groups->pipelineCount != 0),
            "has groups or pipelines, but the pipeline has libraries or not all of its state.");
}

// Subpasses that resolve with shaders.
const state::Subpass* ResolvingSubpass(const View& view) {
  const bool is_one =
      view.subpass != nullptr && (view.subpass->flags & VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM) != 0;
  return is_one ? view.subpass : nullptr;
}
Result CheckLastSubpass(const View& view) {
  if (ResolvingSubpass(view) == nullptr) return kFine;
  const auto& dependencies = view.render_pass->dependencies;
  const bool has_later = std::ranges::any_of(dependencies, [&](const state::SubpassDependency& dependency) {
    return dependency.src_subpass == view.info.subpass && dependency.dst_subpass != view.info.subpass &&
           dependency.dst_subpass != VK_SUBPASS_EXTERNAL;
  });
  return has_later ? Wrong(Value(view.info.subpass,
                                 "has VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM, but a later "
                                 "subpass depends on it."))
                   : kFine;
}
Result CheckNoResolves(const View& view) {
  const state::Subpass* subpass = ResolvingSubpass(view);
  return subpass != nullptr && std::ranges::any_of(subpass->resolves, &state::AttachmentReference::is_used)
             ? Wrong(Value(view.info.subpass,
                           "has VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM, but resolve attachments, too."))
             : kFine;
}

// Whether descriptors of the type count for maxPerStageResources.
bool IsResource(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return true;
    default:
      return false;
  }
}
// Descriptors that a stage has. Those of sets that are updated after binding have a limit of their own.
uint64_t CountResources(const LayoutFacts& layout, VkShaderStageFlags stage) {
  uint64_t count = 0;
  for (const LayoutFacts::Set& set : layout.sets) {
    if (!set.layout || (set.layout->create_flags() & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT) != 0)
      continue;
    for (const state::DescriptorSetLayout::Binding& binding : set.layout->bindings()) {
      if ((binding.stages & stage) != 0 && IsResource(binding.type)) count += binding.count;
    }
  }
  return count;
}
Result CheckResources(const View& view) {
  const uint32_t most = view.device.physical_device->limits.maxPerStageResources;
  if (view.layout == nullptr || most == 0) return kFine;
  for (const VkPipelineShaderStageCreateInfo& shader : view.shaders) {
    const uint64_t count = CountResources(*view.layout, shader.stage);
    if (count > most) {
      return Wrong(absl::StrCat("has ", count, " resources for ", vk::ToString(shader.stage),
                                ", more than maxPerStageResources (", most, ")."));
    }
  }
  return kFine;
}

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-09497"), "flags", CheckKnownFlags},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-11000"), "flags", CheckIndirectBindable},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-10190"), "flags", CheckGraphStages},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-10191"), "pNext<VkPipelineLibraryCreateInfoKHR>.pLibraries[]",
     CheckGraphLibraries},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-libraryCount-06648"), "pNext<VkGraphicsPipelineShaderGroupsCreateInfoNV>",
     CheckGroups},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-04901"), "subpass", CheckLastSubpass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-04902"), "subpass", CheckNoResolves},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-layout-01688"), "layout", CheckResources},
};

}  // namespace

absl::Span<const PipelineRule> FlagRules() { return kRules; }

}  // namespace assay::core
