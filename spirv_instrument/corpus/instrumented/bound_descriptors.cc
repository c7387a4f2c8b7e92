// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/bound_descriptors.h"

#include <algorithm>
#include <string>
#include <vector>

#include "spirv_instrument/corpus/description/formats.h"
#include "spirv_instrument/corpus/description/image_types.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {
namespace {

constexpr uint32_t kCubeFaces = 6;

DescriptorType TypeOf(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      return DescriptorType::kSampler;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return DescriptorType::kCombinedImageSampler;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
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
      return DescriptorType::kAccelerationStructure;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return DescriptorType::kInlineUniformBlock;
    default:
      return DescriptorType::kNone;
  }
}

bool IsTexelBuffer(DescriptorType type) {
  return type == DescriptorType::kUniformTexelBuffer || type == DescriptorType::kStorageTexelBuffer;
}

uint64_t SizeOf(const BufferDescription& buffer, const Element& element, DescriptorType type) {
  const uint64_t rest = buffer.size - std::min(element.offset, buffer.size);
  const uint64_t range = element.range == VK_WHOLE_SIZE ? rest : element.range;
  if (!IsTexelBuffer(type)) return range;
  const uint32_t texel_size = TexelSize(element.format);
  return texel_size == 0 ? 0 : range / texel_size;
}

// The view is the one that MakeView of the runner makes.
void DescribeView(const ImageDescription& image, const Element& element, DescriptorState& state) {
  const VkImageViewType type = element.view_type == VK_IMAGE_VIEW_TYPE_MAX_ENUM ? image.type : element.view_type;
  const bool one_level = !element.all_levels || state.type == DescriptorType::kStorageImage;
  const VkExtent3D extent = LevelExtent(image, element.level);
  state.width = extent.width;
  state.height = extent.height;
  state.levels = one_level ? 1 : image.levels - element.level;
  state.samples = static_cast<uint32_t>(image.samples);
  state.depth_or_layers = 1;
  if (type == VK_IMAGE_VIEW_TYPE_3D) state.depth_or_layers = extent.depth;
  if (type == VK_IMAGE_VIEW_TYPE_CUBE) state.depth_or_layers = kCubeFaces;
  if (IsArrayed(type)) state.depth_or_layers = image.layers;
}

}  // namespace

const BindingDescription* FindBinding(const Setup& setup, uint32_t set, uint32_t binding) {
  const auto found = std::ranges::find_if(setup.bindings, [&](const BindingDescription& description) {
    return description.set == set && description.binding == binding;
  });
  return found == setup.bindings.end() ? nullptr : &*found;
}

bool IsDestroyed(const Setup& setup, std::string_view resource) {
  return std::ranges::any_of(setup.bindings, [resource](const BindingDescription& binding) {
    return std::ranges::any_of(binding.elements, [resource](const Element& element) {
      return element.state == Element::State::kDestroyed && element.resource == resource;
    });
  });
}

uint32_t DescriptorCount(const BindingDescription& binding) {
  if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return 1;
  return binding.is_variable ? static_cast<uint32_t>(binding.elements.size()) : binding.count;
}

DescriptorState StateOf(const Setup& setup, const BindingDescription& binding, uint32_t index) {
  if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    return {.type = DescriptorType::kInlineUniformBlock, .is_written = true, .size = binding.count};
  }
  if (index >= binding.elements.size()) return {.type = TypeOf(binding.type)};
  const Element& element = binding.elements[index];
  const bool has_type = element.type != VK_DESCRIPTOR_TYPE_MAX_ENUM;
  DescriptorState state = {.type = TypeOf(has_type ? element.type : binding.type)};
  state.is_written = element.state != Element::State::kUnwritten;
  state.is_null = element.state == Element::State::kNull;
  if (!state.is_written || state.is_null) return state;
  state.is_destroyed = IsDestroyed(setup, element.resource) || IsDestroyed(setup, element.sampler);
  const auto buffer = std::ranges::find(setup.buffers, element.resource, &BufferDescription::name);
  if (buffer != setup.buffers.end()) state.size = SizeOf(*buffer, element, state.type);
  const auto image = std::ranges::find(setup.images, element.resource, &ImageDescription::name);
  if (image != setup.images.end()) DescribeView(*image, element, state);
  return state;
}

bool Holds(const Setup& setup, const HostCondition& condition) {
  const BindingDescription* binding = FindBinding(setup, condition.set, condition.binding);
  if (binding == nullptr || condition.index >= DescriptorCount(*binding)) return false;
  const DescriptorState state = StateOf(setup, *binding, condition.index);
  if (!state.is_written || state.is_destroyed) return false;
  if (condition.types != 0 && ((condition.types >> static_cast<uint32_t>(state.type)) & 1) == 0) return false;
  return state.is_null || condition.kind == HostCondition::Kind::kDescriptorIsValid || state.size >= condition.bytes;
}

}  // namespace assay::spirv_instrument::corpus
