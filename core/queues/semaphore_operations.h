// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUEUES_SEMAPHORE_OPERATIONS_H_
#define ASSAY_CORE_QUEUES_SEMAPHORE_OPERATIONS_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/commands.h"

// The semaphore operations of a submission or present, in one form for all commands.
namespace assay::core {

// Whether the layer sees everything that is done to the payload.
inline bool IsTracked(const state::Semaphore& semaphore) {
  return !semaphore.progress.is_external && !semaphore.progress.was_replaced;
}

struct SemaphoreOperation {
  VkSemaphore handle;
  // Never null: unknown semaphores have no operations here.
  const state::Semaphore* semaphore;
  // The value of a timeline semaphore.
  uint64_t value;
  // The index in pSubmits or pBindInfo, and the index in its semaphores.
  uint32_t batch;
  uint32_t index;
  bool is_wait;
};
// In the order in which they happen if no other queue is at work.
using SemaphoreOperations = absl::InlinedVector<SemaphoreOperation, 8>;

// Collects operations.
class SemaphoreOperationList {
 public:
  void Add(const VkSubmitInfo2& info, uint32_t batch) {
    AddInfos(state::Items(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount), batch, true);
    AddInfos(state::Items(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount), batch, false);
  }
  // VkSubmitInfo and VkBindSparseInfo.
  template <class Info>
  void Add(const Info& info, uint32_t batch) {
    absl::Span<const uint64_t> wait_values, signal_values;
    if (const auto* values = vk::FindInChain<VkTimelineSemaphoreSubmitInfo>(info.pNext)) {
      wait_values = state::Items(values->pWaitSemaphoreValues, values->waitSemaphoreValueCount);
      signal_values = state::Items(values->pSignalSemaphoreValues, values->signalSemaphoreValueCount);
    }
    AddHandles(state::Items(info.pWaitSemaphores, info.waitSemaphoreCount), wait_values, batch, true);
    AddHandles(state::Items(info.pSignalSemaphores, info.signalSemaphoreCount), signal_values, batch, false);
  }
  void Add(const VkPresentInfoKHR& info) {
    AddHandles(state::Items(info.pWaitSemaphores, info.waitSemaphoreCount), {}, 0, true);
  }

  SemaphoreOperations Take() { return std::move(operations_); }

 private:
  void AddOne(VkSemaphore handle, uint64_t value, uint32_t batch, uint32_t index, bool is_wait) {
    const auto* semaphore = state::DeviceState::Get<state::Semaphore>(handle);
    if (semaphore != nullptr) operations_.push_back({handle, semaphore, value, batch, index, is_wait});
  }
  void AddInfos(absl::Span<const VkSemaphoreSubmitInfo> infos, uint32_t batch, bool is_wait) {
    for (uint32_t i = 0; i < infos.size(); ++i) AddOne(infos[i].semaphore, infos[i].value, batch, i, is_wait);
  }
  void AddHandles(absl::Span<const VkSemaphore> handles, absl::Span<const uint64_t> values, uint32_t batch,
                  bool is_wait) {
    for (uint32_t i = 0; i < handles.size(); ++i) {
      AddOne(handles[i], i < values.size() ? values[i] : 0, batch, i, is_wait);
    }
  }

  SemaphoreOperations operations_;
};

inline auto BatchesOf(const vk::QueueSubmit& call) { return state::Items(call.pSubmits, call.submitCount); }
inline auto BatchesOf(const vk::QueueSubmit2& call) { return state::Items(call.pSubmits, call.submitCount); }
inline auto BatchesOf(const vk::QueueBindSparse& call) { return state::Items(call.pBindInfo, call.bindInfoCount); }

template <class C>
SemaphoreOperations SemaphoreOperationsOf(const C& call) {
  SemaphoreOperationList list;
  if constexpr (std::is_same_v<C, vk::QueuePresentKHR>) {
    if (call.pPresentInfo != nullptr) list.Add(*call.pPresentInfo);
  } else {
    for (uint32_t i = 0; const auto& info : BatchesOf(call)) list.Add(info, i++);
  }
  return list.Take();
}

enum class OperationPart : uint8_t { kSemaphore, kValue };

// Calls visit(location) with the location of the operation's handle or value.
template <class C, class F>
void WithLocation(const SemaphoreOperation& operation, OperationPart part, const messages::Location& command,
                  F&& visit) {
  if constexpr (std::is_same_v<C, vk::QueuePresentKHR>) {
    const messages::Location info = command.Dot("pPresentInfo");
    visit(info.Dot("pWaitSemaphores", operation.index));
  } else if constexpr (std::is_same_v<C, vk::QueueSubmit2>) {
    const messages::Location batch = command.Dot("pSubmits", operation.batch);
    const messages::Location info =
        batch.Dot(operation.is_wait ? "pWaitSemaphoreInfos" : "pSignalSemaphoreInfos", operation.index);
    visit(info.Dot(part == OperationPart::kValue ? "value" : "semaphore"));
  } else {
    constexpr bool kBinds = std::is_same_v<C, vk::QueueBindSparse>;
    const messages::Location batch = command.Dot(kBinds ? "pBindInfo" : "pSubmits", operation.batch);
    if (part == OperationPart::kSemaphore) {
      return visit(batch.Dot(operation.is_wait ? "pWaitSemaphores" : "pSignalSemaphores", operation.index));
    }
    const messages::Location values = batch.Next("VkTimelineSemaphoreSubmitInfo",
                                                 operation.is_wait ? "pWaitSemaphoreValues" : "pSignalSemaphoreValues");
    visit(values.At(operation.index));
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_QUEUES_SEMAPHORE_OPERATIONS_H_
