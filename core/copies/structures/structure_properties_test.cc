// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Properties of acceleration structures and micromaps, and what submitted commands need these to contain.

#include <cstdint>

#include "core/copies/structures/structure_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

template <class Api>
using StructureContents = StructureTestOf<Api>;

using Apis = ::testing::Types<StructureApi, MicromapApi>;
TYPED_TEST_SUITE(StructureContents, Apis);

TYPED_TEST(StructureContents, PropertiesForQueries) {
  this->CmdWrite(this->New(Memory::kDeviceOnly), TypeParam::kSerializedSize).IsRight();
  this->CmdWrite(this->New(Memory::kNone), TypeParam::kSerializedSize).Breaks("buffer-03736 buffer-07527");
}

TYPED_TEST(StructureContents, PropertiesForTheHost) {
  const auto built = this->Built();
  this->Write(built, TypeParam::kSerializedSize);
  this->Write(this->Built(true), TypeParam::kCompactedSize).IsRight();
  this->Write(built, TypeParam::kCompactedSize).Breaks("accelerationStructures-03431 pMicromaps-07502");
  this->Write(this->New(), TypeParam::kCompactedSize).Breaks("pAccelerationStructures-04964 pMicromaps-07501");
  this->Write(built, TypeParam::kSerializedSize, 2 * sizeof(VkDeviceSize)).Breaks("dataSize-03452 dataSize-07576");
  const auto invisible = this->New(Memory::kDeviceOnly);
  this->CmdCopy(built, invisible);
  this->Write(invisible, TypeParam::kSerializedSize).Breaks("buffer-03733 buffer-07577");
}

TYPED_TEST(StructureContents, NeverConstructed) {
  this->Run(this->CmdCopy(this->New(), this->New(), TypeParam::kCompact))
      .Breaks("src-04963 src-07532", "which no command and no call of the host has built or copied to.");
  const auto [buffer, address] = this->MakeData();
  this->Run(this->CmdToMemory(this->New(), address)).Breaks("src-04959 src-07540");
  this->Run(this->CmdWrite(this->New(), TypeParam::kCompactedSize))
      .Breaks("pAccelerationStructures-04964 pMicromaps-07501");
}

TYPED_TEST(StructureContents, NeverCompactable) {
  const auto structure = this->Built();
  const Call copy = this->CmdCopy(structure, this->New(), TypeParam::kCompact);
  this->Run(copy).Breaks("src-03411 mode-07533");
  this->Run(this->CmdWrite(structure, TypeParam::kCompactedSize))
      .Breaks("accelerationStructures-03431 pMicromaps-07502");
  // One of the builds was executed last: which one, is not known.
  this->Build(structure, true);
  this->Run(copy).IsRight();
}

// It is built after the copy was recorded, and before that is submitted.
TYPED_TEST(StructureContents, ConstructedLater) {
  const auto structure = this->New();
  const Call copy = this->CmdCopy(structure, this->New());
  const Call write = this->CmdWrite(structure, TypeParam::kCompactedSize);
  this->Build(structure, true);
  this->Run(copy);
  this->Run(write);
  // To copy a structure that was never built is one mistake.
  const auto target = this->New();
  this->Run(this->CmdCopy(this->New(), target)).Breaks("src-04963 src-07532");
  this->Run(this->CmdCopy(target, this->New(), TypeParam::kCompact)).IsRight();
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
  Call Write(uint32_t count, VkQueryPool pool, uint32_t query) {
    return RecordCall<vk::CmdWriteAccelerationStructuresPropertiesKHR>([&](VkCommandBuffer c) {
      vk.CmdWriteAccelerationStructuresPropertiesKHR(c, count, two_structures_, kSize, pool, query);
    });
  }
  Call WriteMicromaps(uint32_t count, VkQueryPool pool, uint32_t query) {
    return RecordCall<vk::CmdWriteMicromapsPropertiesEXT>([&](VkCommandBuffer c) {
      vk.CmdWriteMicromapsPropertiesEXT(c, count, two_micromaps_, kMicromapSize, pool, query);
    });
  }
  Call WriteOfNV(VkQueryPool pool, uint32_t query) {
    return RecordCall<vk::CmdWriteAccelerationStructuresPropertiesNV>(
        [&](VkCommandBuffer c) { vk.CmdWriteAccelerationStructuresPropertiesNV(c, 1, &of_nv_, kNvSize, pool, query); });
  }

  VkAccelerationStructureKHR two_structures_[2] = {};
  VkMicromapEXT two_micromaps_[2] = {};
  VkAccelerationStructureNV of_nv_ = VK_NULL_HANDLE;
  VkQueryPool sizes_ = VK_NULL_HANDLE, micromap_sizes_ = VK_NULL_HANDLE, nv_sizes_ = VK_NULL_HANDLE;
};

