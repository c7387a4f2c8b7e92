// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/system_access.h"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::dispatch {
namespace {

class Process final : public SystemAccess {
 public:
  std::vector<std::pair<std::string, std::string>> Environment() const override {
    std::vector<std::pair<std::string, std::string>> result;
    if (restricted_ || environ == nullptr) return result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string_view text = *entry;
      const size_t equals = text.find('=');
      if (equals != text.npos) result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return result;
  }

  FileKind Kind(const std::string& path) const override {
    struct stat status;
    if (restricted_ || stat(path.c_str(), &status) != 0) return FileKind::kAbsent;
    return S_ISDIR(status.st_mode) ? FileKind::kDirectory : FileKind::kFile;
  }

  bool ReadFile(const std::string& path, std::string* contents, std::string* error) const override {
    contents->clear();
    std::FILE* file = restricted_ ? nullptr : std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
      *error = std::strerror(restricted_ ? EACCES : errno);
      return false;
    }
    char buffer[4096];
    size_t length;
    while ((length = std::fread(buffer, 1, sizeof(buffer), file)) > 0) contents->append(buffer, length);
    const bool failed = std::ferror(file) != 0;
    if (failed) *error = std::strerror(errno);
    std::fclose(file);
    return !failed;
  }

 private:
  const bool restricted_ = getauxval(AT_SECURE) != 0;
};

}  // namespace

const SystemAccess& ProcessSystemAccess() {
  static const Process process;
  return process;
}

}  // namespace assay::dispatch
