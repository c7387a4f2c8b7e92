// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Geometries of acceleration structures, and the inputs that they lead to.

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/builds/build_check.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using vk::Vuid;
using Info = VkAccelerationStructureBuildGeometryInfoKHR;
using Geometry = VkAccelerationStructureGeometryKHR;
using Triangles = VkAccelerationStructureGeometryTrianglesDataKHR;

// The bytes that a component has; those of the whole format if that is packed. 1 where components have no whole bytes.
VkDeviceSize ComponentSize(VkFormat format, bool is_whole_if_packed) {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr || info->compressed) return 1;
  if (is_whole_if_packed && info->name.find("_PACK") != std::string_view::npos) return info->block_size;
  const auto smallest = std::ranges::min_element(info->components, {}, &vk::FormatComponent::bits);
  return smallest->bits % 8 == 0 ? smallest->bits / 8 : 1;
}

// That a format has a feature, and a stride is a multiple of what its components have.
void CheckFormat(const BuildCheck& check, VkFormat format, VkFormatFeatureFlags2 feature, vk::VuidIndex rule,
                 const messages::ObjectRef& dst, const Location& where) {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr || !check.facts.features.Know(feature)) return;
  const auto features = check.facts.features.OfBuffers(*info);
  if (!features || (*features & feature) != 0) return;
  check.Say(rule, dst, where,
            absl::StrCat("is ", info->name, ", which does not have ",
                         vk::FlagsToString(vk::EnumId::kFormatFeatureFlagBits2, feature), "."));
}
void CheckStride(const BuildCheck& check, VkDeviceSize stride, VkDeviceSize size, vk::VuidIndex rule,
                 const messages::ObjectRef& dst, const Location& where) {
  if (stride % size == 0) return;
  check.Say(rule, dst, where, absl::StrCat("(", stride, ") is not a multiple of ", size, "."));
}

// Spheres and linear swept spheres have the same members.
struct SphereIds {
  vk::VuidIndex vertex_data;
  vk::VuidIndex vertex_stride;
  vk::VuidIndex strides;
  vk::VuidIndex vertex_format;
  vk::VuidIndex radius_format;
  vk::VuidIndex radius_data;
  vk::VuidIndex indices;
};
constexpr SphereIds kSphereIds = {Vuid("VUID-VkAccelerationStructureGeometrySpheresDataNV-vertexData-10430"),
                                  Vuid("VUID-VkAccelerationStructureGeometrySpheresDataNV-vertexStride-10431"),
                                  Vuid("VUID-VkAccelerationStructureGeometrySpheresDataNV-vertexStride-10432"),
                                  Vuid("VUID-VkAccelerationStructureGeometrySpheresDataNV-vertexFormat-10434"),
                                  Vuid("VUID-VkAccelerationStructureGeometrySpheresDataNV-radiusFormat-10435"),
                                  Vuid("VUID-VkAccelerationStructureGeometrySpheresDataNV-radiusData-10433"),
                                  Vuid("VUID-VkAccelerationStructureGeometrySpheresDataNV-indexData-10437")};
