// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of vertex input, input assembly and tessellation.

#include <cstddef>
#include <string>
#include <utility>

#include "core/pipelines/pipeline_rule.h"
#include "core/pipelines/vertex_input/vertex_formats.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using F = vk::FeatureId;

const VkPhysicalDevicePortabilitySubsetPropertiesKHR* Portability(const View& view) {
  return view.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset)
             ? view.Properties<VkPhysicalDevicePortabilitySubsetPropertiesKHR>()
             : nullptr;
}

bool IsPortable(const View& view) { return view.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset); }

absl::Span<const VkVertexInputAttributeDescription> Attributes(const View& view) {
  if (view.vertex_input == nullptr) return {};
  return state::Items(view.vertex_input->pVertexAttributeDescriptions,
                      view.vertex_input->vertexAttributeDescriptionCount);
}
absl::Span<const VkVertexInputBindingDescription> Bindings(const View& view) {
  if (view.vertex_input == nullptr) return {};
  return state::Items(view.vertex_input->pVertexBindingDescriptions, view.vertex_input->vertexBindingDescriptionCount);
}

Result CheckVertexFormats(const View& view) {
  const auto attributes = Attributes(view);
  for (uint32_t i = 0; i < attributes.size(); ++i) {
    const VkFormat format = attributes[i].format;
    if (vk::GetFormatInfo(format) == nullptr ||
        (view.BufferFeatures(format) & VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT) != 0) {
      continue;
    }
    return Wrong(Value(format, "does not have VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT among its buffer features."), "", i);
  }
  return kFine;
}

Result CheckStrides(const View& view) {
  const auto* limits = Portability(view);
  if (limits == nullptr || limits->minVertexInputBindingStrideAlignment == 0) return kFine;
  if (view.IsDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE)) return kFine;
  const auto bindings = Bindings(view);
  const uint32_t alignment = limits->minVertexInputBindingStrideAlignment;
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    if (bindings[i].stride % alignment == 0 && bindings[i].stride >= alignment) continue;
    return Wrong(Value(bindings[i].stride, absl::StrCat("is not a multiple of minVertexInputBindingStrideAlignment (",
                                                        alignment, "), or less.")),
                 "", i);
  }
  return kFine;
}

// The first attribute that ends past the stride of its binding. Pipelines and commands have structures of their own.
template <class A, class B>
Result FindBeyondStride(absl::Span<const A> attributes, absl::Span<const B> bindings) {
  for (uint32_t i = 0; i < attributes.size(); ++i) {
    const vk::FormatInfo* format = vk::GetFormatInfo(attributes[i].format);
    for (const B& binding : bindings) {
      if (format == nullptr || binding.binding != attributes[i].binding) continue;
      const uint64_t end = uint64_t{attributes[i].offset} + format->block_size;
      if (end <= binding.stride) continue;
      return Wrong(
          absl::StrCat("ends at byte ", end, " of an element, past the stride (", binding.stride, ") of binding ",
                       binding.binding, ", but the feature vertexAttributeAccessBeyondStride is not enabled."),
          "", i);
    }
  }
  return kFine;
}
Result CheckAttributesInStride(const View& view) {
  if (!IsPortable(view) || view.Has(F::kVertexAttributeAccessBeyondStride)) return kFine;
  if (view.IsDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE)) return kFine;
  return FindBeyondStride(Attributes(view), Bindings(view));
}

Result CheckFans(const View& view) {
  const bool is_wrong = IsPortable(view) && !view.Has(F::kTriangleFans) && view.assembly != nullptr &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY) &&
                        view.assembly->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
  return is_wrong ? Wrong(Value(view.assembly->topology, "needs the feature triangleFans, which is not enabled."))
                  : kFine;
}

// Whether the static topology counts.
bool HasTopology(const View& view) {
  const auto* limits = view.Properties<VkPhysicalDeviceExtendedDynamicState3PropertiesEXT>();
  const bool is_free = limits != nullptr && limits->dynamicPrimitiveTopologyUnrestricted == VK_TRUE;
  return view.assembly != nullptr && view.Requires(kPreRasterization) && !view.shaders.empty() &&
         !(is_free && view.IsDynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY));
}
constexpr VkShaderStageFlags kTessellation =
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;

Result CheckDivisors(const View& view) {
  if (view.vertex_input == nullptr) return kFine;
  const auto* state = vk::FindInChain<VkPipelineVertexInputDivisorStateCreateInfo>(view.vertex_input->pNext);
  if (state == nullptr) return kFine;
  const auto divisors = state::Items(state->pVertexBindingDivisors, state->vertexBindingDivisorCount);
  for (uint32_t i = 0; i < divisors.size(); ++i) {
    for (const VkVertexInputBindingDescription& binding : Bindings(view)) {
      if (binding.binding != divisors[i].binding || binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE) continue;
      return Wrong(Value(binding.binding, absl::StrCat("is a binding with inputRate ", vk::ToString(binding.inputRate),
                                                       ", not INSTANCE.")),
                   "", i);
    }
  }
  return kFine;
}

