// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_TRACE_LOG_H_
#define ASSAY_SYNCVAL_TRACE_LOG_TRACE_LOG_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "syncval/trace/log/log_encoder.h"
#include "syncval/trace/timeline/traced_run.h"

namespace assay::syncval::trace {

// The log of a run, for the case that the process is killed. Each change of the run is in the file when the call
// returns, by write(2): it survives the process, though not the machine.
//
// The file is made with the first batch or hazard. It has everything that the run keeps then, so that a log can be
// removed and made again at any time. Its size is bounded by what the run keeps: when it has grown to more than twice
// what it was, it is written anew and replaced. Each process has a file of its own; so has the child of a fork.
//
// All but Remove take the run after the change. If a write fails, as on a full disk, the file ends there until it is
// removed.
class TraceLog {
 public:
  // stem is the path without an extension: "/tmp/run" gives "/tmp/run.4711.log", where 4711 is the process's id. The
  // log may always grow by slack bytes before it is written anew.
  explicit TraceLog(std::string stem, uint64_t slack = uint64_t{4} << 20) : stem_(std::move(stem)), slack_(slack) {}
  ~TraceLog();
  TraceLog(const TraceLog&) = delete;
  TraceLog& operator=(const TraceLog&) = delete;

  void Begin(DeviceNumber device, const TracedRun& run);
  void AddQueue(DeviceNumber device, uint32_t index, const TracedRun& run);
  // The newest batch, or hazard, of a device that lives.
  void AddBatch(DeviceNumber device, const TracedRun& run);
  void AddHazard(DeviceNumber device, const TracedRun& run);
  void End(DeviceNumber device, const TracedRun& run);

  // Removes the file of this process, if there is one.
  void Remove();

  // Of the file; empty when there is none.
  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }

 private:
  bool IsOpen() const { return file_ >= 0; }
  // Leaves the file to the process that made it.
  void LeaveToParent();
  void Close();
  void Append(const TracedRun& run);
  // Makes the file, or replaces it, with what the run keeps.
  void Write(const TracedRun& run);
  int CreateFile(std::string& path) const;

  const std::string stem_;
  const uint64_t slack_;
  LogEncoder encoder_;
  std::string path_;
  int file_ = -1;
  pid_t process_ = 0;
  // No write has failed since the file was made.
  bool is_good_ = true;
  uint64_t size_ = 0;
  // After it was written anew.
  uint64_t kept_size_ = 0;
  // Records that are not yet in the file.
  std::string buffer_;
};

// The path of a log of this process, though it need not be the one that is used: another process may have had this id.
std::string LogPathOf(const std::string& stem);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_TRACE_LOG_H_
