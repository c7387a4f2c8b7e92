// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_TEXELS_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_TEXELS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "spirv_instrument/corpus/vulkan.h"
#include "spirv_instrument/model/interpreter/memory.h"

// Texels of images and texel buffers.
namespace assay::spirv_instrument::model {

// A format whose components are stored as they are read: integers, and floats of 32 bits.
struct TexelFormat {
  uint32_t components = 0;
  // Of a component, in bits.
  uint32_t width = 0;
  bool is_signed = false;
  bool is_float = false;

  uint32_t bytes() const { return components * width / 8; }
};
// nullopt for a format that is not in the subset.
std::optional<TexelFormat> FindTexelFormat(VkFormat format);

// Four components as a shader sees them, in 32 bits each: missing ones are 0, 0 and 1.
std::array<uint32_t, 4> ReadTexel(const std::vector<uint8_t>& bytes, uint64_t offset, const TexelFormat& format);
// Writes the components that the format has.
void WriteTexel(std::vector<uint8_t>& bytes, uint64_t offset, const TexelFormat& format,
                const std::array<uint32_t, 4>& components);

// What an instruction says of a texel: coordinates with the layer last, the level counted from the view's first, the
// sample.
struct TexelAddress {
  std::array<int64_t, 3> coordinates = {};
  uint32_t level = 0;
  uint32_t sample = 0;
};
// The offset of a texel within the bytes; nullopt if the view does not have it.
std::optional<uint64_t> FindTexel(const Descriptor& descriptor, const TexelFormat& format, const TexelAddress& address);

// The bytes of an image with all levels and layers.
uint64_t BytesOfImage(const corpus::ImageDescription& description, const TexelFormat& format);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_TEXELS_H_
