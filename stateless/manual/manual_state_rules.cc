// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about viewports, scissors and other floating-point state.

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "stateless/manual/manual_rules.h"
#include "vk/commands.h"
#include "vk/enum_info.h"

namespace assay::stateless {
namespace {

using vk::Vuid;
using vk::VuidIndex;

constexpr std::string_view kUnrestricted = "VK_EXT_depth_range_unrestricted";

// A value that compares false, such as NaN, is not in the range.
bool IsIn(float value, float low, float high) { return value >= low && value <= high; }

void ReportNotIn(const RuleContext& context, VuidIndex vuid, std::initializer_list<RulePart> path, float value,
                 float low, float high) {
  context.Report(vuid, path, absl::StrCat("(", value, ") is not between ", low, " and ", high, "."),
                 absl::StrCat("Use ", low, " to ", high, "."));
}

// The range 0 to 1, unless the extension lifts it.
void CheckDepth(const RuleContext& context, VuidIndex vuid, std::string_view member, float value) {
  if (IsIn(value, 0, 1) || context.HasExtension(vk::ExtensionId::kExtDepthRangeUnrestricted)) return;
  context.Report(vuid, {{member}}, absl::StrCat("(", value, ") is not between 0 and 1."),
                 absl::StrCat("Use 0 to 1, or enable ", kUnrestricted, "."));
}

void ReportOutOfBounds(const RuleContext& context, VuidIndex vuid, std::string_view member, float value,
                       bool is_above) {
  const auto& bounds = context.limits().viewportBoundsRange;
  const float bound = bounds[is_above ? 1 : 0];
  context.Report(
      vuid, {{member}},
      absl::StrCat("(", value, ") is ", is_above ? "greater" : "less",
                   " than VkPhysicalDeviceLimits::viewportBoundsRange[", is_above ? 1 : 0, "] (", bound, ")."),
      absl::StrCat("Keep the viewport between ", bounds[0], " and ", bounds[1], "."));
}

void ReportEndOutOfBounds(const RuleContext& context, VuidIndex vuid, std::string_view offset, std::string_view size,
                          float end, bool is_above) {
  const auto& bounds = context.limits().viewportBoundsRange;
  context.Report(vuid, {{offset}},
                 absl::StrCat("plus ", size, " (", end, ") is ", is_above ? "greater" : "less",
                              " than VkPhysicalDeviceLimits::viewportBoundsRange[", is_above ? 1 : 0, "] (",
                              bounds[is_above ? 1 : 0], ")."),
                 absl::StrCat("Keep the viewport between ", bounds[0], " and ", bounds[1], "."));
}

void CheckViewportSize(const VkViewport& viewport, const RuleContext& context) {
  const auto& most = context.limits().maxViewportDimensions;
  if (!(viewport.width > 0)) {
    context.Report(Vuid("VUID-VkViewport-width-01770"), {{"width"}},
                   absl::StrCat("(", viewport.width, ") is not greater than 0."), "Use a width greater than 0.");
  }
  if (viewport.width > static_cast<float>(most[0])) {
    context.Report(Vuid("VUID-VkViewport-width-01771"), {{"width"}},
                   absl::StrCat("(", viewport.width,
                                ") is greater than VkPhysicalDeviceLimits::maxViewportDimensions[0] (", most[0], ")."),
                   absl::StrCat("Use at most ", most[0], "."));
  }
  if (std::abs(viewport.height) > static_cast<float>(most[1])) {
    context.Report(
        Vuid("VUID-VkViewport-height-01773"), {{"height"}},
        absl::StrCat("(", viewport.height,
                     ") is, without its sign, greater than VkPhysicalDeviceLimits::maxViewportDimensions[1] (", most[1],
                     ")."),
        absl::StrCat("Use at most ", most[1], "."));
  }
}

void CheckViewport(const VkViewport& viewport, const RuleContext& context) {
  CheckViewportSize(viewport, context);
  const auto& bounds = context.limits().viewportBoundsRange;
  if (viewport.x < bounds[0]) ReportOutOfBounds(context, Vuid("VUID-VkViewport-x-01774"), "x", viewport.x, false);
  if (viewport.y < bounds[0]) ReportOutOfBounds(context, Vuid("VUID-VkViewport-y-01775"), "y", viewport.y, false);
  if (viewport.y > bounds[1]) ReportOutOfBounds(context, Vuid("VUID-VkViewport-y-01776"), "y", viewport.y, true);
  const float right = viewport.x + viewport.width;
  const float bottom = viewport.y + viewport.height;
  if (right > bounds[1]) ReportEndOutOfBounds(context, Vuid("VUID-VkViewport-x-01232"), "x", "width", right, true);
  if (bottom > bounds[1]) ReportEndOutOfBounds(context, Vuid("VUID-VkViewport-y-01233"), "y", "height", bottom, true);
  if (bottom < bounds[0]) ReportEndOutOfBounds(context, Vuid("VUID-VkViewport-y-01777"), "y", "height", bottom, false);
  CheckDepth(context, Vuid("VUID-VkViewport-minDepth-01234"), "minDepth", viewport.minDepth);
  CheckDepth(context, Vuid("VUID-VkViewport-maxDepth-01235"), "maxDepth", viewport.maxDepth);
}

struct ScissorIds {
  VuidIndex negative;
  VuidIndex width;
  VuidIndex height;
};

bool Overflows(int32_t offset, uint32_t extent) {
  return int64_t{offset} + int64_t{extent} > std::numeric_limits<int32_t>::max();
}

void CheckScissors(std::span<const VkRect2D> scissors, const RuleContext& context, const ScissorIds& ids,
                   std::string_view member = "pScissors") {
  for (uint32_t i = 0; i < scissors.size(); ++i) {
    const VkOffset2D offset = scissors[i].offset;
    const VkExtent2D extent = scissors[i].extent;
    if (offset.x < 0 || offset.y < 0) {
      context.Report(ids.negative, {{member, i}, {"offset"}},
                     absl::StrCat("(", offset.x, ", ", offset.y, ") is negative."), "Use offsets of at least 0.");
    }
    const auto report = [&](VuidIndex vuid, int32_t from, std::string_view size_name, uint32_t size) {
      context.Report(
          vuid, {{member, i}, {"extent"}, {size_name}},
          absl::StrCat("(", size, ") plus the offset (", from, ") is greater than ",
                       std::numeric_limits<int32_t>::max(), "."),
          absl::StrCat("Use a ", size_name, " of at most ", int64_t{std::numeric_limits<int32_t>::max()} - from, "."));
    };
    if (Overflows(offset.x, extent.width)) report(ids.width, offset.x, "width", extent.width);
    if (Overflows(offset.y, extent.height)) report(ids.height, offset.y, "height", extent.height);
  }
}

void CheckSetScissor(const vk::CmdSetScissor& call, const RuleContext& context) {
  constexpr ScissorIds kIds = {Vuid("VUID-vkCmdSetScissor-x-00595"), Vuid("VUID-vkCmdSetScissor-offset-00596"),
                               Vuid("VUID-vkCmdSetScissor-offset-00597")};
  CheckScissors(Elements(call.pScissors, call.scissorCount), context, kIds);
}

void CheckSetScissorWithCount(const vk::CmdSetScissorWithCount& call, const RuleContext& context) {
  constexpr ScissorIds kIds = {Vuid("VUID-vkCmdSetScissorWithCount-x-03399"),
                               Vuid("VUID-vkCmdSetScissorWithCount-offset-03400"),
                               Vuid("VUID-vkCmdSetScissorWithCount-offset-03401")};
  CheckScissors(Elements(call.pScissors, call.scissorCount), context, kIds);
}

void CheckSetDiscardRectangle(const vk::CmdSetDiscardRectangleEXT& call, const RuleContext& context) {
  constexpr ScissorIds kIds = {Vuid("VUID-vkCmdSetDiscardRectangleEXT-x-00587"),
                               Vuid("VUID-vkCmdSetDiscardRectangleEXT-offset-00588"),
                               Vuid("VUID-vkCmdSetDiscardRectangleEXT-offset-00589")};
  CheckScissors(Elements(call.pDiscardRectangles, call.discardRectangleCount), context, kIds, "pDiscardRectangles");
}

void CheckSetExclusiveScissor(const vk::CmdSetExclusiveScissorNV& call, const RuleContext& context) {
  constexpr ScissorIds kIds = {Vuid("VUID-vkCmdSetExclusiveScissorNV-x-02037"),
                               Vuid("VUID-vkCmdSetExclusiveScissorNV-offset-02038"),
                               Vuid("VUID-vkCmdSetExclusiveScissorNV-offset-02039")};
  CheckScissors(Elements(call.pExclusiveScissors, call.exclusiveScissorCount), context, kIds, "pExclusiveScissors");
}

void CheckSampleOrders(const vk::CmdSetCoarseSampleOrderNV& call, const RuleContext& context) {
  const auto orders = Elements(call.pCustomSampleOrders, call.customSampleOrderCount);
  if (call.sampleOrderType != VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV && call.customSampleOrderCount != 0) {
    context.Report(Vuid("VUID-vkCmdSetCoarseSampleOrderNV-sampleOrderType-02081"), {{"customSampleOrderCount"}},
                   absl::StrCat("(", call.customSampleOrderCount, ") is not 0, while sampleOrderType is ",
                                vk::ToString(call.sampleOrderType), "."),
                   "Use 0, or VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV.");
  }
  for (uint32_t i = 1; i < orders.size(); ++i) {
    const auto is_same = [&](const VkCoarseSampleOrderCustomNV& other) {
      return other.shadingRate == orders[i].shadingRate && other.sampleCount == orders[i].sampleCount;
    };
    if (std::none_of(orders.begin(), orders.begin() + i, is_same)) continue;
    context.Report(Vuid("VUID-vkCmdSetCoarseSampleOrderNV-pCustomSampleOrders-02235"), {{"pCustomSampleOrders", i}},
                   "has the shadingRate and sampleCount of an earlier element.", "Have one order for each pair.");
  }
}

void CheckClampRange(const vk::CmdSetDepthClampRangeEXT& call, const RuleContext& context) {
  if (call.depthClampMode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT || vk::IsAddress(call.pDepthClampRange)) return;
  context.Report(Vuid("VUID-vkCmdSetDepthClampRangeEXT-pDepthClampRange-09647"), {{"pDepthClampRange"}},
                 "is no valid pointer.", "Point to a range.");
}

void CheckLineWidth(const vk::CmdSetLineWidth& call, const RuleContext& context) {
  if (call.lineWidth == 1 || context.HasFeature(vk::FeatureId::kWideLines)) return;
  context.Report(Vuid("VUID-vkCmdSetLineWidth-lineWidth-00788"), {{"lineWidth"}},
                 absl::StrCat("(", call.lineWidth, ") is not 1, while the feature wideLines is not enabled."),
                 "Use 1, or enable the feature wideLines (VkPhysicalDeviceFeatures) with vkCreateDevice.");
}

void CheckDepthBounds(const vk::CmdSetDepthBounds& call, const RuleContext& context) {
  CheckDepth(context, Vuid("VUID-vkCmdSetDepthBounds-minDepthBounds-00600"), "minDepthBounds", call.minDepthBounds);
  CheckDepth(context, Vuid("VUID-vkCmdSetDepthBounds-maxDepthBounds-00601"), "maxDepthBounds", call.maxDepthBounds);
}

void CheckDepthBias(const vk::CmdSetDepthBias& call, const RuleContext& context) {
  if (call.depthBiasClamp == 0 || context.HasFeature(vk::FeatureId::kDepthBiasClamp)) return;
  context.Report(Vuid("VUID-vkCmdSetDepthBias-depthBiasClamp-00790"), {{"depthBiasClamp"}},
                 absl::StrCat("(", call.depthBiasClamp, ") is not 0, while the feature depthBiasClamp is not enabled."),
                 "Use 0, or enable the feature depthBiasClamp (VkPhysicalDeviceFeatures) with vkCreateDevice.");
}

void CheckLineStipple(const vk::CmdSetLineStipple& call, const RuleContext& context) {
  constexpr uint32_t kMost = 256;
  if (call.lineStippleFactor >= 1 && call.lineStippleFactor <= kMost) return;
  context.Report(Vuid("VUID-vkCmdSetLineStipple-lineStippleFactor-02776"), {{"lineStippleFactor"}},
                 absl::StrCat("(", call.lineStippleFactor, ") is not between 1 and ", kMost, "."),
                 absl::StrCat("Use 1 to ", kMost, "."));
}

void CheckMultisample(const VkPipelineMultisampleStateCreateInfo& state, const RuleContext& context) {
  if (state.sampleShadingEnable == VK_FALSE || IsIn(state.minSampleShading, 0, 1)) return;
  ReportNotIn(context, Vuid("VUID-VkPipelineMultisampleStateCreateInfo-minSampleShading-00786"), {{"minSampleShading"}},
              state.minSampleShading, 0, 1);
}

void CheckMemoryPriority(const VkMemoryPriorityAllocateInfoEXT& info, const RuleContext& context) {
  if (IsIn(info.priority, 0, 1)) return;
  ReportNotIn(context, Vuid("VUID-VkMemoryPriorityAllocateInfoEXT-priority-02602"), {{"priority"}}, info.priority, 0,
              1);
}

void CheckSetMemoryPriority(const vk::SetDeviceMemoryPriorityEXT& call, const RuleContext& context) {
  if (IsIn(call.priority, 0, 1)) return;
  ReportNotIn(context, Vuid("VUID-vkSetDeviceMemoryPriorityEXT-priority-06258"), {{"priority"}}, call.priority, 0, 1);
}

constexpr ManualRules kRules[] = {
    Manual<VkViewport, CheckViewport>("VkViewport"),
    Manual<vk::CmdSetScissor, CheckSetScissor>("vkCmdSetScissor"),
    Manual<vk::CmdSetScissorWithCount, CheckSetScissorWithCount>("vkCmdSetScissorWithCount"),
    Manual<vk::CmdSetDiscardRectangleEXT, CheckSetDiscardRectangle>("vkCmdSetDiscardRectangleEXT"),
    Manual<vk::CmdSetExclusiveScissorNV, CheckSetExclusiveScissor>("vkCmdSetExclusiveScissorNV"),
    Manual<vk::CmdSetCoarseSampleOrderNV, CheckSampleOrders>("vkCmdSetCoarseSampleOrderNV"),
    Manual<vk::CmdSetDepthClampRangeEXT, CheckClampRange>("vkCmdSetDepthClampRangeEXT"),
    Manual<vk::CmdSetLineWidth, CheckLineWidth>("vkCmdSetLineWidth"),
    Manual<vk::CmdSetDepthBounds, CheckDepthBounds>("vkCmdSetDepthBounds"),
    Manual<vk::CmdSetDepthBias, CheckDepthBias>("vkCmdSetDepthBias"),
    Manual<vk::CmdSetLineStipple, CheckLineStipple>("vkCmdSetLineStipple"),
    Manual<VkPipelineMultisampleStateCreateInfo, CheckMultisample>("VkPipelineMultisampleStateCreateInfo"),
    Manual<VkMemoryPriorityAllocateInfoEXT, CheckMemoryPriority>("VkMemoryPriorityAllocateInfoEXT"),
    Manual<vk::SetDeviceMemoryPriorityEXT, CheckSetMemoryPriority>("vkSetDeviceMemoryPriorityEXT"),
};

}  // namespace

std::span<const ManualRules> ManualStateRules() { return kRules; }

}  // namespace assay::stateless
