// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What vkCmdDecodeVideoKHR and vkCmdEncodeVideoKHR have in common.

#include "core/video/video_test.h"

namespace assay::core {
namespace {

class CodingTest : public VideoTest {};

TEST_F(CodingTest, Resources) {
  RunBoth(
      kDecodeAndEncode,
      {{{"pDecodeInfo-07135", "pEncodeInfo-08201"}, OfOtherProfile([&](V v) { SetBitstream(v); })},
       {{"commandBuffer-07136", "commandBuffer-08202"}, [&](V v) { SetBitstream(v, VK_BUFFER_CREATE_PROTECTED_BIT); }},
       {{"pDecodeInfo-07138", "pEncodeInfo-08204"},
        [](V v) {
          v.decode.srcBufferOffset = v.encode.dstBufferOffset = 8;
          v.decode.srcBufferRange = v.encode.dstBufferRange = 48;
        }},
       {{"pDecodeInfo-07139", "pEncodeInfo-08205"},
        [](V v) { v.decode.srcBufferRange = v.encode.dstBufferRange = 56; }},
       {{"pDecodeInfo-07142", "pEncodeInfo-08206"}, OfOtherProfile([&](V v) { SetCoded(v, CodedUsage(v)); })},
       {{"pDecodeInfo-07143", "pEncodeInfo-08207"}, [&](V v) { SetCoded(v, CodedUsage(v), VK_FORMAT_R8G8_UNORM); }},
       {{"pDecodeInfo-07144", "pEncodeInfo-08208"}, [](V v) { v.Coded().codedOffset.x = 16; }},
       {{"pDecodeInfo-07144", "pEncodeInfo-08208"}, [](V v) { v.Coded().codedOffset.y = 16; }},
       {{"pDecodeInfo-07145", "pEncodeInfo-08209"}, [](V v) { v.Coded().codedExtent.width = 80; }},
       {{"pDecodeInfo-07146", "pEncodeInfo-08210"}, [&](V v) { SetCoded(v, ReferenceUsage(v)); }},
       {{"commandBuffer-07147", "commandBuffer-08211"},
        [&](V v) { SetCoded(v, CodedUsage(v), kPictureFormat, VK_IMAGE_CREATE_PROTECTED_BIT); }},
       // The other command than that of the session's operation.
       {{"vkCmdEncodeVideoKHR-None-08250", "vkCmdDecodeVideoKHR-None-08249"}, [&](V v) {
          v.is_decoder = !v.is_decoder;
          SetBitstream(v, VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
        }}});
}

TEST_F(CodingTest, References) {
  RunBoth(kDecodeAndEncode,
          {{{"pDecodeInfo-08376", "pEncodeInfo-08377"},
            [](V v) { v.decode.pSetupReferenceSlot = v.encode.pSetupReferenceSlot = nullptr; }},
           {{"pDecodeInfo-07170", "pEncodeInfo-08213"}, [](V v) { v.setup.slotIndex = 3; }},
           {{"pDecodeInfo-07173", "pEncodeInfo-08214"},
            [&](V v) { v.setup.pPictureResource = Unbound(v), other_.codedOffset.x = 16; }},
           {{"pDecodeInfo-07149", "pEncodeInfo-08215"}, [&](V v) { v.setup.pPictureResource = Unbound(v); }},
           {{"activeReferencePictureCount-07150", "activeReferencePictureCount-08216"},
            [](V v) { v.session.maxActiveReferencePictures = 1, SetTwoReferences(v, 2); }},
           {{"", ""}, [](V v) { SetTwoReferences(v, 2); }},
           {{"slotIndex-07256", "slotIndex-08217"},
            [](V v) { v.references[0].slotIndex = 3, v.h264_lists.RefPicList0[0] = 3; }},
           {{"codedOffset-07257", "codedOffset-08218"},
            [&](V v) { v.references[0].pPictureResource = Unbound(v), other_.codedOffset.x = 16; }},
           {{"pDecodeInfo-07264 pDecodeInfo-07151", "pPictureResource-08220 pPictureResource-08219"},
            [](V v) { SetTwoReferences(v, 2), v.references[1].pPictureResource = &v.pictures[0]; }}});
}

}  // namespace
}  // namespace assay::core
