// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Negotiation with the loader, and the creation and destruction of instances and devices.

#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "dispatch/dispatch.h"
#include "dispatch/testing/layer_without_validators.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/command_info.h"

namespace assay::dispatch {
namespace {

using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStdout;
using vk::DispatchLevel;

TEST(NegotiateTest, RefusesAnUnsupportedInterface) {
  EXPECT_EQ(NegotiateLoaderLayerInterfaceVersion(nullptr), VK_ERROR_INITIALIZATION_FAILED);
  VkNegotiateLayerInterface negotiation = {};
  negotiation.loaderLayerInterfaceVersion = 2;
  EXPECT_EQ(NegotiateLoaderLayerInterfaceVersion(&negotiation), VK_ERROR_INITIALIZATION_FAILED);
  negotiation.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT;
  negotiation.loaderLayerInterfaceVersion = 1;
  EXPECT_EQ(NegotiateLoaderLayerInterfaceVersion(&negotiation), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(negotiation.pfnGetInstanceProcAddr, nullptr);
}

TEST(NegotiateTest, LowersTheVersionToTheSupportedOne) {
  for (uint32_t version : {2u, 3u, 99u}) {
    VkNegotiateLayerInterface negotiation = {LAYER_NEGOTIATE_INTERFACE_STRUCT};
    negotiation.loaderLayerInterfaceVersion = version;
    EXPECT_EQ(NegotiateLoaderLayerInterfaceVersion(&negotiation), VK_SUCCESS);
    EXPECT_EQ(negotiation.loaderLayerInterfaceVersion, 2u);
    EXPECT_NE(negotiation.pfnGetInstanceProcAddr, nullptr);
    EXPECT_NE(negotiation.pfnGetDeviceProcAddr, nullptr);
    EXPECT_NE(negotiation.pfnGetPhysicalDeviceProcAddr, nullptr);
  }
}

size_t CountMessages(const std::string& log) {
  size_t count = 0;
  for (size_t at = log.find("Error: ["); at != std::string::npos; at = log.find("Error: [", at + 1)) ++count;
  return count;
}

// A loader whose next layer is the driver. It records the names that the layer asks for.
struct WatchedLoader {
  static inline std::set<std::string> of_instance, of_device, missing;
  static inline std::map<std::string, PFN_vkVoidFunction> replaced;

  static const test::InProcessLoader& Driver() {
    static const test::InProcessLoader driver(nullptr);
    return driver;
  }
  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL Instance(VkInstance instance, const char* name) {
    of_instance.insert(name);
    return missing.contains(name) ? nullptr : Driver().InstanceFunction(instance, name);
  }
  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL Device(VkDevice device, const char* name) {
    of_device.insert(name);
    if (const auto found = replaced.find(name); found != replaced.end()) return found->second;
    return missing.contains(name) ? nullptr : Driver().InstanceFunction(reinterpret_cast<VkInstance>(device), name);
  }

  VkResult CreateInstance(const void* next, VkInstance* instance) const {
    VkLayerInstanceLink link = {nullptr, &Instance, nullptr};
    VkLayerInstanceCreateInfo chain = {VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, next, VK_LAYER_LINK_INFO, {}};
    chain.u.pLayerInfo = &link;
    const VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &chain};
    return Create(&info, instance);
  }
  static VkResult Create(const VkInstanceCreateInfo* info, VkInstance* instance) {
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(
        test::LoaderUnderTest().InstanceFunction(VK_NULL_HANDLE, "vkCreateInstance"));
    return create(info, nullptr, instance);
  }
  VkResult CreateDevice(const test::Functions& functions, VkPhysicalDevice physical_device, VkDevice* device) const {
    VkLayerDeviceLink link = {nullptr, &Instance, &Device};
    VkLayerDeviceCreateInfo chain = {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, nullptr, VK_LAYER_LINK_INFO, {}};
    chain.u.pLayerInfo = &link;
    const VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &chain};
    return functions.CreateDevice(physical_device, &info, nullptr, device);
  }
};

class CreateDestroyTest : public ::testing::Test {
 protected:
  void SetUp() override { test::MockDriver::Get().Reset(); }
  void TearDown() override {
    SetTestValidators({});
    EXPECT_EQ(test::MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_INSTANCE), 0u);
    EXPECT_EQ(test::MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_DEVICE), 0u);
    EXPECT_EQ(HandleTable::Get().FindAnyOfType(VK_OBJECT_TYPE_INSTANCE), nullptr);
    EXPECT_EQ(HandleTable::Get().FindAnyOfType(VK_OBJECT_TYPE_DEVICE), nullptr);
    WatchedLoader::missing.clear();
    WatchedLoader::replaced.clear();
  }
  void CreateInstance() {
    ASSERT_EQ(loader_.CreateInstance(nullptr, &instance_), VK_SUCCESS);
    functions_ = test::LoaderUnderTest().InstanceFunctions(instance_);
    uint32_t count = 1;
    ASSERT_EQ(functions_.EnumeratePhysicalDevices(instance_, &count, &physical_device_), VK_SUCCESS);
  }

  WatchedLoader loader_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  test::Functions functions_;
};

