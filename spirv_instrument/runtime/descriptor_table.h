// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_DESCRIPTOR_TABLE_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_DESCRIPTOR_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::spirv_instrument {

// Kinds of descriptors that a shader can tell apart. kNone is one of a mutable binding that was not written yet.
enum class DescriptorType : uint8_t {
  kNone,
  kSampler,
  kCombinedImageSampler,
  kSampledImage,
  kStorageImage,
  kUniformTexelBuffer,
  kStorageTexelBuffer,
  kUniformBuffer,
  kStorageBuffer,
  kInputAttachment,
  kAccelerationStructure,
  kInlineUniformBlock,
};

struct DescriptorState {
  DescriptorType type = DescriptorType::kNone;
  bool is_written = false;
  bool is_destroyed = false;
  bool is_null = false;
  // Of a buffer the range in bytes, of a texel buffer the number of texels.
  uint64_t size = 0;
  // Of an image view.
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth_or_layers = 0;
  uint32_t levels = 0;
  uint32_t samples = 0;
  // The number of the note that an access to the image leaves, counted from 1 (image_notes.h); 0 for none.
  uint32_t note = 0;
};

// The table of one descriptor set, as layout.h has it. The host copies its words to the tables, and later those that
// changed.
class DescriptorTable {
 public:
  // The number of descriptors of each binding, 0 for a number that no binding has. Descriptors are not written.
  explicit DescriptorTable(absl::Span<const uint32_t> descriptor_counts);

  // Sets a descriptor. Does nothing if there is no such one.
  void Set(uint32_t binding, uint32_t index, const DescriptorState& state);
  // Where its quad is, in words; 0 if there is no such one.
  size_t OffsetOf(uint32_t binding, uint32_t index) const;

  absl::Span<const uint32_t> words() const { return words_; }

 private:
  uint32_t QuadOf(uint32_t binding, uint32_t index) const;

  std::vector<uint32_t> words_;
};

// The quad of a descriptor as words.
void EncodeDescriptor(const DescriptorState& state, absl::Span<uint32_t> quad);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_DESCRIPTOR_TABLE_H_