Result CheckPatches(const View& view) {
  const bool is_wrong =
      HasTopology(view) && view.HasStage(kTessellation) && view.assembly->topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  return is_wrong ? Wrong(Value(view.assembly->topology,
                                "is not VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, but the pipeline has tessellation shaders."))
                  : kFine;
}
Result CheckNoPatches(const View& view) {
  const bool is_wrong =
      HasTopology(view) && !view.HasStage(kTessellation) && view.assembly->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  return is_wrong
             ? Wrong(Value(view.assembly->topology, "needs tessellation shaders, which the pipeline does not have."))
             : kFine;
}

Result CheckConservativeTopology(const View& view) {
  const auto* limits = view.Properties<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>();
  if (limits == nullptr || limits->conservativePointAndLineRasterization == VK_TRUE) return kFine;
  if (!HasTopology(view) || view.HasStage(VK_SHADER_STAGE_GEOMETRY_BIT | kTessellation)) return kFine;
  if (view.rasterization == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT))
    return kFine;
  const auto* mode = vk::FindInChain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(view.rasterization->pNext);
  const VkPrimitiveTopology topology = view.assembly->topology;
  if (mode == nullptr || mode->conservativeRasterizationMode == VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT ||
      topology > VK_PRIMITIVE_TOPOLOGY_LINE_STRIP) {
    return kFine;
  }
  return Wrong(absl::StrCat(Value(mode->conservativeRasterizationMode, "is not allowed for topology "), "(",
                            vk::ToString(topology), "), since conservativePointAndLineRasterization is VK_FALSE."));
}

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkVertexInputAttributeDescription-format-00623"),
     "pVertexInputState.pVertexAttributeDescriptions[].format", CheckVertexFormats},
    {Vuid("VUID-VkVertexInputBindingDescription-stride-04456"), "pVertexInputState.pVertexBindingDescriptions[].stride",
     CheckStrides},
    {Vuid("VUID-VkVertexInputAttributeDescription-vertexAttributeAccessBeyondStride-04457"),
     "pVertexInputState.pVertexAttributeDescriptions[]", CheckAttributesInStride},
    {Vuid("VUID-VkPipelineInputAssemblyStateCreateInfo-triangleFans-04452"), "pInputAssemblyState.topology", CheckFans},
    {Vuid("VUID-VkVertexInputBindingDivisorDescription-inputRate-01871"),
     "pVertexInputState.pNext<VkPipelineVertexInputDivisorStateCreateInfo>.pVertexBindingDivisors[].binding",
     CheckDivisors},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-08888"), "pInputAssemblyState.topology", CheckPatches},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-topology-08889"), "pInputAssemblyState.topology", CheckNoPatches},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-conservativePointAndLineRasterization-08892"),
     "pRasterizationState.pNext<VkPipelineRasterizationConservativeStateCreateInfoEXT>.conservativeRasterizationMode",
     CheckConservativeTopology},
};

}  // namespace

absl::Span<const PipelineRule> VertexInputRules() { return kRules; }

void CheckVertexInput(const vk::CmdSetVertexInputEXT& call, const dispatch::Device& device,
                      const VertexFormats& formats, messages::Report& report) {
  const messages::Location command = report.location();
  const auto error = [&](vk::VuidIndex id, std::string_view array, uint32_t i, std::string text) {
    report.Error(id, {messages::Object(call.commandBuffer)}, command.Dot(array, i), std::move(text));
  };
  const auto bindings = state::Items(call.pVertexBindingDescriptions, call.vertexBindingDescriptionCount);
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    if (bindings[i].divisor == 1 || bindings[i].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE) continue;
    error(Vuid("VUID-VkVertexInputBindingDescription2EXT-divisor-06227"), "pVertexBindingDescriptions", i,
          absl::StrCat("has the divisor ", bindings[i].divisor, ", but the inputRate ",
                       vk::ToString(bindings[i].inputRate), "."));
  }
  const auto attributes = state::Items(call.pVertexAttributeDescriptions, call.vertexAttributeDescriptionCount);
  for (uint32_t i = 0; i < attributes.size(); ++i) {
    if (formats.Has(attributes[i].format)) continue;
    error(Vuid("VUID-VkVertexInputAttributeDescription2EXT-format-04805"), "pVertexAttributeDescriptions", i,
          absl::StrCat("has the format ", vk::ToString(attributes[i].format),
                       ", which does not have VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT among its buffer features."));
  }
  if (!device.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset) ||
      device.HasFeature(F::kVertexAttributeAccessBeyondStride)) {
    return;
  }
  if (Result wrong = FindBeyondStride(attributes, bindings)) {
    error(Vuid("VUID-VkVertexInputAttributeDescription2EXT-vertexAttributeAccessBeyondStride-04806"),
          "pVertexAttributeDescriptions", wrong->index, std::move(wrong->text));
  }
}

}  // namespace assay::core
