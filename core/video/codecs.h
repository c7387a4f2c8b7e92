// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_CODECS_H_
#define ASSAY_CORE_VIDEO_CODECS_H_

#include "vk/vulkan.h"

// Private to the package: the structures of each codec operation by one name, so that what goes for all codecs is
// written once.
namespace assay::core {

#define ASSAY_CODEC(Codec, OPERATION)                                                \
  static constexpr auto kOperation = VK_VIDEO_CODEC_OPERATION_##OPERATION##_BIT_KHR; \
  using Profile = VkVideo##Codec##ProfileInfoKHR;                                    \
  using Capabilities = VkVideo##Codec##CapabilitiesKHR;                              \
  using Parameters = VkVideo##Codec##SessionParametersCreateInfoKHR;                 \
  using Picture = VkVideo##Codec##PictureInfoKHR;                                    \
  using Slot = VkVideo##Codec##DpbSlotInfoKHR
#define ASSAY_RATE_CONTROL(Codec)                         \
  using RateControl = VkVideo##Codec##RateControlInfoKHR; \
  using RateControlLayer = VkVideo##Codec##RateControlLayerInfoKHR

struct DecodeH264 {
  ASSAY_CODEC(DecodeH264, DECODE_H264);
};
struct DecodeH265 {
  ASSAY_CODEC(DecodeH265, DECODE_H265);
};
struct DecodeAV1 {
  ASSAY_CODEC(DecodeAV1, DECODE_AV1);
};
struct EncodeH264 {
  ASSAY_CODEC(EncodeH264, ENCODE_H264);
  ASSAY_RATE_CONTROL(EncodeH264);
};
struct EncodeH265 {
  ASSAY_CODEC(EncodeH265, ENCODE_H265);
  ASSAY_RATE_CONTROL(EncodeH265);
};
struct EncodeAV1 {
  ASSAY_CODEC(EncodeAV1, ENCODE_AV1);
  ASSAY_RATE_CONTROL(EncodeAV1);
};
#undef ASSAY_CODEC
#undef ASSAY_RATE_CONTROL

// Calls f with the codec; not for operations that the registry does not have.
template <class F>
void WithCodec(VkVideoCodecOperationFlagBitsKHR operation, const F& f) {
  switch (operation) {
    case DecodeH264::kOperation:
      return f(DecodeH264());
    case DecodeH265::kOperation:
      return f(DecodeH265());
    case DecodeAV1::kOperation:
      return f(DecodeAV1());
    case EncodeH264::kOperation:
      return f(EncodeH264());
    case EncodeH265::kOperation:
      return f(EncodeH265());
    case EncodeAV1::kOperation:
      return f(EncodeAV1());
    default:
      return;
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_CODECS_H_
