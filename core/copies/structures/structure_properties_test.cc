// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Properties of acceleration structures and micromaps, and what submitted commands need these to contain.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/copies/structures/structure_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class ContentsTest : public StructureTest {
 protected:
  void Run(std::vector<VkCommandBuffer> commands) {
    Submit(Queue(), std::move(commands));
    vk.DeviceWaitIdle(device);
  }
};

template <class Api>
class StructureContents : public ContentsTest {
 protected:
  using Handle = Api::Handle;

  Handle New(Memory memory = Memory::kHostVisible) { return Make<Api>(memory); }
  Handle Built(bool allows_compaction) { return MakeBuilt<Api>(allows_compaction); }

  template <class Mode>
  VkCommandBuffer Copy(Handle from, Handle to, Mode mode) {
    const auto info = Api::Copy(from, to, mode);
    return Record([&](VkCommandBuffer c) { (vk.*Api::kCmdCopy)(c, &info); });
  }
  VkCommandBuffer Write(Handle structure, VkQueryType type) {
    const VkQueryPool pool = MakeQueryPool(type, 1);
    return Record([&](VkCommandBuffer c) {
      vk.CmdResetQueryPool(c, pool, 0, 1);
      (vk.*Api::kCmdWrite)(c, 1, &structure, type, pool, 0);
    });
  }
};

using Apis = ::testing::Types<StructureApi, MicromapApi>;
TYPED_TEST_SUITE(StructureContents, Apis);

TYPED_TEST(StructureContents, PropertiesForQueries) {
  using Memory = StructureTest::Memory;
  this->Write(this->New(Memory::kDeviceOnly), TypeParam::kSerializedSize);
  this->ExpectNothing();
  this->Write(this->New(Memory::kNone), TypeParam::kSerializedSize);
  this->ExpectMessage(TypeParam::kCmdWriteBound);
}

TYPED_TEST(StructureContents, PropertiesForTheHost) {
  using Memory = StructureTest::Memory;
  const auto write = [this](TypeParam::Handle structure, VkQueryType type) {
    VkDeviceSize size = 0;
    (this->vk.*TypeParam::kWrite)(this->device, 1, &structure, type, sizeof(size), &size, sizeof(size));
  };
  const auto built = this->Built(false);
  write(built, TypeParam::kSerializedSize);
  write(this->Built(true), TypeParam::kCompactedSize);
  this->ExpectNothing();
  write(built, TypeParam::kCompactedSize);
  this->ExpectMessage(TypeParam::kWriteCompactable);
  write(this->New(), TypeParam::kCompactedSize);
  this->ExpectMessage(TypeParam::kWriteConstructed);
  uint64_t sizes[2];
  (this->vk.*TypeParam::kWrite)(this->device, 1, &built, TypeParam::kSerializedSize, sizeof(*sizes), sizes,
                                2 * sizeof(*sizes));
  this->ExpectMessage(TypeParam::kWriteDataSize);
  const auto invisible = this->New(Memory::kDeviceOnly);
  this->Copy(built, invisible, TypeParam::kClone);
  write(invisible, TypeParam::kSerializedSize);
  this->ExpectMessage(TypeParam::kWriteVisible);
}

TYPED_TEST(StructureContents, NeverConstructed) {
  this->Run({this->Copy(this->New(), this->New(), TypeParam::kCompact)});
  EXPECT_THAT(this->ExpectMessage(TypeParam::kCopyConstructed).text,
              HasSubstr("which no command and no call of the host has built or copied to."));
  const auto [buffer, address] = this->MakeData();
  const auto info = TypeParam::ToMemory(this->New(), {.deviceAddress = address});
  this->Run({this->Record([&](VkCommandBuffer c) { (this->vk.*TypeParam::kCmdToMemory)(c, &info); })});
  this->ExpectMessage(TypeParam::kToMemoryConstructed);
  this->Run({this->Write(this->New(), TypeParam::kCompactedSize)});
  this->ExpectMessage(TypeParam::kCmdWriteConstructed);
}

TYPED_TEST(StructureContents, NeverCompactable) {
  const auto structure = this->Built(false);
  const VkCommandBuffer copy = this->Copy(structure, this->New(), TypeParam::kCompact);
  this->Run({copy});
  this->ExpectMessage(TypeParam::kCopyCompactable);
  this->Run({this->Write(structure, TypeParam::kCompactedSize)});
  this->ExpectMessage(TypeParam::kCmdWriteCompactable);
  // One of the builds was executed last: which one, is not known.
  this->Build(structure, true);
  this->Run({copy});
  this->ExpectNothing();
}

// It is built after the copy was recorded, and before that is submitted.
TYPED_TEST(StructureContents, ConstructedLater) {
  const auto structure = this->New();
  const VkCommandBuffer copy = this->Copy(structure, this->New(), TypeParam::kClone);
  const VkCommandBuffer write = this->Write(structure, TypeParam::kCompactedSize);
  this->Build(structure, true);
  this->Run({copy});
  this->Run({write});
  // To copy a structure that was never built is one mistake.
  const auto target = this->New();
  this->Run({this->Copy(this->New(), target, TypeParam::kClone)});
  this->ExpectMessage(TypeParam::kCopyConstructed);
  this->Run({this->Copy(target, this->New(), TypeParam::kCompact)});
  this->ExpectNothing();
}

class StructureContentsOfNV : public ContentsTest {
 protected:
  using Nv = VkAccelerationStructureNV;
  static constexpr auto kCompactedSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV;

  VkCommandBuffer Build(Nv structure, bool allows_compaction) {
    return Record([&](VkCommandBuffer c) { BuildOfNV(c, structure, allows_compaction); });
  }
  VkCommandBuffer Copy(Nv from, VkCopyAccelerationStructureModeKHR mode) {
    return Record([&](VkCommandBuffer c) { vk.CmdCopyAccelerationStructureNV(c, MakeOfNV(true), from, mode); });
  }
  VkCommandBuffer Write(Nv structure) {
    const VkQueryPool pool = MakeQueryPool(kCompactedSize, 1);
    return Record([&](VkCommandBuffer c) {
      vk.CmdResetQueryPool(c, pool, 0, 1);
      vk.CmdWriteAccelerationStructuresPropertiesNV(c, 1, &structure, kCompactedSize, pool, 0);
    });
  }
};

TEST_F(StructureContentsOfNV, Copies) {
  const Nv structure = MakeOfNV(true);
  const VkCommandBuffer clone = Copy(structure, StructureApi::kClone);
  const Nv compactable = MakeOfNV(true, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR);
  Run({clone});
  ExpectMessage("VUID-vkCmdCopyAccelerationStructureNV-src-04963");
  Run({Build(structure, false), clone});
  ExpectNothing();
  Run({Copy(structure, StructureApi::kCompact)});
  ExpectMessage("VUID-vkCmdCopyAccelerationStructureNV-src-03411");
  Run({Build(compactable, true), Copy(compactable, StructureApi::kCompact)});
  ExpectNothing();
}

TEST_F(StructureContentsOfNV, Properties) {
  Write(MakeOfNV(false));
  ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesNV-accelerationStructure-03757");
  const Nv structure = MakeOfNV(true);
  const VkCommandBuffer write = Write(structure);
  ExpectNothing();
  Run({write});
  ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesNV-pAccelerationStructures-04958");
  Run({Build(structure, false), write});
  ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesNV-pAccelerationStructures-06215");
  const Nv compactable = MakeOfNV(true, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR);
  Run({Build(compactable, true), Write(compactable)});
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
