// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The rules that an object must not be ended or reset while a queue is busy with it.

#include "absl/strings/str_cat.h"
#include "object_lifetimes/submissions.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::HandleTable;
using dispatch::Slot;

// Calls f with each command buffer of a pool.
template <class F>
void ForEachCommandBuffer(VkCommandPool pool, const F& f) {
  HandleTable& handles = HandleTable::Get();
  const Slot* slot = handles.Find(VK_OBJECT_TYPE_COMMAND_POOL, reinterpret_cast<uint64_t>(pool));
  if (slot == nullptr) return;
  for (uint32_t i = slot->first_child; i != HandleTable::kNone; i = handles.AtIndex(i)->next_sibling) {
    f(messages::ObjectRef{VK_OBJECT_TYPE_COMMAND_BUFFER, handles.AtIndex(i)->application_handle});
  }
}

}  // namespace

VkQueue Submissions::BusyWith(messages::ObjectRef object) const {
  absl::MutexLock lock(&mutex_);
  const auto found = uses_.find(object);
  if (gave_up_ || found == uses_.end()) return VK_NULL_HANDLE;
  for (const Point& point : found->second) {
    if (point.number > point.queue->completed) return point.queue->handle;
  }
  return VK_NULL_HANDLE;
}

void Submissions::CheckObject(messages::ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                              messages::Report& report) {
  const VkQueue queue = BusyWith(object);
  if (queue == VK_NULL_HANDLE) return;
  const messages::Reporter& reporter = report.reporter();
  report.Error(rule, {object, messages::Object(queue)}, where,
               absl::StrCat("(", reporter.Describe(object), ") is in use: ", reporter.Describe(messages::Object(queue)),
                            " was given work with it of which nothing has told the application that it is complete."),
               "Wait for a fence or a timeline semaphore that the work signals, or for the queue to be idle.");
}

void Submissions::CheckPool(VkCommandPool pool, vk::VuidIndex rule, messages::Report& report) {
  messages::ObjectRef busy;
  VkQueue queue = VK_NULL_HANDLE;
  ForEachCommandBuffer(pool, [&](messages::ObjectRef command_buffer) {
    if (queue != VK_NULL_HANDLE) return;
    queue = BusyWith(command_buffer);
    busy = command_buffer;
  });
  if (queue == VK_NULL_HANDLE) return;
  const messages::Reporter& reporter = report.reporter();
  report.Error(rule, {messages::Object(pool), busy, messages::Object(queue)}, report.location().Dot("commandPool"),
               absl::StrCat("(", reporter.Describe(messages::Object(pool)), ") is in use: ",
                            reporter.Describe(messages::Object(queue)), " was given ", reporter.Describe(busy),
                            ", which is from it, and nothing has told the application that this work is complete."),
               "Wait for a fence or a timeline semaphore that the work signals, or for the queue to be idle.");
}

void Submissions::Check(const vk::DestroyFence& call, messages::Report& report) {
  CheckObject(messages::Object(call.fence), vk::Vuid("VUID-vkDestroyFence-fence-01120"), report.location().Dot("fence"),
              report);
}

void Submissions::Check(const vk::ResetFences& call, messages::Report& report) {
  for (uint32_t i = 0; call.pFences != nullptr && i < call.fenceCount; ++i) {
    CheckObject(messages::Object(call.pFences[i]), vk::Vuid("VUID-vkResetFences-pFences-01123"),
                report.location().Dot("pFences", i), report);
  }
}

void Submissions::Check(const vk::DestroySemaphore& call, messages::Report& report) {
  CheckObject(messages::Object(call.semaphore), vk::Vuid("VUID-vkDestroySemaphore-semaphore-05149"),
              report.location().Dot("semaphore"), report);
}

void Submissions::Check(const vk::FreeCommandBuffers& call, messages::Report& report) {
  for (uint32_t i = 0; call.pCommandBuffers != nullptr && i < call.commandBufferCount; ++i) {
    CheckObject(messages::Object(call.pCommandBuffers[i]), vk::Vuid("VUID-vkFreeCommandBuffers-pCommandBuffers-00047"),
                report.location().Dot("pCommandBuffers", i), report);
  }
}

void Submissions::Check(const vk::ResetCommandBuffer& call, messages::Report& report) {
  CheckObject(messages::Object(call.commandBuffer), vk::Vuid("VUID-vkResetCommandBuffer-commandBuffer-00045"),
              report.location().Dot("commandBuffer"), report);
}

void Submissions::Check(const vk::ResetCommandPool& call, messages::Report& report) {
  CheckPool(call.commandPool, vk::Vuid("VUID-vkResetCommandPool-commandPool-00040"), report);
}

void Submissions::Check(const vk::DestroyCommandPool& call, messages::Report& report) {
  CheckPool(call.commandPool, vk::Vuid("VUID-vkDestroyCommandPool-commandPool-00041"), report);
}

void Submissions::BeforeCall(const vk::FreeCommandBuffers& call) {
  for (uint32_t i = 0; call.pCommandBuffers != nullptr && i < call.commandBufferCount; ++i) {
    Forget(messages::Object(call.pCommandBuffers[i]));
  }
}

void Submissions::BeforeCall(const vk::DestroyCommandPool& call) {
  ForEachCommandBuffer(call.commandPool, [this](messages::ObjectRef command_buffer) { Forget(command_buffer); });
}

}  // namespace assay::object_lifetimes
