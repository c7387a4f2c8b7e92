// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Bad references of instances, which are replaced for the build: the device survives, and correct programs run as they
// would without.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/instance_test.h"
#include "testing/gpu/shaders/push_last_comp.h"
#include "testing/gpu/shaders/push_values_comp.h"
#include "testing/gpu/shaders/query_boxes_comp.h"

namespace assay::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// No memory is there.
constexpr VkDeviceAddress kGarbage = 0xdead0000;
constexpr VkAccelerationStructureTypeKHR kTop = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
constexpr VkAccelerationStructureTypeKHR kBottom = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;

class ReferenceTest : public InstanceTest {
 protected:
  void SetUp() override {
    // One that does not survive a bad reference, if it can look for rays in shaders at all.
    if (!IsCpu()) GTEST_SKIP() << "the device might hang";
    structures_.pNext = &ray_query_;
    ray_query_.rayQuery = VK_TRUE;
    ray_query_.pNext = &shader_objects_;
    shader_objects_.shaderObject = VK_TRUE;
    features2_.features.pipelineStatisticsQuery = VK_TRUE;
    InstanceTest::SetUp();
    query_set_layout_ = device_.MakeSetLayout(
        {{0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
    query_layout_ = device_.MakePipelineLayout({query_set_layout_});
    query_ = device_.MakeComputePipeline(query_layout_, device_.MakeShader(k_query_boxes_comp));
  }
  // Before there is a device, for which it may lack extensions.
  bool IsCpu() {
    TestDevice instance(loader_, log_);
    instance.CreateInstance();
    VkPhysicalDeviceProperties properties = {};
    instance.vk.GetPhysicalDeviceProperties(instance.physical_device, &properties);
    log_.Take();
    return properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  }
  DeviceOptions Options() override {
    DeviceOptions options = InstanceTest::Options();
    options.device_extensions.insert(options.device_extensions.end(), {"VK_KHR_ray_query", "VK_EXT_shader_object"});
    return options;
  }

  // How many boxes the rays at the places of three instances meet.
  std::vector<uint32_t> Hits(VkAccelerationStructureKHR scene) {
    const VkDescriptorSet set = device_.MakeSet(query_set_layout_);
    device_.WriteBuffer(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_);
    const VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &scene};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = &structure,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
    device_.vk.UpdateDescriptorSets(device_.device, 1, &write, 0, nullptr);
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, query_);
      device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, query_layout_, 0, 1, &set, 0, nullptr);
      device_.vk.CmdDispatch(commands, 3, 1, 1);
    }));
    return Values(3);
  }
  VkPipelineLayout MakeLayoutWith(const VkPushConstantRange& range) {
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set_layout_,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreatePipelineLayout(device_.device, &info, nullptr, &layout), VK_SUCCESS);
    device_.Defer(layout, [this, layout] { device_.vk.DestroyPipelineLayout(device_.device, layout, nullptr); });
    return layout;
  }
  std::vector<uint32_t> Values(uint32_t count) {
    const auto* values = static_cast<const uint32_t*>(Map(data_));
    return {values, values + count};
  }
  // A top-level structure of so many instances, between other commands.
  VkAccelerationStructureKHR BuildBetween(uint32_t count, const std::function<void(VkCommandBuffer)>& before,
                                          const std::function<void(VkCommandBuffer)>& behind) {
    return BuildWith(kTop, Instances(), count, [&](const BuildInfo& build) {
      SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
        const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = count};
        const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
        before(commands);
        device_.vk.CmdBuildAccelerationStructuresKHR(commands, 1, &build, &ranges);
        behind(commands);
      }));
    });
  }

  VkPhysicalDeviceRayQueryFeaturesKHR ray_query_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR};
  VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
  VkDescriptorSetLayout query_set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout query_layout_ = VK_NULL_HANDLE;
  VkPipeline query_ = VK_NULL_HANDLE;
};

TEST_F(ReferenceTest, CorrectInstancesStay) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  EXPECT_THAT(Hits(BuildOf({box, 0, box})), ElementsAre(1, 0, 1));
  EXPECT_THAT(Hits(BuildOf({0, box, box})), ElementsAre(0, 1, 1));
}

TEST_F(ReferenceTest, GarbageIsReplaced) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  const VkAccelerationStructureKHR scene = BuildOf({box, kGarbage, box});
  EXPECT_THAT(log_.Expect(kReference).text,
              HasSubstr("accelerationStructureReference is 0xdead0000, which is the address of no acceleration "
                        "structure. It was replaced by 0."));
  EXPECT_THAT(Hits(scene), ElementsAre(1, 0, 1));
  // The program's own instances are as before.
  const auto* const instances = static_cast<const VkAccelerationStructureInstanceKHR*>(Map(instances_));
  EXPECT_EQ(instances[1].accelerationStructureReference, kGarbage);
}

TEST_F(ReferenceTest, PrimitiveOffset) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  SetInstances({kGarbage, box, box});
  const VkAccelerationStructureKHR scene = BuildWith(kTop, Instances(), 2, [&](const BuildInfo& build) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      const VkAccelerationStructureBuildRangeInfoKHR range = {
          .primitiveCount = 2, .primitiveOffset = sizeof(VkAccelerationStructureInstanceKHR)};
      const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
      device_.vk.CmdBuildAccelerationStructuresKHR(commands, 1, &build, &ranges);
    }));
  });
  EXPECT_THAT(Hits(scene), ElementsAre(0, 1, 1));
}

