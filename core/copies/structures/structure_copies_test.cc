// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies of acceleration structures and micromaps, through the whole layer.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/copies/structures/structure_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

// Serialized data, as its header describes it.
struct alignas(16) Serialized {
  std::array<std::byte, 32> version = {};
  uint64_t size = 128;
  uint64_t structure_size = 4096;
  uint64_t addresses = 2;
  std::array<std::byte, 72> rest = {};
};

// Each test is one of both kinds of structures.
template <class Api>
class StructureCopies : public StructureTest {
 protected:
  using Handle = Api::Handle;

  Handle Built(bool allows_compaction = false) { return MakeBuilt<Api>(allows_compaction); }
  Handle New(Memory memory = Memory::kHostVisible) { return Make<Api>(memory); }

  void CmdCopy(Handle from, Handle to) {
    const auto info = Api::Copy(from, to, Api::kClone);
    Record([&](VkCommandBuffer c) { (vk.*Api::kCmdCopy)(c, &info); });
  }
  void CmdToMemory(Handle from, VkDeviceAddress to) {
    const auto info = Api::ToMemory(from, {.deviceAddress = to});
    Record([&](VkCommandBuffer c) { (vk.*Api::kCmdToMemory)(c, &info); });
  }
  void CmdFromMemory(VkDeviceAddress from, Handle to) {
    const auto info = Api::FromMemory({.deviceAddress = from}, to);
    Record([&](VkCommandBuffer c) { (vk.*Api::kCmdFromMemory)(c, &info); });
  }
  template <class Mode>
  void Copy(Handle from, Handle to, Mode mode) {
    const auto info = Api::Copy(from, to, mode);
    (vk.*Api::kCopy)(device, VK_NULL_HANDLE, &info);
  }
  void ToMemory(Handle from, void* to) {
    const auto info = Api::ToMemory(from, {.hostAddress = to});
    (vk.*Api::kToMemory)(device, VK_NULL_HANDLE, &info);
  }
  void FromMemory(const void* from, Handle to) {
    const auto info = Api::FromMemory({.hostAddress = from}, to);
    (vk.*Api::kFromMemory)(device, VK_NULL_HANDLE, &info);
  }
};

using Apis = ::testing::Types<StructureApi, MicromapApi>;
TYPED_TEST_SUITE(StructureCopies, Apis);

TYPED_TEST(StructureCopies, Recorded) {
  using Memory = StructureTest::Memory;
  this->CmdCopy(this->New(Memory::kDeviceOnly), this->New(Memory::kDeviceOnly));
  this->ExpectNothing();
  this->CmdCopy(this->New(Memory::kNone), this->New());
  EXPECT_THAT(this->ExpectMessage(TypeParam::kCmdCopySource).text,
              HasSubstr("is in a buffer that is not bound to memory."));
  this->CmdCopy(this->New(), this->New(Memory::kNone));
  this->ExpectMessage(TypeParam::kCmdCopyTarget);
}

TYPED_TEST(StructureCopies, RecordedToMemory) {
  using Memory = StructureTest::Memory;
  const auto [buffer, address] = this->MakeData();
  this->CmdToMemory(this->New(Memory::kDeviceOnly), address + 256);
  this->ExpectNothing();
  this->CmdToMemory(this->New(Memory::kNone), address);
  this->ExpectMessage(TypeParam::kCmdToMemorySource);
  this->CmdToMemory(this->New(), address + 128);
  this->ExpectMessage(TypeParam::kCmdToMemoryAligned);
  this->CmdToMemory(this->New(), address + StructureTest::kSize);
  this->ExpectMessage(TypeParam::kCmdToMemoryValid);
  this->DestroyNow(buffer);
  this->CmdToMemory(this->New(), address);
  this->ExpectMessage(TypeParam::kCmdToMemoryValid);
}

// The data begins with a header.
TYPED_TEST(StructureCopies, RecordedToLittleMemory) {
  this->CmdToMemory(this->New(), this->MakeData(256 + 56).second + 256);
  this->ExpectNothing();
  this->CmdToMemory(this->New(), this->MakeData(256 + 47).second + 256);
  EXPECT_THAT(this->ExpectMessage(TypeParam::kToMemorySize).text, HasSubstr("has 47 bytes to the end of VkBuffer"));
}

