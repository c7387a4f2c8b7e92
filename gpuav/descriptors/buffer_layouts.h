// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_BUFFER_LAYOUTS_H_
#define ASSAY_GPUAV_DESCRIPTORS_BUFFER_LAYOUTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "gpuav/descriptors/table_memory.h"
#include "spirv_instrument/runtime/descriptor_buffers.h"
#include "state/state.h"
#include "vk/vulkan.h"

// What shaders need to know of set layouts that are for descriptor buffers: where in the bytes of a set its descriptors
// are.
namespace assay::gpuav {

// How many bytes a descriptor has in a descriptor buffer of the device. 0 for a type whose bytes are not looked at.
uint32_t BytesOfDescriptor(const dispatch::Device& device, VkDescriptorType type);

// The bindings of a set layout, by number. The bytes of some are not looked at, since they may be others than those of
// vkGetDescriptorEXT: of mutable descriptors and inline uniform blocks, of those with immutable samplers, and of those
// whose images and samplers are apart in arrays (combinedImageSamplerDescriptorSingleArray).
std::vector<spirv_instrument::BufferedBinding> BufferedBindingsOf(const dispatch::Device& device,
                                                                  const state::DescriptorSetLayout& layout);

// Whether the layout is for descriptor buffers.
bool IsForDescriptorBuffers(const state::DescriptorSetLayout& layout);

// The table of a set layout.
class BufferLayout {
 public:
  BufferLayout(TableMemory& tables, absl::Span<const uint32_t> words);
  ~BufferLayout() { tables_.Free(offset_, quads_); }
  BufferLayout(const BufferLayout&) = delete;
  BufferLayout& operator=(const BufferLayout&) = delete;

  // In quads; 0 if there is no memory.
  uint32_t offset() const { return offset_; }

 private:
  TableMemory& tables_;
  const uint32_t quads_;
  const uint32_t offset_;
};

// Null for a layout that is not for descriptor buffers.
std::shared_ptr<const BufferLayout> MakeBufferLayout(const dispatch::Device& device, TableMemory& tables,
                                                     const state::DescriptorSetLayout& layout);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_BUFFER_LAYOUTS_H_
