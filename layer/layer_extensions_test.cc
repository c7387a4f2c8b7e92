// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The extensions that the layer implements, over a driver that has none of them.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "absl/types/span.h"
#include "cache/cache.h"
#include "dispatch/extensions/validation_cache.h"
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

  VkValidationCacheEXT MakeCache(const std::vector<char>& data, const VkAllocationCallbacks* allocator = nullptr) {
    const VkValidationCacheCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT,
                                                 .initialDataSize = data.size(),
                                                 .pInitialData = data.data()};
    VkValidationCacheEXT cache = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateValidationCacheEXT(device, &info, allocator, &cache), VK_SUCCESS);
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

  cache::Uuid build;
  std::memcpy(build.data(), data.data() + 8, sizeof(build));
  const auto with = [&build](const std::vector<cache::Key>& keys) {
    std::vector<char> result(cache::KeyDataSize(keys.size()));
    cache::WriteKeyData(keys, build, absl::MakeSpan(reinterpret_cast<uint8_t*>(result.data()), result.size()));
    return result;
  };
  VkValidationCacheEXT first = MakeCache(with({{0, 3}, {1, 7}})), second = MakeCache(with({{0, 3}, {1, 5}}));
  EXPECT_EQ(Data(first), with({{0, 3}, {1, 7}}));
  const VkValidationCacheEXT sources[] = {first, second};
  EXPECT_EQ(vk.MergeValidationCachesEXT(device, empty, 2, sources), VK_SUCCESS);
  EXPECT_EQ(Data(empty), with({{0, 3}, {1, 5}, {1, 7}}));
  EXPECT_EQ(Data(empty), Data(empty));

  // A buffer that is too small gets the keys that fit.
  std::vector<char> part(24 + 16 + 2 * 16 + 15);
  size_t size = part.size();
  EXPECT_EQ(vk.GetValidationCacheDataEXT(device, empty, &size, part.data()), VK_INCOMPLETE);
  EXPECT_EQ(size, 72u);
  part.resize(size);
  EXPECT_EQ(part, with({{0, 3}, {1, 5}}));
  VkValidationCacheEXT partial = MakeCache(part);
  EXPECT_EQ(Data(partial), part);
  size = 10;
  EXPECT_EQ(vk.GetValidationCacheDataEXT(device, empty, &size, part.data()), VK_INCOMPLETE);
  EXPECT_EQ(size, 0u);

  // Data of another version is ignored.
  std::vector<char> other = with({{0, 1}});
  other[10] ^= 1;
  VkValidationCacheEXT foreign = MakeCache(other);
  EXPECT_EQ(Data(foreign), only_header);
  for (VkValidationCacheEXT cache : {empty, first, second, partial, foreign})
    vk.DestroyValidationCacheEXT(device, cache, nullptr);
  vk.DestroyValidationCacheEXT(device, VK_NULL_HANDLE, nullptr);
}

TEST_F(LayerExtensionsTest, ValidationCacheRefusesWhatWasNotRetrieved) {
  VkValidationCacheEXT empty = MakeCache({});
  const std::vector<char> header = Data(empty);
  std::vector<char> cut = header;
  cut.resize(cut.size() - 1);
  VkValidationCacheEXT first = MakeCache(cut);
  ExpectMessage("VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01535");
  std::vector<char> longer = header;
  longer.resize(longer.size() + 1);
  VkValidationCacheEXT second = MakeCache(longer);
  ExpectMessage("VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01534");
  EXPECT_EQ(Data(first), header);
  EXPECT_EQ(Data(second), header);
  const VkValidationCacheEXT sources[] = {first, second};
  EXPECT_EQ(vk.MergeValidationCachesEXT(device, second, 1, sources), VK_SUCCESS);
  ExpectNothing();
  vk.MergeValidationCachesEXT(device, second, 2, sources);
  ExpectMessage("VUID-vkMergeValidationCachesEXT-dstCache-01536");
  for (VkValidationCacheEXT cache : {empty, first, second}) vk.DestroyValidationCacheEXT(device, cache, nullptr);
}

