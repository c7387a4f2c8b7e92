// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which descriptor sets may be bound, and with which dynamic offsets, by both forms of the command.

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Binding;

constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;

// Parameters of a call.
struct Call {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  uint32_t first = 0;
  std::vector<VkDescriptorSet> sets = {};
  std::vector<uint32_t> offsets = {};
};

class NegativeSets : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {"VK_EXT_descriptor_buffer", "VK_EXT_mutable_descriptor_type"}, .features = &mutable_};
  }
  void SetUp() override {
    driver().config().queue_families[2].queueFlags = VK_QUEUE_GRAPHICS_BIT;
    ValidationTest::SetUp();
    Begin(commands_ = MakeCommandBuffer());
  }

  void BindOld(const Call& call) {
    vk.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, call.layout, call.first,
                             static_cast<uint32_t>(call.sets.size()), call.sets.data(),
                             static_cast<uint32_t>(call.offsets.size()), call.offsets.data());
  }
  void BindNew(const Call& call, VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT) {
    const VkBindDescriptorSetsInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
                                           .stageFlags = stages,
                                           .layout = call.layout,
                                           .firstSet = call.first,
                                           .descriptorSetCount = static_cast<uint32_t>(call.sets.size()),
                                           .pDescriptorSets = call.sets.data(),
                                           .dynamicOffsetCount = static_cast<uint32_t>(call.offsets.size()),
                                           .pDynamicOffsets = call.offsets.data()};
    vk.CmdBindDescriptorSets2(commands_, &info);
  }
  // By both forms, with the rule of each; empty for what is right. Returns the last text.
  std::string Bind(std::string_view rule, const Call& call) {
    SCOPED_TRACE(rule);
    BindOld(call);
    ExpectAlone("vkCmdBindDescriptorSets", rule);
    BindNew(call);
    const auto all =
        rule.empty() ? std::vector<std::string>() : std::vector{absl::StrCat("VUID-VkBindDescriptorSetsInfo-", rule)};
    const std::vector<test::Message> told = ExpectMessages(all);
    return told.empty() ? "" : told[0].text;
  }

  VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
      .mutableDescriptorType = VK_TRUE};
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(NegativeSets, OtherLayout) {
  const std::vector<Binding> plain = {{.binding = 0}, {.binding = 2, .count = 3}};
  const VkDescriptorSetLayout layout = MakeSetLayout(plain), same = MakeSetLayout({plain[1], plain[0]});
  const Call call = {.layout = MakePipelineLayout({layout, layout}), .first = 1};
  const auto with = [&](VkDescriptorSetLayout other) {
    Call changed = call;
    changed.sets = {MakeSet(other)};
    return changed;
  };
  Bind("", with(layout));
  Bind("", with(same));
  const auto expect = [&](const std::vector<Binding>& bindings, std::string_view difference) {
    const std::string text = Bind("pDescriptorSets-00358", with(MakeSetLayout(bindings)));
    EXPECT_NE(text.find(difference), std::string::npos) << text;
  };
  expect({plain[0]}, "it has no binding 2");
  expect({plain[0], plain[1], {.binding = 3}}, "it also has binding 3");
  expect({plain[0], {.binding = 2, .count = 2}}, "binding 2 has a descriptorCount of 2 and not of 3");
  expect({plain[0], {.binding = 2, .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = 3}}, "another descriptorType");
  expect({plain[0], {.binding = 2, .count = 3, .stages = VK_SHADER_STAGE_COMPUTE_BIT}}, "other stageFlags");
}

// Which samplers are immutable does not count, and neither do bindings without descriptors.
TEST_F(NegativeSets, SameDefinition) {
  const auto make = [&](VkSampler sampler, bool has_reserved) {
    std::vector<Binding> bindings = {
        {.type = VK_DESCRIPTOR_TYPE_SAMPLER, .immutable_samplers = sampler != VK_NULL_HANDLE ? &sampler : nullptr}};
    if (has_reserved) bindings.push_back({.binding = 1, .count = 0, .stages = 0});
    return MakeSetLayout(bindings);
  };
  const VkPipelineLayout layout = MakePipelineLayout({make(MakeSampler(), false)});
  Bind("", {.layout = layout, .sets = {MakeSet(make(MakeSampler(), true))}});
  Bind("pDescriptorSets-00358", {.layout = layout, .sets = {MakeSet(make(VK_NULL_HANDLE, false))}});
}

