// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Compute shaders that report the first fault of an invocation when it ends.

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/write_at_comp.h"
#include "testing/gpu/shaders/write_twice_comp.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kFirstPlace[] = "write_twice.comp:6: data.values[where.index] = 7;";
constexpr char kSecondPlace[] = "write_twice.comp:8: data.values[where.index + 8] = 8;";

class ReportAtEndTest : public GpuavTest {
 protected:
  VkPipeline MakeTwice() { return device_.MakeComputePipeline(layout_, device_.MakeShader(k_write_twice_comp)); }
  VkCommandBuffer RecordTwice(VkPipeline pipeline, uint32_t groups = 1) {
    return device_.Record([&](VkCommandBuffer command_buffer) {
      device_.vk.CmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      device_.vk.CmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0,
                                       nullptr);
      device_.vk.CmdDispatch(command_buffer, groups, 1, 1);
    });
  }
};

TEST_F(ReportAtEndTest, FirstFaultThenAll) {
  const VkPipeline pipeline = MakeTwice();
  SetIndex(7);
  const VkCommandBuffer first = RecordTwice(pipeline);
  SubmitAndWait(first);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(first);
  const Message message = log_.Expect(kStorageBounds);
  EXPECT_THAT(message.text, HasSubstr(kFirstPlace));
  EXPECT_THAT(message.text, HasSubstr("byte 67 of descriptor set 0, binding 1"));
  EXPECT_THAT(message.text, HasSubstr("of which the range has 64 bytes. It was global invocation (0, 0, 0)."));
  log_.ExpectNothing();
  // What is recorded from now on tells of all.
  SubmitAndWait(RecordTwice(pipeline));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr(kFirstPlace));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr(kSecondPlace));
}

TEST_F(ReportAtEndTest, EveryInvocationCounts) {
  const VkPipeline pipeline = MakeTwice();
  SetIndex(8);
  // Invocation 1 returns before the second access.
  SubmitAndWait(RecordTwice(pipeline, 50));
  const Message second = log_.Expect(kStorageBounds);
  EXPECT_THAT(second.text, HasSubstr(kSecondPlace));
  EXPECT_THAT(second.text, HasSubstr("It happened 49 times, first in global invocation ("));
  const VkPipeline another = MakeTwice();
  SetIndex(16);
  SubmitAndWait(RecordTwice(another, 50));
  const Message first = log_.Expect(kStorageBounds);
  EXPECT_THAT(first.text, HasSubstr(kFirstPlace));
  EXPECT_THAT(first.text, HasSubstr("It happened 50 times, first in global invocation ("));
}

// A command that has no room for notes does not tell what was wrong, and those that are recorded next do.
TEST_F(ReportAtEndTest, CommandsWithoutNotesTellNextTime) {
  constexpr uint32_t kDispatches = 500;
  const VkPipeline pipeline = MakeTwice();
  const VkPipeline other = MakeTwice();
  const auto record = [&] {
    return device_.Record([&](VkCommandBuffer recording) {
      device_.vk.CmdBindDescriptorSets(recording, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
      device_.vk.CmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, other);
      // They are of no group.
      for (uint32_t i = 0; i < kDispatches; ++i) device_.vk.CmdDispatch(recording, 0, 1, 1);
      device_.vk.CmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      device_.vk.CmdDispatch(recording, 1, 1, 1);
    });
  };
  SetIndex(16);
  SubmitAndWait(record());
  EXPECT_THAT(log_.Expect("ASSAY-gpuav-lost-records").text, HasSubstr("There was no room for 1 more faults"));
  SubmitAndWait(record());
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr(kFirstPlace));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr(kSecondPlace));
}

// The host keeps what it knew of each.
TEST_F(ReportAtEndTest, SetsOfOneCommandBufferAreKnownApart) {
  const VkPipeline pipeline = MakeTwice();
  const VkDescriptorSet small = device_.MakeSet(set_layout_);
  device_.WriteBuffer(small, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
  device_.WriteBuffer(small, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, device_.MakeBuffer(32));
  const VkCommandBuffer command_buffer = device_.Record([&](VkCommandBuffer recording) {
    device_.vk.CmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    for (const VkDescriptorSet set : {set_, small}) {
      device_.vk.CmdBindDescriptorSets(recording, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
      device_.vk.CmdDispatch(recording, 1, 1, 1);
    }
  });
  SetIndex(16);
  SubmitAndWait(command_buffer);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("of which the range has 64 bytes"));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("of which the range has 32 bytes"));
}

