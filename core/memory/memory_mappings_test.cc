// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string_view>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

// Of the mock driver.
constexpr VkDeviceSize kAtom = 64;

class MemoryMappings : public MemoryTest {
 protected:
  void Map(VkDeviceMemory memory, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE,
           VkMemoryMapFlags flags = 0) {
    void* data = nullptr;
    vk.MapMemory(device, memory, offset, size, flags, &data);
  }
  void Map2(VkDeviceMemory memory, VkMemoryMapFlags flags = 0, const void* next = nullptr, VkDeviceSize offset = 0,
            VkDeviceSize size = VK_WHOLE_SIZE) {
    const VkMemoryMapInfo info = {VK_STRUCTURE_TYPE_MEMORY_MAP_INFO, next, flags, memory, offset, size};
    void* data = nullptr;
    vk.MapMemory2(device, &info, &data);
  }
  void Unmap2(VkDeviceMemory memory, VkMemoryUnmapFlags flags = 0) {
    const VkMemoryUnmapInfo info = {VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, nullptr, flags, memory};
    vk.UnmapMemory2(device, &info);
  }
  VkDeviceMemory Memory(const void* next = nullptr, VkDeviceSize size = kSize) {
    return MakeMemory(size, kHostVisible, next);
  }
};

TEST_F(MemoryMappings, MapAndUnmap) {
  Start();
  const VkDeviceMemory memory = Memory();
  Map(memory);
  vk.UnmapMemory(device, memory);
  Map2(memory);
  Expect("");
  Map(memory);
  Expect("vkMapMemory-memory-00678");
  Map2(memory);
  Expect("VkMemoryMapInfo-memory-07958");
  Unmap2(memory);
  Expect("");
  Unmap2(memory);
  Expect("VkMemoryUnmapInfo-memory-07964");
  vk.UnmapMemory(device, memory);
  Expect("vkUnmapMemory-memory-00689");
  const VkMemoryAllocateFlagsInfo both = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                          VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT, 3};
  const VkDeviceMemory of_both = Memory(&both);
  // That the device has one physical device.
  messages.Take();
  Map(of_both);
  Expect("vkMapMemory-memory-00683");
  vk.UnmapMemory(device, of_both);
  Map2(of_both);
  Expect("VkMemoryMapInfo-memory-07963");
}

TEST_F(MemoryMappings, Placed) {
  constexpr VkMemoryMapFlags kPlaced = VK_MEMORY_MAP_PLACED_BIT_EXT;
  const VkMemoryMapPlacedInfoEXT there = {VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT, nullptr,
                                          reinterpret_cast<void*>(kHostAlignment)};
  const VkMemoryMapPlacedInfoEXT nowhere = {there.sType, nullptr, nullptr};
  const VkMemoryMapPlacedInfoEXT between = {there.sType, nullptr, reinterpret_cast<void*>(kHostAlignment / 2)};
  const VkImportMemoryHostPointerInfoEXT from_host = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, nullptr,
                                                      VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
                                                      there.pPlacedAddress};
  Start();
  Map2(Memory(), kPlaced, &there);
  Map2(Memory(), kPlaced, &there, kHostAlignment, kHostAlignment);
  Expect("");
  Map2(Memory(), kPlaced);
  Expect("VkMemoryMapInfo-flags-09570");
  Map2(Memory(), kPlaced, &there, 16);
  Expect("VkMemoryMapInfo-flags-09573");
  Map2(Memory(), kPlaced, &there, 0, 16);
  Expect("VkMemoryMapInfo-flags-09574");
  Map2(Memory(&from_host), kPlaced, &there);
  Expect("VkMemoryMapInfo-flags-09575");
  Map2(Memory(nullptr, kHostAlignment + 16), kPlaced, &there);
  Expect("VkMemoryMapInfo-flags-09651");
  Map2(Memory(), kPlaced, &nowhere);
  Expect("VkMemoryMapPlacedInfoEXT-flags-09576");
  Map2(Memory(), kPlaced, &between);
  Expect("VkMemoryMapPlacedInfoEXT-pPlacedAddress-09577");
  Map(Memory(), 0, VK_WHOLE_SIZE, kPlaced);
  Expect("vkMapMemory-flags-09568");
  const VkDeviceMemory imported = Memory(&from_host);
  Map2(imported);
  Unmap2(imported, VK_MEMORY_UNMAP_RESERVE_BIT_EXT);
  Expect("VkMemoryUnmapInfo-flags-09580");
  Destroy();
  Start({"memoryMapRangePlaced"});
  Map2(Memory(), kPlaced, &there, 0, kSize);
  Expect("");
  Map2(Memory(), kPlaced, &there, 0, kHostAlignment);
  Expect("VkMemoryMapInfo-flags-09572");
}

TEST_F(MemoryMappings, Ranges) {
  Start();
  // Mapped from the second atom to the third, as far as the beginning of the fourth, and to the end.
  const VkDeviceMemory unmapped = Memory(), two = Memory(), more = Memory(), end = Memory(nullptr, 2 * kAtom + 16);
  Map(two, kAtom, 2 * kAtom);
  Map(more, kAtom, 2 * kAtom + 16);
  Map(end);
  const auto expect = [&](std::string_view rule, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    const VkMappedMemoryRange range = {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory, offset, size};
    vk.FlushMappedMemoryRanges(device, 1, &range);
    Expect(rule.empty() ? "" : absl::StrCat("VkMappedMemoryRange-", rule));
    vk.InvalidateMappedMemoryRanges(device, 1, &range);
    Expect(rule.empty() ? "" : absl::StrCat("VkMappedMemoryRange-", rule));
  };
  expect("", two, kAtom, VK_WHOLE_SIZE);
  expect("", two, 2 * kAtom, kAtom);
  expect("", end, kAtom, kAtom + 16);
  expect("", end, kAtom, VK_WHOLE_SIZE);
  expect("memory-00684", unmapped, 0, kAtom);
  expect("size-00685", two, 0, kAtom);
  expect("size-00685", two, kAtom, 3 * kAtom);
  expect("size-00686", two, 0, VK_WHOLE_SIZE);
  expect("size-01389", more, kAtom, VK_WHOLE_SIZE);
  expect("size-01390", two, kAtom, 16);
}

}  // namespace
}  // namespace assay::core