TYPED_TEST(StructureCopies, RecordedFromMemory) {
  using Memory = StructureTest::Memory;
  const auto [buffer, address] = this->MakeData();
  this->CmdFromMemory(address + 256, this->New(Memory::kDeviceOnly));
  this->ExpectNothing();
  this->CmdFromMemory(address, this->New(Memory::kNone));
  this->ExpectMessage(TypeParam::kCmdFromMemoryTarget);
  this->CmdFromMemory(address + 128, this->New());
  this->ExpectMessage(TypeParam::kCmdFromMemoryAligned);
  this->DestroyNow(buffer);
  this->CmdFromMemory(address, this->New());
  this->ExpectMessage(TypeParam::kCmdFromMemoryValid);
}

// The application may know the address from elsewhere.
TYPED_TEST(StructureCopies, UnknownAddresses) {
  const test::Buffer unknown = this->MakeBuffer(64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  this->CmdToMemory(this->New(), 0x10000);
  this->CmdFromMemory(0x10000, this->New());
  this->ExpectNothing();
  this->DestroyNow(unknown);
  this->CmdFromMemory(0x10000, this->New());
  this->ExpectMessage(TypeParam::kCmdFromMemoryValid);
}

// A buffer for capture and replay has an address before it has memory.
TYPED_TEST(StructureCopies, AddressWithoutMemory) {
  const VkBuffer buffer = this->MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                                   .flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                                                   .size = StructureTest::kSize,
                                                   .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT});
  const VkDeviceAddress address = this->AddressOf(buffer);
  this->CmdToMemory(this->New(), address);
  this->ExpectMessage(TypeParam::kCmdToMemoryBound);
  this->CmdFromMemory(address, this->New());
  this->ExpectMessage(TypeParam::kCmdFromMemoryBound);
}

TYPED_TEST(StructureCopies, ByTheHost) {
  using Memory = StructureTest::Memory;
  constexpr auto kClone = TypeParam::kClone;
  this->Copy(this->Built(), this->New(), kClone);
  this->Copy(this->Built(true), this->New(), TypeParam::kCompact);
  this->ExpectNothing();
  const auto unbound = this->New(Memory::kNone), invisible = this->New(Memory::kDeviceOnly);
  this->Copy(this->Built(), unbound, kClone);
  this->ExpectMessage(TypeParam::kCopyTarget);
  this->Copy(this->Built(), invisible, kClone);
  this->ExpectMessage(TypeParam::kCopyTargetVisible);
  // They are constructed now, for all that is known.
  this->Copy(unbound, this->New(), kClone);
  this->ExpectMessage(TypeParam::kCopySource);
  this->Copy(invisible, this->New(), kClone);
  EXPECT_THAT(this->ExpectMessage(TypeParam::kCopySourceVisible).text,
              HasSubstr("is in a buffer that is bound to memory that is not host-visible."));
}

TYPED_TEST(StructureCopies, ConstructedForTheHost) {
  this->Copy(this->New(), this->New(), TypeParam::kClone);
  EXPECT_THAT(this->ExpectMessage(TypeParam::kCopyConstructed).text,
              HasSubstr("which no command and no call of the host has built or copied to."));
  this->Copy(this->New(), this->New(), TypeParam::kCompact);
  this->ExpectMessage(TypeParam::kCopyConstructed);
  this->Copy(this->Built(), this->New(), TypeParam::kCompact);
  this->ExpectMessage(TypeParam::kCopyCompactable);
  // A copy may have what its source was built with.
  const auto copy = this->New();
  this->Copy(this->Built(), copy, TypeParam::kClone);
  this->Copy(copy, this->New(), TypeParam::kCompact);
  this->ExpectNothing();
}

TYPED_TEST(StructureCopies, ToMemoryByTheHost) {
  using Memory = StructureTest::Memory;
  Serialized data;
  const auto source = this->Built();
  this->ToMemory(source, &data);
  this->ExpectNothing();
  this->ToMemory(source, nullptr);
  this->ExpectMessage(TypeParam::kToMemoryPointer);
  this->ToMemory(source, reinterpret_cast<std::byte*>(&data) + 8);
  this->ExpectMessage(TypeParam::kToMemoryAligned);
  this->ToMemory(this->New(), &data);
  this->ExpectMessage(TypeParam::kToMemoryConstructed);
  const auto invisible = this->New(Memory::kDeviceOnly);
  this->FromMemory(&data, invisible);
  this->ExpectMessage(TypeParam::kFromMemoryVisible);
  this->ToMemory(invisible, &data);
  this->ExpectMessage(TypeParam::kToMemoryVisible);
}

