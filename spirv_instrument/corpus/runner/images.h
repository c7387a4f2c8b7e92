// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_IMAGES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_IMAGES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/vulkan.h"

// Images of a run, from their description to bytes. ImageDescription::contents says how the bytes lie.
namespace assay::spirv_instrument::corpus {

// An image with its own memory, in VK_IMAGE_LAYOUT_UNDEFINED.
absl::StatusOr<VkImage> MakeImage(Objects& objects, const ImageDescription& description);

// Brings the image into VK_IMAGE_LAYOUT_GENERAL, with this content.
absl::Status FillImage(Objects& objects, const ImageDescription& description, VkImage image,
                       absl::Span<const uint8_t> bytes);

// What an image with one sample holds, when all work is complete.
absl::StatusOr<std::vector<uint8_t>> ReadImage(Objects& objects, const ImageDescription& description, VkImage image);

// A view that an element describes: of a storage image, all layers and one level; of others, all layers and levels, or
// one.
absl::StatusOr<VkImageView> MakeView(Objects& objects, const ImageDescription& description, VkImage image,
                                     const Element& element);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_IMAGES_H_
