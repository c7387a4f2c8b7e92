// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/queues/pending_batches.h"

#include <algorithm>
#include <utility>

namespace assay::state {
namespace {

// The number of batches of one queue that are kept.
constexpr size_t kMaxBatches = 1 << 16;

}  // namespace

void PendingBatches::Add(const Queue& queue, PendingBatch batch) {
  std::deque<PendingBatch>& batches = queues_[queue.index].batches;
  if (batches.size() == kMaxBatches) PopFront(batches);
  batch.order = ++order_;
  batches.push_back(std::move(batch));
  count_.fetch_add(1, std::memory_order_relaxed);
}

void PendingBatches::PopFront(std::deque<PendingBatch>& batches) {
  batches.pop_front();
  count_.fetch_sub(1, std::memory_order_relaxed);
}

void PendingBatches::Undo(const Queue& queue, uint64_t first_serial) {
  std::deque<PendingBatch>& batches = queues_[queue.index].batches;
  for (; !batches.empty() && batches.back().serial >= first_serial; batches.pop_back()) {
    if (batches.back().order == order_) --order_;
    count_.fetch_sub(1, std::memory_order_relaxed);
  }
}

void PendingBatches::TakeUpTo(const Queue& queue, uint64_t serial, std::vector<PendingBatch>* taken) {
  std::deque<PendingBatch>& batches = queues_[queue.index].batches;
  for (; !batches.empty() && batches.front().serial <= serial; PopFront(batches)) {
    taken->push_back(std::move(batches.front()));
  }
}

void PendingBatches::AddUse(QueuePoint use, uint64_t first_serial, QueuePoints* uses) const {
  const auto is_of_queue = [&](const QueuePoint& known) { return known.queue == use.queue; };
  const auto is_replaced = [&](const QueuePoint& known) {
    return Find(known) == nullptr || (is_of_queue(known) && known.serial >= first_serial);
  };
  uses->erase(std::remove_if(uses->begin(), uses->end(), is_replaced), uses->end());
  if (std::count_if(uses->begin(), uses->end(), is_of_queue) > 1) {
    uses->erase(std::find_if(uses->begin(), uses->end(), is_of_queue));
  }
  uses->push_back(use);
}

const PendingBatch* PendingBatches::Find(QueuePoint point) const {
  if (point.queue == nullptr) return nullptr;
  const std::deque<PendingBatch>& batches = Of(*point.queue);
  const auto found = std::ranges::lower_bound(batches, point.serial, {}, &PendingBatch::serial);
  return found != batches.end() && found->serial == point.serial ? &*found : nullptr;
}

}  // namespace assay::state