TEST_F(CreateDestroyTest, RefusesANullCreateInfo) {
  VkInstance instance = VK_NULL_HANDLE;
  CaptureStdout();
  EXPECT_EQ(WatchedLoader::Create(nullptr, &instance), VK_ERROR_INITIALIZATION_FAILED);
  const std::string log = GetCapturedStdout();
  EXPECT_EQ(CountMessages(log), 1u) << log;
  EXPECT_NE(log.find("VUID-vkCreateInstance-pCreateInfo-parameter"), std::string::npos) << log;
}

TEST_F(CreateDestroyTest, RefusesToBeCalledWithoutALoader) {
  const VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance instance = VK_NULL_HANDLE;
  CaptureStdout();
  EXPECT_EQ(WatchedLoader::Create(&info, &instance), VK_ERROR_INITIALIZATION_FAILED);
  std::string log = GetCapturedStdout();
  EXPECT_EQ(CountMessages(log), 1u) << log;
  EXPECT_NE(log.find("ASSAY-no-loader"), std::string::npos) << log;
  CaptureStdout();
  EXPECT_EQ(WatchedLoader::Create(&info, nullptr), VK_ERROR_INITIALIZATION_FAILED);
  log = GetCapturedStdout();
  EXPECT_EQ(CountMessages(log), 1u) << log;
}

// The loader has a limited number of trampolines. It makes one for each name that an instance is asked for and that it
// does not know.
TEST_F(CreateDestroyTest, AsksEachLevelForItsOwnCommands) {
  WatchedLoader::of_instance.clear();
  WatchedLoader::of_device.clear();
  CreateInstance();
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(loader_.CreateDevice(functions_, physical_device_, &device), VK_SUCCESS);
  functions_.DestroyDevice(device, nullptr);
  functions_.DestroyInstance(instance_, nullptr);
  // The names that this test asked for came through the layer.
  WatchedLoader::of_instance.clear();
  ASSERT_EQ(loader_.CreateInstance(nullptr, &instance_), VK_SUCCESS);
  for (const std::string& name : WatchedLoader::of_instance) {
    EXPECT_LT(vk::GetCommandInfo(*vk::FindCommand(name)).dispatch, DispatchLevel::kDevice) << name;
  }
  for (const std::string& name : WatchedLoader::of_device) {
    EXPECT_GE(vk::GetCommandInfo(*vk::FindCommand(name)).dispatch, DispatchLevel::kDevice) << name;
  }
  EXPECT_TRUE(WatchedLoader::of_instance.contains("vkGetPhysicalDeviceFeatures2"));
  EXPECT_TRUE(WatchedLoader::of_device.contains("vkCmdPipelineBarrier2"));
  functions_.DestroyInstance(instance_, nullptr);
}

