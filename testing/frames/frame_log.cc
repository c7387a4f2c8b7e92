// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/frames/frame_log.h"

#include "absl/strings/str_cat.h"
#include "vk/format_info.h"

namespace assay::test {

uint64_t HashOfTexels(std::span<const uint8_t> texels) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const uint8_t byte : texels) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

std::string FrameLine(size_t number, VkExtent2D extent, VkFormat format, std::span<const uint8_t> texels) {
  return absl::StrCat("frame ", number, " ", extent.width, "x", extent.height, " ", vk::GetFormatInfo(format)->name,
                      " ", absl::Hex(HashOfTexels(texels), absl::kZeroPad16));
}

}  // namespace assay::test
