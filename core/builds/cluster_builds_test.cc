// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of clusters: a correct one of triangles, and changes of it.

#include <functional>
#include <string>
#include <string_view>

#include "core/builds/build_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

class ClusterBuilds : public BuildTest {
 protected:
  using Info = VkClusterAccelerationStructureCommandsInfoNV;

  ClusterBuilds() { has_clusters_ = true; }
  void Build(std::string_view rule, const std::function<void(Info&)>& change) {
    Info info = {.sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_COMMANDS_INFO_NV,
                 .input = {.sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_INPUT_INFO_NV,
                           .maxAccelerationStructureCount = 1,
                           .opType = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_NV,
                           .opMode = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV},
                 .dstImplicitData = storage_[0].address,
                 .scratchData = storage_[0].address + 1024,
                 .dstAddressesArray = {storage_[0].address + 2048, 8, 8},
                 .dstSizesArray = {storage_[0].address + 3072, 4, 4},
                 .srcInfosArray = {input_.address, 512, 512},
                 .srcInfosCount = input_.address + 2048};
    triangles_.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
    info.input.opInput.pTriangleClusters = &triangles_;
    change(info);
    const VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    const SkipCalls skip(*this);
    Expect("vkCmdBuildClusterAccelerationStructureIndirectNV", rule,
           [&] { vk.CmdBuildClusterAccelerationStructureIndirectNV(commands, &info); });
  }

  VkClusterAccelerationStructureTriangleClusterInputNV triangles_ =
      Typed(VkClusterAccelerationStructureTriangleClusterInputNV{.maxClusterTriangleCount = 1,
                                                                 .maxClusterVertexCount = 3,
                                                                 .maxTotalTriangleCount = 1,
                                                                 .maxTotalVertexCount = 3});
};

TEST_F(ClusterBuilds, Infos) {
  const std::string info = "VkClusterAccelerationStructureCommandsInfoNV-";
  Build("", [](Info&) {});
  Build(info + "opMode-10466", [](Info& i) { i.dstImplicitData = 0; });
  Build(info + "opMode-10470", [](Info& i) {
    i.input.opMode = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_COMPUTE_SIZES_NV, i.dstSizesArray = {};
  });
  Build(info + "dstAddressesArray-10474", [](Info& i) { i.dstAddressesArray.stride = 4; });
  Build(info + "dstSizesArray-10475", [](Info& i) { i.dstSizesArray.stride = 2; });
  const auto misaligned = [](VkClusterAccelerationStructureOpTypeNV type) {
    return [=](Info& i) {
      i.dstImplicitData += 64;
      i.input.opType = type;
    };
  };
  Build(info + "input-10477", misaligned(VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_NV));
  Build(info + "input-10478", misaligned(VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_TEMPLATE_NV));
  Build(info + "input-10479", misaligned(VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_INSTANTIATE_TRIANGLE_CLUSTER_NV));
  Build("VkClusterAccelerationStructureTriangleClusterInputNV-vertexFormat-10439",
        [this](Info&) { triangles_.vertexFormat = kFormatWithoutFeatures; });
}

TEST_F(ClusterBuilds, Addresses) {
  const VkDeviceAddress unbound = MakeUnbound();
  Build("pCommandInfos-10458", [&](Info& i) { i.srcInfosCount = storage_[0].address; });
  Build("pCommandInfos-10459", [&](Info& i) { i.dstImplicitData = input_.address; });
  Build("pCommandInfos-10463", [&](Info& i) { i.dstAddressesArray.deviceAddress = unbound; });
  Build("pCommandInfos-10464", [&](Info& i) { i.dstSizesArray.deviceAddress = unbound; });
  Build("pCommandInfos-10465", [&](Info& i) { i.srcInfosArray.deviceAddress = unbound; });
}

}  // namespace
}  // namespace assay::core
