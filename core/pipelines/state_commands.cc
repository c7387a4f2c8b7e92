// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Structures of states that commands set. Pipelines have some of them, too.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/pipelines/pipeline_rule.h"
#include "core/pipelines/pipeline_rules.h"
#include "vk/chain.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::Vuid;

// Reports about one structure.
class StateReports {
 public:
  StateReports(const dispatch::Device& device, const Location& where, Report& report)
      : device_(device), where_(where), report_(report) {}

  template <class T>
  void Must(bool holds, vk::VuidIndex id, std::string_view member, const T& value, std::string_view text) const {
    if (!holds) report_.Error(id, {messages::Object(device_.handle)}, where_.Dot(member), Value(value, text));
  }

 private:
  const dispatch::Device& device_;
  const Location& where_;
  Report& report_;
};

void CheckAdvanced(const VkColorBlendAdvancedEXT& blend, const dispatch::Device& device, const StateReports& reports) {
  const auto* limits = device.physical_device->Find<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>();
  if (limits == nullptr) return;
  reports.Must(limits->advancedBlendNonPremultipliedSrcColor == VK_TRUE || blend.srcPremultiplied == VK_TRUE,
               Vuid("VUID-VkColorBlendAdvancedEXT-srcPremultiplied-07505"), "srcPremultiplied", blend.srcPremultiplied,
               "is not VK_TRUE, and the device does not have advancedBlendNonPremultipliedSrcColor.");
  reports.Must(limits->advancedBlendNonPremultipliedDstColor == VK_TRUE || blend.dstPremultiplied == VK_TRUE,
               Vuid("VUID-VkColorBlendAdvancedEXT-dstPremultiplied-07506"), "dstPremultiplied", blend.dstPremultiplied,
               "is not VK_TRUE, and the device does not have advancedBlendNonPremultipliedDstColor.");
  reports.Must(
      limits->advancedBlendCorrelatedOverlap == VK_TRUE || blend.blendOverlap == VK_BLEND_OVERLAP_UNCORRELATED_EXT,
      Vuid("VUID-VkColorBlendAdvancedEXT-blendOverlap-07507"), "blendOverlap", blend.blendOverlap,
      "is not VK_BLEND_OVERLAP_UNCORRELATED_EXT, and the device does not have advancedBlendCorrelatedOverlap.");
}

bool IsAdvanced(VkBlendOp op) { return op >= VK_BLEND_OP_ZERO_EXT && op <= VK_BLEND_OP_BLUE_EXT; }
bool IsConstantAlpha(VkBlendFactor factor) {
  return factor == VK_BLEND_FACTOR_CONSTANT_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}
void CheckEquation(const VkColorBlendEquationEXT& blend, const dispatch::Device& device, const StateReports& reports) {
  const bool is_advanced = IsAdvanced(blend.colorBlendOp);
  reports.Must(!is_advanced && !IsAdvanced(blend.alphaBlendOp), Vuid("VUID-VkColorBlendEquationEXT-colorBlendOp-07361"),
               is_advanced ? "colorBlendOp" : "alphaBlendOp", is_advanced ? blend.colorBlendOp : blend.alphaBlendOp,
               "is an advanced blend operation, which vkCmdSetColorBlendAdvancedEXT sets.");
  const bool allows_alpha = !device.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset) ||
                            device.HasFeature(vk::FeatureId::kConstantAlphaColorBlendFactors);
  constexpr std::string_view kNeeds = "needs the feature constantAlphaColorBlendFactors, which is not enabled.";
  reports.Must(allows_alpha || !IsConstantAlpha(blend.srcColorBlendFactor),
               Vuid("VUID-VkColorBlendEquationEXT-constantAlphaColorBlendFactors-07362"), "srcColorBlendFactor",
               blend.srcColorBlendFactor, kNeeds);
  reports.Must(allows_alpha || !IsConstantAlpha(blend.dstColorBlendFactor),
               Vuid("VUID-VkColorBlendEquationEXT-constantAlphaColorBlendFactors-07363"), "dstColorBlendFactor",
               blend.dstColorBlendFactor, kNeeds);
}

