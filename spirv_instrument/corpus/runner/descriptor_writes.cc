// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/descriptor_writes.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/runner/images.h"

namespace assay::spirv_instrument::corpus {
namespace {

// A descriptor write, and what it points to.
struct Write {
  VkDescriptorBufferInfo buffer = {};
  VkDescriptorImageInfo image = {};
  VkBufferView view = VK_NULL_HANDLE;
  VkAccelerationStructureKHR scene = VK_NULL_HANDLE;
};

absl::Status NoResource(const std::string& name) {
  return absl::NotFoundError(absl::StrCat("the resource '", name, "' is missing, or of another kind"));
}

absl::Status DescribeBuffer(const Resources& resources, const Element& element, Write& write) {
  write.buffer.range = VK_WHOLE_SIZE;
  if (element.state == Element::State::kNull) return absl::OkStatus();
  const Buffer* buffer = resources.FindBuffer(element.resource);
  if (buffer == nullptr) return NoResource(element.resource);
  write.buffer = {buffer->handle, element.offset, element.range};
  return absl::OkStatus();
}

absl::Status DescribeTexelBuffer(Objects& objects, const Resources& resources, const Element& element, Write& write) {
  if (element.state == Element::State::kNull) return absl::OkStatus();
  const Buffer* buffer = resources.FindBuffer(element.resource);
  if (buffer == nullptr) return NoResource(element.resource);
  VkBufferViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
      .buffer = buffer->handle,
      .format = element.format,
      .offset = element.offset,
      .range = element.range,
  };
  const VkDevice device = objects.device().handle();
  absl::Status status = Check(objects.vk().CreateBufferView(device, &info, nullptr, &write.view), "vkCreateBufferView");
  if (!status.ok()) return status;
  objects.Defer(
      [&objects, view = write.view] { objects.vk().DestroyBufferView(objects.device().handle(), view, nullptr); });
  return absl::OkStatus();
}

absl::Status DescribeImage(Objects& objects, const Resources& resources, const Element& element, Write& write) {
  write.image.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  const std::string& sampler_name = element.type == VK_DESCRIPTOR_TYPE_SAMPLER ? element.resource : element.sampler;
  if (!sampler_name.empty()) {
    const Sampler* sampler = resources.FindSampler(sampler_name);
    if (sampler == nullptr) return NoResource(sampler_name);
    write.image.sampler = sampler->handle;
  }
  if (element.type == VK_DESCRIPTOR_TYPE_SAMPLER || element.state == Element::State::kNull) return absl::OkStatus();
  const Image* image = resources.FindImage(element.resource);
  if (image == nullptr) return NoResource(element.resource);
  absl::StatusOr<VkImageView> view = MakeView(objects, *image->description, image->handle, element);
  if (!view.ok()) return view.status();
  write.image.imageView = *view;
  return absl::OkStatus();
}

absl::Status DescribeScene(const Resources& resources, const Element& element, Write& write) {
  if (element.state == Element::State::kNull) return absl::OkStatus();
  const Scene* scene = resources.FindScene(element.resource);
  if (scene == nullptr) return NoResource(element.resource);
  write.scene = scene->top_level;
  return absl::OkStatus();
}

absl::Status Describe(Objects& objects, const Resources& resources, const Element& element, Write& write) {
  switch (element.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return DescribeBuffer(resources, element, write);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return DescribeTexelBuffer(objects, resources, element, write);
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      return DescribeScene(resources, element, write);
    default:
      return DescribeImage(objects, resources, element, write);
  }
}

}  // namespace

absl::Status WriteDescriptor(Objects& objects, const Resources& resources, VkDescriptorSet set, uint32_t binding,
                             uint32_t array_element, const Element& element) {
  Write write;
  if (absl::Status status = Describe(objects, resources, element, write); !status.ok()) return status;
  VkWriteDescriptorSetAccelerationStructureKHR scene = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
      .accelerationStructureCount = 1,
      .pAccelerationStructures = &write.scene,
  };
  VkWriteDescriptorSet info = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .pNext = element.type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR ? &scene : nullptr,
      .dstSet = set,
      .dstBinding = binding,
      .dstArrayElement = array_element,
      .descriptorCount = 1,
      .descriptorType = element.type,
      .pImageInfo = &write.image,
      .pBufferInfo = &write.buffer,
      .pTexelBufferView = &write.view,
  };
  objects.vk().UpdateDescriptorSets(objects.device().handle(), 1, &info, 0, nullptr);
  return absl::OkStatus();
}

absl::Status WriteInlineBlock(Objects& objects, const Resources& resources, VkDescriptorSet set,
                              const BindingDescription& binding) {
  absl::StatusOr<std::vector<uint8_t>> bytes = resources.Resolve(binding.inline_contents);
  if (!bytes.ok()) return bytes.status();
  VkWriteDescriptorSetInlineUniformBlock block = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
      .dataSize = static_cast<uint32_t>(bytes->size()),
      .pData = bytes->data(),
  };
  VkWriteDescriptorSet info = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .pNext = &block,
      .dstSet = set,
      .dstBinding = binding.binding,
      .descriptorCount = block.dataSize,
      .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
  };
  objects.vk().UpdateDescriptorSets(objects.device().handle(), 1, &info, 0, nullptr);
  return absl::OkStatus();
}

}  // namespace assay::spirv_instrument::corpus