TYPED_TEST(StructureCopies, FromMemoryByTheHost) {
  Serialized data;
  this->FromMemory(&data, this->New());
  this->ExpectNothing();
  this->FromMemory(nullptr, this->New());
  this->ExpectMessage(TypeParam::kFromMemoryPointer);
  this->FromMemory(reinterpret_cast<std::byte*>(&data) + 8, this->New());
  this->ExpectMessage(TypeParam::kFromMemoryAligned);
  data.structure_size = 4097;
  this->FromMemory(&data, this->New());
  EXPECT_THAT(this->ExpectMessage(TypeParam::kFromMemoryFits).text, HasSubstr("is of a structure of 4097 bytes"));
  data.size = 47;
  this->FromMemory(&data, this->New());
  this->ExpectMessage(TypeParam::kFromMemorySerialized);
}

TYPED_TEST(StructureCopies, IncompatibleData) {
  using Get = TypeParam::GetCompatibility;
  const Serialized data;
  this->driver().template FailNext<Get>(VK_SUCCESS);
  this->driver().template Observe<Get>(
      [](const Get& call) { *call.pCompatibility = VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR; });
  this->FromMemory(&data, this->New());
  this->ExpectMessage(TypeParam::kFromMemoryCompatible);
  this->FromMemory(&data, this->New());
  this->ExpectNothing();
}

class StructureCopiesTest : public StructureTest {
 protected:
  using Nv = VkAccelerationStructureNV;
  void CmdCopy(VkAccelerationStructureKHR from, VkAccelerationStructureKHR to) {
    const auto info = StructureApi::Copy(from, to, StructureApi::kClone);
    Record([&](VkCommandBuffer c) { vk.CmdCopyAccelerationStructureKHR(c, &info); });
  }
  void CmdCopy(Nv from, Nv to) {
    Record([&](VkCommandBuffer c) { vk.CmdCopyAccelerationStructureNV(c, to, from, StructureApi::kClone); });
  }
};

// A serialized acceleration structure has the addresses of those that it refers to.
TEST_F(StructureCopiesTest, AddressesInTheData) {
  Serialized data;
  data.addresses = 10;
  const auto info = StructureApi::FromMemory({.hostAddress = &data}, Make<StructureApi>());
  vk.CopyMemoryToAccelerationStructureKHR(device, VK_NULL_HANDLE, &info);
  ExpectMessage(StructureApi::kFromMemorySerialized);
  data.addresses = 9;
  vk.CopyMemoryToAccelerationStructureKHR(device, VK_NULL_HANDLE, &info);
  ExpectNothing();
}

TEST_F(StructureCopiesTest, Overlap) {
  constexpr char kOverlap[] = "VUID-VkCopyAccelerationStructureInfoKHR-dst-07791";
  const VkBuffer storage = MakeStorage();
  const auto source = Make<StructureApi>(storage);
  CmdCopy(source, Make<StructureApi>(storage, kSize / 2));
  ExpectNothing();
  CmdCopy(source, source);
  ExpectMessage(kOverlap);
  CmdCopy(source, Make<StructureApi>(storage));
  ExpectMessage(kOverlap);
}

TEST_F(StructureCopiesTest, OfNV) {
  CmdCopy(MakeOfNV(true), MakeOfNV(true));
  ExpectNothing();
  CmdCopy(MakeOfNV(false), MakeOfNV(true));
  ExpectMessage("VUID-vkCmdCopyAccelerationStructureNV-buffer-03718");
  CmdCopy(MakeOfNV(true), MakeOfNV(false));
  ExpectMessage("VUID-vkCmdCopyAccelerationStructureNV-dst-07792");
  const Nv one = MakeOfNV(true);
  CmdCopy(one, one);
  ExpectMessage("VUID-vkCmdCopyAccelerationStructureNV-dst-07791");
}

}  // namespace
}  // namespace assay::core
