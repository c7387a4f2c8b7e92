// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_
#define ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_

#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// Test-only: acceleration structures and micromaps, with one name for what both have.
namespace assay::core {

using test::Of, test::Typed;

// The functions and structures of acceleration structures.
struct StructureApi {
  using Handle = VkAccelerationStructureKHR;
  static constexpr auto kClone = VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR;
  static constexpr auto kCompact = VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR;
  static constexpr auto kSerialize = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR;
  static constexpr auto kDeserialize = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR;
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
};

// The same of micromaps.
struct MicromapApi {
  using Handle = VkMicromapEXT;
  static constexpr auto kClone = VK_COPY_MICROMAP_MODE_CLONE_EXT;
  static constexpr auto kCompact = VK_COPY_MICROMAP_MODE_COMPACT_EXT;
  static constexpr auto kSerialize = VK_COPY_MICROMAP_MODE_SERIALIZE_EXT;
  static constexpr auto kDeserialize = VK_COPY_MICROMAP_MODE_DESERIALIZE_EXT;
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
};

// Where a buffer's memory is.
enum class Memory : uint8_t { kNone, kDeviceOnly, kHostVisible };

class StructureTest : public test::ValidationTest {
 protected:
  static constexpr VkDeviceSize kSize = 8192;

  test::DeviceOptions Options() override;

  // Storage without an address of its own.
  VkBuffer MakeStorage(Memory memory = Memory::kHostVisible);
  // A buffer for serialized data, and its address.
  std::pair<VkBuffer, VkDeviceAddress> MakeData(VkDeviceSize size = kSize);

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
  void BuildOfNV(VkCommandBuffer commands, VkAccelerationStructureNV structure, bool allows_compaction);
  // A copy, with a command or by the host. All their structures are alike.
  template <class Info>
  VkCommandBuffer CopyWith(void (*command)(VkCommandBuffer, const Info*), decltype(Info::src) src,
                           decltype(Info::dst) dst, decltype(Info::mode) mode) {
    const Info info = {vk::kStructureTypeOf<Info>, nullptr, src, dst, mode};
    return Record([&](VkCommandBuffer c) { command(c, &info); });
  }
  template <class Info>
  void CopyWith(VkResult (*command)(VkDevice, VkDeferredOperationKHR, const Info*), decltype(Info::src) src,
                decltype(Info::dst) dst, decltype(Info::mode) mode) {
    const Info info = {vk::kStructureTypeOf<Info>, nullptr, src, dst, mode};
    command(device, VK_NULL_HANDLE, &info);
  }
  void Run(std::vector<VkCommandBuffer> commands) {
    Submit(Queue(), std::move(commands));
    vk.DeviceWaitIdle(device);
  }

 private:
  test::ExtensionFeatures features_;
};

template <>
VkAccelerationStructureKHR StructureTest::Make<StructureApi>(VkBuffer storage, VkDeviceSize offset);
template <>
VkMicromapEXT StructureTest::Make<MicromapApi>(VkBuffer storage, VkDeviceSize offset);

// A test of both.
template <class Api>
class StructureTestOf : public StructureTest {
 protected:
  using Handle = Api::Handle;
  using Mode = decltype(Api::kClone);

  Handle New(Memory memory = Memory::kHostVisible) { return Make<Api>(memory); }
  Handle Built(bool allows_compaction = false) {
    const Handle made = New();
    Build(made, allows_compaction);
    return made;
  }
  VkCommandBuffer CmdCopy(Handle from, Handle to, Mode mode = Api::kClone) {
    return CopyWith(vk.*Api::kCmdCopy, from, to, mode);
  }
  VkCommandBuffer CmdToMemory(Handle from, VkDeviceAddress to) {
    return CopyWith(vk.*Api::kCmdToMemory, from, {.deviceAddress = to}, Api::kSerialize);
  }
  void CmdFromMemory(VkDeviceAddress from, Handle to) {
    CopyWith(vk.*Api::kCmdFromMemory, {.deviceAddress = from}, to, Api::kDeserialize);
  }
  void Copy(Handle from, Handle to, Mode mode) { CopyWith(vk.*Api::kCopy, from, to, mode); }
  void ToMemory(Handle from, void* to) { CopyWith(vk.*Api::kToMemory, from, {.hostAddress = to}, Api::kSerialize); }
  void FromMemory(const void* from, Handle to) {
    CopyWith(vk.*Api::kFromMemory, {.hostAddress = from}, to, Api::kDeserialize);
  }
  VkCommandBuffer Write(Handle structure, VkQueryType type) {
    const VkQueryPool pool = MakeQueryPool(type, 1);
    return Record([&](VkCommandBuffer c) {
      vk.CmdResetQueryPool(c, pool, 0, 1);
      (vk.*Api::kCmdWrite)(c, 1, &structure, type, pool, 0);
    });
  }
  // Expects the rule of acceleration structures or that of micromaps.
  test::Message Expect(const std::string& of_structures, const std::string& of_micromaps,
                       std::source_location where = std::source_location::current()) {
    return ExpectMessage("VUID-" + (std::is_same_v<Api, StructureApi> ? of_structures : of_micromaps), where);
  }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_
