// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string_view>
#include <vector>

#include "core/memory/memory_test.h"

namespace assay::core {
namespace {

// What the mock driver requires.
constexpr VkDeviceSize kRequired = 4096;

class StructureBinds : public StartedMemoryTest {
 protected:
  void SetUp() override {
    StartedMemoryTest::SetUp();
    memory_ = MakeMemory(kSize, kAnyUse);
  }

  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

TEST_F(StructureBinds, AccelerationStructures) {
  const VkDeviceMemory lazy = MakeMemory(kSize, kLazy);
  VkAccelerationStructureNV structure = VK_NULL_HANDLE;
  const auto bind = [&](std::string_view rule, VkDeviceMemory memory, VkDeviceSize offset) {
    const auto place = Of<VkBindAccelerationStructureMemoryInfoNV>(structure, memory, offset);
    vk.BindAccelerationStructureMemoryNV(device, 1, &place);
    Expect("VkBindAccelerationStructureMemoryInfoNV", rule);
  };
  const auto bind_new = [&](std::string_view rule, VkDeviceMemory memory, VkDeviceSize offset) {
    structure = MakeStructureNV();
    bind(rule, memory, offset);
  };
  bind_new("memory-03622", lazy, 0);
  bind_new("memoryOffset-03623", memory_, 8);
  bind_new("size-03624", memory_, kSize - 16);
  bind_new("", memory_, kSize - kRequired);
  bind("accelerationStructure-03620", memory_, 0);
}

TEST_F(StructureBinds, VideoSessions) {
  const auto h264 = Typed(VkVideoDecodeH264ProfileInfoKHR{.stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN});
  const auto profile = Typed(VkVideoProfileInfoKHR{.pNext = &h264,
                                                   .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                                   .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                                   .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                                   .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR});
  const VkExtensionProperties header = {VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME,
                                        VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_SPEC_VERSION};
  const auto info = Typed(VkVideoSessionCreateInfoKHR{.pVideoProfile = &profile,
                                                      .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                                      .maxCodedExtent = {64, 64},
                                                      .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                                      .maxDpbSlots = 1,
                                                      .maxActiveReferencePictures = 1,
                                                      .pStdHeaderVersion = &header});
  struct Place {
    uint32_t index = 0;
    VkDeviceSize offset = 0;
    VkDeviceSize size = kRequired;
    uint32_t type = kAnyUse;
  };
  const auto bind = [&](std::string_view rule, const std::vector<Place>& places) {
    VkVideoSessionKHR session = VK_NULL_HANDLE;
    ASSERT_EQ(vk.CreateVideoSessionKHR(device, &info, nullptr, &session), VK_SUCCESS);
    ExpectNothing();
    std::vector<VkBindVideoSessionMemoryInfoKHR> binds;
    binds.reserve(places.size());
    for (const Place& place : places) {
      binds.push_back({VK_STRUCTURE_TYPE_BIND_VIDEO_SESSION_MEMORY_INFO_KHR, nullptr, place.index,
                       MakeMemory(kSize, place.type), place.offset, place.size});
    }
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
