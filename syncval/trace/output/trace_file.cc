// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "syncval/trace/output/write_trace.h"

namespace assay::syncval::trace {
namespace {

struct Files {
  absl::Mutex mutex;
  std::map<std::string, TraceFile*> by_path ABSL_GUARDED_BY(mutex);
};

// Never destroyed, since devices may outlast static objects.
Files& AllFiles() {
  static Files& files = *new Files;
  return files;
}

void WriteAllAtExit() {
  std::vector<TraceFile*> files;
  {
    absl::MutexLock lock(&AllFiles().mutex);
    for (const auto& [path, file] : AllFiles().by_path) files.push_back(file);
  }
  for (TraceFile* file : files) file->WriteAtExit();
}

// Whether the file can be written, or made where there is none; sets errno if not. It is neither emptied nor made:
// until the trace is written, what an earlier process wrote stays.
bool CanWrite(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    errno = EISDIR;
    return false;
  }
  if (::access(path.c_str(), W_OK) == 0) return true;
  return errno == ENOENT && ::access(std::filesystem::path(path).parent_path().c_str(), W_OK | X_OK) == 0;
}

std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.string();
}

}  // namespace

TraceFile& TraceFile::Of(const std::string& path) {
  absl::MutexLock lock(&AllFiles().mutex);
  if (AllFiles().by_path.empty()) std::atexit(WriteAllAtExit);
  TraceFile*& file = AllFiles().by_path[path];
  if (file == nullptr) file = new TraceFile(path);
  return *file;
}

TraceFile::TraceFile(const std::string& path) : json_path_(AbsolutePath(path)), log_(StemOf(json_path_)) {}

std::string TraceFile::FirstUnwritable() const {
  for (const std::string& path : {json_path_, PagePathOf(json_path_), LogPathOf(StemOf(json_path_))}) {
    if (!CanWrite(path)) return path;
  }
  return "";
}

DeviceNumber TraceFile::Begin(std::string name, uint32_t limit) {
  absl::MutexLock lock(&mutex_);
  Timeline timeline(limit);
  timeline.device = std::move(name);
  run_.Begin(++last_device_, std::move(timeline));
  if (!has_exited_) log_.Begin(last_device_, run_);
  return last_device_;
}

void TraceFile::SetQueue(DeviceNumber device, uint32_t index, TracedQueue queue) {
  absl::MutexLock lock(&mutex_);
  run_.Find(device)->SetQueue(index, std::move(queue));
  if (!has_exited_) log_.AddQueue(device, index, run_);
}

void TraceFile::Add(DeviceNumber device, TracedBatch batch) {
  absl::MutexLock lock(&mutex_);
  run_.Find(device)->Add(std::move(batch));
  if (!has_exited_) log_.AddBatch(device, run_);
}

void TraceFile::Add(DeviceNumber device, TimelineHazard hazard) {
  absl::MutexLock lock(&mutex_);
  run_.Find(device)->Add(std::move(hazard));
  if (!has_exited_) log_.AddHazard(device, run_);
}

void TraceFile::End(DeviceNumber device) {
  absl::MutexLock lock(&mutex_);
  run_.End(device);
  if (!has_exited_) log_.End(device, run_);
  Write();
}

void TraceFile::WriteAtExit() {
  absl::MutexLock lock(&mutex_);
  has_exited_ = true;
  if (!run_.live().empty()) Write();
}

void TraceFile::Write() {
  if (WriteTrace(run_.timelines(), json_path_) && (has_exited_ || run_.live().empty())) log_.Remove();
}

}  // namespace assay::syncval::trace
