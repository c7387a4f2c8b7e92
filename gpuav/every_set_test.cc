// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the driver gets where an application may use every descriptor set, over the mock driver. Shaders do not run
// here.

#include "gpuav/every_set_test.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(EverySetTest, DeviceHasAddresses) {
  EXPECT_EQ(has_addresses_, true);
  EXPECT_THAT(memory_flags_, ::testing::Not(IsEmpty()));
  EXPECT_THAT(memory_flags_, ::testing::Each(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT));
}

TEST_F(EverySetTest, RangesGrowAlike) {
  constexpr VkShaderStageFlags kStages = kVertex | kFragment | kCompute;
  EXPECT_THAT(Down({}), ElementsAre(Range(kStages, offset_, 8)));
  EXPECT_THAT(Down({{kAll, 0, 16}}), ElementsAre(Range(kAll, 0, offset_ + 8)));
  EXPECT_THAT(Down({{kVertex, 16, 16}}),
              ElementsAre(Range(kVertex, 16, offset_ - 8), Range(kFragment | kCompute, offset_, 8)));
  EXPECT_THAT(Down({{kVertex, 0, 32}, {kFragment | kCompute, 16, 16}}),
              ElementsAre(Range(kVertex, 0, offset_ + 8), Range(kFragment | kCompute, 16, offset_ - 8)));
  // Who pushes for the fragment shader alone, must go on to do so.
  EXPECT_THAT(Down({{kVertex, 0, 16}, {kFragment, 16, 16}}),
              ElementsAre(Range(kVertex, 0, 16), Range(kFragment, 16, offset_ - 8), Range(kCompute, offset_, 8)));
  EXPECT_THAT(Down({{kAll, 0, offset_ + 4}}), ElementsAre(Range(kAll, 0, offset_ + 4)));
}

