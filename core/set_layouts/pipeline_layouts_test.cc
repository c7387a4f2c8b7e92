// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipeline layouts and update templates against their set layouts, through the whole layer.

#include <vector>

#include "core/set_layouts/set_layout_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
constexpr auto kPush = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
constexpr auto kBuffer = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;

class PipelineLayoutTest : public SetLayoutTest {
 protected:
  void MakeRange(std::vector<VkPushConstantRange> ranges) {
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = static_cast<uint32_t>(ranges.size()),
                                             .pPushConstantRanges = ranges.data()};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    vk.CreatePipelineLayout(device, &info, nullptr, &layout);
    vk.DestroyPipelineLayout(device, layout, nullptr);
  }
};

TEST_F(PipelineLayoutTest, Sets) {
  MakeDevice();
  const VkDescriptorSetLayout plain = MakeLayout({});
  const VkDescriptorSetLayout push = MakeLayout({.flags = kPush});
  const VkDescriptorSetLayout for_buffers = MakeLayout({.flags = kBuffer});
  MakePipelineLayout({plain, push, VK_NULL_HANDLE, plain});
  MakePipelineLayout({for_buffers, for_buffers});
  ExpectNothing();
  MakePipelineLayout({push, plain, push});
  ExpectMessage("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-00293");
  MakePipelineLayout({for_buffers, plain});
  ExpectMessage("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-08008");
  MakePipelineLayout({MakeLayout({.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT})});
  ExpectMessage("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-04606");
}

TEST_F(PipelineLayoutTest, NullSetWithoutLibraries) {
  MakeDevice("graphicsPipelineLibrary");
  const VkDescriptorSetLayout plain = MakeLayout({});
  MakePipelineLayout({plain});
  ExpectNothing();
  MakePipelineLayout({plain, VK_NULL_HANDLE});
  ExpectMessage("VUID-VkPipelineLayoutCreateInfo-graphicsPipelineLibrary-06753");
}

TEST_F(PipelineLayoutTest, BoundSetsAndPushConstants) {
  driver().config().limits.maxBoundDescriptorSets = 7;
  driver().config().limits.maxPushConstantsSize = 256;
  MakeDevice();
  const VkDescriptorSetLayout plain = MakeLayout({});
  MakePipelineLayout(std::vector<VkDescriptorSetLayout>(7, plain));
  MakeRange({{kCompute, 0, 256}, {VK_SHADER_STAGE_VERTEX_BIT, 252, 4}});
  ExpectNothing();
  MakePipelineLayout(std::vector<VkDescriptorSetLayout>(8, plain));
  ExpectMessage("VUID-VkPipelineLayoutCreateInfo-setLayoutCount-00286");
  MakeRange({{kCompute, 0, 16}, {kCompute, 16, 16}});
  ExpectMessage("VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292");
  MakeRange({{kCompute, 2, 4}});
  ExpectMessage("VUID-VkPushConstantRange-offset-00295");
  MakeRange({{kCompute, 0, 0}});
  ExpectMessage("VUID-VkPushConstantRange-size-00296");
  MakeRange({{kCompute, 0, 6}});
  ExpectMessage("VUID-VkPushConstantRange-size-00297");
  MakeRange({{kCompute, 16, 244}});
  ExpectMessage("VUID-VkPushConstantRange-size-00298");
  MakeRange({{kCompute, 256, 4}});
  ExpectMessages({"VUID-VkPushConstantRange-offset-00294", "VUID-VkPushConstantRange-size-00298"});
}

class UpdateTemplateTest : public SetLayoutTest {
 protected:
  void Make(VkDescriptorUpdateTemplateCreateInfo info, VkDescriptorUpdateTemplateEntry entry) {
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
    info.descriptorUpdateEntryCount = 1;
    info.pDescriptorUpdateEntries = &entry;
    VkDescriptorUpdateTemplate handle = VK_NULL_HANDLE;
    vk.CreateDescriptorUpdateTemplate(device, &info, nullptr, &handle);
    vk.DestroyDescriptorUpdateTemplate(device, handle, nullptr);
  }
  static constexpr VkDescriptorUpdateTemplateEntry kEntry = {0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0};
};