// Pixels of a fragment; 0 for what is no such rate.
VkExtent2D FragmentOf(VkShadingRatePaletteEntryNV rate) {
  switch (rate) {
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_PIXEL_NV:
    case VK_SHADING_RATE_PALETTE_ENTRY_2_INVOCATIONS_PER_PIXEL_NV:
    case VK_SHADING_RATE_PALETTE_ENTRY_4_INVOCATIONS_PER_PIXEL_NV:
    case VK_SHADING_RATE_PALETTE_ENTRY_8_INVOCATIONS_PER_PIXEL_NV:
    case VK_SHADING_RATE_PALETTE_ENTRY_16_INVOCATIONS_PER_PIXEL_NV:
    case VK_SHADING_RATE_PALETTE_ENTRY_NO_INVOCATIONS_NV:
      return {1, 1};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X1_PIXELS_NV:
      return {2, 1};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV:
      return {1, 2};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X2_PIXELS_NV:
      return {2, 2};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_4X2_PIXELS_NV:
      return {4, 2};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X4_PIXELS_NV:
      return {2, 4};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_4X4_PIXELS_NV:
      return {4, 4};
    default:
      return {0, 0};
  }
}

// Whether the location is in the fragment; reports each member that is not.
bool CheckSampleLocation(const VkCoarseSampleLocationNV& location, const VkCoarseSampleOrderCustomNV& order,
                         const VkExtent2D& fragment, const StateReports& reports) {
  reports.Must(location.pixelX < fragment.width, Vuid("VUID-VkCoarseSampleLocationNV-pixelX-02078"), "pixelX",
               location.pixelX, absl::StrCat("is not less than the width (", fragment.width, ") of the fragment."));
  reports.Must(location.pixelY < fragment.height, Vuid("VUID-VkCoarseSampleLocationNV-pixelY-02079"), "pixelY",
               location.pixelY, absl::StrCat("is not less than the height (", fragment.height, ") of the fragment."));
  reports.Must(location.sample < order.sampleCount, Vuid("VUID-VkCoarseSampleLocationNV-sample-02080"), "sample",
               location.sample, absl::StrCat("is not less than sampleCount (", order.sampleCount, ")."));
  return location.pixelX < fragment.width && location.pixelY < fragment.height && location.sample < order.sampleCount;
}

}  // namespace

void CheckSampleOrder(const VkCoarseSampleOrderCustomNV& order, const dispatch::Device& device, const Location& where,
                      Report& report) {
  const StateReports reports(device, where, report);
  const VkExtent2D fragment = FragmentOf(order.shadingRate);
  if (fragment.width == 0) return;
  reports.Must(fragment.width * fragment.height > 1, Vuid("VUID-VkCoarseSampleOrderCustomNV-shadingRate-02073"),
               "shadingRate", order.shadingRate, "makes fragments of one pixel.");
  const VkSampleCountFlags counts = device.physical_device->properties.limits.framebufferNoAttachmentsSampleCounts;
  reports.Must(counts == 0 || ((order.sampleCount & counts) != 0 && (order.sampleCount & (order.sampleCount - 1)) == 0),
               Vuid("VUID-VkCoarseSampleOrderCustomNV-sampleCount-02074"), "sampleCount", order.sampleCount,
               "is not among framebufferNoAttachmentsSampleCounts.");
  const uint64_t needed = uint64_t{order.sampleCount} * fragment.width * fragment.height;
  reports.Must(order.sampleLocationCount == needed, Vuid("VUID-VkCoarseSampleOrderCustomNV-sampleLocationCount-02075"),
               "sampleLocationCount", order.sampleLocationCount,
               absl::StrCat("is not the number of samples of a fragment (", needed, ")."));
  const auto* limits = device.physical_device->Find<VkPhysicalDeviceShadingRateImagePropertiesNV>();
  reports.Must(limits == nullptr || order.sampleLocationCount <= limits->shadingRateMaxCoarseSamples,
               Vuid("VUID-VkCoarseSampleOrderCustomNV-sampleLocationCount-02076"), "sampleLocationCount",
               order.sampleLocationCount, "is more than shadingRateMaxCoarseSamples.");
  if (!vk::IsAddress(order.pSampleLocations) || order.sampleLocationCount != needed || needed > UINT16_MAX) return;
  std::vector<bool> seen(needed);
  bool is_inside = true;
  for (uint32_t i = 0; i < order.sampleLocationCount; ++i) {
    const VkCoarseSampleLocationNV& location = order.pSampleLocations[i];
    const Location at = where.Dot("pSampleLocations", i);
    if (!CheckSampleLocation(location, order, fragment, StateReports(device, at, report))) {
      is_inside = false;
      continue;
    }
    seen[(location.pixelY * fragment.width + location.pixelX) * order.sampleCount + location.sample] = true;
  }
  const auto missing = std::ranges::find(seen, false);
  reports.Must(!is_inside || missing == seen.end(), Vuid("VUID-VkCoarseSampleOrderCustomNV-pSampleLocations-02077"),
               "pSampleLocations", missing - seen.begin(), "is the number of a sample that it does not have.");
}

