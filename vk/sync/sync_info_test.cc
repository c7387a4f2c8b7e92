// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/sync/sync_info.h"

#include <bit>
#include <set>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace assay::vk {
namespace {

constexpr VkQueueFlags kGraphics = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

TEST(SyncInfo, StageAccessesAreDistinct) {
  std::set<std::string_view> names;
  std::set<std::pair<VkPipelineStageFlags2, VkAccessFlags2>> pairs;
  size_t without_stage = 0;
  for (const SyncStageAccessInfo& info : SyncStageAccesses()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    if (info.stage == 0) {
      ++without_stage;
      continue;
    }
    EXPECT_TRUE(pairs.emplace(info.stage, info.access).second) << info.name;
    EXPECT_TRUE(std::has_single_bit(info.stage) && std::has_single_bit(info.access)) << info.name;
    EXPECT_NE(info.is_read, info.is_write) << info.name;
  }
  // None, image layout transition, queue family ownership transfer, present.
  EXPECT_EQ(without_stage, 4u);
  EXPECT_LE(SyncStageAccesses().size(), 191u);
  EXPECT_EQ(SyncStageAccesses()[kSyncNone].name, "NONE");
}

TEST(SyncInfo, CopyWrite) {
  const SyncStageAccessInfo& info = SyncStageAccesses()[kSyncCopyTransferWrite];
  EXPECT_EQ(info.name, "COPY_TRANSFER_WRITE");
  EXPECT_EQ(info.stage, VK_PIPELINE_STAGE_2_COPY_BIT);
  EXPECT_EQ(info.access, VK_ACCESS_2_TRANSFER_WRITE_BIT);
  EXPECT_TRUE(info.is_write && !info.is_read);
}

TEST(SyncInfo, PairsThatOnlyTheRegistryKnows) {
  EXPECT_EQ(SyncStageAccesses()[kSyncAccelerationStructureBuildShaderRead].access, VK_ACCESS_2_SHADER_READ_BIT);
  for (const SyncStageAccessInfo& info : SyncStageAccesses()) {
    EXPECT_NE(info.name, "CLEAR_TRANSFER_READ");
    EXPECT_NE(info.name, "VERTEX_ATTRIBUTE_INPUT_INDEX_READ");
  }
  EXPECT_TRUE(SyncStageAccesses()[kSyncImageLayoutTransition].is_read &&
              SyncStageAccesses()[kSyncImageLayoutTransition].is_write);
  EXPECT_TRUE(SyncStageAccesses()[kSyncPresentEnginePresented].is_read &&
              !SyncStageAccesses()[kSyncPresentEnginePresented].is_write);
}

TEST(SyncInfo, EverySingleAccessHasAStageThatPerformsIt) {
  for (const SyncAccessInfo& info : SyncAccesses()) {
    if (info.access == VK_ACCESS_2_NONE) continue;
    EXPECT_NE(info.stages, 0u) << info.name;
    EXPECT_NE(info.is_read, info.is_write) << info.name;
    EXPECT_TRUE(!info.single || info.expands_to == info.access) << info.name;
  }
}

TEST(SyncInfo, ExpandStages) {
  EXPECT_EQ(ExpandStages(VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, kGraphics),
            VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT);
  EXPECT_EQ(ExpandStages(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_QUEUE_TRANSFER_BIT),
            VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
                VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR);
  const VkPipelineStageFlags2 graphics = ExpandStages(VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, kGraphics);
  EXPECT_TRUE(graphics & VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT);
  EXPECT_TRUE(graphics & VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT);
  EXPECT_FALSE(graphics & (VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |
                           VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT));
  const VkPipelineStageFlags2 compute = ExpandStages(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_QUEUE_COMPUTE_BIT);
  EXPECT_TRUE(compute & VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  EXPECT_TRUE(compute & VK_PIPELINE_STAGE_2_COPY_BIT);
  EXPECT_FALSE(compute & (VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                          VK_PIPELINE_STAGE_2_HOST_BIT));
  EXPECT_EQ(ExpandStages(VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, kGraphics),
            VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
  EXPECT_EQ(ExpandStages(VK_PIPELINE_STAGE_2_HOST_BIT, kGraphics), VK_PIPELINE_STAGE_2_HOST_BIT);
}

TEST(SyncInfo, ExpandAccesses) {
  const VkAccessFlags2 shader_read = ExpandAccesses(VK_ACCESS_2_SHADER_READ_BIT);
  EXPECT_EQ(shader_read, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                             VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR | VK_ACCESS_2_SHADER_READ_BIT);
  EXPECT_EQ(ExpandAccesses(VK_ACCESS_2_SHADER_WRITE_BIT), VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
  VkAccessFlags2 reads = 0, writes = 0;
  for (const SyncStageAccessInfo& info : SyncStageAccesses()) (info.is_read ? reads : writes) |= info.access;
  EXPECT_EQ(ExpandAccesses(VK_ACCESS_2_MEMORY_READ_BIT), reads);
  EXPECT_EQ(ExpandAccesses(VK_ACCESS_2_MEMORY_WRITE_BIT), writes);
  EXPECT_EQ(ExpandAccesses(VK_ACCESS_2_TRANSFER_READ_BIT), VK_ACCESS_2_TRANSFER_READ_BIT);
}

TEST(SyncInfo, LogicalOrder) {
  const VkPipelineStageFlags2 earlier = LogicallyEarlierStages(VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
  EXPECT_TRUE(earlier & VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
  EXPECT_TRUE(earlier & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
  EXPECT_TRUE(earlier & VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT);
  EXPECT_TRUE(earlier & VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT);
  EXPECT_TRUE(earlier & VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT);
  EXPECT_FALSE(earlier & (VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                          VK_PIPELINE_STAGE_2_HOST_BIT));
  // The mesh shading pipeline does not have vertex stages.
  EXPECT_FALSE(LogicallyEarlierStages(VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT) & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
  EXPECT_EQ(LogicallyLaterStages(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT),
            VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
  EXPECT_EQ(LogicallyLaterStages(VK_PIPELINE_STAGE_2_HOST_BIT), VK_PIPELINE_STAGE_2_HOST_BIT);
  EXPECT_EQ(LogicallyEarlierStages(0), 0u);
}

TEST(SyncInfo, EarlierAndLaterMirrorEachOther) {
  for (const SyncStageInfo& a : SyncStages()) {
    for (const SyncStageInfo& b : SyncStages()) {
      if (!a.single || !b.single) continue;
      EXPECT_EQ((LogicallyEarlierStages(a.stage) & b.stage) != 0, (LogicallyLaterStages(b.stage) & a.stage) != 0)
          << a.name << ' ' << b.name;
    }
  }
}

}  // namespace
}  // namespace assay::vk