// There is room for the notes of some commands alone.
TEST_F(ReportAtEndTest, NothingIsLostSilently) {
  constexpr uint32_t kDispatches = 500;
  const VkPipeline pipeline = MakeTwice();
  const VkCommandBuffer command_buffer = device_.Record([&](VkCommandBuffer recording) {
    device_.vk.CmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdBindDescriptorSets(recording, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    for (uint32_t i = 0; i < kDispatches; ++i) device_.vk.CmdDispatch(recording, 1, 1, 1);
  });
  SetIndex(7);
  SubmitAndWait(command_buffer);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(command_buffer);
  // Each dispatch has two checks, and there are 896 notes.
  for (uint32_t i = 0; i < 448; ++i) log_.Expect(kStorageBounds);
  EXPECT_THAT(log_.Expect("ASSAY-gpuav-lost-records").text, HasSubstr("There was no room for 52 more faults"));
  // What was read is not read again.
  SetIndex(7);
  SubmitAndWait(command_buffer);
  log_.ExpectNothing();
}

// Both have found the same, and share the notes.
TEST_F(ReportAtEndTest, ExecutionsThatOverlap) {
  const VkPipeline pipeline = MakeTwice();
  const VkCommandBuffer command_buffer = device_.MakeCommandBuffer();
  device_.Begin(command_buffer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  device_.vk.CmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  device_.vk.CmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
  device_.vk.CmdDispatch(command_buffer, 50, 1, 1);
  device_.End(command_buffer);
  SetIndex(16);
  EXPECT_EQ(device_.Submit(device_.Queue(), {command_buffer, command_buffer}), VK_SUCCESS);
  EXPECT_EQ(device_.vk.QueueWaitIdle(device_.Queue()), VK_SUCCESS);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("It happened 100 times"));
  log_.ExpectNothing();
}

class PushedSetTest : public ReportAtEndTest {
 protected:
  void SetUp() override { Create({.device_extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}}); }

  VkCommandBuffer RecordPushed(VkPipelineLayout layout, VkPipeline pipeline) {
    return device_.Record([&](VkCommandBuffer recording) {
      device_.vk.CmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      const VkDescriptorBufferInfo where = {.buffer = where_, .range = VK_WHOLE_SIZE};
      // Half of the buffer, and then all of it.
      for (const VkDeviceSize range : {VkDeviceSize{32}, VkDeviceSize{VK_WHOLE_SIZE}}) {
        const VkDescriptorBufferInfo data = {.buffer = data_, .range = range};
        const VkWriteDescriptorSet writes[] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                .dstBinding = 0,
                                                .descriptorCount = 1,
                                                .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                .pBufferInfo = &where},
                                               {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                .dstBinding = 1,
                                                .descriptorCount = 1,
                                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                .pBufferInfo = &data}};
        device_.vk.CmdPushDescriptorSet(recording, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, writes);
        device_.vk.CmdDispatch(recording, 1, 1, 1);
      }
    });
  }
};

TEST_F(PushedSetTest, EachCommandFindsWhatWasPushedForIt) {
  const VkDescriptorSetLayout set =
      device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}},
                            VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const VkPipelineLayout layout = device_.MakePipelineLayout({set});
  const VkPipeline pipeline = device_.MakeComputePipeline(layout, device_.MakeShader(k_write_at_comp));
  const VkCommandBuffer commands = RecordPushed(layout, pipeline);
  SetIndex(7);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  SetIndex(15);
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("of which the range has 32 bytes"));
  log_.ExpectNothing();
  EXPECT_EQ(static_cast<const uint32_t*>(Map(data_))[15], 7u);
}

class ReportAtOnceTest : public ReportAtEndTest {
 protected:
  void SetUp() override {
    DeviceOptions options;
    options.settings.emplace_back("gpuav_report_at_once", true);
    Create(options);
  }
};

TEST_F(ReportAtOnceTest, AllFaults) {
  const VkPipeline pipeline = MakeTwice();
  SetIndex(16);
  SubmitAndWait(RecordTwice(pipeline));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr(kFirstPlace));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr(kSecondPlace));
}

}  // namespace
}  // namespace assay::test
