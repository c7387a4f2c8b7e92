// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors that are pushed, alone or with a template, by both forms of each command.

#include <string_view>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Binding;

constexpr auto kPush = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
constexpr auto kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;

class PushedDescriptors : public test::ValidationTest {
 protected:
  void SetUp() override {
    driver().config().queue_families[2].queueFlags = VK_QUEUE_GRAPHICS_BIT;
    if (!has_feature_) driver().config().disabled_features = {"pushDescriptor"};
    ValidationTest::SetUp();
    plain_ = MakeSetLayout({{}});
    push_ = MakeSetLayout({{}, {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}}, has_feature_ ? kPush : 0);
    layout_ = MakePipelineLayout({plain_, push_});
    buffer_info_ = {MakeBuffer(64), 0, VK_WHOLE_SIZE};
    image_info_ = {VK_NULL_HANDLE, MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4)), VK_IMAGE_LAYOUT_GENERAL};
    Record(0);
  }
  void Record(uint32_t family) { Begin(commands_ = MakeCommandBuffer(family)); }
  static VkWriteDescriptorSet WriteOf(uint32_t binding, VkDescriptorType type,
                                      const VkDescriptorImageInfo* image = nullptr,
                                      const VkDescriptorBufferInfo* buffer = nullptr) {
    return {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = binding,
            .descriptorCount = 1,
            .descriptorType = type,
            .pImageInfo = image,
            .pBufferInfo = buffer};
  }
  VkWriteDescriptorSet BufferWrite() const {
    return WriteOf(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, nullptr, &buffer_info_);
  }
  VkWriteDescriptorSet ImageWrite() const { return WriteOf(1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &image_info_); }

  void PushOld(uint32_t set, const VkWriteDescriptorSet& write) {
    vk.CmdPushDescriptorSet(commands_, kCompute, layout_, set, 1, &write);
  }
  void PushNew(uint32_t set, const VkWriteDescriptorSet& write,
               VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT) {
    const auto info = test::Of<VkPushDescriptorSetInfo>(stages, layout_, set, 1, &write);
    vk.CmdPushDescriptorSet2(commands_, &info);
  }
  // The rule of both forms.
  void ExpectOf(std::string_view rule, uint32_t set, const VkWriteDescriptorSet& write) {
    ExpectNothing();
    PushOld(set, write);
    ExpectAlone("vkCmdPushDescriptorSet", rule);
    PushNew(set, write);
    ExpectAlone("VkPushDescriptorSetInfo", rule);
  }

  struct TemplateOptions {
    VkDescriptorUpdateTemplateType type = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    uint32_t set = 1;
    VkPipelineBindPoint point = kCompute;
  };
  VkDescriptorUpdateTemplate MakeTemplate(const TemplateOptions& options) {
    const VkDescriptorUpdateTemplateEntry entry = {.dstBinding = 0,
                                                   .descriptorCount = 1,
                                                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                   .stride = sizeof(VkDescriptorBufferInfo)};
    return MakeFrom({.descriptorUpdateEntryCount = 1,
                     .pDescriptorUpdateEntries = &entry,
                     .templateType = options.type,
                     .descriptorSetLayout = plain_,
                     .pipelineBindPoint = options.point,
                     .pipelineLayout = options.layout != VK_NULL_HANDLE ? options.layout : layout_,
                     .set = options.set},
                    vk.CreateDescriptorUpdateTemplate, vk.DestroyDescriptorUpdateTemplate);
  }
  void PushOld(VkDescriptorUpdateTemplate handle, uint32_t set, const void* data) {
    vk.CmdPushDescriptorSetWithTemplate(commands_, handle, layout_, set, data);
  }
  void PushNew(VkDescriptorUpdateTemplate handle, uint32_t set, const void* data) {
    const auto info = test::Of<VkPushDescriptorSetWithTemplateInfo>(handle, layout_, set, data);
    vk.CmdPushDescriptorSetWithTemplate2(commands_, &info);
  }
  void ExpectOf(std::string_view rule, VkDescriptorUpdateTemplate handle) {
    ExpectNothing();
    PushOld(handle, 1, &buffer_info_);
    ExpectAlone("vkCmdPushDescriptorSetWithTemplate", rule);
    PushNew(handle, 1, &buffer_info_);
    ExpectAlone("VkPushDescriptorSetWithTemplateInfo", rule);
  }

  bool has_feature_ = true;
  VkDescriptorSetLayout plain_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout push_ = VK_NULL_HANDLE;
  // Set 1 is pushed.
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorBufferInfo buffer_info_ = {};
  VkDescriptorImageInfo image_info_ = {};
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(PushedDescriptors, Sets) {
  PushOld(1, BufferWrite());
  PushNew(1, ImageWrite());
  ExpectNothing();
  ExpectOf("set-00364", 2, BufferWrite());
  ExpectOf("set-00365", 0, BufferWrite());
  ExpectOf("pDescriptorWrites-06494", 1, WriteOf(1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE));
  // A push of immutable samplers reads nothing.
  const VkSampler sampler = MakeSampler();
  layout_ = MakePipelineLayout(
      {plain_, MakeSetLayout({{.type = VK_DESCRIPTOR_TYPE_SAMPLER, .immutable_samplers = &sampler}}, kPush)});
  PushOld(1, WriteOf(0, VK_DESCRIPTOR_TYPE_SAMPLER));
  ExpectNothing();
}

