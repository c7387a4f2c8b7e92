// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of VK_NV_ray_tracing: a correct one of one geometry, and changes of it.

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Of, test::Typed;

constexpr VkBuildAccelerationStructureFlagsNV kUpdates = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_NV;

class VendorBuilds : public test::ValidationTest {
 protected:
  struct Call {
    VkGeometryNV geometries[2];
    VkAccelerationStructureInfoNV info = Typed(VkAccelerationStructureInfoNV{
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_NV, .flags = kUpdates, .geometryCount = 1});
    VkBool32 update = VK_FALSE;
    VkAccelerationStructureNV dst = VK_NULL_HANDLE, src = VK_NULL_HANDLE;

    VkGeometryTrianglesNV& triangles() { return geometries[0].geometry.triangles; }
  };
  test::DeviceOptions Options() override {
    ChangeProperties<VkPhysicalDeviceRayTracingPropertiesNV>(
        [](auto& limits) { limits.maxTriangleCount = limits.maxGeometryCount = 8; });
    return {.device_extensions = {VK_NV_RAY_TRACING_EXTENSION_NAME}};
  }
  void SetUp() override {
    ValidationTest::SetUp();
    data_ = MakeBuffer(256, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV);
    scratch_ = MakeBuffer(1 << 16, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV);
  }
  VkAccelerationStructureNV Make(const VkAccelerationStructureInfoNV& info, VkDeviceMemory memory) {
    const VkAccelerationStructureNV made =
        MakeFrom(VkAccelerationStructureCreateInfoNV{.info = info}, vk.CreateAccelerationStructureNV,
                 vk.DestroyAccelerationStructureNV);
    const auto bind = Of<VkBindAccelerationStructureMemoryInfoNV>(made, memory);
    if (memory != VK_NULL_HANDLE) vk.BindAccelerationStructureMemoryNV(device, 1, &bind);
    return made;
  }
  VkAccelerationStructureNV Make(VkBuildAccelerationStructureFlagsNV flags, VkDeviceMemory memory) {
    return Make(
        Typed(VkAccelerationStructureInfoNV{.type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_NV, .flags = flags}),
        memory);
  }
  void Fill(Call& call) {
    for (VkGeometryNV& geometry : call.geometries) {
      geometry = {.sType = VK_STRUCTURE_TYPE_GEOMETRY_NV, .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_NV};
      geometry.geometry.triangles = Typed(VkGeometryTrianglesNV{.vertexData = data_,
                                                                .vertexCount = 3,
                                                                .vertexStride = 12,
                                                                .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                                                .indexData = data_,
                                                                .indexCount = 3,
                                                                .indexType = VK_INDEX_TYPE_UINT16,
                                                                .transformData = data_});
      geometry.geometry.aabbs = Typed(VkGeometryAABBNV{.aabbData = data_, .numAABBs = 1, .stride = 24});
    }
    call.info.pGeometries = call.geometries;
  }
  void Build(const std::string& rule, const std::function<void(Call&)>& change) {
    SCOPED_TRACE(rule);
    Call call;
    Fill(call);
    call.dst = dst_, call.src = src_;
    change(call);
    ExpectNothing();
    Record([&](VkCommandBuffer c) {
      const SkipCalls skip(*this);
      vk.CmdBuildAccelerationStructureNV(c, &call.info, VK_NULL_HANDLE, 0, call.update, call.dst,
                                         call.update != VK_FALSE ? call.src : VK_NULL_HANDLE, scratch_, 0);
      ExpectAlone(rule.empty() ? "" : "VUID-" + rule);
    });
  }

  test::Buffer data_, scratch_;
  VkAccelerationStructureNV dst_ = VK_NULL_HANDLE, src_ = VK_NULL_HANDLE;
};

TEST_F(VendorBuilds, Geometries) {
  dst_ = Make(kUpdates, MakeMemory(4096, 0));
  // A build, and the creation of a structure from the same info.
  const auto build_and_make = [&](const std::string& rule, const std::function<void(Call&)>& change) {
    Build(rule, change);
    Call call;
    Fill(call);
    change(call);
    Make(call.info, VK_NULL_HANDLE);
    ExpectAlone(rule.empty() ? "" : "VUID-" + rule);
  };
  const std::string info = "VkAccelerationStructureInfoNV-", triangles = "VkGeometryTrianglesNV-";
  build_and_make("", [](Call&) {});
  build_and_make(info + "maxTriangleCount-02424", [](Call& c) { c.triangles().indexCount = 27; });
  build_and_make(info + "type-02786",
                 [](Call& c) { c.info.geometryCount = 2, c.geometries[1].geometryType = VK_GEOMETRY_TYPE_AABBS_NV; });
  build_and_make(triangles + "vertexOffset-02428", [](Call& c) { c.triangles().vertexOffset = 256; });
  build_and_make(triangles + "vertexOffset-02429", [](Call& c) { c.triangles().vertexOffset = 6; });
  build_and_make(triangles + "indexOffset-02431", [](Call& c) { c.triangles().indexOffset = 256; });
  build_and_make(triangles + "indexOffset-02432", [](Call& c) { c.triangles().indexOffset = 3; });
  build_and_make(triangles + "transformOffset-02437", [](Call& c) { c.triangles().transformOffset = 256; });
  build_and_make("VkGeometryAABBNV-offset-02439", [](Call& c) {
    c.geometries[0].geometryType = VK_GEOMETRY_TYPE_AABBS_NV, c.geometries[0].geometry.aabbs.offset = 256;
  });
  Build(triangles + "indexData-02435", [](Call& c) { c.triangles().indexData = VK_NULL_HANDLE; });
}

TEST_F(VendorBuilds, Structures) {
  const VkDeviceMemory memory = MakeMemory(4096, 0);
  dst_ = Make(kUpdates, memory), src_ = Make(kUpdates, MakeMemory(4096, 0));
  const VkAccelerationStructureNV unbound = Make(kUpdates, VK_NULL_HANDLE), fixed = Make(0, MakeMemory(4096, 0)),
                                  alias = Make(kUpdates, memory);
  const auto update = [](const std::function<void(Call&)>& change) {
    return [=](Call& c) { c.update = VK_TRUE, change(c); };
  };
  Build("", update([](Call&) {}));
  Build("", update([&](Call& c) { c.src = dst_; }));
  Build("vkCmdBuildAccelerationStructureNV-dst-07787", [&](Call& c) { c.dst = unbound; });
  Build("vkCmdBuildAccelerationStructureNV-dst-02488", [&](Call& c) { c.dst = fixed; });
  Build("vkCmdBuildAccelerationStructureNV-update-03526", update([&](Call& c) { c.src = alias; }));
}

}  // namespace
}  // namespace assay::core