TEST_F(PropertyQueries, Recorded) {
  Write(2, sizes_, 2).IsRight();
  WriteOfNV(nv_sizes_, 3).IsRight();
  WriteMicromaps(2, micromap_sizes_, 2).IsRight();
  Write(2, sizes_, 3).Breaks("query-04880");
  WriteMicromaps(2, micromap_sizes_, 3).Breaks("query-07528");
  Write(2, micromap_sizes_, 0).Breaks("queryPool-02493");
  WriteOfNV(sizes_, 0).Breaks("queryPool-03755");
  WriteMicromaps(2, sizes_, 0).Breaks("queryPool-07525");
}
TEST_F(PropertyQueries, NeverReset) {
  // None of the structures was built, either.
  Run(Write(1, sizes_, 0));
  ExpectMessages({"VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-queryPool-02494",
                  "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-pAccelerationStructures-04964"});
  Run(WriteOfNV(nv_sizes_, 0));
  ExpectMessages({"VUID-vkCmdWriteAccelerationStructuresPropertiesNV-queryPool-03756",
                  "VUID-vkCmdWriteAccelerationStructuresPropertiesNV-pAccelerationStructures-04958"});
  Run(WriteMicromaps(1, micromap_sizes_, 0));
  ExpectMessages({"VUID-vkCmdWriteMicromapsPropertiesEXT-queryPool-07526",
                  "VUID-vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07501"});
  for (const VkQueryPool pool : {sizes_, nv_sizes_, micromap_sizes_}) vk.ResetQueryPool(device, pool, 0, 4);
  Run(Write(1, sizes_, 0)).Breaks("pAccelerationStructures-04964");
}

class StructureContentsOfNV : public StructureTest {
 protected:
  using Nv = VkAccelerationStructureNV;

  VkCommandBuffer Build(Nv structure, bool allows_compaction) {
    return Record([&](VkCommandBuffer c) { BuildOfNV(c, structure, allows_compaction); });
  }
  Call Copy(Nv from, VkCopyAccelerationStructureModeKHR mode) { return CopyOfNV(from, MakeOfNV(true), mode); }
  Call Write(Nv structure) {
    return WriteWith<vk::CmdWriteAccelerationStructuresPropertiesNV>(
        structure, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV);
  }
};

TEST_F(StructureContentsOfNV, Copies) {
  const Nv structure = MakeOfNV(true);
  const Call clone = Copy(structure, StructureApi::kClone);
  const Nv compactable = MakeOfNV(true, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR);
  Run(clone).Breaks("src-04963");
  Run({Build(structure, false)}, clone).IsRight();
  Run(Copy(structure, StructureApi::kCompact)).Breaks("src-03411");
  Run({Build(compactable, true)}, Copy(compactable, StructureApi::kCompact)).IsRight();
}

TEST_F(StructureContentsOfNV, Properties) {
  Write(MakeOfNV(false)).Breaks("accelerationStructure-03757");
  const Nv structure = MakeOfNV(true);
  const Call write = Write(structure);
  write.IsRight();
  Run(write).Breaks("pAccelerationStructures-04958");
  Run({Build(structure, false)}, write).Breaks("pAccelerationStructures-06215");
  const Nv compactable = MakeOfNV(true, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR);
  Run({Build(compactable, true)}, Write(compactable)).IsRight();
}

}  // namespace
}  // namespace assay::core
