// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Compute shaders, a dispatch of each.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "testing/gpu/cost/measured_device.h"
#include "testing/gpu/cost/shaders/axpy_comp.h"
#include "testing/gpu/cost/shaders/chase_comp.h"
#include "testing/gpu/cost/shaders/gather_comp.h"
#include "testing/gpu/cost/shaders/rounds_comp.h"

namespace assay::test {
namespace {

// Bytes of a vec4.
constexpr VkDeviceSize kQuad = 16;

constexpr VkDescriptorType kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

// A compute pipeline with what is bound for it.
class Kernel {
 public:
  Kernel(MeasuredDevice& device, std::span<const uint32_t> words, std::vector<VkDescriptorSetLayout> layouts,
         std::vector<uint32_t> push = {})
      : device_(device),
        push_(std::move(push)),
        layout_(device.device().MakePipelineLayout(layouts, static_cast<uint32_t>(push_.size() * 4))),
        pipeline_(device.device().MakeComputePipeline(layout_, device.device().MakeShader(words))) {
    for (VkDescriptorSetLayout layout : layouts) sets.push_back(device.device().MakeSet(layout));
  }

  void Bind(VkCommandBuffer commands) const {
    const Functions& vk = device_.vk();
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, static_cast<uint32_t>(sets.size()),
                             sets.data(), 0, nullptr);
    if (push_.empty()) return;
    vk.CmdPushConstants(commands, layout_, VK_SHADER_STAGE_ALL, 0, static_cast<uint32_t>(push_.size() * 4),
                        push_.data());
  }
  void Measure(const char* name) const {
    const double time = device_.GpuMicroseconds(
        [this](VkCommandBuffer commands) { Bind(commands); },
        [this](VkCommandBuffer commands) { device_.vk().CmdDispatch(commands, device_.sizes().groups, 1, 1); });
    PrintResult(name, time, "us");
  }

  std::vector<VkDescriptorSet> sets;

 private:
  MeasuredDevice& device_;
  const std::vector<uint32_t> push_;
  VkPipelineLayout layout_;
  VkPipeline pipeline_;
};

Kernel MakeAxpy(MeasuredDevice& device, VkDeviceSize range_of_result) {
  TestDevice& vulkan = device.device();
  const VkDeviceSize size = VkDeviceSize{device.invocations()} * 4;
  Kernel kernel(device, k_axpy_comp, {vulkan.MakeSetLayout({{0, kUniform}, {1, kStorage}, {2, kStorage}})});
  vulkan.WriteBuffer(kernel.sets[0], 0, kUniform, device.MakeLocalBuffer(16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
  vulkan.WriteBuffer(kernel.sets[0], 1, kStorage, device.MakeLocalBuffer(size));
  vulkan.WriteBuffer(kernel.sets[0], 2, kStorage, device.MakeLocalBuffer(size), 0, range_of_result);
  return kernel;
}

void MeasureRounds(MeasuredDevice& device) {
  TestDevice& vulkan = device.device();
  const Kernel kernel(device, k_rounds_comp, {vulkan.MakeSetLayout({{0, kUniform}, {1, kStorage}})});
  const Buffer coefficients = device.MakeLocalBuffer(64 * kQuad, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  vulkan.WriteBuffer(kernel.sets[0], 0, kUniform, coefficients);
  vulkan.WriteBuffer(kernel.sets[0], 1, kStorage, device.MakeLocalBuffer(VkDeviceSize{device.invocations()} * 4));
  kernel.Measure("rounds");
}

// Buffers that are alive while the list is walked along.
void MakeOtherBuffers(MeasuredDevice& device) {
  TestDevice& vulkan = device.device();
  constexpr VkDeviceSize kSize = 4096;
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = kSize,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
  std::vector<VkBuffer> buffers;
  buffers.reserve(device.sizes().other_buffers);
  for (uint32_t i = 0; i < device.sizes().other_buffers; ++i) buffers.push_back(vulkan.MakeUnboundBuffer(info));
  if (buffers.empty()) return;
  const VkMemoryRequirements requirements = device.RequirementsOf(buffers[0]);
  const VkDeviceSize stride = (requirements.size + requirements.alignment - 1) & ~(requirements.alignment - 1);
  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkDeviceMemory memory =
      vulkan.MakeMemory(stride * buffers.size(), device.LocalMemoryType(requirements.memoryTypeBits), &flags);
  for (size_t i = 0; i < buffers.size(); ++i) {
    device.vk().BindBufferMemory(vulkan.device, buffers[i], memory, stride * i);
    device.AddressOf(buffers[i]);
  }
}

void MeasureChase(MeasuredDevice& device) {
  TestDevice& vulkan = device.device();
  MakeOtherBuffers(device);
  // One ring through all nodes, in random order: 16 bytes a node, 16 MiB at most.
  const uint32_t nodes = std::min(1u << 20, std::bit_ceil(device.invocations()));
  const Buffer list = device.MakeLocalBuffer(
      VkDeviceSize{nodes} * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  const VkDeviceAddress address = device.AddressOf(list);
  std::vector<uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::minstd_rand(1));
  std::vector<uint32_t> words(size_t{nodes} * 4);
  for (uint32_t i = 0; i < nodes; ++i) {
    const VkDeviceAddress next = address + VkDeviceAddress{order[(i + 1) % nodes]} * 16;
    words[size_t{order[i]} * 4] = static_cast<uint32_t>(next);
    words[size_t{order[i]} * 4 + 1] = static_cast<uint32_t>(next >> 32);
    words[size_t{order[i]} * 4 + 2] = i;
  }
  device.Upload(list, words);
  const Kernel kernel(device, k_chase_comp, {vulkan.MakeSetLayout({{0, kStorage}})},
                      {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32), nodes - 1, 0});
  vulkan.WriteBuffer(kernel.sets[0], 0, kStorage, device.MakeLocalBuffer(VkDeviceSize{device.invocations()} * 4));
  kernel.Measure("chase");
}

void MeasureGather(MeasuredDevice& device) {
  TestDevice& vulkan = device.device();
  // 16 MiB in all, at most.
  constexpr uint32_t kBuffers = 64;
  const uint32_t elements = std::min(1u << 16, std::bit_ceil(device.invocations()));
  const Kernel kernel(device, k_gather_comp,
                      {vulkan.MakeSetLayout({{0, kStorage, kBuffers}}), vulkan.MakeSetLayout({{0, kStorage}})},
                      {elements - 1});
  for (uint32_t i = 0; i < kBuffers; ++i) {
    vulkan.WriteBuffer(kernel.sets[0], 0, kStorage, device.MakeLocalBuffer(VkDeviceSize{elements} * 4), 0,
                       VK_WHOLE_SIZE, i);
  }
  vulkan.WriteBuffer(kernel.sets[1], 0, kStorage, device.MakeLocalBuffer(VkDeviceSize{device.invocations()} * 4));
  kernel.Measure("gather");
}

}  // namespace

void MeasureKernels(MeasuredDevice& device) {
  MakeAxpy(device, VK_WHOLE_SIZE).Measure("axpy");
  MeasureRounds(device);
  MeasureGather(device);
  MeasureChase(device);
}

void MeasureControl(MeasuredDevice& device) {
  device.TakeErrors();
  const Kernel kernel = MakeAxpy(device, VkDeviceSize{device.invocations()} * 2);
  device.Run([&](VkCommandBuffer commands) {
    kernel.Bind(commands);
    device.vk().CmdDispatch(commands, device.sizes().groups, 1, 1);
  });
  PrintResult("control", device.TakeErrors().empty() ? 0 : 1, "reported");
}

}  // namespace assay::test
