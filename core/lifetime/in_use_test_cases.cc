// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/lifetime/in_use_test_cases.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/lifetime/lifetime_rules.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using dispatch::TestObjects;
using Ids = std::vector<std::string>;

template <class H>
H HandleOf(const TestObjects& objects) {
  return reinterpret_cast<H>(objects.Handle(vk::kObjectTypeOf<H>, false));
}

// The type of the object that a command buffer must use for an object of type to be in use.
VkObjectType UsedFor(VkObjectType type) {
  return type == VK_OBJECT_TYPE_DESCRIPTOR_POOL ? VK_OBJECT_TYPE_DESCRIPTOR_SET : type;
}

// A call with nothing in it but one object of the in-use rule.
class InUseCall {
 public:
  InUseCall(const vk::CommandInfo& command, const vk::MemberInfo& object, uint64_t handle)
      : handle_(handle), words_(command.parameters->size / sizeof(uint64_t) + 1) {
    const auto& members = command.parameters->members;
    char* const call = reinterpret_cast<char*>(words_.data());
    if (object.indirection == vk::Indirection::kInline) {
      vk::Store(call, object.offset, handle);
      return;
    }
    vk::Store(call, object.offset, &handle_);
    vk::Store(call, members[static_cast<size_t>(object.length_member)].offset, uint32_t{1});
  }
  InUseCall(const InUseCall&) = delete;
  InUseCall& operator=(const InUseCall&) = delete;

  const void* parameters() const { return words_.data(); }

 private:
  const uint64_t handle_;
  std::vector<uint64_t> words_;
};

// The state of a device that has a queue, a command buffer, a fence and a semaphore.
class InUseDevice {
 public:
  InUseDevice(TestObjects& objects, const InUseRules& rules)
      : objects_(objects), state_(objects.device()), rules_(state_, {}, rules) {
    const auto device = HandleOf<VkDevice>(objects);
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkCommandBufferAllocateInfo commands_info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_,
                                                       VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    state_.PostCallRecord(vk::GetDeviceQueue{device, 0, 0, &queue_});
    state_.PostCallRecord(vk::CreateFence{device, &fence_info, nullptr, &fence_}, VK_SUCCESS);
    state_.PostCallRecord(vk::CreateSemaphore{device, &semaphore_info, nullptr, &semaphore_}, VK_SUCCESS);
    state_.PostCallRecord(vk::CreateCommandPool{device, &pool_info, nullptr, &pool_}, VK_SUCCESS);
    state_.PostCallRecord(vk::AllocateCommandBuffers{device, &commands_info, &commands_}, VK_SUCCESS);
  }

  // Submits a command buffer that uses an object, and a fence and a semaphore.
  void Submit(VkObjectType type) {
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    state_.PostCallRecord(vk::BeginCommandBuffer{commands_, &begin}, VK_SUCCESS);
    dispatch::CommandBufferData::Of(commands_)->open()->Note(*objects_.SlotOf(UsedFor(type), false),
                                                             vk::CommandId::kCmdCopyBuffer);
    state_.PostCallRecord(vk::EndCommandBuffer{commands_}, VK_SUCCESS);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands_,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &semaphore_};
    const vk::QueueSubmit call = {queue_, 1, &info, fence_};
    state_.PreCallRecord(call);
    state_.PostCallRecord(call, VK_SUCCESS);
  }
  void Wait() { state_.PostCallRecord(vk::QueueWaitIdle{queue_}, VK_SUCCESS); }

  Ids Check(vk::CommandId command, const void* call) {
    messages::Report report(objects_.instance().reporter, command);
    rules_.CheckInUse(call, report);
    return objects_.TakeIds();
  }

 private:
  TestObjects& objects_;
  VkQueue queue_ = HandleOf<VkQueue>(objects_);
  VkFence fence_ = HandleOf<VkFence>(objects_);
  VkSemaphore semaphore_ = HandleOf<VkSemaphore>(objects_);
  VkCommandPool pool_ = HandleOf<VkCommandPool>(objects_);
  VkCommandBuffer commands_ = HandleOf<VkCommandBuffer>(objects_);
  state::DeviceState state_;
  LifetimeRules rules_;
};

}  // namespace

std::vector<vk::CommandId> CommandsWithInUseRule() {
  std::vector<vk::CommandId> commands;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const auto command = static_cast<vk::CommandId>(i);
    if (InUseRules::All().Of(command).object != nullptr) commands.push_back(command);
  }
  return commands;
}

std::string TestInUse(TestObjects& objects, vk::CommandId command, const InUseRules& rules) {
  const InUseRule& rule = InUseRules::All().Of(command);
  const VkObjectType type = vk::Handles()[rule.object->type].object_type;
  const InUseCall call(vk::GetCommandInfo(command), *rule.object, objects.Handle(type, false));
  InUseDevice device(objects, rules);
  const Ids before = device.Check(command, call.parameters());
  device.Submit(type);
  const Ids pending = device.Check(command, call.parameters());
  device.Wait();
  const Ids complete = device.Check(command, call.parameters());
  if (before.empty() && complete.empty() && pending == Ids{std::string(vk::GetVuid(rule.vuid).id)}) return {};
  return absl::StrCat("gives before, pending and complete: ", absl::StrJoin(before, ", "), "; ",
                      absl::StrJoin(pending, ", "), "; ", absl::StrJoin(complete, ", "));
}

}  // namespace assay::core
