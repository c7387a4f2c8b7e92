// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_CHAIN_H_
#define ASSAY_VK_CHAIN_H_

#include <type_traits>

#include "vk/struct_traits.h"
#include "vk/vulkan.h"

namespace assay::vk {

// The structure of type T in a pNext chain, or null. chain may be null; each element must begin with sType and pNext.
// vk/struct_traits.h maps T to its VkStructureType: kStructureTypeOf<VkBufferCreateInfo>.
template <class T>
const T* FindInChain(const void* chain) {
  for (auto* next = static_cast<const VkBaseInStructure*>(chain); next != nullptr; next = next->pNext) {
    if (next->sType == kStructureTypeOf<T>) return reinterpret_cast<const T*>(next);
  }
  return nullptr;
}

}  // namespace assay::vk

#endif  // ASSAY_VK_CHAIN_H_
