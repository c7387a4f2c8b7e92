// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/sinks/log_file.h"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/const_init.h"
#include "absl/base/no_destructor.h"
#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"

namespace assay::messages {
namespace {

// Empties the file unless this process has done so already.
bool TruncateOnce(const std::string& path) {
  static absl::Mutex mutex(absl::kConstInit);
  static absl::NoDestructor<absl::flat_hash_set<std::string>> emptied;
  absl::MutexLock lock(&mutex);
  if (emptied->contains(path)) return true;
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fclose(file);
  emptied->insert(path);
  return true;
}

}  // namespace

std::shared_ptr<LogFile> LogFile::Open(const std::string& name) {
  if (name.empty() || name == "stdout") return std::make_shared<LogFile>(stdout);
  if (name == "stderr") return std::make_shared<LogFile>(stderr);
  if (!TruncateOnce(name)) return nullptr;
  std::FILE* file = std::fopen(name.c_str(), "a");
  return file == nullptr ? nullptr : std::make_shared<LogFile>(file);
}

LogFile::~LogFile() {
  if (file_ != stdout && file_ != stderr) std::fclose(file_);
}

void LogFile::Write(std::string_view text) {
  const std::string line = absl::StrCat(text, "\n");
  std::fwrite(line.data(), 1, line.size(), file_);
  std::fflush(file_);
}

}  // namespace assay::messages
