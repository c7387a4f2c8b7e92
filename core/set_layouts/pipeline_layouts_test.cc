// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipeline layouts and update templates against their set layouts, through the whole layer.

#include <string>
#include <utility>
#include <vector>

#include "core/set_layouts/set_layout_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kInline = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
constexpr auto kPush = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
constexpr auto kBuffer = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;

class PipelineLayoutTest : public SetLayoutTest {
 protected:
  // All rules that are broken, each as what follows "VUID-Vk" in the id.
  void MakeSets(const std::vector<std::string>& rules, const std::vector<VkDescriptorSetLayout>& sets) {
    MakePipelineLayout(sets);
    Expect(rules);
  }
  void MakeRanges(const std::vector<std::string>& rules, const std::vector<VkPushConstantRange>& ranges) {
    const VkPipelineLayoutCreateInfo info = {.pushConstantRangeCount = static_cast<uint32_t>(ranges.size()),
                                             .pPushConstantRanges = ranges.data()};
    MakeFrom(info, vk.CreatePipelineLayout, vk.DestroyPipelineLayout);
    Expect(rules);
  }
  void Expect(std::vector<std::string> rules) {
    for (std::string& rule : rules) rule.insert(0, "VUID-Vk");
    ExpectMessages(std::move(rules));
  }
};

TEST_F(PipelineLayoutTest, Sets) {
  MakeDevice();
  const VkDescriptorSetLayout plain = MakeLayout({}), push = MakeLayout({.flags = kPush}),
                              for_buffers = MakeLayout({.flags = kBuffer});
  MakeSets({}, {plain, push, VK_NULL_HANDLE, plain});
  MakeSets({}, {for_buffers, for_buffers});
  MakeSets({"PipelineLayoutCreateInfo-pSetLayouts-00293"}, {push, plain, push});
  MakeSets({"PipelineLayoutCreateInfo-pSetLayouts-08008"}, {for_buffers, plain});
  MakeSets({"PipelineLayoutCreateInfo-pSetLayouts-04606"},
           {MakeLayout({.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT})});
}

TEST_F(PipelineLayoutTest, NullSetWithoutLibraries) {
  MakeDevice("graphicsPipelineLibrary");
  const VkDescriptorSetLayout plain = MakeLayout({});
  MakeSets({}, {plain});
  MakeSets({"PipelineLayoutCreateInfo-graphicsPipelineLibrary-06753"}, {plain, VK_NULL_HANDLE});
}

TEST_F(PipelineLayoutTest, BoundSetsAndPushConstants) {
  driver().config().limits.maxBoundDescriptorSets = 7;
  driver().config().limits.maxPushConstantsSize = 256;
  MakeDevice();
  MakeSets({}, std::vector(7, MakeLayout({})));
  MakeRanges({}, {{kCompute, 0, 256}, {VK_SHADER_STAGE_VERTEX_BIT, 252, 4}});
  MakeRanges({"PipelineLayoutCreateInfo-pPushConstantRanges-00292"}, {{kCompute, 0, 16}, {kCompute, 16, 16}});
}

class UpdateTemplateTest : public SetLayoutTest {
 protected:
  // `rule` is what follows "VUID-VkDescriptorUpdateTemplate" in the id; empty for a correct template.
  void Make(const std::string& rule, VkDescriptorUpdateTemplateCreateInfo info,
            VkDescriptorUpdateTemplateEntry entry = kEntry) {
    SCOPED_TRACE(rule);
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
    info.descriptorUpdateEntryCount = 1;
    info.pDescriptorUpdateEntries = &entry;
    CreateOnce(vk.CreateDescriptorUpdateTemplate, vk.DestroyDescriptorUpdateTemplate, info);
    ExpectAlone(rule.empty() ? "" : "VUID-VkDescriptorUpdateTemplate" + rule);
  }
  static constexpr VkDescriptorUpdateTemplateEntry kEntry = {0, 0, 1, kStorage, 0, 0};
};

TEST_F(UpdateTemplateTest, Entries) {
  MakeDevice();
  const VkDescriptorSetLayout layout =
      MakeLayout({.bindings = {{0, kStorage, 2, kCompute, nullptr}, {3, kStorage, 3, kCompute, nullptr}}});
  const VkDescriptorSetLayout block = MakeLayout({.bindings = {{0, kInline, 16, kCompute, nullptr}}});
  // The second one goes on in binding 3.
  Make("", {.descriptorSetLayout = layout});
  Make("", {.descriptorSetLayout = layout}, {0, 1, 4, kStorage, 0, 16});
  Make("", {.descriptorSetLayout = block}, {0, 4, 12, kInline, 0, 0});
  Make("Entry-dstBinding-00354", {.descriptorSetLayout = layout}, {1, 0, 1, kStorage, 0, 0});
  Make("Entry-dstArrayElement-00355", {.descriptorSetLayout = layout}, {0, 1, 5, kStorage, 0, 16});
  Make("Entry-descriptor-02226", {.descriptorSetLayout = block}, {0, 2, 4, kInline, 0, 0});
  Make("Entry-descriptor-02227", {.descriptorSetLayout = block}, {0, 4, 6, kInline, 0, 0});
  const VkDescriptorSetLayout of_any = MakeLayout(
      {.bindings = {{0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1, kCompute, nullptr}}, .mutable_types = {{kStorage}}});
  Make("CreateInfo-templateType-04615", {.descriptorSetLayout = of_any});
}

TEST_F(UpdateTemplateTest, PushDescriptors) {
  MakeDevice();
  const VkPipelineLayout layout = MakePipelineLayout({MakeLayout({}), MakeLayout({.flags = kPush})});
  VkDescriptorUpdateTemplateCreateInfo info = {
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS, .pipelineLayout = layout, .set = 1};
  Make("", info);
  info.set = 0;
  Make("CreateInfo-templateType-00353", info);
  info.set = 1;
  info.pipelineBindPoint = static_cast<VkPipelineBindPoint>(77);
  Make("CreateInfo-templateType-00351", info);
}

TEST_F(UpdateTemplateTest, PushDescriptorsWithoutFeature) {
  MakeDevice("pushDescriptor");
  const VkDescriptorSetLayout set = MakeLayout({.flags = kPush});
  ExpectMessage("VUID-VkDescriptorSetLayoutCreateInfo-flags-10354");
  const VkPipelineLayout layout = MakePipelineLayout({set});
  Make("CreateInfo-templateType-10355",
       {.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS, .pipelineLayout = layout});
}

TEST_F(UpdateTemplateTest, UnknownLayouts) {
  MakeDevice();
  const SkipCalls skip(*this);
  const auto unknown = uint64_t{0x1234};
  Make("CreateInfo-templateType-00350", {.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
                                         .descriptorSetLayout = reinterpret_cast<VkDescriptorSetLayout>(unknown)});
  Make("CreateInfo-templateType-00352", {.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS,
                                         .pipelineLayout = reinterpret_cast<VkPipelineLayout>(unknown)});
}

}  // namespace
}  // namespace assay::core
