// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MASKS_STRICT_READINGS_H_
#define ASSAY_CORE_MASKS_STRICT_READINGS_H_

#include <string_view>

// Rules that are checked to the letter only while the setting strict is on. To the letter, many programs violate them,
// which no implementation punishes. Otherwise the other reading decides.
namespace assay::core {

struct StrictReading {
  // Ids, with * for a part that differs.
  std::string_view rule;
  std::string_view letter;
  std::string_view otherwise;
  std::string_view reason;
};

inline constexpr StrictReading kHostAccesses = {
    "VUID-*AccessMask-03916 and -03917, VUID-vkCmdPipelineBarrier-*-02815 to -02820 and alike",
    "VK_ACCESS_HOST_READ_BIT and VK_ACCESS_HOST_WRITE_BIT need VK_PIPELINE_STAGE_HOST_BIT in the stage mask.",
    "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT will do.",
    "ALL_COMMANDS with all accesses is the usual barrier of helper code. The accesses in excess do nothing.",
};

inline constexpr StrictReading kSubpassImage = {
    "VUID-vkCmdPipelineBarrier-image-04073, VUID-vkCmdPipelineBarrier2-image-04073",
    "The image of a barrier in a subpass is both an input attachment and a color, resolve or depth/stencil attachment "
    "of it.",
    "Any attachment of the subpass will do.",
    "Programs use one barrier for what later draws of the subpass read and write, and list all of its attachments.",
};

inline constexpr StrictReading kStrictReadings[] = {kHostAccesses, kSubpassImage};

}  // namespace assay::core

#endif  // ASSAY_CORE_MASKS_STRICT_READINGS_H_
