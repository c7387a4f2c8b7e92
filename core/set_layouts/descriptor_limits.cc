// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/set_layouts/descriptor_limits.h"

#include <algorithm>
#include <type_traits>

#include "vk/feature_info.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

using vk::Vuid;
using enum DescriptorKind;
using enum CountedLayouts;
using enum WhenChecked;

template <class M>
struct OwnerOfMember;
template <class T, class M>
struct OwnerOfMember<M T::*> {
  using Type = T;
};

template <auto kMember>
constexpr LimitMember MakeLimit(std::string_view name) {
  using T = typename OwnerOfMember<decltype(kMember)>::Type;
  VkStructureType structure = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  if constexpr (!std::is_same_v<T, VkPhysicalDeviceLimits>) structure = vk::kStructureTypeOf<T>;
  return {name, structure, [](void* of) -> uint32_t& { return static_cast<T*>(of)->*kMember; }};
}
#define ASSAY_LIMIT(Struct, member) MakeLimit<&Struct::member>(#Struct "::" #member)

constexpr bool kPerStage = true;
constexpr bool kTogether = false;

constexpr uint32_t kSamplers = BitOf(kSampler) | BitOf(kCombinedImageSampler);
constexpr uint32_t kSampledImages = BitOf(kCombinedImageSampler) | BitOf(kSampledImage) | BitOf(kUniformTexelBuffer);
constexpr uint32_t kStorageImages = BitOf(kStorageImage) | BitOf(kStorageTexelBuffer);
constexpr uint32_t kUniformBuffers = BitOf(kUniformBuffer) | BitOf(kUniformBufferDynamic);
constexpr uint32_t kStorageBuffers = BitOf(kStorageBuffer) | BitOf(kStorageBufferDynamic);
constexpr uint32_t kDynamicBuffers = BitOf(kUniformBufferDynamic) | BitOf(kStorageBufferDynamic);

