// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Properties of acceleration structures and micromaps, and what submitted commands need these to contain.

#include <cstdint>

#include "core/copies/structures/structure_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

template <class Api>
using StructureContents = StructureTestOf<Api>;

using Apis = ::testing::Types<StructureApi, MicromapApi>;
TYPED_TEST_SUITE(StructureContents, Apis);

TYPED_TEST(StructureContents, PropertiesForQueries) {
  this->Write(this->New(Memory::kDeviceOnly), TypeParam::kSerializedSize);
  this->ExpectNothing();
  this->Write(this->New(Memory::kNone), TypeParam::kSerializedSize);
  this->Expect("vkCmdWriteAccelerationStructuresPropertiesKHR-buffer-03736",
               "vkCmdWriteMicromapsPropertiesEXT-buffer-07527");
}

TYPED_TEST(StructureContents, PropertiesForTheHost) {
  const auto write = [this](TypeParam::Handle structure, VkQueryType type) {
    VkDeviceSize size = 0;
    (this->vk.*TypeParam::kWrite)(this->device, 1, &structure, type, sizeof(size), &size, sizeof(size));
  };
  const auto built = this->Built(false);
  write(built, TypeParam::kSerializedSize);
  write(this->Built(true), TypeParam::kCompactedSize);
  this->ExpectNothing();
  write(built, TypeParam::kCompactedSize);
  this->Expect("vkWriteAccelerationStructuresPropertiesKHR-accelerationStructures-03431",
               "vkWriteMicromapsPropertiesEXT-pMicromaps-07502");
  write(this->New(), TypeParam::kCompactedSize);
  this->Expect("vkWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964",
               "vkWriteMicromapsPropertiesEXT-pMicromaps-07501");
  uint64_t sizes[2];
  (this->vk.*TypeParam::kWrite)(this->device, 1, &built, TypeParam::kSerializedSize, sizeof(*sizes), sizes,
                                2 * sizeof(*sizes));
  this->Expect("vkWriteAccelerationStructuresPropertiesKHR-dataSize-03452",
               "vkWriteMicromapsPropertiesEXT-dataSize-07576");
  const auto invisible = this->New(Memory::kDeviceOnly);
  this->CmdCopy(built, invisible, TypeParam::kClone);
  write(invisible, TypeParam::kSerializedSize);
  this->Expect("vkWriteAccelerationStructuresPropertiesKHR-buffer-03733", "vkWriteMicromapsPropertiesEXT-buffer-07577");
}

TYPED_TEST(StructureContents, NeverConstructed) {
  this->Run({this->CmdCopy(this->New(), this->New(), TypeParam::kCompact)});
  EXPECT_THAT(this->Expect("VkCopyAccelerationStructureInfoKHR-src-04963", "VkCopyMicromapInfoEXT-src-07532").text,
              HasSubstr("which no command and no call of the host has built or copied to."));
  const auto [buffer, address] = this->MakeData();
  this->Run({this->CmdToMemory(this->New(), address)});
  this->Expect("VkCopyAccelerationStructureToMemoryInfoKHR-src-04959", "VkCopyMicromapToMemoryInfoEXT-src-07540");
  this->Run({this->Write(this->New(), TypeParam::kCompactedSize)});
  this->Expect("vkCmdWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964",
               "vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07501");
}

TYPED_TEST(StructureContents, NeverCompactable) {
  const auto structure = this->Built(false);
  const VkCommandBuffer copy = this->CmdCopy(structure, this->New(), TypeParam::kCompact);
  this->Run({copy});
  this->Expect("VkCopyAccelerationStructureInfoKHR-src-03411", "VkCopyMicromapInfoEXT-mode-07533");
  this->Run({this->Write(structure, TypeParam::kCompactedSize)});
  this->Expect("vkCmdWriteAccelerationStructuresPropertiesKHR-accelerationStructures-03431",
               "vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07502");
  // One of the builds was executed last: which one, is not known.
  this->Build(structure, true);
  this->Run({copy});
  this->ExpectNothing();
}

