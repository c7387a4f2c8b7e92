// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/devices/engine_rules.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/devices/device_ids.h"
#include "core/resources/creation_check.h"

namespace assay::core {
namespace {

using messages::Report;
using vk::Vuid;

struct SessionFacts {
  static constexpr std::string_view kOwner = "VkOpticalFlowSessionCreateInfoNV";

  const dispatch::Device& device;
  const VkOpticalFlowSessionCreateInfoNV& info;

  bool Has(VkOpticalFlowSessionCreateFlagBitsNV flag) const { return (info.flags & flag) != 0; }
  // What the driver says. Without formats nothing is known.
  bool Lacks(VkFormat format, VkOpticalFlowUsageFlagsNV usage) const {
    const auto get = dispatch::Next<vk::GetPhysicalDeviceOpticalFlowImageFormatsNV>(device.instance.next);
    const VkPhysicalDevice physical_device = device.physical_device->handle;
    const VkOpticalFlowImageFormatInfoNV asked = {VK_STRUCTURE_TYPE_OPTICAL_FLOW_IMAGE_FORMAT_INFO_NV, nullptr, usage};
    uint32_t count = 0;
    if (get == nullptr || get(physical_device, &asked, &count, nullptr) != VK_SUCCESS || count == 0) return false;
    std::vector<VkOpticalFlowImageFormatPropertiesNV> formats(
        count, {.sType = VK_STRUCTURE_TYPE_OPTICAL_FLOW_IMAGE_FORMAT_PROPERTIES_NV});
    return get(physical_device, &asked, &count, formats.data()) == VK_SUCCESS &&
           std::ranges::count(formats, format, &VkOpticalFlowImageFormatPropertiesNV::format) == 0;
  }
  // Sizes of which none is supported are unknown.
  static bool IsNone(VkOpticalFlowGridSizeFlagsNV size, VkOpticalFlowGridSizeFlagsNV supported) {
    return supported != 0 && (!std::has_single_bit(size) || (size & supported) == 0);
  }
  const VkPhysicalDeviceOpticalFlowPropertiesNV* properties() const {
    return device.physical_device->Find<VkPhysicalDeviceOpticalFlowPropertiesNV>();
  }
};
using S = const SessionFacts&;
constexpr CreationRule<SessionFacts> kSessionRules[] = {
    {"imageFormat-07583", "imageFormat", "VK_OPTICAL_FLOW_USAGE_INPUT_BIT_NV",
     [](S s) { return s.Lacks(s.info.imageFormat, VK_OPTICAL_FLOW_USAGE_INPUT_BIT_NV); }},
    {"flowVectorFormat-07584", "flowVectorFormat", "VK_OPTICAL_FLOW_USAGE_OUTPUT_BIT_NV",
     [](S s) { return s.Lacks(s.info.flowVectorFormat, VK_OPTICAL_FLOW_USAGE_OUTPUT_BIT_NV); }},
    {"costFormat-07585", "costFormat", "VK_OPTICAL_FLOW_USAGE_COST_BIT_NV",
     [](S s) {
       return s.Has(VK_OPTICAL_FLOW_SESSION_CREATE_ENABLE_COST_BIT_NV) &&
              s.Lacks(s.info.costFormat, VK_OPTICAL_FLOW_USAGE_COST_BIT_NV);
     }},
    {"outputGridSize-07586", "outputGridSize", "VkPhysicalDeviceOpticalFlowPropertiesNV.supportedOutputGridSizes",
     [](S s) {
       return s.properties() != nullptr && s.IsNone(s.info.outputGridSize, s.properties()->supportedOutputGridSizes);
     }},
    {"hintGridSize-07587", "hintGridSize", "VkPhysicalDeviceOpticalFlowPropertiesNV.supportedHintGridSizes",
     [](S s) {
       return s.Has(VK_OPTICAL_FLOW_SESSION_CREATE_ENABLE_HINT_BIT_NV) && s.properties() != nullptr &&
              s.IsNone(s.info.hintGridSize, s.properties()->supportedHintGridSizes);
     }},
    {"flags-07591", "flags", "VkPhysicalDeviceOpticalFlowPropertiesNV.maxNumRegionsOfInterest",
     [](S s) {
       return s.Has(VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV) && s.properties() != nullptr &&
              s.properties()->supportedOutputGridSizes != 0 && s.properties()->maxNumRegionsOfInterest == 0;
     }},
};

// Whether the byte is certainly in no buffer that has memory.
bool IsNowhere(const state::DeviceState& state, VkDeviceAddress address) {
  const auto buffers = state.buffer_addresses().Find(address);
  if (buffers.empty()) return state.buffer_addresses().KnowsAll() && state.structure_addresses().Find(address).empty();
  return std::ranges::none_of(buffers, [](const auto& buffer) { return buffer->memory || buffer->is_sparse(); });
}

}  // namespace

void AddEngineIds(std::vector<vk::VuidIndex>& ids) { AddIds(kSessionRules, ids); }

void EngineRules::PreCallValidate(const vk::CreateOpticalFlowSessionNV& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck(state_.device(), messages::Object(call.device), "VkOpticalFlowSessionCreateInfoNV", call.pCreateInfo,
                where, report)
      .Run(kSessionRules, {state_.device(), *call.pCreateInfo});
}

void EngineRules::PostCallRecord(const vk::CreateOpticalFlowSessionNV& call, VkResult result) {
  if (result == VK_SUCCESS) sessions_.Set(*call.pSession, call.pCreateInfo->flags);
}

void EngineRules::PreCallValidate(const vk::CmdOpticalFlowExecuteNV& call, Report& report) const {
  const auto flags = sessions_.Find(call.session);
  if (!flags.has_value() || call.pExecuteInfo == nullptr || call.pExecuteInfo->regionCount == 0) return;
  if ((*flags & VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV) != 0) return;
  report.Error(Vuid("VUID-VkOpticalFlowExecuteInfoNV-regionCount-07593"),
               {messages::Object(call.commandBuffer), messages::Object(call.session)},
               report.location().Dot("pExecuteInfo").Dot("regionCount"),
               absl::StrCat("(", call.pExecuteInfo->regionCount,
                            ") is not 0, but the session was created without "
                            "VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV."));
}

void EngineRules::PreCallValidate(const vk::CmdDecompressMemoryNV& call, Report& report) const {
  const auto regions = state::Items(call.pDecompressMemoryRegions, call.decompressRegionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const VkDecompressMemoryRegionNV& region = regions[i];
    const auto error = [&](vk::VuidIndex id, std::string_view member, VkDeviceAddress address, std::string_view text) {
      report.Error(id, {messages::Object(call.commandBuffer)},
                   report.location().Dot("pDecompressMemoryRegions", i).Dot(member),
                   absl::StrCat("(0x", absl::Hex(address), ") ", text));
    };
    const auto check = [&](vk::VuidIndex id, std::string_view member, VkDeviceAddress address, VkDeviceSize size) {
      if (size != 0 && (IsNowhere(state_, address) || IsNowhere(state_, address + size - 1)))
        error(id, member, address, "begins a range that is not in memory.");
    };
    check(Vuid("VUID-VkDecompressMemoryRegionNV-srcAddress-07686"), "srcAddress", region.srcAddress,
          region.compressedSize);
    check(Vuid("VUID-VkDecompressMemoryRegionNV-dstAddress-07688"), "dstAddress", region.dstAddress,
          region.decompressedSize);
    if (region.srcAddress < region.dstAddress + region.decompressedSize &&
        region.dstAddress < region.srcAddress + region.compressedSize)
      error(Vuid("VUID-VkDecompressMemoryRegionNV-srcAddress-07691"), "srcAddress", region.srcAddress,
            "begins a range that overlaps with that of dstAddress.");
  }
}

void EngineRules::PreCallValidate(const vk::CmdDecompressMemoryIndirectCountNV& call, Report& report) const {
  const auto error = [&](vk::VuidIndex id, std::string_view parameter, const std::string& text) {
    report.Error(id, {messages::Object(call.commandBuffer)}, report.location().Dot(parameter), text);
  };
  if (call.indirectCommandsAddress % 4 != 0)
    error(Vuid("VUID-vkCmdDecompressMemoryIndirectCountNV-offset-07695"), "indirectCommandsAddress",
          absl::StrCat("(0x", absl::Hex(call.indirectCommandsAddress), ") is not a multiple of 4."));
  if (call.stride % 4 != 0 || call.stride < sizeof(VkDecompressMemoryRegionNV))
    error(Vuid("VUID-vkCmdDecompressMemoryIndirectCountNV-stride-07700"), "stride",
          absl::StrCat("(", call.stride, ") is not a multiple of 4 of at least ", sizeof(VkDecompressMemoryRegionNV),
                       "."));
}

}  // namespace assay::core
