// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of micromaps, through the whole layer.

#include <memory>

#include "core/builds/build_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr auto kOpacity = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT;
constexpr auto kDisplacement = VK_MICROMAP_TYPE_DISPLACEMENT_MICROMAP_NV;
constexpr VkDeviceSize kNeeded = 4096;

// The parameters: two builds, of which a call uses one or both.
struct MicromapCall {
  Command command;
  uint32_t count = 1;
  VkMicromapBuildInfoEXT infos[2];
  VkMicromapUsageEXT usage = {1, kMostLevels, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
  const VkMicromapUsageEXT* usages[1] = {&usage};
  VkMicromapTriangleEXT triangle = {0, kMostLevels, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
};

class MicromapBuilds : public BuildsByCommands<MicromapCall> {
 protected:
  using Call = MicromapCall;

  MicromapBuilds() : BuildsByCommands({"vkCmdBuildMicromapsEXT", "", "vkBuildMicromapsEXT"}) {}
  void SetUp() override {
    BuildTest::SetUp();
    // The driver itself would say nothing.
    driver().FailNext<vk::GetMicromapBuildSizesEXT>(VK_SUCCESS, ~0u);
    driver().Observe<vk::GetMicromapBuildSizesEXT>([](const vk::GetMicromapBuildSizesEXT& call) {
      call.pSizeInfo->micromapSize = kNeeded;
      call.pSizeInfo->buildScratchSize = kNeeded;
    });
    for (int i = 0; i < 2; ++i) micromaps_[i] = MakeMicromap(kOpacity, storage_[i].buffer);
  }
  std::unique_ptr<Call> Base(Command command) override {
    auto call = std::make_unique<Call>();
    call->command = command;
    for (int i = 0; i < 2; ++i) {
      call->infos[i] = Typed(VkMicromapBuildInfoEXT{.type = kOpacity,
                                                    .dstMicromap = micromaps_[i],
                                                    .usageCountsCount = 1,
                                                    .pUsageCounts = &call->usage,
                                                    .data = {.deviceAddress = input_.address},
                                                    .scratchData = {.deviceAddress = scratch_[i].address},
                                                    .triangleArray = {.deviceAddress = input_.address + 256},
                                                    .triangleArrayStride = sizeof(VkMicromapTriangleEXT)});
      if (command != kHost) continue;
      call->infos[i].data.hostAddress = host_[2];
      call->infos[i].scratchData.hostAddress = host_[i];
      call->infos[i].triangleArray.hostAddress = &call->triangle;
    }
    return call;
  }
  void Run(const Call& call) override {
    if (call.command == kHost) {
      vk.BuildMicromapsEXT(device, VK_NULL_HANDLE, call.count, call.infos);
    } else {
      Record([&](VkCommandBuffer c) { vk.CmdBuildMicromapsEXT(c, call.count, call.infos); });
    }
  }

  VkMicromapEXT micromaps_[2];
};

TEST_F(MicromapBuilds, TargetsAndScratch) {
  const VkMicromapEXT unbound = MakeMicromap(kOpacity, MakeStorage(false));
  const VkMicromapEXT small = MakeMicromap(kOpacity, storage_[0].buffer, kNeeded - 256);
  const VkMicromapEXT alias = MakeMicromap(kOpacity, storage_[0].buffer);
  const VkMicromapEXT other = MakeMicromap(kDisplacement, storage_[0].buffer);
  const VkDeviceAddress no_memory = MakeUnbound();
  const auto to = [](VkMicromapEXT micromap) { return [=](Call& call) { call.infos[0].dstMicromap = micromap; }; };
  const auto scratch = [](VkDeviceAddress address) {
    return [=](Call& call) { call.infos[0].scratchData.deviceAddress = address; };
  };
  const auto alias_target = [=](Call& call) { call.count = 2, call.infos[1].dstMicromap = alias; };
  const auto alias_scratch = [](Call& call) {
    call.count = 2;
    call.infos[1].scratchData = call.infos[0].scratchData;
  };
  RunRows({{"mode-07462", [](Call& call) { call.infos[0].mode = static_cast<VkBuildMicromapModeEXT>(1); }},
           {"pInfos-07461", to(small)},
           {"pInfos-07464", to(other)},
           {"pInfos-07508", to(unbound)},
           {"pInfos-07552", to(unbound)},
           {"dstMicromap-07465", alias_target},
           {"scratchData-07467", alias_scratch},
           {"pInfos-07509", scratch(scratch_[0].address + kSize - 128)},
           {"pInfos-07511", scratch(plain_.address)},
           {"pInfos-07512", scratch(1 << 10)},
           {"pInfos-07513", scratch(no_memory)},
           {"pInfos-07514", scratch(scratch_[0].address + 64)},
           {"pInfos-07556", scratch(0)}});
  // Where scratch memory of the host is, the layer does not know.
  Try(kDirect, "dstMicromap-07466", scratch(storage_[0].address));
}

TEST_F(MicromapBuilds, Handles) {
  SkipCalls skip(*this);
  const auto none = reinterpret_cast<VkMicromapEXT>(uint64_t{0x1234});
  RunRows({{"dstMicromap-07463", [=](Call& call) { call.infos[0].dstMicromap = none; }}});
}

TEST_F(MicromapBuilds, Inputs) {
  const VkDeviceAddress no_memory = MakeUnbound();
  const auto to = [](VkDeviceOrHostAddressConstKHR VkMicromapBuildInfoEXT::* input) {
    return [=](VkDeviceAddress at) { return [=](Call& call) { (call.infos[0].*input).deviceAddress = at; }; };
  };
  const auto data = to(&VkMicromapBuildInfoEXT::data), triangles = to(&VkMicromapBuildInfoEXT::triangleArray);
  RunRows({{"data-07510", data(plain_.address)},
           {"pInfos-07512", triangles(1 << 10)},
           {"pInfos-07513", triangles(no_memory)},
           {"pInfos-07515", data(input_.address + 128)},
           {"pInfos-07553", data(0)},
           {"pInfos-07554", triangles(0)}});
}

TEST_F(MicromapBuilds, FormatsAndLevels) {
  const VkMicromapEXT displacement = MakeMicromap(kDisplacement, storage_[0].buffer);
  const auto usage = [](uint16_t format, uint16_t level) {
    return [=](Call& call) { call.usage = {1, level, format}; };
  };
  const auto triangle = [](uint16_t format, uint16_t level) {
    return [=](Call& call) { call.triangle = {0, level, format}; };
  };
  const auto displaced = [=](const Change& change) {
    return [=](Call& call) {
      call.infos[0].type = kDisplacement;
      call.infos[0].dstMicromap = displacement;
      change(call);
    };
  };
  RunRows({{"VkMicromapBuildInfoEXT-pUsageCounts-07516", [](Call& call) { call.infos[0].ppUsageCounts = call.usages; }},
           {"VkMicromapUsageEXT-format-07519", usage(3, 0)},
           {"VkMicromapUsageEXT-format-07520", usage(1, kMostLevels + 1)},
           {"VkMicromapUsageEXT-format-07521", usage(2, kMostLevels + 1)},
           {"VkMicromapUsageEXT-format-08706", displaced(usage(4, 0))},
           {"VkMicromapUsageEXT-subdivisionLevel-08707", displaced(usage(3, kMostLevels + 1))},
           {"VkMicromapTriangleEXT-format-07522", triangle(3, 0)},
           {"VkMicromapTriangleEXT-format-07523", triangle(1, kMostLevels + 1)},
           {"VkMicromapTriangleEXT-format-07524", triangle(2, kMostLevels + 1)},
           {"VkMicromapTriangleEXT-format-08708", displaced(triangle(4, 0))},
           {"VkMicromapTriangleEXT-subdivisionLevel-08709", displaced(triangle(3, kMostLevels + 1))}});
}

}  // namespace
}  // namespace assay::core