// It is built after the copy was recorded, and before that is submitted.
TYPED_TEST(StructureContents, ConstructedLater) {
  const auto structure = this->New();
  const VkCommandBuffer copy = this->CmdCopy(structure, this->New(), TypeParam::kClone);
  const VkCommandBuffer write = this->Write(structure, TypeParam::kCompactedSize);
  this->Build(structure, true);
  this->Run({copy});
  this->Run({write});
  // To copy a structure that was never built is one mistake.
  const auto target = this->New();
  this->Run({this->CmdCopy(this->New(), target, TypeParam::kClone)});
  this->Expect("VkCopyAccelerationStructureInfoKHR-src-04963", "VkCopyMicromapInfoEXT-src-07532");
  this->Run({this->CmdCopy(target, this->New(), TypeParam::kCompact)});
  this->ExpectNothing();
}

// The queries that properties of all of these are written to.
class PropertyQueries : public StructureTest {
 protected:
  static constexpr VkQueryType kSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR,
                               kMicromapSize = MicromapApi::kSerializedSize,
                               kNvSize = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV;
  void SetUp() override {
    StructureTest::SetUp();
    for (auto& structure : two_structures_) structure = Make<StructureApi>();
    for (auto& micromap : two_micromaps_) micromap = Make<MicromapApi>();
    of_nv_ = MakeOfNV(true);
    sizes_ = MakeQueryPool(kSize, 4);
    micromap_sizes_ = MakeQueryPool(kMicromapSize, 4);
    nv_sizes_ = MakeQueryPool(kNvSize, 4);
  }
  void Write(VkCommandBuffer c, uint32_t count, VkQueryPool pool, uint32_t query) {
    vk.CmdWriteAccelerationStructuresPropertiesKHR(c, count, two_structures_, kSize, pool, query);
  }
  void WriteMicromaps(VkCommandBuffer c, uint32_t count, VkQueryPool pool, uint32_t query) {
    vk.CmdWriteMicromapsPropertiesEXT(c, count, two_micromaps_, kMicromapSize, pool, query);
  }
  void WriteOfNV(VkCommandBuffer c, VkQueryPool pool, uint32_t query) {
    vk.CmdWriteAccelerationStructuresPropertiesNV(c, 1, &of_nv_, kNvSize, pool, query);
  }

  VkAccelerationStructureKHR two_structures_[2] = {};
  VkMicromapEXT two_micromaps_[2] = {};
  VkAccelerationStructureNV of_nv_ = VK_NULL_HANDLE;
  VkQueryPool sizes_ = VK_NULL_HANDLE, micromap_sizes_ = VK_NULL_HANDLE, nv_sizes_ = VK_NULL_HANDLE;
};

TEST_F(PropertyQueries, Recorded) {
  Record([&](VkCommandBuffer c) {
    Write(c, 2, sizes_, 2);
    WriteOfNV(c, nv_sizes_, 3);
    WriteMicromaps(c, 2, micromap_sizes_, 2);
    ExpectNothing();
    Write(c, 2, sizes_, 3);
    ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-query-04880");
    WriteMicromaps(c, 2, micromap_sizes_, 3);
    ExpectMessage("VUID-vkCmdWriteMicromapsPropertiesEXT-query-07528");
    Write(c, 2, micromap_sizes_, 0);
    ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-queryPool-02493");
    WriteOfNV(c, sizes_, 0);
    ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesNV-queryPool-03755");
    WriteMicromaps(c, 2, sizes_, 0);
    ExpectMessage("VUID-vkCmdWriteMicromapsPropertiesEXT-queryPool-07525");
  });
}
TEST_F(PropertyQueries, NeverReset) {
  // None of the structures was built, either.
  Run({Record([&](VkCommandBuffer c) { Write(c, 1, sizes_, 0); })});
  ExpectMessages({"VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-queryPool-02494",
                  "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964"});
  Run({Record([&](VkCommandBuffer c) { WriteOfNV(c, nv_sizes_, 0); })});
  ExpectMessages({"VUID-vkCmdWriteAccelerationStructuresPropertiesNV-queryPool-03756",
                  "VUID-vkCmdWriteAccelerationStructuresPropertiesNV-pAccelerationStructures-04958"});
  Run({Record([&](VkCommandBuffer c) { WriteMicromaps(c, 1, micromap_sizes_, 0); })});
  ExpectMessages({"VUID-vkCmdWriteMicromapsPropertiesEXT-queryPool-07526",
                  "VUID-vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07501"});
  for (const VkQueryPool pool : {sizes_, nv_sizes_, micromap_sizes_}) vk.ResetQueryPool(device, pool, 0, 4);
  Run({Record([&](VkCommandBuffer c) { Write(c, 1, sizes_, 0); })});
  ExpectMessage("VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964");
}

class StructureContentsOfNV : public StructureTest {
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
