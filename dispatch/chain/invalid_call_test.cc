// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Calls that the layer must survive: unknown objects, null pointers, and validators that throw.

#include <pthread.h>

#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "dispatch/dispatch.h"
#include "dispatch/testing/layer_without_validators.h"
#include "dispatch/testing/live_handles.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;

// A device with all extensions and features, and a messenger.
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
  // 1 marks a removed entry of the DispatchableTable.
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

TEST_F(InvalidCallTest, ReportsAnUnknownDeviceOfCommandsThatNobodyHooks) {
  const auto garbage = reinterpret_cast<VkDevice>(0x1230);
  int reached = 0;
  driver().SetObserver([&](CommandId, const void*) { ++reached; });
  vk.ReleaseProfilingLockKHR(garbage);
  ExpectMessage("VUID-vkReleaseProfilingLockKHR-device-parameter");
  vk.UninitializePerformanceApiINTEL(garbage);
  ExpectMessage("VUID-vkUninitializePerformanceApiINTEL-device-parameter");
  driver().SetObserver({});
  EXPECT_EQ(reached, 0);
}

TEST_F(InvalidCallTest, ReportsAnUnknownPhysicalDeviceWithTheNameOfThisLayer) {
  uint32_t count = 0;
  const char* const name = GetLayerIdentity().properties.layerName;
  EXPECT_EQ(vk.EnumerateDeviceExtensionProperties(reinterpret_cast<VkPhysicalDevice>(0x1230), name, &count, nullptr),
            VK_ERROR_VALIDATION_FAILED_EXT);
  ExpectMessage("VUID-vkEnumerateDeviceExtensionProperties-physicalDevice-parameter");
  EXPECT_EQ(vk.EnumerateDeviceExtensionProperties(physical_device, name, &count, nullptr), VK_SUCCESS);
  EXPECT_NE(count, 0u);
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

// dispatch follows these parameters. Other packages report the null pointers, and the mock driver fails the calls.
TEST_F(InvalidCallTest, SurvivesNullPointers) {
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

// A validator whose hooks run out of memory.
struct ThrowingValidator {
  void PreCallValidate(const vk::CmdDraw&, messages::Report&) { throw std::bad_alloc(); }
  void PreCallRecord(const vk::CreateFence&) { throw std::bad_alloc(); }
  void PostCallRecord(const vk::CreateSemaphore&, VkResult) { throw std::length_error("no"); }
  void PreCallRecord(const vk::GetDeviceQueue&) { throw std::bad_alloc(); }
};

// A validator that cannot go on does not fail the application's calls.
TEST_F(InvalidCallTest, MakesCallsWhoseHooksThrow) {
  ThrowingValidator throwing;
  SetTestValidators([&](Device&, HookBuilder& builder) { builder.Attach(throwing); });
  Destroy();
  Create();
  VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  EXPECT_TRUE(IsLive(fence));
  vk.DestroyFence(device, fence, nullptr);
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateSemaphore(device, &semaphore_info, nullptr, &semaphore), VK_SUCCESS);
  EXPECT_TRUE(IsLive(semaphore));
  vk.DestroySemaphore(device, semaphore, nullptr);
  int draws = 0;
  driver().SetObserver([&](CommandId id, const void*) { draws += id == CommandId::kCmdDraw; });
  vk.CmdDraw(MakeCommandBuffer(), 3, 1, 0, 0);
  EXPECT_EQ(draws, 1);
  driver().SetObserver({});
  VkQueue queue = VK_NULL_HANDLE;
  vk.GetDeviceQueue(device, 0, 0, &queue);
  EXPECT_NE(queue, VK_NULL_HANDLE);
  Destroy();
}

// Counts how calls of vkQueueWaitIdle and vkCmdDraw ended.
struct EndCounter {
  void PreCallValidate(const vk::QueueWaitIdle&, messages::Report& report) {
    report.OnSkip([](void* counter) { ++static_cast<EndCounter*>(counter)->undone; }, this);
    if (reports) report.Deliver({.id = "ASSAY-test", .text = "No."});
  }
  void PostCallRecord(const vk::QueueWaitIdle&, VkResult result) { results.push_back(result); }
  void CallSkipped(const vk::QueueWaitIdle&) { ++skipped; }
  bool reports = false;
  int undone = 0;
  int skipped = 0;
  std::vector<VkResult> results;
};

class UnwindingTest : public InvalidCallTest {
 protected:
  void SetUp() override {
    SetTestValidators([this](Device&, HookBuilder& builder) { builder.Attach(counter_); });
    InvalidCallTest::SetUp();
    driver().SetObserver([this](CommandId id, const void*) {
      if (id != CommandId::kQueueWaitIdle) return;
      ++reached_driver_;
      if (in_driver_) in_driver_();
    });
  }
  void TearDown() override {
    driver().SetObserver({});
    InvalidCallTest::TearDown();
  }
  template <class E>
  void AddThrowingMessenger() {
    VkDebugUtilsMessengerCreateInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    info.pfnUserCallback = [](auto...) -> VkBool32 { throw E(); };
    ASSERT_EQ(vk.CreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger_), VK_SUCCESS);
  }
  template <class E>
  void ExpectExceptionOfCallbackPasses() {
    AddThrowingMessenger<E>();
    counter_.reports = true;
    EXPECT_THROW(vk.QueueWaitIdle(Queue()), E);
    counter_.reports = false;
    vk.DestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
    messages.Take();
    EXPECT_EQ(reached_driver_, 0);
    EXPECT_EQ(counter_.undone, 1);
    EXPECT_EQ(counter_.skipped, 1);
    EXPECT_TRUE(counter_.results.empty());
  }

  EndCounter counter_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  int reached_driver_ = 0;
  std::function<void()> in_driver_;
};

// The application's exceptions are its own, also those that the layer throws itself elsewhere. The call is not made.
TEST_F(UnwindingTest, PassesExceptionsOfCallbacks) { ExpectExceptionOfCallbackPasses<int>(); }
TEST_F(UnwindingTest, PassesStandardExceptionsOfCallbacks) { ExpectExceptionOfCallbackPasses<std::bad_alloc>(); }

TEST_F(UnwindingTest, PassesExceptionsFromBelow) {
  in_driver_ = [] { throw std::runtime_error("no"); };
  EXPECT_THROW(vk.QueueWaitIdle(Queue()), std::runtime_error);
  EXPECT_EQ(counter_.results, std::vector<VkResult>{VK_ERROR_UNKNOWN});
}

TEST_F(UnwindingTest, LetsAThreadBeCancelledInTheDriver) {
  in_driver_ = [] {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  };
  const auto wait = [](void* test) -> void* {
    auto* self = static_cast<UnwindingTest*>(test);
    self->vk.QueueWaitIdle(self->Queue());
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, wait, this), 0);
  void* result = nullptr;
  ASSERT_EQ(pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_EQ(counter_.results, std::vector<VkResult>{VK_ERROR_UNKNOWN});
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
