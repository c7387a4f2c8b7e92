// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reference_replacements_test.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// With the copy for reports behind it.
const std::vector<std::string> kReplaced = {"barrier", "bind 0", "push",    "dispatch 1",
                                            "barrier", "copy",   "barrier", "build"};
const std::vector<std::string> kUnchanged = {"copy", "barrier", "build"};
constexpr VkPipelineStageFlags kBuilds = VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkPipelineStageFlags kComputes = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

TEST_F(ReferenceReplacementsTest, BuildReadsACopy) {
  EXPECT_EQ(EventsOf([&](VkCommandBuffer commands) { Build(commands); }), kReplaced);
  ASSERT_THAT(built_, SizeIs(1));
  const VkDeviceAddress copy = built_[0].instances;
  EXPECT_NE(copy, AddressOf(input_));
  EXPECT_EQ(copy % 16, 0u);
  EXPECT_THAT(stages_, ElementsAre(kBuilds | kComputes | VK_PIPELINE_STAGE_HOST_BIT, kComputes, kComputes, kBuilds,
                                   VK_PIPELINE_STAGE_TRANSFER_BIT, kBuilds));
}

// Where the copy begins, they begin.
TEST_F(ReferenceReplacementsTest, OffsetOfThePrimitives) {
  const Geometry geometry = Instances();
  const Geometry* const pointer = &geometry;
  BuildInfo info = InfoOf(geometry);
  info.pGeometries = nullptr;
  info.ppGeometries = &pointer;
  const Range range = {.primitiveCount = 17, .primitiveOffset = 64};
  EventsOf([&](VkCommandBuffer commands) { Build(commands, info, range); });
  EXPECT_EQ(events_[3], "dispatch 2");
  ASSERT_THAT(built_, SizeIs(1));
  EXPECT_NE(built_[0].instances, AddressOf(input_));
  EXPECT_EQ(built_[0].offset, 0u);
  // The application's memory is as before.
  EXPECT_EQ(geometry.geometry.instances.data.deviceAddress, AddressOf(input_));
  EXPECT_EQ(range.primitiveOffset, 64u);
}

TEST_F(ReferenceReplacementsTest, WhatIsBoundAndPushedIsPutBack) {
  const VkPipelineLayout layout = MakePipelineLayout({}, push_offset_ + 8);
  const VkPipelineLayout other = MakePipelineLayout({}, 16);
  const VkPipeline pipeline = MakeComputePipeline(layout, MakeShader(test::ComputeShader({})));
  EventsOf([&](VkCommandBuffer commands) {
    const uint32_t words[] = {1, 2, 3};
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, push_offset_ - 4, 8, &words[0]);
    vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, push_offset_ + 4, 4, &words[2]);
    // Does not disturb the others.
    vk.CmdPushConstants(commands, other, VK_SHADER_STAGE_ALL, 0, 4, &words[2]);
    Build(commands);
    vk.CmdDispatch(commands, 7, 1, 1);
  });
  const std::string all = std::to_string(uint32_t{VK_SHADER_STAGE_ALL});
  EXPECT_THAT(events_,
              ElementsAre("bind 0", "push 244 for " + all + " with 1: 1 2", "push 252 for " + all + " with 1: 3",
                          "push 0 for " + all + " with 2: 3", "barrier", "bind 3", "push", "dispatch 1", "barrier",
                          "push 248 for " + all + " with 1: 2", "push 252 for " + all + " with 1: 3", "bind 0", "copy",
                          "barrier", "build", "dispatch 7"));
}

TEST_F(ReferenceReplacementsTest, ShaderObjectIsBoundAgain) {
  const std::vector<uint32_t> words = test::AssembleSpirv(test::ComputeShader({}));
  const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                      .codeSize = words.size() * sizeof(uint32_t),
                                      .pCode = words.data(),
                                      .pName = "main"};
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateShadersEXT(device, 1, &info, nullptr, &shader), VK_SUCCESS);
  Defer(shader, [this, shader] { vk.DestroyShaderEXT(device, shader, nullptr); });
  EventsOf([&](VkCommandBuffer commands) {
    constexpr VkShaderStageFlagBits kStage = VK_SHADER_STAGE_COMPUTE_BIT;
    vk.CmdBindShadersEXT(commands, 1, &kStage, &shader);
    Build(commands);
  });
  EXPECT_THAT(events_, ElementsAre("bind shader 0", "barrier", "bind 1", "push", "dispatch 1", "barrier",
                                   "bind shader 0", "copy", "barrier", "build"));
}

