// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/extensions/validation_cache.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace assay::dispatch {
namespace {

struct Header {
  uint32_t bytes = ValidationCache::kHeaderBytes;
  uint32_t version = VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT;
  // Change it when the hashes change their meaning.
  uint8_t uuid[VK_UUID_SIZE] = {'A', 's', 's', 'a', 'y', ' ', 'c', 'a', 'c', 'h', 'e', ' ', '0', '0', '0', '1'};
};
static_assert(sizeof(Header) == ValidationCache::kHeaderBytes);

Slot* FindCache(VkValidationCacheEXT cache) {
  return HandleTable::Get().Find(VK_OBJECT_TYPE_VALIDATION_CACHE_EXT, reinterpret_cast<uint64_t>(cache));
}

}  // namespace

bool ValidationCache::Contains(uint64_t hash) const {
  absl::ReaderMutexLock lock(&mutex_);
  return hashes_.contains(hash);
}

void ValidationCache::Add(uint64_t hash) {
  absl::MutexLock lock(&mutex_);
  hashes_.insert(hash);
}

void ValidationCache::Load(const void* data, size_t bytes) {
  const Header expected;
  if (data == nullptr || bytes < sizeof(Header) || std::memcmp(data, &expected, sizeof(Header)) != 0) return;
  std::vector<uint64_t> hashes((bytes - sizeof(Header)) / sizeof(uint64_t));
  if (hashes.empty()) return;
  std::memcpy(hashes.data(), static_cast<const char*>(data) + sizeof(Header), hashes.size() * sizeof(uint64_t));
  absl::MutexLock lock(&mutex_);
  hashes_.insert(hashes.begin(), hashes.end());
}

std::vector<uint64_t> ValidationCache::Hashes() const {
  absl::ReaderMutexLock lock(&mutex_);
  std::vector<uint64_t> result(hashes_.begin(), hashes_.end());
  std::ranges::sort(result);
  return result;
}

ValidationCache* GetValidationCache(VkValidationCacheEXT cache) {
  const Slot* slot = FindCache(cache);
  return slot != nullptr ? static_cast<ValidationCache*>(slot->dispatch_data.get()) : nullptr;
}

VkResult CreateValidationCache(const vk::CreateValidationCacheEXT& call, Device& device) {
  if (call.pCreateInfo == nullptr || call.pValidationCache == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  auto cache = std::make_unique<ValidationCache>();
  cache->Load(call.pCreateInfo->pInitialData, call.pCreateInfo->initialDataSize);
  // The address of the cache stands for a driver's handle. It is unique while the cache lives.
  Slot* const slot = HandleTable::Get().Add(VK_OBJECT_TYPE_VALIDATION_CACHE_EXT,
                                            reinterpret_cast<uint64_t>(cache.get()), &device.instance, &device,
                                            device.wraps_handles() ? HandleKind::kWrapped : HandleKind::kUnwrapped);
  if (slot == nullptr) return VK_ERROR_OUT_OF_HOST_MEMORY;
  slot->has_allocator = call.pAllocator != nullptr;
  slot->dispatch_data = std::move(cache);
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
  ValidationCache* const destination = GetValidationCache(call.dstCache);
  if (destination == nullptr) return VK_ERROR_VALIDATION_FAILED_EXT;
  for (uint32_t i = 0; call.pSrcCaches != nullptr && i < call.srcCacheCount; ++i) {
    const ValidationCache* source = GetValidationCache(call.pSrcCaches[i]);
    if (source == nullptr || source == destination) continue;
    for (uint64_t hash : source->Hashes()) destination->Add(hash);
  }
  return VK_SUCCESS;
}

VkResult GetValidationCacheData(const vk::GetValidationCacheDataEXT& call) {
  const ValidationCache* cache = GetValidationCache(call.validationCache);
  if (cache == nullptr || call.pDataSize == nullptr) return VK_ERROR_VALIDATION_FAILED_EXT;
  const std::vector<uint64_t> hashes = cache->Hashes();
  if (call.pData == nullptr) {
    *call.pDataSize = sizeof(Header) + hashes.size() * sizeof(uint64_t);
    return VK_SUCCESS;
  }
  // Writes whole hashes only, so that the result is valid data by itself. Writes nothing when the header does not fit.
  if (*call.pDataSize < sizeof(Header)) {
    *call.pDataSize = 0;
    return VK_INCOMPLETE;
  }
  const size_t fitting = std::min(hashes.size(), (*call.pDataSize - sizeof(Header)) / sizeof(uint64_t));
  const Header header;
  std::memcpy(call.pData, &header, sizeof(header));
  if (fitting != 0) {
    std::memcpy(static_cast<char*>(call.pData) + sizeof(header), hashes.data(), fitting * sizeof(uint64_t));
  }
  *call.pDataSize = sizeof(header) + fitting * sizeof(uint64_t);
  return fitting < hashes.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace assay::dispatch