TEST_F(PushedDescriptors, NegativeQueueFamily) {
  const VkDescriptorUpdateTemplate compute = MakeTemplate({});
  const VkDescriptorUpdateTemplate graphics = MakeTemplate({.point = VK_PIPELINE_BIND_POINT_GRAPHICS});
  // Compute alone.
  Record(1);
  PushOld(1, BufferWrite());
  PushNew(1, BufferWrite());
  ExpectOf("", compute);
  PushNew(1, BufferWrite(), VK_SHADER_STAGE_VERTEX_BIT);
  ExpectMessage("VUID-vkCmdPushDescriptorSet2-pPushDescriptorSetInfo-09468");
  ExpectOf("commandBuffer-00366", graphics);
  // Graphics alone.
  Record(2);
  ExpectOf("", graphics);
  PushOld(1, BufferWrite());
  ExpectMessage("VUID-vkCmdPushDescriptorSet-pipelineBindPoint-00363");
  PushNew(1, BufferWrite());
  ExpectMessage("VUID-vkCmdPushDescriptorSet2-pPushDescriptorSetInfo-09468");
  ExpectOf("commandBuffer-00366", compute);
}

TEST_F(PushedDescriptors, NegativeTemplate) {
  ExpectOf("", MakeTemplate({}));
  PushOld(MakeTemplate({}), 1, nullptr);
  ExpectMessage("VUID-vkCmdPushDescriptorSetWithTemplate-pData-01686");
  ExpectOf("descriptorUpdateTemplate-07994", MakeTemplate({.type = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET}));
}

TEST_F(PushedDescriptors, NegativeSetOfTemplate) {
  const VkDescriptorUpdateTemplate first = MakeTemplate({.layout = MakePipelineLayout({push_, plain_}), .set = 0});
  // Set 1 of the layout, but the template is for set 0.
  ExpectOf("set-07995", first);
  layout_ = MakePipelineLayout({plain_, plain_});
  ExpectOf("set-07305", MakeTemplate({.layout = MakePipelineLayout({plain_, push_})}));
  layout_ = MakePipelineLayout({plain_});
  ExpectOf("set-07304", MakeTemplate({.layout = MakePipelineLayout({plain_, push_})}));
}

TEST_F(PushedDescriptors, NegativeLayoutOfTemplate) {
  const VkDescriptorSetLayout other = MakeSetLayout({{.binding = 3}});
  ExpectOf("", MakeTemplate({.layout = MakePipelineLayout({MakeSetLayout({{}}), push_})}));
  ExpectOf("", MakeTemplate({.layout = MakePipelineLayout({plain_, push_, other})}));
  ExpectOf("layout-07993", MakeTemplate({.layout = MakePipelineLayout({other, push_})}));
  ExpectOf("layout-07993", MakeTemplate({.layout = MakePipelineLayout({plain_, push_}, 16)}));
}

class WithoutPushedDescriptors : public PushedDescriptors {
 protected:
  WithoutPushedDescriptors() { has_feature_ = false; }
};

TEST_F(WithoutPushedDescriptors, NegativeFeature) {
  const VkDescriptorUpdateTemplate handle =
      MakeTemplate({.type = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET, .set = 0});
  // Nothing else is reported, although no set can be for pushed descriptors.
  PushOld(0, BufferWrite());
  ExpectMessage("VUID-vkCmdPushDescriptorSet-None-10356");
  PushNew(0, BufferWrite());
  ExpectMessage("VUID-vkCmdPushDescriptorSet2-None-10357");
  PushOld(handle, 0, &buffer_info_);
  ExpectMessage("VUID-vkCmdPushDescriptorSetWithTemplate-None-10358");
  PushNew(handle, 0, &buffer_info_);
  ExpectMessage("VUID-VkPushDescriptorSetWithTemplateInfo-None-10359");
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
