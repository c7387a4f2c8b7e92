// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_LOG_ENCODER_H_
#define ASSAY_SYNCVAL_TRACE_LOG_LOG_ENCODER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "syncval/trace/log/log_format.h"
#include "syncval/trace/recorded/recorded_trace.h"
#include "syncval/trace/timeline/traced_run.h"

namespace assay::syncval::trace {

// Makes the records of one log. It knows which recordings the log has: a batch brings only those that are new.
class LogEncoder {
 public:
  // Each appends records to log.
  void Begin(DeviceNumber device, const Timeline& timeline, std::string& log);
  void AddQueue(DeviceNumber device, uint32_t index, const TracedQueue& queue, std::string& log);
  void Add(DeviceNumber device, const TracedBatch& batch, std::string& log);
  void Add(DeviceNumber device, const TimelineHazard& hazard, std::string& log);
  void End(DeviceNumber device, std::string& log);

  // Everything that a run keeps, after which a log goes on. Calls flush whenever log has become long; flush empties it.
  void AddRun(const TracedRun& run, std::string& log, absl::FunctionRef<void()> flush);

 private:
  struct Known {
    // Of the recording with this address. Another may get the same address when it is gone.
    std::weak_ptr<const RecordedTrace> recording;
    uint64_t number = 0;
  };

  template <class Write>
  void AppendFields(RecordKind kind, Write&& write, std::string& log);
  void AddRecording(const RecordedTraceRef& recording, std::string& log);
  void AddDevice(const TracedRun::Device& device, std::string& log, absl::FunctionRef<void()> flush);

  absl::flat_hash_map<const RecordedTrace*, Known> known_;
  uint64_t last_number_ = 0;
  // The record in progress.
  std::string record_;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_LOG_ENCODER_H_
