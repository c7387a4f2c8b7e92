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
  // Numbers of the caller, by which it finds what to report.
  uint64_t submission = 0;
  uint64_t command_buffer = 0;

  Tag CommandOf(Tag tag) const { return Tag{tag.value - base.value}; }
};

// Finds the execution that a tag of the device is of. Tags have 32 bits, which is enough for one command buffer and
// keeps states small. They are moved down before they run out.
class ExecutionTable {
 public:
  // The next tag.
  Tag next() const { return next_; }
  // Takes one tag for something that accesses nothing.
  Tag TakeTag() { return Tag{next_.value++}; }
  // Adds an execution and sets its base.
  const Execution& Add(Execution execution);
  // The execution of a tag; null if there is none, or if it was forgotten.
  const Execution* Find(Tag tag) const;

  // Takes back all executions but the first `size`, and all tags from `next` on.
  void ShrinkTo(size_t size, Tag next);
  // Forgets executions all of whose tags are before this one.
  void ForgetBefore(Tag tag);
  // Subtracts this from every tag. Forgets executions whose tags would be below 0.
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
