// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_RECORDING_CHECK_H_
#define ASSAY_SYNCVAL_TRACE_LOG_RECORDING_CHECK_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "syncval/trace/recorded/recorded_trace.h"
#include "syncval/trace/timeline/timeline.h"

// Whether what was read from a log can be given to all outputs. Whoever made it, no index may lead out of bounds, and
// no few bytes may stand for more than memory holds.
namespace assay::syncval::trace {

bool IsCommand(vk::CommandId id);

// Whether all indices of a recording are within its arrays, and all enumerations have values of theirs.
bool IsConsistent(const RecordedTrace& recording);

// The weights of recordings. A recording that executes secondaries has all of their commands, each time. So a short
// log can have any number of commands, and nest as deeply.
class RecordingWeights {
 public:
  // False if the recording is not consistent, or too heavy. The recordings that it executes were added before.
  bool Add(const RecordedTrace& recording);
  // False if the recordings of the batch are too heavy together.
  bool Allow(const TracedBatch& batch) const;

 private:
  struct Weight {
    // Commands and recordings, with those of secondaries.
    uint64_t size = 0;
    uint32_t depth = 0;
  };

  absl::flat_hash_map<const RecordedTrace*, Weight> weights_;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_RECORDING_CHECK_H_
