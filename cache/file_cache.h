// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_FILE_CACHE_H_
#define ASSAY_CACHE_FILE_CACHE_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"

namespace assay::cache {

struct FileCacheOptions {
  // An absolute path. It is made, with the folders above it, when something is first added. If it exists, it must be a
  // folder that belongs to the user and that nobody else may write to; otherwise there is no cache.
  std::string folder;
  // What made the values. Those of another build are never returned.
  std::string build;
  // For all files together. One that would take more than an eighth of it is not kept.
  uint64_t max_bytes = uint64_t{256} << 20;
};

// The folder "assay/NAME" among the user's caches: in $XDG_CACHE_HOME, or in .cache of $HOME. Nothing if neither is an
// absolute path. `environment` looks a variable up, as getenv does.
std::optional<std::string> UserCacheFolder(std::string_view name,
                                           absl::FunctionRef<const char*(const char* name)> environment);

// See cache.h. Thread-safe.
class FileCache {
 public:
  explicit FileCache(FileCacheOptions options) : options_(std::move(options)) {}
  FileCache(const FileCache&) = delete;
  FileCache& operator=(const FileCache&) = delete;

  // The value of a key. Nothing if there is none.
  std::optional<std::string> Find(std::string_view key);
  // Keeps a value, in place of the one that the key has.
  void Add(std::string_view key, std::string_view value);

 private:
  enum class FolderState : uint8_t { kUnknown, kUsable, kMissing, kRefused };

  std::string PathOf(std::string_view key) const;
  // Looks at the folder, and makes it if asked to.
  bool IsUsable(bool make) ABSL_LOCKS_EXCLUDED(mutex_);
  bool Write(const std::string& path, std::string_view bytes);
  // Notes that so many bytes were written. Trims now and then, the first time at once.
  void Grow(uint64_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  // If the files take more than max_bytes, deletes what was not used for longest, until they take three quarters of
  // that. Deletes what others left behind unfinished.
  void Trim() const;

  const FileCacheOptions options_;
  std::atomic<FolderState> folder_{FolderState::kUnknown};
  std::atomic<uint32_t> written_{0};
  absl::Mutex mutex_;
  // Bytes that may be written before the next look at what all processes have written.
  uint64_t left_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay::cache

#endif  // ASSAY_CACHE_FILE_CACHE_H_
