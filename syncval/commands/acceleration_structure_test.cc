// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modelled accesses of builds and copies of acceleration structures.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kBuild = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkAccessFlags2 kBuildRead = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
constexpr VkAccessFlags2 kBuildWrite = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;

class SyncBuild : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    buffer_ = MakeBuffer(2048);
  }
  VkAccelerationStructureKHR MakeStructure(VkDeviceSize offset) {
    VkAccelerationStructureCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                 .buffer = buffer_,
                                                 .offset = offset,
                                                 .size = 256,
                                                 .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &structure), VK_SUCCESS);
    Defer(structure, [=, this] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
    return structure;
  }
  // An update of `source` if there is one.
  void Build(VkCommandBuffer c, VkAccelerationStructureKHR target, VkAccelerationStructureKHR source = VK_NULL_HANDLE) {
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .mode = source != VK_NULL_HANDLE ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                                         : VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .srcAccelerationStructure = source,
        .dstAccelerationStructure = target};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = nullptr;
    vk.CmdBuildAccelerationStructuresKHR(c, 1, &info, &ranges);
  }
  Buffer buffer_;
};
class NegativeSyncBuild : public SyncBuild {};
class PositiveSyncBuild : public SyncBuild {};

TEST_F(NegativeSyncBuild, Twice) {
  VkAccelerationStructureKHR structure = MakeStructure(256);
  VkCommandBuffer c = Begun();
  Build(c, structure);
  Build(c, structure);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kBuild);
  EXPECT_EQ(fix.dst_access, kBuildWrite);
}
TEST_F(NegativeSyncBuild, UpdateReadsItsSource) {
  VkAccelerationStructureKHR source = MakeStructure(256), target = MakeStructure(512);
  VkCommandBuffer c = Begun();
  Build(c, source);
  Build(c, target, source);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_access, kBuildRead);
}
TEST_F(PositiveSyncBuild, InOrderOrApart) {
  VkAccelerationStructureKHR first = MakeStructure(256), second = MakeStructure(512);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 256);
  Build(c, first);
  Build(c, second);
  Barrier(c, {kBuild, kBuildWrite, kBuild, kBuildRead | kBuildWrite});
  Build(c, first, second);
}

class SyncBuildInput : public SyncBuild {
 protected:
  void SetUp() override {
    SyncBuild::SetUp();
    structure_ = MakeStructure(256);
    input_ = MakeBuffer(4096);
    scratch_ = MakeBuffer(16384);
  }
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  // Vertices of three floats, 16 bytes apart.
  VkAccelerationStructureGeometryKHR Triangles() {
    VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                   .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR};
    geometry.geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
                                   .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                   .vertexData = {.deviceAddress = AddressOf(input_)},
                                   .vertexStride = 16,
                                   .maxVertex = 8,
                                   .indexType = VK_INDEX_TYPE_NONE_KHR};
    return geometry;
  }
  void BuildFrom(VkCommandBuffer c, const VkAccelerationStructureGeometryKHR& geometry,
                 const VkAccelerationStructureBuildRangeInfoKHR& range, VkDeviceAddress scratch = 0,
                 VkAccelerationStructureKHR target = VK_NULL_HANDLE) {
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .dstAccelerationStructure = target != VK_NULL_HANDLE ? target : structure_,
        .geometryCount = 1,
        .pGeometries = &geometry,
        .scratchData = {.deviceAddress = scratch}};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
    vk.CmdBuildAccelerationStructuresKHR(c, 1, &info, &ranges);
  }
  // Writes those bytes of input_, then builds.
  void BuildAfterFill(const VkAccelerationStructureGeometryKHR& geometry,
                      const VkAccelerationStructureBuildRangeInfoKHR& range, VkDeviceSize offset, VkDeviceSize size) {
    VkCommandBuffer c = Begun();
    Fill(c, input_, offset, size);
    BuildFrom(c, geometry, range);
    End(c);
  }
  void ExpectInputRead() {
    const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
    EXPECT_EQ(fix.dst_stages, kBuild);
    EXPECT_EQ(fix.dst_access, VK_ACCESS_2_SHADER_READ_BIT);
  }
  VkAccelerationStructureKHR structure_ = VK_NULL_HANDLE;
  Buffer input_, scratch_;
};
class NegativeSyncBuildInput : public SyncBuildInput {};
class PositiveSyncBuildInput : public SyncBuildInput {};

