// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of acceleration structures, through the whole layer.

#include "core/builds/structure_builds_test.h"

namespace assay::core {
namespace {

TEST_F(StructureBuilds, ModesTypesAndSizes) {
  const auto small = MakeStructure(kBottom, storage_[0].buffer, 4096);
  const auto moving = MakeStructure(kBottom, storage_[0].buffer, kSize, kMotion);
  RunRows({
      {"mode-04628", [](Call& call) { call.infos[0].mode = static_cast<VkBuildAccelerationStructureModeKHR>(2); }},
      {"pInfos-04630", [](Call& call) { call.infos[0].mode = kUpdate; }},
      {"pInfos-03699", [&](Call& call) { call.Instances(Input(call)), call.ranges[0][0].primitiveCount = 0; }},
      {"pInfos-03700", To(visible_top_)},
      {"pInfos-10126", To(small)},
      {"pInfos-03652", To(small)},
      {kInfo + "dstAccelerationStructure-04927", To(moving)},
      {kInfo + "flags-04928",
       [&](Call& call) { call.infos[0].flags |= VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV; }},
  });
}

TEST_F(StructureBuilds, Handles) {
  SkipCalls skip(*this);
  const auto none = reinterpret_cast<VkAccelerationStructureKHR>(uint64_t{0x1234});
  RunRows({{"dstAccelerationStructure-03800", To(none)},
           {"srcAccelerationStructure-04629", [=](Call& call) { call.infos[0].srcAccelerationStructure = none; }}});
}

TEST_F(StructureBuilds, Storage) {
  const auto unbound = MakeStructure(kBottom, MakeStorage(false));
  const auto invisible = MakeStructure(kBottom, MakeStorage(true));
  const auto from_unbound = [&](Call& call) { call.Update(unbound); };
  RunRows({{"pInfos-03707", To(unbound)},
           {"pInfos-03722", To(unbound)},
           {"pInfos-03722", To(invisible)},
           {"pInfos-03708", from_unbound},
           {"pInfos-03723", from_unbound}});
}

TEST_F(StructureBuilds, Overlaps) {
  const auto alias = MakeStructure(kBottom, storage_[0].buffer);
  const auto two = [](Call& call) -> Call& {
    call.count = 2;
    return call;
  };
  RunRows({
      {"pInfos-03403", [&](Call& call) { two(call).Update(bottom_[0], 1); }},
      {"dstAccelerationStructure-03698", [&](Call& call) { two(call).infos[1].dstAccelerationStructure = bottom_[0]; }},
      {"dstAccelerationStructure-03701", [&](Call& call) { two(call).Update(alias, 1); }},
      {"dstAccelerationStructure-03702", [&](Call& call) { two(call).infos[1].dstAccelerationStructure = alias; }},
      {"pInfos-03668", [&](Call& call) { call.Update(alias); }},
      {"scratchData-03704", [&](Call& call) { two(call).infos[1].scratchData = call.infos[0].scratchData; }},
  });
  // Where scratch memory of the host is, the layer does not know.
  skipped_ = kHost;
  RunRows({
      {"dstAccelerationStructure-03703",
       [&](Call& call) { call.infos[0].scratchData.deviceAddress = storage_[0].address + 4096; }},
      {"scratchData-03705",
       [&](Call& call) { call.Update(bottom_[1]), call.infos[0].scratchData.deviceAddress = storage_[1].address; }},
  });
}

TEST_F(StructureBuilds, OverlapsThatAreRight) {
  for (const Command command : {kDirect, kIndirect, kHost}) {
    Try(command, "", [&](Call& call) {
      call.count = 2;
      call.Update(bottom_[0]);
      // The mock driver says 4160 bytes.
      if (command != kHost) call.infos[1].scratchData.deviceAddress = scratch_[0].address + 4224;
    });
  }
}

TEST_F(StructureBuilds, Scratch) {
  const VkDeviceAddress unbound = MakeUnbound();
  const auto to = [](VkDeviceAddress address, bool updates = false) {
    return [=](Call& call) {
      if (updates) call.Update(call.infos[0].dstAccelerationStructure);
      call.infos[0].scratchData.deviceAddress = address;
    };
  };
  const VkDeviceAddress at_end = scratch_[0].address + kSize - 4096;
  RunRows({{"pInfos-03710", to(scratch_[0].address + 64)},
           {"pInfos-03802", to(1 << 10)},
           {"pInfos-03803", to(unbound)},
           {"pInfos-03674", to(plain_.address)},
           {"pInfos-03671", to(at_end)},
           {"pInfos-03672", to(at_end, true)},
           {"pInfos-03725", to(0)},
           {"pInfos-03726", to(0, true)}});
}

TEST_F(StructureBuilds, Counts) {
  RunRows({
      {"pInfos-03801",
       [&](Call& call) {
         call.Instances(Input(call));
         call.infos[0].dstAccelerationStructure = visible_top_;
         call.ranges[0][0].primitiveCount = kMostInstances + 1;
       }},
      {kInfo + "type-03794",
       [&](Call& call) { call.Boxes(Input(call)), call.ranges[0][0].primitiveCount = kMostPrimitives + 1; }},
      {kInfo + "type-03795",
       [](Call& call) { call.infos[0].geometryCount = 2, call.ranges[0][0].primitiveCount = kMostPrimitives; }},
      {"pIndirectDeviceAddresses-03645", [at = MakeUnbound()](Call& call) { call.arguments[0] = at; }},
      {"pIndirectDeviceAddresses-03646",
       [&](Call& call) { call.infos[0].geometryCount = 2, call.arguments[0] = input_.address + kSize - 28; }},
      {"pIndirectDeviceAddresses-03647", [&](Call& call) { call.arguments[0] = plain_.address; }},
      {"pIndirectDeviceAddresses-03648", [](Call& call) { call.arguments[0] += 2; }},
      {"pIndirectStrides-03787", [](Call& call) { call.strides[0] = 18; }},
  });
  auto sizes = Of<VkAccelerationStructureBuildSizesInfoKHR>();
  const auto get = [&](const char* rule, uint32_t count) {
    auto call = Base(kDirect);
    call->Instances({});
    Expect("vkGetAccelerationStructureBuildSizesKHR", rule, [&] {
      vk.GetAccelerationStructureBuildSizesKHR(device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, call->infos,
                                               count != 0 ? &count : nullptr, &sizes);
    });
  };
  get("", kMostInstances);
  get("pBuildInfo-03785", kMostInstances + 1);
  get("pBuildInfo-03619", 0);
}

}  // namespace
}  // namespace assay::core
