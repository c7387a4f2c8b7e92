// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/memory/memory_facts.h"

#include <type_traits>

namespace assay::core {

MemoryFacts::MemoryFacts(const VkMemoryAllocateInfo& info) {
  const auto with = [&]<class T>(std::type_identity<T>, auto&& read) {
    if (const T* const found = vk::FindInChain<T>(info.pNext)) read(*found);
  };
  const auto import = [&](VkExternalMemoryHandleTypeFlags types) {
    imported |= types;
    import_count += types != 0 ? 1 : 0;
  };
  const auto import_typed = [&](const auto& from) { import(from.handleType); };
  with(std::type_identity<VkMemoryAllocateFlagsInfo>(), [&](const auto& found) {
    flags = found.flags;
    if ((flags & VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT) != 0) device_mask = found.deviceMask;
  });
  with(std::type_identity<VkMemoryDedicatedAllocateInfo>(), [&](const auto& found) { dedicated = found; });
  with(std::type_identity<VkDedicatedAllocationMemoryAllocateInfoNV>(),
       [&](const auto& found) { dedicated_nv = found; });
  with(std::type_identity<VkExportMemoryAllocateInfo>(), [&](const auto& found) { exported = found.handleTypes; });
  with(std::type_identity<VkExportMemoryAllocateInfoNV>(), [&](const auto& found) { exported_nv = found.handleTypes; });
  with(std::type_identity<VkImportMemoryFdInfoKHR>(), import_typed);
  with(std::type_identity<VkImportMemoryHostPointerInfoEXT>(), import_typed);
  with(std::type_identity<VkImportMemoryWin32HandleInfoKHR>(), import_typed);
  with(std::type_identity<VkImportMemoryZirconHandleInfoFUCHSIA>(), import_typed);
  with(std::type_identity<VkImportMemoryMetalHandleInfoEXT>(), import_typed);
  with(std::type_identity<VkImportAndroidHardwareBufferInfoANDROID>(), [&](const auto& found) {
    if (found.buffer != nullptr) import(VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID);
  });
  with(std::type_identity<VkImportScreenBufferInfoQNX>(), [&](const auto& found) {
    if (found.buffer != nullptr) import(VK_EXTERNAL_MEMORY_HANDLE_TYPE_SCREEN_BUFFER_BIT_QNX);
  });
  with(std::type_identity<VkImportMemoryWin32HandleInfoNV>(),
       [&](const auto& found) { import_count += found.handleType != 0 ? 1 : 0; });
  with(std::type_identity<VkImportMemoryBufferCollectionFUCHSIA>(), [&](const auto& found) {
    ++import_count;
    collection = found.collection;
    collection_index = found.index;
  });
}

}  // namespace assay::core