// More than there was room for when the first scene was built.
TEST_F(ReferenceTest, ManyStructures) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  EXPECT_THAT(Hits(BuildOf({box})), ElementsAre(1, 0, 0));
  constexpr VkDeviceSize kMany = 3000;
  const Buffer storage = device_.MakeBuffer(
      kMany * 256, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  for (VkDeviceSize i = 0; i < kMany; ++i) MakeStructureIn(storage, i * 256, kBottom, 256);
  const VkDeviceAddress last = AddressOf(BuildBox());
  EXPECT_THAT(Hits(BuildOf({last, box, kGarbage})), ElementsAre(1, 1, 0));
  log_.Expect(kReference);
}

// The device learns of structures that come after the submission.
TEST_F(ReferenceTest, StructureThatIsYoungerThanTheSubmission) {
  const VkAccelerationStructureKHR gone = BuildBox();
  const VkDeviceAddress address = AddressOf(gone);
  const Buffer storage = storage_;
  const VkSemaphore timeline = device_.MakeTimeline();
  SetInstances({address});
  const VkAccelerationStructureKHR scene = BuildWith(kTop, Instances(), 1, [&](const BuildInfo& build) {
    device_.DestroyNow(gone);
    const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer buffer) {
      const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = 1};
      const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
      device_.vk.CmdBuildAccelerationStructuresKHR(buffer, 1, &build, &ranges);
    });
    const VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        .semaphore = timeline,
                                        .value = 1,
                                        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    EXPECT_EQ(device_.Submit(device_.Queue(), {commands}, {.waits = {wait}}), VK_SUCCESS);
    // What was built there is there still.
    MakeStructureIn(storage, 0, kBottom, storage.size);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 1};
    EXPECT_EQ(device_.vk.SignalSemaphore(device_.device, &signal), VK_SUCCESS);
    EXPECT_EQ(device_.vk.QueueWaitIdle(device_.Queue()), VK_SUCCESS);
  });
  EXPECT_THAT(Hits(scene), ElementsAre(1, 0, 0));
}

// The push constants are where ours are, and elsewhere.
TEST_F(ReferenceTest, PipelineAndPushConstantsStay) {
  SetInstances({AddressOf(BuildBox())});
  const auto build = [this](VkPipelineLayout layout, VkPipeline pipeline, uint32_t offset, uint32_t index) {
    return BuildBetween(
        1,
        [&](VkCommandBuffer commands) {
          const std::array<uint32_t, 2> words = {index, 10 * index};
          device_.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, offset, 8, words.data());
          device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
          device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set_, 0, nullptr);
        },
        [&](VkCommandBuffer commands) { device_.vk.CmdDispatch(commands, 1, 1, 1); });
  };
  const VkPipelineLayout last = MakeLayoutWith({VK_SHADER_STAGE_COMPUTE_BIT, 0, 256});
  build(last, device_.MakeComputePipeline(last, device_.MakeShader(k_push_last_comp)), 248, 2);
  const VkPipelineLayout first = MakeLayoutWith({VK_SHADER_STAGE_COMPUTE_BIT, 0, 8});
  const VkAccelerationStructureKHR scene =
      build(first, device_.MakeComputePipeline(first, device_.MakeShader(k_push_values_comp)), 0, 3);
  EXPECT_EQ(Values(4)[2], 20u);
  EXPECT_EQ(Values(4)[3], 30u);
  EXPECT_THAT(Hits(scene), ElementsAre(1, 0, 0));
}

TEST_F(ReferenceTest, ShaderObjectStays) {
  SetInstances({AddressOf(BuildBox())});
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 248, 8};
  const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                      .codeSize = sizeof(k_push_last_comp),
                                      .pCode = k_push_last_comp,
                                      .pName = "main",
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &set_layout_,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &range};
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateShadersEXT(device_.device, 1, &info, nullptr, &shader), VK_SUCCESS);
  device_.Defer(shader, [this, shader] { device_.vk.DestroyShaderEXT(device_.device, shader, nullptr); });
  const VkPipelineLayout layout = MakeLayoutWith(range);
  BuildBetween(
      1,
      [&](VkCommandBuffer commands) {
        constexpr VkShaderStageFlagBits kStage = VK_SHADER_STAGE_COMPUTE_BIT;
        constexpr std::array<uint32_t, 2> kWords = {3, 30};
        device_.vk.CmdBindShadersEXT(commands, 1, &kStage, &shader);
        device_.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 248, 8, kWords.data());
        device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set_, 0, nullptr);
      },
      [&](VkCommandBuffer commands) { device_.vk.CmdDispatch(commands, 1, 1, 1); });
  EXPECT_EQ(Values(4)[3], 30u);
}

TEST_F(ReferenceTest, QueryCountsTheProgramsDispatchesAlone) {
  SetInstances({AddressOf(BuildBox())});
  const VkQueryPool pool = device_.MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                                                 VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  const VkPipeline pipeline = MakePipeline();
  BuildBetween(
      1,
      [&](VkCommandBuffer commands) {
        device_.vk.CmdResetQueryPool(commands, pool, 0, 1);
        device_.vk.CmdBeginQuery(commands, pool, 0, 0);
      },
      [&](VkCommandBuffer commands) {
        Dispatch(commands, pipeline);
        device_.vk.CmdEndQuery(commands, pool, 0);
      });
  uint64_t count = 0;
  EXPECT_EQ(device_.vk.GetQueryPoolResults(device_.device, pool, 0, 1, sizeof(count), &count, sizeof(count),
                                           VK_QUERY_RESULT_64_BIT),
            VK_SUCCESS);
  EXPECT_EQ(count, 1u);
}

}  // namespace
}  // namespace assay::test
