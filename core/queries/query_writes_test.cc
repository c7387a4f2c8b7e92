// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that write and reset queries, through the whole layer.

#include <functional>

#include "core/queries/query_test.h"
#include "gtest/gtest.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

class WrittenQueries : public Queries {
 protected:
  static constexpr VkPipelineStageFlagBits kStage = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
  static constexpr VkPipelineStageFlags2 kStage2 = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

  void Run(const std::function<void(VkCommandBuffer)>& commands) { Submit(Queue(), {Record(commands)}); }
  VkAccelerationStructureKHR MakeStructure() {
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = MakeBuffer(256, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR),
        .size = 256,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    VkAccelerationStructureKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &made), VK_SUCCESS);
    Defer(made, [=, this] { vk.DestroyAccelerationStructureKHR(device, made, nullptr); });
    return made;
  }
  VkMicromapEXT MakeMicromap() {
    const VkMicromapCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT,
                                          .buffer = MakeBuffer(256, VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT),
                                          .size = 256,
                                          .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT};
    VkMicromapEXT made = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateMicromapEXT(device, &info, nullptr, &made), VK_SUCCESS);
    Defer(made, [=, this] { vk.DestroyMicromapEXT(device, made, nullptr); });
    return made;
  }
  VkAccelerationStructureNV MakeOfNV() {
    const VkAccelerationStructureCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
        .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                 .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV}};
    VkAccelerationStructureNV made = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateAccelerationStructureNV(device, &info, nullptr, &made), VK_SUCCESS);
    const VkBindAccelerationStructureMemoryInfoNV bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
        .accelerationStructure = made,
        .memory = MakeMemory(4096, 0)};
    EXPECT_EQ(vk.BindAccelerationStructureMemoryNV(device, 1, &bind), VK_SUCCESS);
    Defer(made, [=, this] { vk.DestroyAccelerationStructureNV(device, made, nullptr); });
    return made;
  }
};

TEST_F(WrittenQueries, Timestamps) {
  const VkQueryPool pool = Make({.type = VK_QUERY_TYPE_TIMESTAMP}), other = Make({});
  Record([&](VkCommandBuffer c) {
    vk.CmdWriteTimestamp(c, kStage, pool, 3);
    vk.CmdWriteTimestamp2(c, kStage2, pool, 3);
    ExpectNothing();
    vk.CmdWriteTimestamp(c, kStage, pool, 4);
    ExpectMessage("VUID-vkCmdWriteTimestamp-query-04904");
    vk.CmdWriteTimestamp2(c, kStage2, pool, 4);
    ExpectMessage("VUID-vkCmdWriteTimestamp2-query-04903");
    vk.CmdWriteTimestamp(c, kStage, other, 0);
    ExpectMessage("VUID-vkCmdWriteTimestamp-queryPool-01416");
    vk.CmdWriteTimestamp2(c, kStage2, other, 0);
    ExpectMessage("VUID-vkCmdWriteTimestamp2-queryPool-03861");
    BeginRendering(c, 3);
    vk.CmdWriteTimestamp(c, kStage, pool, 2);
    vk.CmdWriteTimestamp2(c, kStage2, pool, 2);
    ExpectNothing();
    vk.CmdWriteTimestamp(c, kStage, pool, 3);
    ExpectMessage("VUID-vkCmdWriteTimestamp-query-00831");
    vk.CmdWriteTimestamp2(c, kStage2, pool, 3);
    ExpectMessage("VUID-vkCmdWriteTimestamp2-query-03865");
    vk.CmdEndRendering(c);
  });
}

TEST_F(WrittenQueries, Resets) {
  const VkQueryPool pool = Make({});
  Record([&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, pool, 0, 4);
    vk.CmdBeginQuery(c, pool, 1, 0);
    vk.CmdResetQueryPool(c, pool, 2, 2);
    ExpectNothing();
    vk.CmdResetQueryPool(c, pool, 0, 2);
    ExpectMessage("VUID-vkCmdResetQueryPool-None-02841");
    vk.CmdEndQuery(c, pool, 1);
    vk.CmdResetQueryPool(c, pool, 0, 2);
    ExpectNothing();
    vk.CmdResetQueryPool(c, pool, 4, 1);
    ExpectMessage("VUID-vkCmdResetQueryPool-firstQuery-09436");
    vk.CmdResetQueryPool(c, pool, 3, 2);
    ExpectMessage("VUID-vkCmdResetQueryPool-firstQuery-09437");
  });
}

