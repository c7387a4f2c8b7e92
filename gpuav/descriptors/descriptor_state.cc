// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/descriptor_state.h"

#include <algorithm>

#include "vk/format_info.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

using spirv_instrument::DescriptorState;
using spirv_instrument::DescriptorType;
using state::DeviceState;

bool IsInline(const state::DescriptorSetLayout::Binding& binding) {
  return binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

void DescribeBuffer(const state::Descriptor& descriptor, DescriptorState& result) {
  const state::Ref<state::Buffer> buffer = DeviceState::GetRef<state::Buffer>(descriptor.resource);
  result.is_destroyed = !buffer;
  // With a dynamic offset, VK_WHOLE_SIZE ends with the buffer all the same, so that the end is known too late by it.
  if (buffer) result.size = buffer->Clamp(descriptor.offset, descriptor.range);
}

void DescribeTexelBuffer(const state::Descriptor& descriptor, DescriptorState& result) {
  const state::Ref<state::BufferView> view = DeviceState::GetRef<state::BufferView>(descriptor.resource);
  result.is_destroyed = !view || !DeviceState::GetRef<state::Buffer>(view->buffer->handle());
  const vk::FormatInfo* format = view ? vk::GetFormatInfo(view->format) : nullptr;
  if (!result.is_destroyed && format != nullptr && format->block_size != 0) {
    result.size = view->range / format->block_size * format->texels_per_block;
  }
}

}  // namespace

DescriptorType TypeOf(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      return DescriptorType::kSampler;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return DescriptorType::kCombinedImageSampler;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
      return DescriptorType::kSampledImage;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return DescriptorType::kStorageImage;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return DescriptorType::kUniformTexelBuffer;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return DescriptorType::kStorageTexelBuffer;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      return DescriptorType::kUniformBuffer;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return DescriptorType::kStorageBuffer;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return DescriptorType::kInputAttachment;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
      return DescriptorType::kAccelerationStructure;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return DescriptorType::kInlineUniformBlock;
    default:
      return DescriptorType::kNone;
  }
}

void DescribeImage(VkImageView handle, DescriptorState& result) {
  const state::Ref<state::ImageView> view = DeviceState::GetRef<state::ImageView>(reinterpret_cast<uint64_t>(handle));
  result.is_destroyed = !view || !DeviceState::GetRef<state::Image>(view->image->handle());
  if (result.is_destroyed) return;
  const VkImageCreateInfo& image = view->image->create_info;
  const VkImageSubresourceRange& range = view->subresource_range;
  const auto at_level = [&range](uint32_t size) { return std::max(size >> range.baseMipLevel, 1u); };
  result.width = at_level(image.extent.width);
  result.height = at_level(image.extent.height);
  result.depth_or_layers = view->view_type == VK_IMAGE_VIEW_TYPE_3D ? at_level(image.extent.depth)
                                                                    : (range.layerCount == VK_REMAINING_ARRAY_LAYERS
                                                                           ? image.arrayLayers - range.baseArrayLayer
                                                                           : range.layerCount);
  result.levels = range.levelCount == VK_REMAINING_MIP_LEVELS ? image.mipLevels - range.baseMipLevel : range.levelCount;
  result.samples = static_cast<uint32_t>(image.samples);
}

uint32_t CountOf(const state::DescriptorContents& contents, const state::DescriptorSetLayout::Binding& binding) {
  if (IsInline(binding)) return 1;
  const size_t tracked = contents.descriptors().size() - std::min<size_t>(binding.first, contents.descriptors().size());
  return static_cast<uint32_t>(std::min<size_t>(binding.count, tracked));
}

std::vector<uint32_t> DescriptorCounts(const state::DescriptorContents& contents) {
  std::vector<uint32_t> counts;
  for (const auto& binding : contents.layout().bindings()) {
    if (binding.count == 0) continue;
    counts.resize(std::max<size_t>(counts.size(), size_t{binding.binding} + 1));
    counts[binding.binding] = CountOf(contents, binding);
  }
  return counts;
}

DescriptorState StateOf(const state::DescriptorContents& contents, const state::DescriptorSetLayout::Binding& binding,
                        uint32_t index, ImageNumbers* numbers) {
  const state::Descriptor descriptor = contents.Read(binding, index);
  using Kind = state::Descriptor::Kind;
  const bool is_written = descriptor.kind != Kind::kUnwritten;
  const bool is_mutable = binding.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
  DescriptorState result = {
      .type = TypeOf(is_mutable && is_written ? descriptor.type : binding.type),
      .is_written = is_written || (binding.type == VK_DESCRIPTOR_TYPE_SAMPLER && binding.has_immutable_samplers)};
  if (IsInline(binding)) result.size = binding.count;
  const bool has_resource = descriptor.kind != Kind::kSampler && descriptor.kind != Kind::kOther;
  if (!is_written || IsInline(binding) || !has_resource) return result;
  if (descriptor.resource == 0) {
    result.is_null = true;
    return result;
  }
  switch (descriptor.kind) {
    case Kind::kBuffer:
      DescribeBuffer(descriptor, result);
      break;
    case Kind::kTexelBuffer:
      DescribeTexelBuffer(descriptor, result);
      break;
    case Kind::kImage:
      DescribeImage(reinterpret_cast<VkImageView>(descriptor.resource), result);
      if (numbers != nullptr && !result.is_destroyed) {
        const VkDescriptorType type = is_mutable ? descriptor.type : binding.type;
        result.note = numbers->NumberOf(reinterpret_cast<VkImageView>(descriptor.resource), descriptor.layout, type);
      }
      break;
    case Kind::kAccelerationStructure:
      result.is_destroyed = !DeviceState::GetRef<state::AccelerationStructure>(descriptor.resource);
      break;
    default:
      break;
  }
  return result;
}

}  // namespace assay::gpuav
