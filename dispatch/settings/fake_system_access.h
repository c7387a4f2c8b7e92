// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_FAKE_SYSTEM_ACCESS_H_
#define ASSAY_DISPATCH_SETTINGS_FAKE_SYSTEM_ACCESS_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dispatch/settings/system_access.h"

namespace assay::dispatch {

// The environment and files that a test gives.
struct FakeSystemAccess final : public SystemAccess {
  std::map<std::string, std::string> variables;
  std::map<std::string, std::string> files;
  std::set<std::string> directories;
  // Files that exist but may not be read.
  std::set<std::string> forbidden;

  std::vector<std::pair<std::string, std::string>> Environment() const override {
    return {variables.begin(), variables.end()};
  }

  FileKind Kind(const std::string& path) const override {
    if (directories.contains(path)) return FileKind::kDirectory;
    return files.contains(path) || forbidden.contains(path) ? FileKind::kFile : FileKind::kAbsent;
  }

  bool ReadFile(const std::string& path, std::string* contents, std::string* error) const override {
    const auto found = files.find(path);
    if (found != files.end()) *contents = found->second;
    if (found == files.end()) *error = forbidden.contains(path) ? "Permission denied" : "No such file or directory";
    return found != files.end();
  }
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_FAKE_SYSTEM_ACCESS_H_