constexpr SphereIds kSweptIds = {
    Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-vertexData-10420"),
    Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-vertexStride-10421"),
    Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-vertexStride-10422"),
    Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-vertexFormat-10423"),
    Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-radiusFormat-10424"),
    Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-radiusData-10425"),
    Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-indexData-10428")};

template <class T>
void CheckSpheres(const BuildCheck& check, const Geometry& geometry, const SphereIds& ids,
                  const messages::ObjectRef& dst, std::string_view name, const Location& at) {
  const T* const spheres = vk::FindInChain<T>(geometry.pNext);
  if (spheres == nullptr) return;
  constexpr VkDeviceSize kMaxStride = ~uint32_t{0};
  const Location where = at.Next(name);
  if (spheres->vertexData.deviceAddress == 0) check.Say(ids.vertex_data, dst, where.Dot("vertexData"), "is 0.");
  if (spheres->radiusData.deviceAddress == 0) check.Say(ids.radius_data, dst, where.Dot("radiusData"), "is 0.");
  CheckStride(check, spheres->vertexStride, ComponentSize(spheres->vertexFormat, true), ids.vertex_stride, dst,
              where.Dot("vertexStride"));
  if (std::max(spheres->vertexStride, spheres->radiusStride) > kMaxStride) {
    check.Say(ids.strides, dst, where.Dot("vertexStride"),
              absl::StrCat("(", spheres->vertexStride, ") or radiusStride (", spheres->radiusStride,
                           ") is larger than ", kMaxStride, "."));
  }
  CheckFormat(check, spheres->vertexFormat, VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR,
              ids.vertex_format, dst, where.Dot("vertexFormat"));
  CheckFormat(check, spheres->radiusFormat, VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_RADIUS_BUFFER_BIT_NV,
              ids.radius_format, dst, where.Dot("radiusFormat"));
  const bool has_indices = spheres->indexData.deviceAddress != 0;
  if (has_indices && spheres->indexType != VK_INDEX_TYPE_UINT16 && spheres->indexType != VK_INDEX_TYPE_UINT32) {
    check.Say(ids.indices, dst, where.Dot("indexType"),
              absl::StrCat("is ", vk::ToString(spheres->indexType), ", but indexData is not NULL."));
  }
  if constexpr (requires { spheres->indexingMode; }) {
    if (spheres->indexingMode != VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV || has_indices) return;
    check.Say(Vuid("VUID-VkAccelerationStructureGeometryLinearSweptSpheresDataNV-indexingMode-10427"), dst,
              where.Dot("indexData"), "is NULL, but indexingMode is VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV.");
  }
}

void CheckTriangles(const BuildCheck& check, const Info& info, const Triangles& triangles, const Location& where) {
  const messages::ObjectRef dst = Object(info.dstAccelerationStructure);
  CheckFormat(check, triangles.vertexFormat, VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR,
              Vuid("VUID-VkAccelerationStructureGeometryTrianglesDataKHR-vertexFormat-03797"), dst,
              where.Dot("vertexFormat"));
  CheckStride(check, triangles.vertexStride, ComponentSize(triangles.vertexFormat, false),
              Vuid("VUID-VkAccelerationStructureGeometryTrianglesDataKHR-vertexStride-03735"), dst,
              where.Dot("vertexStride"));
  const auto* const target = state::DeviceState::Get<state::AccelerationStructure>(info.dstAccelerationStructure);
  if (target != nullptr && (target->create_flags & VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV) == 0 &&
      vk::FindInChain<VkAccelerationStructureGeometryMotionTrianglesDataNV>(triangles.pNext) != nullptr) {
    check.Say(Vuid("VUID-VkAccelerationStructureCreateInfoKHR-createFlags-04955"), dst, where.Dot("pNext"),
              absl::StrCat("has a VkAccelerationStructureGeometryMotionTrianglesDataNV, but ", check.Describe(dst),
                           " was created without VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV."));
  }
  if (const auto* const opacity =
          vk::FindInChain<VkAccelerationStructureTrianglesOpacityMicromapEXT>(triangles.pNext)) {
    CheckUsageCounts(check, UsageCounts(*opacity), VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT,
                     Vuid("VUID-VkAccelerationStructureTrianglesOpacityMicromapEXT-pUsageCounts-07335"), dst,
                     where.Next("VkAccelerationStructureTrianglesOpacityMicromapEXT"));
  }
  if (const auto* const displacement =
          vk::FindInChain<VkAccelerationStructureTrianglesDisplacementMicromapNV>(triangles.pNext)) {
    CheckUsageCounts(check, UsageCounts(*displacement), VK_MICROMAP_TYPE_DISPLACEMENT_MICROMAP_NV,
                     Vuid("VUID-VkAccelerationStructureTrianglesDisplacementMicromapNV-pUsageCounts-07992"), dst,
                     where.Next("VkAccelerationStructureTrianglesDisplacementMicromapNV"));
  }
}

// Whether the type of a geometry suits those of the structure and of the first geometry.
bool CheckType(const BuildCheck& check, const Info& info, VkGeometryTypeKHR type, const Location& where) {
  const bool is_top = info.type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
  if (!is_top && info.type != VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR) return true;
  const bool is_instances = type == VK_GEOMETRY_TYPE_INSTANCES_KHR;
  const VkGeometryTypeKHR first = GeometryAt(info, 0)->geometryType;
  const messages::ObjectRef dst = Object(info.dstAccelerationStructure);
  const auto text = [&](std::string_view than) { return absl::StrCat("is ", vk::ToString(type), ", but ", than, "."); };
  if (is_top != is_instances) {
    check.Say(is_top ? Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-type-03789")
                     : Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-type-03791"),
              dst, where.Dot("geometryType"), text(absl::StrCat("type is ", vk::ToString(info.type))));
  } else if (type != first) {
    check.Say(Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-type-03792"), dst, where.Dot("geometryType"),
              text(absl::StrCat("that of the first geometry is ", vk::ToString(first))));
  }
  return is_top == is_instances && type == first;
}

// The numbers of primitives, of geometries of one type.
void CheckCounts(const BuildCheck& check, const Info& info, const PrimitiveCounts& counts, VkGeometryTypeKHR type,
                 const Location& where) {
  const auto* const limits = check.facts.limits;
  if (limits == nullptr || !counts.is_known()) return;
  const messages::ObjectRef dst = Object(info.dstAccelerationStructure);
  const bool is_instances = type == VK_GEOMETRY_TYPE_INSTANCES_KHR;
  uint64_t total = 0;
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    total += counts.Of(i);
    if (!is_instances || counts.Of(i) <= limits->maxInstanceCount) continue;
    check.Say(check.Of({"pInfos-03801", "pBuildInfo-03785"}), dst, where,
              absl::StrCat("has ", counts.Of(i), " instances in geometry ", i, ", more than maxInstanceCount (",
                           limits->maxInstanceCount, ")."));
  }
  if (is_instances || counts.ranges == nullptr || total <= limits->maxPrimitiveCount) return;
  check.Say(type == VK_GEOMETRY_TYPE_AABBS_KHR ? Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-type-03794")
            : type == VK_GEOMETRY_TYPE_TRIANGLES_KHR
                ? Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-type-03795")
                : vk::kNoVuid,
            dst, where,
            absl::StrCat("has ", total, " primitives, more than maxPrimitiveCount (", limits->maxPrimitiveCount, ")."));
}

