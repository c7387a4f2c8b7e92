// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUILDS_STRUCTURE_BUILDS_TEST_H_
#define ASSAY_CORE_BUILDS_STRUCTURE_BUILDS_TEST_H_

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/builds/build_test.h"
#include "gtest/gtest.h"
#include "vk/vuid.h"

// Test-only: builds of acceleration structures by each command.
namespace assay::core {

inline constexpr auto kBottom = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
inline constexpr auto kTop = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
inline constexpr auto kMotion = VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV;
// What rules of the build info begin with.
inline const std::string kInfo = "VkAccelerationStructureBuildGeometryInfoKHR-";
inline constexpr auto kUpdate = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;

// The parameters. Each build has two geometries, of which it uses one; a call has two builds, and uses one.
struct StructureCall {
  Command command;
  uint32_t count = 1;
  VkAccelerationStructureBuildGeometryInfoKHR infos[2];
  std::array<VkAccelerationStructureGeometryKHR, 2> geometries[2];
  std::array<VkAccelerationStructureBuildRangeInfoKHR, 2> ranges[2] = {};
  VkDeviceAddress arguments[2];
  uint32_t strides[2] = {sizeof(VkAccelerationStructureBuildRangeInfoKHR),
                         sizeof(VkAccelerationStructureBuildRangeInfoKHR)};

  VkAccelerationStructureGeometryTrianglesDataKHR& triangles() { return geometries[0][0].geometry.triangles; }
  // Makes the first geometry one of another type.
  void Boxes(VkDeviceOrHostAddressConstKHR data) {
    geometries[0][0].geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
    geometries[0][0].geometry.aabbs = Of<VkAccelerationStructureGeometryAabbsDataKHR>(data, 24);
  }
  void Instances(VkDeviceOrHostAddressConstKHR data, bool has_pointers = false) {
    infos[0].type = kTop;
    geometries[0][0].geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
    geometries[0][0].geometry.instances = Of<VkAccelerationStructureGeometryInstancesDataKHR>(has_pointers, data);
  }
  void Update(VkAccelerationStructureKHR source, uint32_t build = 0) {
    infos[build].mode = kUpdate;
    infos[build].srcAccelerationStructure = source;
  }
};

class StructureBuilds : public BuildsByCommands<StructureCall> {
 protected:
  using Call = StructureCall;

  StructureBuilds()
      : BuildsByCommands({"vkCmdBuildAccelerationStructuresKHR", "vkCmdBuildAccelerationStructuresIndirectKHR",
                          "vkBuildAccelerationStructuresKHR"}) {}

  void SetUp() override {
    BuildTest::SetUp();
    for (int i = 0; i < 2; ++i) bottom_[i] = MakeStructure(kBottom, storage_[i].buffer);
    top_ = MakeStructure(kTop, MakeStorage(true));
    visible_top_ = MakeStructure(kTop, Make(VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR).buffer);
  }

  // Changes of the first build.
  static auto To(VkAccelerationStructureKHR target) {
    return [=](Call& call) { call.infos[0].dstAccelerationStructure = target; };
  }

  std::unique_ptr<Call> Base(Command command) override {
    auto call = std::make_unique<Call>();
    call->command = command;
    const auto triangles =
        Typed(VkAccelerationStructureGeometryTrianglesDataKHR{.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                                              .vertexData = Input(*call, 12),
                                                              .vertexStride = 12,
                                                              .maxVertex = 2,
                                                              .indexType = VK_INDEX_TYPE_UINT16,
                                                              .indexData = Input(*call, 2),
                                                              .transformData = Input(*call, 16)});
    for (int i = 0; i < 2; ++i) {
      call->geometries[i].fill(Of<VkAccelerationStructureGeometryKHR>(
          VK_GEOMETRY_TYPE_TRIANGLES_KHR, VkAccelerationStructureGeometryDataKHR{triangles}));
      call->infos[i] = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
                        .type = kBottom,
                        .flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR,
                        .dstAccelerationStructure = bottom_[i],
                        .geometryCount = 1,
                        .pGeometries = call->geometries[i].data()};
      if (command == kHost) {
        host_scratch_[i].resize(kSize);
        call->infos[i].scratchData.hostAddress = host_scratch_[i].data();
      } else {
        call->infos[i].scratchData.deviceAddress = scratch_[i].address;
      }
      for (auto& range : call->ranges[i]) range.primitiveCount = 1;
      call->arguments[i] = input_.address;
    }
    return call;
  }
  void Run(const Call& call) override {
    const VkAccelerationStructureBuildRangeInfoKHR* ranges[2] = {};
    uint32_t counts[2][2];
    const uint32_t* most[2] = {counts[0], counts[1]};
    for (int i = 0; i < 2; ++i) {
      ranges[i] = call.ranges[i].data();
      for (int j = 0; j < 2; ++j) counts[i][j] = call.ranges[i][j].primitiveCount;
    }
    if (call.command == kHost) {
      vk.BuildAccelerationStructuresKHR(device, VK_NULL_HANDLE, call.count, call.infos, ranges);
      return;
    }
    last_ = Record([&](VkCommandBuffer c) {
      if (call.command == kDirect) return vk.CmdBuildAccelerationStructuresKHR(c, call.count, call.infos, ranges);
      vk.CmdBuildAccelerationStructuresIndirectKHR(c, call.count, call.infos, call.arguments, call.strides, most);
    });
  }
  void SubmitAndWait(std::vector<VkCommandBuffer> commands) {
    Submit(Queue(), std::move(commands));
    vk.DeviceWaitIdle(device);
  }
  VkDeviceOrHostAddressConstKHR Input(const Call& call, VkDeviceSize offset = 0) const {
    if (call.command == kHost) return {.hostAddress = host_[2] + offset};
    return {.deviceAddress = input_.address + offset};
  }

  VkAccelerationStructureKHR bottom_[2];
  VkAccelerationStructureKHR top_;
  VkAccelerationStructureKHR visible_top_;
  VkCommandBuffer last_ = VK_NULL_HANDLE;
  std::vector<std::byte> host_scratch_[2];
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BUILDS_STRUCTURE_BUILDS_TEST_H_
