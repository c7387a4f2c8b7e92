// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SYSTEM_ACCESS_H_
#define ASSAY_DISPATCH_SETTINGS_SYSTEM_ACCESS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::dispatch {

// What settings are read from outside of Vulkan; tests have one of their own.
class SystemAccess {
 public:
  enum class FileKind : uint8_t { kAbsent, kFile, kDirectory };

  virtual ~SystemAccess() = default;

  // Every environment variable, name and value.
  virtual std::vector<std::pair<std::string, std::string>> Environment() const = 0;
  virtual FileKind Kind(const std::string& path) const = 0;
  // Replaces contents by the file's; if that fails returns false and sets error to why ("Permission denied").
  virtual bool ReadFile(const std::string& path, std::string* contents, std::string* error) const = 0;
};

// This process. In a program that runs with another user's rights (set-user-ID) it is a system with an empty
// environment and no files, so that whoever starts the program cannot have it write where they may not.
const SystemAccess& ProcessSystemAccess();

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SYSTEM_ACCESS_H_
