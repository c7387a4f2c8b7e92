// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/label_stacks.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace assay::messages {

void LabelStacks::Stack::Set(size_t index, const char* name, const float (&color)[4]) {
  if (labels.size() <= index) labels.resize(index + 1);
  Label& label = labels[index];
  label.name = name != nullptr ? name : "";
  std::copy(std::begin(color), std::end(color), std::begin(label.color));
}

void LabelStacks::Begin(ObjectRef object, const char* name, const float (&color)[4]) {
  is_used_.store(true, std::memory_order_relaxed);
  Shard& shard = ShardOf(object);
  absl::MutexLock lock(&shard.mutex);
  Stack& stack = shard.stacks[object];
  stack.Set(stack.depth++, name, color);
  stack.has_inserted = false;
}

void LabelStacks::End(ObjectRef object) {
  Shard& shard = ShardOf(object);
  absl::MutexLock lock(&shard.mutex);
  const auto found = shard.stacks.find(object);
  if (found == shard.stacks.end()) return;
  if (found->second.depth != 0) --found->second.depth;
  found->second.has_inserted = false;
}

void LabelStacks::Insert(ObjectRef object, const char* name, const float (&color)[4]) {
  is_used_.store(true, std::memory_order_relaxed);
  Shard& shard = ShardOf(object);
  absl::MutexLock lock(&shard.mutex);
  Stack& stack = shard.stacks[object];
  stack.Set(stack.depth, name, color);
  stack.has_inserted = true;
}

void LabelStacks::Clear(ObjectRef object) {
  if (!is_used_.load(std::memory_order_relaxed)) return;
  Shard& shard = ShardOf(object);
  absl::MutexLock lock(&shard.mutex);
  const auto found = shard.stacks.find(object);
  if (found == shard.stacks.end()) return;
  found->second.depth = 0;
  found->second.has_inserted = false;
}

void LabelStacks::Remove(ObjectRef object) {
  if (!is_used_.load(std::memory_order_relaxed)) return;
  Shard& shard = ShardOf(object);
  absl::MutexLock lock(&shard.mutex);
  shard.stacks.erase(object);
}

std::vector<Label> LabelStacks::Get(ObjectRef object) const {
  if (!is_used_.load(std::memory_order_relaxed)) return {};
  const Shard& shard = shards_[ShardIndexOf(object)];
  absl::MutexLock lock(&shard.mutex);
  const auto found = shard.stacks.find(object);
  if (found == shard.stacks.end()) return {};
  const Stack& stack = found->second;
  const auto count = static_cast<ptrdiff_t>(stack.depth + (stack.has_inserted ? 1 : 0));
  return {stack.labels.begin(), stack.labels.begin() + count};
}

}  // namespace assay::messages