constexpr DescriptorLimit kLimits[] = {
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-02214"),
     ASSAY_LIMIT(VkPhysicalDeviceInlineUniformBlockProperties, maxPerStageDescriptorInlineUniformBlocks),
     BitOf(kInlineUniformBlock), kPerStage, kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-02215"),
     ASSAY_LIMIT(VkPhysicalDeviceInlineUniformBlockProperties, maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks),
     BitOf(kInlineUniformBlock), kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-02216"),
     ASSAY_LIMIT(VkPhysicalDeviceInlineUniformBlockProperties, maxDescriptorSetInlineUniformBlocks),
     BitOf(kInlineUniformBlock), kTogether, kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-02217"),
     ASSAY_LIMIT(VkPhysicalDeviceInlineUniformBlockProperties, maxDescriptorSetUpdateAfterBindInlineUniformBlocks),
     BitOf(kInlineUniformBlock), kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-02381"),
     ASSAY_LIMIT(VkPhysicalDeviceRayTracingPropertiesNV, maxDescriptorSetAccelerationStructures),
     BitOf(kAccelerationStructureNv), kTogether, kAll},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03016"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxPerStageDescriptorSamplers), kSamplers, kPerStage, kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03017"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxPerStageDescriptorUniformBuffers), kUniformBuffers, kPerStage,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03018"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxPerStageDescriptorStorageBuffers), kStorageBuffers, kPerStage,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03020"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxPerStageDescriptorStorageImages), kStorageImages, kPerStage,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03021"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxPerStageDescriptorInputAttachments), BitOf(kInputAttachment), kPerStage,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03022"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindSamplers), kSamplers,
     kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03023"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindUniformBuffers),
     kUniformBuffers, kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03024"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindStorageBuffers),
     kStorageBuffers, kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03025"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindSampledImages),
     kSampledImages, kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03026"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindStorageImages),
     kStorageImages, kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03027"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindInputAttachments),
     BitOf(kInputAttachment), kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03028"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetSamplers), kSamplers, kTogether, kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03029"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetUniformBuffers), BitOf(kUniformBuffer), kTogether,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03030"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetUniformBuffersDynamic), BitOf(kUniformBufferDynamic),
     kTogether, kWithoutLaterUpdates, kWithoutMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03031"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetStorageBuffers), BitOf(kStorageBuffer), kTogether,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03032"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetStorageBuffersDynamic), BitOf(kStorageBufferDynamic),
     kTogether, kWithoutLaterUpdates, kWithoutMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03033"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetSampledImages), kSampledImages, kTogether,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03034"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetStorageImages), kStorageImages, kTogether,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03035"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxDescriptorSetInputAttachments), BitOf(kInputAttachment), kTogether,
     kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03036"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindSamplers), kSamplers,
     kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03037"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindUniformBuffers),
     BitOf(kUniformBuffer), kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03038"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindUniformBuffersDynamic),
     BitOf(kUniformBufferDynamic), kTogether, kAllIfOneHasLaterUpdates, kWithoutMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03039"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindStorageBuffers),
     BitOf(kStorageBuffer), kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03040"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindStorageBuffersDynamic),
     BitOf(kStorageBufferDynamic), kTogether, kAllIfOneHasLaterUpdates, kWithoutMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03041"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindSampledImages),
     kSampledImages, kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03042"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindStorageImages),
     kStorageImages, kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03043"),
     ASSAY_LIMIT(VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindInputAttachments),
     BitOf(kInputAttachment), kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pImmutableSamplers-03566"),
     ASSAY_LIMIT(VkPhysicalDeviceFragmentDensityMap2PropertiesEXT, maxDescriptorSetSubsampledSamplers),
     BitOf(kSubsampledSampler), kTogether, kAll},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03571"),
     ASSAY_LIMIT(VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxPerStageDescriptorAccelerationStructures),
     BitOf(kAccelerationStructureKhr), kPerStage, kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03572"),
     ASSAY_LIMIT(VkPhysicalDeviceAccelerationStructurePropertiesKHR,
                 maxPerStageDescriptorUpdateAfterBindAccelerationStructures),
     BitOf(kAccelerationStructureKhr), kPerStage, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03573"),
     ASSAY_LIMIT(VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxDescriptorSetAccelerationStructures),
     BitOf(kAccelerationStructureKhr), kTogether, kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-03574"),
     ASSAY_LIMIT(VkPhysicalDeviceAccelerationStructurePropertiesKHR,
                 maxDescriptorSetUpdateAfterBindAccelerationStructures),
     BitOf(kAccelerationStructureKhr), kTogether, kAllIfOneHasLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-06531"),
     ASSAY_LIMIT(VkPhysicalDeviceVulkan13Properties, maxInlineUniformTotalSize), BitOf(kInlineUniformByte), kTogether,
     kAll},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-descriptorType-06939"),
     ASSAY_LIMIT(VkPhysicalDeviceLimits, maxPerStageDescriptorSampledImages),
     kSampledImages | BitOf(kWeightOrBlockMatchImage), kPerStage, kWithoutLaterUpdates},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-maintenance7-10003"),
     ASSAY_LIMIT(VkPhysicalDeviceMaintenance7PropertiesKHR, maxDescriptorSetTotalUniformBuffersDynamic),
     BitOf(kUniformBufferDynamic), kTogether, kWithoutLaterUpdates, kWithMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-maintenance7-10004"),
     ASSAY_LIMIT(VkPhysicalDeviceMaintenance7PropertiesKHR, maxDescriptorSetTotalStorageBuffersDynamic),
     BitOf(kStorageBufferDynamic), kTogether, kWithoutLaterUpdates, kWithMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-None-10005"),
     ASSAY_LIMIT(VkPhysicalDeviceMaintenance7PropertiesKHR, maxDescriptorSetTotalBuffersDynamic), kDynamicBuffers,
     kTogether, kWithoutLaterUpdates, kWithMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-10006"),
     ASSAY_LIMIT(VkPhysicalDeviceMaintenance7PropertiesKHR, maxDescriptorSetUpdateAfterBindTotalBuffersDynamic),
     kDynamicBuffers, kTogether, kAllIfOneHasLaterUpdates, kWithMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-maintenance7-10007"),
     ASSAY_LIMIT(VkPhysicalDeviceMaintenance7PropertiesKHR, maxDescriptorSetUpdateAfterBindTotalUniformBuffersDynamic),
     BitOf(kUniformBufferDynamic), kTogether, kAllIfOneHasLaterUpdates, kWithMaintenance7},
    {Vuid("VUID-VkPipelineLayoutCreateInfo-maintenance7-10008"),
     ASSAY_LIMIT(VkPhysicalDeviceMaintenance7PropertiesKHR, maxDescriptorSetUpdateAfterBindTotalStorageBuffersDynamic),
     BitOf(kStorageBufferDynamic), kTogether, kAllIfOneHasLaterUpdates, kWithMaintenance7},
};
#undef ASSAY_LIMIT

