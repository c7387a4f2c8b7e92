// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_EXTENSIONS_VALIDATION_CACHE_H_
#define ASSAY_DISPATCH_EXTENSIONS_VALIDATION_CACHE_H_

#include "cache/cache.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/instance.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// A VkValidationCacheEXT of the layer's own: keys of valid inputs, which the application keeps between runs as
// cache/key_data.h describes. Thread-safe.
struct ValidationCache : SlotData {
  cache::KeySet keys;
};

// Null when the handle is not one of the layer's own caches.
cache::KeySet* FindValidationCache(VkValidationCacheEXT handle);
// The cache that a VkShaderModuleValidationCacheCreateInfoEXT in the chain names. Null when there is none, or when it
// is not the layer's own.
cache::KeySet* FindValidationCacheInChain(const void* chain);

// The implementations of the commands, for drivers that do not have them.
VkResult CreateValidationCache(const vk::CreateValidationCacheEXT& call, Device& device);
void DestroyValidationCache(const vk::DestroyValidationCacheEXT& call, Device& device);
VkResult MergeValidationCaches(const vk::MergeValidationCachesEXT& call);
VkResult GetValidationCacheData(const vk::GetValidationCacheDataEXT& call);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_EXTENSIONS_VALIDATION_CACHE_H_
