// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies of acceleration structures and micromaps, through the whole layer.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/copies/structures/structure_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

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
using StructureCopies = StructureTestOf<Api>;

using Apis = ::testing::Types<StructureApi, MicromapApi>;
TYPED_TEST_SUITE(StructureCopies, Apis);

TYPED_TEST(StructureCopies, Recorded) {
  this->CmdCopy(this->New(Memory::kDeviceOnly), this->New(Memory::kDeviceOnly));
  this->ExpectNothing();
  this->CmdCopy(this->New(Memory::kNone), this->New());
  EXPECT_THAT(this->Expect("vkCmdCopyAccelerationStructureKHR-buffer-03737", "vkCmdCopyMicromapEXT-buffer-07529").text,
              HasSubstr("is in a buffer that is not bound to memory."));
  this->CmdCopy(this->New(), this->New(Memory::kNone));
  this->Expect("vkCmdCopyAccelerationStructureKHR-buffer-03738", "vkCmdCopyMicromapEXT-buffer-07530");
}

TYPED_TEST(StructureCopies, RecordedToMemory) {
  const auto [buffer, address] = this->MakeData();
  this->CmdToMemory(this->New(Memory::kDeviceOnly), address + 256);
  this->ExpectNothing();
  this->CmdToMemory(this->New(Memory::kNone), address);
  this->Expect("vkCmdCopyAccelerationStructureToMemoryKHR-None-03559", "vkCmdCopyMicromapToMemoryEXT-buffer-07539");
  this->CmdToMemory(this->New(), address + 128);
  this->Expect("vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03740", "vkCmdCopyMicromapToMemoryEXT-pInfo-07537");
  this->CmdToMemory(this->New(), address + StructureTest::kSize);
  this->Expect("vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03739", "vkCmdCopyMicromapToMemoryEXT-pInfo-07536");
  this->DestroyNow(buffer);
  this->CmdToMemory(this->New(), address);
  this->Expect("vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03739", "vkCmdCopyMicromapToMemoryEXT-pInfo-07536");
}

// The data begins with a header.
TYPED_TEST(StructureCopies, RecordedToLittleMemory) {
  this->CmdToMemory(this->New(), this->MakeData(256 + 56).second + 256);
  this->ExpectNothing();
  this->CmdToMemory(this->New(), this->MakeData(256 + 47).second + 256);
  EXPECT_THAT(
      this->Expect("VkCopyAccelerationStructureToMemoryInfoKHR-dst-03561", "VkCopyMicromapToMemoryInfoEXT-dst-07541")
          .text,
      HasSubstr("has 47 bytes to the end of VkBuffer"));
}

TYPED_TEST(StructureCopies, RecordedFromMemory) {
  const auto [buffer, address] = this->MakeData();
  this->CmdFromMemory(address + 256, this->New(Memory::kDeviceOnly));
  this->ExpectNothing();
  this->CmdFromMemory(address, this->New(Memory::kNone));
  this->Expect("vkCmdCopyMemoryToAccelerationStructureKHR-buffer-03745", "vkCmdCopyMemoryToMicromapEXT-buffer-07546");
  this->CmdFromMemory(address + 128, this->New());
  this->Expect("vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03743", "vkCmdCopyMemoryToMicromapEXT-pInfo-07544");
  this->DestroyNow(buffer);
  this->CmdFromMemory(address, this->New());
  this->Expect("vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03742", "vkCmdCopyMemoryToMicromapEXT-pInfo-07543");
}

