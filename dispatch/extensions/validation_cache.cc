// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/extensions/validation_cache.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "vk/chain.h"

namespace assay::dispatch {
namespace {

static_assert(cache::kKeyHeaderBytes == 2 * sizeof(uint32_t) + VK_UUID_SIZE);

Slot* FindCache(VkValidationCacheEXT handle) {
  return HandleTable::Get().Find(VK_OBJECT_TYPE_VALIDATION_CACHE_EXT, reinterpret_cast<uint64_t>(handle));
}

}  // namespace

cache::KeySet* FindValidationCache(VkValidationCacheEXT handle) {
  const Slot* slot = FindCache(handle);
  if (slot == nullptr || slot->dispatch_data == nullptr) return nullptr;
  return &static_cast<ValidationCache*>(slot->dispatch_data.get())->keys;
}

cache::KeySet* FindValidationCacheInChain(const void* chain) {
  const auto* info = vk::FindInChain<VkShaderModuleValidationCacheCreateInfoEXT>(chain);
  return info != nullptr ? FindValidationCache(info->validationCache) : nullptr;
}

VkResult CreateValidationCache(const vk::CreateValidationCacheEXT& call, Device& device) {
  if (call.pCreateInfo == nullptr || call.pValidationCache == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  auto created = std::make_unique<ValidationCache>();
  if (call.pCreateInfo->pInitialData != nullptr) {
    const auto* data = static_cast<const uint8_t*>(call.pCreateInfo->pInitialData);
    // The specification wants incompatible data ignored. So is what was cut or changed.
    created->keys.Insert(
        cache::ReadKeyData({data, call.pCreateInfo->initialDataSize}, cache::UuidOfThisLibrary()).keys);
  }
  // The address of the cache stands for a driver's handle. It is unique while the cache lives.
  Slot* const slot = HandleTable::Get().Add(VK_OBJECT_TYPE_VALIDATION_CACHE_EXT,
                                            reinterpret_cast<uint64_t>(created.get()), &device.instance, &device,
                                            device.wraps_handles() ? HandleKind::kWrapped : HandleKind::kUnwrapped);
  if (slot == nullptr) return VK_ERROR_OUT_OF_HOST_MEMORY;
  slot->has_allocator = call.pAllocator != nullptr;
  slot->dispatch_data = std::move(created);
  *call.pValidationCache = reinterpret_cast<VkValidationCacheEXT>(slot->application_handle);
  return VK_SUCCESS;
}

void DestroyValidationCache(const vk::DestroyValidationCacheEXT& call, Device& device) {
  Slot* const slot = FindCache(call.validationCache);
  if (slot == nullptr) return;
  const messages::ObjectRef object = {slot->type, slot->application_handle};
  HandleTable::Get().Remove(slot, call.kId, device.reporter().TakeName(object));
}

VkResult MergeValidationCaches(const vk::MergeValidationCachesEXT& call) {
  cache::KeySet* const destination = FindValidationCache(call.dstCache);
  if (destination == nullptr) return VK_ERROR_VALIDATION_FAILED_EXT;
  for (uint32_t i = 0; call.pSrcCaches != nullptr && i < call.srcCacheCount; ++i) {
    const cache::KeySet* source = FindValidationCache(call.pSrcCaches[i]);
    if (source == nullptr || source == destination) continue;
    destination->Insert(source->Keys());
  }
  return VK_SUCCESS;
}

VkResult GetValidationCacheData(const vk::GetValidationCacheDataEXT& call) {
  const cache::KeySet* found = FindValidationCache(call.validationCache);
  if (found == nullptr || call.pDataSize == nullptr) return VK_ERROR_VALIDATION_FAILED_EXT;
  if (call.pData == nullptr) {
    *call.pDataSize = cache::KeyDataSize(found->size());
    return VK_SUCCESS;
  }
  // In the same order each time, so that the data of an unchanged cache does not change.
  const std::vector<cache::Key> keys = found->Keys();
  *call.pDataSize = cache::WriteKeyData(keys, cache::UuidOfThisLibrary(),
                                        absl::MakeSpan(static_cast<uint8_t*>(call.pData), *call.pDataSize));
  return *call.pDataSize < cache::KeyDataSize(keys.size()) ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace assay::dispatch
