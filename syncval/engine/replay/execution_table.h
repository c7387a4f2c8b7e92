// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REPLAY_EXECUTION_TABLE_H_
#define ASSAY_SYNCVAL_ENGINE_REPLAY_EXECUTION_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>

#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// One execution of a command buffer on a queue. It takes the tags from base on, one for each of its commands: a tag
// less base is the command's tag in its recording.
struct Execution {
  Tag base;
  uint32_t tag_count = 0;
  QueueIndex queue = {};
  // The caller's, to find the words for a report by.
  uint64_t submission = 0;
  uint64_t command_buffer = 0;

  Tag CommandOf(Tag tag) const { return Tag{tag.value - base.value}; }
};

// Says which execution a tag of the device is of. Tags have 32 bits, so that a recorded state is no larger than it has
// to be for one command buffer, and are moved down before they run out.
class ExecutionTable {
 public:
  // The next tag.
  Tag next() const { return next_; }
  // Takes one tag for something that accesses nothing.
  Tag TakeTag() { return Tag{next_.value++}; }
  // The execution's base is overwritten.
  const Execution& Add(Execution execution);
  // Null for a tag that no execution has, or none that is still remembered.
  const Execution* Find(Tag tag) const;

  // Forgets executions all of whose tags are before this one.
  void ForgetBefore(Tag tag);
  // Takes as much from every tag; executions before that are forgotten.
  void MoveDown(uint32_t by);
  size_t size() const { return executions_.size(); }

 private:
  // 0 is before every tag.
  Tag next_{1};
  // In the order of their tags.
  std::deque<Execution> executions_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REPLAY_EXECUTION_TABLE_H_
