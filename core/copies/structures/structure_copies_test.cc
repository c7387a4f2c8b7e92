// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies of acceleration structures and micromaps, through the whole layer.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/copies/structures/structure_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

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
using StructureCopies = StructureTestOf<Api>;

using Apis = ::testing::Types<StructureApi, MicromapApi>;
TYPED_TEST_SUITE(StructureCopies, Apis);

TYPED_TEST(StructureCopies, Recorded) {
  this->CmdCopy(this->New(Memory::kDeviceOnly), this->New(Memory::kDeviceOnly)).IsRight();
  this->CmdCopy(this->New(Memory::kNone), this->New())
      .Breaks("buffer-03737 buffer-07529", "is in a buffer that is not bound to memory.");
  this->CmdCopy(this->New(), this->New(Memory::kNone)).Breaks("buffer-03738 buffer-07530");
}

TYPED_TEST(StructureCopies, RecordedToMemory) {
  const auto [buffer, address] = this->MakeData();
  this->CmdToMemory(this->New(Memory::kDeviceOnly), address + 256).IsRight();
  this->CmdToMemory(this->New(Memory::kNone), address).Breaks("None-03559 buffer-07539");
  this->CmdToMemory(this->New(), address + 128).Breaks("pInfo-03740 pInfo-07537");
  this->CmdToMemory(this->New(), address + StructureTest::kSize).Breaks("pInfo-03739 pInfo-07536");
  this->DestroyNow(buffer);
  this->CmdToMemory(this->New(), address).Breaks("pInfo-03739 pInfo-07536");
}

// The data begins with a header.
TYPED_TEST(StructureCopies, RecordedToLittleMemory) {
  this->CmdToMemory(this->New(), this->MakeData(256 + 56).second + 256).IsRight();
  this->CmdToMemory(this->New(), this->MakeData(256 + 47).second + 256)
      .Breaks("dst-03561 dst-07541", "has 47 bytes to the end of VkBuffer");
}

TYPED_TEST(StructureCopies, RecordedFromMemory) {
  const auto [buffer, address] = this->MakeData();
  this->CmdFromMemory(address + 256, this->New(Memory::kDeviceOnly)).IsRight();
  this->CmdFromMemory(address, this->New(Memory::kNone)).Breaks("buffer-03745 buffer-07546");
  this->CmdFromMemory(address + 128, this->New()).Breaks("pInfo-03743 pInfo-07544");
  this->DestroyNow(buffer);
  this->CmdFromMemory(address, this->New()).Breaks("pInfo-03742 pInfo-07543");
}