// The host decides which pipeline a dispatch runs: the one that checks everything, or the application's.
TEST_F(ReferenceReplacementsTest, CheckingPipelineIsBoundAgain) {
  const VkPipeline pipeline = MakeComputePipeline(MakeLayout(), MakeShader(test::ComputeShader({.writes = {0}})));
  EventsOf([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    // Nothing is bound.
    vk.CmdDispatch(commands, 5, 1, 1);
    Build(commands);
    vk.CmdDispatch(commands, 6, 1, 1);
  });
  EXPECT_THAT(events_, ElementsAre("bind 0", "bind 1", "dispatch 5", "barrier", "bind 2", "push", "dispatch 1",
                                   "barrier", "bind 0", "copy", "barrier", "build", "bind 1", "dispatch 6"));
}

TEST_F(ReferenceReplacementsTest, OneOfSeveralStructures) {
  const Geometry boxes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                          .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR};
  const Geometry pointers = InstancesAt(AddressOf(input_), VK_TRUE);
  const Geometry instances = Instances();
  BuildInfo infos[] = {InfoOf(boxes), InfoOf(pointers), InfoOf(instances)};
  infos[0].type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
  EventsOf([&](VkCommandBuffer commands) {
    const Range range = {.primitiveCount = 1, .primitiveOffset = 64};
    const Range* const ranges[] = {&range, &range, &range};
    vk.CmdBuildAccelerationStructuresKHR(commands, 3, infos, ranges);
  });
  ASSERT_THAT(built_, SizeIs(3));
  EXPECT_EQ(built_[1].instances, AddressOf(input_));
  EXPECT_EQ(built_[1].offset, 64u);
  EXPECT_NE(built_[2].instances, AddressOf(input_));
  EXPECT_EQ(built_[2].offset, 0u);
}

TEST_F(ReferenceReplacementsTest, IndirectBuildReadsARangeOfOurs) {
  const Geometry geometry = Instances();
  const BuildInfo info = InfoOf(geometry);
  const VkDeviceAddress address = AddressOf(ranges_) + 16;
  const auto build = [&](VkDeviceAddress range) {
    return EventsOf([&](VkCommandBuffer commands) {
      constexpr uint32_t kStride = 16;
      const uint32_t most = 40;
      const uint32_t* const max_counts = &most;
      vk.CmdBuildAccelerationStructuresIndirectKHR(commands, 1, &info, &range, &kStride, &max_counts);
    });
  };
  EXPECT_EQ(build(address)[3], "dispatch 3");
  ASSERT_THAT(built_, SizeIs(1));
  EXPECT_NE(built_[0].instances, AddressOf(input_));
  EXPECT_EQ(built_[0].range, built_[0].instances + 40 * sizeof(VkAccelerationStructureInstanceKHR));
  constexpr VkPipelineStageFlags kIndirect = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
  EXPECT_EQ(stages_[0], kBuilds | kIndirect | kComputes | VK_PIPELINE_STAGE_HOST_BIT);
  EXPECT_EQ(stages_[3], kBuilds | kIndirect);
  // It does not end in the buffer.
  EXPECT_THAT(build(AddressOf(ranges_) + 248), ElementsAre("build"));
}

TEST_F(ReferenceReplacementsTest, InstancesThatAreNotCopied) {
  const auto events_of = [this](const Geometry& geometry, const Range& range,
                                VkBuildAccelerationStructureFlagsKHR flags = 0) {
    BuildInfo info = InfoOf(geometry);
    info.flags = flags;
    return EventsOf([&](VkCommandBuffer commands) { Build(commands, info, range); });
  };
  const VkDeviceAddress address = AddressOf(input_);
  EXPECT_EQ(events_of(InstancesAt(address), {.primitiveCount = 1}), kReplaced);
  EXPECT_THAT(events_of(InstancesAt(address), {.primitiveCount = 0}), ElementsAre("build"));
  EXPECT_EQ(events_of(InstancesAt(address, VK_TRUE), {.primitiveCount = 1}), kUnchanged);
  EXPECT_EQ(events_of(InstancesAt(address), {.primitiveCount = 1, .primitiveOffset = 8}), kUnchanged);
  EXPECT_EQ(events_of(InstancesAt(address + input_.size - 64), {.primitiveCount = 2}), kUnchanged);
  EXPECT_THAT(events_of(InstancesAt(0x10), {.primitiveCount = 1}), ElementsAre("build"));
  EXPECT_THAT(events_of(InstancesAt(address), {.primitiveCount = 1}, VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV),
              ElementsAre("build"));
}

