// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/parameter_rules.h"

#include <array>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Ids(const Parameters& parameters) {
  std::vector<std::string> ids;
  for (const ParameterFault& fault : FindParameterFaults(parameters)) {
    ids.emplace_back(vk::GetVuid(fault.vuid).id);
  }
  return ids;
}

TEST(ParameterRulesTest, FirstInstanceWithoutTheFeature) {
  const uint32_t words[] = {3, 1, 0, 0, 3, 1, 0, 7, 3, 1, 0, 8};
  Parameters draws = {.kind = ParameterKind::kDraw, .words = words, .stride = 4, .most = 3};
  EXPECT_THAT(FindParameterFaults(draws), IsEmpty());
  draws.limits.allows_first_instance = false;
  const std::vector<ParameterFault> faults = FindParameterFaults(draws);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].vuid, vk::Vuid("VUID-VkDrawIndirectCommand-firstInstance-00501"));
  EXPECT_EQ(faults[0].first, 1u);
  EXPECT_EQ(faults[0].count, 2u);
  EXPECT_THAT(faults[0].text, HasSubstr("firstInstance is 7,"));
}

TEST(ParameterRulesTest, IndicesPastTheEndOfTheIndexBuffer) {
  const uint32_t words[] = {6, 1, 4, 0, 0};
  Parameters draw = {.kind = ParameterKind::kDrawIndexed, .words = words, .stride = 5};
  EXPECT_THAT(Ids(draw), IsEmpty());
  draw.limits.indices = 10;
  EXPECT_THAT(Ids(draw), IsEmpty());
  draw.limits.indices = 9;
  EXPECT_THAT(Ids(draw), ElementsAre("VUID-VkDrawIndexedIndirectCommand-robustBufferAccess2-08798"));
}

TEST(ParameterRulesTest, SumOfIndicesDoesNotWrap) {
  const uint32_t words[] = {UINT32_MAX, 1, 2, 0, 0};
  const Parameters draw = {.kind = ParameterKind::kDrawIndexed, .limits = {.indices = 10}, .words = words, .stride = 5};
  EXPECT_EQ(Ids(draw).size(), 1u);
}

TEST(ParameterRulesTest, CulledDrawsMayHaveAnything) {
  const uint32_t words[] = {0, 1, 90, 0, 5, 30, 0, 90, 0, 5};
  const Parameters draws = {.kind = ParameterKind::kDrawIndexed,
                            .limits = {.allows_first_instance = false, .indices = 10},
                            .words = words,
                            .stride = 5,
                            .most = 2};
  EXPECT_THAT(Ids(draws), IsEmpty());
}

TEST(ParameterRulesTest, EveryDimensionHasItsLimit) {
  const ParameterLimits limits = {.size = {10, 20, 30}};
  const auto ids = [&](uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t words[] = {x, y, z};
    return Ids({.kind = ParameterKind::kDispatch, .limits = limits, .words = words, .stride = 3});
  };
  EXPECT_THAT(ids(10, 20, 30), IsEmpty());
  EXPECT_THAT(ids(11, 20, 30), ElementsAre("VUID-VkDispatchIndirectCommand-x-00417"));
  EXPECT_THAT(ids(10, 21, 30), ElementsAre("VUID-VkDispatchIndirectCommand-y-00418"));
  EXPECT_THAT(ids(10, 20, 31), ElementsAre("VUID-VkDispatchIndirectCommand-z-00419"));
  EXPECT_THAT(ids(11, 21, 1),
              ElementsAre("VUID-VkDispatchIndirectCommand-x-00417", "VUID-VkDispatchIndirectCommand-y-00418"));
  EXPECT_THAT(ids(11, 21, 0), IsEmpty());
}

