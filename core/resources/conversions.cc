// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Sampler Y'CBCR conversions.

#include <algorithm>

#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "core/resources/resource_ids.h"
#include "core/resources/resource_rules.h"

namespace assay::core {
namespace {

using vk::FeatureId;

struct ConversionFacts {
  static constexpr std::string_view kOwner = "VkSamplerYcbcrConversionCreateInfo";

  const dispatch::Device& device;
  const VkSamplerYcbcrConversionCreateInfo& info;
  std::optional<VkFormatFeatureFlags2> features;
  // Null for external formats.
  const vk::FormatInfo* format = vk::GetFormatInfo(info.format);
  uint64_t external_format = ExternalFormatIn(info.pNext);
  const VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM* degamma =
      vk::FindInChain<VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM>(info.pNext);

  bool Lacks(VkFormatFeatureFlags2 any) const { return features && (*features & any) == 0; }
  // Of components that have less samples than the image has texels.
  bool HasLocation(VkChromaLocation location) const {
    return IsSubsampled(format) && (info.xChromaOffset == location ||
                                    (absl::StrContains(format->name, "_420") && info.yChromaOffset == location));
  }
  // The component of the format that the swizzle takes; null for none.
  const vk::FormatComponent* Component(VkComponentSwizzle swizzle, char own) const {
    constexpr std::string_view kNames = "RGBA";
    const char name = swizzle == VK_COMPONENT_SWIZZLE_IDENTITY ? own
                      : swizzle >= VK_COMPONENT_SWIZZLE_R && swizzle <= VK_COMPONENT_SWIZZLE_A
                          ? kNames[swizzle - VK_COMPONENT_SWIZZLE_R]
                          : '0';
    const auto found = std::ranges::find(format->components, name, &vk::FormatComponent::name);
    return found != format->components.end() ? &*found : nullptr;
  }
  // Whether a color component is right. Of external formats that is not known.
  bool HasColorBeside(bool (*is_right)(const vk::FormatComponent*)) const {
    const VkComponentMapping& c = info.components;
    return format != nullptr &&
           !(is_right(Component(c.r, 'R')) && is_right(Component(c.g, 'G')) && is_right(Component(c.b, 'B')));
  }
  bool IsUnorm() const {
    return std::ranges::all_of(format->components, [](const auto& each) { return each.numeric_format == "UNORM"; });
  }
};
using C = const ConversionFacts&;

constexpr VkComponentSwizzle kIdentity = VK_COMPONENT_SWIZZLE_IDENTITY;
bool IsNot(VkComponentSwizzle swizzle, VkComponentSwizzle own) { return swizzle != kIdentity && swizzle != own; }
constexpr VkFormatFeatureFlags2 kMidpoint = VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT;
constexpr VkFormatFeatureFlags2 kCosited = VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT;

constexpr CreationRule<ConversionFacts> kRules[] = {
    {"format-01904", "format", "an external format",
     [](C c) { return c.external_format != 0 && c.info.format != VK_FORMAT_UNDEFINED; }},
    {"format-04061", "format", "no external format",
     [](C c) {
       return c.external_format == 0 && (c.info.format == VK_FORMAT_UNDEFINED || (c.format != nullptr && !c.IsUnorm()));
     }},
    {"format-01650", "format", "its features", [](C c) { return c.Lacks(kMidpoint | kCosited); }},
    {"pNext-09209", "format", "VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM",
     [](C c) {
       return c.degamma != nullptr && c.format != nullptr &&
              std::ranges::any_of(c.format->components, [](const auto& each) { return each.bits != 8; });
     }},
    {"xChromaOffset-01651", "xChromaOffset", "yChromaOffset and format",
     [](C c) { return c.Lacks(kCosited) && c.HasLocation(VK_CHROMA_LOCATION_COSITED_EVEN); }},
    {"xChromaOffset-01652", "xChromaOffset", "yChromaOffset and format",
     [](C c) { return c.Lacks(kMidpoint) && c.HasLocation(VK_CHROMA_LOCATION_MIDPOINT); }},
    {"components-02581", "components.g", "format",
     [](C c) { return IsSubsampled(c.format) && IsNot(c.info.components.g, VK_COMPONENT_SWIZZLE_G); }},
    {"components-02582", "components.a", "format",
     [](C c) {
       const VkComponentSwizzle a = c.info.components.a;
       return IsSubsampled(c.format) && IsNot(a, VK_COMPONENT_SWIZZLE_A) && a != VK_COMPONENT_SWIZZLE_ONE &&
              a != VK_COMPONENT_SWIZZLE_ZERO;
     }},
    {"components-02583", "components.r", "format",
     [](C c) {
       const VkComponentSwizzle r = c.info.components.r;
       return IsSubsampled(c.format) && IsNot(r, VK_COMPONENT_SWIZZLE_R) && r != VK_COMPONENT_SWIZZLE_B;
     }},
    {"components-02584", "components.b", "format",
     [](C c) {
       const VkComponentSwizzle b = c.info.components.b;
       return IsSubsampled(c.format) && IsNot(b, VK_COMPONENT_SWIZZLE_B) && b != VK_COMPONENT_SWIZZLE_R;
     }},
    {"components-02585", "components.r", "components.b and format",
     [](C c) {
       const bool has_red = !IsNot(c.info.components.r, VK_COMPONENT_SWIZZLE_R);
       const bool has_blue = !IsNot(c.info.components.b, VK_COMPONENT_SWIZZLE_B);
       return IsSubsampled(c.format) && has_red != has_blue;
     }},
    {"ycbcrModel-01655", "components", "ycbcrModel and format",
     [](C c) {
       return c.info.ycbcrModel != VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY &&
              c.HasColorBeside([](const vk::FormatComponent* each) { return each != nullptr; });
     }},
    {"ycbcrRange-02748", "ycbcrRange", "format and components",
     [](C c) {
       return c.info.ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW &&
              c.HasColorBeside([](const vk::FormatComponent* each) { return each == nullptr || each->bits >= 8; });
     }},
    {"forceExplicitReconstruction-01656", "forceExplicitReconstruction", "format",
     [](C c) {
       constexpr VkFormatFeatureFlags2 kForceable =
           VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_CHROMA_RECONSTRUCTION_EXPLICIT_FORCEABLE_BIT;
       return c.info.forceExplicitReconstruction == VK_TRUE && c.Lacks(kForceable);
     }},
    {"chromaFilter-01657", "chromaFilter", "format",
     [](C c) {
       return c.info.chromaFilter == VK_FILTER_LINEAR &&
              c.Lacks(VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT);
     }},
    {"VkSamplerYcbcrConversionCreateInfo-pNext-09207",
     "VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM.enableYDegamma", "no feature ycbcrDegamma",
     [](C c) {
       return c.degamma != nullptr && c.degamma->enableYDegamma == VK_TRUE &&
              !c.device.HasFeature(FeatureId::kYcbcrDegamma);
     }},
    {"VkSamplerYcbcrConversionCreateInfo-pNext-09208",
     "VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM.enableCbCrDegamma", "no feature ycbcrDegamma",
     [](C c) {
       return c.degamma != nullptr && c.degamma->enableCbCrDegamma == VK_TRUE &&
              !c.device.HasFeature(FeatureId::kYcbcrDegamma);
     }},
};

}  // namespace

void AddConversionIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void ResourceRules::PreCallValidate(const vk::CreateSamplerYcbcrConversion& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const ConversionFacts facts = {
      .device = device_, .info = *call.pCreateInfo, .features = features_.Potential(call.pCreateInfo->format)};
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck(device_, messages::Object(call.device), "VkSamplerYcbcrConversionCreateInfo", call.pCreateInfo, where,
                report)
      .Run(kRules, facts);
}

void ResourceRules::PostCallRecord(const vk::CreateSamplerYcbcrConversion& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkSamplerYcbcrConversionCreateInfo& info = *call.pCreateInfo;
  conversions_.Set(*call.pYcbcrConversion,
                   {info.format, info.chromaFilter, ExternalFormatIn(info.pNext), features_.Potential(info.format)});
}

}  // namespace assay::core
