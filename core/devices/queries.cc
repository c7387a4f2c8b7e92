// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What physical devices are asked for, and messages that the application submits.

#include <algorithm>
#include <bit>
#include <span>

#include "absl/strings/str_cat.h"
#include "core/devices/device_ids.h"
#include "core/devices/instance_rules.h"
#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "vk/chain.h"
#include "vk/enum_to_string.h"
#include "vk/struct_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::Vuid;

struct ImageFacts {
  static constexpr std::string_view kOwner = "VkPhysicalDeviceImageFormatInfo2";

  const dispatch::PhysicalDevice& device;
  const VkPhysicalDeviceImageFormatInfo2& info;
  // What is asked for, without its members.
  const void* properties;

  bool HasModifiers() const { return info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT; }
  const VkPhysicalDeviceImageDrmFormatModifierInfoEXT* modifier() const {
    return vk::FindInChain<VkPhysicalDeviceImageDrmFormatModifierInfoEXT>(info.pNext);
  }
  template <class T>
  bool AsksFor() const {
    return vk::FindInChain<T>(properties) != nullptr;
  }
};
using I = const ImageFacts&;
constexpr char kFamilies[] = "VkPhysicalDeviceImageDrmFormatModifierInfoEXT.pQueueFamilyIndices";
constexpr CreationRule<ImageFacts> kImageRules[] = {
    {"tiling-02249", "tiling", "whether there is a VkPhysicalDeviceImageDrmFormatModifierInfoEXT",
     [](I i) { return i.HasModifiers() != (i.modifier() != nullptr); }},
    {"tiling-02313", "flags", "a VkImageFormatListCreateInfo without formats, or none",
     [](I i) {
       const auto* const list = vk::FindInChain<VkImageFormatListCreateInfo>(i.info.pNext);
       return i.HasModifiers() && (i.info.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0 &&
              (list == nullptr || list->viewFormatCount == 0);
     }},
    {"VkPhysicalDeviceImageDrmFormatModifierInfoEXT-sharingMode-02314", kFamilies, "sharingMode",
     [](I i) { return i.modifier() != nullptr && LacksFamilies(*i.modifier()); }},
    {"VkPhysicalDeviceImageDrmFormatModifierInfoEXT-sharingMode-02315",
     "VkPhysicalDeviceImageDrmFormatModifierInfoEXT.queueFamilyIndexCount", "sharingMode",
     [](I i) {
       return i.modifier() != nullptr && i.modifier()->sharingMode == VK_SHARING_MODE_CONCURRENT &&
              i.modifier()->queueFamilyIndexCount < 2;
     }},
    {"VkPhysicalDeviceImageDrmFormatModifierInfoEXT-sharingMode-02316", kFamilies, "itself, or the device's families",
     [](I i) { return i.modifier() != nullptr && HasWrongFamily(i.device, *i.modifier()); }},
    {vk::Vuid("VUID-vkGetPhysicalDeviceImageFormatProperties2-pNext-09004"), "usage",
     "VkHostImageCopyDevicePerformanceQuery without VK_IMAGE_USAGE_HOST_TRANSFER_BIT",
     [](I i) {
       return i.AsksFor<VkHostImageCopyDevicePerformanceQuery>() &&
              (i.info.usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT) == 0;
     }},
    {vk::Vuid("VUID-vkGetPhysicalDeviceImageFormatProperties2-pNext-01868"),
     "VkPhysicalDeviceExternalImageFormatInfo.handleType", "VkAndroidHardwareBufferUsageANDROID",
     [](I i) {
       const auto* const external = vk::FindInChain<VkPhysicalDeviceExternalImageFormatInfo>(i.info.pNext);
       return i.AsksFor<VkAndroidHardwareBufferUsageANDROID>() &&
              (external == nullptr ||
               external->handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID);
     }},
};

// What the driver supports for other images of these kinds. 0 is unknown.
void CheckSparseSamples(const dispatch::Instance& instance, VkPhysicalDevice device,
                        const VkPhysicalDeviceSparseImageFormatInfo2& info, vk::VuidIndex id, const Location& where,
                        Report& report) {
  VkImageFormatProperties properties = {};
  const auto get = dispatch::Next<vk::GetPhysicalDeviceImageFormatProperties>(instance.next);
  if (get(device, info.format, info.type, info.tiling, info.usage, 0, &properties) != VK_SUCCESS) return;
  if (properties.sampleCounts == 0 || (properties.sampleCounts & info.samples) != 0) return;
  report.Error(id, {messages::Object(device)}, where.Dot("samples"),
               absl::StrCat("(", vk::ToString(info.samples), ") is none of the sample counts of such images (",
                            vk::FlagsToString(vk::EnumId::kSampleCountFlagBits, properties.sampleCounts), ")."));
}

}  // namespace

void AddPhysicalDeviceQueryIds(std::vector<vk::VuidIndex>& ids) { AddIds(kImageRules, ids); }

