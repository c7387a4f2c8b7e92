// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/matrix/registry_sync.h"

#include <algorithm>
#include <map>

#include "gtest/gtest.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval::matrix {
namespace {

TEST(RegistrySync, ParsesWhatIsWritten) {
  const RegistrySync sync = ParseRegistrySync(R"(
    <enum bitpos="3"   name="VK_PIPELINE_STAGE_2_A_BIT"/>
    <enum bitpos="40" extends="X" name="VK_PIPELINE_STAGE_2_B_BIT"/>
    <enum name="VK_PIPELINE_STAGE_2_C_BIT" alias="VK_PIPELINE_STAGE_2_B_BIT"/>
    <enum bitpos="5" name="VK_PIPELINE_STAGE_2_ALL_BIT"/>
    <enum bitpos="1" name="VK_ACCESS_2_A_READ_BIT"/>
    <sync comment="what">
      <syncstage name="VK_PIPELINE_STAGE_2_A_BIT" alias="Y"></syncstage>
      <syncstage name="VK_PIPELINE_STAGE_2_B_BIT"><syncsupport queues="graphics"/></syncstage>
      <syncstage name="VK_PIPELINE_STAGE_2_C_BIT"></syncstage>
      <syncstage name="VK_PIPELINE_STAGE_2_ALL_BIT">
        <syncequivalent stage="VK_PIPELINE_STAGE_2_A_BIT,VK_PIPELINE_STAGE_2_C_BIT"/>
      </syncstage>
      <syncaccess name="VK_ACCESS_2_A_READ_BIT"><syncsupport stage="VK_PIPELINE_STAGE_2_C_BIT"/></syncaccess>
      <syncpipeline name="graphics">
        <syncpipelinestage>VK_PIPELINE_STAGE_2_A_BIT</syncpipelinestage>
        <syncpipelinestage order="None" before="VK_PIPELINE_STAGE_2_A_BIT">VK_PIPELINE_STAGE_2_C_BIT</syncpipelinestage>
      </syncpipeline>
    </sync>
    <syncstage name="VK_PIPELINE_STAGE_2_D_BIT"></syncstage>)");
  ASSERT_EQ(sync.stages.size(), 3u);
  EXPECT_EQ(sync.stages[0].bit, 8u);
  EXPECT_EQ(sync.stages[1].bit, uint64_t{1} << 40);
  EXPECT_EQ(sync.stages[2].parts, 8u | uint64_t{1} << 40);
  ASSERT_EQ(sync.accesses.size(), 1u);
  EXPECT_EQ(sync.accesses[0].stages, uint64_t{1} << 40);
  ASSERT_EQ(sync.pipelines.size(), 1u);
  ASSERT_EQ(sync.pipelines[0].size(), 2u);
  EXPECT_TRUE(sync.pipelines[0][0].is_ordered);
  EXPECT_FALSE(sync.pipelines[0][1].is_ordered);
  EXPECT_EQ(sync.pipelines[0][1].before, 8u);
}

// The section has the same flags as the generated tables.
TEST(RegistrySync, HasEveryFlag) {
  const RegistrySync sync = ReadRegistrySync();
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    EXPECT_EQ(std::ranges::count(sync.stages, info.stage, &RegistrySync::Stage::bit), 1) << info.name;
  }
  EXPECT_EQ(sync.stages.size(), vk::SyncStages().size());
  for (const vk::SyncAccessInfo& info : vk::SyncAccesses()) {
    EXPECT_EQ(std::ranges::count(sync.accesses, info.access, &RegistrySync::Access::bit), 1) << info.name;
  }
  EXPECT_EQ(sync.accesses.size(), vk::SyncAccesses().size());
  EXPECT_GT(sync.pipelines.size(), 10u);
}

}  // namespace
}  // namespace assay::syncval::matrix
