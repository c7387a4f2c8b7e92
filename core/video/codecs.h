// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_CODECS_H_
#define ASSAY_CORE_VIDEO_CODECS_H_

#include "vk/vulkan.h"

// Private to the package: the structures of each codec operation by one name, so that a rule of all codecs is written
// once.
namespace assay::core {

#define ASSAY_CODEC(Codec)                                             \
  struct Codec {                                                       \
    using Profile = VkVideo##Codec##ProfileInfoKHR;                    \
    using Capabilities = VkVideo##Codec##CapabilitiesKHR;              \
    using Parameters = VkVideo##Codec##SessionParametersCreateInfoKHR; \
    using Picture = VkVideo##Codec##PictureInfoKHR;                    \
    using Slot = VkVideo##Codec##DpbSlotInfoKHR;                       \
  }
ASSAY_CODEC(DecodeH264);
ASSAY_CODEC(DecodeH265);
ASSAY_CODEC(DecodeAV1);
ASSAY_CODEC(EncodeH264);
ASSAY_CODEC(EncodeH265);
ASSAY_CODEC(EncodeAV1);
#undef ASSAY_CODEC

// Calls f with the codec; not for operations that the registry does not have.
template <class F>
void WithCodec(VkVideoCodecOperationFlagBitsKHR operation, const F& f) {
  switch (operation) {
    case VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR:
      return f(DecodeH264());
    case VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR:
      return f(DecodeH265());
    case VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR:
      return f(DecodeAV1());
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR:
      return f(EncodeH264());
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR:
      return f(EncodeH265());
    case VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR:
      return f(EncodeAV1());
    default:
      return;
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_CODECS_H_
