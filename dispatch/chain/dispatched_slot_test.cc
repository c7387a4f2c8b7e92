// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <map>

#include "dispatch/dispatch.h"
#include "dispatch/testing/layer_without_validators.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;

// Remembers the slot that each hook got last.
struct SlotValidator {
  void PreCallValidate(const vk::CmdDraw& call, Slot& slot, messages::Report&) { Note(call, slot); }
  void PostCallRecord(const vk::CmdDraw& call, Slot& slot) { Note(call, slot); }
  // The layer implements it (RunOrImplement).
  void PreCallRecord(const vk::CmdDebugMarkerEndEXT& call, Slot& slot) { Note(call, slot); }
  void PostCallRecord(const vk::QueueWaitIdle& call, Slot& slot, VkResult) { Note(call, slot); }
  void PreCallRecord(const vk::CreateFence& call, Slot& slot) { Note(call, slot); }
  void PostCallRecord(const vk::CreateFence& call, Slot& slot, VkResult) { Note(call, slot); }
  void PreCallRecord(const vk::DestroyDevice& call, Slot& slot) { Note(call, slot); }
  void PostCallRecord(const vk::DestroyDevice& call, Slot& slot) { Note(call, slot); }
  void PostCallRecord(const vk::BuildAccelerationStructuresKHR& call, Slot& slot, VkResult) { Note(call, slot); }

  template <class C>
  void Note(const C&, const Slot& slot) {
    ++count[C::kId];
    handle[C::kId] = slot.application_handle;
    type[C::kId] = slot.type;
  }

  std::map<CommandId, int> count;
  std::map<CommandId, uint64_t> handle;
  std::map<CommandId, VkObjectType> type;
};

class DispatchedSlotTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    SetTestValidators([this](Device&, HookBuilder& builder) { builder.Attach(validator_); });
    ValidationTest::SetUp();
  }
  // The driver has no debug markers.
  test::DeviceOptions Options() override {
    driver().config().disabled_extensions.insert({VK_EXT_DEBUG_MARKER_EXTENSION_NAME});
    test::DeviceOptions options;
    options.device_extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME};
    return options;
  }
  void TearDown() override {
    SetTestValidators({});
    ValidationTest::TearDown();
    EXPECT_EQ(validator_.count[CommandId::kDestroyDevice], 2);
    EXPECT_EQ(validator_.type[CommandId::kDestroyDevice], VK_OBJECT_TYPE_DEVICE);
  }

  template <class H>
  void Expect(CommandId id, int count, VkObjectType type, H dispatched_on) {
    EXPECT_EQ(validator_.count[id], count);
    EXPECT_EQ(validator_.type[id], type);
    EXPECT_EQ(validator_.handle[id], reinterpret_cast<uint64_t>(dispatched_on));
  }

  SlotValidator validator_;
};

TEST_F(DispatchedSlotTest, IsTheCommandBuffers) {
  const VkCommandBuffer first = MakeCommandBuffer(), second = MakeCommandBuffer();
  vk.CmdDraw(first, 3, 1, 0, 0);
  Expect(CommandId::kCmdDraw, 2, VK_OBJECT_TYPE_COMMAND_BUFFER, first);
  vk.CmdDraw(second, 3, 1, 0, 0);
  Expect(CommandId::kCmdDraw, 4, VK_OBJECT_TYPE_COMMAND_BUFFER, second);
  const VkDebugMarkerMarkerInfoEXT marker = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT,
                                             .pMarkerName = "shadows"};
  vk.CmdDebugMarkerBeginEXT(first, &marker);
  vk.CmdDebugMarkerEndEXT(first);
  Expect(CommandId::kCmdDebugMarkerEndEXT, 1, VK_OBJECT_TYPE_COMMAND_BUFFER, first);
}

TEST_F(DispatchedSlotTest, IsTheQueues) {
  const VkQueue queue = Queue();
  vk.QueueWaitIdle(queue);
  Expect(CommandId::kQueueWaitIdle, 1, VK_OBJECT_TYPE_QUEUE, queue);
}

TEST_F(DispatchedSlotTest, IsTheDevices) {
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  Expect(CommandId::kCreateFence, 2, VK_OBJECT_TYPE_DEVICE, device);
  vk.DestroyFence(device, fence, nullptr);
}

// The operation is complete when the application joins it, in another call.
TEST_F(DispatchedSlotTest, IsTheDevicesForADeferredOperation) {
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateDeferredOperationKHR(device, nullptr, &operation), VK_SUCCESS);
  driver().FailNext<vk::BuildAccelerationStructuresKHR>(VK_OPERATION_DEFERRED_KHR);
  EXPECT_EQ(vk.BuildAccelerationStructuresKHR(device, operation, 0, nullptr, nullptr), VK_OPERATION_DEFERRED_KHR);
  EXPECT_EQ(validator_.count[CommandId::kBuildAccelerationStructuresKHR], 0);
  EXPECT_EQ(vk.DeferredOperationJoinKHR(device, operation), VK_SUCCESS);
  Expect(CommandId::kBuildAccelerationStructuresKHR, 1, VK_OBJECT_TYPE_DEVICE, device);
  vk.DestroyDeferredOperationKHR(device, operation, nullptr);
}

}  // namespace
}  // namespace assay::dispatch
