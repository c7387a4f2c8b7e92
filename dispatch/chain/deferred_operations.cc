// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that take a VkDeferredOperationKHR. A driver that defers the work goes on reading the parameters, and writes
// the handles later. So the translated copies of the parameters live until the operation is complete. The layer
// registers the returned handles and runs the PostCallRecord hooks when the application learns of the completion.

#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/chain/command_traits.h"
#include "dispatch/chain/forward.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/run_hooks.h"
#include "dispatch/rewriting/rewriter.h"
#include "dispatch/translation/returned_handles.h"
#include "dispatch/translation/scratch_arena.h"
#include "dispatch/translation/translate.h"

namespace assay::dispatch {
namespace {

// The data of a deferred operation that is not complete.
struct PendingOperation : public SlotData {
  ScratchArena arena;
  Rewriter rewriter{arena};
  absl::Mutex mutex;
  // Registers the returned handles and runs the PostCallRecord hooks. Empty once it has run.
  std::function<void(VkResult)> complete ABSL_GUARDED_BY(mutex);
};

Slot* FindOperation(VkDeferredOperationKHR operation) {
  return HandleTable::Get().Find(VK_OBJECT_TYPE_DEFERRED_OPERATION_KHR, reinterpret_cast<uint64_t>(operation));
}

// Several threads may join an operation and learn at once that it is complete. Each returns only when the handles are
// registered and the hooks have run.
void Complete(const Slot* slot, VkResult result) {
  if (slot == nullptr || slot->dispatch_data == nullptr) return;
  auto& pending = static_cast<PendingOperation&>(*slot->dispatch_data);
  absl::MutexLock lock(&pending.mutex);
  if (pending.complete == nullptr) return;
  pending.complete(result);
  pending.complete = nullptr;
}

// The same with the result that the driver has for the operation.
void CompleteWithDriversResult(const Slot* slot, VkDevice handle, const Device& device) {
  if (slot == nullptr || slot->dispatch_data == nullptr) return;
  const auto get_result = Next<vk::GetDeferredOperationResultKHR>(device.next);
  Complete(slot, get_result(handle, reinterpret_cast<VkDeferredOperationKHR>(slot->driver_handle)));
}

template <class C>
VkResult ForwardDeferrable(const C& call, Device& device, typename C::Function next) {
  Slot* const slot = call.deferredOperation != VK_NULL_HANDLE ? FindOperation(call.deferredOperation) : nullptr;
  if (slot == nullptr) {
    ScratchArena arena;
    return ForwardTranslated(call, device, next, arena);
  }
  auto pending = std::make_unique<PendingOperation>();
  C copy = call;
  if (device.wraps_handles()) TranslateToDriver(vk::GetCommandInfo(C::kId), &copy, pending->arena);
  RewriteTranslated(call, copy, device, pending->rewriter);
  if constexpr (kReturnsPartialResults<C>) ClearReturned(vk::GetCommandInfo(C::kId), &call);
  const VkResult result = vk::CallDown(copy, next);
  if (result != VK_OPERATION_DEFERRED_KHR) {
    if constexpr (kReturnsObjects<C>) RegisterReturned(call, &device.instance, &device, &result);
    pending->rewriter.Finish(result);
    return result;
  }
  absl::MutexLock lock(&pending->mutex);
  pending->complete = [call, &device, &rewriter = pending->rewriter](VkResult final_result) {
    if constexpr (kReturnsObjects<C>) RegisterReturned(call, &device.instance, &device, &final_result);
    rewriter.Finish(final_result);
    RunPostCallRecord(device.hooks[C::kId], call, device.slot, &final_result);
  };
  slot->dispatch_data = std::move(pending);
  return result;
}

}  // namespace

VkResult OverrideCallDown(const vk::CreateRayTracingPipelinesKHR& call, Device& device,
                          PFN_vkCreateRayTracingPipelinesKHR next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::BuildAccelerationStructuresKHR& call, Device& device,
                          PFN_vkBuildAccelerationStructuresKHR next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::CopyAccelerationStructureKHR& call, Device& device,
                          PFN_vkCopyAccelerationStructureKHR next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::CopyAccelerationStructureToMemoryKHR& call, Device& device,
                          PFN_vkCopyAccelerationStructureToMemoryKHR next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::CopyMemoryToAccelerationStructureKHR& call, Device& device,
                          PFN_vkCopyMemoryToAccelerationStructureKHR next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::BuildMicromapsEXT& call, Device& device, PFN_vkBuildMicromapsEXT next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::CopyMicromapEXT& call, Device& device, PFN_vkCopyMicromapEXT next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::CopyMicromapToMemoryEXT& call, Device& device, PFN_vkCopyMicromapToMemoryEXT next) {
  return ForwardDeferrable(call, device, next);
}
VkResult OverrideCallDown(const vk::CopyMemoryToMicromapEXT& call, Device& device, PFN_vkCopyMemoryToMicromapEXT next) {
  return ForwardDeferrable(call, device, next);
}

VkResult OverrideCallDown(const vk::DeferredOperationJoinKHR& call, Device& device,
                          PFN_vkDeferredOperationJoinKHR next) {
  ScratchArena arena;
  const VkResult result = ForwardTranslated(call, device, next, arena);
  // The application need not ask for the result. It may use the returned handles from here on.
  if (result == VK_SUCCESS) CompleteWithDriversResult(FindOperation(call.operation), call.device, device);
  return result;
}

VkResult OverrideCallDown(const vk::GetDeferredOperationResultKHR& call, Device& device,
                          PFN_vkGetDeferredOperationResultKHR next) {
  ScratchArena arena;
  const VkResult result = ForwardTranslated(call, device, next, arena);
  if (result != VK_NOT_READY) Complete(FindOperation(call.operation), result);
  return result;
}

void OverrideCallDown(const vk::DestroyDeferredOperationKHR& call, Device& device,
                      PFN_vkDestroyDeferredOperationKHR next) {
  ScratchArena arena;
  // The application may not have asked for the result. The operation must be complete, so the layer asks for it now.
  CompleteWithDriversResult(FindOperation(call.operation), call.device, device);
  ForwardTranslated(call, device, next, arena);
}

}  // namespace assay::dispatch
