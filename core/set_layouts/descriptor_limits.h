// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SET_LAYOUTS_DESCRIPTOR_LIMITS_H_
#define ASSAY_CORE_SET_LAYOUTS_DESCRIPTOR_LIMITS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// How many descriptors set layouts have, by kind and shader stage, and what the device allows. Private to the package,
// but for tests.
namespace assay::core {

// What limits count. Of some types it is bindings that count, not descriptors.
enum class DescriptorKind : uint8_t {
  kSampler,
  kCombinedImageSampler,
  kSampledImage,
  kStorageImage,
  kUniformTexelBuffer,
  kStorageTexelBuffer,
  kUniformBuffer,
  kStorageBuffer,
  kUniformBufferDynamic,
  kStorageBufferDynamic,
  kInputAttachment,
  kInlineUniformBlock,
  kInlineUniformByte,
  kAccelerationStructureKhr,
  kAccelerationStructureNv,
  kWeightOrBlockMatchImage,
  kSubsampledSampler,
};
inline constexpr size_t kDescriptorKinds = 17;
// Sets of kinds, as bits.
constexpr uint32_t BitOf(DescriptorKind kind) { return uint32_t{1} << static_cast<uint32_t>(kind); }

// Bindings of these kinds count once, whatever they have.
inline constexpr uint32_t kCountedByBinding = BitOf(DescriptorKind::kInlineUniformBlock) |
                                              BitOf(DescriptorKind::kAccelerationStructureKhr) |
                                              BitOf(DescriptorKind::kAccelerationStructureNv);

// The descriptors of some set layouts.
class DescriptorCounts {
 public:
  // Adds one binding. `has_later_updates` is VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT of its layout.
  void Add(VkDescriptorType type, uint32_t count, VkShaderStageFlags stages, bool has_later_updates);
  void Add(DescriptorKind kind, uint32_t count, VkShaderStageFlags stages, bool has_later_updates);
  // Notes a layout whose sets may be updated after they are bound, whatever its bindings.
  void NoteLaterUpdates() { has_later_updates_ = true; }

  bool has_later_updates() const { return has_later_updates_; }
  // The number for all stages together, or the largest of one stage; then that stage.
  struct Total {
    uint64_t count;
    VkShaderStageFlags stage;
  };
  Total Of(uint32_t kinds, bool per_stage, bool of_all_layouts) const;

 private:
  // VK_SHADER_STAGE_ALL has more bits; no stage has them.
  static constexpr size_t kStages = 20;
  // For each stage and, as the last one, for all together.
  using Numbers = std::array<std::array<uint64_t, kDescriptorKinds>, kStages + 1>;

  Numbers of_all_{};
  Numbers without_later_updates_{};
  bool has_later_updates_ = false;
};

// A member of VkPhysicalDeviceLimits, or of a structure that extends VkPhysicalDeviceProperties2.
struct LimitMember {
  // "VkPhysicalDeviceLimits::maxDescriptorSetSamplers".
  std::string_view name;
  // VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2 for VkPhysicalDeviceLimits.
  VkStructureType structure;
  uint32_t& (*in)(void* structure);

  // Nothing if the device does not report it. 0 is not a limit.
  std::optional<uint32_t> Of(const dispatch::PhysicalDevice& device) const;
};

// Which set layouts of a pipeline layout count.
enum class CountedLayouts : uint8_t {
  kWithoutLaterUpdates,
  kAll,
  // All, if one of them has VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT. Without one, the rule with the
  // smaller limit says the same.
  kAllIfOneHasLaterUpdates,
};
enum class WhenChecked : uint8_t { kAlways, kWithMaintenance7, kWithoutMaintenance7 };

struct DescriptorLimit {
  vk::VuidIndex vuid;
  LimitMember limit;
  // DescriptorKind as bits.
  uint32_t kinds;
  bool per_stage;
  CountedLayouts layouts;
  WhenChecked when = WhenChecked::kAlways;
};
absl::Span<const DescriptorLimit> DescriptorLimits();

// A limit that is exceeded.
struct ExceededLimit {
  const DescriptorLimit& rule;
  DescriptorCounts::Total total;
  uint32_t most;
};
// Whether the rule has something to say for the device, and these descriptors are too many.
std::optional<ExceededLimit> Exceeds(const DescriptorCounts& counts, const DescriptorLimit& rule,
                                     const dispatch::Device& device);

}  // namespace assay::core

#endif  // ASSAY_CORE_SET_LAYOUTS_DESCRIPTOR_LIMITS_H_
