// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string_view>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

// Of the mock driver.
constexpr VkDeviceSize kAtom = 64;

class MemoryMappings : public MemoryTest {
 protected:
  // Each with the rule that it breaks, which is empty for none.
  void Map(std::string_view rule, VkDeviceMemory memory, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE,
           VkMemoryMapFlags flags = 0) {
    void* data = nullptr;
    Call(rule, vk.MapMemory, device, memory, offset, size, flags, &data);
  }
  void Map2(std::string_view rule, VkDeviceMemory memory, VkMemoryMapFlags flags = 0, const void* next = nullptr,
            VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE) {
    const VkMemoryMapInfo info = {VK_STRUCTURE_TYPE_MEMORY_MAP_INFO, next, flags, memory, offset, size};
    void* data = nullptr;
    Call(rule, vk.MapMemory2, device, &info, &data);
  }
  void Unmap2(std::string_view rule, VkDeviceMemory memory, VkMemoryUnmapFlags flags = 0) {
    const VkMemoryUnmapInfo info = {VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, nullptr, flags, memory};
    Call(rule, vk.UnmapMemory2, device, &info);
  }
  void Unmap(std::string_view rule, VkDeviceMemory memory) { Call(rule, vk.UnmapMemory, device, memory); }
  VkDeviceMemory Memory(const void* next = nullptr, VkDeviceSize size = kSize) {
    return MakeMemory(size, kHostVisible, next);
  }
};

TEST_F(MemoryMappings, MapAndUnmap) {
  const VkDeviceMemory memory = Memory();
  Map("", memory);
  Unmap("", memory);
  Map2("", memory);
  Map("vkMapMemory-memory-00678", memory);
  Map2("VkMemoryMapInfo-memory-07958", memory);
  Unmap2("", memory);
  Unmap2("VkMemoryUnmapInfo-memory-07964", memory);
  Unmap("vkUnmapMemory-memory-00689", memory);
  const auto both = Of<VkMemoryAllocateFlagsInfo>(VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT, 3u);
  const VkDeviceMemory of_both = Memory(&both);
  // That the device has one physical device.
  messages.Take();
  Map("vkMapMemory-memory-00683", of_both);
  Unmap("", of_both);
  Map2("VkMemoryMapInfo-memory-07963", of_both);
}

TEST_F(MemoryMappings, Placed) {
  constexpr VkMemoryMapFlags kPlaced = VK_MEMORY_MAP_PLACED_BIT_EXT;
  const auto there = Of<VkMemoryMapPlacedInfoEXT>(reinterpret_cast<void*>(kHostAlignment));
  const auto nowhere = Of<VkMemoryMapPlacedInfoEXT>(nullptr);
  const auto between = Of<VkMemoryMapPlacedInfoEXT>(reinterpret_cast<void*>(kHostAlignment / 2));
  const auto from_host = Of<VkImportMemoryHostPointerInfoEXT>(VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
                                                              there.pPlacedAddress);
  Map2("", Memory(), kPlaced, &there);
  Map2("", Memory(), kPlaced, &there, kHostAlignment, kHostAlignment);
  Map2("VkMemoryMapInfo-flags-09570", Memory(), kPlaced);
  Map2("VkMemoryMapInfo-flags-09573", Memory(), kPlaced, &there, 16);
  Map2("VkMemoryMapInfo-flags-09574", Memory(), kPlaced, &there, 0, 16);
  Map2("VkMemoryMapInfo-flags-09575", Memory(&from_host), kPlaced, &there);
  Map2("VkMemoryMapInfo-flags-09651", Memory(nullptr, kHostAlignment + 16), kPlaced, &there);
  Map2("VkMemoryMapPlacedInfoEXT-flags-09576", Memory(), kPlaced, &nowhere);
  Map2("VkMemoryMapPlacedInfoEXT-pPlacedAddress-09577", Memory(), kPlaced, &between);
  Map("vkMapMemory-flags-09568", Memory(), 0, VK_WHOLE_SIZE, kPlaced);
  const VkDeviceMemory imported = Memory(&from_host);
  Map2("", imported);
  Unmap2("VkMemoryUnmapInfo-flags-09580", imported, VK_MEMORY_UNMAP_RESERVE_BIT_EXT);
  Start({"memoryMapRangePlaced"});
  Map2("", Memory(), kPlaced, &there, 0, kSize);
  Map2("VkMemoryMapInfo-flags-09572", Memory(), kPlaced, &there, 0, kHostAlignment);
}

TEST_F(MemoryMappings, Ranges) {
  // Mapped from the second atom to the third, as far as the beginning of the fourth, and to the end.
  const VkDeviceMemory unmapped = Memory(), two = Memory(), more = Memory(), end = Memory(nullptr, 2 * kAtom + 16);
  Map("", two, kAtom, 2 * kAtom);
  Map("", more, kAtom, 2 * kAtom + 16);
  Map("", end);
  const auto expect = [&](std::string_view rule, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    const auto range = Of<VkMappedMemoryRange>(memory, offset, size);
    Call(rule, vk.FlushMappedMemoryRanges, device, 1, &range);
    Call(rule, vk.InvalidateMappedMemoryRanges, device, 1, &range);
  };
  expect("", two, kAtom, VK_WHOLE_SIZE);
  expect("", two, 2 * kAtom, kAtom);
  expect("", end, kAtom, kAtom + 16);
  expect("", end, kAtom, VK_WHOLE_SIZE);
  expect("VkMappedMemoryRange-memory-00684", unmapped, 0, kAtom);
  expect("VkMappedMemoryRange-size-00685", two, 0, kAtom);
  expect("VkMappedMemoryRange-size-00685", two, kAtom, 3 * kAtom);
  expect("VkMappedMemoryRange-size-00686", two, 0, VK_WHOLE_SIZE);
  expect("VkMappedMemoryRange-size-01389", more, kAtom, VK_WHOLE_SIZE);
  expect("VkMappedMemoryRange-size-01390", two, kAtom, 16);
}

}  // namespace
}  // namespace assay::core
