// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/video_test.h"

namespace assay::core {
namespace {

class SessionTest : public VideoTest {
 protected:
  // A level that the codec does not have, in that structure of the session.
  template <class Info, auto level>
  static void SetLevel(V v) {
    v.Chain<Info>(v.session, {{}, nullptr, VK_TRUE, level});
  }
};

TEST_F(SessionTest, EachCodecIsSilent) {
  Run("", kDecoders, {"", "", ""}, [](V) {});
  Run("", kEncoders, {"", "", ""}, [](V) {});
}

TEST_F(SessionTest, Sessions) {
  Run("VkVideoSessionCreateInfoKHR",
      {{"protectedMemory-07189", kDecodeH264,
        [](V v) { v.session.flags = kProtectedSession, v.Can<VkVideoCapabilitiesKHR>().flags = 0; }},
       {"flags-10399", kEncodeH264, [](V v) { v.session.flags = kInlineParameters; }},
       {"flags-10265", kDecodeH264, [](V v) { v.session.flags = kDeltaMaps; }},
       {"flags-10267", kEncodeH264,
        [](V v) { v.session.flags = kDeltaMaps, v.Can<VkVideoEncodeCapabilitiesKHR>().flags = 0; }},
       {"flags-10268", kEncodeH264,
        [](V v) { v.session.flags = kEmphasisMaps, v.Can<VkVideoEncodeCapabilitiesKHR>().flags = 0; }},
       {"", kEncodeH264, [](V v) { v.session.flags = kDeltaMaps; }},
       {"maxDpbSlots-04847", kDecodeH265, [](V v) { v.session.maxDpbSlots = 5; }},
       {"maxDpbSlots-04850", kDecodeH265, [](V v) { v.session.maxDpbSlots = 0; }},
       {"maxActiveReferencePictures-04849", kEncodeAv1, [](V v) { v.session.maxActiveReferencePictures = 3; }},
       {"maxCodedExtent-04851", kDecodeH264, [](V v) { v.session.maxCodedExtent.width = 65; }},
       {"maxCodedExtent-04851", kDecodeH264, [](V v) { v.session.maxCodedExtent.height = 15; }},
       {"pictureFormat-04853", kDecodeAv1, [](V v) { v.session.pictureFormat = VK_FORMAT_R8_UNORM; }},
       {"pictureFormat-04854", kEncodeAv1, [](V v) { v.session.pictureFormat = VK_FORMAT_R8_UNORM; }},
       {"referencePictureFormat-04852", kDecodeAv1, [](V v) { v.session.referencePictureFormat = VK_FORMAT_R8_UNORM; }},
       {"referencePictureFormat-06814", kEncodeAv1, [](V v) { v.session.referencePictureFormat = VK_FORMAT_R8_UNORM; }},
       {"pStdHeaderVersion-07190", kDecodeH264, [](V v) { v.header.extensionName[0] = 'x'; }},
       {"pStdHeaderVersion-07191", kDecodeH264, [](V v) { v.header.specVersion = 3; }},
       {"pVideoProfile-08251", kEncodeH264,
        SetLevel<VkVideoEncodeH264SessionCreateInfoKHR, STD_VIDEO_H264_LEVEL_IDC_5_0>},
       {"pVideoProfile-08252", kEncodeH265,
        SetLevel<VkVideoEncodeH265SessionCreateInfoKHR, STD_VIDEO_H265_LEVEL_IDC_5_0>},
       {"pVideoProfile-10270", kEncodeAv1, SetLevel<VkVideoEncodeAV1SessionCreateInfoKHR, STD_VIDEO_AV1_LEVEL_5_0>},
       // A driver that says nothing.
       {"", kDecodeH264, [](V v) { v.can = {}, v.session.maxDpbSlots = 9, v.session.maxCodedExtent = {999, 999}; }}});
}

TEST_F(SessionTest, Memory) {
  Video video;
  Make(kDecodeH264, video);
  const VkVideoSessionKHR session = MakeSession(video);
  const auto bind = test::Of<VkBindVideoSessionMemoryInfoKHR>(0u, MakeMemory(4096, 0), 0u, 4096u);
  vk.BindVideoSessionMemoryKHR(device, session, 1, &bind);
  ExpectNothing();
  vk.BindVideoSessionMemoryKHR(device, session, 1, &bind);
  ExpectMessage("VUID-vkBindVideoSessionMemoryKHR-videoSession-07195");
}

class UnsupportedProfile : public VideoTest {
 protected:
  void SetUp() override {
    support_ = VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    Start();
  }
};

TEST_F(UnsupportedProfile, Sessions) {
  Run("VkVideoSessionCreateInfoKHR", {{"pVideoProfile-04845", kDecodeH264, [](V) {}}});
}

}  // namespace
}  // namespace assay::core