TEST_F(NegativeSets, Sets) {
  const VkDescriptorSetLayout layout = MakeSetLayout({{}});
  const VkDescriptorSet set = MakeSet(layout), host_only = MakeSet(layout, VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT);
  const VkPipelineLayout one = MakePipelineLayout({layout}), two = MakePipelineLayout({layout, layout});
  Bind("", {.layout = two, .sets = {set, set}});
  Bind("firstSet-00360", {.layout = two, .first = 1, .sets = {set, set}});
  Bind("pDescriptorSets-04616", {.layout = one, .sets = {host_only}});
  BindOld({.layout = one, .sets = {VK_NULL_HANDLE}});
  ExpectMessage("VUID-vkCmdBindDescriptorSets-pDescriptorSets-06563");
}

TEST_F(NegativeSets, DynamicOffsets) {
  const VkPhysicalDeviceLimits& limits = driver().config().limits;
  const auto uniform_step = static_cast<uint32_t>(limits.minUniformBufferOffsetAlignment);
  const auto storage_step = static_cast<uint32_t>(limits.minStorageBufferOffsetAlignment);
  ASSERT_GT(uniform_step, 1u);
  ASSERT_GT(storage_step, 1u);
  const VkDescriptorSetLayout layout =
      MakeSetLayout({{.binding = 0, .type = kStorage, .count = 2}, {.binding = 1, .type = kUniform}});
  const VkDescriptorSet set = MakeSet(layout);
  const uint32_t step = std::max(uniform_step, storage_step);
  const test::Buffer buffer = MakeBuffer(VkDeviceSize{4} * step);
  WriteBuffer(set, 0, kStorage, buffer, 0, step, 0);
  WriteBuffer(set, 0, kStorage, buffer, step, VK_WHOLE_SIZE, 1);
  WriteBuffer(set, 1, kUniform, buffer, step, step);
  const VkPipelineLayout pipeline_layout = MakePipelineLayout({layout});
  const auto with = [&](std::vector<uint32_t> offsets) {
    return Call{.layout = pipeline_layout, .sets = {set}, .offsets = std::move(offsets)};
  };
  Bind("", with({3 * step, 0, 2 * step}));
  Bind("dynamicOffsetCount-00359", with({0, 0}));
  Bind("dynamicOffsetCount-00359", with({0, 0, 0, 0}));
  Bind("pDynamicOffsets-01972", with({1, 0, 0}));
  Bind("pDynamicOffsets-01971", with({0, 0, 1}));
  Bind("pDescriptorSets-01979", with({4 * step, 0, 0}));
  Bind("pDescriptorSets-01979", with({0, 0, 3 * step}));
  Bind("pDescriptorSets-06715", with({0, step, 0}));
}

TEST_F(NegativeSets, QueueFamily) {
  const VkDescriptorSetLayout layout = MakeSetLayout({{}});
  const Call call = {.layout = MakePipelineLayout({layout}), .sets = {MakeSet(layout)}};
  const auto bind = [&](VkPipelineBindPoint point) {
    vk.CmdBindDescriptorSets(commands_, point, call.layout, 0, 1, call.sets.data(), 0, nullptr);
  };
  constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
  // Compute alone, and graphics alone.
  for (const bool is_compute : {true, false}) {
    SCOPED_TRACE(is_compute ? "compute" : "graphics");
    Begin(commands_ = MakeCommandBuffer(is_compute ? 1 : 2));
    bind(is_compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS);
    BindNew(call, is_compute ? kCompute : VkShaderStageFlags{VK_SHADER_STAGE_ALL_GRAPHICS});
    if (is_compute) BindNew(call, VK_SHADER_STAGE_ALL);
    ExpectNothing();
    bind(is_compute ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE);
    ExpectMessage("VUID-vkCmdBindDescriptorSets-pipelineBindPoint-00361");
    BindNew(call, is_compute ? kCompute | VK_SHADER_STAGE_FRAGMENT_BIT : kCompute);
    ExpectMessage("VUID-vkCmdBindDescriptorSets2-pBindDescriptorSetsInfo-09467");
  }
}

// A set layout for descriptor buffers has no sets, so that none can be allocated; a program that does is told twice.
TEST_F(NegativeSets, LayoutForDescriptorBuffers) {
  const VkDescriptorSetLayout plain = MakeSetLayout({{}});
  const VkDescriptorSetLayout layout = MakeSetLayout({{}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  messages.Take();
  const VkDescriptorSet set = MakeSet(layout);
  messages.Take();
  Bind("pDescriptorSets-08010", {.layout = MakePipelineLayout({layout}), .sets = {set}});
  Bind("", {.layout = MakePipelineLayout({plain}), .sets = {MakeSet(plain)}});
}

}  // namespace
}  // namespace assay::core
