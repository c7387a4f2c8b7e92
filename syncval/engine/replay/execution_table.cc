// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/replay/execution_table.h"

#include <algorithm>

namespace assay::syncval {

const Execution& ExecutionTable::Add(Execution execution) {
  execution.base = next_;
  next_.value += execution.tag_count;
  return executions_.emplace_back(execution);
}

const Execution* ExecutionTable::Find(Tag tag) const {
  auto after = std::ranges::upper_bound(executions_, tag, {}, &Execution::base);
  if (after == executions_.begin()) return nullptr;
  const Execution& execution = *--after;
  return tag.value - execution.base.value < execution.tag_count ? &execution : nullptr;
}

void ExecutionTable::ShrinkTo(size_t size, Tag next) {
  while (executions_.size() > size) executions_.pop_back();
  next_ = next;
}

void ExecutionTable::ForgetBefore(Tag tag) {
  while (!executions_.empty() && executions_.front().base.value + executions_.front().tag_count <= tag.value) {
    executions_.pop_front();
  }
}

void ExecutionTable::MoveDown(uint32_t by) {
  while (!executions_.empty() && executions_.front().base.value <= by) executions_.pop_front();
  for (Execution& execution : executions_) execution.base.value -= by;
  next_.value -= by;
}

}  // namespace assay::syncval
