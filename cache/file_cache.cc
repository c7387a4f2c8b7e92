// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/file_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "cache/entry.h"

namespace assay::cache {
namespace {

// A file in the making: "PROCESS-NUMBER.new". One that old belongs to a process that ended.
constexpr std::string_view kUnfinished = ".new";
constexpr time_t kSecondsToFinish = 3600;
// A file's time is set to now when it is used, but not more often than that.
constexpr time_t kSecondsBetweenUses = 600;
constexpr size_t kNameLength = 32;

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  const int number_;
};

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Less than `size` bytes if the file has become shorter meanwhile.
std::string ReadUpTo(int file, size_t size) {
  std::string bytes(size, '\0');
  size_t done = 0;
  while (done < size) {
    const ssize_t count = read(file, bytes.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

// Makes a folder and those above it. Others may do so at the same time.
void MakeFolders(const std::string& path) {
  for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    mkdir(path.substr(0, end).c_str(), S_IRWXU);
  }
  mkdir(path.c_str(), S_IRWXU);
}

bool IsEntryName(std::string_view name) {
  return name.size() == kNameLength && std::all_of(name.begin(), name.end(), absl::ascii_isxdigit);
}

}  // namespace

std::optional<std::string> UserCacheFolder(std::string_view name,
                                           absl::FunctionRef<const char*(const char* name)> environment) {
  const auto absolute = [&](const char* variable) -> std::optional<std::string_view> {
    const char* const value = environment(variable);
    if (value == nullptr || value[0] != '/') return std::nullopt;
    return value;
  };
  if (const auto caches = absolute("XDG_CACHE_HOME")) return absl::StrCat(*caches, "/assay/", name);
  if (const auto home = absolute("HOME")) return absl::StrCat(*home, "/.cache/assay/", name);
  return std::nullopt;
}

std::string FileCache::PathOf(std::string_view key) const {
  return absl::StrCat(options_.folder, "/", EntryName(options_.build, key));
}

bool FileCache::IsUsable(bool make) {
  FolderState state = folder_.load(std::memory_order_acquire);
  if (state == FolderState::kUsable) return true;
  if (state == FolderState::kRefused || (state == FolderState::kMissing && !make)) return false;
  if (options_.folder.empty() || options_.folder[0] != '/') {
    folder_.store(FolderState::kRefused, std::memory_order_release);
    return false;
  }
  if (make) MakeFolders(options_.folder);
  struct stat info = {};
  if (lstat(options_.folder.c_str(), &info) != 0) {
    // Not there yet, or not to be made.
    state = make || errno != ENOENT ? FolderState::kRefused : FolderState::kMissing;
  } else {
    const bool is_ours = S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    state = is_ours ? FolderState::kUsable : FolderState::kRefused;
  }
  folder_.store(state, std::memory_order_release);
  return state == FolderState::kUsable;
}

std::optional<std::string> FileCache::Find(std::string_view key) {
  if (!IsUsable(false)) return std::nullopt;
  const std::string path = PathOf(key);
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file) return std::nullopt;
  struct stat info = {};
  if (fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  if (static_cast<uint64_t>(info.st_size) > options_.max_bytes) return std::nullopt;
  std::string bytes = ReadUpTo(file.number(), static_cast<size_t>(info.st_size));
  const EntryContent content = ReadEntry(bytes, options_.build, key);
  if (!content.is_sound) {
    unlink(path.c_str());
    return std::nullopt;
  }
  if (!content.value) return std::nullopt;
  if (std::time(nullptr) - info.st_mtime > kSecondsBetweenUses) futimens(file.number(), nullptr);
  // The value is the end of the file.
  bytes.erase(0, static_cast<size_t>(content.value->data() - bytes.data()));
  return bytes;
}

void FileCache::Add(std::string_view key, std::string_view value) {
  if (key.size() + value.size() > options_.max_bytes / 8) return;
  if (!IsUsable(true)) return;
  const std::string bytes = MakeEntry(options_.build, key, value);
  if (Write(PathOf(key), bytes)) Grow(bytes.size());
}

bool FileCache::Write(const std::string& path, std::string_view bytes) {
  const std::string unfinished =
      absl::StrCat(options_.folder, "/", getpid(), "-", written_.fetch_add(1, std::memory_order_relaxed), kUnfinished);
  {
    const FileDescriptor file(
        open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file) return false;
    if (!WriteAll(file.number(), bytes)) {
      unlink(unfinished.c_str());
      return false;
    }
  }
  if (rename(unfinished.c_str(), path.c_str()) == 0) return true;
  unlink(unfinished.c_str());
  return false;
}

void FileCache::Grow(uint64_t bytes) {
  absl::MutexLock lock(&mutex_);
  if (bytes <= left_) {
    left_ -= bytes;
    return;
  }
  Trim();
  left_ = options_.max_bytes / 8;
}

void FileCache::Trim() const {
  struct Found {
    timespec used;
    uint64_t bytes;
    std::string name;
  };
  const FileDescriptor folder(open(options_.folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder) return;
  // closedir() closes what it is given.
  DIR* const entries = fdopendir(fcntl(folder.number(), F_DUPFD_CLOEXEC, 0));
  if (entries == nullptr) return;
  const time_t now = std::time(nullptr);
  std::vector<Found> files;
  uint64_t total = 0;
  while (const dirent* const entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    struct stat info = {};
    const bool is_unfinished = name.ends_with(kUnfinished);
    // Files of others are theirs.
    if (!is_unfinished && !IsEntryName(name)) continue;
    if (fstatat(folder.number(), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) continue;
    if (is_unfinished) {
      if (now - info.st_mtime > kSecondsToFinish) unlinkat(folder.number(), entry->d_name, 0);
      continue;
    }
    const auto bytes = static_cast<uint64_t>(info.st_size);
    total += bytes;
    files.push_back({info.st_mtim, bytes, std::string(name)});
  }
  closedir(entries);
  if (total <= options_.max_bytes) return;
  std::sort(files.begin(), files.end(), [](const Found& a, const Found& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Found& file : files) {
    if (total <= options_.max_bytes / 4 * 3) break;
    // Another process may have deleted it.
    unlinkat(folder.number(), file.name.c_str(), 0);
    total -= file.bytes;
  }
}

}  // namespace assay::cache
