// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_FRAMES_FRAME_LOG_H_
#define ASSAY_TESTING_FRAMES_FRAME_LOG_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "vk/vulkan.h"

namespace assay::test {

// The environment variable with the name of the file to which frames are written.
constexpr const char* kFrameFileVariable = "ASSAY_FRAMES_FILE";

// FNV-1a.
uint64_t HashOfTexels(std::span<const uint8_t> texels);

// A line of the file: "frame 7 500x500 VK_FORMAT_B8G8R8A8_UNORM cbf29ce484222325".
std::string FrameLine(size_t number, VkExtent2D extent, VkFormat format, std::span<const uint8_t> texels);

}  // namespace assay::test

#endif  // ASSAY_TESTING_FRAMES_FRAME_LOG_H_
