// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_KNOWN_MODULES_H_
#define ASSAY_CORE_SPIRV_KNOWN_MODULES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "cache/cache.h"

namespace assay::core {

// Modules that were found valid, by their keys: of this process, and of runs before it. Thread-safe; no lock is held
// longer than a look-up takes, but for what files need.
//
// The file is one entry of a cache::FileCache. Several processes may write it: each adds what the file has by then to
// its own. What gets lost when two write at once is found valid again.
class KnownModules {
 public:
  // There is no file without a folder. A build that cannot be told from others ("") has none either.
  KnownModules(std::string folder, std::string build);
  KnownModules(const KnownModules&) = delete;
  KnownModules& operator=(const KnownModules&) = delete;

  // Those of this process. The file is in the user's folder for caches, assay/shaders.
  static KnownModules& OfProcess();

  bool Contains(const cache::Key& key);
  // Writes the file when there is much that it does not have.
  void Insert(const cache::Key& key);
  // Writes what the file does not have.
  void Save();

  // So many keys are kept at most; what was inserted longest ago goes first, in large steps.
  static constexpr size_t kMaxKeys = size_t{1} << 16;

 private:
  void Load() ABSL_LOCKS_EXCLUDED(file_mutex_, mutex_);
  void InsertLocked(const cache::Key& key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Has(const cache::Key& key) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  // Null without a file.
  std::optional<cache::FileCache> files_;
  const cache::Uuid build_;
  absl::Mutex file_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  bool is_loaded_ ABSL_GUARDED_BY(file_mutex_) = false;
  absl::Mutex mutex_;
  // When the newer ones are half of kMaxKeys, they become the older ones.
  absl::flat_hash_set<cache::Key> newer_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<cache::Key> older_ ABSL_GUARDED_BY(mutex_);
  // How many the file does not have.
  size_t unsaved_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_KNOWN_MODULES_H_
