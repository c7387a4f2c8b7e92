// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_
#define ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_

#include <cstdint>
#include <utility>

#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Test-only: acceleration structures and micromaps, with one name for what both have.
namespace assay::core {

// The functions, structures and ids of acceleration structures.
struct StructureApi {
  using Handle = VkAccelerationStructureKHR;
  using CopyInfo = VkCopyAccelerationStructureInfoKHR;
  using ToMemoryInfo = VkCopyAccelerationStructureToMemoryInfoKHR;
  using FromMemoryInfo = VkCopyMemoryToAccelerationStructureInfoKHR;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR;
  static constexpr auto kClone = VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR;
  static constexpr auto kCompact = VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR;
  static constexpr auto kCompactedSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR;
  static constexpr auto kSerializedSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR;
  static constexpr auto kCmdCopy = &test::Functions::CmdCopyAccelerationStructureKHR;
  static constexpr auto kCmdToMemory = &test::Functions::CmdCopyAccelerationStructureToMemoryKHR;
  static constexpr auto kCmdFromMemory = &test::Functions::CmdCopyMemoryToAccelerationStructureKHR;
  static constexpr auto kCmdWrite = &test::Functions::CmdWriteAccelerationStructuresPropertiesKHR;
  static constexpr auto kCopy = &test::Functions::CopyAccelerationStructureKHR;
  static constexpr auto kToMemory = &test::Functions::CopyAccelerationStructureToMemoryKHR;
  static constexpr auto kFromMemory = &test::Functions::CopyMemoryToAccelerationStructureKHR;
  static constexpr auto kWrite = &test::Functions::WriteAccelerationStructuresPropertiesKHR;
  using GetCompatibility = vk::GetDeviceAccelerationStructureCompatibilityKHR;

