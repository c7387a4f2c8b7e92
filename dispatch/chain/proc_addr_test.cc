// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/chain/proc_addr.h"

#include <string>
#include <string_view>
#include <utility>

#include "dispatch/dispatch.h"
#include "dispatch/testing/layer_without_validators.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/command_info.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;
using vk::DispatchLevel;

// A next layer that lacks some names.
std::string g_missing;
PFN_vkGetDeviceProcAddr g_next_device = nullptr;
PFN_vkGetInstanceProcAddr g_next_instance = nullptr;
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL DeviceWithout(VkDevice device, const char* name) {
  return name == g_missing ? nullptr : g_next_device(device, name);
}
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL InstanceWithout(VkInstance instance, const char* name) {
  return name == g_missing ? nullptr : g_next_instance(instance, name);
}

class ProcAddrTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    ValidationTest::SetUp();
    layer_device_ = DispatchableTable::Get().Find(device)->device;
    layer_instance_ = DispatchableTable::Get().Find(instance)->instance;
  }
  void TearDown() override {
    Without("");
    ValidationTest::TearDown();
  }
  static const test::InProcessLoader& loader() { return test::LoaderUnderTest(); }
  PFN_vkVoidFunction Get(const char* name) { return loader().DeviceFunction(device, name); }
  PFN_vkVoidFunction GetOfInstance(const char* name) { return loader().InstanceFunction(instance, name); }
  PFN_vkVoidFunction Drivers(const char* name) { return layer_device_->next_get_proc_addr(device, name); }

  void Without(const std::string& name) {
    g_missing = name;
    if (layer_device_->next_get_proc_addr != &DeviceWithout) {
      g_next_device = std::exchange(layer_device_->next_get_proc_addr, &DeviceWithout);
      g_next_instance = std::exchange(layer_instance_->next_get_proc_addr, &InstanceWithout);
    }
  }

  Device* layer_device_ = nullptr;
  Instance* layer_instance_ = nullptr;
};

TEST_F(ProcAddrTest, HasEveryCommandOfTheRegistry) {
  int device_commands = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& info = vk::GetCommandInfo(static_cast<CommandId>(i));
    const std::string name(info.name);
    EXPECT_NE(GetOfInstance(name.c_str()), nullptr) << name;
    if (info.dispatch < DispatchLevel::kDevice) continue;
    EXPECT_NE(Get(name.c_str()), nullptr) << name;
    ++device_commands;
  }
  EXPECT_GT(device_commands, 450);
  for (const vk::CommandAlias& alias : vk::CommandAliases()) {
    const std::string name(alias.name), aliased(vk::GetCommandInfo(alias.id).name);
    EXPECT_EQ(GetOfInstance(name.c_str()), GetOfInstance(aliased.c_str())) << name;
  }
}

TEST_F(ProcAddrTest, ReturnsTheDriversFunctionForCommandsThatAreNotIntercepted) {
  for (const char* name :
       {"vkCmdDraw", "vkCmdDispatch", "vkCmdSetViewport", "vkCmdPushDescriptorSet2", "vkQueueWaitIdle"}) {
    const auto id = vk::FindCommand(name);
    ASSERT_TRUE(id.has_value());
    const bool translated = std::string_view(name) == "vkCmdPushDescriptorSet2";
    EXPECT_EQ(Get(name) == Drivers(name), !translated) << name;
  }
  // Functions from an instance serve every device, so they are the layer's.
  EXPECT_NE(GetOfInstance("vkCmdDraw"), Drivers("vkCmdDraw"));
}

// The driver's function would take any handle for a device.
TEST_F(ProcAddrTest, InterceptsCommandsOfADeviceToCheckTheDevice) {
  for (const char* name : {"vkReleaseProfilingLockKHR", "vkUninitializePerformanceApiINTEL"}) {
    EXPECT_NE(Get(name), Drivers(name)) << name;
  }
  layer_instance_->settings.object_lifetime = false;
  for (const char* name : {"vkReleaseProfilingLockKHR", "vkUninitializePerformanceApiINTEL"}) {
    EXPECT_EQ(Get(name), Drivers(name)) << name;
  }
}

TEST_F(ProcAddrTest, ReturnsNullForUnknownNames) {
  EXPECT_EQ(Get("vkNoSuchCommand"), nullptr);
  EXPECT_EQ(GetOfInstance("vkNoSuchCommand"), nullptr);
  EXPECT_EQ(Get(""), nullptr);
  EXPECT_EQ(Get(nullptr), nullptr);
  EXPECT_EQ(GetOfInstance(nullptr), nullptr);
  EXPECT_EQ(loader().InstanceFunction(VK_NULL_HANDLE, "vkNoSuchCommand"), nullptr);
}

TEST_F(ProcAddrTest, ReturnsTheNextLayersFunctionForNamesOutsideTheRegistry) {
  static const auto kTheirs = reinterpret_cast<PFN_vkVoidFunction>(0x1234);
  layer_device_->next_get_proc_addr = [](VkDevice, const char* name) -> PFN_vkVoidFunction {
    return std::string_view(name) == "vkNewCommandEXT" ? kTheirs : nullptr;
  };
  const auto driver =
      std::exchange(layer_instance_->next_get_proc_addr, [](VkInstance, const char* name) -> PFN_vkVoidFunction {
        return std::string_view(name) == "vkNewCommandEXT" ? kTheirs : nullptr;
      });
  EXPECT_EQ(Get("vkNewCommandEXT"), kTheirs);
  EXPECT_EQ(GetOfInstance("vkNewCommandEXT"), kTheirs);
  layer_instance_->next_get_proc_addr = driver;
}

