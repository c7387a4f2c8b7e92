// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/fix.h"

#include <string>
#include <variant>

#include "gtest/gtest.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

namespace assay::syncval {
namespace {

// Code, and the same code as text.
#define ASSAY_CODE(...) __VA_ARGS__
#define ASSAY_TEXT(...) #__VA_ARGS__

constexpr BarrierFlags kFlags = {VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                 VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                                 VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT};

// clang-format off
#define ASSAY_BARRIER VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, \
    .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT|VK_PIPELINE_STAGE_2_CLEAR_BIT, \
    .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT, \
    .dstStageMask = VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, \
    .dstAccessMask = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT};
#define ASSAY_NO_ACCESS VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, \
    .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT, \
    .srcAccessMask = VK_ACCESS_2_NONE, \
    .dstStageMask = VK_PIPELINE_STAGE_2_BLIT_BIT, \
    .dstAccessMask = VK_ACCESS_2_NONE};
// clang-format on
#define ASSAY_EXPAND_TEXT(...) ASSAY_TEXT(__VA_ARGS__)

TEST(Fix, BarrierCompiles) {
  {
    ASSAY_CODE(ASSAY_BARRIER)
    EXPECT_EQ(barrier.srcStageMask, kFlags.src_stages);
    EXPECT_EQ(barrier.dstAccessMask, kFlags.dst_access);
    EXPECT_EQ(MemoryBarrierText(SyncVersion::kSynchronization2, kFlags), ASSAY_EXPAND_TEXT(ASSAY_BARRIER));
  }
  ASSAY_CODE(ASSAY_NO_ACCESS)
  EXPECT_EQ(MemoryBarrierText(SyncVersion::kSynchronization2, {barrier.srcStageMask, 0, barrier.dstStageMask, 0}),
            ASSAY_EXPAND_TEXT(ASSAY_NO_ACCESS));
}

TEST(Fix, Sync1Stages) {
  EXPECT_EQ(Sync1Stages(VK_PIPELINE_STAGE_2_COPY_BIT), VkPipelineStageFlags{VK_PIPELINE_STAGE_TRANSFER_BIT});
  EXPECT_EQ(Sync1Stages(VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT),
            VkPipelineStageFlags{VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT});
  EXPECT_EQ(Sync1Stages(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
            VkPipelineStageFlags{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT});
  EXPECT_EQ(Sync1Stages(0), 0u);
}

TEST(Fix, Sync1Accesses) {
  EXPECT_EQ(Sync1Accesses(VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT), VkAccessFlags{VK_ACCESS_SHADER_WRITE_BIT});
  EXPECT_EQ(Sync1Accesses(VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT),
            VkAccessFlags{VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT});
  EXPECT_EQ(Sync1Accesses(0), 0u);
}

// The stages that a sync1 stage stands for include the stage that it replaces.
TEST(Fix, EveryStageHasASync1Stage) {
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (!info.single || info.stage == 0 || info.stage == VK_PIPELINE_STAGE_2_HOST_BIT) continue;
    const VkPipelineStageFlags sync1_stages = Sync1Stages(info.stage);
    EXPECT_NE(vk::ExpandStages(sync1_stages, ~0u) & info.stage, 0u) << info.name;
  }
}

TEST(Fix, AddToNewBarrier) {
  const Fix fix = AddToBarrier(BarrierSide::kSource, kFlags, vk::CommandId::kCmdPipelineBarrier2,
                               "pDependencyInfo.pImageMemoryBarriers[0]", "this vkCmdPipelineBarrier2()");
  EXPECT_EQ(fix.text,
            "In pDependencyInfo.pImageMemoryBarriers[0] of this vkCmdPipelineBarrier2(), set srcStageMask |= "
            "VK_PIPELINE_STAGE_2_COPY_BIT|VK_PIPELINE_STAGE_2_CLEAR_BIT and srcAccessMask |= "
            "VK_ACCESS_2_TRANSFER_WRITE_BIT.");
}

TEST(Fix, AddToOldBarrier) {
  const Fix fix = AddToBarrier(BarrierSide::kDestination, kFlags, vk::CommandId::kCmdPipelineBarrier,
                               "pImageMemoryBarriers[1]", "command 3, vkCmdPipelineBarrier()");
  EXPECT_EQ(fix.text,
            "In command 3, vkCmdPipelineBarrier(), set dstStageMask |= VK_PIPELINE_STAGE_VERTEX_INPUT_BIT and "
            "pImageMemoryBarriers[1].dstAccessMask |= VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT.");
}

// What a fix in sync1 names, as code: the stages are parameters of the command.
// clang-format off
#define ASSAY_SYNC1_BARRIER VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, \
    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, \
    .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT};
#define ASSAY_SYNC1_DEPENDENCY VkSubpassDependency dependency = {.srcSubpass = VK_SUBPASS_EXTERNAL, \
    .dstSubpass = 1, \
    .srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT, \
    .dstStageMask = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, \
    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, \
    .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT};
// clang-format on

TEST(Fix, Sync1BarrierCompiles) {
  ASSAY_CODE(ASSAY_SYNC1_BARRIER)
  EXPECT_EQ(barrier.srcAccessMask, VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT});
  EXPECT_EQ(MemoryBarrierText(SyncVersion::kSync1, kFlags),
            std::string("srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT, dstStageMask = "
                        "VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, and ") +
                ASSAY_EXPAND_TEXT(ASSAY_SYNC1_BARRIER));
}
TEST(Fix, Sync1DependencyCompiles) {
  ASSAY_CODE(ASSAY_SYNC1_DEPENDENCY)
  EXPECT_EQ(dependency.dstSubpass, 1u);
  EXPECT_EQ(NewDependency(SyncVersion::kSync1, VK_SUBPASS_EXTERNAL, 1, kFlags).text,
            "Give the render pass one more dependency: VkSubpassDependency dependency = {.srcSubpass = "
            "VK_SUBPASS_EXTERNAL, .dstSubpass = 1, .srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT, .dstStageMask = "
            "VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, .dstAccessMask = "
            "VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT};");
}
TEST(Fix, AddToSync1Dependency) {
  EXPECT_EQ(AddToDependency(SyncVersion::kSync1, BarrierSide::kSource, kFlags, "the", "with .srcSubpass = 0").text,
            "In the VkSubpassDependency with .srcSubpass = 0, set srcStageMask |= VK_PIPELINE_STAGE_TRANSFER_BIT and "
            "srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT.");
}
TEST(Fix, RecordSync1Barrier) {
  const Fix fix = RecordBarrier(SyncVersion::kSync1, "Before this vkCmdDraw(), record", {kFlags.src_stages, 0, 0, 0},
                                {{"structure", "VkBufferMemoryBarrier2"}});
  EXPECT_EQ(fix.text.rfind("Before this vkCmdDraw(), record vkCmdPipelineBarrier() with srcStageMask = ", 0), 0u);
  EXPECT_NE(fix.text.find(".srcAccessMask = 0"), std::string::npos) << fix.text;
  EXPECT_EQ(std::get<std::string>(fix.fields[1].value.value), "VkMemoryBarrier");
  const auto& instead = std::get<messages::Properties>(fix.fields.back().value.value);
  EXPECT_EQ(std::get<std::string>(instead.front().value.value), "VkBufferMemoryBarrier");
}

}  // namespace
}  // namespace assay::syncval
