// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// "Vertex Input Interface".

#include "absl/strings/str_cat.h"
#include "core/interfaces/attribute_match.h"
#include "core/interfaces/pipeline_stages.h"

namespace assay::core {
namespace {

// By AttributeRule.
constexpr vk::VuidIndex kIds[] = {
    vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-Input-07904"),
    vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-Input-08733"),
    vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08929"),
    vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08930"),
    vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-09198"),
};

}  // namespace

void CheckVertexInput(const CheckedStage& vertex, const VkPipelineVertexInputStateCreateInfo& state, bool is_robust,
                      messages::Report& report) {
  const auto attributes = state::Items(state.pVertexAttributeDescriptions, state.vertexAttributeDescriptionCount);
  const auto format_of = [&](uint32_t location) -> std::optional<VkFormat> {
    for (const auto& attribute : attributes) {
      if (attribute.location == location) return attribute.format;
    }
    return std::nullopt;
  };
  for (const InterfaceElement& input : vertex.interface->inputs.elements) {
    const auto fault = FindAttributeFault(input, {.is_robust = is_robust}, format_of);
    if (!fault) continue;
    report.Error(kIds[static_cast<size_t>(fault->rule)], {messages::Object(vertex.module)}, vertex.where,
                 absl::StrCat("is a vertex shader with the input ", vertex.Texts().Of(input), ", ", fault->text),
                 fault->fix);
  }
}

}  // namespace assay::core
