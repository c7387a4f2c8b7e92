// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_FILE_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_FILE_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

// A device that is being traced.
class TraceSource {
 public:
  // Calls read with the timeline so far, on any thread.
  virtual void Read(absl::FunctionRef<void(const Timeline&)> read) const = 0;

 protected:
  ~TraceSource() = default;
};

// The two files of a process's trace: PATH, and beside it PATH with the extension .html. There is one object for each
// path, and it lasts until the process ends. So the files have earlier devices and later ones, as far as the limit
// allows. The files are written whenever a device is destroyed, and at the end of the process for devices that were
// not. Thread safe.
class TraceFile {
 public:
  static TraceFile& Of(const std::string& path);

  // Whether both files can be written; sets errno if not.
  bool IsWritable() const;

  void Begin(const TraceSource& source);
  // The device is gone. Its timeline remains.
  void End(const TraceSource& source, std::unique_ptr<const Timeline> timeline);
  // Writes the files if there are sources that did not end.
  void WriteAtExit();

  const std::string& json_path() const { return json_path_; }
  const std::string& page_path() const { return page_path_; }

 private:
  explicit TraceFile(const std::string& path);

  void Write(const std::vector<const Timeline*>& timelines) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Collect(std::vector<const Timeline*>& timelines) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string json_path_;
  const std::string page_path_;
  absl::Mutex mutex_;
  std::vector<const TraceSource*> sources_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::unique_ptr<const Timeline>> ended_ ABSL_GUARDED_BY(mutex_);
};

// "/tmp/run.json" gives "/tmp/run.html".
std::string PagePathOf(const std::string& json_path);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_FILE_H_
