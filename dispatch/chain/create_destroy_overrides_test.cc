// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// How the layer gets into the chain and out of it, and what it makes of callers who do it wrongly.

#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

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

TEST(NegotiateTest, RefusesWhatItCannotServe) {
  EXPECT_EQ(NegotiateLoaderLayerInterfaceVersion(nullptr), VK_ERROR_INITIALIZATION_FAILED);
  VkNegotiateLayerInterface negotiation = {};
  negotiation.loaderLayerInterfaceVersion = 2;
  EXPECT_EQ(NegotiateLoaderLayerInterfaceVersion(&negotiation), VK_ERROR_INITIALIZATION_FAILED);
  negotiation.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT;
  negotiation.loaderLayerInterfaceVersion = 1;
  EXPECT_EQ(NegotiateLoaderLayerInterfaceVersion(&negotiation), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(negotiation.pfnGetInstanceProcAddr, nullptr);
}

TEST(NegotiateTest, LowersTheVersionToWhatItKnows) {
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

// A loader whose next layer is the driver, and that notes what the layer asks for.
struct WatchedLoader {
  static inline std::set<std::string> of_instance, of_device, missing;

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

TEST_F(CreateDestroyTest, RefusesACreateInfoThatIsNotThere) {
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

// The loader has a limited number of trampolines, of which it makes one for each name that an instance is asked for and
// it does not know.
TEST_F(CreateDestroyTest, AsksEachLevelForItsOwnCommands) {
  WatchedLoader::of_instance.clear();
  WatchedLoader::of_device.clear();
  CreateInstance();
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(loader_.CreateDevice(functions_, physical_device_, &device), VK_SUCCESS);
  functions_.DestroyDevice(device, nullptr);
  functions_.DestroyInstance(instance_, nullptr);
  // What this test asked for itself comes through the layer.
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

// A driver of Vulkan 1.2 has the extension's name alone.
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

// With a messenger, and all that a device has.
class InvalidCallTest : public test::ValidationTest {
 protected:
  void TearDown() override {
    SetTestValidators({});
    ValidationTest::TearDown();
  }
  test::Functions OfInstance() { return test::LoaderUnderTest().InstanceFunctions(instance); }
};

TEST_F(InvalidCallTest, ReportsAnUnknownObject) {
  const auto garbage = reinterpret_cast<VkCommandBuffer>(0x1230);
  OfInstance().CmdDraw(garbage, 3, 1, 0, 0);
  const test::Message message = ExpectMessage("VUID-vkCmdDraw-commandBuffer-parameter");
  EXPECT_NE(message.text.find("VkCommandBuffer 0x1230"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("valid VkCommandBuffer handle"), std::string::npos) << message.text;
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  VkBuffer buffer = VK_NULL_HANDLE;
  // Tombstones and null are no objects either.
  for (uintptr_t nonsense : {uintptr_t{0}, uintptr_t{1}, uintptr_t{0x1230}, ~uintptr_t{0}}) {
    EXPECT_EQ(vk.CreateBuffer(reinterpret_cast<VkDevice>(nonsense), &info, nullptr, &buffer),
              VK_ERROR_VALIDATION_FAILED_EXT);
    ExpectMessage("VUID-vkCreateBuffer-device-parameter");
  }
  EXPECT_EQ(vk.QueueSubmit(reinterpret_cast<VkQueue>(0x1230), 0, nullptr, VK_NULL_HANDLE),
            VK_ERROR_VALIDATION_FAILED_EXT);
  ExpectMessage("VUID-vkQueueSubmit-queue-parameter");
  vk.DestroyDevice(reinterpret_cast<VkDevice>(0x1230), nullptr);
  ExpectMessage("VUID-vkDestroyDevice-device-parameter");
  vk.DestroyInstance(reinterpret_cast<VkInstance>(0x1230), nullptr);
  ExpectMessage("VUID-vkDestroyInstance-instance-parameter");
  VkDevice other = VK_NULL_HANDLE;
  VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  EXPECT_LT(vk.CreateDevice(reinterpret_cast<VkPhysicalDevice>(0x1230), &device_info, nullptr, &other), 0);
  ExpectMessage("VUID-vkCreateDevice-physicalDevice-parameter");
  ExpectNothing();
  vk.DestroyDevice(VK_NULL_HANDLE, nullptr);
  vk.DestroyInstance(VK_NULL_HANDLE, nullptr);
}

TEST_F(InvalidCallTest, ReportsAnObjectOfAnotherType) {
  OfInstance().CmdDraw(reinterpret_cast<VkCommandBuffer>(Queue()), 3, 1, 0, 0);
  ExpectMessage("VUID-vkCmdDraw-commandBuffer-parameter");
}

TEST_F(InvalidCallTest, RefusesADeviceWithoutACreateInfo) {
  VkDevice other = VK_NULL_HANDLE;
  EXPECT_LT(vk.CreateDevice(physical_device, nullptr, nullptr, &other), 0);
  ExpectMessage("VUID-vkCreateDevice-pCreateInfo-parameter");
}

// Parameters that the chassis itself follows; what is wrong with them is for others to say, and for the driver to
// survive.
TEST_F(InvalidCallTest, SurvivesPointersThatAreNotThere) {
  driver().FailNext<vk::CreateBuffer>(VK_ERROR_UNKNOWN);
  driver().FailNext<vk::CreateGraphicsPipelines>(VK_ERROR_UNKNOWN);
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_UNKNOWN);
  driver().FailNext<vk::BeginCommandBuffer>(VK_ERROR_UNKNOWN);
  driver().FailNext<vk::CmdPipelineBarrier2>(VK_SUCCESS);
  driver().FailNext<vk::CmdPushDescriptorSetWithTemplate2>(VK_SUCCESS);
  driver().FailNext<vk::UpdateDescriptorSets>(VK_SUCCESS);
  driver().CheckHandles(false);
  const VkCommandBuffer commands = MakeCommandBuffer();
  EXPECT_EQ(vk.CreateBuffer(device, nullptr, nullptr, nullptr), VK_ERROR_UNKNOWN);
  EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, nullptr, nullptr, nullptr), VK_ERROR_UNKNOWN);
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, nullptr, nullptr, nullptr), VK_ERROR_UNKNOWN);
  EXPECT_EQ(vk.BeginCommandBuffer(commands, nullptr), VK_ERROR_UNKNOWN);
  vk.CmdPipelineBarrier2(commands, nullptr);
  vk.CmdPushDescriptorSetWithTemplate2(commands, nullptr);
  vk.UpdateDescriptorSets(device, 1, nullptr, 0, nullptr);
}

// A validator that runs out of memory, or worse.
struct ThrowingValidator {
  void PreCallRecord(const vk::CreateFence&) { throw std::bad_alloc(); }
  void PreCallValidate(const vk::CmdDraw&, messages::Report&) { throw 42; }
  void PostCallRecord(const vk::CreateSemaphore&, VkResult) { throw std::runtime_error("no"); }
  void PreCallRecord(const vk::GetDeviceQueue&) { throw std::runtime_error("no"); }
};

TEST_F(InvalidCallTest, LetsNoExceptionOut) {
  ThrowingValidator throwing;
  SetTestValidators([&](Device&, HookBuilder& builder) { builder.Attach(throwing); });
  Destroy();
  Create();
  VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &fence), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(fence, VK_NULL_HANDLE);
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateSemaphore(device, &semaphore_info, nullptr, &semaphore), VK_ERROR_OUT_OF_HOST_MEMORY);
  vk.CmdDraw(MakeCommandBuffer(), 3, 1, 0, 0);
  VkQueue queue = VK_NULL_HANDLE;
  vk.GetDeviceQueue(device, 0, 0, &queue);
  EXPECT_EQ(queue, VK_NULL_HANDLE);
  Destroy();
}

TEST_F(InvalidCallTest, ReportsAnUnknownSettingOnce) {
  Destroy();
  const VkBool32 value = VK_TRUE;
  CreateInstance({.other_settings = {
                      {"VK_LAYER_ASSAY_validation", "validate_sink", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value}}});
  const std::vector<test::Message> messages_ = messages.Take();
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_NE(messages_[0].text.find("validate_sink"), std::string::npos) << messages_[0].text;
  EXPECT_NE(messages_[0].text.find("validate_sync"), std::string::npos) << messages_[0].text;
}

}  // namespace
}  // namespace assay::dispatch
