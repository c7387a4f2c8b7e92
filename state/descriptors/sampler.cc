// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/descriptors/sampler.h"

#include "vk/chain.h"

namespace assay::state {
namespace {

template <class T>
T WithoutChain(T info) {
  info.pNext = nullptr;
  return info;
}

VkSamplerReductionMode ReductionModeOf(const VkSamplerCreateInfo& info) {
  const auto* const reduction = vk::FindInChain<VkSamplerReductionModeCreateInfo>(info.pNext);
  return reduction != nullptr ? reduction->reductionMode : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
}
VkCubicFilterWeightsQCOM CubicWeightsOf(const VkSamplerCreateInfo& info) {
  const auto* const weights = vk::FindInChain<VkSamplerCubicWeightsCreateInfoQCOM>(info.pNext);
  return weights != nullptr ? weights->cubicWeights : VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM;
}
std::optional<VkSamplerBlockMatchWindowCreateInfoQCOM> BlockMatchWindowOf(const VkSamplerCreateInfo& info) {
  const auto* const window = vk::FindInChain<VkSamplerBlockMatchWindowCreateInfoQCOM>(info.pNext);
  return window != nullptr ? std::optional(WithoutChain(*window)) : std::nullopt;
}

}  // namespace

Sampler::Sampler(uint64_t handle, const VkSamplerCreateInfo& info)
    : Object(kType, handle),
      create_info(WithoutChain(info)),
      reduction_mode(ReductionModeOf(info)),
      cubic_weights(CubicWeightsOf(info)),
      block_match_window(BlockMatchWindowOf(info)),
      is_converting(vk::FindInChain<VkSamplerYcbcrConversionInfo>(info.pNext) != nullptr) {}

}  // namespace assay::state
