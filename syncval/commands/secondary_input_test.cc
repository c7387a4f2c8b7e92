// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Secondary command buffers in dynamic rendering: reads of input attachments, which only the primary knows, and the
// order of accesses to attachments and the secondary's own barriers.

#include "syncval/fixture/draw_sync_test.h"
#include "syncval/shaders/fragment_input.h"

namespace assay::syncval {
namespace {

constexpr VkRenderingFlags kSecondaries = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
constexpr VkPipelineStageFlags2 kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkAccessFlags2 kInputRead = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
constexpr Masks kClearToColor = {kClear, kWrite, kColorOutput, kColorRead | kColorWrite};
constexpr Masks kColorToColor = {kColorOutput, kColorWrite, kColorOutput, kColorRead | kColorWrite};
constexpr Masks kColorToInput = {kColorOutput, kColorWrite, kFragment, kInputRead};

class SyncSecondaryInput : public DrawSyncTest {
 protected:
  void SetUp() override {
    DrawSyncTest::SetUp();
    reader_ = MakeFragmentPipeline(k_fragment_input, {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}});
    WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, color_view_, VK_IMAGE_LAYOUT_GENERAL);
  }
  // A secondary that is to be recorded, with a color attachment. `indices` may be null.
  VkCommandBuffer BeginSecondary(const VkRenderingInputAttachmentIndexInfo* indices = nullptr) {
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .pNext = indices,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &kColorFormat,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                        .pNext = &rendering};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vk.BeginCommandBuffer(secondary, &info);
    return secondary;
  }
  // A draw that reads the input attachment with index 0, and writes color attachment 0.
  void Read(VkCommandBuffer c) {
    BindPipeline(c, reader_);
    BindSet(c);
    vk.CmdDraw(c, 3, 1, 0, 0);
  }
  VkCommandBuffer MakeReading(const VkRenderingInputAttachmentIndexInfo* indices = nullptr) {
    VkCommandBuffer secondary = BeginSecondary(indices);
    Read(secondary);
    End(secondary);
    return secondary;
  }
  // Renders to color_, which only draws access.
  void Render(VkCommandBuffer c, VkCommandBuffer secondary) {
    BeginRendering(c, Untouched(color_view_), {}, kSecondaries);
    vk.CmdExecuteCommands(c, 1, &secondary);
    vk.CmdEndRendering(c);
  }
  // color_ is written in an instance before, and may be written again.
  VkCommandBuffer Rendered() {
    VkCommandBuffer c = Begun();
    RenderTriangle(c, Untouched(color_view_));
    Barrier(c, kColorToColor);
    return c;
  }

  VkPipeline reader_ = VK_NULL_HANDLE;
};
class NegativeSyncSecondaryInput : public SyncSecondaryInput {};
class PositiveSyncSecondaryInput : public SyncSecondaryInput {};

TEST_F(NegativeSyncSecondaryInput, ReadsAfterClear) {
  VkCommandBuffer secondary = MakeReading();
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Barrier(c, kClearToColor);
  Render(c, secondary);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kFragment);
  EXPECT_EQ(fix.dst_access, kInputRead);
}
TEST_F(PositiveSyncSecondaryInput, ReadsAfterClear) {
  VkCommandBuffer secondary = MakeReading();
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Barrier(c, {kClear, kWrite, kColorOutput | kFragment, kColorRead | kColorWrite | kInputRead});
  Render(c, secondary);
}
// Color attachment 0 is no input attachment, or one with another index.
TEST_F(PositiveSyncSecondaryInput, ReadsNoAttachment) {
  for (const uint32_t index : {VK_ATTACHMENT_UNUSED, 1u}) {
    const VkRenderingInputAttachmentIndexInfo indices = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentInputIndices = &index};
    VkCommandBuffer secondary = MakeReading(&indices);
    VkCommandBuffer c = Begun();
    Clear(c, color_, color_.Range());
    Barrier(c, kClearToColor);
    Render(c, secondary);
  }
}

// Barriers in the secondary.

TEST_F(PositiveSyncSecondaryInput, ReadsAfterItsBarrier) {
  VkCommandBuffer secondary = BeginSecondary();
  Barrier(secondary, kColorToInput);
  Read(secondary);
  End(secondary);
  VkCommandBuffer c = Rendered();
  Render(c, secondary);
}
TEST_F(NegativeSyncSecondaryInput, ReadsBeforeItsBarrier) {
  VkCommandBuffer secondary = BeginSecondary();
  Read(secondary);
  Barrier(secondary, kColorToInput);
  End(secondary);
  VkCommandBuffer c = Rendered();
  Render(c, secondary);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncSecondaryInput, ReadsAfterAnotherBarrier) {
  VkCommandBuffer secondary = BeginSecondary();
  Barrier(secondary, kColorToColor);
  Read(secondary);
  End(secondary);
  VkCommandBuffer c = Rendered();
  Render(c, secondary);
  ExpectMessage(kReadAfterWrite);
}
// Which of two barriers orders the accesses between them is not known.
TEST_F(PositiveSyncSecondaryInput, ReadsBetweenItsBarriers) {
  VkCommandBuffer secondary = BeginSecondary();
  Barrier(secondary, kColorToInput);
  Read(secondary);
  Barrier(secondary, kColorToInput);
  End(secondary);
  VkCommandBuffer c = Rendered();
  Render(c, secondary);
}
// A secondary that executes another passes its accesses on to the primary.
TEST_F(NegativeSyncSecondaryInput, ReadsInANestedSecondary) {
  VkCommandBuffer nested = MakeReading();
  VkCommandBuffer secondary = BeginSecondary();
  vk.CmdExecuteCommands(secondary, 1, &nested);
  End(secondary);
  VkCommandBuffer c = Rendered();
  Render(c, secondary);
  ExpectMessage(kReadAfterWrite);
}

}  // namespace
}  // namespace assay::syncval
