// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/in_use_test_cases.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "object_lifetimes/in_use/submissions.h"

namespace assay::object_lifetimes {
namespace {

using Ids = std::vector<std::string>;

template <class H>
H HandleOf(const TrialWorld& world) {
  return reinterpret_cast<H>(world.Handle(vk::kObjectTypeOf<H>, false));
}

// What a command buffer has to use for an object to be in use.
VkObjectType UsedFor(VkObjectType type) {
  return type == VK_OBJECT_TYPE_DESCRIPTOR_POOL ? VK_OBJECT_TYPE_DESCRIPTOR_SET : type;
}

// Submits a command buffer that uses the object, and a fence and a semaphore.
void Submit(const TrialWorld& world, VkObjectType type, Submissions& submissions) {
  const auto command_buffer = HandleOf<VkCommandBuffer>(world);
  world.SlotOf(VK_OBJECT_TYPE_COMMAND_BUFFER, false)->recording = std::make_unique<CommandBufferData>();
  CommandBufferData& data = *CommandBufferData::Of(command_buffer);
  data.Begin(1);
  data.open()->Note(*world.SlotOf(UsedFor(type), false), vk::CommandId::kCmdCopyBuffer);
  data.End();
  const auto semaphore = HandleOf<VkSemaphore>(world);
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .commandBufferCount = 1,
                       .pCommandBuffers = &command_buffer,
                       .signalSemaphoreCount = 1,
                       .pSignalSemaphores = &semaphore};
  submissions.AfterCall(vk::QueueSubmit{HandleOf<VkQueue>(world), 1, &info, HandleOf<VkFence>(world)}, VK_SUCCESS);
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

std::string TryInUse(TrialWorld& world, vk::CommandId command, const InUseRules& rules) {
  const InUseRule& rule = InUseRules::All().Of(command);
  const VkObjectType type = vk::Handles()[rule.object->type].object_type;
  TrialCall call({&vk::GetCommandInfo(command), {}}, world);
  call.SetHandle(*rule.object, world.Handle(type, false));
  Submissions submissions(world.device());
  submissions.UseRules(rules);
  const auto ids = [&] {
    messages::Report report(world.device().reporter(), command);
    submissions.CheckInUse(call.parameters(), report);
    return world.TakeIds();
  };
  const Ids before = ids();
  Submit(world, type, submissions);
  const Ids pending = ids();
  submissions.AfterCall(vk::QueueWaitIdle{HandleOf<VkQueue>(world)}, VK_SUCCESS);
  const Ids complete = ids();
  if (before.empty() && complete.empty() && pending == Ids{std::string(vk::GetVuid(rule.vuid).id)}) return {};
  return absl::StrCat("gives before, pending and complete: ", absl::StrJoin(before, ", "), "; ",
                      absl::StrJoin(pending, ", "), "; ", absl::StrJoin(complete, ", "));
}

}  // namespace assay::object_lifetimes