struct InputRules {
  BuildRule valid;
  BuildRule bound;
  BuildRule aligned;
  BuildRule on_host;
};
constexpr InputRules kVertices = {"pInfos-03804", "pInfos-03805", "pInfos-03711", "pInfos-03771"};
constexpr InputRules kIndices = {"pInfos-03806", "pInfos-03807", "pInfos-03712", "pInfos-03772"};
// NULL is none, so that the last has nothing to say.
constexpr InputRules kTransform = {"pInfos-03808", "pInfos-03809", "pInfos-03810", "pInfos-03771"};
constexpr InputRules kBoxes = {"pInfos-03811", "pInfos-03812", "pInfos-03714", "pInfos-03774"};
constexpr InputRules kInstances = {"pInfos-03813", "pInfos-03814", "pInfos-03715", "pInfos-03778"};
constexpr InputRules kPointers = {"pInfos-03813", "pInfos-03814", "pInfos-03716", "pInfos-03778"};

void CheckInput(const BuildCheck& check, const messages::ObjectRef& dst, const VkDeviceOrHostAddressConstKHR& input,
                const InputRules& rules, VkDeviceSize alignment, const Location& where) {
  if (check.on_host) {
    if (input.hostAddress == nullptr) check.Say(check.Of({rules.on_host}), dst, where.Dot("hostAddress"), "is null.");
    return;
  }
  check.CheckAddress(input.deviceAddress,
                     {.valid = check.Of({rules.valid}),
                      .bound = check.Of({rules.bound}),
                      .usage = check.Of({"geometry-03673"}),
                      .aligned = check.Of({rules.aligned}),
                      .needed_usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR,
                      .alignment = alignment},
                     where.Dot("deviceAddress"));
}