TEST_F(WrittenQueries, Properties) {
  constexpr VkQueryType kSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR;
  constexpr VkQueryType kNvSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV;
  constexpr VkQueryType kMicromapSize = VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT;
  const VkAccelerationStructureKHR structures[2] = {MakeStructure(), MakeStructure()};
  const VkMicromapEXT micromaps[2] = {MakeMicromap(), MakeMicromap()};
  const VkAccelerationStructureNV of_nv = MakeOfNV();
  const VkQueryPool sizes = Make({.type = kSize}), nv_sizes = Make({.type = kNvSize}),
                    micromap_sizes = Make({.type = kMicromapSize});
  Record([&](VkCommandBuffer c) {
    vk.CmdWriteAccelerationStructuresPropertiesKHR(c, 2, structures, kSize, sizes, 2);
    vk.CmdWriteAccelerationStructuresPropertiesNV(c, 1, &of_nv, kNvSize, nv_sizes, 3);
    vk.CmdWriteMicromapsPropertiesEXT(c, 2, micromaps, kMicromapSize, micromap_sizes, 2);
    ExpectNothing();
    vk.CmdWriteAccelerationStructuresPropertiesKHR(c, 2, structures, kSize, sizes, 3);
    ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-query-04880");
    vk.CmdWriteMicromapsPropertiesEXT(c, 2, micromaps, kMicromapSize, micromap_sizes, 3);
    ExpectMessage("VUID-vkCmdWriteMicromapsPropertiesEXT-query-07528");
    vk.CmdWriteAccelerationStructuresPropertiesKHR(c, 2, structures, kSize, micromap_sizes, 0);
    ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-queryPool-02493");
    vk.CmdWriteAccelerationStructuresPropertiesNV(c, 1, &of_nv, kNvSize, sizes, 0);
    ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesNV-queryPool-03755");
    vk.CmdWriteMicromapsPropertiesEXT(c, 2, micromaps, kMicromapSize, sizes, 0);
    ExpectMessage("VUID-vkCmdWriteMicromapsPropertiesEXT-queryPool-07525");
  });
}

// Commands that write queries which nothing resets.
TEST_F(WrittenQueries, NeverReset) {
  const VkQueryPool times = Make({.type = VK_QUERY_TYPE_TIMESTAMP}), samples = Make({});
  Run([&](VkCommandBuffer c) { vk.CmdWriteTimestamp(c, kStage, times, 0); });
  ExpectMessage("VUID-vkCmdWriteTimestamp-None-00830");
  Run([&](VkCommandBuffer c) { vk.CmdWriteTimestamp2(c, kStage2, times, 0); });
  ExpectMessage("VUID-vkCmdWriteTimestamp2-None-03864");
  Run([&](VkCommandBuffer c) { vk.CmdBeginQuery(c, samples, 0, 0), vk.CmdEndQuery(c, samples, 0); });
  ExpectMessage("VUID-vkCmdBeginQuery-None-00807");
  Run([&](VkCommandBuffer c) {
    vk.CmdBeginQueryIndexedEXT(c, samples, 0, 0, 0);
    vk.CmdEndQueryIndexedEXT(c, samples, 0, 0);
  });
  ExpectMessage("VUID-vkCmdBeginQueryIndexedEXT-None-00807");
  vk.ResetQueryPool(device, times, 0, 4);
  Run([&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, samples, 0, 4);
    vk.CmdWriteTimestamp(c, kStage, times, 0);
    vk.CmdWriteTimestamp2(c, kStage2, times, 1);
    vk.CmdBeginQuery(c, samples, 0, 0);
    vk.CmdEndQuery(c, samples, 0);
  });
  ExpectNothing();
}

TEST_F(WrittenQueries, PropertiesNeverReset) {
  constexpr VkQueryType kSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR;
  constexpr VkQueryType kNvSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV;
  constexpr VkQueryType kMicromapSize = VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT;
  const VkAccelerationStructureKHR structure = MakeStructure();
  const VkMicromapEXT micromap = MakeMicromap();
  const VkAccelerationStructureNV of_nv = MakeOfNV();
  const VkQueryPool sizes = Make({.type = kSize}), nv_sizes = Make({.type = kNvSize}),
                    micromap_sizes = Make({.type = kMicromapSize});
  // None of them was built, either.
  Run([&](VkCommandBuffer c) { vk.CmdWriteAccelerationStructuresPropertiesKHR(c, 1, &structure, kSize, sizes, 0); });
  ExpectMessages({"VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-queryPool-02494",
                  "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964"});
  Run([&](VkCommandBuffer c) { vk.CmdWriteAccelerationStructuresPropertiesNV(c, 1, &of_nv, kNvSize, nv_sizes, 0); });
  ExpectMessages({"VUID-vkCmdWriteAccelerationStructuresPropertiesNV-queryPool-03756",
                  "VUID-vkCmdWriteAccelerationStructuresPropertiesNV-pAccelerationStructures-04958"});
  Run([&](VkCommandBuffer c) { vk.CmdWriteMicromapsPropertiesEXT(c, 1, &micromap, kMicromapSize, micromap_sizes, 0); });
  ExpectMessages({"VUID-vkCmdWriteMicromapsPropertiesEXT-queryPool-07526",
                  "VUID-vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07501"});
  for (const VkQueryPool pool : {sizes, nv_sizes, micromap_sizes}) vk.ResetQueryPool(device, pool, 0, 4);
  Run([&](VkCommandBuffer c) { vk.CmdWriteAccelerationStructuresPropertiesKHR(c, 1, &structure, kSize, sizes, 0); });
  ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964");
}

}  // namespace
}  // namespace assay::core