void InstanceRules::PreCallValidate(const vk::GetPhysicalDeviceProperties2& call, Report& report) const {
  if (call.pProperties == nullptr) return;
  const auto* const list = vk::FindInChain<VkPhysicalDeviceLayeredApiPropertiesListKHR>(call.pProperties->pNext);
  for (uint32_t i = 0; list != nullptr && list->pLayeredApis != nullptr && i < list->layeredApiCount; ++i) {
    const auto* const of_vulkan =
        vk::FindInChain<VkPhysicalDeviceLayeredApiVulkanPropertiesKHR>(list->pLayeredApis[i].pNext);
    if (of_vulkan == nullptr) continue;
    auto* link = static_cast<const VkBaseInStructure*>(of_vulkan->properties.pNext);
    for (; link != nullptr; link = link->pNext) {
      if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES ||
          link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
        continue;
      report.Error(
          Vuid("VUID-VkPhysicalDeviceLayeredApiVulkanPropertiesKHR-pNext-10011"),
          {messages::Object(call.physicalDevice)},
          report.location().Dot("pProperties").Next("VkPhysicalDeviceLayeredApiVulkanPropertiesKHR", "properties"),
          absl::StrCat("has a chain with ", vk::ToString(link->sType), "."));
    }
  }
}

void InstanceRules::PreCallValidate(const vk::GetPhysicalDeviceImageFormatProperties& call, Report& report) const {
  if (call.tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT) return;
  report.Error(Vuid("VUID-vkGetPhysicalDeviceImageFormatProperties-tiling-02248"),
               {messages::Object(call.physicalDevice)}, report.location().Dot("tiling"),
               "is VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT.", "Use vkGetPhysicalDeviceImageFormatProperties2().");
}

void InstanceRules::PreCallValidate(const vk::GetPhysicalDeviceImageFormatProperties2& call, Report& report) const {
  if (call.pImageFormatInfo == nullptr || call.pImageFormatProperties == nullptr) return;
  const ImageFacts facts = {instance_.GetPhysicalDevice(call.physicalDevice), *call.pImageFormatInfo,
                            call.pImageFormatProperties->pNext};
  const Location command = report.location();
  const Location where = command.Dot("pImageFormatInfo");
  CreationCheck(&facts.device, messages::Object(call.physicalDevice), "VkPhysicalDeviceImageFormatInfo2", &facts.info,
                where, report)
      .Run(kImageRules, facts);
}

void InstanceRules::PreCallValidate(const vk::GetPhysicalDeviceExternalImageFormatPropertiesNV& call,
                                    Report& report) const {
  if (std::popcount(call.externalHandleType) <= 1) return;
  report.Error(Vuid("VUID-vkGetPhysicalDeviceExternalImageFormatPropertiesNV-externalHandleType-07721"),
               {messages::Object(call.physicalDevice)}, report.location().Dot("externalHandleType"),
               "has more than one bit set.");
}

void InstanceRules::PreCallValidate(const vk::GetPhysicalDeviceExternalBufferProperties& call, Report& report) const {
  const VkPhysicalDeviceExternalBufferInfo* const info = call.pExternalBufferInfo;
  if (info == nullptr || info->usage != 0 || vk::FindInChain<VkBufferUsageFlags2CreateInfo>(info->pNext) != nullptr)
    return;
  report.Error(Vuid("VUID-VkPhysicalDeviceExternalBufferInfo-None-09500"), {messages::Object(call.physicalDevice)},
               report.location().Dot("pExternalBufferInfo").Dot("usage"), "is 0.");
}

void InstanceRules::PreCallValidate(const vk::GetPhysicalDeviceSparseImageFormatProperties& call,
                                    Report& report) const {
  CheckSparseSamples(instance_, call.physicalDevice,
                     {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SPARSE_IMAGE_FORMAT_INFO_2, nullptr, call.format, call.type,
                      call.samples, call.usage, call.tiling},
                     Vuid("VUID-vkGetPhysicalDeviceSparseImageFormatProperties-samples-01094"), report.location(),
                     report);
}

void InstanceRules::PreCallValidate(const vk::GetPhysicalDeviceSparseImageFormatProperties2& call,
                                    Report& report) const {
  if (call.pFormatInfo == nullptr) return;
  CheckSparseSamples(instance_, call.physicalDevice, *call.pFormatInfo,
                     Vuid("VUID-VkPhysicalDeviceSparseImageFormatInfo2-samples-01095"),
                     report.location().Dot("pFormatInfo"), report);
}

void InstanceRules::PreCallValidate(const vk::SubmitDebugUtilsMessageEXT& call, Report& report) const {
  const VkDebugUtilsMessengerCallbackDataEXT* const data = call.pCallbackData;
  for (uint32_t i = 0; vk::IsAddress(data) && vk::IsAddress(data->pObjects) && i < data->objectCount; ++i) {
    if (data->pObjects[i].objectType != VK_OBJECT_TYPE_UNKNOWN) continue;
    report.Error(Vuid("VUID-vkSubmitDebugUtilsMessageEXT-objectType-02591"), {messages::Object(call.instance)},
                 report.location().Dot("pCallbackData").Dot("pObjects", i).Dot("objectType"),
                 "is VK_OBJECT_TYPE_UNKNOWN.");
  }
}

}  // namespace assay::core
