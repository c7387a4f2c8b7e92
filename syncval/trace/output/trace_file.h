// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_FILE_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "syncval/trace/log/trace_log.h"
#include "syncval/trace/timeline/timeline.h"
#include "syncval/trace/timeline/traced_run.h"

namespace assay::syncval::trace {

// The files of a process's trace: PATH, and beside it PATH with the extension .html. There is one object for each
// path, and it lasts until the process ends. So the files have earlier devices and later ones, as far as the limit
// allows. The files are written whenever a device is destroyed, and at the end of the process for devices that were
// not.
//
// A process that is killed writes neither. For that case there is a log of the run (trace_log.h) while a device lives
// that submitted something. It is removed when both files were written and no device lives.
//
// Thread safe. Under the lock, no other lock is taken.
class TraceFile {
 public:
  static TraceFile& Of(const std::string& path);

  // The first of the two files and the log that cannot be written; errno is the reason. Empty if all can be.
  std::string FirstUnwritable() const;

  // name describes the device: "VkDevice 0x12".
  DeviceNumber Begin(std::string name, uint32_t limit);
  // What follows is about a device that began and did not end.
  void SetQueue(DeviceNumber device, uint32_t index, TracedQueue queue);
  void Add(DeviceNumber device, TracedBatch batch);
  void Add(DeviceNumber device, TimelineHazard hazard);
  void End(DeviceNumber device);

  // Writes the files if there are devices that did not end. There is no log from then on.
  void WriteAtExit();

 private:
  explicit TraceFile(const std::string& path);

  void Write() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Absolute, since the process may change its working directory.
  const std::string json_path_;
  absl::Mutex mutex_;
  DeviceNumber last_device_ ABSL_GUARDED_BY(mutex_) = 0;
  TracedRun run_ ABSL_GUARDED_BY(mutex_);
  TraceLog log_ ABSL_GUARDED_BY(mutex_);
  bool has_exited_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_FILE_H_