// A driver of Vulkan 1.2 has only the extension's name of a command that was promoted later.
TEST_F(CreateDestroyTest, CallsTheAliasThatTheDriverHas) {
  WatchedLoader::missing = {"vkCmdPipelineBarrier2", "vkGetPhysicalDeviceFeatures2"};
  CreateInstance();
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(loader_.CreateDevice(functions_, physical_device_, &device), VK_SUCCESS);
  const Slot* slot = DispatchableTable::Get().Find(device);
  ASSERT_NE(slot, nullptr);
  EXPECT_NE(Next<vk::CmdPipelineBarrier2>(slot->device->next), nullptr);
  EXPECT_NE(Next<vk::GetPhysicalDeviceFeatures2>(slot->instance->next), nullptr);
  EXPECT_EQ(test::LoaderUnderTest().DeviceFunction(device, "vkCmdPipelineBarrier2"), nullptr);
  EXPECT_NE(test::LoaderUnderTest().DeviceFunction(device, "vkCmdPipelineBarrier2KHR"), nullptr);
  functions_.DestroyDevice(device, nullptr);
  functions_.DestroyInstance(instance_, nullptr);
}

// An application of Vulkan 1.0 calls the extension's name, and a layer below may know that name alone.
TEST_F(CreateDestroyTest, CallsTheAliasWhereTheVersionDoesNotHaveTheCommand) {
  static constexpr auto kBelow = +[](VkCommandBuffer, const VkDependencyInfo*) {};
  WatchedLoader::replaced = {{"vkCmdPipelineBarrier2KHR", reinterpret_cast<PFN_vkVoidFunction>(kBelow)},
                             {"vkCmdBeginRenderPass2KHR", nullptr}};
  CreateInstance();
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(loader_.CreateDevice(functions_, physical_device_, &device), VK_SUCCESS);
  const Slot* slot = DispatchableTable::Get().Find(device);
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(slot->device->api_version, VK_API_VERSION_1_0);
  EXPECT_EQ(reinterpret_cast<PFN_vkVoidFunction>(Next<vk::CmdPipelineBarrier2>(slot->device->next)),
            reinterpret_cast<PFN_vkVoidFunction>(kBelow));
  // The core name stands in for a missing alias.
  EXPECT_NE(Next<vk::CmdBeginRenderPass2>(slot->device->next), nullptr);
  functions_.DestroyDevice(device, nullptr);
  functions_.DestroyInstance(instance_, nullptr);
}

TEST_F(CreateDestroyTest, UnregistersTheDevicesOfADestroyedInstance) {
  CreateInstance();
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(loader_.CreateDevice(functions_, physical_device_, &device), VK_SUCCESS);
  functions_.DestroyInstance(instance_, nullptr);
  CaptureStdout();
  functions_.DestroyDevice(device, nullptr);
  const std::string log = GetCapturedStdout();
  EXPECT_EQ(CountMessages(log), 1u) << log;
  EXPECT_NE(log.find("VUID-vkDestroyDevice-device-parameter"), std::string::npos) << log;
  WatchedLoader::Driver().InstanceFunctions(VK_NULL_HANDLE).DestroyDevice(device, nullptr);
}

TEST_F(CreateDestroyTest, UndoesADeviceWhoseValidatorsCannotBeMade) {
  CreateInstance();
  SetTestValidators([](Device&, HookBuilder&) { throw std::runtime_error("no"); });
  VkDevice device = VK_NULL_HANDLE;
  EXPECT_EQ(loader_.CreateDevice(functions_, physical_device_, &device), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(test::MockDriver::Get().LiveObjects(VK_OBJECT_TYPE_DEVICE), 0u);
  SetTestValidators({});
  EXPECT_EQ(loader_.CreateDevice(functions_, physical_device_, &device), VK_SUCCESS);
  functions_.DestroyDevice(device, nullptr);
  functions_.DestroyInstance(instance_, nullptr);
}

TEST_F(CreateDestroyTest, RefusesADeviceWithoutALoader) {
  CreateInstance();
  const VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  VkDevice device = VK_NULL_HANDLE;
  EXPECT_EQ(functions_.CreateDevice(physical_device_, &info, nullptr, &device), VK_ERROR_INITIALIZATION_FAILED);
  functions_.DestroyInstance(instance_, nullptr);
}

}  // namespace
}  // namespace assay::dispatch