TEST_F(NegativeSyncBuildInput, Vertices) {
  BuildAfterFill(Triangles(), {.primitiveCount = 1, .primitiveOffset = 64, .firstVertex = 1}, 80, 4);
  ExpectInputRead();
  BuildAfterFill(Triangles(), {.primitiveCount = 100}, 0, 4096);
  ExpectInputRead();
}
// Nor is there an order between two builds.
TEST_F(PositiveSyncBuildInput, OtherVertices) {
  const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = 1, .primitiveOffset = 64, .firstVertex = 1};
  BuildAfterFill(Triangles(), range, 0, 80);
  BuildAfterFill(Triangles(), range, 92, 4);
  BuildAfterFill(Triangles(), range, 124, 4);
  BuildAfterFill(Triangles(), {.primitiveCount = 0}, 0, 4096);
}
TEST_F(PositiveSyncBuildInput, AfterBarrier) {
  VkCommandBuffer c = Begun();
  Fill(c, input_);
  Barrier(c, {kClear, kWrite, kBuild, VK_ACCESS_2_SHADER_READ_BIT});
  BuildFrom(c, Triangles(), {.primitiveCount = 100});
}
TEST_F(NegativeSyncBuildInput, Indices) {
  VkAccelerationStructureGeometryKHR geometry = Triangles();
  geometry.geometry.triangles.indexType = VK_INDEX_TYPE_UINT16;
  geometry.geometry.triangles.indexData.deviceAddress = AddressOf(input_) + 1024;
  BuildAfterFill(geometry, {.primitiveCount = 2, .primitiveOffset = 4}, 1036, 4);
  ExpectInputRead();
  // The build reads some of the vertices.
  BuildAfterFill(geometry, {.primitiveCount = 2}, 0, 1024);
  ExpectInputRead();
}
TEST_F(PositiveSyncBuildInput, IndexedVertices) {
  VkAccelerationStructureGeometryKHR geometry = Triangles();
  geometry.geometry.triangles.indexType = VK_INDEX_TYPE_UINT16;
  geometry.geometry.triangles.indexData.deviceAddress = AddressOf(input_) + 1024;
  BuildAfterFill(geometry, {.primitiveCount = 2}, 16, 1008);
}
TEST_F(NegativeSyncBuildInput, Transform) {
  VkAccelerationStructureGeometryKHR geometry = Triangles();
  geometry.geometry.triangles.transformData.deviceAddress = AddressOf(input_);
  BuildAfterFill(geometry, {.primitiveCount = 1, .primitiveOffset = 2048, .transformOffset = 1024}, 1068, 4);
  ExpectInputRead();
}
TEST_F(NegativeSyncBuildInput, BoxesAndInstances) {
  VkAccelerationStructureGeometryKHR boxes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                              .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR};
  boxes.geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                          .data = {.deviceAddress = AddressOf(input_)},
                          .stride = 32};
  BuildAfterFill(boxes, {.primitiveCount = 3}, 24, 8);
  ExpectNothing();
  BuildAfterFill(boxes, {.primitiveCount = 3}, 84, 4);
  ExpectInputRead();
  VkAccelerationStructureGeometryKHR instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                  .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR};
  instances.geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                  .data = {.deviceAddress = AddressOf(input_)}};
  BuildAfterFill(instances, {.primitiveCount = 3}, 188, 4);
  ExpectInputRead();
  instances.geometry.instances.arrayOfPointers = VK_TRUE;
  BuildAfterFill(instances, {.primitiveCount = 3}, 24, 4);
  ExpectNothing();
  BuildAfterFill(instances, {.primitiveCount = 3}, 20, 4);
  ExpectInputRead();
}
TEST_F(NegativeSyncBuildInput, SharedScratch) {
  const VkDeviceAddress scratch = AddressOf(scratch_);
  VkCommandBuffer c = Begun();
  BuildFrom(c, Triangles(), {.primitiveCount = 1}, scratch);
  BuildFrom(c, Triangles(), {.primitiveCount = 1}, scratch, MakeStructure(512));
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterRead).text);
  EXPECT_EQ(fix.src_access, kBuildWrite);
  EXPECT_EQ(fix.dst_access, kBuildRead | kBuildWrite);
}
TEST_F(PositiveSyncBuildInput, ScratchOfTheirOwn) {
  const VkDeviceAddress scratch = AddressOf(scratch_);
  VkCommandBuffer c = Begun();
  BuildFrom(c, Triangles(), {.primitiveCount = 1}, scratch);
  BuildFrom(c, Triangles(), {.primitiveCount = 1}, scratch + 8192, MakeStructure(512));
  Barrier(c, {kBuild, kBuildWrite, kBuild, kBuildRead | kBuildWrite});
  BuildFrom(c, Triangles(), {.primitiveCount = 1}, scratch, MakeStructure(768));
}

class SyncIndirectBuild : public SyncBuildInput {
 protected:
  // An indirect build of at most 16 triangles, with the arguments at the beginning of input_.
  void BuildIndirect(VkCommandBuffer c, VkAccelerationStructureKHR target) {
    VkAccelerationStructureGeometryKHR geometry = Triangles();
    geometry.geometry.triangles.vertexData.deviceAddress += 1024;
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .dstAccelerationStructure = target,
        .geometryCount = 1,
        .pGeometries = &geometry,
        .scratchData = {.deviceAddress = AddressOf(scratch_)}};
    const VkDeviceAddress arguments = AddressOf(input_);
    const uint32_t stride = sizeof(VkAccelerationStructureBuildRangeInfoKHR);
    const uint32_t max_count = 16;
    const uint32_t* const max_counts = &max_count;
    vk.CmdBuildAccelerationStructuresIndirectKHR(c, 1, &info, &arguments, &stride, &max_counts);
  }
};
class NegativeSyncIndirectBuild : public SyncIndirectBuild {};
class PositiveSyncIndirectBuild : public SyncIndirectBuild {};