TEST_F(LayerExtensionsTest, ValidationCacheIsDestroyedAsItWasCreated) {
  const VkAllocationCallbacks callbacks = {
      .pfnAllocation = [](void*, size_t bytes, size_t, VkSystemAllocationScope) { return std::malloc(bytes); },
      .pfnReallocation = [](void*, void* old, size_t bytes, size_t,
                            VkSystemAllocationScope) { return std::realloc(old, bytes); },
      .pfnFree = [](void*, void* memory) { std::free(memory); }};
  VkValidationCacheEXT cache = MakeCache({});
  vk.DestroyValidationCacheEXT(device, cache, &callbacks);
  ExpectMessage("VUID-vkDestroyValidationCacheEXT-validationCache-01538");
  cache = MakeCache({}, &callbacks);
  vk.DestroyValidationCacheEXT(device, cache, nullptr);
  ExpectMessage("VUID-vkDestroyValidationCacheEXT-validationCache-01537");
  vk.DestroyValidationCacheEXT(device, MakeCache({}, &callbacks), &callbacks);
}

// As vkCreateShaderModule gets it.
VkShaderModuleValidationCacheCreateInfoEXT ForModule(VkValidationCacheEXT cache) {
  return {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT, .validationCache = cache};
}

TEST_F(LayerExtensionsTest, ValidationCacheIsFoundBehindModules) {
  VkValidationCacheEXT cache = MakeCache({});
  const VkShaderModuleValidationCacheCreateInfoEXT info = ForModule(cache);
  cache::KeySet* const keys = dispatch::FindValidationCacheInChain(&info);
  ASSERT_NE(keys, nullptr);
  keys->Insert({1, 2});
  // The data takes the key to another cache.
  VkValidationCacheEXT copy = MakeCache(Data(cache));
  const VkShaderModuleValidationCacheCreateInfoEXT copied = ForModule(copy);
  EXPECT_TRUE(dispatch::FindValidationCacheInChain(&copied)->Contains({1, 2}));
  const VkShaderModuleValidationCacheCreateInfoEXT none = ForModule(VK_NULL_HANDLE);
  EXPECT_EQ(dispatch::FindValidationCacheInChain(&none), nullptr);
  EXPECT_EQ(dispatch::FindValidationCacheInChain(nullptr), nullptr);
  for (VkValidationCacheEXT each : {cache, copy}) vk.DestroyValidationCacheEXT(device, each, nullptr);
  EXPECT_EQ(dispatch::FindValidationCacheInChain(&info), nullptr);
}

// Two threads that create modules with one cache, merge it into caches of their own and retrieve it.
TEST_F(LayerExtensionsTest, ValidationCacheIsSharedByThreads) {
  constexpr uint64_t kKeys = 200;
  VkValidationCacheEXT shared = MakeCache({});
  std::vector<VkValidationCacheEXT> caches = {MakeCache({}), MakeCache({})};
  std::vector<std::thread> threads;
  threads.reserve(caches.size());
  for (uint64_t t = 0; t < caches.size(); ++t) {
    threads.emplace_back([this, shared, mine = caches[t], t] {
      const VkShaderModuleValidationCacheCreateInfoEXT info = ForModule(shared);
      for (uint64_t i = 0; i < kKeys; ++i) {
        dispatch::FindValidationCacheInChain(&info)->Insert({t, i});
        EXPECT_EQ(vk.MergeValidationCachesEXT(device, mine, 1, &shared), VK_SUCCESS);
        std::vector<char> data(cache::KeyDataSize(1));
        size_t size = data.size();
        EXPECT_GE(vk.GetValidationCacheDataEXT(device, shared, &size, data.data()), VK_SUCCESS);
        EXPECT_EQ(size, data.size());
      }
      const VkShaderModuleValidationCacheCreateInfoEXT own = ForModule(mine);
      EXPECT_TRUE(dispatch::FindValidationCacheInChain(&own)->Contains({t, kKeys - 1}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Data(shared).size(), cache::KeyDataSize(2 * kKeys));
  caches.push_back(shared);
  for (VkValidationCacheEXT each : caches) vk.DestroyValidationCacheEXT(device, each, nullptr);
}

TEST_F(LayerExtensionsTest, PipelineCacheIsNotMergedIntoItself) {
  VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache caches[2] = {};
  for (VkPipelineCache& each : caches) EXPECT_EQ(vk.CreatePipelineCache(device, &info, nullptr, &each), VK_SUCCESS);
  EXPECT_EQ(vk.MergePipelineCaches(device, caches[0], 1, &caches[1]), VK_SUCCESS);
  ExpectNothing();
  vk.MergePipelineCaches(device, caches[0], 2, caches);
  ExpectMessage("VUID-vkMergePipelineCaches-dstCache-00770");
  for (VkPipelineCache each : caches) vk.DestroyPipelineCache(device, each, nullptr);
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
