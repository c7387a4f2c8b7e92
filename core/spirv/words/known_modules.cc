// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/words/known_modules.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "absl/types/span.h"

namespace assay::core {
namespace {

// The only entry of the cache.
constexpr std::string_view kEntry = "valid modules";
// The file is written when it lacks so many keys, and a quarter of all.
constexpr size_t kManyUnsaved = 256;

std::string UserFolder() {
  // Not for a program with another user's rights.
  const auto variable = [](const char* name) -> const char* { return secure_getenv(name); };
  return cache::UserCacheFolder("shaders", variable).value_or("");
}

}  // namespace

KnownModules::KnownModules(std::string folder, std::string build) : build_(cache::UuidOf(build)) {
  if (folder.empty() || build.empty()) return;
  files_.emplace(cache::FileCacheOptions{.folder = std::move(folder), .build = std::move(build)});
}

KnownModules& KnownModules::OfProcess() {
  static auto* const modules = new KnownModules(UserFolder(), cache::BuildOfThisLibrary());
  return *modules;
}

bool KnownModules::Has(const cache::Key& key) const { return newer_.contains(key) || older_.contains(key); }

void KnownModules::InsertLocked(const cache::Key& key) {
  if (newer_.size() >= kMaxKeys / 2) {
    older_ = std::move(newer_);
    newer_.clear();
  }
  newer_.insert(key);
}

void KnownModules::Load() {
  absl::MutexLock lock(&file_mutex_);
  if (is_loaded_ || !files_) return;
  is_loaded_ = true;
  const std::string bytes = files_->Find(kEntry).value_or("");
  const cache::KeyData data =
      cache::ReadKeyData({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, build_);
  absl::MutexLock keys_lock(&mutex_);
  for (const cache::Key& key : data.keys) InsertLocked(key);
}

bool KnownModules::Contains(const cache::Key& key) {
  {
    absl::ReaderMutexLock lock(&mutex_);
    if (Has(key)) return true;
  }
  Load();
  absl::ReaderMutexLock lock(&mutex_);
  return Has(key);
}

void KnownModules::Insert(const cache::Key& key) {
  bool is_time_to_save = false;
  {
    absl::MutexLock lock(&mutex_);
    if (Has(key)) return;
    InsertLocked(key);
    ++unsaved_;
    is_time_to_save = unsaved_ >= std::max(kManyUnsaved, (newer_.size() + older_.size()) / 4);
  }
  if (is_time_to_save) Save();
}

void KnownModules::Save() {
  if (!files_) return;
  Load();
  absl::MutexLock file_lock(&file_mutex_);
  std::vector<cache::Key> keys;
  {
    absl::MutexLock lock(&mutex_);
    if (unsaved_ == 0) return;
    unsaved_ = 0;
    keys.assign(newer_.begin(), newer_.end());
    keys.insert(keys.end(), older_.begin(), older_.end());
  }
  const std::string before = files_->Find(kEntry).value_or("");
  for (const cache::Key& key :
       cache::ReadKeyData({reinterpret_cast<const uint8_t*>(before.data()), before.size()}, build_).keys) {
    if (keys.size() >= kMaxKeys) break;
    keys.push_back(key);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::string bytes(cache::KeyDataSize(keys.size()), '\0');
  cache::WriteKeyData(keys, build_, absl::MakeSpan(reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()));
  files_->Add(kEntry, bytes);
}

}  // namespace assay::core