  static CopyInfo Copy(Handle src, Handle dst, VkCopyAccelerationStructureModeKHR mode) {
    return {VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR, nullptr, src, dst, mode};
  }
  static ToMemoryInfo ToMemory(Handle src, VkDeviceOrHostAddressKHR dst) {
    return {VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR, nullptr, src, dst,
            VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
  }
  static FromMemoryInfo FromMemory(VkDeviceOrHostAddressConstKHR src, Handle dst) {
    return {VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR, nullptr, src, dst,
            VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
  }

  static constexpr char kCmdCopySource[] = "VUID-vkCmdCopyAccelerationStructureKHR-buffer-03737";
  static constexpr char kCmdCopyTarget[] = "VUID-vkCmdCopyAccelerationStructureKHR-buffer-03738";
  static constexpr char kCopySource[] = "VUID-VkCopyAccelerationStructureInfoKHR-buffer-03718";
  static constexpr char kCopyTarget[] = "VUID-VkCopyAccelerationStructureInfoKHR-buffer-03719";
  static constexpr char kCopySourceVisible[] = "VUID-vkCopyAccelerationStructureKHR-buffer-03727";
  static constexpr char kCopyTargetVisible[] = "VUID-vkCopyAccelerationStructureKHR-buffer-03728";
  static constexpr char kCopyConstructed[] = "VUID-VkCopyAccelerationStructureInfoKHR-src-04963";
  static constexpr char kCopyCompactable[] = "VUID-VkCopyAccelerationStructureInfoKHR-src-03411";
  static constexpr char kCmdToMemorySource[] = "VUID-vkCmdCopyAccelerationStructureToMemoryKHR-None-03559";
  static constexpr char kCmdToMemoryValid[] = "VUID-vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03739";
  static constexpr char kCmdToMemoryAligned[] = "VUID-vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03740";
  static constexpr char kCmdToMemoryBound[] = "VUID-vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03741";
  static constexpr char kToMemorySize[] = "VUID-VkCopyAccelerationStructureToMemoryInfoKHR-dst-03561";
  static constexpr char kToMemoryConstructed[] = "VUID-VkCopyAccelerationStructureToMemoryInfoKHR-src-04959";
  static constexpr char kToMemoryVisible[] = "VUID-vkCopyAccelerationStructureToMemoryKHR-buffer-03731";
  static constexpr char kToMemoryPointer[] = "VUID-vkCopyAccelerationStructureToMemoryKHR-pInfo-03732";
  static constexpr char kToMemoryAligned[] = "VUID-vkCopyAccelerationStructureToMemoryKHR-pInfo-03751";
  static constexpr char kCmdFromMemoryTarget[] = "VUID-vkCmdCopyMemoryToAccelerationStructureKHR-buffer-03745";
  static constexpr char kCmdFromMemoryValid[] = "VUID-vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03742";
  static constexpr char kCmdFromMemoryAligned[] = "VUID-vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03743";
  static constexpr char kCmdFromMemoryBound[] = "VUID-vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03744";
  static constexpr char kFromMemoryVisible[] = "VUID-vkCopyMemoryToAccelerationStructureKHR-buffer-03730";
  static constexpr char kFromMemoryPointer[] = "VUID-vkCopyMemoryToAccelerationStructureKHR-pInfo-03729";
  static constexpr char kFromMemoryAligned[] = "VUID-vkCopyMemoryToAccelerationStructureKHR-pInfo-03750";
  static constexpr char kFromMemorySerialized[] = "VUID-VkCopyMemoryToAccelerationStructureInfoKHR-src-04960";
  static constexpr char kFromMemoryCompatible[] = "VUID-VkCopyMemoryToAccelerationStructureInfoKHR-pInfo-03414";
  static constexpr char kFromMemoryFits[] = "VUID-VkCopyMemoryToAccelerationStructureInfoKHR-dst-03746";
  static constexpr char kCmdWriteBound[] = "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-buffer-03736";
  static constexpr char kCmdWriteConstructed[] =
      "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964";
  static constexpr char kCmdWriteCompactable[] =
      "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-accelerationStructures-03431";
  static constexpr char kWriteDataSize[] = "VUID-vkWriteAccelerationStructuresPropertiesKHR-dataSize-03452";
  static constexpr char kWriteVisible[] = "VUID-vkWriteAccelerationStructuresPropertiesKHR-buffer-03733";
  static constexpr char kWriteConstructed[] =
      "VUID-vkWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964";
  static constexpr char kWriteCompactable[] =
      "VUID-vkWriteAccelerationStructuresPropertiesKHR-accelerationStructures-03431";
};

// The same of micromaps.
struct MicromapApi {
  using Handle = VkMicromapEXT;
  using CopyInfo = VkCopyMicromapInfoEXT;
  using ToMemoryInfo = VkCopyMicromapToMemoryInfoEXT;
  using FromMemoryInfo = VkCopyMemoryToMicromapInfoEXT;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_MICROMAP_EXT;
  static constexpr auto kClone = VK_COPY_MICROMAP_MODE_CLONE_EXT;
  static constexpr auto kCompact = VK_COPY_MICROMAP_MODE_COMPACT_EXT;
  static constexpr auto kCompactedSize = VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT;
  static constexpr auto kSerializedSize = VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT;
  static constexpr auto kCmdCopy = &test::Functions::CmdCopyMicromapEXT;
  static constexpr auto kCmdToMemory = &test::Functions::CmdCopyMicromapToMemoryEXT;
  static constexpr auto kCmdFromMemory = &test::Functions::CmdCopyMemoryToMicromapEXT;
  static constexpr auto kCmdWrite = &test::Functions::CmdWriteMicromapsPropertiesEXT;
  static constexpr auto kCopy = &test::Functions::CopyMicromapEXT;
  static constexpr auto kToMemory = &test::Functions::CopyMicromapToMemoryEXT;
  static constexpr auto kFromMemory = &test::Functions::CopyMemoryToMicromapEXT;
  static constexpr auto kWrite = &test::Functions::WriteMicromapsPropertiesEXT;
  using GetCompatibility = vk::GetDeviceMicromapCompatibilityEXT;

  static CopyInfo Copy(Handle src, Handle dst, VkCopyMicromapModeEXT mode) {
    return {VK_STRUCTURE_TYPE_COPY_MICROMAP_INFO_EXT, nullptr, src, dst, mode};
  }
  static ToMemoryInfo ToMemory(Handle src, VkDeviceOrHostAddressKHR dst) {
    return {VK_STRUCTURE_TYPE_COPY_MICROMAP_TO_MEMORY_INFO_EXT, nullptr, src, dst, VK_COPY_MICROMAP_MODE_SERIALIZE_EXT};
  }
  static FromMemoryInfo FromMemory(VkDeviceOrHostAddressConstKHR src, Handle dst) {
    return {VK_STRUCTURE_TYPE_COPY_MEMORY_TO_MICROMAP_INFO_EXT, nullptr, src, dst,
            VK_COPY_MICROMAP_MODE_DESERIALIZE_EXT};
  }

  static constexpr char kCmdCopySource[] = "VUID-vkCmdCopyMicromapEXT-buffer-07529";
  static constexpr char kCmdCopyTarget[] = "VUID-vkCmdCopyMicromapEXT-buffer-07530";
  static constexpr char kCopySource[] = "VUID-VkCopyMicromapInfoEXT-buffer-07534";
  static constexpr char kCopyTarget[] = "VUID-VkCopyMicromapInfoEXT-buffer-07535";
  static constexpr char kCopySourceVisible[] = "VUID-vkCopyMicromapEXT-buffer-07558";
  static constexpr char kCopyTargetVisible[] = "VUID-vkCopyMicromapEXT-buffer-07559";
  static constexpr char kCopyConstructed[] = "VUID-VkCopyMicromapInfoEXT-src-07532";
  static constexpr char kCopyCompactable[] = "VUID-VkCopyMicromapInfoEXT-mode-07533";
  static constexpr char kCmdToMemorySource[] = "VUID-vkCmdCopyMicromapToMemoryEXT-buffer-07539";
  static constexpr char kCmdToMemoryValid[] = "VUID-vkCmdCopyMicromapToMemoryEXT-pInfo-07536";
  static constexpr char kCmdToMemoryAligned[] = "VUID-vkCmdCopyMicromapToMemoryEXT-pInfo-07537";
  static constexpr char kCmdToMemoryBound[] = "VUID-vkCmdCopyMicromapToMemoryEXT-pInfo-07538";
  static constexpr char kToMemorySize[] = "VUID-VkCopyMicromapToMemoryInfoEXT-dst-07541";
  static constexpr char kToMemoryConstructed[] = "VUID-VkCopyMicromapToMemoryInfoEXT-src-07540";
  static constexpr char kToMemoryVisible[] = "VUID-vkCopyMicromapToMemoryEXT-buffer-07568";
  static constexpr char kToMemoryPointer[] = "VUID-vkCopyMicromapToMemoryEXT-pInfo-07569";
  static constexpr char kToMemoryAligned[] = "VUID-vkCopyMicromapToMemoryEXT-pInfo-07570";
  static constexpr char kCmdFromMemoryTarget[] = "VUID-vkCmdCopyMemoryToMicromapEXT-buffer-07546";
  static constexpr char kCmdFromMemoryValid[] = "VUID-vkCmdCopyMemoryToMicromapEXT-pInfo-07543";
  static constexpr char kCmdFromMemoryAligned[] = "VUID-vkCmdCopyMemoryToMicromapEXT-pInfo-07544";
  static constexpr char kCmdFromMemoryBound[] = "VUID-vkCmdCopyMemoryToMicromapEXT-pInfo-07545";
  static constexpr char kFromMemoryVisible[] = "VUID-vkCopyMemoryToMicromapEXT-buffer-07565";
  static constexpr char kFromMemoryPointer[] = "VUID-vkCopyMemoryToMicromapEXT-pInfo-07563";
  static constexpr char kFromMemoryAligned[] = "VUID-vkCopyMemoryToMicromapEXT-pInfo-07564";
  static constexpr char kFromMemorySerialized[] = "VUID-VkCopyMemoryToMicromapInfoEXT-src-07547";
  static constexpr char kFromMemoryCompatible[] = "VUID-VkCopyMemoryToMicromapInfoEXT-src-07549";
  static constexpr char kFromMemoryFits[] = "VUID-VkCopyMemoryToMicromapInfoEXT-dst-07550";
  static constexpr char kCmdWriteBound[] = "VUID-vkCmdWriteMicromapsPropertiesEXT-buffer-07527";
  static constexpr char kCmdWriteConstructed[] = "VUID-vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07501";
  static constexpr char kCmdWriteCompactable[] = "VUID-vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07502";
  static constexpr char kWriteDataSize[] = "VUID-vkWriteMicromapsPropertiesEXT-dataSize-07576";
  static constexpr char kWriteVisible[] = "VUID-vkWriteMicromapsPropertiesEXT-buffer-07577";
  static constexpr char kWriteConstructed[] = "VUID-vkWriteMicromapsPropertiesEXT-pMicromaps-07501";
  static constexpr char kWriteCompactable[] = "VUID-vkWriteMicromapsPropertiesEXT-pMicromaps-07502";
};

class StructureTest : public test::ValidationTest {
 protected:
  static constexpr VkDeviceSize kSize = 8192;
  // Where a buffer's memory is.
  enum class Memory : uint8_t { kNone, kDeviceOnly, kHostVisible };

  test::DeviceOptions Options() override;

  // Storage without an address of its own.
  VkBuffer MakeStorage(Memory memory = Memory::kHostVisible);
  // A buffer for serialized data, and its address.
  std::pair<VkBuffer, VkDeviceAddress> MakeData(VkDeviceSize size = kSize);
  VkDeviceAddress AddressOf(VkBuffer buffer);

  // In storage of its own, if none is given. Its size is half of the storage's.
  template <class Api>
  Api::Handle Make(VkBuffer storage, VkDeviceSize offset = 0);
  template <class Api>
  Api::Handle Make(Memory memory = Memory::kHostVisible) {
    return Make<Api>(MakeStorage(memory));
  }
  // Bound to memory or not.
  VkAccelerationStructureNV MakeOfNV(bool is_bound, VkBuildAccelerationStructureFlagsNV flags = 0);

  // Has the host build it, from nothing.
  void Build(VkAccelerationStructureKHR structure, bool allows_compaction = false);
  void Build(VkMicromapEXT micromap, bool allows_compaction = false);
  template <class Api>
  Api::Handle MakeBuilt(bool allows_compaction = false) {
    const auto made = Make<Api>();
    Build(made, allows_compaction);
    return made;
  }
  void BuildOfNV(VkCommandBuffer commands, VkAccelerationStructureNV structure, bool allows_compaction);

 private:
  VkPhysicalDeviceOpacityMicromapFeaturesEXT micromaps_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT,
      .micromap = VK_TRUE,
      .micromapHostCommands = VK_TRUE};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
      .pNext = &micromaps_,
      .accelerationStructure = VK_TRUE,
      .accelerationStructureHostCommands = VK_TRUE};
};

template <>
VkAccelerationStructureKHR StructureTest::Make<StructureApi>(VkBuffer storage, VkDeviceSize offset);
template <>
VkMicromapEXT StructureTest::Make<MicromapApi>(VkBuffer storage, VkDeviceSize offset);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_
