// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGE_OBJECT_NAMES_H_
#define ASSAY_MESSAGES_MESSAGE_OBJECT_NAMES_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/synchronization/mutex.h"
#include "messages/message/object_ref.h"

namespace assay::messages {

// The names that the application gave its objects (vkSetDebugUtilsObjectNameEXT, vkDebugMarkerSetObjectNameEXT). Thread
// safe. The lock is held for one look-up and never while other code runs.
class ObjectNames {
 public:
  // Replaces the name; an empty one removes it. A name may have any bytes.
  void Set(ObjectRef object, std::string_view name);

  // Empty when the object has no name.
  std::string Get(ObjectRef object) const;

  // To be called for every object that is destroyed. Otherwise memory would grow, and a new object with the same handle
  // would inherit the name. Costs a hash and one relaxed load for most objects without a name.
  void Remove(ObjectRef object) { Take(object); }

  // Removes the name and returns it.
  std::string Take(ObjectRef object);

 private:
  static constexpr size_t kCounts = 2048;

  std::atomic<uint16_t>& CountOf(ObjectRef object) const { return counts_[absl::HashOf(object) % kCounts]; }

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<ObjectRef, std::string> names_ ABSL_GUARDED_BY(mutex_);
  // The number of named objects by hash, readable without the lock: most objects have no name, and most of these are
  // found to have none here. A count that has reached its maximum stays there.
  mutable std::array<std::atomic<uint16_t>, kCounts> counts_ = {};
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_OBJECT_NAMES_H_
