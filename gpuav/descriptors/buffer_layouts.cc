// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/buffer_layouts.h"

#include <algorithm>
#include <cstddef>

#include "gpuav/descriptors/descriptor_state.h"
#include "vk/feature_info.h"

namespace assay::gpuav {

using spirv_instrument::BufferedBinding;
using Properties = VkPhysicalDeviceDescriptorBufferPropertiesEXT;

uint32_t BytesOfDescriptor(const dispatch::Device& device, VkDescriptorType type) {
  const auto* properties = device.physical_device->Find<Properties>();
  if (properties == nullptr) return 0;
  const bool is_robust = device.HasFeature(vk::FeatureId::kRobustBufferAccess);
  const auto bytes = [&](size_t Properties::* of, size_t Properties::* robust = nullptr) {
    return static_cast<uint32_t>(properties->*(is_robust && robust != nullptr ? robust : of));
  };
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      return bytes(&Properties::samplerDescriptorSize);
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return bytes(&Properties::combinedImageSamplerDescriptorSize);
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return bytes(&Properties::sampledImageDescriptorSize);
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return bytes(&Properties::storageImageDescriptorSize);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return bytes(&Properties::uniformTexelBufferDescriptorSize, &Properties::robustUniformTexelBufferDescriptorSize);
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return bytes(&Properties::storageTexelBufferDescriptorSize, &Properties::robustStorageTexelBufferDescriptorSize);
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      return bytes(&Properties::uniformBufferDescriptorSize, &Properties::robustUniformBufferDescriptorSize);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      return bytes(&Properties::storageBufferDescriptorSize, &Properties::robustStorageBufferDescriptorSize);
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return bytes(&Properties::inputAttachmentDescriptorSize);
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      return bytes(&Properties::accelerationStructureDescriptorSize);
    default:
      return 0;
  }
}

std::vector<BufferedBinding> BufferedBindingsOf(const dispatch::Device& device,
                                                const state::DescriptorSetLayout& layout) {
  const auto* properties = device.physical_device->Find<Properties>();
  const bool has_single_arrays =
      properties != nullptr && properties->combinedImageSamplerDescriptorSingleArray == VK_TRUE;
  std::vector<BufferedBinding> bindings;
  for (const auto& from : layout.bindings()) {
    if (from.count == 0 || !from.buffer_offset) continue;
    bindings.resize(std::max<size_t>(bindings.size(), size_t{from.binding} + 1));
    if (from.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) continue;
    const bool is_apart = from.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && !has_single_arrays;
    const bool is_looked_at = !from.has_immutable_samplers && !is_apart;
    bindings[from.binding] = {.offset = *from.buffer_offset,
                              .bytes = is_looked_at ? BytesOfDescriptor(device, from.type) : 0,
                              .count = from.count,
                              .type = TypeOf(from.type),
                              .is_variable = (from.flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0};
  }
  return bindings;
}

bool IsForDescriptorBuffers(const state::DescriptorSetLayout& layout) {
  return std::ranges::any_of(layout.bindings(), [](const auto& binding) { return binding.buffer_offset.has_value(); });
}

BufferLayout::BufferLayout(TableMemory& tables, absl::Span<const uint32_t> words)
    : tables_(tables), quads_(static_cast<uint32_t>(words.size() / 4)), offset_(tables.Allocate(quads_)) {
  if (offset_ != 0) tables_.Write(offset_, 0, words);
}

std::shared_ptr<const BufferLayout> MakeBufferLayout(const dispatch::Device& device, TableMemory& tables,
                                                     const state::DescriptorSetLayout& layout) {
  if (!IsForDescriptorBuffers(layout)) return nullptr;
  const std::vector<uint32_t> words = spirv_instrument::MakeBufferLayoutTable(BufferedBindingsOf(device, layout));
  return std::make_shared<const BufferLayout>(tables, words);
}

}  // namespace assay::gpuav