TEST(ParameterRulesTest, ProductHasALimit) {
  const auto ids = [&](ParameterKind kind, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t words[] = {x, y, z};
    return Ids({.kind = kind, .limits = {.total_size = 1000}, .words = words, .stride = 3});
  };
  EXPECT_THAT(ids(ParameterKind::kDrawTasks, 10, 10, 10), IsEmpty());
  EXPECT_THAT(ids(ParameterKind::kDrawTasks, 10, 10, 11),
              ElementsAre("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07325"));
  EXPECT_THAT(ids(ParameterKind::kDrawMeshes, 10, 101, 1),
              ElementsAre("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07329"));
  EXPECT_THAT(ids(ParameterKind::kTraceRays, 1u << 31, 1u << 31, 1u << 31),
              ElementsAre("VUID-VkTraceRaysIndirectCommandKHR-width-03641"));
  EXPECT_THAT(ids(ParameterKind::kTraceRays2, 1001, 1, 1),
              ElementsAre("VUID-VkTraceRaysIndirectCommand2KHR-width-03641"));
}

TEST(ParameterRulesTest, CountSaysHowManyAreRead) {
  const uint32_t words[] = {3, 1, 0, 1, 3, 1, 0, 1};
  Parameters draws = {.kind = ParameterKind::kDraw,
                      .command = "vkCmdDrawIndirectCount",
                      .limits = {.allows_first_instance = false, .draws = 100},
                      .words = words,
                      .stride = 4,
                      .most = 2,
                      .count = 0};
  EXPECT_THAT(Ids(draws), IsEmpty());
  draws.count = 1;
  EXPECT_EQ(FindParameterFaults(draws)[0].count, 1u);
  draws.count = 100;
  EXPECT_EQ(FindParameterFaults(draws)[0].count, 2u);
  draws.count = 101;
  EXPECT_THAT(Ids(draws), ElementsAre("VUID-vkCmdDrawIndirectCount-countBuffer-02717",
                                      "VUID-VkDrawIndirectCommand-firstInstance-00501"));
}

TEST(ParameterRulesTest, InstancesReferToStructures) {
  std::array<uint32_t, 48> words = {};
  words[14] = 0x100;
  words[16 + 14] = 0x200;
  words[16 + 15] = 7;
  Parameters instances = {.kind = ParameterKind::kInstances,
                          .command = "vkCmdBuildAccelerationStructuresKHR",
                          .words = words,
                          .stride = 16,
                          .most = 3,
                          .has_structure = [](uint64_t address) { return address == 0x100; }};
  const std::vector<ParameterFault> faults = FindParameterFaults(instances);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].vuid, vk::Vuid("VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-06707"));
  EXPECT_EQ(faults[0].first, 1u);
  EXPECT_THAT(faults[0].text, HasSubstr("accelerationStructureReference is 0x700000200,"));
  instances.has_structure = [](uint64_t) { return true; };
  EXPECT_THAT(Ids(instances), IsEmpty());
}

TEST(ParameterRulesTest, AddressesOfInstancesAreAligned) {
  const uint32_t words[] = {0x1010, 7, 0x1018, 7, 0x1028, 7};
  Parameters addresses = {.kind = ParameterKind::kInstancePointers,
                          .command = "vkCmdBuildAccelerationStructuresKHR",
                          .words = words,
                          .stride = 2,
                          .most = 3};
  const std::vector<ParameterFault> faults = FindParameterFaults(addresses);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].vuid, vk::Vuid("VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-03717"));
  EXPECT_EQ(faults[0].first, 1u);
  EXPECT_EQ(faults[0].count, 2u);
  EXPECT_EQ(faults[0].byte, 8u);
  EXPECT_EQ(faults[0].text, "The address of an instance is 0x700001018, which is not a multiple of 16.");
  addresses.command = "vkCmdBuildAccelerationStructuresIndirectKHR";
  EXPECT_THAT(Ids(addresses), ElementsAre("VUID-vkCmdBuildAccelerationStructuresIndirectKHR-pInfos-03717"));
  addresses.most = 1;
  EXPECT_THAT(Ids(addresses), IsEmpty());
}

TEST(ParameterRulesTest, WhatWasNotCopiedIsNotJudged) {
  const uint32_t words[] = {3, 1, 0, 0, 3, 1, 0};
  const Parameters draws = {.kind = ParameterKind::kDraw,
                            .limits = {.allows_first_instance = false},
                            .words = words,
                            .stride = 4,
                            .most = 1000};
  EXPECT_THAT(Ids(draws), IsEmpty());
}

}  // namespace
}  // namespace assay::gpuav
