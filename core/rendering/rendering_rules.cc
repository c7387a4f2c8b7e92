// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/rendering/rendering_rules.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/render_passes/attachment_views.h"
#include "core/render_passes/view_areas.h"
#include "vk/chain.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using vk::FeatureId;
using vk::Vuid;

}  // namespace

RenderingCheck::RenderingCheck(const dispatch::Device& device, const VkRenderingInfo& info,
                               const state::CommandBuffer* buffer, messages::Report& report)
    : device_(device),
      info_(info),
      buffer_(buffer),
      report_(report),
      command_(report.location()),
      single_sampled_(vk::FindInChain<VkMultisampledRenderToSingleSampledInfoEXT>(info.pNext)),
      group_(vk::FindInChain<VkDeviceGroupRenderPassBeginInfo>(info.pNext)) {
  if (single_sampled_ != nullptr && single_sampled_->multisampledRenderToSingleSampledEnable != VK_TRUE)
    single_sampled_ = nullptr;
  if (group_ != nullptr && (group_->deviceRenderAreaCount == 0 || group_->pDeviceRenderAreas == nullptr))
    group_ = nullptr;
}

const state::ImageView* RenderingCheck::Find(VkImageView handle) {
  const auto* const view = state::DeviceState::Get<state::ImageView>(handle);
  return view != nullptr && view->image ? view : nullptr;
}

VkExtent2D RenderingCheck::NeededExtent() const {
  const VkRect2D* const areas = group_ != nullptr ? group_->pDeviceRenderAreas : &info_.renderArea;
  VkExtent2D needed = {};
  for (const VkRect2D& area : absl::MakeConstSpan(areas, group_ != nullptr ? group_->deviceRenderAreaCount : 1)) {
    const auto end = [](int32_t offset, uint32_t extent) {
      return static_cast<uint32_t>(std::clamp<int64_t>(int64_t{offset} + extent, 0, UINT32_MAX));
    };
    needed.width = std::max(needed.width, end(area.offset.x, area.extent.width));
    needed.height = std::max(needed.height, end(area.offset.y, area.extent.height));
  }
  return needed;
}

void RenderingCheck::Require(bool is_right, vk::VuidIndex rule, std::string_view member, std::string text) {
  if (is_right) [[likely]]
    return;
  report_.Error(rule, {}, where_.Dot(member), std::move(text));
}

void RenderingCheck::RequireAt(bool is_right, vk::VuidIndex rule, VkImageView view, const Location& where,
                               std::string text) {
  if (is_right) [[likely]]
    return;
  report_.Error(rule, {messages::Object(view)}, where, std::move(text));
}

void RenderingCheck::Run() {
  CheckInfo();
  CheckArea();
  CheckViewAreas(info_.pNext, info_.renderArea, info_.viewMask,
                 {Vuid("VUID-VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM-pNext-07866"),
                  Vuid("VUID-VkRenderingInfo-perViewRenderAreaCount-07858"), Vuid("VUID-VkRenderingInfo-pNext-09535")},
                 *device_.physical_device, where_, report_);
  ForEach([&](AttachmentKind kind, const VkRenderingAttachmentInfo& attachment, const Location& where) {
    CheckAttachment(kind, attachment, where);
  });
  CheckDepthStencil();
  CheckSamples();
  CheckMemory();
  CheckShadingRate();
  CheckDensityMap();
}

void RenderingCheck::CheckInfo() {
  const bool has_nested = device_.HasFeature(FeatureId::kNestedCommandBuffer);
  if ((info_.flags & VK_RENDERING_CONTENTS_INLINE_BIT_KHR) != 0) {
    Require(has_nested || device_.HasFeature(FeatureId::kMaintenance7), Vuid("VUID-VkRenderingInfo-flags-10012"),
            "flags",
            "has VK_RENDERING_CONTENTS_INLINE_BIT_KHR, but neither maintenance7 nor nestedCommandBuffer is enabled.");
  }
  if (buffer_ != nullptr && buffer_->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY) {
    Require(has_nested || (info_.flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT) == 0,
            Vuid("VUID-vkCmdBeginRendering-commandBuffer-06068"), "flags",
            "has VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT, but the command buffer is secondary and "
            "nestedCommandBuffer is not enabled.");
  }
  const auto* const multiview = device_.physical_device->Find<VkPhysicalDeviceMultiviewProperties>();
  if (multiview != nullptr && multiview->maxMultiviewViewCount != 0) {
    Require(static_cast<uint32_t>(std::bit_width(info_.viewMask)) <= multiview->maxMultiviewViewCount,
            Vuid("VUID-VkRenderingInfo-viewMask-06128"), "viewMask",
            absl::StrCat("(", info_.viewMask, ") has more views than maxMultiviewViewCount (",
                         multiview->maxMultiviewViewCount, ")."));
  }
}

void RenderingCheck::CheckArea() {
  if (group_ == nullptr) {
    const auto [offset, extent] = info_.renderArea;
    Require(extent.width > 0, Vuid("VUID-VkRenderingInfo-None-08994"), "renderArea", "has no width.");
    Require(extent.height > 0, Vuid("VUID-VkRenderingInfo-None-08995"), "renderArea", "has no height.");
    Require(offset.x >= 0, Vuid("VUID-VkRenderingInfo-pNext-06077"), "renderArea",
            absl::StrCat("begins at x = ", offset.x, "."));
    Require(offset.y >= 0, Vuid("VUID-VkRenderingInfo-pNext-06078"), "renderArea",
            absl::StrCat("begins at y = ", offset.y, "."));
    const VkPhysicalDeviceLimits& limits = device_.physical_device->limits;
    const auto within = [&](uint32_t end, uint32_t most, vk::VuidIndex rule, std::string_view limit) {
      Require(end <= most || most == 0, rule, "renderArea",
              absl::StrCat("ends at ", end, ", which is more than ", limit, " (", most, ")."));
    };
    const VkExtent2D needed = NeededExtent();
    within(needed.width, limits.maxFramebufferWidth, Vuid("VUID-VkRenderingInfo-pNext-07815"), "maxFramebufferWidth");
    within(needed.height, limits.maxFramebufferHeight, Vuid("VUID-VkRenderingInfo-pNext-07816"),
           "maxFramebufferHeight");
  }
  const VkExtent2D needed = NeededExtent();
  ForEachView([&](AttachmentKind, const state::ImageView& view, const Location& where) {
    const VkExtent2D has = ExtentOf(view);
    const auto check = [&](uint32_t size, uint32_t end, vk::VuidIndex one, vk::VuidIndex group, std::string_view side) {
      RequireAt(size >= end, group_ == nullptr ? one : group, reinterpret_cast<VkImageView>(view.handle()), where,
                absl::StrCat("has the ", side, " ", size, ", but the render area ends at ", end, "."));
    };
    check(has.width, needed.width, Vuid("VUID-VkRenderingInfo-pNext-06079"), Vuid("VUID-VkRenderingInfo-pNext-06083"),
          "width");
    check(has.height, needed.height, Vuid("VUID-VkRenderingInfo-pNext-06080"), Vuid("VUID-VkRenderingInfo-pNext-06084"),
          "height");
  });
}

}  // namespace assay::core
