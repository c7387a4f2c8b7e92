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

// The place of ranges of addresses in their resource, as text to put before the resource's name:
// "bytes 0 to 255 of ", "texels (0, 0) to (15, 7) of mip level 1, array layer 2 of ". Empty when they are all of an
// image, or when the resource is gone.
std::string RangesText(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges);

// The same as properties. For a buffer or memory: offset and size in bytes. For an image: the subresource range, and
// the texels if they are not all. Empty when the resource is gone.
std::vector<messages::PropertyValue> RangeProperties(VkObjectType type, uint64_t resource,
                                                     absl::Span<const Range> ranges);

// The members, besides the masks, of a barrier for exactly these ranges, by name; the structure's own name is first.
// The barrier changes no layout: VkImageMemoryBarrier2 with equal layouts leaves the image in its layout. Empty when
// the resource is gone.
messages::Properties BarrierProperties(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_RESOURCE_TEXT_H_
