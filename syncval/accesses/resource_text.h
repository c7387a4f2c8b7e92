// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_RESOURCE_TEXT_H_
#define ASSAY_SYNCVAL_ACCESSES_RESOURCE_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "messages/messages.h"
#include "syncval/engine/engine.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// Where ranges of addresses lie in the resource that they belong to, in words that go before the resource's name:
// "bytes 0 to 255 of ", "texels (0, 0) to (15, 7) of mip level 1, array layer 2 of ". Empty when they are all of an
// image, or the resource is gone.
std::string RangesText(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges);

// The same for programs: of a buffer, or memory, offset and size in bytes, of an image what barriers call a subresource
// range, and the texels if they are not all. Empty when the resource is gone.
std::vector<messages::PropertyValue> RangeProperties(VkObjectType type, uint64_t resource,
                                                     absl::Span<const Range> ranges);

// What a barrier of just that has besides its masks, by the names of the structure's members; the structure's own name
// is first. It changes no layout: with equal layouts VkImageMemoryBarrier2 leaves the image in the one that it has.
// Empty when the resource is gone.
messages::Properties BarrierProperties(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_RESOURCE_TEXT_H_
