// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/build_ranges.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Range = VkAccelerationStructureBuildRangeInfoKHR;

constexpr char kCount[] = "VUID-vkCmdBuildAccelerationStructuresIndirectKHR-ppMaxPrimitiveCounts-03653";
constexpr char kVertices[] = "VUID-VkAccelerationStructureBuildRangeInfoKHR-vertexData-10418";
constexpr char kIndices[] = "VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03656";
constexpr char kFormat[] = "VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03657";
constexpr char kTransform[] = "VUID-VkAccelerationStructureBuildRangeInfoKHR-transformOffset-03658";
constexpr char kBoxes[] = "VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03659";
constexpr char kInstances[] = "VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03660";

VkAccelerationStructureGeometryKHR GeometryOf(VkGeometryTypeKHR type) {
  VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                 .geometryType = type};
  if (type == VK_GEOMETRY_TYPE_TRIANGLES_KHR) {
    geometry.geometry.triangles = {.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                   .vertexStride = 12,
                                   .maxVertex = 29,
                                   .indexType = VK_INDEX_TYPE_NONE_KHR};
  }
  return geometry;
}

std::vector<ParameterFault> Faults(const VkAccelerationStructureGeometryKHR& geometry, const Range& range,
                                   uint32_t most = 10) {
  const BuildGeometry of = BuildGeometryOf(geometry, 2, 1, most);
  const uint32_t words[] = {range.primitiveCount, range.primitiveOffset, range.firstVertex, range.transformOffset};
  return FindBuildRangeFaults({of}, words, 4);
}

std::vector<std::string> Ids(const VkAccelerationStructureGeometryKHR& geometry, const Range& range) {
  std::vector<std::string> ids;
  for (const ParameterFault& fault : Faults(geometry, range)) ids.emplace_back(vk::GetVuid(fault.vuid).id);
  return ids;
}

TEST(BuildRangesTest, MorePrimitivesThanThereMayBe) {
  const VkAccelerationStructureGeometryKHR boxes = GeometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
  EXPECT_THAT(Ids(boxes, {.primitiveCount = 10}), IsEmpty());
  EXPECT_THAT(Ids(boxes, {.primitiveCount = 11}), ElementsAre(kCount));
  EXPECT_EQ(Faults(boxes, {.primitiveCount = 11})[0].text,
            "primitiveCount is 11, which is more than the 10 of ppMaxPrimitiveCounts[2][1].");
}

TEST(BuildRangesTest, OffsetsAreAligned) {
  const VkAccelerationStructureGeometryKHR boxes = GeometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
  EXPECT_THAT(Ids(boxes, {.primitiveCount = 1, .primitiveOffset = 8}), IsEmpty());
  EXPECT_THAT(Ids(boxes, {.primitiveCount = 1, .primitiveOffset = 12}), ElementsAre(kBoxes));
  const VkAccelerationStructureGeometryKHR instances = GeometryOf(VK_GEOMETRY_TYPE_INSTANCES_KHR);
  EXPECT_THAT(Ids(instances, {.primitiveCount = 1, .primitiveOffset = 16}), IsEmpty());
  EXPECT_THAT(Ids(instances, {.primitiveCount = 1, .primitiveOffset = 24}), ElementsAre(kInstances));
  EXPECT_EQ(Faults(instances, {.primitiveCount = 1, .primitiveOffset = 24})[0].text,
            "primitiveOffset is 24, which is not a multiple of 16.");
}

TEST(BuildRangesTest, OffsetOfVertices) {
  VkAccelerationStructureGeometryKHR triangles = GeometryOf(VK_GEOMETRY_TYPE_TRIANGLES_KHR);
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .primitiveOffset = 4}), IsEmpty());
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .primitiveOffset = 6}), ElementsAre(kFormat));
  triangles.geometry.triangles.vertexFormat = VK_FORMAT_R16G16B16A16_SNORM;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .primitiveOffset = 6}), IsEmpty());
  triangles.geometry.triangles.vertexFormat = VK_FORMAT_A2B10G10R10_SNORM_PACK32;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .primitiveOffset = 6}), ElementsAre(kFormat));
}

TEST(BuildRangesTest, OffsetOfIndices) {
  VkAccelerationStructureGeometryKHR triangles = GeometryOf(VK_GEOMETRY_TYPE_TRIANGLES_KHR);
  triangles.geometry.triangles.indexType = VK_INDEX_TYPE_UINT16;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .primitiveOffset = 6}), IsEmpty());
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .primitiveOffset = 5}), ElementsAre(kIndices));
  triangles.geometry.triangles.indexType = VK_INDEX_TYPE_UINT32;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .primitiveOffset = 6}), ElementsAre(kIndices));
}

TEST(BuildRangesTest, OffsetOfATransform) {
  VkAccelerationStructureGeometryKHR triangles = GeometryOf(VK_GEOMETRY_TYPE_TRIANGLES_KHR);
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .transformOffset = 8}), IsEmpty());
  triangles.geometry.triangles.transformData.deviceAddress = 0x1000;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .transformOffset = 8}), ElementsAre(kTransform));
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 1, .transformOffset = 48}), IsEmpty());
}

// With indices, only these say how many vertices there are.
TEST(BuildRangesTest, VerticesPastTheLast) {
  VkAccelerationStructureGeometryKHR triangles = GeometryOf(VK_GEOMETRY_TYPE_TRIANGLES_KHR);
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 10}), IsEmpty());
  triangles.geometry.triangles.maxVertex = 28;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 10}), ElementsAre(kVertices));
  triangles.geometry.triangles.vertexStride = 0;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 10}), IsEmpty());
  triangles.geometry.triangles.vertexStride = 12;
  triangles.geometry.triangles.indexType = VK_INDEX_TYPE_UINT32;
  EXPECT_THAT(Ids(triangles, {.primitiveCount = 10}), IsEmpty());
}

TEST(BuildRangesTest, NoPrimitivesMayHaveAnything) {
  EXPECT_THAT(Ids(GeometryOf(VK_GEOMETRY_TYPE_AABBS_KHR), {.primitiveOffset = 3}), IsEmpty());
}

TEST(BuildRangesTest, EachGeometryHasItsStructure) {
  const VkAccelerationStructureGeometryKHR boxes = GeometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
  const std::vector<BuildGeometry> geometries = {BuildGeometryOf(boxes, 0, 0, 1), BuildGeometryOf(boxes, 0, 1, 2),
                                                 BuildGeometryOf(boxes, 0, 2, 3)};
  // Of the third, a part was not copied.
  const std::vector<uint32_t> words = {1, 0, 0, 0, 9, 3, 0, 0, 0, 9, 9, 3, 0};
  const std::vector<ParameterFault> faults = FindBuildRangeFaults(geometries, words, 5);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(vk::GetVuid(faults[0].vuid).id, kCount);
  EXPECT_EQ(faults[0].first, 1u);
  EXPECT_EQ(faults[0].count, 1u);
  EXPECT_EQ(faults[0].byte, 20u);
}

}  // namespace
}  // namespace assay::gpuav
