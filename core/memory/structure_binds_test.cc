// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string_view>
#include <vector>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

// What the mock driver requires.
constexpr VkDeviceSize kRequired = 4096;

class StructureBinds : public MemoryTest {};

TEST_F(StructureBinds, AccelerationStructures) {
  const VkDeviceMemory lazy = MakeMemory(kSize, kLazy);
  const auto bind = [&](std::string_view rule, VkAccelerationStructureNV structure, VkDeviceMemory memory,
                        VkDeviceSize offset) {
    const auto place = Of<VkBindAccelerationStructureMemoryInfoNV>(structure, memory, offset);
    Call(rule, vk.BindAccelerationStructureMemoryNV, device, 1, &place);
  };
  bind("VkBindAccelerationStructureMemoryInfoNV-memory-03622", MakeStructureNV(), lazy, 0);
  bind("VkBindAccelerationStructureMemoryInfoNV-memoryOffset-03623", MakeStructureNV(), memory_, 8);
  bind("VkBindAccelerationStructureMemoryInfoNV-size-03624", MakeStructureNV(), memory_, 2 * kSize - 16);
  const VkAccelerationStructureNV structure = MakeStructureNV();
  bind("", structure, memory_, 2 * kSize - kRequired);
  bind("VkBindAccelerationStructureMemoryInfoNV-accelerationStructure-03620", structure, memory_, 0);
}

TEST_F(StructureBinds, VideoSessions) {
  const auto h264 = Typed(VkVideoDecodeH264ProfileInfoKHR{.stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN});
  constexpr auto kDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
  auto profile = Of<VkVideoProfileInfoKHR>(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                           VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR, kDepth, kDepth);
  profile.pNext = &h264;
  const VkExtensionProperties header = {VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME,
                                        VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_SPEC_VERSION};
  constexpr auto kFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  const auto info =
      Of<VkVideoSessionCreateInfoKHR>(0u, 0u, &profile, kFormat, VkExtent2D{64, 64}, kFormat, 1u, 1u, &header);
  struct Place {
    uint32_t index = 0, type = kAnyUse;
    VkDeviceSize offset = 0, size = kRequired;
  };
  const auto bind = [&](std::string_view rule, const std::vector<Place>& places) {
    VkVideoSessionKHR session = VK_NULL_HANDLE;
    ASSERT_EQ(vk.CreateVideoSessionKHR(device, &info, nullptr, &session), VK_SUCCESS);
    ExpectNothing();
    std::vector<VkBindVideoSessionMemoryInfoKHR> binds;
    binds.reserve(places.size());
    for (const auto& [index, type, offset, size] : places)
      binds.push_back(Of<VkBindVideoSessionMemoryInfoKHR>(index, MakeMemory(kSize, type), offset, size));
    vk.BindVideoSessionMemoryKHR(device, session, static_cast<uint32_t>(binds.size()), binds.data());
    Expect(rule);
    vk.DestroyVideoSessionKHR(device, session, nullptr);
  };
  bind("", {{}, {.index = 1, .offset = 16}});
  bind("vkBindVideoSessionMemoryKHR-memoryBindIndex-07196", {{}, {}});
  bind("vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07197", {{.index = 2}});
  bind("vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07198", {{.type = kLazy}});
  bind("vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07199", {{.offset = 8}});
  bind("vkBindVideoSessionMemoryKHR-pBindSessionMemoryInfos-07200", {{.size = kRequired / 2}});
  bind("VkBindVideoSessionMemoryInfoKHR-memoryOffset-07201", {{.offset = kSize}});
  bind("VkBindVideoSessionMemoryInfoKHR-memorySize-07202", {{.offset = kSize - 16}});
}

}  // namespace
}  // namespace assay::core
