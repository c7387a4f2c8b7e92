// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_DESCRIPTOR_STATE_H_
#define ASSAY_GPUAV_DESCRIPTORS_DESCRIPTOR_STATE_H_

#include <cstdint>
#include <vector>

#include "gpuav/descriptors/image_numbers.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "state/state.h"
#include "vk/vulkan.h"

// What shaders need to know of descriptors, by what the state tracker knows.
namespace assay::gpuav {

// How many descriptors each binding number of a set has: those of the table. An inline uniform block is one.
std::vector<uint32_t> DescriptorCounts(const state::DescriptorContents& contents);

// How many descriptors a binding of the set has. An inline uniform block is one.
uint32_t CountOf(const state::DescriptorContents& contents, const state::DescriptorSetLayout::Binding& binding);

spirv_instrument::DescriptorType TypeOf(VkDescriptorType type);

// Sets what is known of an image view: its extent, and whether it or its image was destroyed.
void DescribeImage(VkImageView handle, spirv_instrument::DescriptorState& result);

// Element `index` of the binding as it is now. One of an image gets its number from `numbers`, unless that is null.
spirv_instrument::DescriptorState StateOf(const state::DescriptorContents& contents,
                                          const state::DescriptorSetLayout::Binding& binding, uint32_t index,
                                          ImageNumbers* numbers = nullptr);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_DESCRIPTOR_STATE_H_
