// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/structures/structure_test.h"

#include <array>
#include <cstddef>

#include "gtest/gtest.h"

namespace assay::core {
namespace {

// Of the mock driver.
constexpr uint32_t kDeviceOnlyMemory = 0;

}  // namespace

test::DeviceOptions StructureTest::Options() {
  test::DeviceOptions options =
      features_.EnableOnly({VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_EXT_OPACITY_MICROMAP_EXTENSION_NAME,
                            VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_NV_RAY_TRACING_EXTENSION_NAME,
                            VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME});
  options.settings = {{"validate_sync", false}};
  return options;
}

VkBuffer StructureTest::MakeStorage(Memory memory) {
  const auto info = Typed(VkBufferCreateInfo{
      .size = kSize,
      .usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT});
  if (memory == Memory::kHostVisible) return MakeBuffer(info);
  const VkBuffer buffer = MakeUnboundBuffer(info);
  if (memory == Memory::kDeviceOnly) {
    EXPECT_EQ(vk.BindBufferMemory(device, buffer, MakeMemory(kSize, kDeviceOnlyMemory), 0), VK_SUCCESS);
  }
  return buffer;
}

std::pair<VkBuffer, VkDeviceAddress> StructureTest::MakeData(VkDeviceSize size) {
  const VkBuffer buffer = MakeBuffer(size, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  return {buffer, AddressOf(buffer)};
}

template <>
VkAccelerationStructureKHR StructureTest::Make<StructureApi>(VkBuffer storage, VkDeviceSize offset) {
  return MakeFrom(VkAccelerationStructureCreateInfoKHR{.buffer = storage,
                                                       .offset = offset,
                                                       .size = kSize / 2,
                                                       .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR},
                  vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
}

template <>
VkMicromapEXT StructureTest::Make<MicromapApi>(VkBuffer storage, VkDeviceSize offset) {
  return MakeFrom(VkMicromapCreateInfoEXT{.buffer = storage, .offset = offset, .size = kSize / 2}, vk.CreateMicromapEXT,
                  vk.DestroyMicromapEXT);
}

VkAccelerationStructureNV StructureTest::MakeOfNV(bool is_bound, VkBuildAccelerationStructureFlagsNV flags) {
  const VkDeviceMemory memory = is_bound ? MakeMemory(kSize, kDeviceOnlyMemory) : VK_NULL_HANDLE;
  const auto info = Of<VkAccelerationStructureInfoNV>(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV, flags);
  const auto made = MakeFrom(VkAccelerationStructureCreateInfoNV{.info = info}, vk.CreateAccelerationStructureNV,
                             vk.DestroyAccelerationStructureNV);
  const auto bind = Of<VkBindAccelerationStructureMemoryInfoNV>(made, memory);
  if (is_bound) {
    EXPECT_EQ(vk.BindAccelerationStructureMemoryNV(device, 1, &bind), VK_SUCCESS);
  }
  return made;
}

void StructureTest::Build(VkAccelerationStructureKHR structure, bool allows_compaction) {
  auto info = Typed(VkAccelerationStructureBuildGeometryInfoKHR{
      .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
      .flags = allows_compaction ? VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR
                                 : VkBuildAccelerationStructureFlagBitsKHR{},
      .dstAccelerationStructure = structure});
  std::array<std::byte, 256> scratch;
  info.scratchData.hostAddress = scratch.data();
  const VkAccelerationStructureBuildRangeInfoKHR range = {};
  const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
  EXPECT_EQ(vk.BuildAccelerationStructuresKHR(device, VK_NULL_HANDLE, 1, &info, &ranges), VK_SUCCESS);
}

void StructureTest::Build(VkMicromapEXT micromap, bool allows_compaction) {
  auto info = Typed(VkMicromapBuildInfoEXT{
      .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT,
      .flags = allows_compaction ? VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT : VkBuildMicromapFlagBitsEXT{},
      .dstMicromap = micromap});
  EXPECT_EQ(vk.BuildMicromapsEXT(device, VK_NULL_HANDLE, 1, &info), VK_SUCCESS);
}

void StructureTest::BuildOfNV(VkCommandBuffer commands, VkAccelerationStructureNV structure, bool allows_compaction) {
  const auto info = Typed(
      VkAccelerationStructureInfoNV{.type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV,
                                    .flags = allows_compaction ? VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV
                                                               : VkBuildAccelerationStructureFlagBitsKHR{}});
  vk.CmdBuildAccelerationStructureNV(commands, &info, VK_NULL_HANDLE, 0, VK_FALSE, structure, VK_NULL_HANDLE,
                                     MakeBuffer(kSize, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV), 0);
}

}  // namespace assay::core
