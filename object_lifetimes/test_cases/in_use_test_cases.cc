// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/in_use_test_cases.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "object_lifetimes/in_use/submissions.h"
#include "object_lifetimes/test_cases/test_call.h"

namespace assay::object_lifetimes {
namespace {

using Ids = std::vector<std::string>;

template <class H>
H HandleOf(const TestObjects& objects) {
  return reinterpret_cast<H>(objects.Handle(vk::kObjectTypeOf<H>, false));
}

// The type of the object that a command buffer must use for an object of type to be in use.
VkObjectType UsedFor(VkObjectType type) {
  return type == VK_OBJECT_TYPE_DESCRIPTOR_POOL ? VK_OBJECT_TYPE_DESCRIPTOR_SET : type;
}

// Submits a command buffer that uses the object, and a fence and a semaphore.
void Submit(const TestObjects& objects, VkObjectType type, Submissions& submissions) {
  const auto command_buffer = HandleOf<VkCommandBuffer>(objects);
  objects.SlotOf(VK_OBJECT_TYPE_COMMAND_BUFFER, false)->recording = std::make_unique<CommandBufferData>();
  CommandBufferData& data = *CommandBufferData::Of(command_buffer);
  data.Begin(1);
  data.open()->Note(*objects.SlotOf(UsedFor(type), false), vk::CommandId::kCmdCopyBuffer);
  data.End();
  const auto semaphore = HandleOf<VkSemaphore>(objects);
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .commandBufferCount = 1,
                       .pCommandBuffers = &command_buffer,
                       .signalSemaphoreCount = 1,
                       .pSignalSemaphores = &semaphore};
  const vk::QueueSubmit call = {HandleOf<VkQueue>(objects), 1, &info, HandleOf<VkFence>(objects)};
  submissions.BeforeCall(call);
  submissions.AfterCall(call, VK_SUCCESS);
}

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
  TestCall call({&vk::GetCommandInfo(command), {}}, objects);
  call.SetHandle(*rule.object, objects.Handle(type, false));
  Submissions submissions(objects.device());
  submissions.SetRules(rules);
  const auto ids = [&] {
    messages::Report report(objects.device().reporter(), command);
    submissions.CheckInUse(call.parameters(), report);
    return objects.TakeIds();
  };
  const Ids before = ids();
  Submit(objects, type, submissions);
  const Ids pending = ids();
  submissions.AfterCall(vk::QueueWaitIdle{HandleOf<VkQueue>(objects)}, VK_SUCCESS);
  const Ids complete = ids();
  if (before.empty() && complete.empty() && pending == Ids{std::string(vk::GetVuid(rule.vuid).id)}) return {};
  return absl::StrCat("gives before, pending and complete: ", absl::StrJoin(before, ", "), "; ",
                      absl::StrJoin(pending, ", "), "; ", absl::StrJoin(complete, ", "));
}

}  // namespace assay::object_lifetimes
