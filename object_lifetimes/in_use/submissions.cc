// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Submissions and presents.

#include "object_lifetimes/in_use/submissions.h"

#include <algorithm>

#include "vk/chain.h"

namespace assay::object_lifetimes {
namespace {

// Adds the waits and signals of a VkSubmitInfo or VkBindSparseInfo.
template <class Info, class Batch>
void AddSemaphores(const Info& info, Batch* batch) {
  const auto* timeline = vk::FindInChain<VkTimelineSemaphoreSubmitInfo>(info.pNext);
  const auto value_at = [](const uint64_t* values, uint32_t count, uint32_t i) {
    return i < count && values != nullptr ? values[i] : 0;
  };
  for (uint32_t i = 0; info.pWaitSemaphores != nullptr && i < info.waitSemaphoreCount; ++i) {
    const uint64_t value =
        timeline != nullptr ? value_at(timeline->pWaitSemaphoreValues, timeline->waitSemaphoreValueCount, i) : 0;
    batch->waits.push_back({info.pWaitSemaphores[i], value});
  }
  for (uint32_t i = 0; info.pSignalSemaphores != nullptr && i < info.signalSemaphoreCount; ++i) {
    const uint64_t value =
        timeline != nullptr ? value_at(timeline->pSignalSemaphoreValues, timeline->signalSemaphoreValueCount, i) : 0;
    batch->signals.push_back({info.pSignalSemaphores[i], value});
  }
}

}  // namespace

void Submissions::AddUse(messages::ObjectRef object, Point point) {
  if (object.handle == 0) return;
  Points& points = uses_[object];
  points.erase(std::remove_if(points.begin(), points.end(), IsComplete), points.end());
  points.push_back(point);
}

void Submissions::RemoveUses(messages::ObjectRef object) {
  uses_.erase(object);
  if (object.type == VK_OBJECT_TYPE_FENCE) acquired_.erase(reinterpret_cast<VkFence>(object.handle));
  if (object.type == VK_OBJECT_TYPE_SEMAPHORE) signals_.erase(reinterpret_cast<VkSemaphore>(object.handle));
}

void Submissions::Remove(messages::ObjectRef object) {
  absl::MutexLock lock(&mutex_);
  RemoveUses(object);
  shared_.erase(object);
  if (object.type == VK_OBJECT_TYPE_SEMAPHORE) timelines_.erase(reinterpret_cast<VkSemaphore>(object.handle));
}

size_t Submissions::EntryCount() const {
  absl::MutexLock lock(&mutex_);
  size_t count = timelines_.size() + uses_.size() + presented_.size() + acquired_.size() + shared_.size() +
                 visible_.size() + queues_.size();
  for (const auto& [handle, queue] : queues_) count += queue.batches.size() + queue.last.replaced.size();
  for (const auto& [object, points] : uses_) count += points.size();
  for (const auto& [semaphore, signals] : signals_) count += 1 + signals.size();
  return count;
}

std::vector<Submissions::Point> Submissions::SignalledBy(absl::Span<const VkSemaphore> semaphores) const {
  std::vector<Point> points;
  for (VkSemaphore semaphore : semaphores) {
    const auto found = signals_.find(semaphore);
    if (found == signals_.end()) continue;
    for (const Signal& signal : found->second) points.push_back(signal.point);
  }
  return points;
}

Submissions::Queue& Submissions::QueueOf(VkQueue handle) {
  Queue& queue = queues_[handle];
  queue.handle = handle;
  return queue;
}

Submissions::Queue& Submissions::BeginCall(VkQueue handle) {
  Queue& queue = QueueOf(handle);
  ++queue.submissions;
  queue.last.first_number = queue.submitted + 1;
  queue.last.replaced.clear();
  return queue;
}

void Submissions::AddBatch(Queue& queue, const BatchOrigin& origin, const NewBatch& batch) {
  Batch& added = queue.batches.emplace_back();
  pending_.fetch_add(1, std::memory_order_relaxed);
  added.number = ++queue.submitted;
  added.order = ++order_;
  added.origin = origin;
  const Point point = {&queue, added.number};
  for (const SemaphoreValue& wait : batch.waits) {
    AddUse(messages::Object(wait.semaphore), point);
    // An earlier submission signals a binary semaphore; a later one may signal a timeline semaphore.
    if (timelines_.contains(wait.semaphore)) {
      added.waited_for.push_back(wait);
    } else {
      for (const Point& signal : SignalledBy({&wait.semaphore, 1})) added.after.push_back(signal);
    }
  }
  for (const SemaphoreValue& signal : batch.signals) {
    AddUse(messages::Object(signal.semaphore), point);
    Signals& signals = signals_[signal.semaphore];
    const auto timeline = timelines_.find(signal.semaphore);
    if (timeline == timelines_.end()) {
      queue.last.replaced.emplace_back(signal.semaphore, std::move(signals));
      signals = {{0, point}};
      continue;
    }
    added.timeline = signal;
    // An application that waits for fences alone never asks for the value.
    DropComplete(&signals, &timeline->second);
    signals.push_back({signal.value, point});
  }
  for (VkCommandBuffer command_buffer : batch.command_buffers) {
    AddUse(messages::Object(command_buffer), point);
    if (const auto* data = CommandBufferData::Of(command_buffer)) {
      added.executed.push_back({command_buffer, data->recording()});
    }
  }
}

void Submissions::AddFenceBatch(Queue& queue, const BatchOrigin& origin, absl::Span<const VkFence> fences,
                                std::vector<Point> after) {
  if (fences.empty()) return;
  AddBatch(queue, origin, {});
  queue.batches.back().fence = fences[0];
  queue.batches.back().after = std::move(after);
  bool is_shared = false;
  for (VkFence fence : fences) {
    AddUse(messages::Object(fence), {&queue, queue.submitted});
    is_shared |= shared_.contains(messages::Object(fence));
  }
  if (is_shared) Complete({&queue, queue.submitted});
}

void Submissions::Submit(vk::CommandId command, VkQueue handle, const std::vector<NewBatch>& batches, VkFence fence) {
  absl::MutexLock lock(&mutex_);
  if (stopped_tracking_) return;
  Queue& queue = BeginCall(handle);
  BatchOrigin origin = {command, queue.submissions, 0};
  for (const NewBatch& batch : batches) {
    AddBatch(queue, origin, batch);
    ++origin.index;
  }
  AddFenceBatch(queue, {command, queue.submissions, 0}, absl::MakeSpan(&fence, fence != VK_NULL_HANDLE ? 1 : 0), {});
  const auto signals_shared = [&](const NewBatch& batch) {
    mutex_.AssertHeld();
    return std::ranges::any_of(batch.signals, [&](const SemaphoreValue& signal) {
      mutex_.AssertHeld();
      return shared_.contains(messages::Object(signal.semaphore));
    });
  };
  if (!shared_.empty() && std::ranges::any_of(batches, signals_shared)) Complete({&queue, queue.submitted});
}

void Submissions::Conclude(VkQueue handle, VkResult result) {
  if (Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  const auto found = queues_.find(handle);
  if (found == queues_.end() || stopped_tracking_) return;
  Queue& queue = found->second;
  LastCall last = std::exchange(queue.last, {});
  const auto is_undone = [&](const Point& point) { return point.queue == &queue && point.number >= last.first_number; };
  while (!queue.batches.empty() && queue.batches.back().number >= last.first_number) {
    queue.batches.pop_back();
    pending_.fetch_sub(1, std::memory_order_relaxed);
  }
  for (auto& [object, points] : uses_) {
    points.erase(std::remove_if(points.begin(), points.end(), is_undone), points.end());
  }
  for (auto& [semaphore, signals] : signals_) {
    const auto is_undone_signal = [&](const Signal& signal) { return is_undone(signal.point); };
    signals.erase(std::remove_if(signals.begin(), signals.end(), is_undone_signal), signals.end());
  }
  // A semaphore may have been signalled by several batches of the call; the first knows what was before.
  for (; !last.replaced.empty(); last.replaced.pop_back()) {
    auto& [semaphore, signals] = last.replaced.back();
    signals_[semaphore] = std::move(signals);
  }
  if (last.first_number != LastCall().first_number) --queue.submissions;
}

void Submissions::AfterCall(const vk::CreateSemaphore& call, VkResult result) {
  if (result != VK_SUCCESS || call.pCreateInfo == nullptr) return;
  const auto* type = vk::FindInChain<VkSemaphoreTypeCreateInfo>(call.pCreateInfo->pNext);
  if (type == nullptr || type->semaphoreType != VK_SEMAPHORE_TYPE_TIMELINE) return;
  absl::MutexLock lock(&mutex_);
  timelines_[*call.pSemaphore] = type->initialValue;
}

void Submissions::BeforeCall(const vk::QueueSubmit& call) {
  std::vector<NewBatch> batches;
  for (const VkSubmitInfo& info : Elements(call.pSubmits, call.submitCount)) {
    NewBatch& batch = batches.emplace_back();
    AddSemaphores(info, &batch);
    const auto command_buffers = Elements(info.pCommandBuffers, info.commandBufferCount);
    batch.command_buffers.assign(command_buffers.begin(), command_buffers.end());
  }
  Submit(call.kId, call.queue, batches, call.fence);
}

void Submissions::BeforeCall(const vk::QueueSubmit2& call) {
  std::vector<NewBatch> batches;
  for (const VkSubmitInfo2& info : Elements(call.pSubmits, call.submitCount)) {
    NewBatch& batch = batches.emplace_back();
    for (const auto& wait : Elements(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount)) {
      batch.waits.push_back({wait.semaphore, wait.value});
    }
    for (const auto& signal : Elements(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount)) {
      batch.signals.push_back({signal.semaphore, signal.value});
    }
    for (const auto& command_buffer : Elements(info.pCommandBufferInfos, info.commandBufferInfoCount)) {
      batch.command_buffers.push_back(command_buffer.commandBuffer);
    }
  }
  Submit(call.kId, call.queue, batches, call.fence);
}

void Submissions::BeforeCall(const vk::QueueBindSparse& call) {
  std::vector<NewBatch> batches;
  for (const VkBindSparseInfo& info : Elements(call.pBindInfo, call.bindInfoCount))
    AddSemaphores(info, &batches.emplace_back());
  Submit(call.kId, call.queue, batches, call.fence);
}

void Submissions::AfterCall(const vk::QueueSubmit& call, VkResult result) { Conclude(call.queue, result); }
void Submissions::AfterCall(const vk::QueueSubmit2& call, VkResult result) { Conclude(call.queue, result); }
void Submissions::AfterCall(const vk::QueueBindSparse& call, VkResult result) { Conclude(call.queue, result); }

}  // namespace assay::object_lifetimes
