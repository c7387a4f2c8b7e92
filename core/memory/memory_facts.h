// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MEMORY_MEMORY_FACTS_H_
#define ASSAY_CORE_MEMORY_MEMORY_FACTS_H_

// What the chains of create infos say of memory, buffers and images, where the state tracker has no room for it.

#include <cstdint>

#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::core {

struct MemoryFacts {
  MemoryFacts() = default;
  explicit MemoryFacts(const VkMemoryAllocateInfo& info);

  bool has_imported(VkExternalMemoryHandleTypeFlags types) const { return (imported & types) != 0; }
  bool has_exported(VkExternalMemoryHandleTypeFlags types) const { return (exported & types) != 0; }

  bool is_dedicated() const {
    return dedicated.buffer != VK_NULL_HANDLE || dedicated.image != VK_NULL_HANDLE || is_dedicated_nv();
  }
  bool is_dedicated_nv() const { return dedicated_nv.buffer != VK_NULL_HANDLE || dedicated_nv.image != VK_NULL_HANDLE; }

  VkMemoryAllocateFlags flags = 0;
  uint32_t device_mask = 0;
  // The handle types of VkExportMemoryAllocateInfo, and of import operations. Those of VK_NV_external_memory are
  // others.
  VkExternalMemoryHandleTypeFlags exported = 0;
  VkExternalMemoryHandleTypeFlags imported = 0;
  VkExternalMemoryHandleTypeFlagsNV exported_nv = 0;
  // Import operations, with those of buffer collections and VK_NV_external_memory.
  uint32_t import_count = 0;
  // Null if it is not imported from a collection.
  VkBufferCollectionFUCHSIA collection = VK_NULL_HANDLE;
  uint32_t collection_index = 0;
  VkMemoryDedicatedAllocateInfo dedicated = {};
  VkDedicatedAllocationMemoryAllocateInfoNV dedicated_nv = {};
};

// Of a buffer or an image.
struct ResourceFacts {
  ResourceFacts() = default;
  explicit ResourceFacts(const VkBufferCreateInfo& info)
      : ResourceFacts(vk::FindInChain<VkExternalMemoryBufferCreateInfo>(info.pNext),
                      vk::FindInChain<VkDedicatedAllocationBufferCreateInfoNV>(info.pNext),
                      vk::FindInChain<VkBufferCollectionBufferCreateInfoFUCHSIA>(info.pNext)) {}
  explicit ResourceFacts(const VkImageCreateInfo& info)
      : ResourceFacts(vk::FindInChain<VkExternalMemoryImageCreateInfo>(info.pNext),
                      vk::FindInChain<VkDedicatedAllocationImageCreateInfoNV>(info.pNext),
                      vk::FindInChain<VkBufferCollectionImageCreateInfoFUCHSIA>(info.pNext)) {
    const auto* const of = vk::FindInChain<VkImageSwapchainCreateInfoKHR>(info.pNext);
    if (of != nullptr) swapchain = of->swapchain;
  }

  VkExternalMemoryHandleTypeFlags external = 0;
  bool is_dedicated_nv = false;
  VkBufferCollectionFUCHSIA collection = VK_NULL_HANDLE;
  uint32_t collection_index = 0;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  // Whether a command that failed may have bound it.
  bool may_be_bound = false;

 private:
  ResourceFacts(const auto* memory, const auto* nv, const auto* of)
      : external(memory != nullptr ? memory->handleTypes : 0),
        is_dedicated_nv(nv != nullptr && nv->dedicatedAllocation == VK_TRUE),
        collection(of != nullptr ? of->collection : VK_NULL_HANDLE),
        collection_index(of != nullptr ? of->index : 0) {}
};

}  // namespace assay::core

#endif  // ASSAY_CORE_MEMORY_MEMORY_FACTS_H_
