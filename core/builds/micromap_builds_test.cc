// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds of micromaps, through the whole layer.

#include "core/builds/build_test.h"
#include "gtest/gtest.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

constexpr auto kOpacity = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT;
constexpr auto kDisplacement = VK_MICROMAP_TYPE_DISPLACEMENT_MICROMAP_NV;
constexpr std::string_view kCommands[] = {"vkCmdBuildMicromapsEXT", "vkBuildMicromapsEXT"};
constexpr VkDeviceSize kNeeded = 4096;

class MicromapBuilds : public BuildTest {
 protected:
  // The parameters: two builds, of which a call uses one or both.
  struct Call {
    uint32_t count = 1;
    VkMicromapBuildInfoEXT infos[2];
    VkMicromapUsageEXT usage = {1, kMostLevels, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
    const VkMicromapUsageEXT* usages[1] = {&usage};
    VkMicromapTriangleEXT triangle = {0, kMostLevels, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
  };
  struct Row {
    const char* rule;
    std::function<void(Call&)> change;
  };

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
  void Fill(bool on_host, Call& call) {
    for (int i = 0; i < 2; ++i) {
      call.infos[i] = Typed(VkMicromapBuildInfoEXT{.type = kOpacity,
                                                   .dstMicromap = micromaps_[i],
                                                   .usageCountsCount = 1,
                                                   .pUsageCounts = &call.usage,
                                                   .data = {.deviceAddress = input_.address},
                                                   .scratchData = {.deviceAddress = scratch_[i].address},
                                                   .triangleArray = {.deviceAddress = input_.address + 256},
                                                   .triangleArrayStride = sizeof(VkMicromapTriangleEXT)});
      if (!on_host) continue;
      call.infos[i].data.hostAddress = host_[2];
      call.infos[i].scratchData.hostAddress = host_[i];
      call.infos[i].triangleArray.hostAddress = &call.triangle;
    }
  }
  void Run(bool on_host, const Call& call) {
    if (on_host) {
      vk.BuildMicromapsEXT(device, VK_NULL_HANDLE, call.count, call.infos);
    } else {
      Record([&](VkCommandBuffer c) { vk.CmdBuildMicromapsEXT(c, call.count, call.infos); });
    }
  }
  // Each row, for each command that has the rule. Those of triangles are of the host, those of other structures of the
  // device.
  void RunRows(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      const std::string_view rule = row.rule;
      for (const bool on_host : {false, true}) {
        const std::string_view command = kCommands[on_host];
        if (rule.starts_with("Vk") ? on_host != rule.starts_with("VkMicromapTriangle")
                                   : vk::FindVuidOf(command, rule) == vk::kNoVuid) {
          continue;
        }
        Call call;
        Fill(on_host, call);
        Expect(command, "", [&] { Run(on_host, call); });
        row.change(call);
        Expect(command, rule, [&] { Run(on_host, call); });
      }
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
  Call call;
  Fill(false, call);
  scratch(storage_[0].address)(call);
  Expect(kCommands[0], "dstMicromap-07466", [&] { Run(false, call); });
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
  // Changes the usage count and the triangle, of which one is wrong.
  const auto with = [](uint16_t format, uint16_t level, bool is_usage) {
    return [=](Call& call) {
      if (is_usage) {
        call.usage = {1, level, format};
      } else {
        call.triangle = {0, level, format};
      }
    };
  };
  const auto displaced = [=](uint16_t format, uint16_t level, bool is_usage) {
    return [=](Call& call) {
      call.infos[0].type = kDisplacement;
      call.infos[0].dstMicromap = displacement;
      with(format, level, is_usage)(call);
    };
  };
  RunRows({{"VkMicromapBuildInfoEXT-pUsageCounts-07516", [](Call& call) { call.infos[0].ppUsageCounts = call.usages; }},
           {"VkMicromapUsageEXT-format-07519", with(3, 0, true)},
           {"VkMicromapUsageEXT-format-07520", with(1, kMostLevels + 1, true)},
           {"VkMicromapUsageEXT-format-07521", with(2, kMostLevels + 1, true)},
           {"VkMicromapUsageEXT-format-08706", displaced(4, 0, true)},
           {"VkMicromapUsageEXT-subdivisionLevel-08707", displaced(3, kMostLevels + 1, true)},
           {"VkMicromapTriangleEXT-format-07522", with(3, 0, false)},
           {"VkMicromapTriangleEXT-format-07523", with(1, kMostLevels + 1, false)},
           {"VkMicromapTriangleEXT-format-07524", with(2, kMostLevels + 1, false)},
           {"VkMicromapTriangleEXT-format-08708", displaced(4, 0, false)},
           {"VkMicromapTriangleEXT-subdivisionLevel-08709", displaced(3, kMostLevels + 1, false)}});
}

}  // namespace
}  // namespace assay::core
