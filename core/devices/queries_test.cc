// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What physical devices are asked for, and messages that the application submits.

#include <vector>

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

using test::Of, test::Typed;

// A query of images with what it returns.
struct Query {
  VkPhysicalDeviceImageFormatInfo2 info = Of<VkPhysicalDeviceImageFormatInfo2>(
      VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT);
  VkImageFormatProperties2 properties = Typed(VkImageFormatProperties2());
};

class QueryTest : public ResourceTest {
 protected:
  VkPhysicalDeviceImageDrmFormatModifierInfoEXT& SetModifier(Query& q) {
    q.info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    return Chain<VkPhysicalDeviceImageDrmFormatModifierInfoEXT>(q.info);
  }
  void Share(Query& q, uint32_t count, const uint32_t* families) {
    auto& modifier = SetModifier(q);
    modifier.sharingMode = VK_SHARING_MODE_CONCURRENT;
    modifier.queueFamilyIndexCount = count, modifier.pQueueFamilyIndices = families;
  }
};

TEST_F(QueryTest, ImageFormats) {
  CreateInstance();
  const auto ask = [&](Query q) {
    vk.GetPhysicalDeviceImageFormatProperties2(physical_device, &q.info, &q.properties);
  };
  static const uint32_t families[] = {0, 1, 0};
  using Q = Query;
  const std::vector<Case<Query>> infos = {
      {"tiling-02249", [](Q& q) { q.info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT; }},
      {"tiling-02249", [&](Q& q) { SetModifier(q), q.info.tiling = VK_IMAGE_TILING_LINEAR; }},
      {"tiling-02313", [&](Q& q) { SetModifier(q), q.info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT; }},
      {"", [&](Q& q) { SetModifier(q); }},
      {"VkPhysicalDeviceImageDrmFormatModifierInfoEXT-sharingMode-02314", [&](Q& q) { Share(q, 2, nullptr); }},
      {"VkPhysicalDeviceImageDrmFormatModifierInfoEXT-sharingMode-02315", [&](Q& q) { Share(q, 1, families); }},
      {"VkPhysicalDeviceImageDrmFormatModifierInfoEXT-sharingMode-02316", [&](Q& q) { Share(q, 3, families); }},
      {"", [&](Q& q) { Share(q, 2, families); }},
  };
  Run("VkPhysicalDeviceImageFormatInfo2", Query(), infos, ask);
  const auto usage = [&](Q& q) { Chain<VkAndroidHardwareBufferUsageANDROID>(q.properties); };
  const auto performance = [&](Q& q) { Chain<VkHostImageCopyDevicePerformanceQuery>(q.properties); };
  const std::vector<Case<Query>> calls = {
      {"pNext-01868", usage},
      {"",
       [&](Q& q) {
         usage(q);
         Chain<VkPhysicalDeviceExternalImageFormatInfo>(q.info).handleType =
             VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID;
       }},
      {"pNext-09004", performance},
      {"", [&](Q& q) { performance(q), q.info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT; }},
  };
  Run("vkGetPhysicalDeviceImageFormatProperties2", Query(), calls, ask);
}

TEST_F(QueryTest, OtherFormats) {
  CreateInstance({.instance_extensions = {VK_NV_EXTERNAL_MEMORY_CAPABILITIES_EXTENSION_NAME}});
  const auto expect = [&](const char* rule) { ExpectMessages({absl::StrCat("VUID-", rule)}); };
  constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
  constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_SAMPLED_BIT;
  constexpr auto k2D = VK_IMAGE_TYPE_2D;
  constexpr auto kTiling = VK_IMAGE_TILING_OPTIMAL;
  VkImageFormatProperties image = {};
  vk.GetPhysicalDeviceImageFormatProperties(physical_device, kFormat, k2D, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
                                            kUsage, 0, &image);
  expect("vkGetPhysicalDeviceImageFormatProperties-tiling-02248");
  VkExternalImageFormatPropertiesNV external = {};
  for (const VkFlags types : {1, 3}) {
    ExpectNothing();
    vk.GetPhysicalDeviceExternalImageFormatPropertiesNV(physical_device, kFormat, k2D, kTiling, kUsage, 0, types,
                                                        &external);
  }
  expect("vkGetPhysicalDeviceExternalImageFormatPropertiesNV-externalHandleType-07721");
  auto properties = Typed(VkExternalBufferProperties());
  for (const VkBufferUsageFlags usage : {VK_BUFFER_USAGE_TRANSFER_SRC_BIT, VkBufferUsageFlagBits{}}) {
    ExpectNothing();
    const auto buffer = Of<VkPhysicalDeviceExternalBufferInfo>(0, usage, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
    vk.GetPhysicalDeviceExternalBufferProperties(physical_device, &buffer, &properties);
  }
  expect("VkPhysicalDeviceExternalBufferInfo-None-09500");
  for (const auto samples : {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_64_BIT}) {
    ExpectNothing();
    uint32_t count = 0;
    vk.GetPhysicalDeviceSparseImageFormatProperties(physical_device, kFormat, k2D, samples, kUsage, kTiling, &count,
                                                    nullptr);
    if (samples != VK_SAMPLE_COUNT_1_BIT) expect("vkGetPhysicalDeviceSparseImageFormatProperties-samples-01094");
    const auto info = Of<VkPhysicalDeviceSparseImageFormatInfo2>(kFormat, k2D, samples, kUsage, kTiling);
    vk.GetPhysicalDeviceSparseImageFormatProperties2(physical_device, &info, &count, nullptr);
  }
  expect("VkPhysicalDeviceSparseImageFormatInfo2-samples-01095");
}

TEST_F(QueryTest, LayeredApis) {
  CreateInstance();
  auto properties = Typed(VkPhysicalDeviceProperties2());
  auto api = Typed(VkPhysicalDeviceLayeredApiPropertiesKHR());
  auto& list = Chain<VkPhysicalDeviceLayeredApiPropertiesListKHR>(properties);
  list.layeredApiCount = 1, list.pLayeredApis = &api;
  VkPhysicalDeviceProperties2& of_vulkan = Chain<VkPhysicalDeviceLayeredApiVulkanPropertiesKHR>(api).properties;
  of_vulkan.sType = properties.sType;
  auto& of_driver = Chain<VkPhysicalDeviceDriverProperties>(of_vulkan);
  vk.GetPhysicalDeviceProperties2(physical_device, &properties);
  ExpectNothing();
  Chain<VkPhysicalDeviceMultiviewProperties>(of_driver);
  list.layeredApiCount = 1;
  vk.GetPhysicalDeviceProperties2(physical_device, &properties);
  ExpectMessages({"VUID-VkPhysicalDeviceLayeredApiVulkanPropertiesKHR-pNext-10011"});
}

TEST_F(QueryTest, SubmittedMessages) {
  CreateInstance();
  auto object = Typed(VkDebugUtilsObjectNameInfoEXT{.objectHandle = 1});
  const auto data =
      Typed(VkDebugUtilsMessengerCallbackDataEXT{.pMessage = "text", .objectCount = 1, .pObjects = &object});
  const auto submit = [&] {
    vk.SubmitDebugUtilsMessageEXT(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                                  VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data);
  };
  submit();
  ExpectMessages({"VUID-vkSubmitDebugUtilsMessageEXT-objectType-02591"});
  object = Of<VkDebugUtilsObjectNameInfoEXT>(VK_OBJECT_TYPE_INSTANCE, reinterpret_cast<uint64_t>(instance), "name");
  submit();
}

}  // namespace
}  // namespace assay::core