// As much as a recording copies.
TEST_F(ReferenceReplacementsTest, ManyInstances) {
  constexpr uint32_t kMost = (1u << 23) / sizeof(VkAccelerationStructureInstanceKHR);
  EXPECT_EQ(EventsOf([&](VkCommandBuffer commands) { Build(commands, kMost + 1); }), kUnchanged);
  EventsOf([&](VkCommandBuffer commands) {
    Build(commands, kMost - 1);
    Build(commands, 2);
    Build(commands, 1);
  });
  ASSERT_THAT(built_, SizeIs(3));
  EXPECT_NE(built_[0].instances, AddressOf(input_));
  EXPECT_EQ(built_[1].instances, AddressOf(input_));
  EXPECT_NE(built_[2].instances, AddressOf(input_));
}

TEST_F(ReferenceReplacementsTest, QueriesCountNoDispatchOfOurs) {
  const VkQueryPool pool =
      MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  EventsOf([&](VkCommandBuffer commands) {
    vk.CmdResetQueryPool(commands, pool, 0, 1);
    vk.CmdBeginQuery(commands, pool, 0, 0);
    Build(commands);
    vk.CmdEndQuery(commands, pool, 0);
  });
  EXPECT_EQ(events_, kUnchanged);
  EventsOf([&](VkCommandBuffer commands) {
    vk.CmdResetQueryPool(commands, pool, 0, 1);
    vk.CmdBeginQuery(commands, pool, 0, 0);
    vk.CmdEndQuery(commands, pool, 0);
    Build(commands);
  });
  EXPECT_EQ(events_, kReplaced);
}

TEST_F(ReferenceReplacementsTest, PredicatesWouldCountForADispatch) {
  const test::Buffer predicate = MakeBuffer(4, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
  EventsOf([&](VkCommandBuffer commands) {
    const VkConditionalRenderingBeginInfoEXT begin = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                      .buffer = predicate};
    vk.CmdBeginConditionalRenderingEXT(commands, &begin);
    Build(commands);
    vk.CmdEndConditionalRenderingEXT(commands);
  });
  EXPECT_EQ(events_, kUnchanged);
}

// Of a secondary command buffer, the primary decides.
TEST_F(ReferenceReplacementsTest, SecondaryCommandBuffers) {
  const auto events_of = [this](const void* next, VkQueryPipelineStatisticFlags statistics,
                                VkCommandBufferUsageFlags flags = 0) {
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = next, .pipelineStatistics = statistics};
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = flags, .pInheritanceInfo = &inherited};
    const VkCommandBuffer commands = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    events_.clear();
    EXPECT_EQ(vk.BeginCommandBuffer(commands, &info), VK_SUCCESS);
    Build(commands);
    EXPECT_EQ(vk.EndCommandBuffer(commands), VK_SUCCESS);
    return events_;
  };
  EXPECT_EQ(events_of(nullptr, 0), kReplaced);
  EXPECT_EQ(events_of(nullptr, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT), kUnchanged);
  const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
      .conditionalRenderingEnable = VK_TRUE};
  EXPECT_EQ(events_of(&conditional, 0), kUnchanged);
  // Executions that overlap would write the same copy.
  EXPECT_EQ(events_of(nullptr, 0, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT), kUnchanged);
}

TEST_F(ReferenceReplacementsTest, ProtectedCommandBuffers) {
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                             .flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT};
  VkCommandPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateCommandPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [this, pool] { vk.DestroyCommandPool(device, pool, nullptr); });
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  ASSERT_EQ(vk.AllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
  Begin(commands);
  Build(commands);
  End(commands);
  EXPECT_THAT(events_, ElementsAre("build"));
}

TEST_F(ReferenceReplacementsTest, WithoutAPipelineBuildsAreUnchanged) {
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(EventsOf([&](VkCommandBuffer commands) { Build(commands); }), kUnchanged);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text, HasSubstr("could not make a compute pipeline"));
  EXPECT_EQ(EventsOf([&](VkCommandBuffer commands) { Build(commands); }), kUnchanged);
}

