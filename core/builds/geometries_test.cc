// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Geometries and their inputs, through the whole layer.

#include <string>

#include "core/builds/structure_builds_test.h"

namespace assay::core {
namespace {

// Data of spheres, or of linear swept spheres, all in that memory.
template <class T>
T SphereDataIn(VkDeviceAddress memory) {
  return Typed(T{.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                 .vertexData = {.deviceAddress = memory},
                 .vertexStride = 12,
                 .radiusFormat = VK_FORMAT_R32_SFLOAT,
                 .radiusData = {.deviceAddress = memory},
                 .radiusStride = 4,
                 .indexType = VK_INDEX_TYPE_UINT16,
                 .indexData = {.deviceAddress = memory},
                 .indexStride = 2});
}

TEST_F(StructureBuilds, Inputs) {
  const VkDeviceAddress unbound = MakeUnbound();
  constexpr VkDeviceAddress kNowhere = 1 << 10;
  using Triangles = VkAccelerationStructureGeometryTrianglesDataKHR;
  const auto to = [](VkDeviceOrHostAddressConstKHR Triangles::* data) {
    return [=](VkDeviceAddress at) { return [=](Call& call) { (call.triangles().*data).deviceAddress = at; }; };
  };
  const auto vertices = to(&Triangles::vertexData), indices = to(&Triangles::indexData),
             transform = to(&Triangles::transformData);
  const auto boxes = [](VkDeviceAddress at) { return [=](Call& call) { call.Boxes({.deviceAddress = at}); }; };
  const auto instances = [&](VkDeviceAddress at, bool has_pointers = false) {
    return [=, this](Call& call) {
      call.Instances({.deviceAddress = at}, has_pointers);
      call.infos[0].dstAccelerationStructure = visible_top_;
    };
  };
  RunRows({{"geometry-03673", vertices(plain_.address)},
           {"pInfos-03711", vertices(input_.address + 2)},
           {"pInfos-03804", vertices(kNowhere)},
           {"pInfos-03805", vertices(unbound)},
           {"pInfos-03771", vertices(0)},
           {"pInfos-03712", indices(input_.address + 1)},
           {"pInfos-03806", indices(kNowhere)},
           {"pInfos-03807", indices(unbound)},
           {"pInfos-03772", indices(0)},
           {"pInfos-03808", transform(kNowhere)},
           {"pInfos-03809", transform(unbound)},
           {"pInfos-03810", transform(input_.address + 8)},
           {"pInfos-03714", boxes(input_.address + 4)},
           {"pInfos-03811", boxes(kNowhere)},
           {"pInfos-03812", boxes(unbound)},
           {"pInfos-03774", boxes(0)},
           {"pInfos-03715", instances(input_.address + 8)},
           {"pInfos-03716", instances(input_.address + 4, true)},
           {"pInfos-03813", instances(kNowhere)},
           {"pInfos-03814", instances(unbound)},
           {"pInfos-03778", instances(0)}});
  // Without primitives nothing is read; a buffer whose address is not known may be anywhere.
  Try(kDirect, "", [&](Call& call) {
    vertices(0)(call);
    call.ranges[0][0].primitiveCount = 0;
  });
  MakeBuffer(64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  Try(kDirect, "", vertices(kNowhere));
}

TEST_F(StructureBuilds, Geometries) {
  const VkMicromapUsageEXT usage = {1, 0, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
  const VkMicromapUsageEXT* usages = &usage;
  auto opacity = Typed(VkAccelerationStructureTrianglesOpacityMicromapEXT{
      .indexType = VK_INDEX_TYPE_NONE_KHR, .usageCountsCount = 1, .pUsageCounts = &usage, .ppUsageCounts = &usages});
  auto displacement = Typed(
      VkAccelerationStructureTrianglesDisplacementMicromapNV{.displacementBiasAndScaleFormat = VK_FORMAT_R32G32_SFLOAT,
                                                             .displacementVectorFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                                             .indexType = VK_INDEX_TYPE_NONE_KHR,
                                                             .usageCountsCount = 1,
                                                             .pUsageCounts = &usage,
                                                             .ppUsageCounts = &usages});
  auto motion =
      Typed(VkAccelerationStructureGeometryMotionTrianglesDataNV{.vertexData = {.deviceAddress = input_.address}});
  const auto chain = [](const void* next) { return [=](Call& call) { call.triangles().pNext = next; }; };
  const std::string data = "VkAccelerationStructureGeometryTrianglesDataKHR-";
  RunRows({
      {kInfo + "pGeometries-03788", [](Call& call) { call.infos[0].pGeometries = nullptr; }},
      {kInfo + "type-03789",
       [&](Call& call) { call.infos[0].type = kTop, call.infos[0].dstAccelerationStructure = top_; }},
      {kInfo + "type-03791", [&](Call& call) { call.Instances(Input(call)), call.infos[0].type = kBottom; }},
      {kInfo + "type-03792", [&](Call& call) { call.infos[0].geometryCount = 2, call.Boxes(Input(call)); }},
      {data + "vertexFormat-03797", [](Call& call) { call.triangles().vertexFormat = kFormatWithoutFeatures; }},
      {data + "vertexStride-03735", [](Call& call) { call.triangles().vertexStride = 14; }},
      {"VkAccelerationStructureCreateInfoKHR-createFlags-04955", chain(&motion)},
      {"VkAccelerationStructureTrianglesOpacityMicromapEXT-pUsageCounts-07335", chain(&opacity)},
      {"VkAccelerationStructureTrianglesDisplacementMicromapNV-pUsageCounts-07992", chain(&displacement)},
  });
}

TEST_F(StructureBuilds, Spheres) {
  const auto try_geometry = [&](const std::string& owner, const char* rule, VkGeometryTypeKHR type, const void* next) {
    Try(kDirect, *rule == 0 ? "" : owner + rule, [&](Call& call) {
      call.geometries[0][0] = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, next, type};
    });
  };
  // The rule of spheres, if they have it, and that of linear swept spheres.
  const auto try_change = [&](const char* rule, const char* swept_rule, const auto& change) {
    auto swept = SphereDataIn<VkAccelerationStructureGeometryLinearSweptSpheresDataNV>(input_.address);
    swept.indexingMode = VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV;
    change(swept);
    try_geometry("VkAccelerationStructureGeometryLinearSweptSpheresDataNV-", swept_rule,
                 VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV, &swept);
    if (rule == nullptr) return;
    auto spheres = SphereDataIn<VkAccelerationStructureGeometrySpheresDataNV>(input_.address);
    change(spheres);
    try_geometry("VkAccelerationStructureGeometrySpheresDataNV-", rule, VK_GEOMETRY_TYPE_SPHERES_NV, &spheres);
  };
  try_change("", "", [](auto&) {});
  try_change("vertexData-10430", "vertexData-10420", [](auto& it) { it.vertexData.deviceAddress = 0; });
  try_change("radiusData-10433", "radiusData-10425", [](auto& it) { it.radiusData.deviceAddress = 0; });
  try_change("vertexStride-10431", "vertexStride-10421", [](auto& it) { it.vertexStride = 14; });
  try_change("vertexStride-10432", "vertexStride-10422", [](auto& it) { it.radiusStride = VkDeviceSize{1} << 32; });
  try_change("vertexFormat-10434", "vertexFormat-10423",
             [](auto& it) { it.vertexFormat = kFormatWithoutFeatures, it.vertexStride = 8; });
  try_change("radiusFormat-10435", "radiusFormat-10424", [](auto& it) { it.radiusFormat = kFormatWithoutFeatures; });
  try_change("indexData-10437", "indexData-10428", [](auto& it) { it.indexType = VK_INDEX_TYPE_NONE_KHR; });
  try_change(nullptr, "indexingMode-10427", [](auto& it) { it.indexData.deviceAddress = 0; });
}

}  // namespace
}  // namespace assay::core
