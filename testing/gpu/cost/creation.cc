// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader modules and compute pipelines.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "testing/gpu/cost/measured_device.h"
#include "testing/gpu/cost/median.h"
#include "testing/gpu/cost/shaders/light_comp.h"

namespace assay::test {
namespace {

using Clock = std::chrono::steady_clock;

// The number in the words by which they differ.
constexpr uint32_t kVariant = 0x5eed0001;

VkPipelineLayout MakeLayout(TestDevice& device) {
  constexpr VkDescriptorType kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr VkDescriptorType kSampled = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  return device.MakePipelineLayout(
      {device.MakeSetLayout({{0, kUniform}, {1, kUniform}}),
       device.MakeSetLayout({{0, kStorage}, {1, kStorage}, {2, kStorage}, {3, kStorage}, {4, kStorage}}),
       device.MakeSetLayout({{0, kSampled},
                             {1, kSampled},
                             {2, kSampled},
                             {3, kSampled},
                             {4, kSampled, 16},
                             {5, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}})});
}

}  // namespace

void MeasureCreation(MeasuredDevice& device, const std::string& suffix) {
  TestDevice& vulkan = device.device();
  const VkPipelineLayout layout = MakeLayout(vulkan);
  std::vector<double> times;
  for (uint32_t i = 0; i < device.sizes().pipelines; ++i) {
    std::vector<uint32_t> words(std::begin(k_light_comp), std::end(k_light_comp));
    std::ranges::replace(words, kVariant, kVariant + i);
    const Clock::time_point begin = Clock::now();
    const VkShaderModule shader = vulkan.MakeShader(words);
    const VkPipeline pipeline = vulkan.MakeComputePipeline(layout, shader);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    if (pipeline == VK_NULL_HANDLE) return;
  }
  PrintResult("create" + suffix, Median(std::move(times)), "ms");
}

}  // namespace assay::test
