// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_SINKS_LOG_FILE_H_
#define ASSAY_MESSAGES_SINKS_LOG_FILE_H_

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace assay::messages {

// Where log entries are written. Thread safe: an entry is written whole.
class LogFile {
 public:
  // "stdout" or "" is standard output, "stderr" standard error, anything else a path. A file is emptied the first time
  // that this process opens it and written on from then on, so that several instances may share one. Null when the file
  // cannot be written; errno then says why.
  static std::shared_ptr<LogFile> Open(const std::string& name);

  explicit LogFile(std::FILE* file) : file_(file) {}
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  // Writes the text and a line feed, and flushes, since the program may be about to crash.
  void Write(std::string_view text);

 private:
  std::FILE* const file_;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_SINKS_LOG_FILE_H_