// The application may know the address from elsewhere.
TYPED_TEST(StructureCopies, UnknownAddresses) {
  const test::Buffer unknown = this->MakeBuffer(64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  this->CmdToMemory(this->New(), 0x10000);
  this->CmdFromMemory(0x10000, this->New());
  this->ExpectNothing();
  this->DestroyNow(unknown);
  this->CmdFromMemory(0x10000, this->New());
  this->Expect("vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03742", "vkCmdCopyMemoryToMicromapEXT-pInfo-07543");
}

// A buffer for capture and replay has an address before it has memory.
TYPED_TEST(StructureCopies, AddressWithoutMemory) {
  const VkBuffer buffer = this->MakeUnboundBuffer({.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                                                   .size = StructureTest::kSize,
                                                   .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT});
  const VkDeviceAddress address = this->AddressOf(buffer);
  this->CmdToMemory(this->New(), address);
  this->Expect("vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03741", "vkCmdCopyMicromapToMemoryEXT-pInfo-07538");
  this->CmdFromMemory(address, this->New());
  this->Expect("vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03744", "vkCmdCopyMemoryToMicromapEXT-pInfo-07545");
}

TYPED_TEST(StructureCopies, ByTheHost) {
  constexpr auto kClone = TypeParam::kClone;
  this->Copy(this->Built(), this->New(), kClone);
  this->Copy(this->Built(true), this->New(), TypeParam::kCompact);
  this->ExpectNothing();
  const auto unbound = this->New(Memory::kNone), invisible = this->New(Memory::kDeviceOnly);
  this->Copy(this->Built(), unbound, kClone);
  this->Expect("VkCopyAccelerationStructureInfoKHR-buffer-03719", "VkCopyMicromapInfoEXT-buffer-07535");
  this->Copy(this->Built(), invisible, kClone);
  this->Expect("vkCopyAccelerationStructureKHR-buffer-03728", "vkCopyMicromapEXT-buffer-07559");
  // They are constructed now, for all that is known.
  this->Copy(unbound, this->New(), kClone);
  this->Expect("VkCopyAccelerationStructureInfoKHR-buffer-03718", "VkCopyMicromapInfoEXT-buffer-07534");
  this->Copy(invisible, this->New(), kClone);
  EXPECT_THAT(this->Expect("vkCopyAccelerationStructureKHR-buffer-03727", "vkCopyMicromapEXT-buffer-07558").text,
              HasSubstr("is in a buffer that is bound to memory that is not host-visible."));
}

TYPED_TEST(StructureCopies, ConstructedForTheHost) {
  this->Copy(this->New(), this->New(), TypeParam::kClone);
  EXPECT_THAT(this->Expect("VkCopyAccelerationStructureInfoKHR-src-04963", "VkCopyMicromapInfoEXT-src-07532").text,
              HasSubstr("which no command and no call of the host has built or copied to."));
  this->Copy(this->New(), this->New(), TypeParam::kCompact);
  this->Expect("VkCopyAccelerationStructureInfoKHR-src-04963", "VkCopyMicromapInfoEXT-src-07532");
  this->Copy(this->Built(), this->New(), TypeParam::kCompact);
  this->Expect("VkCopyAccelerationStructureInfoKHR-src-03411", "VkCopyMicromapInfoEXT-mode-07533");
  // A copy may have what its source was built with.
  const auto copy = this->New();
  this->Copy(this->Built(), copy, TypeParam::kClone);
  this->Copy(copy, this->New(), TypeParam::kCompact);
  this->ExpectNothing();
}

TYPED_TEST(StructureCopies, ToMemoryByTheHost) {
  Serialized data;
  const auto source = this->Built();
  this->ToMemory(source, &data);
  this->ExpectNothing();
  this->ToMemory(source, nullptr);
  this->Expect("vkCopyAccelerationStructureToMemoryKHR-pInfo-03732", "vkCopyMicromapToMemoryEXT-pInfo-07569");
  this->ToMemory(source, reinterpret_cast<std::byte*>(&data) + 8);
  this->Expect("vkCopyAccelerationStructureToMemoryKHR-pInfo-03751", "vkCopyMicromapToMemoryEXT-pInfo-07570");
  this->ToMemory(this->New(), &data);
  this->Expect("VkCopyAccelerationStructureToMemoryInfoKHR-src-04959", "VkCopyMicromapToMemoryInfoEXT-src-07540");
  const auto invisible = this->New(Memory::kDeviceOnly);
  this->FromMemory(&data, invisible);
  this->Expect("vkCopyMemoryToAccelerationStructureKHR-buffer-03730", "vkCopyMemoryToMicromapEXT-buffer-07565");
  this->ToMemory(invisible, &data);
  this->Expect("vkCopyAccelerationStructureToMemoryKHR-buffer-03731", "vkCopyMicromapToMemoryEXT-buffer-07568");
}

TYPED_TEST(StructureCopies, FromMemoryByTheHost) {
  Serialized data;
  this->FromMemory(&data, this->New());
  this->ExpectNothing();
  this->FromMemory(nullptr, this->New());
  this->Expect("vkCopyMemoryToAccelerationStructureKHR-pInfo-03729", "vkCopyMemoryToMicromapEXT-pInfo-07563");
  this->FromMemory(reinterpret_cast<std::byte*>(&data) + 8, this->New());
  this->Expect("vkCopyMemoryToAccelerationStructureKHR-pInfo-03750", "vkCopyMemoryToMicromapEXT-pInfo-07564");
  data.structure_size = 4097;
  this->FromMemory(&data, this->New());
  EXPECT_THAT(
      this->Expect("VkCopyMemoryToAccelerationStructureInfoKHR-dst-03746", "VkCopyMemoryToMicromapInfoEXT-dst-07550")
          .text,
      HasSubstr("is of a structure of 4097 bytes"));
  data.size = 47;
  this->FromMemory(&data, this->New());
  this->Expect("VkCopyMemoryToAccelerationStructureInfoKHR-src-04960", "VkCopyMemoryToMicromapInfoEXT-src-07547");
}

TYPED_TEST(StructureCopies, IncompatibleData) {
  using Get = TypeParam::GetCompatibility;
  const Serialized data;
  this->driver().template FailNext<Get>(VK_SUCCESS);
  this->driver().template Observe<Get>(
      [](const Get& call) { *call.pCompatibility = VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR; });
  this->FromMemory(&data, this->New());
  this->Expect("VkCopyMemoryToAccelerationStructureInfoKHR-pInfo-03414", "VkCopyMemoryToMicromapInfoEXT-src-07549");
  this->FromMemory(&data, this->New());
  this->ExpectNothing();
}

class StructureCopiesTest : public StructureTest {
 protected:
  using Nv = VkAccelerationStructureNV;
  void CmdCopy(VkAccelerationStructureKHR from, VkAccelerationStructureKHR to) {
    CopyWith(vk.CmdCopyAccelerationStructureKHR, from, to, StructureApi::kClone);
  }
  void CmdCopy(Nv from, Nv to) {
    Record([&](VkCommandBuffer c) { vk.CmdCopyAccelerationStructureNV(c, to, from, StructureApi::kClone); });
  }
};

// A serialized acceleration structure has the addresses of those that it refers to.
TEST_F(StructureCopiesTest, AddressesInTheData) {
  Serialized data;
  data.addresses = 10;
  const auto structure = Make<StructureApi>();
  const auto copy = [&] {
    CopyWith(vk.CopyMemoryToAccelerationStructureKHR, {.hostAddress = &data}, structure, StructureApi::kDeserialize);
  };
  copy();
  ExpectMessage("VUID-VkCopyMemoryToAccelerationStructureInfoKHR-src-04960");
  data.addresses = 9;
  copy();
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
