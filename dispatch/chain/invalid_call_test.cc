// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Calls that the layer must survive: unknown objects, null pointers, and validators that throw.

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "dispatch/dispatch.h"
#include "dispatch/testing/layer_without_validators.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

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

// A validator whose hooks throw.
struct ThrowingValidator {
  void PreCallRecord(const vk::CreateFence&) { throw std::bad_alloc(); }
  void PreCallValidate(const vk::CmdDraw&, messages::Report&) { throw 42; }
  void PostCallRecord(const vk::CreateSemaphore&, VkResult) { throw std::runtime_error("no"); }
  void PreCallRecord(const vk::GetDeviceQueue&) { throw std::runtime_error("no"); }
};

TEST_F(InvalidCallTest, CatchesExceptionsOfHooks) {
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
