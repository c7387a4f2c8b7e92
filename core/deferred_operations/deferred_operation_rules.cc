// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/deferred_operations/deferred_operation_rules.h"

#include "dispatch/rewriting/internal_calls.h"

namespace assay::core {
namespace {

// Whether a command was deferred with the operation at some time. The dispatch has no data of others.
bool WasDeferred(VkDeferredOperationKHR operation) {
  const dispatch::Slot* const slot =
      dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_DEFERRED_OPERATION_KHR, reinterpret_cast<uint64_t>(operation));
  return slot != nullptr && slot->dispatch_data != nullptr;
}

}  // namespace

std::vector<vk::VuidIndex> DeferredOperationIds() {
  std::vector<vk::VuidIndex> ids;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (requires(const C& call) { call.deferredOperation; }) {
      constexpr vk::VuidIndex kId = vk::FamilyVuid<C>("deferredOperation-03678");
      if (kId != vk::kNoVuid) ids.push_back(kId);
    }
  });
  return ids;
}

void DeferredOperationRules::PreCallValidate(const vk::DestroyDeferredOperationKHR& call,
                                             messages::Report& report) const {
  CheckComplete(call.operation, vk::Vuid("VUID-vkDestroyDeferredOperationKHR-operation-03436"), "operation", report);
}

void DeferredOperationRules::CheckComplete(VkDeferredOperationKHR operation, vk::VuidIndex id,
                                           std::string_view parameter, messages::Report& report) const {
  if (id == vk::kNoVuid || operation == VK_NULL_HANDLE || !WasDeferred(operation)) return;
  if (!dispatch::HasNext<vk::GetDeferredOperationResultKHR>(device_)) return;
  const VkResult result =
      dispatch::CallNext(device_, vk::GetDeferredOperationResultKHR{device_.handle, dispatch::DriverHandle(operation)});
  if (result != VK_NOT_READY) return;
  report.Error(id, {messages::Object(operation)}, report.location().Dot(parameter),
               "is the operation of a command that was deferred and is not complete.",
               "Join the operation until vkDeferredOperationJoinKHR returns VK_SUCCESS.");
}

}  // namespace assay::core
