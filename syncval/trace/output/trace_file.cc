// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_file.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "absl/strings/str_cat.h"
#include "syncval/trace/output/trace_json.h"
#include "syncval/trace/output/trace_page.h"

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

// Keeps the contents that an earlier device wrote.
bool CanWrite(const std::string& path) { return std::ofstream(path, std::ios::app).good(); }

}  // namespace

std::string PagePathOf(const std::string& json_path) {
  const size_t dot = json_path.rfind('.');
  const size_t slash = json_path.rfind('/');
  const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  const std::string stem = has_extension ? json_path.substr(0, dot) : json_path;
  // If the setting itself ends in .html, the page must not overwrite the trace.
  const std::string page = stem + ".html";
  return page == json_path ? stem + ".page.html" : page;
}

TraceFile& TraceFile::Of(const std::string& path) {
  absl::MutexLock lock(&AllFiles().mutex);
  if (AllFiles().by_path.empty()) std::atexit(WriteAllAtExit);
  TraceFile*& file = AllFiles().by_path[path];
  if (file == nullptr) file = new TraceFile(path);
  return *file;
}

TraceFile::TraceFile(const std::string& path) : json_path_(path), page_path_(PagePathOf(path)) {}

bool TraceFile::IsWritable() const { return CanWrite(json_path_) && CanWrite(page_path_); }

void TraceFile::Begin(const TraceSource& source) {
  absl::MutexLock lock(&mutex_);
  sources_.push_back(&source);
}

void TraceFile::End(const TraceSource& source, std::unique_ptr<const Timeline> timeline) {
  absl::MutexLock lock(&mutex_);
  std::erase(sources_, &source);
  const uint32_t limit = timeline->limit();
  // Devices that submitted nothing are left out. Programs create them to query properties.
  if (!timeline->batches().empty() || ended_.empty()) ended_.push_back(std::move(timeline));
  uint64_t commands = 0;
  for (const auto& other : ended_) commands += other->commands() + other->batches().size();
  while (ended_.size() > 1 && (commands > limit || ended_.front()->batches().empty())) {
    commands -= ended_.front()->commands() + ended_.front()->batches().size();
    ended_.pop_front();
  }
  std::vector<const Timeline*> timelines;
  Collect(timelines);
  Write(timelines);
}

void TraceFile::Collect(std::vector<const Timeline*>& timelines) const {
  for (const auto& timeline : ended_) timelines.push_back(timeline.get());
}

void TraceFile::WriteAtExit() {
  absl::MutexLock lock(&mutex_);
  if (sources_.empty()) return;
  std::vector<const Timeline*> timelines;
  Collect(timelines);
  // Timelines must not change while they are written.
  const auto with_rest = [&](auto&& self, size_t next) -> void {
    if (next == sources_.size()) {
      mutex_.AssertHeld();
      return Write(timelines);
    }
    sources_[next]->Read([&](const Timeline& timeline) {
      timelines.push_back(&timeline);
      self(self, next + 1);
    });
  };
  with_rest(with_rest, 0);
}

void TraceFile::Write(const std::vector<const Timeline*>& timelines) const {
  std::ofstream json(json_path_, std::ios::binary);
  WriteTraceJson(timelines, json);
  std::ofstream page(page_path_, std::ios::binary);
  WriteTracePage(timelines, page);
}

}  // namespace assay::syncval::trace