TEST_F(ReferenceReplacementsTest, WithoutMemoryBuildsAreUnchanged) {
  // What a recording has is there already.
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  EventsOf([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
    vk.CmdDispatch(commands, 1, 1, 1);
    driver().FailNext<vk::AllocateMemory>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    Build(commands, 1u << 14);
  });
  ExpectMessage("ASSAY-gpuav-disabled");
  ASSERT_THAT(built_, SizeIs(1));
  EXPECT_EQ(built_[0].instances, AddressOf(input_));
}

TEST_F(ReferenceReplacementsTest, MemoryIsUsedAgainAndNothingIsLeft) {
  const VkCommandBuffer commands = MakeCommandBuffer();
  const auto record = [&] {
    Begin(commands);
    Build(commands, 1u << 14);
    End(commands);
  };
  record();
  const size_t memory = driver().LiveObjects(VK_OBJECT_TYPE_DEVICE_MEMORY);
  const size_t pipelines = driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE);
  for (int i = 0; i < 10; ++i) record();
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_DEVICE_MEMORY), memory);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE), pipelines);
  Destroy();
  for (const VkObjectType type : {VK_OBJECT_TYPE_BUFFER, VK_OBJECT_TYPE_DEVICE_MEMORY, VK_OBJECT_TYPE_PIPELINE,
                                  VK_OBJECT_TYPE_PIPELINE_LAYOUT, VK_OBJECT_TYPE_SHADER_MODULE}) {
    EXPECT_EQ(driver().LiveObjects(type), 0u) << type;
  }
}

class SettingOffTest : public ReferenceReplacementsTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ReferenceReplacementsTest::Options();
    options.settings.emplace_back("gpuav_buffers_validation", false);
    return options;
  }
};

TEST_F(SettingOffTest, BuildsAreUnchanged) {
  EXPECT_THAT(EventsOf([&](VkCommandBuffer commands) { Build(commands); }), ElementsAre("build"));
}

// There are two pipelines then: the application's, and one that is instrumented.
class ChosenFramesTest : public ReferenceReplacementsTest {
 protected:
  void SetUp() override {}
  void CreateWith(const char* frames) {
    frames_ = frames;
    ReferenceReplacementsTest::SetUp();
  }
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ReferenceReplacementsTest::Options();
    options.other_settings = {
        {"VK_LAYER_ASSAY_validation", "gpuav_only_frames", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &frames_}};
    return options;
  }
  const char* frames_ = nullptr;
};

TEST_F(ChosenFramesTest, ChosenPipelineIsBoundAgain) {
  CreateWith("0");
  const VkPipeline pipeline = MakePipeline();
  EventsOf([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdDispatch(commands, 5, 1, 1);
    Build(commands);
    vk.CmdDispatch(commands, 6, 1, 1);
  });
  EXPECT_THAT(events_, ElementsAre("bind 0", "bind 1", "dispatch 5", "barrier", "bind 2", "push", "dispatch 1",
                                   "barrier", "bind 0", "copy", "barrier", "build", "bind 1", "dispatch 6"));
}

TEST_F(ChosenFramesTest, BuildsOfOtherFramesAreUnchanged) {
  CreateWith("1");
  EXPECT_THAT(EventsOf([&](VkCommandBuffer commands) { Build(commands); }), ElementsAre("build"));
}

// Structures that are built of clusters are where the device puts them.
class ClusterTest : public ReferenceReplacementsTest {
 protected:
  test::DeviceOptions Options() override {
    clusters_.clusterAccelerationStructure = VK_TRUE;
    test::DeviceOptions options = ReferenceReplacementsTest::Options();
    options.device_extensions.push_back(VK_NV_CLUSTER_ACCELERATION_STRUCTURE_EXTENSION_NAME);
    clusters_.pNext = options.features;
    options.features = &clusters_;
    return options;
  }
  VkPhysicalDeviceClusterAccelerationStructureFeaturesNV clusters_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_ACCELERATION_STRUCTURE_FEATURES_NV};
};

TEST_F(ClusterTest, BuildsAreUnchanged) {
  EXPECT_EQ(EventsOf([&](VkCommandBuffer commands) { Build(commands); }), kUnchanged);
}

}  // namespace
}  // namespace assay::gpuav
