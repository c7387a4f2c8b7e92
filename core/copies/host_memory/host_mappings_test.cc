// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/host_memory/host_mappings.h"

#include <cstddef>
#include <optional>

#include "gtest/gtest.h"
#include "state/state.h"

namespace assay::core {
namespace {

using state::ByteRange;
using state::DeviceMemory;

class HostMappingsTest : public ::testing::Test {
 protected:
  // Its first 256 bytes are not mapped.
  void Map(const DeviceMemory& memory, bool is_placed = false) {
    mappings_.Add(memory, {256, 1280}, bytes_ + 1024, is_placed);
  }
  void Unmap(const DeviceMemory& memory) { mappings_.Remove(reinterpret_cast<VkDeviceMemory>(memory.handle())); }

  static constexpr VkMemoryAllocateInfo kInfo = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                 .allocationSize = 4096};
  state::AddressSpace space_;
  DeviceMemory memory_{1, kInfo, 0, space_};
  HostMappings mappings_;
  std::byte bytes_[4096];
};

TEST_F(HostMappingsTest, Find) {
  EXPECT_EQ(mappings_.Find(memory_, bytes_ + 1024, 1), ByteRange());
  Map(memory_);
  EXPECT_EQ(mappings_.Find(memory_, bytes_ + 1024, 16), (ByteRange{memory_.address + 256, memory_.address + 272}));
  EXPECT_EQ(mappings_.Find(memory_, bytes_, 1025), (ByteRange{memory_.address + 256, memory_.address + 257}));
  EXPECT_EQ(mappings_.Find(memory_, bytes_ + 2047, 16), (ByteRange{memory_.address + 1279, memory_.address + 1280}));
  EXPECT_EQ(mappings_.Find(memory_, bytes_, 1024), ByteRange());
  EXPECT_EQ(mappings_.Find(memory_, bytes_ + 2048, 16), ByteRange());
  Unmap(memory_);
  EXPECT_EQ(mappings_.Find(memory_, bytes_ + 1024, 1), ByteRange());
}

TEST_F(HostMappingsTest, BytesFrom) {
  Map(memory_);
  EXPECT_EQ(mappings_.BytesFrom(bytes_ + 1023), std::nullopt);
  EXPECT_EQ(mappings_.BytesFrom(bytes_ + 1024), 1024);
  EXPECT_EQ(mappings_.BytesFrom(bytes_ + 2047), 1);
  EXPECT_EQ(mappings_.BytesFrom(bytes_ + 2048), std::nullopt);
  Unmap(memory_);
  EXPECT_EQ(mappings_.BytesFrom(bytes_ + 1024), std::nullopt);
}

// The application may own the bytes behind these.
TEST_F(HostMappingsTest, BytesFromPlacesOfTheApplication) {
  Map(memory_, true);
  EXPECT_EQ(mappings_.BytesFrom(bytes_ + 1024), std::nullopt);
  Unmap(memory_);
  const VkImportMemoryHostPointerInfoEXT import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  VkMemoryAllocateInfo info = kInfo;
  info.pNext = &import;
  const DeviceMemory imported(2, info, 0, space_);
  Map(imported);
  EXPECT_EQ(mappings_.BytesFrom(bytes_ + 1024), std::nullopt);
  EXPECT_NE(mappings_.Find(imported, bytes_ + 1024, 1), ByteRange());
}

}  // namespace
}  // namespace assay::core
