// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts that executions find, when a submission has no effect.

#include <cstdint>

#include "gpuav/driver_test.h"
#include "gpuav/recording/recording.h"
#include "gtest/gtest.h"
#include "spirv_instrument/runtime/layout.h"
#include "state/state.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageLayout kRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

class LayoutObserverTest : public GpuavDriverTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"gpuav_enable", true}, {"gpuav_image_layout", true}, {"validate_sync", true}}};
  }
  void SetUp() override {
    GpuavDriverTest::SetUp();
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, VK_IMAGE_USAGE_SAMPLED_BIT);
    Change(VK_IMAGE_LAYOUT_UNDEFINED, kRead);
    set_layout_ =
        MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
    layout_ = MakePipelineLayout({set_layout_});
    const VkDescriptorSet set = MakeWrittenSet();
    WriteImage(set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, MakeView(image_), kRead, MakeSampler());
    const VkPipeline pipeline = MakeComputePipeline(layout_, MakeWriter());
    commands_ = MakeCommandBuffer();
    Begin(commands_, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vk.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
    vk.CmdDispatch(commands_, 1, 1, 1);
    End(commands_);
  }

  // Brings the image into another layout.
  void Change(VkImageLayout from, VkImageLayout to) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image_,
                                          .subresourceRange = image_.Range()};
    const VkCommandBuffer commands = Record([&](VkCommandBuffer buffer) {
      vk.CmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                            nullptr, 0, nullptr, 1, &barrier);
    });
    EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  }
  // Submits the commands again. A callback skips that.
  void SubmitSkipped() {
    SkipCalls skip(*this);
    EXPECT_EQ(Submit(Queue(), {commands_}), VK_ERROR_VALIDATION_FAILED_EXT);
    // Both write the buffer, without a barrier.
    ExpectMessage("SYNC-HAZARD-WRITE-AFTER-WRITE");
  }
  // As a shader notes that the dispatch has accessed the image.
  void NoteAccess() {
    namespace si = spirv_instrument;
    const Recording& recording = *state::DeviceState::Get(commands_)->Sub<Recording>();
    const auto causes = recording.memory()->all_causes();
    ASSERT_EQ(recording.log()->image_notes.size(), 1u);
    auto* const note = const_cast<uint32_t*>(&causes[recording.log()->image_notes[0].first_word]);
    note[si::kImageNoteActionWord] = 1;
    note[si::kImageNoteShaderWord] = 1;
    note[si::kImageNoteInstructionWord] = 1;
    note[si::kImageNoteStageWord] = 5;
  }

  test::Image image_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

// The execution that is pending found the image as it was before.
TEST_F(LayoutObserverTest, SubmissionThatIsSkippedChangesNothing) {
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {commands_}), VK_SUCCESS);
  NoteAccess();
  Change(kRead, kGeneral);
  SubmitSkipped();
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  ExpectNothing();
}

TEST_F(LayoutObserverTest, SubmissionThatIsSkippedHidesNothing) {
  Change(kRead, kGeneral);
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {commands_}), VK_SUCCESS);
  NoteAccess();
  Change(kGeneral, kRead);
  SubmitSkipped();
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  ExpectMessage("VUID-VkDescriptorImageInfo-imageLayout-00344");
}

}  // namespace
}  // namespace assay::gpuav
