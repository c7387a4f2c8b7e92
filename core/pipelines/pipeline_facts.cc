// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_facts.h"

#include <algorithm>
#include <utility>

#include "core/pipelines/graphics_view.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::IsAddress;

// A structure of the chain or, without one, `otherwise`; its own chain is left out.
template <class T>
T ChainedOr(const GraphicsView& view, T otherwise) {
  const T* chained = view.Chained<T>();
  T result = chained != nullptr ? *chained : otherwise;
  result.pNext = nullptr;
  return result;
}

}  // namespace

LayoutFacts::LayoutFacts(const VkPipelineLayoutCreateInfo& info) : flags(info.flags) {
  sets.reserve(info.setLayoutCount);
  for (uint32_t i = 0; i < info.setLayoutCount; ++i) {
    const VkDescriptorSetLayout handle = info.pSetLayouts[i];
    sets.push_back(
        {handle, state::Ref<state::DescriptorSetLayout>(state::DeviceState::Get<state::DescriptorSetLayout>(handle))});
  }
  ranges.assign(info.pPushConstantRanges, info.pPushConstantRanges + info.pushConstantRangeCount);
  std::ranges::sort(ranges, {}, &VkPushConstantRange::offset);
}

MultisampleFacts::MultisampleFacts(const VkPipelineMultisampleStateCreateInfo& info)
    : samples(info.rasterizationSamples),
      has_sample_shading(info.sampleShadingEnable == VK_TRUE),
      min_sample_shading(has_sample_shading ? info.minSampleShading : 0),
      has_alpha_to_coverage(info.alphaToCoverageEnable == VK_TRUE),
      has_alpha_to_one(info.alphaToOneEnable == VK_TRUE),
      mask((static_cast<uint32_t>(info.rasterizationSamples) + 31) / 32, ~VkSampleMask{0}) {
  if (IsAddress(info.pSampleMask)) mask.assign(info.pSampleMask, info.pSampleMask + mask.size());
}

PartFacts::PartFacts(const GraphicsView& view, SharedLayout with)
    : parts(view.parts),
      stages(view.stages),
      dynamic(view.dynamic),
      layout(std::move(with)),
      has_module_identifier(std::ranges::any_of(
          view.shaders,
          [](const VkPipelineShaderStageCreateInfo& shader) {
            const auto* identifier = vk::FindInChain<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(shader.pNext);
            return identifier != nullptr && identifier->identifierSize != 0;
          })),
      has_render_pass(view.has_render_pass()),
      render_pass(const_cast<state::RenderPass*>(view.render_pass)),
      subpass(view.info.subpass),
      view_mask(view.view_mask),
      shading_rate(ChainedOr<VkPipelineFragmentShadingRateStateCreateInfoKHR>(view, {.fragmentSize = {1, 1}})),
      per_view_attributes(ChainedOr<VkMultiviewPerViewAttributesInfoNVX>(view, {})) {
  const auto* samples = view.info.pMultisampleState;
  constexpr uint32_t kMostSamples = VK_SAMPLE_COUNT_64_BIT;
  if (view.Requires(kFragmentShader | kFragmentOutput) && IsAddress(samples) &&
      samples->rasterizationSamples <= kMostSamples) {
    multisample.emplace(*samples);
  }
}

}  // namespace assay::core
