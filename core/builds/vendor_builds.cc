// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Acceleration structures of VK_NV_ray_tracing: their geometries, where they are created and built, and builds.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/builds/build_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::Vuid;

// 0 for VK_INDEX_TYPE_NONE_NV.
VkDeviceSize SizeOf(VkIndexType type) {
  return type == VK_INDEX_TYPE_UINT16 ? 2 : type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT8 ? 1 : 0;
}

class InfoCheck {
 public:
  // `object` is what is built, or the device.
  InfoCheck(const dispatch::Device& device, messages::ObjectRef object, Report& report)
      : limits_(device.physical_device->Find<VkPhysicalDeviceRayTracingPropertiesNV>()),
        object_(object),
        report_(report) {}

  void Run(const VkAccelerationStructureInfoNV& info, bool is_build, const Location& where) const {
    const auto geometries = Items(info.pGeometries, info.geometryCount);
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < geometries.size(); ++i) {
      const VkGeometryNV& geometry = geometries[i];
      const Location at = where.Dot("pGeometries", i);
      Require(geometry.geometryType == geometries[0].geometryType,
              Vuid("VUID-VkAccelerationStructureInfoNV-type-02786"), at.Dot("geometryType"),
              "is not that of pGeometries[0].");
      const Location data = at.Dot("geometry");
      if (geometry.geometryType == VK_GEOMETRY_TYPE_AABBS_KHR) {
        RequireOffset(geometry.geometry.aabbs.aabbData, geometry.geometry.aabbs.offset,
                      Vuid("VUID-VkGeometryAABBNV-offset-02439"), data.Dot("aabbs").Dot("offset"));
      } else if (geometry.geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR) {
        const VkGeometryTrianglesNV& of = geometry.geometry.triangles;
        triangles += (of.indexType == VK_INDEX_TYPE_NONE_KHR ? of.vertexCount : of.indexCount) / 3;
        CheckTriangles(of, is_build, data.Dot("triangles"));
      }
    }
    Require(limits_ == nullptr || limits_->maxTriangleCount == 0 || triangles <= limits_->maxTriangleCount,
            Vuid("VUID-VkAccelerationStructureInfoNV-maxTriangleCount-02424"), where.Dot("pGeometries"),
            absl::StrCat("have ", triangles, " triangles, more than maxTriangleCount."));
  }

  void Require(bool holds, vk::VuidIndex rule, const Location& where, std::string_view text) const {
    if (!holds) [[unlikely]]
      report_.Error(rule, {object_}, where, std::string(text));
  }

 private:
  void RequireOffset(VkBuffer handle, VkDeviceSize offset, vk::VuidIndex rule, const Location& where) const {
    const auto* const buffer = DeviceState::Get<state::Buffer>(handle);
    Require(buffer == nullptr || offset < buffer->size, rule, where,
            absl::StrCat("(", offset, ") is not less than the size of the buffer (",
                         buffer != nullptr ? buffer->size : 0, ")."));
  }
  void RequireMultiple(VkDeviceSize offset, VkDeviceSize unit, vk::VuidIndex rule, const Location& where) const {
    Require(unit == 0 || offset % unit == 0, rule, where,
            absl::StrCat("(", offset, ") is not a multiple of ", unit, "."));
  }

  void CheckTriangles(const VkGeometryTrianglesNV& of, bool is_build, const Location& at) const {
    const vk::FormatInfo* const format = vk::GetFormatInfo(of.vertexFormat);
    const VkDeviceSize component =
        format != nullptr && !format->components.empty() ? format->components[0].bits / 8 : 0;
    RequireOffset(of.vertexData, of.vertexOffset, Vuid("VUID-VkGeometryTrianglesNV-vertexOffset-02428"),
                  at.Dot("vertexOffset"));
    RequireMultiple(of.vertexOffset, component, Vuid("VUID-VkGeometryTrianglesNV-vertexOffset-02429"),
                    at.Dot("vertexOffset"));
    RequireOffset(of.indexData, of.indexOffset, Vuid("VUID-VkGeometryTrianglesNV-indexOffset-02431"),
                  at.Dot("indexOffset"));
    RequireMultiple(of.indexOffset, SizeOf(of.indexType), Vuid("VUID-VkGeometryTrianglesNV-indexOffset-02432"),
                    at.Dot("indexOffset"));
    // Structures may be created before there are buffers.
    Require(!is_build || SizeOf(of.indexType) == 0 || of.indexData != VK_NULL_HANDLE,
            Vuid("VUID-VkGeometryTrianglesNV-indexData-02435"), at.Dot("indexData"),
            "is VK_NULL_HANDLE, but there is an indexType.");
    RequireOffset(of.transformData, of.transformOffset, Vuid("VUID-VkGeometryTrianglesNV-transformOffset-02437"),
                  at.Dot("transformOffset"));
  }

  const VkPhysicalDeviceRayTracingPropertiesNV* const limits_;
  const messages::ObjectRef object_;
  Report& report_;
};

}  // namespace

void BuildRules::PreCallValidate(const vk::CreateAccelerationStructureNV& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  InfoCheck(facts_.state.device(), Object(call.device), report).Run(call.pCreateInfo->info, false, info.Dot("info"));
}

void BuildRules::PreCallValidate(const vk::CmdBuildAccelerationStructureNV& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const dispatch::Device& device = facts_.state.device();
  const InfoCheck check(device, Object(call.dst), report);
  const Location command = report.location();
  const Location info = command.Dot("pInfo");
  check.Run(*call.pInfo, true, info);
  const auto* const target = DeviceState::Get<state::AccelerationStructureNV>(call.dst);
  const auto* const source = DeviceState::Get<state::AccelerationStructureNV>(call.src);
  const auto name = [](VkBuildAccelerationStructureFlagsNV flags) {
    return vk::FlagsToString(vk::EnumId::kBuildAccelerationStructureFlagBitsKHR, flags);
  };
  if (target != nullptr) {
    check.Require(target->memory.get() != nullptr, Vuid("VUID-vkCmdBuildAccelerationStructureNV-dst-07787"),
                  command.Dot("dst"), "is not bound to memory.");
    check.Require(
        target->structure_type == call.pInfo->type && target->flags == call.pInfo->flags,
        Vuid("VUID-vkCmdBuildAccelerationStructureNV-dst-02488"), command.Dot("dst"),
        absl::StrCat("was created with ", vk::ToString(target->structure_type), " and flags (", name(target->flags),
                     "), but pInfo has ", vk::ToString(call.pInfo->type), " and (", name(call.pInfo->flags), ")."));
  }
  if (call.update != VK_TRUE || source == nullptr) return;
  check.Require(source == target || target == nullptr || source->address == 0 || source->address != target->address,
                Vuid("VUID-vkCmdBuildAccelerationStructureNV-update-03526"), command.Dot("src"),
                "is bound to the same memory as dst.");
}

}  // namespace assay::core
