// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What samplers must be for the images that shaders sample with them.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_accesses.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "vk/commands.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

uint32_t LevelsOf(const state::ImageView& view) {
  const VkImageSubresourceRange& range = view.subresource_range;
  const uint32_t all = view.image->create_info.mipLevels;
  return range.levelCount == VK_REMAINING_MIP_LEVELS ? all - range.baseMipLevel : range.levelCount;
}
uint32_t LayersOf(const state::ImageView& view) {
  const VkImageSubresourceRange& range = view.subresource_range;
  const uint32_t all = view.image->create_info.arrayLayers;
  return range.layerCount == VK_REMAINING_ARRAY_LAYERS ? all - range.baseArrayLayer : range.layerCount;
}

class SamplerCheck {
 public:
  SamplerCheck(const DescriptorFacts& facts, const DescriptorAccess& access, const state::ImageView& view,
               const state::Sampler& sampler, uint8_t uses)
      : facts_(facts),
        access_(access),
        view_(view),
        sampler_(sampler),
        info_(sampler.create_info),
        uses_(uses),
        is_cubic_(info_.magFilter == VK_FILTER_CUBIC_EXT || info_.minFilter == VK_FILTER_CUBIC_EXT) {}

  bool Run() {
    CheckProcessing();
    if (!Does(kSamples)) return !is_wrong_;
    // Converted images have chroma filters, and rules of these.
    if (!sampler_.is_converting) CheckLinear();
    if (is_cubic_) CheckCubic();
    if (info_.unnormalizedCoordinates == VK_TRUE) CheckUnnormalized();
    CheckReduction();
    if ((view_.image->create_info.flags & VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV) != 0) CheckAddressModes();
    return !is_wrong_;
  }

 private:
  bool Does(uint8_t uses) const { return (uses_ & uses) != 0; }
  bool ReducesToExtremes() const {
    return sampler_.reduction_mode == VK_SAMPLER_REDUCTION_MODE_MIN ||
           sampler_.reduction_mode == VK_SAMPLER_REDUCTION_MODE_MAX;
  }
  // "an image, with VkSampler …, `with`".
  void Report(DescriptorRule rule, std::string_view with, std::string_view is) {
    const messages::ObjectRef sampler = {VK_OBJECT_TYPE_SAMPLER, sampler_.handle()};
    const std::string as = absl::StrCat("an image, with ", access_.report.reporter().Describe(sampler), ", ", with);
    is_wrong_ |= access_.Report(rule, {VK_OBJECT_TYPE_IMAGE_VIEW, view_.handle()}, as, is);
  }
  bool RequireFeature(VkFormatFeatureFlags2 feature, DescriptorRule rule, std::string_view with) {
    const vk::FormatInfo* const format = vk::GetFormatInfo(view_.format);
    const auto features =
        format != nullptr ? facts_.features.Of(*format, view_.image->create_info.tiling) : std::nullopt;
    if (!features || (*features & feature) != 0) return true;
    Report(rule, with, MissingFeatureText(view_.format, feature));
    return false;
  }
  std::string TypeText() const {
    return absl::StrCat("whose viewType is ", vk::EnumName(vk::EnumId::kImageViewType, view_.view_type));
  }

  void CheckProcessing();
  void CheckLinear();
  void CheckCubic();
  void CheckCubicSupport();
  void CheckUnnormalized();
  void CheckReduction();
  void CheckAddressModes();

  const DescriptorFacts& facts_;
  const DescriptorAccess& access_;
  const state::ImageView& view_;
  const state::Sampler& sampler_;
  const VkSamplerCreateInfo& info_;
  const uint8_t uses_;
  const bool is_cubic_;
  bool is_wrong_ = false;
};

void SamplerCheck::CheckProcessing() {
  constexpr std::string_view kFlag = "VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM";
  const bool is_for_processing = (info_.flags & VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM) != 0;
  if (Does(kProcesses) && !is_for_processing) {
    Report(DescriptorRule("OpImageWeightedSampleQCOM-06977"), absl::StrCat("which has no ", kFlag),
           "read with an instruction of QCOM_image_processing");
  }
  if (Does(kSamples | kGathers) && is_for_processing) {
    Report(DescriptorRule("OpImageWeightedSampleQCOM-06978"), absl::StrCat("which has ", kFlag),
           "read with an instruction that is not of QCOM_image_processing");
  }
}

// A sampler that filters linearly between texels mostly does so between levels. The second is not reported where the
// first is, nor for a view that has but one level.
void SamplerCheck::CheckLinear() {
  constexpr VkFormatFeatureFlags2 kLinear = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  constexpr VkFormatFeatureFlags2 kMinMax = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
  const bool averages =
      sampler_.reduction_mode == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE && info_.compareEnable == VK_FALSE;
  const bool filters = info_.magFilter == VK_FILTER_LINEAR || info_.minFilter == VK_FILTER_LINEAR;
  const bool filters_levels = info_.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR && LevelsOf(view_) > 1;
  constexpr std::string_view kFilter = "which has VK_FILTER_LINEAR";
  constexpr std::string_view kMode = "which has VK_SAMPLER_MIPMAP_MODE_LINEAR";
  if (averages) {
    if (filters && !RequireFeature(kLinear, DescriptorRule("magFilter-04553"), kFilter)) return;
    if (filters_levels) RequireFeature(kLinear, DescriptorRule("mipmapMode-04770"), kMode);
  } else if (ReducesToExtremes()) {
    if (filters && !RequireFeature(kMinMax, DescriptorRule("magFilter-09598"), kFilter)) return;
    if (filters_levels) RequireFeature(kMinMax, DescriptorRule("mipmapMode-09599"), kMode);
  }
}

