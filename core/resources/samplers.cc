// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Samplers.

#include <algorithm>

#include "absl/strings/match.h"
#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "core/resources/resource_ids.h"
#include "core/resources/resource_rules.h"

namespace assay::core {
namespace {

using vk::FeatureId;

struct SamplerFacts {
  static constexpr std::string_view kOwner = "VkSamplerCreateInfo";

  const dispatch::Device& device;
  const VkSamplerCreateInfo& info;
  bool is_converting = false;
  // If it is known.
  std::optional<Conversion> conversion = {};
  const VkSamplerReductionModeCreateInfo* reduction = vk::FindInChain<VkSamplerReductionModeCreateInfo>(info.pNext);
  const VkSamplerCustomBorderColorCreateInfoEXT* custom =
      vk::FindInChain<VkSamplerCustomBorderColorCreateInfoEXT>(info.pNext);
  const VkSamplerBlockMatchWindowCreateInfoQCOM* window =
      vk::FindInChain<VkSamplerBlockMatchWindowCreateInfoQCOM>(info.pNext);

  bool HasMode(VkSamplerAddressMode mode) const {
    return info.addressModeU == mode || info.addressModeV == mode || info.addressModeW == mode;
  }
  bool ClampsToBorder() const { return HasMode(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER); }
  bool ClampsToEdge() const {
    constexpr VkSamplerAddressMode kEdge = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    return info.addressModeU == kEdge && info.addressModeV == kEdge && info.addressModeW == kEdge;
  }
  bool HasFilter(VkFilter filter) const { return info.magFilter == filter || info.minFilter == filter; }
  bool HasCustomColor() const {
    return info.borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || info.borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
  }
  // That VkSamplerCustomBorderColorCreateInfoEXT is for colors of other numbers.
  bool HasOtherNumbers() const {
    const vk::FormatInfo* const format = custom != nullptr ? vk::GetFormatInfo(custom->format) : nullptr;
    if (format == nullptr || HasDepthOrStencil(format) || format->components.empty() || !HasCustomColor()) return false;
    const std::string_view numbers = format->components.front().numeric_format;
    const bool is_integer = numbers == "UINT" || numbers == "SINT";
    return is_integer != (info.borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT);
  }
  bool Reduces() const {
    return reduction != nullptr && reduction->reductionMode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
  }
  bool ProcessesImages() const { return (info.flags & VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM) != 0; }
  static bool Clamps(VkSamplerAddressMode mode) {
    return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE || mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  }
};
using S = const SamplerFacts&;

constexpr char kReductionMode[] = "VkSamplerReductionModeCreateInfo.reductionMode";
constexpr CreationRule<SamplerFacts> kRules[] = {
    {"addressModeU-01646", "addressModeU",
     "a conversion and addressModeV and addressModeW and anisotropyEnable and unnormalizedCoordinates",
     [](S s) {
       return s.is_converting &&
              (!s.ClampsToEdge() || s.info.anisotropyEnable != VK_FALSE || s.info.unnormalizedCoordinates != VK_FALSE);
     }},
    {"minFilter-01645", "minFilter", "magFilter and the chromaFilter of the conversion",
     [](S s) {
       constexpr auto kSeparate = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT;
       return s.conversion && s.conversion->features && (*s.conversion->features & kSeparate) == 0 &&
              (s.info.minFilter != s.conversion->chroma_filter || s.info.magFilter != s.conversion->chroma_filter);
     }},
    {"None-01647", kReductionMode, "a conversion", [](S s) { return s.is_converting && s.Reduces(); }},
    {"pNext-06726", kReductionMode, "no feature samplerFilterMinmax",
     [](S s) {
       return s.Reduces() && !s.device.HasFeature(FeatureId::kSamplerFilterMinmax) &&
              !s.device.IsEnabled(vk::ExtensionId::kExtSamplerFilterMinmax);
     }},
    {"magFilter-07911", kReductionMode, "magFilter and minFilter",
     [](S s) {
       return s.HasFilter(VK_FILTER_CUBIC_IMG) && s.Reduces() && !s.device.IsEnabled(vk::ExtensionId::kExtFilterCubic);
     }},
    {"addressModeU-01078", "borderColor", "addressModeU and addressModeV and addressModeW",
     [](S s) { return s.ClampsToBorder() && vk::EnumName(vk::EnumId::kBorderColor, s.info.borderColor).empty(); }},
    {"borderColor-04011", "borderColor", "no VkSamplerCustomBorderColorCreateInfoEXT",
     [](S s) { return s.HasCustomColor() && s.custom == nullptr; }},
    {"VkSamplerCustomBorderColorCreateInfoEXT-format-07605", "borderColor",
     "VkSamplerCustomBorderColorCreateInfoEXT.format", [](S s) { return s.HasOtherNumbers(); }},
    {"compareEnable-01080", "compareOp", "compareEnable",
     [](S s) {
       return s.info.compareEnable == VK_TRUE && vk::EnumName(vk::EnumId::kCompareOp, s.info.compareOp).empty();
     }},
    {"samplerMipLodBias-04467", "mipLodBias", "no feature samplerMipLodBias",
     [](S s) { return Lacks(s.device, FeatureId::kSamplerMipLodBias) && s.info.mipLodBias != 0; }},
    {"flags-06964", "flags", "minFilter and magFilter",
     [](S s) {
       return s.ProcessesImages() && (s.info.minFilter != VK_FILTER_NEAREST || s.info.magFilter != VK_FILTER_NEAREST);
     }},
    {"flags-06966", "flags", "minLod and maxLod",
     [](S s) { return s.ProcessesImages() && (s.info.minLod != 0 || s.info.maxLod != 0); }},
    {"flags-06967", "flags", "addressModeU and addressModeV",
     [](S s) { return s.ProcessesImages() && (!s.Clamps(s.info.addressModeU) || !s.Clamps(s.info.addressModeV)); }},
    {"flags-06968", "flags", "borderColor",
     [](S s) {
       constexpr VkSamplerAddressMode kBorder = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
       return s.ProcessesImages() && (s.info.addressModeU == kBorder || s.info.addressModeV == kBorder) &&
              s.info.borderColor != VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
     }},
    {"VkSamplerBlockMatchWindowCreateInfoQCOM-WindowExtent-09210",
     "VkSamplerBlockMatchWindowCreateInfoQCOM.windowExtent",
     "VkPhysicalDeviceImageProcessing2PropertiesQCOM.maxBlockMatchWindow",
     [](S s) {
       const auto* const limits = s.device.physical_device->Find<VkPhysicalDeviceImageProcessing2PropertiesQCOM>();
       return s.window != nullptr && limits != nullptr &&
              (s.window->windowExtent.width > limits->maxBlockMatchWindow.width ||
               s.window->windowExtent.height > limits->maxBlockMatchWindow.height);
     }},
};

}  // namespace

void AddSamplerIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void ResourceRules::PreCallValidate(const vk::CreateSampler& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkSamplerCreateInfo& info = *call.pCreateInfo;
  SamplerFacts facts = {.device = device_, .info = info};
  if (const auto* const conversion = vk::FindInChain<VkSamplerYcbcrConversionInfo>(info.pNext)) {
    facts.is_converting = conversion->conversion != VK_NULL_HANDLE;
    facts.conversion = Find(conversion);
  }
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck(device_, messages::Object(call.device), "VkSamplerCreateInfo", &info, where, report).Run(kRules, facts);
}

}  // namespace assay::core
