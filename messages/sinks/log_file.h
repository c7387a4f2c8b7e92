// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_SINKS_LOG_FILE_H_
#define ASSAY_MESSAGES_SINKS_LOG_FILE_H_

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace assay::messages {

// The destination of log entries. Thread safe: an entry is written whole.
class LogFile {
 public:
  // "stdout" or "" is standard output, "stderr" standard error, anything else a path. The first time that this process
  // opens a file, it is emptied; later it is appended to, so several instances may share it. Null if the file cannot be
  // written; errno is the reason.
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
