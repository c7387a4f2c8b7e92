// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/log/trace_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"

namespace assay::syncval::trace {
namespace {

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Only if there is no such file.
int Create(const std::string& path) { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

const Timeline& TimelineOf(DeviceNumber device, const TracedRun& run) {
  return std::ranges::find(run.live(), device, &TracedRun::Device::number)->timeline;
}

}  // namespace

std::string LogPathOf(const std::string& stem) { return absl::StrCat(stem, ".", ::getpid(), ".log"); }

TraceLog::~TraceLog() { Close(); }

void TraceLog::Close() {
  if (IsOpen()) ::close(file_);
  file_ = -1;
  path_.clear();
  size_ = kept_size_ = 0;
  is_good_ = true;
}

void TraceLog::LeaveToParent() {
  if (IsOpen() && process_ != ::getpid()) Close();
}

void TraceLog::Remove() {
  LeaveToParent();
  if (IsOpen()) ::unlink(path_.c_str());
  Close();
}

// A process of an earlier boot, or of another container, may have left a log with the same process id.
int TraceLog::CreateFile(std::string& path) const {
  constexpr int kTries = 1000;
  path = LogPathOf(stem_);
  int file = Create(path);
  for (int i = 2; file < 0 && errno == EEXIST && i < kTries; ++i) {
    path = absl::StrCat(stem_, ".", ::getpid(), ".", i, ".log");
    file = Create(path);
  }
  return file;
}

void TraceLog::Write(const TracedRun& run) {
  const bool is_first = !IsOpen();
  std::string path = path_ + ".new";
  if (!is_first) ::unlink(path.c_str());
  const int file = is_first ? CreateFile(path) : Create(path);
  uint64_t size = 0;
  bool is_good = file >= 0;
  LogEncoder encoder;
  std::string text = LogHeader();
  encoder.AddRun(run, text, [&] {
    is_good = is_good && WriteAll(file, text);
    size += text.size();
    text.clear();
  });
  is_good = is_good && (is_first || std::rename(path.c_str(), path_.c_str()) == 0);
  if (!is_good) {
    if (file >= 0) {
      ::close(file);
      ::unlink(path.c_str());
    }
    // The next try is as far away as after a success.
    kept_size_ = size_;
    is_good_ = !is_first;
    return;
  }
  if (is_first) {
    path_ = path;
    process_ = ::getpid();
  } else {
    ::close(file_);
  }
  file_ = file;
  encoder_ = std::move(encoder);
  size_ = kept_size_ = size;
}

void TraceLog::Append(const TracedRun& run) {
  is_good_ = WriteAll(file_, buffer_);
  size_ += buffer_.size();
  buffer_.clear();
  if (is_good_ && size_ > 2 * kept_size_ + slack_) Write(run);
}

void TraceLog::Begin(DeviceNumber device, const TracedRun& run) {
  LeaveToParent();
  if (!IsOpen() || !is_good_) return;
  encoder_.Begin(device, TimelineOf(device, run), buffer_);
  Append(run);
}

void TraceLog::AddQueue(DeviceNumber device, uint32_t index, const TracedRun& run) {
  LeaveToParent();
  if (!IsOpen() || !is_good_) return;
  encoder_.AddQueue(device, index, TimelineOf(device, run).queues[index], buffer_);
  Append(run);
}

void TraceLog::AddBatch(DeviceNumber device, const TracedRun& run) {
  LeaveToParent();
  if (!is_good_) return;
  if (!IsOpen()) return Write(run);
  encoder_.Add(device, TimelineOf(device, run).batches().back(), buffer_);
  Append(run);
}

void TraceLog::AddHazard(DeviceNumber device, const TracedRun& run) {
  LeaveToParent();
  if (!is_good_) return;
  if (!IsOpen()) return Write(run);
  encoder_.Add(device, TimelineOf(device, run).hazards().back(), buffer_);
  Append(run);
}

void TraceLog::End(DeviceNumber device, const TracedRun& run) {
  LeaveToParent();
  if (!IsOpen() || !is_good_) return;
  encoder_.End(device, buffer_);
  Append(run);
}

}  // namespace assay::syncval::trace
