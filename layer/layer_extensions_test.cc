// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The extensions that the layer implements, over a driver that has none of them.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::layer {
namespace {

class LayerExtensionsTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    driver().config().disabled_extensions.insert(
        {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, VK_EXT_VALIDATION_CACHE_EXTENSION_NAME});
    driver().Observe<vk::CreateDevice>([this](const vk::CreateDevice& call) {
      for (uint32_t i = 0; i < call.pCreateInfo->enabledExtensionCount; ++i) {
        enabled_below_.push_back(call.pCreateInfo->ppEnabledExtensionNames[i]);
      }
    });
    test::DeviceOptions options;
    options.device_extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, VK_EXT_VALIDATION_CACHE_EXTENSION_NAME};
    return options;
  }

  VkValidationCacheEXT MakeCache(const std::vector<char>& data) {
    const VkValidationCacheCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT,
                                                 .initialDataSize = data.size(),
                                                 .pInitialData = data.data()};
    VkValidationCacheEXT cache = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateValidationCacheEXT(device, &info, nullptr, &cache), VK_SUCCESS);
    return cache;
  }

  std::vector<char> Data(VkValidationCacheEXT cache) {
    size_t size = 0;
    EXPECT_EQ(vk.GetValidationCacheDataEXT(device, cache, &size, nullptr), VK_SUCCESS);
    std::vector<char> data(size);
    EXPECT_EQ(vk.GetValidationCacheDataEXT(device, cache, &size, data.data()), VK_SUCCESS);
    return data;
  }

  std::vector<std::string> enabled_below_;
};

TEST_F(LayerExtensionsTest, AreNotEnabledInTheDriver) {
  for (const std::string& name : enabled_below_) {
    EXPECT_NE(name, VK_EXT_DEBUG_MARKER_EXTENSION_NAME);
    EXPECT_NE(name, VK_EXT_VALIDATION_CACHE_EXTENSION_NAME);
  }
}

// The parameters are checked, though the driver does not get the call.
TEST_F(LayerExtensionsTest, AreEnumeratedWithValidParameters) {
  const char* const name = "VK_LAYER_ASSAY_validation";
  uint32_t count = 0;
  EXPECT_EQ(vk.EnumerateDeviceExtensionProperties(physical_device, name, &count, nullptr), VK_SUCCESS);
  EXPECT_NE(count, 0u);
  EXPECT_EQ(vk.EnumerateDeviceExtensionProperties(physical_device, name, nullptr, nullptr),
            VK_ERROR_INITIALIZATION_FAILED);
  ExpectMessage("VUID-vkEnumerateDeviceExtensionProperties-pPropertyCount-parameter");
}

TEST_F(LayerExtensionsTest, DebugMarkersAreTheLayers) {
  test::Buffer a = MakeBuffer(1024), b = MakeBuffer(1024), c = MakeBuffer(1024);
  VkDebugMarkerObjectNameInfoEXT name = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
                                         .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT,
                                         .object = reinterpret_cast<uint64_t>(b.handle),
                                         .pObjectName = "particles"};
  EXPECT_EQ(vk.DebugMarkerSetObjectNameEXT(device, &name), VK_SUCCESS);
  const VkBufferCopy region = {0, 0, 1024};
  Record([&](VkCommandBuffer commands) {
    VkDebugMarkerMarkerInfoEXT marker = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT,
                                         .pMarkerName = "upload"};
    vk.CmdDebugMarkerBeginEXT(commands, &marker);
    vk.CmdDebugMarkerInsertEXT(commands, &marker);
    vk.CmdCopyBuffer(commands, a, b, 1, &region);
    vk.CmdCopyBuffer(commands, b, c, 1, &region);
    vk.CmdDebugMarkerEndEXT(commands);
  });
  const test::Message message = ExpectMessage("SYNC-HAZARD-READ-AFTER-WRITE");
  EXPECT_NE(message.text.find("particles"), std::string::npos);
}

TEST_F(LayerExtensionsTest, ValidationCacheReturnsItsInitialData) {
  VkValidationCacheEXT empty = MakeCache({});
  std::vector<char> data = Data(empty);
  ASSERT_EQ(data.size(), 24u);
  uint32_t header[2];
  std::memcpy(header, data.data(), sizeof(header));
  EXPECT_EQ(header[0], 24u);
  EXPECT_EQ(header[1], static_cast<uint32_t>(VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT));
  const std::vector<char> only_header = data;

  const auto with = [&only_header](std::vector<uint64_t> hashes) {
    std::vector<char> result = only_header;
    const char* bytes = reinterpret_cast<const char*>(hashes.data());
    result.insert(result.end(), bytes, bytes + hashes.size() * sizeof(uint64_t));
    return result;
  };
  VkValidationCacheEXT first = MakeCache(with({7, 3})), second = MakeCache(with({5, 3}));
  EXPECT_EQ(Data(first), with({3, 7}));
  const VkValidationCacheEXT sources[] = {first, second};
  EXPECT_EQ(vk.MergeValidationCachesEXT(device, empty, 2, sources), VK_SUCCESS);
  EXPECT_EQ(Data(empty), with({3, 5, 7}));

  // A buffer that is too small gets the hashes that fit.
  std::vector<char> part(24 + 8 + 7);
  size_t size = part.size();
  EXPECT_EQ(vk.GetValidationCacheDataEXT(device, empty, &size, part.data()), VK_INCOMPLETE);
  EXPECT_EQ(size, 32u);
  part.resize(size);
  EXPECT_EQ(part, with({3}));
  size = 10;
  EXPECT_EQ(vk.GetValidationCacheDataEXT(device, empty, &size, part.data()), VK_INCOMPLETE);
  EXPECT_EQ(size, 0u);

  // Data of another version is ignored.
  std::vector<char> other = with({1});
  other[10] ^= 1;
  VkValidationCacheEXT foreign = MakeCache(other);
  EXPECT_EQ(Data(foreign), only_header);
  for (VkValidationCacheEXT cache : {empty, first, second, foreign})
    vk.DestroyValidationCacheEXT(device, cache, nullptr);
  vk.DestroyValidationCacheEXT(device, VK_NULL_HANDLE, nullptr);
}

TEST_F(LayerExtensionsTest, ToolPropertiesHaveTheLayerLast) {
  uint32_t count = 0;
  EXPECT_EQ(vk.GetPhysicalDeviceToolProperties(physical_device, &count, nullptr), VK_SUCCESS);
  ASSERT_GE(count, 1u);
  std::vector<VkPhysicalDeviceToolProperties> tools(count,
                                                    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES});
  EXPECT_EQ(vk.GetPhysicalDeviceToolProperties(physical_device, &count, tools.data()), VK_SUCCESS);
  EXPECT_STREQ(tools.back().name, "Assay");
  EXPECT_STREQ(tools.back().layer, "VK_LAYER_ASSAY_validation");
  EXPECT_NE(tools.back().purposes & VK_TOOL_PURPOSE_VALIDATION_BIT, 0u);
  count -= 1;
  EXPECT_EQ(vk.GetPhysicalDeviceToolProperties(physical_device, &count, tools.data()), VK_INCOMPLETE);
}

}  // namespace
}  // namespace assay::layer
