// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_DESCRIPTOR_BUFFER_TEST_H_
#define ASSAY_TESTING_GPU_DESCRIPTOR_BUFFER_TEST_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {

inline constexpr VkDescriptorSetLayoutCreateFlags kForBuffers =
    VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
inline constexpr VkBufferUsageFlags kDescriptors =
    VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
inline constexpr VkBufferUsageFlags kData = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
inline constexpr VkShaderStageFlags kStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;

// A device with descriptor buffers.
class DescriptorBufferGpuavTest : public GpuavTest {
 protected:
  void SetUp() override { CreateWith({.device_extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME}}); }
  void CreateWith(const DeviceOptions& options) {
    descriptor_buffer_.descriptorBuffer = VK_TRUE;
    features12_.pNext = &descriptor_buffer_;
    features12_.descriptorBindingVariableDescriptorCount = VK_TRUE;
    Create(options);
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &properties_};
    device_.vk.GetPhysicalDeviceProperties2(device_.physical_device, &properties);
    // Both are at one address or another than those of MakeSets().
    where_ = device_.MakeBuffer(16, kData);
    data_ = device_.MakeBuffer(64, kData);
    SetIndex(0);
  }

  VkDeviceAddress AddressOf(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return device_.vk.GetBufferDeviceAddress(device_.device, &info);
  }
  size_t BytesOf(VkDescriptorType type) const {
    switch (type) {
      case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return properties_.uniformBufferDescriptorSize;
      case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return properties_.storageBufferDescriptorSize;
      case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return properties_.uniformTexelBufferDescriptorSize;
      default:
        return properties_.storageImageDescriptorSize;
    }
  }
  std::vector<std::byte> Get(VkDescriptorType type, const VkDescriptorDataEXT& data) {
    const VkDescriptorGetInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type, .data = data};
    std::vector<std::byte> bytes(BytesOf(type));
    device_.vk.GetDescriptorEXT(device_.device, &info, bytes.size(), bytes.data());
    return bytes;
  }
  std::vector<std::byte> GetBuffer(VkDescriptorType type, const Buffer& buffer, VkFormat format = VK_FORMAT_UNDEFINED) {
    const VkDescriptorAddressInfoEXT address = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                                .address = AddressOf(buffer),
                                                .range = buffer.size,
                                                .format = format};
    return Get(type, {.pStorageBuffer = &address});
  }
  // Puts a descriptor where a set at the begin of the buffer has it.
  void Put(const Buffer& target, VkDescriptorSetLayout layout, uint32_t binding, uint32_t index,
           const std::vector<std::byte>& bytes) {
    VkDeviceSize offset = 0;
    device_.vk.GetDescriptorSetLayoutBindingOffsetEXT(device_.device, layout, binding, &offset);
    std::memcpy(static_cast<std::byte*>(Map(target)) + offset + index * bytes.size(), bytes.data(), bytes.size());
  }
  void PutBuffer(const Buffer& target, VkDescriptorSetLayout layout, uint32_t binding, uint32_t index,
                 VkDescriptorType type, const Buffer& buffer) {
    Put(target, layout, binding, index, GetBuffer(type, buffer));
  }
  // For stages that are there: lavapipe takes each bit of VK_SHADER_STAGE_ALL for one.
  VkDescriptorSetLayout MakeLayoutWith(std::vector<Binding> bindings) {
    for (Binding& binding : bindings) binding.stages = kStages;
    return device_.MakeSetLayout(bindings, kForBuffers);
  }
  Buffer MakeDescriptors(VkDescriptorSetLayout layout, VkBufferUsageFlags more_usage = 0) {
    VkDeviceSize size = 0;
    device_.vk.GetDescriptorSetLayoutSizeEXT(device_.device, layout, &size);
    const Buffer buffer = device_.MakeBuffer(size, kDescriptors | more_usage);
    std::memset(Map(buffer), 0, size);
    return buffer;
  }

  VkPipeline MakePipelineWith(VkPipelineLayout layout, VkShaderModule shader) {
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = shader,
                                                        .pName = "main"},
                                              .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreateComputePipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
    return pipeline;
  }
  // Each buffer has a set at its begin.
  void BindSets(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout,
                const std::vector<Buffer>& buffers) {
    std::vector<VkDescriptorBufferBindingInfoEXT> infos;
    std::vector<uint32_t> indices;
    const std::vector<VkDeviceSize> offsets(buffers.size());
    for (const Buffer& buffer : buffers) {
      indices.push_back(static_cast<uint32_t>(indices.size()));
      infos.push_back({.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                       .address = AddressOf(buffer),
                       .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT});
    }
    const auto count = static_cast<uint32_t>(buffers.size());
    device_.vk.CmdBindDescriptorBuffersEXT(commands, count, infos.data());
    device_.vk.CmdSetDescriptorBufferOffsetsEXT(commands, point, layout, 0, count, indices.data(), offsets.data());
  }
  VkCommandBuffer RecordWith(VkPipeline pipeline, VkPipelineLayout layout, const std::vector<Buffer>& buffers) {
    return device_.Record([&](VkCommandBuffer commands) {
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      BindSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, buffers);
      device_.vk.CmdDispatch(commands, 1, 1, 1);
    });
  }

  // For write_at.comp and read.frag: where_ and data_ are in the set of the buffer.
  Buffer MakeWritten(VkDescriptorSetLayout layout, VkBufferUsageFlags more_usage = 0) {
    const Buffer descriptors = MakeDescriptors(layout, more_usage);
    PutBuffer(descriptors, layout, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
    PutBuffer(descriptors, layout, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_);
    return descriptors;
  }
  VkDescriptorSetLayout MakeWriterSet() {
    return MakeLayoutWith({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
  }

  VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
  VkPhysicalDeviceDescriptorBufferPropertiesEXT properties_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_DESCRIPTOR_BUFFER_TEST_H_
