// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_STATE_MERGER_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_STATE_MERGER_H_

#include <vector>

#include "syncval/engine/accesses/access_state.h"

namespace assay::syncval {

// Merges the state that another queue has of some bytes into that of this queue, as a wait for a semaphore does. See
// "Resolve" in engine.h. A context keeps one of these for its memory.
class StateMerger {
 public:
  // The later write stays: it was compared with the earlier one when it was recorded. Reads stay if they are after it.
  // Both states have seen the same part of the log. The reads of incoming are in incoming_reads, not in pool.
  void Merge(StatePool& pool, AccessState& state, const AccessState& incoming);

  std::vector<ReadRecord> incoming_reads;

 private:
  void MergeReads(StatePool& pool, AccessState& state);

  std::vector<ReadRecord> new_reads_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_STATE_MERGER_H_