TEST_F(NegativeSyncIndirectBuild, Arguments) {
  VkCommandBuffer c = Begun();
  Fill(c, input_, 12, 4);
  BuildIndirect(c, structure_);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kBuild);
  EXPECT_EQ(fix.dst_access, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
}
// An indirect build may read no input.
TEST_F(PositiveSyncIndirectBuild, Arguments) {
  VkCommandBuffer c = Begun();
  Fill(c, input_, 0, 16);
  Barrier(c, {kClear, kWrite, kBuild, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT});
  Fill(c, input_, 16, 2048);
  BuildIndirect(c, structure_);
}
TEST_F(NegativeSyncIndirectBuild, Scratch) {
  VkCommandBuffer c = Begun();
  Fill(c, scratch_);
  BuildIndirect(c, structure_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncIndirectBuild, Scratch) {
  VkCommandBuffer c = Begun();
  // The rest may suffice for the build.
  Fill(c, scratch_, 0, 256);
  BuildIndirect(c, structure_);
  Barrier(c, {kBuild, kBuildRead | kBuildWrite, kBuild, kBuildRead | kBuildWrite});
  BuildIndirect(c, MakeStructure(512));
}

TEST_F(PositiveSyncBuildInput, UnknownAddresses) {
  VkCommandBuffer c = Begun();
  VkAccelerationStructureGeometryKHR geometry = Triangles();
  geometry.geometry.triangles.vertexData.deviceAddress = 0xdead0000;
  BuildFrom(c, geometry, {.primitiveCount = ~0u, .primitiveOffset = ~0u, .firstVertex = ~0u});
}

class SyncAccelerationStructureCopy : public SyncBuildInput {
 protected:
  void SetUp() override {
    SyncBuildInput::SetUp();
    other_ = MakeStructure(512);
  }
  void CopyStructure(VkCommandBuffer c, VkAccelerationStructureKHR from, VkAccelerationStructureKHR to) {
    VkCopyAccelerationStructureInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
                                               .src = from,
                                               .dst = to,
                                               .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR};
    vk.CmdCopyAccelerationStructureKHR(c, &info);
  }
  static constexpr VkPipelineStageFlags2 kStructureCopy = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
  VkAccelerationStructureKHR other_ = VK_NULL_HANDLE;
};
class NegativeSyncAccelerationStructureCopy : public SyncAccelerationStructureCopy {};
class PositiveSyncAccelerationStructureCopy : public SyncAccelerationStructureCopy {};

TEST_F(NegativeSyncAccelerationStructureCopy, AfterABuild) {
  VkCommandBuffer c = Begun();
  Build(c, structure_);
  CopyStructure(c, structure_, other_);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kStructureCopy);
  EXPECT_EQ(fix.dst_access, kBuildRead);
}
// Copies are in their own stage and in that of builds.
TEST_F(PositiveSyncAccelerationStructureCopy, AfterABuild) {
  for (const VkPipelineStageFlags2 stage : {kStructureCopy, kBuild}) {
    VkCommandBuffer c = Begun();
    Build(c, structure_);
    Barrier(c, {kBuild, kBuildWrite, stage, kBuildRead});
    CopyStructure(c, structure_, other_);
    Barrier(c, {stage, kBuildWrite, kBuild, kBuildRead});
    Build(c, structure_, other_);
  }
}
TEST_F(NegativeSyncAccelerationStructureCopy, Properties) {
  VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, 1);
  VkCommandBuffer c = Begun();
  Build(c, structure_);
  vk.CmdWriteAccelerationStructuresPropertiesKHR(c, 1, &structure_,
                                                 VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, pool, 0);
  EXPECT_EQ(ParseFix(ExpectMessage(kReadAfterWrite).text).dst_access, kBuildRead);
}
TEST_F(NegativeSyncAccelerationStructureCopy, Serialization) {
  VkCopyAccelerationStructureToMemoryInfoKHR out = {
      .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
      .src = structure_,
      .dst = {.deviceAddress = AddressOf(input_)},
      .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
  VkCopyMemoryToAccelerationStructureInfoKHR in = {
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
      .src = {.deviceAddress = AddressOf(input_)},
      .dst = other_,
      .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
  VkCommandBuffer c = Begun();
  vk.CmdCopyAccelerationStructureToMemoryKHR(c, &out);
  vk.CmdCopyMemoryToAccelerationStructureKHR(c, &in);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_access, kWrite);
  EXPECT_EQ(fix.dst_access, kRead);
  Build(c, other_);
  ExpectMessage(kWriteAfterWrite);
}

}  // namespace
}  // namespace assay::syncval
