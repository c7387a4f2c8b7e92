// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_SINKS_SARIF_FILE_H_
#define ASSAY_MESSAGES_SINKS_SARIF_FILE_H_

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "messages/message/message.h"

namespace assay::messages {

// One run in the Static Analysis Results Interchange Format, version 2.1.0, which code hosts and editors read. After
// each added result the file is complete and valid, so it is useful after a crash too, or if the application never
// destroys its instance. Finish() adds the rules. A result's property bag has the data that SARIF has no place for:
// objects, labels, the fix, and Message::properties as "details". Thread safe.
class SarifFile {
 public:
  // The first time that this process opens a file, it is emptied. Later calls return the same object, so several
  // instances share one run. Null if the file cannot be written; errno is the reason.
  static std::shared_ptr<SarifFile> Open(const std::string& path);

  explicit SarifFile(std::FILE* file);
  ~SarifFile();
  SarifFile(const SarifFile&) = delete;
  SarifFile& operator=(const SarifFile&) = delete;

  // object_names are the names of message.objects, one for each. With a reason, the result is marked as suppressed.
  void Add(const Message& message, std::span<const std::string> object_names,
           std::optional<std::string_view> suppression_reason = std::nullopt);

  // Writes the rules of the results so far. More results may follow.
  void Finish();

 private:
  // Replaces the text after the last result.
  void WriteEnd(std::string_view results, std::string_view rules) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  std::FILE* const file_ ABSL_GUARDED_BY(mutex_);
  long end_of_results_ ABSL_GUARDED_BY(mutex_) = 0;
  bool has_results_ ABSL_GUARDED_BY(mutex_) = false;
  // The specification's sentence of each id, "" when it has none.
  std::map<std::string, std::string> rules_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_SINKS_SARIF_FILE_H_
