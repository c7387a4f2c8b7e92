// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SYSTEM_ACCESS_H_
#define ASSAY_DISPATCH_SETTINGS_SYSTEM_ACCESS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::dispatch {

// The environment and files that settings are read from. Tests have an implementation of their own.
class SystemAccess {
 public:
  enum class FileKind : uint8_t { kAbsent, kFile, kDirectory };

  virtual ~SystemAccess() = default;

  // Every environment variable, name and value.
  virtual std::vector<std::pair<std::string, std::string>> Environment() const = 0;
  virtual FileKind Kind(const std::string& path) const = 0;
  // Replaces contents by the file's. On failure returns false and sets error to the reason ("Permission denied").
  virtual bool ReadFile(const std::string& path, std::string* contents, std::string* error) const = 0;
};

// The environment and files of this process. A program that runs with another user's rights (set-user-ID) has an empty
// environment and no files. So a user who starts such a program cannot make it write to files of that other user.
const SystemAccess& ProcessSystemAccess();

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SYSTEM_ACCESS_H_
