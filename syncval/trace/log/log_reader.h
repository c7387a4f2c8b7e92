// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_LOG_READER_H_
#define ASSAY_SYNCVAL_TRACE_LOG_LOG_READER_H_

#include <cstddef>
#include <string_view>

#include "syncval/trace/timeline/traced_run.h"

namespace assay::syncval::trace {

enum class LogState {
  kWhole,
  // The last record is not whole: the process was killed while it wrote, or the disk was full.
  kCut,
  // A record is not what the layer writes.
  kDamaged,
  // By a layer with another version of the log or of Vulkan.
  kOtherVersion,
  kNoLog,
};

struct LogContents {
  LogState state = LogState::kWhole;
  // As it was after the last record that could be read.
  TracedRun run;
  // Of the log, up to there.
  size_t size = 0;
};

// Reads the bytes of a log up to the first record that cannot be read. Any bytes may be given. The run can be given to
// all outputs.
LogContents ReadLog(std::string_view log);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_LOG_READER_H_