void SamplerCheck::CheckCubic() {
  constexpr std::string_view kFilter = "which has VK_FILTER_CUBIC_EXT";
  const bool has_feature =
      RequireFeature(VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT, DescriptorRule("None-02692"), kFilter);
  if (facts_.filters_cubic) {
    if (has_feature) CheckCubicSupport();
  } else if (view_.view_type == VK_IMAGE_VIEW_TYPE_3D || view_.view_type == VK_IMAGE_VIEW_TYPE_CUBE ||
             view_.view_type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY) {
    Report(DescriptorRule("None-02693"), kFilter, TypeText());
  }
  if (!facts_.selectable_cubic_weights && sampler_.cubic_weights != VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM) {
    Report(DescriptorRule("selectableCubicWeights-09214"),
           "which has other cubicWeights than VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM",
           "sampled without the feature selectableCubicWeights");
  }
}

// Asks the driver each time: few programs filter so.
void SamplerCheck::CheckCubicSupport() {
  const auto get = dispatch::Next<vk::GetPhysicalDeviceImageFormatProperties2>(facts_.device.instance.next);
  if (get == nullptr || !facts_.device.Includes(vk::ExtensionId::kKhrGetPhysicalDeviceProperties2)) return;
  const VkImageCreateInfo& image = view_.image->create_info;
  VkPhysicalDeviceImageViewImageFormatInfoEXT type = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT, .imageViewType = view_.view_type};
  const VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                 .pNext = &type,
                                                 .format = view_.format,
                                                 .type = image.imageType,
                                                 .tiling = image.tiling,
                                                 .usage = image.usage,
                                                 .flags = image.flags};
  VkFilterCubicImageViewImageFormatPropertiesEXT cubic = {
      .sType = VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT};
  VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &cubic};
  if (image.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT ||
      get(facts_.device.physical_device->handle, &info, &properties) != VK_SUCCESS) {
    return;
  }
  const std::string is =
      absl::StrCat(TypeText(), " and whose format is ", vk::EnumName(vk::EnumId::kFormat, view_.format));
  if (cubic.filterCubic == VK_FALSE) {
    Report(DescriptorRule("filterCubic-02694"), "which has VK_FILTER_CUBIC_EXT",
           absl::StrCat(is, ", for which filterCubic is VK_FALSE"));
  } else if (ReducesToExtremes() && cubic.filterCubicMinmax == VK_FALSE) {
    Report(DescriptorRule("filterCubicMinmax-02695"),
           "which has VK_FILTER_CUBIC_EXT and reduces to a minimum or maximum",
           absl::StrCat(is, ", for which filterCubicMinmax is VK_FALSE"));
  }
}

void SamplerCheck::CheckUnnormalized() {
  constexpr std::string_view kCoordinates = "which has unnormalizedCoordinates";
  if (LevelsOf(view_) > 1 || LayersOf(view_) > 1) {
    Report(DescriptorRule("unnormalizedCoordinates-09635"), kCoordinates,
           absl::StrCat("which has ", LevelsOf(view_), " levels and ", LayersOf(view_), " layers"));
  }
  if (view_.view_type != VK_IMAGE_VIEW_TYPE_1D && view_.view_type != VK_IMAGE_VIEW_TYPE_2D)
    Report(DescriptorRule("None-08609"), kCoordinates, TypeText());
  if (Does(kNeedsNormalized)) {
    Report(DescriptorRule("None-08610"), kCoordinates,
           "sampled with an instruction that has ImplicitLod, Dref or Proj in its name");
  }
  if (Does(kHasBiasOrOffset)) Report(DescriptorRule("None-08611"), kCoordinates, "sampled with a bias or offsets");
}

void SamplerCheck::CheckReduction() {
  if (sampler_.reduction_mode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM) return;
  constexpr std::string_view kMode =
      "whose reductionMode is VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM";
  if (!is_cubic_) {
    Report(DescriptorRule("reductionMode-09213"), kMode, "sampled without VK_FILTER_CUBIC_EXT");
  } else if (!facts_.cubic_range_clamp) {
    Report(DescriptorRule("cubicRangeClamp-09212"), kMode, "sampled without the feature cubicRangeClamp");
  }
}

void SamplerCheck::CheckAddressModes() {
  const VkSamplerAddressMode modes[] = {info_.addressModeU, info_.addressModeV, info_.addressModeW};
  const size_t dimensions = view_.view_type == VK_IMAGE_VIEW_TYPE_3D ? 3 : 2;
  for (size_t i = 0; i < dimensions; ++i) {
    if (modes[i] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE) continue;
    return Report(DescriptorRule("flags-02696"),
                  absl::StrCat("which has ", vk::EnumName(vk::EnumId::kSamplerAddressMode, modes[i])),
                  "whose image has VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV");
  }
}

}  // namespace

bool CheckSampler(const DescriptorFacts& facts, const DescriptorAccess& access, const state::ImageView& view,
                  const state::Sampler& sampler, uint8_t uses) {
  return SamplerCheck(facts, access, view, sampler, uses).Run();
}

}  // namespace assay::core
