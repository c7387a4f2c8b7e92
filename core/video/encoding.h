// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_ENCODING_H_
#define ASSAY_CORE_VIDEO_ENCODING_H_

#include "core/video/coding_command.h"

// Private to the package: what vkCmdEncodeVideoKHR encodes, by codec.
namespace assay::core {

// The command. On the stack for the duration of the checks.
struct Encoding {
  const CodingCommand& check;
  const VkVideoEncodeInfoKHR& info;
  const CodingScope& scope;
  // Null if none are bound, and if they are not known.
  const VideoParameters* parameters;
  const messages::Location& where;
  messages::Report& report;
};
void CheckEncoding(const Encoding& encoding, const EncodeH264::Picture& picture);
void CheckEncoding(const Encoding& encoding, const EncodeH265::Picture& picture);
void CheckEncoding(const Encoding& encoding, const EncodeAV1::Picture& picture);

// Without rate control, the command has the quantization parameters.
inline bool IsDisabled(VkVideoEncodeRateControlModeFlagBitsKHR mode) {
  return mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_ENCODING_H_
