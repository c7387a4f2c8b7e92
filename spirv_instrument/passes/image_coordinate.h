// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_IMAGE_COORDINATE_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_IMAGE_COORDINATE_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Texels outside of their image: OpImageFetch, OpImageRead, OpImageWrite, their sparse forms, and atomic instructions
// on what OpImageTexelPointer returns. All that says which texel must be inside of the image view: x, y, depth, layer,
// level (image operand Lod), sample (image operand Sample). Offset and ConstOffset are added first. A cube has x, y and
// a face, or layer * 6 + face, as it has for OpImageRead. Extents are those of the level. A coordinate counts as
// unsigned, so that a negative one is outside.
//
// Vulkan, "Integer Texel Coordinate Validation": a read outside has an undefined value if the device does not replace
// it, and writes are discarded. No valid usage id forbids it. The range of a texel buffer's view must hold the texel:
// Vulkan, "Robust Buffer Access".
//
// Sizes are those of the descriptor table, where the host put what the descriptor refers to: the extent of the first
// level of the view, its levels, samples, and layers, of which a cube has six. So a descriptor that was not written is
// found too, and reported as such, and no image is asked for its size that may not be one. Where the descriptor is not
// known, since a function gets different images, the shader asks the image: OpImageQuerySizeLod and so on.
//
// A null descriptor may be accessed (VkPhysicalDeviceRobustness2FeaturesEXT::nullDescriptor, without which there are
// none): coordinates do not matter then. Who does not rely on it may want to see it: `null_descriptors`.
//
// Coordinates of samples may be anything, since the sampler wraps them. Offsets are limited there: those of
// OpImage*Gather (VUID-RuntimeSpirv-OpImage-06376, 06377) and of OpImageSample* and OpImageFetch
// (VUID-RuntimeSpirv-OpImageSample-06435, 06436). Set the device's limits to check them. An instruction that takes
// derivatives is only reported, since not to execute it would change those of its neighbours.
//
// *Variant*: where the size comes from, or that it is an offset. *Literals*: set, binding, constant part of the
// descriptor index; what the image is and which operands there are; the factor of each term. *Ids*: the terms of the
// descriptor index, the image or its pointer if the shader asks it, the coordinate, and of offset, level and sample
// those that there are.
//
// What it does not see: images of dimension SubpassData, which have no coordinates; the level of a storage image
// (SPV_AMD_shader_image_load_store_lod) whose descriptor is not known; OpUntypedImageTexelPointerEXT; the operations of
// SPV_QCOM_image_processing. A coordinate plus offset that goes past 32 bits wraps around.
struct ImageCoordinateConfig {
  struct Offsets {
    // VkPhysicalDeviceLimits: minTexelOffset, maxTexelOffset, minTexelGatherOffset, maxTexelGatherOffset.
    int32_t smallest = -8;
    int32_t largest = 7;
    int32_t smallest_of_gather = -8;
    int32_t largest_of_gather = 7;
  };

  bool images = true;
  bool texel_buffers = true;
  // Reports descriptors that were not written, and those of destroyed resources. Without, such an access is still not
  // executed: descriptor_index reports it.
  bool descriptors = true;
  // Reports accesses to null descriptors.
  bool null_descriptors = false;
  // Asks images whose descriptor is not known; they are not checked otherwise.
  bool queries = true;
  // Checks offsets that are not constant.
  std::optional<Offsets> offsets;
};

std::unique_ptr<Pass> MakeImageCoordinate(const ImageCoordinateConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_IMAGE_COORDINATE_H_
