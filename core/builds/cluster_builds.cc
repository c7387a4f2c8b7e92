// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of clusters: the addresses of what they read and write.

#include <string>

#include "absl/strings/str_cat.h"
#include "core/builds/build_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;

// Where structures are written: the rule of what is built, and the alignment; 0 if it is not known.
struct Aligned {
  vk::VuidIndex rule = vk::kNoVuid;
  VkDeviceSize bytes = 0;
};
Aligned AlignmentOf(VkClusterAccelerationStructureOpTypeNV type,
                    const VkPhysicalDeviceClusterAccelerationStructurePropertiesNV& limits) {
  switch (type) {
    case VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_NV:
      return {Vuid("VUID-VkClusterAccelerationStructureCommandsInfoNV-input-10477"), limits.clusterByteAlignment};
    case VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_TEMPLATE_NV:
      return {Vuid("VUID-VkClusterAccelerationStructureCommandsInfoNV-input-10478"),
              limits.clusterTemplateByteAlignment};
    case VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_INSTANTIATE_TRIANGLE_CLUSTER_NV:
      return {Vuid("VUID-VkClusterAccelerationStructureCommandsInfoNV-input-10479"), limits.clusterByteAlignment};
    default:
      return {};
  }
}

bool BuildsTriangles(VkClusterAccelerationStructureOpTypeNV type) {
  return type == VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_NV ||
         type == VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_TEMPLATE_NV ||
         type == VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_INSTANTIATE_TRIANGLE_CLUSTER_NV;
}

}  // namespace

void BuildRules::CheckClusterInput(const VkClusterAccelerationStructureInputInfoNV& input, const Location& where,
                                   messages::Report& report) const {
  if (!BuildsTriangles(input.opType) || input.opInput.pTriangleClusters == nullptr) return;
  const vk::FormatInfo* const format = vk::GetFormatInfo(input.opInput.pTriangleClusters->vertexFormat);
  const auto features = format != nullptr ? facts_.features.OfBuffers(*format) : std::nullopt;
  if (!features || (*features & VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR) != 0) return;
  const Location data = where.Dot("opInput");
  report.Error(
      Vuid("VUID-VkClusterAccelerationStructureTriangleClusterInputNV-vertexFormat-10439"), {},
      data.Dot("pTriangleClusters").Dot("vertexFormat"),
      absl::StrCat("(", format->name, ") has no VK_FORMAT_FEATURE_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR."));
}

void BuildRules::PreCallValidate(const vk::GetClusterAccelerationStructureBuildSizesNV& call,
                                 messages::Report& report) const {
  const Location command = report.location();
  if (call.pInfo != nullptr) CheckClusterInput(*call.pInfo, command.Dot("pInfo"), report);
}

void BuildRules::PreCallValidate(const vk::CmdBuildClusterAccelerationStructureIndirectNV& call,
                                 messages::Report& report) const {
  if (call.pCommandInfos == nullptr) return;
  const VkClusterAccelerationStructureCommandsInfoNV& info = *call.pCommandInfos;
  const BuildCheck check(call, facts_, report);
  const messages::ObjectRef commands = messages::Object(call.commandBuffer);
  const Location command = report.location();
  const Location where = command.Dot("pCommandInfos");
  const auto require = [&](bool holds, vk::VuidIndex rule, const Location& at, std::string text) {
    if (!holds) report.Error(rule, {commands}, at, std::move(text));
  };
  CheckClusterInput(info.input, where.Dot("input"), report);
  const bool is_implicit = info.input.opMode == VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV;
  require(!is_implicit || info.dstImplicitData != 0,
          Vuid("VUID-VkClusterAccelerationStructureCommandsInfoNV-opMode-10466"), where.Dot("dstImplicitData"),
          "is 0, but opMode is VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV.");
  require(info.input.opMode != VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_COMPUTE_SIZES_NV ||
              info.dstSizesArray.deviceAddress != 0,
          Vuid("VUID-VkClusterAccelerationStructureCommandsInfoNV-opMode-10470"), where.Dot("dstSizesArray"),
          "has address 0, but opMode is VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_COMPUTE_SIZES_NV.");
  const auto* const limits =
      facts_.state.device().physical_device->Find<VkPhysicalDeviceClusterAccelerationStructurePropertiesNV>();
  const Aligned aligned = limits != nullptr ? AlignmentOf(info.input.opType, *limits) : Aligned();
  require(!is_implicit || aligned.bytes == 0 || info.dstImplicitData % aligned.bytes == 0, aligned.rule,
          where.Dot("dstImplicitData"),
          absl::StrCat("(0x", absl::Hex(info.dstImplicitData), ") is not a multiple of ", aligned.bytes, "."));
  const auto require_stride = [&](const VkStridedDeviceAddressRegionKHR& array, VkDeviceSize least, vk::VuidIndex rule,
                                  const Location& at) {
    require(array.deviceAddress == 0 || array.stride >= least, rule, at.Dot("stride"),
            absl::StrCat("(", array.stride, ") is less than ", least, "."));
  };
  require_stride(info.dstAddressesArray, 8,
                 Vuid("VUID-VkClusterAccelerationStructureCommandsInfoNV-dstAddressesArray-10474"),
                 where.Dot("dstAddressesArray"));
  require_stride(info.dstSizesArray, 4, Vuid("VUID-VkClusterAccelerationStructureCommandsInfoNV-dstSizesArray-10475"),
                 where.Dot("dstSizesArray"));
  constexpr vk::VuidIndex kRead = Vuid("VUID-vkCmdBuildClusterAccelerationStructureIndirectNV-pCommandInfos-10458");
  constexpr vk::VuidIndex kWritten = Vuid("VUID-vkCmdBuildClusterAccelerationStructureIndirectNV-pCommandInfos-10459");
  constexpr VkBufferUsageFlags kInput = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR;
  const auto check_address = [&](VkDeviceAddress address, const AddressRules& rules, std::string_view member) {
    if (address != 0) check.CheckAddress(address, rules, where.Dot(member));
  };
  check_address(info.srcInfosArray.deviceAddress,
                {.bound = Vuid("VUID-vkCmdBuildClusterAccelerationStructureIndirectNV-pCommandInfos-10465"),
                 .usage = kRead,
                 .needed_usage = kInput},
                "srcInfosArray");
  check_address(info.srcInfosCount, {.usage = kRead, .needed_usage = kInput}, "srcInfosCount");
  if (is_implicit)
    check_address(info.dstImplicitData, {.usage = kWritten, .needed_usage = kStorage}, "dstImplicitData");
  check_address(info.dstAddressesArray.deviceAddress,
                {.bound = Vuid("VUID-vkCmdBuildClusterAccelerationStructureIndirectNV-pCommandInfos-10463"),
                 .usage = kWritten,
                 .needed_usage = kStorage},
                "dstAddressesArray");
  check_address(info.dstSizesArray.deviceAddress,
                {.bound = Vuid("VUID-vkCmdBuildClusterAccelerationStructureIndirectNV-pCommandInfos-10464")},
                "dstSizesArray");
}

}  // namespace assay::core
