// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_EXTENSIONS_VALIDATION_CACHE_H_
#define ASSAY_DISPATCH_EXTENSIONS_VALIDATION_CACHE_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/instance.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// A VkValidationCacheEXT of the layer's own. It holds hashes of valid inputs, which the application keeps between runs.
// Thread safe.
//
// vkGetValidationCacheDataEXT returns the header of the specification (VkValidationCacheHeaderVersionEXT) and then the
// hashes. The header is its length, the version, and a UUID that changes with the meaning of the hashes. The hashes are
// in ascending order, eight bytes each, in the byte order of the machine.
class ValidationCache : public SlotData {
 public:
  static constexpr uint32_t kHeaderBytes = 8 + VK_UUID_SIZE;

  bool Contains(uint64_t hash) const;
  void Add(uint64_t hash);

  // Adds the hashes of data. Ignores data with another header, or too short for one, as the specification demands.
  void Load(const void* data, size_t bytes);
  std::vector<uint64_t> Hashes() const;

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_set<uint64_t> hashes_ ABSL_GUARDED_BY(mutex_);
};

// Null when the handle is not one of the layer's own caches.
ValidationCache* GetValidationCache(VkValidationCacheEXT cache);

// The implementations of the commands, for drivers that do not have them.
VkResult CreateValidationCache(const vk::CreateValidationCacheEXT& call, Device& device);
void DestroyValidationCache(const vk::DestroyValidationCacheEXT& call, Device& device);
VkResult MergeValidationCaches(const vk::MergeValidationCachesEXT& call);
VkResult GetValidationCacheData(const vk::GetValidationCacheDataEXT& call);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_VALIDATION_CACHE_H_
