// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_CODING_H_
#define ASSAY_CORE_VIDEO_CODING_H_

#include "core/video/coding_command.h"

// Private to the package: vkCmdDecodeVideoKHR and vkCmdEncodeVideoKHR. coding.cc has the rules of both. It calls what
// only one of them has.
namespace assay::core {

// The command. On the stack for the duration of the checks.
template <class Info>
struct Coding {
  const CodingCommand& check;
  const Info& info;
  const CodingScope& scope;
  // Null if none are bound, and if they are not known.
  const VideoParameters* parameters;
  const messages::Location& command;
  // Of info.
  const messages::Location& where;
  messages::Report& report;
};
using Decoding = Coding<VkVideoDecodeInfoKHR>;
using Encoding = Coding<VkVideoEncodeInfoKHR>;

// The output picture and that of the slot that is set up: one picture, or two.
void CheckCoincidence(const Decoding& decoding);
// That they have the quality level that is set.
void CheckSessionParameters(const Encoding& encoding);
// The quantization map.
void CheckMap(const Encoding& encoding);

// The codec's structure of the picture.
void CheckCodec(const Decoding& decoding, const DecodeH264::Picture& picture);
void CheckCodec(const Decoding& decoding, const DecodeH265::Picture& picture);
void CheckCodec(const Decoding& decoding, const DecodeAV1::Picture& picture);
void CheckCodec(const Encoding& encoding, const EncodeH264::Picture& picture);
void CheckCodec(const Encoding& encoding, const EncodeH265::Picture& picture);
void CheckCodec(const Encoding& encoding, const EncodeAV1::Picture& picture);

// Without rate control, the command has the quantization parameters.
inline bool IsDisabled(VkVideoEncodeRateControlModeFlagBitsKHR mode) {
  return mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_CODING_H_
