// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptor buffers, sets in them and embedded samplers, by both forms of each command.

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr auto kForBuffers = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr auto kPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
constexpr VkBufferUsageFlags kSamplers = VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT,
                             kResources = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT,
                             kPushes = VK_BUFFER_USAGE_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT;

class DescriptorBuffers : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return features_.EnableOnly({VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME}); }
  void SetUp() override {
    driver().config().queue_families[2].queueFlags = VK_QUEUE_GRAPHICS_BIT;
    ChangeProperties<VkPhysicalDeviceDescriptorBufferPropertiesEXT>([this](auto& limits) {
      limits.maxDescriptorBufferBindings = 8;
      limits.maxSamplerDescriptorBufferBindings = limits.maxResourceDescriptorBufferBindings = 1;
      limits.descriptorBufferOffsetAlignment = 64;
      limits.bufferlessPushDescriptors = bufferless_;
    });
  }
  void Start(VkBool32 bufferless) {
    bufferless_ = bufferless;
    Create(Options());
    const VkBufferUsageFlags usage = kSamplers | kResources | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    buffer_ = MakeBuffer(4096, bufferless == VK_TRUE ? usage : usage | kPushes);
    address_ = AddressOf(buffer_);
    Begin(commands_ = MakeCommandBuffer());
  }
  void Bind(const std::vector<VkBufferUsageFlags>& usages, const void* next = nullptr) {
    std::vector<VkDescriptorBufferBindingInfoEXT> infos;
    infos.reserve(usages.size());
    for (const VkBufferUsageFlags usage : usages)
      infos.push_back({VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT, next, address_, usage});
    vk.CmdBindDescriptorBuffersEXT(commands_, static_cast<uint32_t>(infos.size()), infos.data());
  }
  // By both forms, with the rule of each; empty for what is right.
  void Place(std::string_view rule, VkPipelineLayout layout, uint32_t first, uint32_t index, VkDeviceSize offset) {
    SCOPED_TRACE(rule);
    PlaceOld(layout, first, index, offset);
    ExpectAlone("vkCmdSetDescriptorBufferOffsetsEXT", rule);
    PlaceNew(layout, first, index, offset);
    ExpectAlone("VkSetDescriptorBufferOffsetsInfoEXT", rule);
  }
  void PlaceOld(VkPipelineLayout layout, uint32_t first, uint32_t index, VkDeviceSize offset) {
    vk.CmdSetDescriptorBufferOffsetsEXT(commands_, kPoint, layout, first, 1, &index, &offset);
  }
  void PlaceNew(VkPipelineLayout layout, uint32_t first, uint32_t index, VkDeviceSize offset) {
    const auto info = test::Typed(VkSetDescriptorBufferOffsetsInfoEXT{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                                                      .layout = layout,
                                                                      .firstSet = first,
                                                                      .setCount = 1,
                                                                      .pBufferIndices = &index,
                                                                      .pOffsets = &offset});
    vk.CmdSetDescriptorBufferOffsets2EXT(commands_, &info);
  }
  void Embed(std::string_view rule, VkPipelineLayout layout, uint32_t set) {
    SCOPED_TRACE(rule);
    vk.CmdBindDescriptorBufferEmbeddedSamplersEXT(commands_, kPoint, layout, set);
    ExpectAlone("vkCmdBindDescriptorBufferEmbeddedSamplersEXT", rule);
    EmbedNew(layout, set);
    ExpectAlone("VkBindDescriptorBufferEmbeddedSamplersInfoEXT", rule);
  }
  void EmbedNew(VkPipelineLayout layout, uint32_t set) {
    const auto info = test::Of<VkBindDescriptorBufferEmbeddedSamplersInfoEXT>(VK_SHADER_STAGE_COMPUTE_BIT, layout, set);
    vk.CmdBindDescriptorBufferEmbeddedSamplers2EXT(commands_, &info);
  }

  test::ExtensionFeatures features_;
  VkBool32 bufferless_ = VK_FALSE;
  test::Buffer buffer_;
  VkDeviceAddress address_ = 0;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(DescriptorBuffers, Bindings) {
  Start(VK_TRUE);
  Bind({kSamplers, kResources});
  ExpectNothing();
  Bind({kSamplers, kSamplers | kResources});
  ExpectMessage("VUID-vkCmdBindDescriptorBuffersEXT-maxSamplerDescriptorBufferBindings-08048");
  Bind({kResources, kSamplers | kResources});
  ExpectMessage("VUID-vkCmdBindDescriptorBuffersEXT-maxResourceDescriptorBufferBindings-08049");
  // Without handles, no buffer may have the usage.
  Bind({kPushes, kPushes});
  messages.ExpectAmong("VUID-vkCmdBindDescriptorBuffersEXT-None-08050");
  auto handle = test::Of<VkDescriptorBufferBindingPushDescriptorBufferHandleEXT>(buffer_);
  Bind({kPushes}, &handle);
  messages.ExpectAmong("VUID-VkDescriptorBufferBindingPushDescriptorBufferHandleEXT-bufferlessPushDescriptors-08059");
  Destroy();
  Start(VK_FALSE);
  handle.buffer = buffer_;
  Bind({kPushes}, &handle);
}

TEST_F(DescriptorBuffers, Sets) {
  Start(VK_TRUE);
  const VkDescriptorSetLayout set = MakeSetLayout({{}}, kForBuffers);
  const VkPipelineLayout layout = MakePipelineLayout({set, set}), plain = MakePipelineLayout({MakeSetLayout({{}})});
  Place("pBufferIndices-08065", layout, 0, 0, 0);
  Bind({kResources});
  Place("", layout, 1, 0, 64);
  Place("pBufferIndices-08065", layout, 0, 1, 0);
  Place("pOffsets-08061", layout, 0, 0, 65);
  Place("firstSet-08066", layout, 2, 0, 0);
  Place("firstSet-09006", plain, 0, 0, 0);

  const VkPipelineLayout embedded = MakePipelineLayout(
      {MakeSetLayout({}, kForBuffers | VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT)});
  Embed("", embedded, 0);
  Embed("set-08071", embedded, 2);
  Embed("set-08070", layout, 0);

  Begin(commands_ = MakeCommandBuffer(2));
  Bind({kResources});
  PlaceOld(layout, 0, 0, 0);
  ExpectMessage("VUID-vkCmdSetDescriptorBufferOffsetsEXT-pipelineBindPoint-08067");
  PlaceNew(layout, 0, 0, 0);
  ExpectMessage("VUID-vkCmdSetDescriptorBufferOffsets2EXT-pSetDescriptorBufferOffsetsInfo-09471");
  vk.CmdBindDescriptorBufferEmbeddedSamplersEXT(commands_, kPoint, embedded, 0);
  ExpectMessage("VUID-vkCmdBindDescriptorBufferEmbeddedSamplersEXT-pipelineBindPoint-08069");
  EmbedNew(embedded, 0);
  ExpectMessage("VUID-vkCmdBindDescriptorBufferEmbeddedSamplers2EXT-pBindDescriptorBufferEmbeddedSamplersInfo-09473");
}

}  // namespace
}  // namespace assay::core