TEST_F(UpdateTemplateTest, Entries) {
  MakeDevice();
  const VkDescriptorSetLayout layout =
      MakeLayout({.bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, kCompute, nullptr},
                               {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3, kCompute, nullptr}}});
  const VkDescriptorSetLayout block =
      MakeLayout({.bindings = {{0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 16, kCompute, nullptr}}});
  // The second one goes on in binding 3.
  Make({.descriptorSetLayout = layout}, kEntry);
  Make({.descriptorSetLayout = layout}, {0, 1, 4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 16});
  Make({.descriptorSetLayout = block}, {0, 4, 12, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 0, 0});
  ExpectNothing();
  Make({.descriptorSetLayout = layout}, {1, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0});
  ExpectMessage("VUID-VkDescriptorUpdateTemplateEntry-dstBinding-00354");
  Make({.descriptorSetLayout = layout}, {0, 1, 5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 16});
  ExpectMessage("VUID-VkDescriptorUpdateTemplateEntry-dstArrayElement-00355");
  Make({.descriptorSetLayout = block}, {0, 2, 4, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 0, 0});
  ExpectMessage("VUID-VkDescriptorUpdateTemplateEntry-descriptor-02226");
  Make({.descriptorSetLayout = block}, {0, 4, 6, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 0, 0});
  ExpectMessage("VUID-VkDescriptorUpdateTemplateEntry-descriptor-02227");
  const VkDescriptorSetLayout of_any =
      MakeLayout({.bindings = {{0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1, kCompute, nullptr}},
                  .mutable_types = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}}});
  Make({.descriptorSetLayout = of_any}, kEntry);
  ExpectMessage("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-04615");
}

TEST_F(UpdateTemplateTest, PushDescriptors) {
  MakeDevice();
  const VkPipelineLayout layout = MakePipelineLayout({MakeLayout({}), MakeLayout({.flags = kPush})});
  VkDescriptorUpdateTemplateCreateInfo info = {
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS, .pipelineLayout = layout, .set = 1};
  Make(info, kEntry);
  ExpectNothing();
  info.set = 0;
  Make(info, kEntry);
  ExpectMessage("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00353");
  info.set = 1;
  info.pipelineBindPoint = static_cast<VkPipelineBindPoint>(77);
  Make(info, kEntry);
  ExpectMessage("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00351");
}

TEST_F(UpdateTemplateTest, PushDescriptorsWithoutFeature) {
  MakeDevice("pushDescriptor");
  const VkDescriptorSetLayout set = MakeLayout({.flags = kPush});
  ExpectMessage("VUID-VkDescriptorSetLayoutCreateInfo-flags-10354");
  const VkPipelineLayout layout = MakePipelineLayout({set});
  ExpectNothing();
  Make({.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS, .pipelineLayout = layout}, kEntry);
  ExpectMessage("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-10355");
}

TEST_F(UpdateTemplateTest, UnknownLayouts) {
  MakeDevice();
  const SkipCalls skip(*this);
  const auto unknown = uint64_t{0x1234};
  Make({.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = reinterpret_cast<VkDescriptorSetLayout>(unknown)},
       kEntry);
  ExpectMessage("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00350");
  Make({.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS,
        .pipelineLayout = reinterpret_cast<VkPipelineLayout>(unknown)},
       kEntry);
  ExpectMessage("VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00352");
}

TEST_F(SetLayoutTest, NumberOfVariableCounts) {
  MakeDevice();
  const VkDescriptorSetLayout layout =
      MakeLayout({.binding_flags = {VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT}});
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
  const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 4, .poolSizeCount = 1, .pPoolSizes = &size};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateDescriptorPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [=, this] { vk.DestroyDescriptorPool(device, pool, nullptr); });
  const uint32_t counts[] = {1, 1};
  VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
      .descriptorSetCount = 1,
      .pDescriptorCounts = counts};
  const VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, &variable, pool, 1,
                                            &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  vk.AllocateDescriptorSets(device, &info, &set);
  ExpectNothing();
  variable.descriptorSetCount = 2;
  vk.AllocateDescriptorSets(device, &info, &set);
  ExpectMessage("VUID-VkDescriptorSetVariableDescriptorCountAllocateInfo-descriptorSetCount-03045");
}

}  // namespace
}  // namespace assay::core
