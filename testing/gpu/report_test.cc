// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a report says, and when it comes.

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

TEST_F(GpuavTest, ReportSaysWhatWhereAndWho) {
  const VkShaderModule shader = device_.MakeShader(k_write_at_comp);
  device_.SetName(VK_OBJECT_TYPE_SHADER_MODULE, shader, "write_at");
  const VkPipeline pipeline = device_.MakeComputePipeline(layout_, shader);
  device_.SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "writer");
  SetIndex(15);
  const VkCommandBuffer good = RecordDispatch(pipeline);
  SubmitAndWait(good);
  log_.ExpectNothing();
  SetIndex(16);
  const VkCommandBuffer bad = device_.Record([&](VkCommandBuffer command_buffer) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "simulation"};
    device_.vk.CmdBeginDebugUtilsLabelEXT(command_buffer, &label);
    Dispatch(command_buffer, pipeline);
    device_.vk.CmdEndDebugUtilsLabelEXT(command_buffer);
  });
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, bad, "frame");
  SubmitAndWait(bad);
  const Message message = log_.Expect(kStorageBounds);
  EXPECT_EQ(message.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  EXPECT_THAT(message.text, HasSubstr("vkCmdDispatch(): A shader accesses a storage buffer past its end: byte 67 of "
                                      "descriptor set 0, binding 1 (VkBuffer "));
  EXPECT_THAT(message.text, HasSubstr("[data]), of which the range has 64 bytes. It was global invocation (0, 0, 0)."));
  EXPECT_THAT(message.text, HasSubstr("(OpStore) of the compute shader \"main\" of VkShaderModule "));
  EXPECT_THAT(message.text, HasSubstr("[writer], recorded as command 4 of VkCommandBuffer "));
  EXPECT_THAT(message.text, HasSubstr("write_at.comp:6: data.values[where.index + gl_GlobalInvocationID.x] = 7;"));
  EXPECT_EQ(message.command_buffer_labels, std::vector<std::string>{"simulation"});
  ASSERT_EQ(message.objects.size(), 4u);
  EXPECT_EQ(message.objects[0].name, "frame");
  EXPECT_EQ(message.objects[1].name, "writer");
  EXPECT_EQ(message.objects[3].name, "data");
}

TEST_F(GpuavTest, BadAccessIsNotExecuted) {
  uint32_t* const words = static_cast<uint32_t*>(Map(data_));
  words[3] = 1;
  // -13, so that the first invocation would write before the buffer.
  SetIndex(UINT32_MAX - 12);
  SubmitAndWait(RecordDispatch(MakePipeline()));
  log_.Expect(kStorageBounds);
  EXPECT_EQ(words[3], 1u);
}

TEST_F(GpuavTest, OneReportForEachCauseWithItsCount) {
  SetIndex(100);
  const VkPipeline pipeline = MakePipeline();
  SubmitAndWait(device_.Record([&](VkCommandBuffer command_buffer) {
    device_.vk.CmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    device_.vk.CmdDispatch(command_buffer, 50, 1, 1);
    device_.vk.CmdDispatch(command_buffer, 1, 1, 1);
  }));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("It happened 50 times, first in global invocation ("));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("It was global invocation (0, 0, 0)."));
}

TEST_F(GpuavTest, EverySubmissionReportsItsOwn) {
  const VkCommandBuffer command_buffer = RecordDispatch(MakePipeline());
  SetIndex(16);
  SubmitAndWait(command_buffer);
  log_.Expect(kStorageBounds);
  SetIndex(0);
  SubmitAndWait(command_buffer);
  log_.ExpectNothing();
  SetIndex(17);
  SubmitAndWait(command_buffer);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("byte 71"));
}

TEST_F(GpuavTest, FenceTellsAtTheWait) {
  SetIndex(16);
  const VkFence fence = device_.MakeFence();
  device_.Submit(device_.Queue(), {RecordDispatch(MakePipeline())}, {.fence = fence});
  EXPECT_EQ(device_.vk.WaitForFences(device_.device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  log_.Expect(kStorageBounds);
}

TEST_F(GpuavTest, TimelineSemaphoreTellsAtTheWait) {
  SetIndex(16);
  const VkSemaphore semaphore = device_.MakeTimeline();
  device_.Submit(device_.Queue(), {RecordDispatch(MakePipeline())},
                 {.signals = {{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                               .semaphore = semaphore,
                               .value = 5,
                               .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}}});
  const uint64_t value = 5;
  const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                    .semaphoreCount = 1,
                                    .pSemaphores = &semaphore,
                                    .pValues = &value};
  EXPECT_EQ(device_.vk.WaitSemaphores(device_.device, &info, UINT64_MAX), VK_SUCCESS);
  log_.Expect(kStorageBounds);
}

TEST_F(GpuavTest, DeviceThatIsDestroyedTellsTheRest) {
  SetIndex(16);
  device_.Submit(device_.Queue(), {RecordDispatch(MakePipeline())});
  device_.Destroy();
  log_.Expect(kStorageBounds);
}

// More than the first array of tables holds: later sets have theirs in a larger one.
TEST_F(GpuavTest, ManyDescriptorSets) {
  constexpr uint32_t kSets = 6000;
  const VkPipeline pipeline = MakePipeline();
  const VkCommandBuffer before = RecordDispatch(pipeline);
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kSets},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSets}};
  const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                .maxSets = kSets,
                                                .poolSizeCount = 2,
                                                .pPoolSizes = sizes};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateDescriptorPool(device_.device, &pool_info, nullptr, &pool), VK_SUCCESS);
  device_.Defer(pool, [this, pool] { device_.vk.DestroyDescriptorPool(device_.device, pool, nullptr); });
  const std::vector<VkDescriptorSetLayout> layouts(kSets, set_layout_);
  const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = kSets,
                                            .pSetLayouts = layouts.data()};
  std::vector<VkDescriptorSet> sets(kSets);
  ASSERT_EQ(device_.vk.AllocateDescriptorSets(device_.device, &info, sets.data()), VK_SUCCESS);
  SetIndex(16);
  SubmitAndWait(before);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("byte 67"));
  set_ = sets.back();
  device_.WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
  device_.WriteBuffer(set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_, 0, 32);
  const VkCommandBuffer after = RecordDispatch(pipeline);
  SetIndex(7);
  SubmitAndWait(after);
  SubmitAndWait(before);
  log_.ExpectNothing();
  SetIndex(8);
  SubmitAndWait(after);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("of which the range has 32 bytes."));
}

TEST_F(GpuavTest, ManyActionsInOneCommandBuffer) {
  const VkPipeline pipeline = MakePipeline();
  SetIndex(16);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    for (int i = 0; i < 300; ++i) device_.vk.CmdDispatch(commands, i == 299 ? 1 : 0, 1, 1);
  }));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("recorded as command 302 of"));
}

}  // namespace
}  // namespace assay::test