TEST_F(ProcAddrTest, ReturnsGlobalCommandsWithoutAnInstance) {
  for (const char* name : {"vkCreateInstance", "vkEnumerateInstanceVersion", "vkEnumerateInstanceLayerProperties",
                           "vkEnumerateInstanceExtensionProperties", "vkGetInstanceProcAddr"}) {
    EXPECT_NE(loader().InstanceFunction(VK_NULL_HANDLE, name), nullptr) << name;
  }
  for (const char* name : {"vkDestroyInstance", "vkCreateDevice", "vkCmdDraw", "vkGetDeviceProcAddr"}) {
    EXPECT_EQ(loader().InstanceFunction(VK_NULL_HANDLE, name), nullptr) << name;
  }
}

TEST_F(ProcAddrTest, ReturnsNullForUnknownObjects) {
  EXPECT_EQ(loader().InstanceFunction(reinterpret_cast<VkInstance>(device), "vkNoSuchCommand"), nullptr);
  EXPECT_EQ(loader().InstanceFunction(reinterpret_cast<VkInstance>(0x1230), "vkCreateDevice"), nullptr);
  EXPECT_EQ(loader().DeviceFunction(reinterpret_cast<VkDevice>(0x1230), "vkCmdDraw"), nullptr);
  EXPECT_EQ(loader().DeviceFunction(VK_NULL_HANDLE, "vkCmdDraw"), nullptr);
}

TEST_F(ProcAddrTest, ReturnsNullForCommandsThatTheDriverDoesNotHave) {
  Without("vkCmdPipelineBarrier2");
  EXPECT_EQ(Get("vkCmdPipelineBarrier2"), nullptr);
  Without("vkCmdDrawMeshTasksEXT");
  EXPECT_EQ(Get("vkCmdDrawMeshTasksEXT"), nullptr);
  EXPECT_EQ(GetOfInstance("vkCmdDrawMeshTasksEXT"), nullptr);
}

TEST_F(ProcAddrTest, AsksForNoDeviceCommandThatTheVersionHas) {
  layer_instance_->api_version = VK_API_VERSION_1_1;
  Without("vkCmdDraw");
  EXPECT_NE(GetOfInstance("vkCmdDraw"), nullptr);
  Without("vkCmdPipelineBarrier2");
  EXPECT_EQ(GetOfInstance("vkCmdPipelineBarrier2"), nullptr);
  EXPECT_NE(GetOfInstance("vkCmdPipelineBarrier2KHR"), nullptr);
}

TEST_F(ProcAddrTest, AsksForNoDeviceCommandOfAnInstanceExtension) {
  const char* const name = "vkCmdBeginDebugUtilsLabelEXT";
  Without(name);
  EXPECT_NE(GetOfInstance(name), nullptr);
  Without("");
  const ExtensionSet enabled = std::exchange(layer_instance_->enabled_extensions, {});
  EXPECT_EQ(GetOfInstance(name), nullptr);
  layer_instance_->enabled_extensions = enabled;
}

TEST_F(ProcAddrTest, LeadsBothNamesToOneCommand) {
  const PFN_vkVoidFunction promoted = Get("vkCmdPipelineBarrier2");
  EXPECT_NE(promoted, Drivers("vkCmdPipelineBarrier2"));
  EXPECT_EQ(Get("vkCmdPipelineBarrier2KHR"), promoted);
  Without("vkCmdPipelineBarrier2");
  EXPECT_EQ(Get("vkCmdPipelineBarrier2KHR"), promoted);
  Without("vkCmdPipelineBarrier2KHR");
  EXPECT_EQ(Get("vkCmdPipelineBarrier2"), promoted);
  EXPECT_EQ(Get("vkCmdPipelineBarrier2KHR"), nullptr);
}

TEST_F(ProcAddrTest, SortsPhysicalDeviceCommandsForTheLoader) {
  EXPECT_EQ(GetPhysicalDeviceProcAddr(instance, "vkGetPhysicalDeviceProperties"),
            GetOfInstance("vkGetPhysicalDeviceProperties"));
  EXPECT_NE(GetPhysicalDeviceProcAddr(instance, "vkGetPhysicalDeviceFeatures2KHR"), nullptr);
  // Names that the registry has, of commands that are not dispatched on a physical device.
  EXPECT_EQ(GetPhysicalDeviceProcAddr(instance, "vkCmdDraw"), nullptr);
  EXPECT_EQ(GetPhysicalDeviceProcAddr(instance, "vkCreateInstance"), nullptr);
  EXPECT_EQ(GetPhysicalDeviceProcAddr(instance, "vkDestroyInstance"), nullptr);
  EXPECT_EQ(GetPhysicalDeviceProcAddr(instance, "vkNoSuchCommand"), nullptr);
  EXPECT_EQ(GetPhysicalDeviceProcAddr(instance, nullptr), nullptr);
  EXPECT_EQ(GetPhysicalDeviceProcAddr(VK_NULL_HANDLE, "vkGetPhysicalDeviceProperties"), nullptr);
  Without("vkGetPhysicalDeviceProperties");
  EXPECT_EQ(GetPhysicalDeviceProcAddr(instance, "vkGetPhysicalDeviceProperties"), nullptr);
}

}  // namespace
}  // namespace assay::dispatch
