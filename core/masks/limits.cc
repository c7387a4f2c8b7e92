// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/masks/limits.h"

#include <algorithm>
#include <utility>

#include "vk/extension_info.h"
#include "vk/sync/available_stages.h"
#include "vk/sync/sync_info.h"
#include "vk/sync/sync_rule_info.h"

namespace assay::core {
namespace {

using vk::FeatureId;

bool HasExternalFamilies(const dispatch::Device& device) {
  return device.instance.api_version >= VK_API_VERSION_1_1 || device.IsEnabled(vk::ExtensionId::kKhrExternalMemory);
}

constexpr VkAccessFlags2 kAccessesOfHost = VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT;

VkQueueFlags WithImpliedTransfer(VkQueueFlags flags) {
  constexpr VkQueueFlags kImplying = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  return (flags & kImplying) != 0 ? flags | VK_QUEUE_TRANSFER_BIT : flags;
}

}  // namespace

SyncLimits::SyncLimits(const dispatch::Device& of, std::function<bool(vk::VuidIndex)> leave_out)
    : device(of),
      strict(of.instance.settings.strict),
      synchronization2(of.HasFeature(FeatureId::kSynchronization2)),
      maintenance8(of.HasFeature(FeatureId::kMaintenance8)),
      ray_query(of.HasFeature(FeatureId::kRayQuery)),
      separate_depth_stencil_layouts(of.HasFeature(FeatureId::kSeparateDepthStencilLayouts)),
      local_read(of.HasFeature(FeatureId::kDynamicRenderingLocalRead)),
      tile_image(of.HasFeature(FeatureId::kShaderTileImageColorReadAccess) ||
                 of.HasFeature(FeatureId::kShaderTileImageDepthReadAccess) ||
                 of.HasFeature(FeatureId::kShaderTileImageStencilReadAccess)),
      foreign_families(of.IsEnabled(vk::ExtensionId::kExtQueueFamilyForeign)),
      external_families(HasExternalFamilies(of)),
      leave_out_(std::move(leave_out)) {
  FillStages();
  FillAccesses();
  FillLayouts();
}

void SyncLimits::FillStages() {
  disabled_stages_ = vk::DisabledStages([&](std::string_view name) { return device.HasFeatureOrExtension(name); });
  for (const VkQueueFamilyProperties& family : device.physical_device->queue_families) {
    VkPipelineStageFlags2 stages = ~VkPipelineStageFlags2{0};
    for (const vk::SyncStageInfo& info : vk::SyncStages()) {
      if ((info.queues & WithImpliedTransfer(family.queueFlags)) == 0) stages &= ~info.stage;
    }
    family_stages_.push_back(stages);
  }
  const VkPipelineStageFlags2 graphics = vk::ExpandStages(VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, VK_QUEUE_GRAPHICS_BIT);
  graphics_stages_ = graphics | VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    const bool is_graphics = info.queues == VK_QUEUE_GRAPHICS_BIT;
    if (is_graphics || (!info.single && (info.expands_to & ~graphics) == 0)) graphics_stages_ |= info.stage;
    if (info.name.find("_SHADER_BIT") != std::string_view::npos) shader_stages_ |= info.stage;
  }
  shader_stages_ &= ~VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
}

// From the registry's table and from the rules' sentences. Where they differ, an access that either allows is valid.
void SyncLimits::FillAccesses() {
  std::array<VkAccessFlags2, 64> single{};
  const auto add = [&](VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
    for (; stages != 0; stages &= stages - 1) single[std::countr_zero(stages)] |= access;
  };
  for (const vk::SyncAccessInfo& info : vk::SyncAccesses()) add(info.stages, info.access);
  for (const vk::AccessStageRule& rule : vk::AccessStageRules()) add(rule.stages, rule.access);
  stage_accesses_ = single;
  // To the letter, the accesses of the host are not among those of ALL_COMMANDS (docs/settings.md, "Strict readings").
  if (!strict) stage_accesses_[std::countr_zero(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)] |= kAccessesOfHost;
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (info.single || info.stage == 0) continue;
    VkAccessFlags2& all = stage_accesses_[std::countr_zero(info.stage)];
    for (VkPipelineStageFlags2 rest = info.expands_to; rest != 0; rest &= rest - 1)
      all |= single[std::countr_zero(rest)];
  }
}

void SyncLimits::FillLayouts() {
  constexpr VkImageUsageFlags kAnyUsage = ~VkImageUsageFlags{0};
  core_layouts_.fill({kAnyUsage, kAnyUsage, kAnyUsage});
  for (const vk::LayoutUsageRule& rule : vk::LayoutUsageRules()) {
    // sync1 and synchronization2 have the same rule.
    if (rule.owner != "VkImageMemoryBarrier2") continue;
    Usages usages = rule.usages;
    std::ranges::replace(usages, VkImageUsageFlags{0}, kAnyUsage);
    if (static_cast<size_t>(rule.layout) < kCoreLayouts) {
      core_layouts_[rule.layout] = usages;
    } else {
      extension_layouts_.push_back({rule.layout, usages});
    }
  }
  for (const vk::LayoutFeatureRule& rule : vk::LayoutFeatureRules()) {
    const bool known = !LayoutIsEnabled(rule.layout);
    if (!known && !device.HasFeatureOrExtension(rule.feature)) disabled_layouts_.push_back(rule.layout);
  }
}

bool SyncLimits::ExtensionLayoutFits(VkImageLayout layout, VkImageUsageFlags usage) const {
  const auto found = std::find_if(extension_layouts_.begin(), extension_layouts_.end(),
                                  [&](const LayoutUsages& row) { return row.layout == layout; });
  return found == extension_layouts_.end() || Fits(found->usages, usage);
}

bool SyncLimits::ExtensionLayoutIsEnabled(VkImageLayout layout) const {
  return std::find(disabled_layouts_.begin(), disabled_layouts_.end(), layout) == disabled_layouts_.end();
}

}  // namespace assay::core
