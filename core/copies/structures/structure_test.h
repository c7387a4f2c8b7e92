// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_
#define ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/test_cases/family_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Test-only: acceleration structures and micromaps, with one name for what both have.
namespace assay::core {

using test::Of, test::Typed;

// The commands and structures of acceleration structures.
struct StructureApi {
  using Handle = VkAccelerationStructureKHR;
  static constexpr auto kClone = VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR;
  static constexpr auto kCompact = VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR;
  static constexpr auto kSerialize = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR;
  static constexpr auto kDeserialize = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR;
  static constexpr auto kCompactedSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR;
  static constexpr auto kSerializedSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR;
  using CmdCopy = vk::CmdCopyAccelerationStructureKHR;
  using CmdToMemory = vk::CmdCopyAccelerationStructureToMemoryKHR;
  using CmdFromMemory = vk::CmdCopyMemoryToAccelerationStructureKHR;
  using CmdWrite = vk::CmdWriteAccelerationStructuresPropertiesKHR;
  using Copy = vk::CopyAccelerationStructureKHR;
  using ToMemory = vk::CopyAccelerationStructureToMemoryKHR;
  using FromMemory = vk::CopyMemoryToAccelerationStructureKHR;
  using Write = vk::WriteAccelerationStructuresPropertiesKHR;
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
  using CmdCopy = vk::CmdCopyMicromapEXT;
  using CmdToMemory = vk::CmdCopyMicromapToMemoryEXT;
  using CmdFromMemory = vk::CmdCopyMemoryToMicromapEXT;
  using CmdWrite = vk::CmdWriteMicromapsPropertiesEXT;
  using Copy = vk::CopyMicromapEXT;
  using ToMemory = vk::CopyMicromapToMemoryEXT;
  using FromMemory = vk::CopyMemoryToMicromapEXT;
  using Write = vk::WriteMicromapsPropertiesEXT;
  using GetCompatibility = vk::GetDeviceMicromapCompatibilityEXT;
};

// A call of the host, or a recording of one call.
struct Call {
  // Expects that it broke that rule, in a message with that text; of several rules, the one that its command has.
  void Breaks(std::string_view rules, const char* text = "",
              std::source_location where = std::source_location::current()) const {
    SCOPED_TRACE(rules);
    EXPECT_THAT(messages.Expect(vk::GetVuid(find(rules)).id, where).text, ::testing::HasSubstr(text));
  }
  void IsRight(std::source_location where = std::source_location::current()) const { messages.ExpectNothing(where); }

  test::MessageLog& messages;
  vk::VuidIndex (*find)(std::string_view);
  VkCommandBuffer commands = VK_NULL_HANDLE;
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

  template <class C, class... Arguments>
  void Do(Arguments... arguments) {
    reinterpret_cast<typename C::Function>(vk.Find(C::kId))(arguments...);
  }
  template <class C>
  Call RecordCall(const std::function<void(VkCommandBuffer)>& commands) {
    return {messages, FindFamilyVuid<C>, Record(commands)};
  }
  // A copy. All their structures are alike.
  template <class C, class Info = std::remove_cvref_t<decltype(*C::pInfo)>>
  Call CopyWith(decltype(Info::src) src, decltype(Info::dst) dst, decltype(Info::mode) mode) {
    const auto info = Of<Info>(src, dst, mode);
    if constexpr (C::kDispatch == vk::DispatchLevel::kCommandBuffer) {
      return RecordCall<C>([&](VkCommandBuffer c) { Do<C>(c, &info); });
    } else {
      Do<C>(device, VkDeferredOperationKHR{}, &info);
      return {messages, FindFamilyVuid<C>};
    }
  }
  Call CopyOfNV(VkAccelerationStructureNV from, VkAccelerationStructureNV to,
                VkCopyAccelerationStructureModeKHR mode = StructureApi::kClone) {
    using C = vk::CmdCopyAccelerationStructureNV;
    return RecordCall<C>([&](VkCommandBuffer c) { Do<C>(c, to, from, mode); });
  }
  // Writes a property to a query of its own.
  template <class C, class Handle>
  Call WriteWith(Handle structure, VkQueryType type) {
    const VkQueryPool pool = MakeQueryPool(type, 1);
    return RecordCall<C>([&](VkCommandBuffer c) {
      vk.CmdResetQueryPool(c, pool, 0, 1);
      Do<C>(c, 1, &structure, type, pool, 0);
    });
  }
  // Submits it, after other commands.
  Call Run(std::vector<VkCommandBuffer> before, const Call& call) {
    before.push_back(call.commands);
    Submit(Queue(), std::move(before));
    vk.DeviceWaitIdle(device);
    return call;
  }
  Call Run(const Call& call) { return Run({}, call); }

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
  Call CmdCopy(Handle from, Handle to, Mode mode = Api::kClone) {
    return CopyWith<typename Api::CmdCopy>(from, to, mode);
  }
  Call CmdToMemory(Handle from, VkDeviceAddress to) {
    return CopyWith<typename Api::CmdToMemory>(from, {.deviceAddress = to}, Api::kSerialize);
  }
  Call CmdFromMemory(VkDeviceAddress from, Handle to) {
    return CopyWith<typename Api::CmdFromMemory>({.deviceAddress = from}, to, Api::kDeserialize);
  }
  Call Copy(Handle from, Handle to, Mode mode = Api::kClone) { return CopyWith<typename Api::Copy>(from, to, mode); }
  Call ToMemory(Handle from, void* to) {
    return CopyWith<typename Api::ToMemory>(from, {.hostAddress = to}, Api::kSerialize);
  }
  Call FromMemory(const void* from, Handle to) {
    return CopyWith<typename Api::FromMemory>({.hostAddress = from}, to, Api::kDeserialize);
  }
  Call CmdWrite(Handle structure, VkQueryType type) { return WriteWith<typename Api::CmdWrite>(structure, type); }
  // To room for one.
  Call Write(Handle structure, VkQueryType type, size_t stride = sizeof(VkDeviceSize)) {
    VkDeviceSize size = 0;
    Do<typename Api::Write>(device, 1, &structure, type, sizeof(size), &size, stride);
    return {messages, FindFamilyVuid<typename Api::Write>};
  }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_TEST_H_
