// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/usage_source.h"

#include <algorithm>
#include <utility>

namespace assay::syncval {

void UsageSource::Refresh() {
  if (queue == nullptr) return;
  const state::QueueProgress& progress = queue->progress;
  is_over = serial <= std::max(progress.completed, progress.maybe_completed);
}

Execution UsageSources::MakeExecution(QueueIndex queue, uint32_t tag_count, UsageSource source) {
  sources_.push_back(std::move(source));
  return {.tag_count = tag_count, .queue = queue, .submission = next_++};
}

std::optional<UsageSource> UsageSources::Find(const ExecutionTable& executions, Tag tag, Tag* in_recording) const {
  const Execution* const execution = executions.Find(tag);
  const uint64_t first = next_ - sources_.size();
  if (execution == nullptr || execution->submission < first) return std::nullopt;
  *in_recording = execution->CommandOf(tag);
  UsageSource source = sources_[execution->submission - first];
  source.Refresh();
  return source;
}

void UsageSources::ShrinkTo(size_t size) {
  for (; sources_.size() > size; --next_) sources_.pop_back();
}

void UsageSources::DropCompleted(const ExecutionTable& executions) {
  while (sources_.size() > executions.size()) sources_.pop_front();
}

}  // namespace assay::syncval