// The application may know the address from elsewhere.
TYPED_TEST(StructureCopies, UnknownAddresses) {
  const test::Buffer unknown = this->MakeBuffer(64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  this->CmdToMemory(this->New(), 0x10000);
  this->CmdFromMemory(0x10000, this->New()).IsRight();
  this->DestroyNow(unknown);
  this->CmdFromMemory(0x10000, this->New()).Breaks("pInfo-03742 pInfo-07543");
}

// A buffer for capture and replay has an address before it has memory.
TYPED_TEST(StructureCopies, AddressWithoutMemory) {
  const VkBuffer buffer = this->MakeUnboundBuffer({.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                                                   .size = StructureTest::kSize,
                                                   .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT});
  const VkDeviceAddress address = this->AddressOf(buffer);
  this->CmdToMemory(this->New(), address).Breaks("pInfo-03741 pInfo-07538");
  this->CmdFromMemory(address, this->New()).Breaks("pInfo-03744 pInfo-07545");
}

TYPED_TEST(StructureCopies, ByTheHost) {
  this->Copy(this->Built(), this->New());
  this->Copy(this->Built(true), this->New(), TypeParam::kCompact).IsRight();
  const auto unbound = this->New(Memory::kNone), invisible = this->New(Memory::kDeviceOnly);
  this->Copy(this->Built(), unbound).Breaks("buffer-03719 buffer-07535");
  this->Copy(this->Built(), invisible).Breaks("buffer-03728 buffer-07559");
  // They are constructed now, for all that is known.
  this->Copy(unbound, this->New()).Breaks("buffer-03718 buffer-07534");
  this->Copy(invisible, this->New())
      .Breaks("buffer-03727 buffer-07558", "is in a buffer that is bound to memory that is not host-visible.");
}

TYPED_TEST(StructureCopies, ConstructedForTheHost) {
  this->Copy(this->New(), this->New())
      .Breaks("src-04963 src-07532", "which no command and no call of the host has built or copied to.");
  this->Copy(this->New(), this->New(), TypeParam::kCompact).Breaks("src-04963 src-07532");
  this->Copy(this->Built(), this->New(), TypeParam::kCompact).Breaks("src-03411 mode-07533");
  // A copy may have what its source was built with.
  const auto copy = this->New();
  this->Copy(this->Built(), copy);
  this->Copy(copy, this->New(), TypeParam::kCompact).IsRight();
}

TYPED_TEST(StructureCopies, ToMemoryByTheHost) {
  Serialized data;
  const auto source = this->Built();
  this->ToMemory(source, &data).IsRight();
  this->ToMemory(source, nullptr).Breaks("pInfo-03732 pInfo-07569");
  this->ToMemory(source, reinterpret_cast<std::byte*>(&data) + 8).Breaks("pInfo-03751 pInfo-07570");
  this->ToMemory(this->New(), &data).Breaks("src-04959 src-07540");
  const auto invisible = this->New(Memory::kDeviceOnly);
  this->FromMemory(&data, invisible).Breaks("buffer-03730 buffer-07565");
  this->ToMemory(invisible, &data).Breaks("buffer-03731 buffer-07568");
}

TYPED_TEST(StructureCopies, FromMemoryByTheHost) {
  Serialized data;
  this->FromMemory(&data, this->New()).IsRight();
  this->FromMemory(nullptr, this->New()).Breaks("pInfo-03729 pInfo-07563");
  this->FromMemory(reinterpret_cast<std::byte*>(&data) + 8, this->New()).Breaks("pInfo-03750 pInfo-07564");
  data.structure_size = 4097;
  this->FromMemory(&data, this->New()).Breaks("dst-03746 dst-07550", "is of a structure of 4097 bytes");
  data.size = 47;
  this->FromMemory(&data, this->New()).Breaks("src-04960 src-07547");
}

TYPED_TEST(StructureCopies, IncompatibleData) {
  using Get = TypeParam::GetCompatibility;
  const Serialized data;
  this->driver().template FailNext<Get>(VK_SUCCESS);
  this->driver().template Observe<Get>(
      [](const Get& call) { *call.pCompatibility = VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR; });
  this->FromMemory(&data, this->New()).Breaks("pInfo-03414 src-07549");
  this->FromMemory(&data, this->New()).IsRight();
}

using StructureCopiesTest = StructureTestOf<StructureApi>;

// A serialized acceleration structure has the addresses of those that it refers to.
TEST_F(StructureCopiesTest, AddressesInTheData) {
  Serialized data;
  data.addresses = 10;
  const auto structure = New();
  FromMemory(&data, structure).Breaks("src-04960");
  data.addresses = 9;
  FromMemory(&data, structure).IsRight();
}

TEST_F(StructureCopiesTest, Overlap) {
  const VkBuffer storage = MakeStorage();
  const auto source = Make<StructureApi>(storage);
  CmdCopy(source, Make<StructureApi>(storage, kSize / 2)).IsRight();
  CmdCopy(source, source).Breaks("dst-07791");
  CmdCopy(source, Make<StructureApi>(storage)).Breaks("dst-07791");
}

TEST_F(StructureCopiesTest, OfNV) {
  CopyOfNV(MakeOfNV(true), MakeOfNV(true)).IsRight();
  CopyOfNV(MakeOfNV(false), MakeOfNV(true)).Breaks("buffer-03718");
  CopyOfNV(MakeOfNV(true), MakeOfNV(false)).Breaks("dst-07792");
  const VkAccelerationStructureNV one = MakeOfNV(true);
  CopyOfNV(one, one).Breaks("dst-07791");
}

}  // namespace
}  // namespace assay::core