void CheckSampleOrders(const GraphicsView& view, const Location& where, Report& report) {
  if (view.viewport == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV)) return;
  const auto* state = vk::FindInChain<VkPipelineViewportCoarseSampleOrderStateCreateInfoNV>(view.viewport->pNext);
  if (state == nullptr || state->sampleOrderType != VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV ||
      !vk::IsAddress(state->pCustomSampleOrders)) {
    return;
  }
  const Location viewport = where.Dot("pViewportState");
  const Location at = viewport.Next("VkPipelineViewportCoarseSampleOrderStateCreateInfoNV");
  for (uint32_t i = 0; i < state->customSampleOrderCount; ++i)
    CheckSampleOrder(state->pCustomSampleOrders[i], view.device, at.Dot("pCustomSampleOrders", i), report);
}

void PipelineRules::PreCallValidate(const vk::CmdSetColorBlendAdvancedEXT& call, dispatch::Slot&,
                                    Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; vk::IsAddress(call.pColorBlendAdvanced) && i < call.attachmentCount; ++i) {
    const Location where = command.Dot("pColorBlendAdvanced", i);
    CheckAdvanced(call.pColorBlendAdvanced[i], device_, StateReports(device_, where, report));
  }
}
void PipelineRules::PreCallValidate(const vk::CmdSetColorBlendEquationEXT& call, dispatch::Slot&,
                                    Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; vk::IsAddress(call.pColorBlendEquations) && i < call.attachmentCount; ++i) {
    const Location where = command.Dot("pColorBlendEquations", i);
    CheckEquation(call.pColorBlendEquations[i], device_, StateReports(device_, where, report));
  }
}
void PipelineRules::PreCallValidate(const vk::CmdSetDepthBias2EXT& call, dispatch::Slot&, Report& report) const {
  if (!vk::IsAddress(call.pDepthBiasInfo)) return;
  const Location command = report.location();
  const Location where = command.Dot("pDepthBiasInfo");
  StateReports(device_, where, report)
      .Must(call.pDepthBiasInfo->depthBiasClamp == 0 || device_.HasFeature(vk::FeatureId::kDepthBiasClamp),
            Vuid("VUID-VkDepthBiasInfoEXT-depthBiasClamp-08950"), "depthBiasClamp", call.pDepthBiasInfo->depthBiasClamp,
            "is not 0, and the feature depthBiasClamp is not enabled.");
}
void PipelineRules::PreCallValidate(const vk::CmdSetCoarseSampleOrderNV& call, dispatch::Slot&, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; vk::IsAddress(call.pCustomSampleOrders) && i < call.customSampleOrderCount; ++i)
    CheckSampleOrder(call.pCustomSampleOrders[i], device_, command.Dot("pCustomSampleOrders", i), report);
}
void PipelineRules::PreCallValidate(const vk::CmdSetVertexInputEXT& call, dispatch::Slot&, Report& report) const {
  CheckVertexInput(call, device_, vertex_formats_, report);
}
void PipelineRules::PreCallValidate(const vk::CmdSetViewport& call, dispatch::Slot&, Report& report) const {
  if (device_.physical_device->properties.apiVersion >= VK_API_VERSION_1_1) [[likely]]
    return;
  if (device_.IsEnabled(vk::ExtensionId::kKhrMaintenance1) ||
      device_.IsEnabled(vk::ExtensionId::kAmdNegativeViewportHeight)) {
    return;
  }
  const Location command = report.location();
  for (uint32_t i = 0; vk::IsAddress(call.pViewports) && i < call.viewportCount; ++i) {
    const Location where = command.Dot("pViewports", i);
    StateReports(device_, where, report)
        .Must(call.pViewports[i].height > 0, Vuid("VUID-VkViewport-apiVersion-07917"), "height",
              call.pViewports[i].height, "is not greater than 0, and VK_KHR_maintenance1 is not enabled.");
  }
}

}  // namespace assay::core
