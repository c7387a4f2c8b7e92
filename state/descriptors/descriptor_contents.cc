// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/descriptors/descriptor_contents.h"

#include <algorithm>
#include <cstring>

#include "absl/synchronization/mutex.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

Descriptor::Kind KindOf(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return Descriptor::Kind::kBuffer;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return Descriptor::Kind::kTexelBuffer;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
      return Descriptor::Kind::kImage;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
      return Descriptor::Kind::kAccelerationStructure;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return Descriptor::Kind::kInlineUniformBlock;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      return Descriptor::Kind::kSampler;
    default:
      return Descriptor::Kind::kOther;
  }
}

void Set(Descriptor& descriptor, const VkDescriptorBufferInfo& info) {
  descriptor.resource = reinterpret_cast<uint64_t>(info.buffer);
  descriptor.offset = info.offset;
  descriptor.range = info.range;
}
void Set(Descriptor& descriptor, const VkDescriptorImageInfo& info) {
  const auto sampler = reinterpret_cast<uint64_t>(info.sampler);
  if (descriptor.kind == Descriptor::Kind::kSampler) {
    descriptor.resource = sampler;
    return;
  }
  descriptor.resource = reinterpret_cast<uint64_t>(info.imageView);
  descriptor.layout = info.imageLayout;
  descriptor.sampler = descriptor.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? sampler : 0;
}
// For descriptors that are written as a handle alone.
void Set(Descriptor& descriptor, uint64_t handle) { descriptor.resource = handle; }

template <class T>
void SetAll(absl::Span<Descriptor> descriptors, VkDescriptorType type, const void* data, size_t stride) {
  if (data == nullptr) return;
  for (Descriptor& descriptor : descriptors) {
    T info;
    std::memcpy(&info, data, sizeof(info));
    descriptor = {.kind = KindOf(type), .type = type};
    Set(descriptor, info);
    data = static_cast<const char*>(data) + stride;
  }
}

// Reads each descriptor from the next `stride` bytes of `data`, in the form that the type has.
void SetFrom(absl::Span<Descriptor> descriptors, VkDescriptorType type, const void* data, size_t stride) {
  switch (KindOf(type)) {
    case Descriptor::Kind::kBuffer:
      return SetAll<VkDescriptorBufferInfo>(descriptors, type, data, stride);
    case Descriptor::Kind::kTexelBuffer:
    case Descriptor::Kind::kAccelerationStructure:
      static_assert(sizeof(VkBufferView) == sizeof(uint64_t) && sizeof(VkAccelerationStructureKHR) == sizeof(uint64_t));
      return SetAll<uint64_t>(descriptors, type, data, stride);
    case Descriptor::Kind::kImage:
    case Descriptor::Kind::kSampler:
      return SetAll<VkDescriptorImageInfo>(descriptors, type, data, stride);
    default:
      for (Descriptor& descriptor : descriptors) descriptor = {.kind = Descriptor::Kind::kOther, .type = type};
  }
}

// The acceleration structures in the chain of a write; sets `count` to their number.
const void* AccelerationStructuresOf(const VkWriteDescriptorSet& write, uint32_t& count) {
  if (const auto* structures = vk::FindInChain<VkWriteDescriptorSetAccelerationStructureKHR>(write.pNext)) {
    count = structures->accelerationStructureCount;
    return structures->pAccelerationStructures;
  }
  if (const auto* structures = vk::FindInChain<VkWriteDescriptorSetAccelerationStructureNV>(write.pNext)) {
    count = structures->accelerationStructureCount;
    return structures->pAccelerationStructures;
  }
  return nullptr;
}

}  // namespace

absl::Span<Descriptor> DescriptorContents::From(uint32_t binding, uint32_t element, uint32_t count) {
  const DescriptorSetLayout::Binding* found = layout_->Find(binding);
  if (found == nullptr || found->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return {};
  const size_t first = size_t{found->first} + element;
  if (first >= descriptors_.size()) return {};
  return absl::MakeSpan(descriptors_).subspan(first, count);
}

void DescriptorContents::WriteInlineUniformBlock(uint32_t binding) {
  const DescriptorSetLayout::Binding* found = layout_->Find(binding);
  if (found == nullptr || found->first >= descriptors_.size()) return;
  if (found->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return;
  descriptors_[found->first] = {.kind = Descriptor::Kind::kInlineUniformBlock,
                                .type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
}

void DescriptorContents::Write(const VkWriteDescriptorSet& write) {
  absl::MutexLockMaybe lock(updates_.get());
  const absl::Span<Descriptor> target = From(write.dstBinding, write.dstArrayElement, write.descriptorCount);
  switch (KindOf(write.descriptorType)) {
    case Descriptor::Kind::kBuffer:
      return SetFrom(target, write.descriptorType, write.pBufferInfo, sizeof(VkDescriptorBufferInfo));
    case Descriptor::Kind::kTexelBuffer:
      return SetFrom(target, write.descriptorType, write.pTexelBufferView, sizeof(VkBufferView));
    case Descriptor::Kind::kImage:
    case Descriptor::Kind::kSampler:
      return SetFrom(target, write.descriptorType, write.pImageInfo, sizeof(VkDescriptorImageInfo));
    case Descriptor::Kind::kAccelerationStructure: {
      uint32_t count = 0;
      const void* const structures = AccelerationStructuresOf(write, count);
      return SetFrom(target.first(std::min<size_t>(count, target.size())), write.descriptorType, structures,
                     sizeof(uint64_t));
    }
    case Descriptor::Kind::kInlineUniformBlock:
      return WriteInlineUniformBlock(write.dstBinding);
    default:
      return SetFrom(target, write.descriptorType, nullptr, 0);
  }
}

std::vector<Descriptor> DescriptorContents::SourceOf(const VkCopyDescriptorSet& copy) const {
  const DescriptorSetLayout::Binding* from = layout_->Find(copy.srcBinding);
  if (from == nullptr) return {};
  absl::MutexLockMaybe lock(updates_.get());
  const size_t first = std::min(size_t{from->first} + copy.srcArrayElement, descriptors_.size());
  const auto available = absl::MakeConstSpan(descriptors_).subspan(first, copy.descriptorCount);
  return {available.begin(), available.end()};
}

// The values are copied twice, since source and destination may overlap in one set, and no two locks are held at once.
void DescriptorContents::Copy(const VkCopyDescriptorSet& copy, const DescriptorContents& source) {
  const std::vector<Descriptor> values = source.SourceOf(copy);
  absl::MutexLockMaybe lock(updates_.get());
  const absl::Span<Descriptor> target = From(copy.dstBinding, copy.dstArrayElement, copy.descriptorCount);
  std::copy_n(values.begin(), std::min(values.size(), target.size()), target.begin());
}

void DescriptorContents::Write(absl::Span<const VkDescriptorUpdateTemplateEntry> entries, const void* data) {
  if (data == nullptr) return;
  absl::MutexLockMaybe lock(updates_.get());
  for (const VkDescriptorUpdateTemplateEntry& entry : entries) {
    if (entry.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      WriteInlineUniformBlock(entry.dstBinding);
      continue;
    }
    SetFrom(From(entry.dstBinding, entry.dstArrayElement, entry.descriptorCount), entry.descriptorType,
            static_cast<const char*>(data) + entry.offset, entry.stride);
  }
}

}  // namespace assay::state
