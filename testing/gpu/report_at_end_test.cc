// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Compute shaders that report the first fault of an invocation when it ends.

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
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