std::optional<DescriptorKind> KindOf(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      return kSampler;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return kCombinedImageSampler;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return kSampledImage;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return kStorageImage;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return kUniformTexelBuffer;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return kStorageTexelBuffer;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      return kUniformBuffer;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      return kStorageBuffer;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      return kUniformBufferDynamic;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return kStorageBufferDynamic;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return kInputAttachment;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return kInlineUniformBlock;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      return kAccelerationStructureKhr;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
      return kAccelerationStructureNv;
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
      return kWeightOrBlockMatchImage;
    default:
      return std::nullopt;
  }
}

}  // namespace

void DescriptorCounts::Add(DescriptorKind kind, uint32_t count, VkShaderStageFlags stages, bool has_later_updates) {
  if (stages == 0) return;
  const auto add = [&](Numbers& numbers) {
    for (size_t i = 0; i < kStages; ++i) {
      if ((stages & VkShaderStageFlags{1} << i) != 0) numbers[i][static_cast<size_t>(kind)] += count;
    }
    numbers[kStages][static_cast<size_t>(kind)] += count;
  };
  add(of_all_);
  if (!has_later_updates) add(without_later_updates_);
}

void DescriptorCounts::Add(VkDescriptorType type, uint32_t count, VkShaderStageFlags stages, bool has_later_updates) {
  const std::optional<DescriptorKind> kind = KindOf(type);
  if (!kind.has_value() || count == 0) return;
  const bool is_once = (kCountedByBinding & BitOf(*kind)) != 0;
  Add(*kind, is_once ? 1 : count, stages, has_later_updates);
  if (kind == kInlineUniformBlock) Add(kInlineUniformByte, count, stages, has_later_updates);
}

DescriptorCounts::Total DescriptorCounts::Of(uint32_t kinds, bool per_stage, bool of_all_layouts) const {
  const Numbers& numbers = of_all_layouts ? of_all_ : without_later_updates_;
  const auto sum = [&](size_t stage) {
    uint64_t total = 0;
    for (size_t kind = 0; kind < kDescriptorKinds; ++kind) {
      if ((kinds >> kind & 1) != 0) total += numbers[stage][kind];
    }
    return total;
  };
  if (!per_stage) return {sum(kStages), 0};
  Total most = {0, 0};
  for (size_t i = 0; i < kStages; ++i) {
    const uint64_t count = sum(i);
    if (count > most.count) most = {count, VkShaderStageFlags{1} << i};
  }
  return most;
}

std::optional<uint32_t> LimitMember::Of(const dispatch::PhysicalDevice& device) const {
  const bool is_core = structure == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  const void* const from = is_core ? &device.properties.limits : device.Find(structure);
  if (from == nullptr) return std::nullopt;
  const uint32_t value = in(const_cast<void*>(from));
  return value != 0 ? std::optional(value) : std::nullopt;
}

absl::Span<const DescriptorLimit> DescriptorLimits() { return kLimits; }

std::optional<ExceededLimit> Exceeds(const DescriptorCounts& counts, const DescriptorLimit& rule,
                                     const dispatch::Device& device) {
  if (rule.layouts == kAllIfOneHasLaterUpdates && !counts.has_later_updates()) return std::nullopt;
  const bool has_maintenance7 = device.HasFeature(vk::FeatureId::kMaintenance7);
  if (rule.when != kAlways && has_maintenance7 != (rule.when == kWithMaintenance7)) return std::nullopt;
  const DescriptorCounts::Total total = counts.Of(rule.kinds, rule.per_stage, rule.layouts != kWithoutLaterUpdates);
  if (total.count == 0) return std::nullopt;
  const std::optional<uint32_t> most = rule.limit.Of(*device.physical_device);
  if (!most.has_value() || total.count <= *most) return std::nullopt;
  return ExceededLimit{rule, total, *most};
}

}  // namespace assay::core
