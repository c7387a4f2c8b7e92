// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/sync/available_stages.h"

#include <algorithm>
#include <initializer_list>

#include "gtest/gtest.h"

namespace assay::vk {
namespace {

VkPipelineStageFlags2 StagesWith(std::initializer_list<std::string_view> enabled) {
  return AvailableStages([&](std::string_view name) { return std::ranges::find(enabled, name) != enabled.end(); });
}

TEST(AvailableStages, OfCoreAlone) {
  const VkPipelineStageFlags2 stages = StagesWith({});
  for (const VkPipelineStageFlags2 stage :
       {VK_PIPELINE_STAGE_2_COPY_BIT, VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_2_HOST_BIT}) {
    EXPECT_EQ(stages & stage, stage);
  }
  for (const VkPipelineStageFlags2 stage :
       {VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV, VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT,
        VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR,
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}) {
    EXPECT_EQ(stages & stage, 0u);
  }
}

TEST(AvailableStages, OfAnExtension) {
  EXPECT_NE(StagesWith({"VK_NV_cooperative_vector"}) & VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV,
            0u);
  EXPECT_NE(StagesWith({"VK_KHR_video_decode_queue"}) & VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR, 0u);
}

// VK_KHR_synchronization2 alone brings no stage of another extension.
TEST(AvailableStages, OfSynchronization2) {
  EXPECT_EQ(StagesWith({"VK_KHR_synchronization2", "synchronization2"}), StagesWith({}));
}

// The extension without its feature does not do, nor the feature of an extension that is not enabled.
TEST(AvailableStages, OfAFeature) {
  EXPECT_NE(StagesWith({"geometryShader"}) & VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT, 0u);
  EXPECT_EQ(StagesWith({"VK_EXT_mesh_shader"}) & VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, 0u);
  EXPECT_EQ(StagesWith({"taskShader"}) & VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, 0u);
  EXPECT_NE(StagesWith({"VK_EXT_mesh_shader", "taskShader"}) & VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, 0u);
}

}  // namespace
}  // namespace assay::vk