void CheckInputs(const BuildCheck& check, const messages::ObjectRef& dst, const Geometry& geometry,
                 const Location& at) {
  const Location where = at.Dot("geometry");
  if (geometry.geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR) {
    const Triangles& triangles = geometry.geometry.triangles;
    const Location data = where.Dot("triangles");
    CheckInput(check, dst, triangles.vertexData, kVertices, ComponentSize(triangles.vertexFormat, false),
               data.Dot("vertexData"));
    const VkDeviceSize index_size = triangles.indexType == VK_INDEX_TYPE_UINT32   ? 4
                                    : triangles.indexType == VK_INDEX_TYPE_UINT16 ? 2
                                                                                  : 1;
    if (triangles.indexType != VK_INDEX_TYPE_NONE_KHR)
      CheckInput(check, dst, triangles.indexData, kIndices, index_size, data.Dot("indexData"));
    if (triangles.transformData.deviceAddress != 0)
      CheckInput(check, dst, triangles.transformData, kTransform, 16, data.Dot("transformData"));
  } else if (geometry.geometryType == VK_GEOMETRY_TYPE_AABBS_KHR) {
    CheckInput(check, dst, geometry.geometry.aabbs.data, kBoxes, 8, where.Dot("aabbs").Dot("data"));
  } else if (geometry.geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR) {
    const auto& instances = geometry.geometry.instances;
    const bool has_pointers = instances.arrayOfPointers != VK_FALSE;
    CheckInput(check, dst, instances.data, has_pointers ? kPointers : kInstances, has_pointers ? 8 : 16,
               where.Dot("instances").Dot("data"));
  }
}

}  // namespace

const Geometry* GeometryAt(const Info& info, uint32_t index) {
  if (info.pGeometries != nullptr) return &info.pGeometries[index];
  return info.ppGeometries != nullptr ? info.ppGeometries[index] : nullptr;
}

bool CheckGeometries(const BuildCheck& check, const Info& info, const PrimitiveCounts& counts, const Location& where) {
  if (info.geometryCount == 0) return true;
  const messages::ObjectRef dst = Object(info.dstAccelerationStructure);
  if ((info.pGeometries == nullptr) == (info.ppGeometries == nullptr)) {
    check.Say(Vuid("VUID-VkAccelerationStructureBuildGeometryInfoKHR-pGeometries-03788"), dst, where.Dot("pGeometries"),
              absl::StrCat("and ppGeometries are ", info.pGeometries == nullptr ? "both" : "neither", " NULL."));
    return false;
  }
  bool is_of_one_type = true;
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    if (GeometryAt(info, i) == nullptr) return false;
    const Geometry& geometry = *GeometryAt(info, i);
    const Location at = where.Dot(info.pGeometries != nullptr ? "pGeometries" : "ppGeometries", i);
    is_of_one_type = CheckType(check, info, geometry.geometryType, at) && is_of_one_type;
    if (geometry.geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR)
      CheckTriangles(check, info, geometry.geometry.triangles, at.Dot("geometry").Dot("triangles"));
    if (geometry.geometryType == VK_GEOMETRY_TYPE_SPHERES_NV) {
      CheckSpheres<VkAccelerationStructureGeometrySpheresDataNV>(check, geometry, kSphereIds, dst,
                                                                 "VkAccelerationStructureGeometrySpheresDataNV", at);
    }
    if (geometry.geometryType == VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV) {
      CheckSpheres<VkAccelerationStructureGeometryLinearSweptSpheresDataNV>(
          check, geometry, kSweptIds, dst, "VkAccelerationStructureGeometryLinearSweptSpheresDataNV", at);
    }
  }
  if (is_of_one_type) CheckCounts(check, info, counts, GeometryAt(info, 0)->geometryType, where);
  return true;
}

void CheckInputs(const BuildCheck& check, const Info& info, const PrimitiveCounts& counts, const Location& where) {
  for (uint32_t i = 0; counts.is_known() && i < info.geometryCount; ++i) {
    if (counts.Of(i) == 0) continue;
    CheckInputs(check, Object(info.dstAccelerationStructure), *GeometryAt(info, i),
                where.Dot(info.pGeometries != nullptr ? "pGeometries" : "ppGeometries", i));
  }
}

}  // namespace assay::core
