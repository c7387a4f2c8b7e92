// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MASKS_LIMITS_H_
#define ASSAY_CORE_MASKS_LIMITS_H_

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "dispatch/dispatch.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::core {

// What a device allows, as masks that are made once. A test or two of them accept a correct mask.
class SyncLimits {
 public:
  // leave_out is for tests: rules for which it is true are not reported.
  explicit SyncLimits(const dispatch::Device& of, std::function<bool(vk::VuidIndex)> leave_out = {});

  bool LeavesOut(vk::VuidIndex vuid) const { return leave_out_ && leave_out_(vuid); }

  // Stages that need a feature, or one of several, of which none is enabled.
  VkPipelineStageFlags2 disabled_stages() const { return disabled_stages_; }
  // The stages that a queue family supports; all bits for a family that does not exist.
  VkPipelineStageFlags2 StagesOfFamily(uint32_t family) const {
    return family < family_stages_.size() ? family_stages_[family] : ~VkPipelineStageFlags2{0};
  }
  // The accesses that at least one of the stages supports.
  VkAccessFlags2 AccessesOf(VkPipelineStageFlags2 stages) const {
    VkAccessFlags2 accesses = kAccessesOfAllStages;
    for (; stages != 0; stages &= stages - 1) accesses |= stage_accesses_[std::countr_zero(stages)];
    return accesses;
  }
  // Whether an image with the usages, of which there is at least one, may be in the layout.
  bool LayoutFits(VkImageLayout layout, VkImageUsageFlags usage) const {
    if (IsCoreLayout(layout)) return Fits(core_layouts_[layout], usage);
    return ExtensionLayoutFits(layout, usage);
  }
  bool LayoutIsEnabled(VkImageLayout layout) const {
    // Every layout that needs a feature is an extension's.
    return IsCoreLayout(layout) || ExtensionLayoutIsEnabled(layout);
  }
  // Whether the layout needs no extension. VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL and its like began as extensions.
  static bool IsCoreLayout(VkImageLayout layout) { return static_cast<size_t>(layout) < kCoreLayouts; }

  // Single shader stages, except VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR.
  VkPipelineStageFlags2 shader_stages() const { return shader_stages_; }
  // Stages of graphics pipelines, including those that stand for several.
  VkPipelineStageFlags2 graphics_stages() const { return graphics_stages_; }
  // Framebuffer-space stages ("Framebuffer Region Dependencies").
  static constexpr VkPipelineStageFlags2 kFramebufferStages =
      VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
      VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;

  const dispatch::Device& device;
  // The setting. It decides about the rules that docs/settings.md lists under "Strict readings".
  const bool strict;
  const bool synchronization2;
  const bool maintenance8;
  const bool ray_query;
  const bool separate_depth_stencil_layouts;
  const bool local_read;
  // One of the features of VK_EXT_shader_tile_image.
  const bool tile_image;
  // VK_QUEUE_FAMILY_FOREIGN_EXT and VK_QUEUE_FAMILY_EXTERNAL.
  const bool foreign_families;
  const bool external_families;

 private:
  // Accesses that are valid with every stage, since no rule names a stage for them.
  static constexpr VkAccessFlags2 kAccessesOfAllStages = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  static constexpr size_t kCoreLayouts = 16;

  // The usages that an image must have: a bit of each mask. One that asks for nothing has all bits.
  using Usages = std::array<VkImageUsageFlags, 3>;
  struct LayoutUsages {
    VkImageLayout layout;
    Usages usages;
  };

  static bool Fits(const Usages& usages, VkImageUsageFlags usage) {
    return (usage & usages[0]) != 0 && (usage & usages[1]) != 0 && (usage & usages[2]) != 0;
  }
  bool ExtensionLayoutFits(VkImageLayout layout, VkImageUsageFlags usage) const;
  bool ExtensionLayoutIsEnabled(VkImageLayout layout) const;
  void FillStages();
  void FillAccesses();
  void FillLayouts();

  const std::function<bool(vk::VuidIndex)> leave_out_;
  VkPipelineStageFlags2 disabled_stages_ = 0;
  VkPipelineStageFlags2 shader_stages_ = 0;
  VkPipelineStageFlags2 graphics_stages_ = 0;
  std::vector<VkPipelineStageFlags2> family_stages_;
  // By the number of the stage's bit.
  std::array<VkAccessFlags2, 64> stage_accesses_{};
  // By value, for layouts that need no extension.
  std::array<Usages, kCoreLayouts> core_layouts_;
  std::vector<LayoutUsages> extension_layouts_;
  std::vector<VkImageLayout> disabled_layouts_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_MASKS_LIMITS_H_
