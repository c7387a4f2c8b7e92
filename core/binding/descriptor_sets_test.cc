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
    commands_ = MakeCommandBuffer();
    Begin(commands_);
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
  void ExpectBound(const Call& call) {
    BindOld(call);
    BindNew(call);
    ExpectNothing();
  }
  // Returns the text.
  std::string ExpectOf(const Call& call, std::string_view rule) {
    ExpectNothing();
    BindOld(call);
    ExpectMessage(absl::StrCat("VUID-vkCmdBindDescriptorSets-", rule));
    BindNew(call);
    const test::Message message = ExpectMessage(absl::StrCat("VUID-VkBindDescriptorSetsInfo-", rule));
    ExpectNothing();
    return message.text;
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
  ExpectBound(with(layout));
  ExpectBound(with(same));
  const auto expect = [&](const std::vector<Binding>& bindings, std::string_view difference) {
    const std::string text = ExpectOf(with(MakeSetLayout(bindings)), "pDescriptorSets-00358");
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
  ExpectBound({.layout = layout, .sets = {MakeSet(make(MakeSampler(), true))}});
  ExpectOf({.layout = layout, .sets = {MakeSet(make(VK_NULL_HANDLE, false))}}, "pDescriptorSets-00358");
}

TEST_F(NegativeSets, BeyondLayout) {
  const VkDescriptorSetLayout layout = MakeSetLayout({{}});
  const VkDescriptorSet set = MakeSet(layout);
  const VkPipelineLayout two = MakePipelineLayout({layout, layout});
  ExpectBound({.layout = two, .sets = {set, set}});
  ExpectOf({.layout = two, .first = 1, .sets = {set, set}}, "firstSet-00360");
}

TEST_F(NegativeSets, NoSet) {
  const VkDescriptorSetLayout layout = MakeSetLayout({{}});
  const Call call = {.layout = MakePipelineLayout({layout}), .sets = {VK_NULL_HANDLE}};
  BindOld(call);
  ExpectMessage("VUID-vkCmdBindDescriptorSets-pDescriptorSets-06563");
  BindNew(call);
  ExpectMessage("VUID-VkBindDescriptorSetsInfo-pDescriptorSets-parameter");
}

TEST_F(NegativeSets, HostOnlyPool) {
  const VkDescriptorSetLayout layout = MakeSetLayout({{}});
  const VkDescriptorSet set = MakeSet(layout, VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT);
  ExpectOf({.layout = MakePipelineLayout({layout}), .sets = {set}}, "pDescriptorSets-04616");
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
  ExpectBound(with({3 * step, 0, 2 * step}));
  ExpectOf(with({0, 0}), "dynamicOffsetCount-00359");
  ExpectOf(with({0, 0, 0, 0}), "dynamicOffsetCount-00359");
  ExpectOf(with({1, 0, 0}), "pDynamicOffsets-01972");
  ExpectOf(with({0, 0, 1}), "pDynamicOffsets-01971");
  ExpectOf(with({4 * step, 0, 0}), "pDescriptorSets-01979");
  ExpectOf(with({0, 0, 3 * step}), "pDescriptorSets-01979");
  ExpectOf(with({0, step, 0}), "pDescriptorSets-06715");
}

TEST_F(NegativeSets, QueueFamily) {
  const VkDescriptorSetLayout layout = MakeSetLayout({{}});
  const Call call = {.layout = MakePipelineLayout({layout}), .sets = {MakeSet(layout)}};
  const auto record = [&](uint32_t family) { commands_ = MakeCommandBuffer(family), Begin(commands_); };
  const auto bind = [&](VkPipelineBindPoint point) {
    vk.CmdBindDescriptorSets(commands_, point, call.layout, 0, 1, call.sets.data(), 0, nullptr);
  };
  // Compute alone.
  record(1);
  bind(VK_PIPELINE_BIND_POINT_COMPUTE);
  BindNew(call);
  BindNew(call, VK_SHADER_STAGE_ALL);
  ExpectNothing();
  bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
  ExpectMessage("VUID-vkCmdBindDescriptorSets-pipelineBindPoint-00361");
  BindNew(call, VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
  ExpectMessage("VUID-vkCmdBindDescriptorSets2-pBindDescriptorSetsInfo-09467");
  // Graphics alone.
  record(2);
  bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
  BindNew(call, VK_SHADER_STAGE_ALL_GRAPHICS);
  ExpectNothing();
  bind(VK_PIPELINE_BIND_POINT_COMPUTE);
  ExpectMessage("VUID-vkCmdBindDescriptorSets-pipelineBindPoint-00361");
  BindNew(call, VK_SHADER_STAGE_COMPUTE_BIT);
  ExpectMessage("VUID-vkCmdBindDescriptorSets2-pBindDescriptorSetsInfo-09467");
}

// A set layout for descriptor buffers has no sets, so that none can be allocated; a program that does is told twice.
TEST_F(NegativeSets, LayoutForDescriptorBuffers) {
  const VkDescriptorSetLayout plain = MakeSetLayout({{}});
  const VkDescriptorSetLayout layout = MakeSetLayout({{}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  messages.Take();
  const VkDescriptorSet set = MakeSet(layout);
  messages.Take();
  ExpectOf({.layout = MakePipelineLayout({layout}), .sets = {set}}, "pDescriptorSets-08010");
  ExpectBound({.layout = MakePipelineLayout({plain}), .sets = {MakeSet(plain)}});
}

}  // namespace
}  // namespace assay::core
