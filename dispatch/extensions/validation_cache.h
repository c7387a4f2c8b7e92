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

// A VkValidationCacheEXT of the layer's own: hashes of what has been found valid, to be kept between runs. Thread safe.
//
// Its data, as vkGetValidationCacheDataEXT returns it, is the header of the specification
// (VkValidationCacheHeaderVersionEXT: its length, the version, and a UUID that changes with what the hashes mean) and
// the hashes in ascending order, eight bytes each, in the byte order of the machine.
class ValidationCache : public SlotData {
 public:
  static constexpr uint32_t kHeaderBytes = 8 + VK_UUID_SIZE;

  bool Contains(uint64_t hash) const;
  void Add(uint64_t hash);

  // Takes in the hashes of data; data with another header, or cut short, is ignored as the specification has it.
  void Load(const void* data, size_t bytes);
  std::vector<uint64_t> Hashes() const;

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_set<uint64_t> hashes_ ABSL_GUARDED_BY(mutex_);
};

// Null when the handle is not one of the layer's own caches.
ValidationCache* GetValidationCache(VkValidationCacheEXT cache);

// The commands, where the driver has none.
VkResult CreateValidationCache(const vk::CreateValidationCacheEXT& call, Device& device);
void DestroyValidationCache(const vk::DestroyValidationCacheEXT& call, Device& device);
VkResult MergeValidationCaches(const vk::MergeValidationCachesEXT& call);
VkResult GetValidationCacheData(const vk::GetValidationCacheDataEXT& call);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_VALIDATION_CACHE_H_