TEST_F(EverySetTest, AddressIsPushedForEachAction) {
  const VkPipelineLayout layout = MakeFullLayout({{kCompute, 0, 16}});
  EXPECT_EQ(sets_, DeviceSets());
  const VkPipeline pipeline = MakeComputePipeline(layout, MakeWriter());
  EXPECT_GT(module_words_.back(), test::AssembleSpirv(test::ComputeShader({.writes = {0}})).size());
  const VkDescriptorSet set = MakeWrittenSet();
  Record([&](VkCommandBuffer commands) {
    Dispatch(commands, pipeline, layout, set);
    vk.CmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_THAT(bound_, ElementsAre(0u));
  ASSERT_EQ(pushes_.size(), 2u);
  for (const Push& push : pushes_) {
    EXPECT_EQ(push.stages, kVertex | kFragment | kCompute);
    EXPECT_EQ(push.offset, offset_);
    EXPECT_EQ(AddressOf(push) % 16, 0u);
  }
  EXPECT_NE(AddressOf(pushes_[0]), 0u);
  EXPECT_LT(AddressOf(pushes_[0]), AddressOf(pushes_[1]));
}

TEST_F(EverySetTest, LayoutWithRoomHasOurSet) {
  const VkPipeline pipeline = MakePipeline();
  EXPECT_EQ(sets_, DeviceSets());
  RecordDispatch(pipeline);
  EXPECT_THAT(bound_, ElementsAre(0u, DeviceSets() - 1));
  EXPECT_THAT(pushes_, IsEmpty());
}

TEST_F(EverySetTest, StageWithoutRoomIsNotInstrumented) {
  const VkPipelineLayout layout = MakeFullLayout({{kCompute, 0, 16}, {kFragment, 16, 16}});
  const VkShaderModule shader = MakeWriter();
  const size_t modules = module_words_.size();
  MakeComputePipeline(layout, shader);
  EXPECT_EQ(module_words_.size(), modules);
}

// What is pushed in the address's place counts again for the pipelines that read it.
TEST_F(EverySetTest, WhatWasPushedIsPushedAgain) {
  const VkPipelineLayout full = MakeFullLayout();
  const VkPipeline with_address = MakeComputePipeline(full, MakeWriter());
  const VkPipelineLayout other = MakeLayoutWith({set_layout_}, {{kCompute, 0, offset_ + 8}});
  const VkPipeline without = MakeComputePipeline(other, MakeWriter());
  const VkDescriptorSet set = MakeWrittenSet();
  const std::array<uint32_t, 4> values = {1, 2, 3, 4};
  Record([&](VkCommandBuffer commands) {
    vk.CmdPushConstants(commands, other, kCompute, offset_ - 8, 16, values.data());
    Dispatch(commands, with_address, full, set);
    Dispatch(commands, with_address, full, set);
    Dispatch(commands, without, other, set);
    Dispatch(commands, without, other, set);
  });
  ASSERT_EQ(pushes_.size(), 5u);
  EXPECT_EQ(pushes_[1].offset, offset_);
  EXPECT_EQ(pushes_[2].offset, offset_);
  EXPECT_EQ(pushes_[3].offset, offset_);
  EXPECT_THAT(pushes_[3].words, ElementsAre(3u));
  EXPECT_EQ(pushes_[4].offset, offset_ + 4);
  EXPECT_THAT(pushes_[4].words, ElementsAre(4u));
  EXPECT_EQ(pushes_[4].layout, pushes_[0].layout);
  EXPECT_EQ(pushes_[4].stages, kCompute);
}

// The last layout that was pushed with is one that is compatible with the application's, as it was.
TEST_F(EverySetTest, LayoutThatWasPushedWithStaysCompatible) {
  const VkPipelineLayout full = MakeFullLayout();
  const VkPipeline with_address = MakeComputePipeline(full, MakeWriter());
  const VkPipelineLayout other = MakeLayoutWith({set_layout_}, {{kCompute, 0, 8}});
  const VkPipelineLayout same = MakeLayoutWith({set_layout_}, {});
  const VkPipeline without = MakeComputePipeline(other, MakeWriter());
  const VkDescriptorSet set = MakeWrittenSet();
  constexpr uint64_t kValue = 7;
  Record([&](VkCommandBuffer commands) {
    vk.CmdPushConstants(commands, other, kCompute, 0, 8, &kValue);
    Dispatch(commands, with_address, full, set);
    Dispatch(commands, without, other, set);
  });
  ASSERT_EQ(pushes_.size(), 3u);
  EXPECT_EQ(pushes_[2].layout, pushes_[0].layout);
  EXPECT_EQ(pushes_[2].offset, offset_);
  EXPECT_EQ(pushes_[2].stages, kVertex | kFragment | kCompute);
  pushes_.clear();
  // Nothing was pushed by the application, or with ranges that are the same.
  const VkPipeline also_without = MakeComputePipeline(same, MakeWriter());
  Record([&](VkCommandBuffer commands) {
    Dispatch(commands, with_address, full, set);
    Dispatch(commands, also_without, same, set);
  });
  EXPECT_EQ(pushes_.size(), 1u);
}

TEST_F(EverySetTest, WithoutRoomAMessageSaysSo) {
  const VkPipelineLayout layout = MakeFullLayout({{kCompute, 0, offset_ + 8}});
  SetName(VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout, "full");
  const VkShaderModule shader = MakeWriter();
  const size_t modules = module_words_.size();
  const VkPipeline pipeline = MakeComputePipeline(layout, shader);
  const std::string text = ExpectMessage("ASSAY-gpuav-not-instrumented").text;
  EXPECT_THAT(text, HasSubstr("[full] are not instrumented: it leaves no descriptor set for GPU-assisted validation, "
                              "since it has 32, and no room for an address behind its push constants"));
  EXPECT_EQ(module_words_.size(), modules);
  MakeComputePipeline(layout, shader);
  ExpectNothing();
  const VkDescriptorSet set = MakeWrittenSet();
  Record([&](VkCommandBuffer commands) { Dispatch(commands, pipeline, layout, set); });
  EXPECT_THAT(pushes_, IsEmpty());
}

TEST_F(EverySetTest, NothingIsLeft) {
  const VkPipelineLayout layout = MakeFullLayout();
  const VkPipeline pipeline = MakeComputePipeline(layout, MakeWriter());
  const VkDescriptorSet set = MakeWrittenSet();
  const VkCommandBuffer commands = Record([&](VkCommandBuffer buffer) { Dispatch(buffer, pipeline, layout, set); });
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  EXPECT_EQ(vk.QueueSubmit(Queue(), 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  vk.QueueWaitIdle(Queue());
  Destroy();
  for (const VkObjectType type : {VK_OBJECT_TYPE_BUFFER, VK_OBJECT_TYPE_DEVICE_MEMORY, VK_OBJECT_TYPE_PIPELINE_LAYOUT,
                                  VK_OBJECT_TYPE_SHADER_MODULE}) {
    EXPECT_EQ(driver().LiveObjects(type), 0u) << type;
  }
}

}  // namespace
}  // namespace assay::gpuav
