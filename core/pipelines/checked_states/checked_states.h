// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_CHECKED_STATES_CHECKED_STATES_H_
#define ASSAY_CORE_PIPELINES_CHECKED_STATES_CHECKED_STATES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"

// Private to the package. Programs make thousands of pipelines with a few dozen sets of states, and other shaders. What
// was found right is not looked at again.
namespace assay::core {

class GraphicsView;

// Bytes that two create infos have in common only if all that rules read of them is the same, but for the code of
// shaders: the states, the stages, and the handles of what the pipeline is made with.
class StatesKey {
 public:
  // To be written from its beginning on, and ended behind what was written.
  absl::Span<char> room() { return absl::MakeSpan(bytes_); }
  void EndAt(const char* end) { size_ = static_cast<size_t>(end - bytes_); }
  std::string_view bytes() const { return {bytes_, size_}; }

 private:
  size_t size_ = 0;
  char bytes_[2048];
};

// Writes the key of a create info. False if it has what keys do not hold: libraries, more than there is room for, and
// structures in the chains, but for that of dynamic rendering. Base pipelines are not in it. Reads no pointer that the
// specification ignores.
bool WriteStatesKey(const GraphicsView& view, StatesKey& key);

// The keys of create infos that were found right on a device. Safe to use from several threads.
class CheckedStates {
 public:
  bool Contains(const StatesKey& key) const {
    absl::ReaderMutexLock lock(&mutex_);
    return keys_.contains(key.bytes());
  }
  void Insert(const StatesKey& key) {
    absl::MutexLock lock(&mutex_);
    if (keys_.size() >= kMaxKeys) keys_.clear();
    keys_.emplace(key.bytes());
  }
  // To be called when a handle that keys may have is destroyed: another object may get it.
  void Clear() {
    absl::MutexLock lock(&mutex_);
    keys_.clear();
  }

 private:
  static constexpr size_t kMaxKeys = 1024;

  mutable absl::Mutex mutex_;
  absl::flat_hash_set<std::string> keys_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_CHECKED_STATES_CHECKED_STATES_H_
