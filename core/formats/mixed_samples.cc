// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/formats/mixed_samples.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vk/commands.h"

namespace assay::core {

bool SupportsMixedSamples(const dispatch::Device& device, VkCoverageReductionModeNV mode, VkSampleCountFlags samples,
                          VkSampleCountFlags depth, VkSampleCountFlags colors) {
  const auto get =
      dispatch::Next<vk::GetPhysicalDeviceSupportedFramebufferMixedSamplesCombinationsNV>(device.instance.next);
  const VkPhysicalDevice handle = device.physical_device->handle;
  uint32_t count = 0;
  if (get == nullptr || get(handle, &count, nullptr) != VK_SUCCESS || count == 0) return true;
  std::vector<VkFramebufferMixedSamplesCombinationNV> combinations(
      count, {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_MIXED_SAMPLES_COMBINATION_NV});
  if (get(handle, &count, combinations.data()) != VK_SUCCESS) return true;
  combinations.resize(count);
  const auto has = [](VkSampleCountFlags supported, VkSampleCountFlags some) {
    return some == 0 ? supported == 0 : (supported & some) != 0;
  };
  return std::ranges::any_of(combinations, [&](const VkFramebufferMixedSamplesCombinationNV& c) {
    return c.coverageReductionMode == mode && has(c.rasterizationSamples, samples) &&
           has(c.depthStencilSamples, depth) && has(c.colorSamples, colors);
  });
}

}  // namespace assay::core
