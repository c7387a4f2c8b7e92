// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_RENDER_PASS_RULES_H_
#define ASSAY_CORE_RENDER_PASSES_RENDER_PASS_RULES_H_

// What a render pass may do with its attachments, what a framebuffer must be for its render pass, and what a render
// pass instance must be for its framebuffer: sizes, layers, formats, samples, usages and flags of the attachments; the
// render area, clear values and layouts.
//
// The commands in an instance belong to the kind that it is of, and go through its subpasses (instance_commands.cc).
//
// An imageless framebuffer describes its images. The same rules, under ids of their own, are about the description
// (VkFramebufferAttachmentImageInfo); the views that a render pass instance brings must then be as described.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/format_features.h"
#include "core/masks/limits.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/feature_info.h"
#include "vk/sync/sync_rule_info.h"
#include "vk/vuid.h"

namespace assay::core {

// What the rules need of the device.
struct RenderPassLimits {
  explicit RenderPassLimits(const dispatch::Device& device);

  // Pixels of a texel of a fragment density map, at most; 0 if they are not known.
  VkExtent2D density_map_texel_size = {0, 0};
  // Whether images need not be subsampled for a fragment density map.
  bool has_non_subsampled_images;
  // Whether fragment shading rate attachments may be smaller than the framebuffer.
  bool has_robust_shading_rate;
};

// What the rules of the creation of render passes need of the device.
struct PassFeatures {
  explicit PassFeatures(const dispatch::Device& device);

  // VK_AMD_mixed_attachment_samples or VK_NV_framebuffer_mixed_samples.
  const bool has_mixed_samples;
  const bool has_single_sampled;
  const bool has_external_resolve;
  // nullColorAttachmentWithExternalFormatResolve; neither VK_TRUE nor VK_FALSE if it is not known.
  VkBool32 external_resolves_null = 2;
  // Null if they are not known.
  const VkPhysicalDeviceDepthStencilResolveProperties* const resolves;
  const VkPhysicalDeviceFragmentShadingRatePropertiesKHR* const shading_rates;
  // 32, as there are bits, if it is not known.
  uint32_t max_views = 32;
  const FormatFeatures formats;
};

// The validator.
class RenderPassRules {
 public:
  explicit RenderPassRules(const dispatch::Device& device)
      : limits_(device),
        features_(device),
        sync_limits_(device),
        physical_device_(*device.physical_device),
        has_density_offsets_(device.HasFeature(vk::FeatureId::kFragmentDensityMapOffset)),
        may_mix_contents_(device.HasFeature(vk::FeatureId::kMaintenance7) ||
                          device.HasFeature(vk::FeatureId::kNestedCommandBuffer)),
        rules1_(RulesOf("vkCmdBeginRenderPass")),
        rules2_(RulesOf("vkCmdBeginRenderPass2")) {}

  void PreCallValidate(const vk::CreateRenderPass& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRenderPass2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateFramebuffer& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot, messages::Report& report) const {
    if (call.pRenderPassBegin != nullptr) CheckBegin(*call.pRenderPassBegin, rules1_, report);
    CheckStages(call.pRenderPassBegin, slot,
                {vk::Vuid("VUID-vkCmdBeginRenderPass-srcStageMask-06451"),
                 vk::Vuid("VUID-vkCmdBeginRenderPass-dstStageMask-06452")},
                report);
    if (call.contents == VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR && !may_mix_contents_) {
      report.Error(vk::Vuid("VUID-vkCmdBeginRenderPass-contents-09640"), {}, report.location().Dot("contents"),
                   std::string(kMixedContents));
    }
  }
  void PreCallValidate(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot, messages::Report& report) const {
    if (call.pRenderPassBegin != nullptr) CheckBegin(*call.pRenderPassBegin, rules2_, report);
    CheckStages(call.pRenderPassBegin, slot,
                {vk::Vuid("VUID-vkCmdBeginRenderPass2-srcStageMask-06453"),
                 vk::Vuid("VUID-vkCmdBeginRenderPass2-dstStageMask-06454")},
                report);
    if (call.pSubpassBeginInfo != nullptr) CheckContents(*call.pSubpassBeginInfo, report);
  }
  void PreCallValidate(const vk::CmdNextSubpass& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdNextSubpass2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndRenderPass& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndRenderPass2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndRendering& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetRenderingAttachmentLocations& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetRenderingInputAttachmentIndices& call, dispatch::Slot& slot,
                       messages::Report& report) const;

 private:
  // What a command's attachments need for their layouts.
  using AttachmentRules = std::vector<vk::LayoutUsageRule>;
  static AttachmentRules RulesOf(std::string_view command);

  void CheckBegin(const VkRenderPassBeginInfo& info, const AttachmentRules& rules, messages::Report& report) const;
  // Of dependencies, which the queue family must support.
  struct StageIds {
    vk::VuidIndex src;
    vk::VuidIndex dst;
  };
  void CheckStages(const VkRenderPassBeginInfo* info, const dispatch::Slot& slot, const StageIds& ids,
                   messages::Report& report) const;
  static constexpr std::string_view kMixedContents =
      "is VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR, but neither the feature maintenance7 nor "
      "nestedCommandBuffer is enabled.";
  void CheckOffsets(const VkSubpassEndInfo& info, const dispatch::Slot& slot, messages::Report& report) const;
  void CheckContents(const VkSubpassBeginInfo& info, messages::Report& report) const;
  static void CheckLayouts(const VkRenderPassBeginInfo& info, const AttachmentRules& rules, messages::Report& report);

  const RenderPassLimits limits_;
  const PassFeatures features_;
  const SyncLimits sync_limits_;
  const dispatch::PhysicalDevice& physical_device_;
  const bool has_density_offsets_;
  const bool may_mix_contents_;
  const AttachmentRules rules1_;
  const AttachmentRules rules2_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_RENDER_PASS_RULES_H_
