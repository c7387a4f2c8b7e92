// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of clusters: a correct one of triangles, and changes of it.

#include <functional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkBufferUsageFlags kInput = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR;
constexpr auto kImplicit = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV;

class ClusterBuilds : public test::ValidationTest {
 protected:
  using Info = VkClusterAccelerationStructureCommandsInfoNV;

  test::DeviceOptions Options() override {
    driver().config().formats[VK_FORMAT_R16G16B16A16_SFLOAT] = {};
    driver().config().adjust_properties = [](VkBaseOutStructure* s) {
      if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_ACCELERATION_STRUCTURE_PROPERTIES_NV) return;
      auto& limits = *reinterpret_cast<VkPhysicalDeviceClusterAccelerationStructurePropertiesNV*>(s);
      limits.clusterByteAlignment = limits.clusterTemplateByteAlignment = limits.clusterScratchByteAlignment = 128;
    };
    test::DeviceOptions options = {.device_extensions = {VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                                         VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                                         VK_NV_CLUSTER_ACCELERATION_STRUCTURE_EXTENSION_NAME}};
    options.features = features_.Enable(options.device_extensions, {});
    return options;
  }
  void SetUp() override {
    ValidationTest::SetUp();
    input_ = AddressOf(MakeBuffer(4096, kInput | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    storage_ = AddressOf(
        MakeBuffer(4096, kStorage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    // One for capture and replay has an address before it has memory.
    unbound_ = AddressOf(MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                                            .size = 4096,
                                            .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT}));
  }
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  void Build(std::string_view rule, const std::function<void(Info&)>& change) {
    SCOPED_TRACE(rule);
    Info info = {.sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_COMMANDS_INFO_NV,
                 .input = {.sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_INPUT_INFO_NV,
                           .maxAccelerationStructureCount = 1,
                           .opType = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_NV,
                           .opMode = kImplicit},
                 .dstImplicitData = storage_,
                 .scratchData = storage_ + 1024,
                 .dstAddressesArray = {storage_ + 2048, 8, 8},
                 .dstSizesArray = {storage_ + 3072, 4, 4},
                 .srcInfosArray = {input_, 512, 512},
                 .srcInfosCount = input_ + 2048};
    triangles_.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
    info.input.opInput.pTriangleClusters = &triangles_;
    change(info);
    const VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    ExpectNothing();
    const SkipCalls skip(*this);
    vk.CmdBuildClusterAccelerationStructureIndirectNV(commands, &info);
    if (!rule.empty()) ExpectMessage(absl::StrCat("VUID-", rule));
    ExpectNothing();
  }

  VkClusterAccelerationStructureTriangleClusterInputNV triangles_ = {
      .sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_TRIANGLE_CLUSTER_INPUT_NV,
      .maxClusterTriangleCount = 1,
      .maxClusterVertexCount = 3,
      .maxTotalTriangleCount = 1,
      .maxTotalVertexCount = 3};
  test::ExtensionFeatures features_;
  VkDeviceAddress input_ = 0, storage_ = 0, unbound_ = 0;
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
  Build(info + "input-10477", [](Info& i) { i.dstImplicitData += 64; });
  Build(info + "input-10478", [](Info& i) {
    i.dstImplicitData += 64;
    i.input.opType = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_TEMPLATE_NV;
  });
  Build(info + "input-10479", [](Info& i) {
    i.dstImplicitData += 64;
    i.input.opType = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_INSTANTIATE_TRIANGLE_CLUSTER_NV;
  });
  Build("VkClusterAccelerationStructureTriangleClusterInputNV-vertexFormat-10439",
        [this](Info&) { triangles_.vertexFormat = VK_FORMAT_R16G16B16A16_SFLOAT; });
}

TEST_F(ClusterBuilds, Addresses) {
  const std::string command = "vkCmdBuildClusterAccelerationStructureIndirectNV-pCommandInfos-";
  Build(command + "10458", [&](Info& i) { i.srcInfosCount = storage_; });
  Build(command + "10459", [&](Info& i) { i.dstImplicitData = input_; });
  Build(command + "10463", [&](Info& i) { i.dstAddressesArray.deviceAddress = unbound_; });
  Build(command + "10464", [&](Info& i) { i.dstSizesArray.deviceAddress = unbound_; });
  Build(command + "10465", [&](Info& i) { i.srcInfosArray.deviceAddress = unbound_; });
}

}  // namespace
}  // namespace assay::core
