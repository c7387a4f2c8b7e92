// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Blits of images.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/copies/copied_image.h"
#include "core/copies/copied_image_ids.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "core/copies/copy_transforms.h"
#include "core/copies/image_overlap.h"
#include "vk/chain.h"
#include "vk/enum_to_string.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::FamilyVuid;

constexpr CopiedImageNames kBlitSourceNames = {"srcImage", "srcSubresource", "srcOffsets", "srcOffsets"};
constexpr CopiedImageNames kBlitTargetNames = {"dstImage", "dstSubresource", "dstOffsets", "dstOffsets"};

bool HasNumericFormat(const vk::FormatInfo& format, std::string_view numeric_format) {
  const bool is_color = (format.aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0;
  return is_color && !format.components.empty() && format.components[0].numeric_format == numeric_format;
}

// Whether it needs a sampler Y'CbCr conversion: it has planes, or two texels share their chroma.
bool NeedsConversion(const vk::FormatInfo& format) {
  return !format.planes.empty() || (!format.compressed && format.block_extent[0] > 1);
}

template <class C>
void CheckBlitFormats(const CopyCheck& check, const CopiedImage& source, const CopiedImage& target, VkFilter filter,
                      const Location& parameter) {
  const vk::FormatInfo& from = *source.format;
  const vk::FormatInfo& to = *target.format;
  const ImageReports reports(check, source, parameter);
  const auto both = [&] { return absl::StrCat("has the format ", from.name, ", and dstImage ", to.name, "."); };
  reports.Must(!NeedsConversion(from), FamilyVuid<C>("srcImage-06421"), "srcImage", both);
  reports.Must(!NeedsConversion(to), FamilyVuid<C>("dstImage-06422"), "dstImage", both);
  reports.Must(HasNumericFormat(from, "SINT") == HasNumericFormat(to, "SINT"), FamilyVuid<C>("srcImage-00229"),
               "srcImage", both);
  reports.Must(HasNumericFormat(from, "UINT") == HasNumericFormat(to, "UINT"), FamilyVuid<C>("srcImage-00230"),
               "srcImage", both);
  const bool has_depth = source.has_depth_or_stencil() || target.has_depth_or_stencil();
  reports.Must(!has_depth || &from == &to, FamilyVuid<C>("srcImage-00231"), "srcImage", both);
  reports.Must(!source.has_depth_or_stencil() || filter == VK_FILTER_NEAREST, FamilyVuid<C>("srcImage-00232"), "filter",
               [&] { return absl::StrCat("must be VK_FILTER_NEAREST, as srcImage has the format ", from.name, "."); });
  const auto features = check.facts().features.Of(from, source.info().tiling);
  if (!features.has_value()) return;
  const auto without = [&] { return absl::StrCat("is not supported by the format ", from.name, " of srcImage."); };
  reports.Must(filter != VK_FILTER_LINEAR || source.has_depth_or_stencil() ||
                   (*features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0,
               FamilyVuid<C>("filter-02001"), "filter", without);
  reports.Must(filter != VK_FILTER_CUBIC_EXT || source.has_depth_or_stencil() ||
                   (*features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT) != 0,
               FamilyVuid<C>("filter-02002"), "filter", without);
}

// The two corners of a box: whether they are inside of the level.
void CheckCorners(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
                  const VkOffset3D (&corners)[2], const Location& where) {
  constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
  const ImageReports reports(check, image, where);
  const auto limit = image.LevelExtent(layers.mipLevel, layers.aspectMask);
  const VkImageType type = image.info().imageType;
  const std::array<std::array<int64_t, 2>, 3> ends = {
      {{corners[0].x, corners[1].x}, {corners[0].y, corners[1].y}, {corners[0].z, corners[1].z}}};
  for (size_t i = 0; i < 3; ++i) {
    const bool is_flat = (i == 1 && type == VK_IMAGE_TYPE_1D) || (i == 2 && type != VK_IMAGE_TYPE_3D);
    const vk::VuidIndex flat_rule = i == 1 ? image.ids.y_of_1d : image.ids.z_of_2d;
    const bool holds = is_flat ? ends[i][0] == 0 && ends[i][1] == 1
                               : std::ranges::min(ends[i]) >= 0 && std::ranges::max(ends[i]) <= limit[i];
    reports.Must(holds, is_flat ? flat_rule : image.ids.range[i], image.names.offset, [&] {
      return absl::StrCat("go from ", ends[i][0], " to ", ends[i][1], " on the ", kAxes[i], " axis of ",
                          reports.Describe(), ", which has ", limit[i], " texels there.");
    });
  }
}

template <class C, class Region>
void CheckBlitLayers(const CopyCheck& check, const CopiedImage& source, const CopiedImage& target, const Region& region,
                     const Location& where) {
  const ImageReports reports(check, source, where);
  const VkImageSubresourceLayers& from = region.srcSubresource;
  const VkImageSubresourceLayers& to = region.dstSubresource;
  const uint32_t from_count = source.LayerCount(from);
  const uint32_t to_count = target.LayerCount(to);
  const auto layers = [&] {
    return absl::StrCat("has ", from_count, " layers from ", from.baseArrayLayer, ", dstSubresource has ", to_count,
                        " from ", to.baseArrayLayer, ", of ", reports.Describe(), " and ",
                        ImageReports(check, target, where).Describe(), ".");
  };
  const bool has_3d = source.info().imageType == VK_IMAGE_TYPE_3D || target.info().imageType == VK_IMAGE_TYPE_3D;
  if (has_3d && !check.facts().maintenance8) {
    const bool are_slices = from.baseArrayLayer == 0 && to.baseArrayLayer == 0 && from_count == 1 && to_count == 1;
    return reports.Must(are_slices, FamilyVuid<C>("srcImage-00240"), "srcSubresource", layers);
  }
  // With maintenance8, layers may be blitted from and to slices. Between images of other types, that rule about slices
  // would contradict those about offsets.
  const auto depth = [](const VkOffset3D(&corners)[2]) { return std::abs(int64_t{corners[1].z} - corners[0].z); };
  const bool is_from_3d = source.info().imageType == VK_IMAGE_TYPE_3D;
  const bool is_to_3d = target.info().imageType == VK_IMAGE_TYPE_3D;
  reports.Must(is_from_3d || !is_to_3d || depth(region.dstOffsets) == from_count, FamilyVuid<C>("maintenance8-10579"),
               "dstOffsets", [&] { return absl::StrCat("has the depth ", depth(region.dstOffsets), "; ", layers()); });
  reports.Must(is_to_3d || !is_from_3d || depth(region.srcOffsets) == to_count, FamilyVuid<C>("maintenance8-10580"),
               "srcOffsets", [&] { return absl::StrCat("has the depth ", depth(region.srcOffsets), "; ", layers()); });
  if (has_3d) return;
  const bool is_rest = from.layerCount == VK_REMAINING_ARRAY_LAYERS || to.layerCount == VK_REMAINING_ARRAY_LAYERS;
  reports.Must(from_count == to_count, is_rest ? FamilyVuid<C>("layerCount-08801") : FamilyVuid<C>("layerCount-08800"),
               "srcSubresource", layers);
}

template <class C, class Region>
void CheckBlitRegion(const CopyCheck& check, const CopiedImage& source, const CopiedImage& target, const Region& region,
                     const Location& where) {
  const bool has_source = CheckSubresource(check, source, region.srcSubresource, where);
  const bool has_target = CheckSubresource(check, target, region.dstSubresource, where);
  if (has_source) CheckCorners(check, source, region.srcSubresource, region.srcOffsets, where);
  if (has_target) CheckCorners(check, target, region.dstSubresource, region.dstOffsets, where);
  if (!has_source || !has_target) return;
  const bool is_same = region.srcSubresource.aspectMask == region.dstSubresource.aspectMask;
  ImageReports(check, source, where).Must(is_same, FamilyVuid<C>("aspectMask-00238"), "srcSubresource", [] {
    return "has other aspects than dstSubresource.";
  });
  CheckBlitLayers<C>(check, source, target, region, where);
}

ImageArea AreaOf(const CopiedImage& image, const VkImageSubresourceLayers& layers, const VkOffset3D (&corners)[2]) {
  const std::array<int64_t, 3> begin = {corners[0].x, corners[0].y, corners[0].z};
  return {image, layers, begin, {corners[1].x - begin[0], corners[1].y - begin[1], corners[1].z - begin[2]}};
}

// A blit that turns what it reads.
template <class C, class Region>
void CheckTurnedBlit(const CopyCheck& check, const CopiedImage& source, const CopiedImage& target, const Region& region,
                     const Location& where) {
  if (TransformOf(region) == std::nullopt) return;
  const Location transform = where.Next(kTransformInfo);
  const ImageReports reports(check, source, transform);
  const auto text = [&] {
    return absl::StrCat("is not allowed for ", reports.Describe(), " and ",
                        ImageReports(check, target, where).Describe(), ".");
  };
  const auto is_compressed = [](const CopiedImage& image) {
    return image.format != nullptr && image.format->compressed;
  };
  reports.Must(!is_compressed(source) && !is_compressed(target), FamilyVuid<C>("pRegions-04561"), "transform", text);
  reports.Must(source.info().imageType == VK_IMAGE_TYPE_2D, vk::Vuid("VUID-VkBlitImageInfo2KHR-pRegions-06207"),
               "transform", text);
  reports.Must(!source.has_planes(), vk::Vuid("VUID-VkBlitImageInfo2KHR-pRegions-06208"), "transform", text);
}

template <class C, class Info>
void CheckBlit(const CopyCheck& check, const Info& info, const Location& parameter) {
  CopiedImageIds source_ids = kSourceImageIds<C>, target_ids = kTargetImageIds<C>;
  if (check.facts().maintenance8) {
    source_ids.no_layers = FamilyVuid<C>("maintenance8-10207");
    target_ids.no_layers = FamilyVuid<C>("maintenance8-10208");
  }
  const CopiedImage source(info.srcImage, source_ids, kBlitSourceNames,
                           {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_BLIT_SRC_BIT});
  const CopiedImage target(info.dstImage, target_ids, kBlitTargetNames,
                           {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_BLIT_DST_BIT});
  const uint32_t count = info.pRegions != nullptr ? info.regionCount : 0;
  CheckCopiedImage(check, source, VK_IMAGE_ASPECT_COLOR_BIT, parameter);
  CheckCopiedImage(check, target, VK_IMAGE_ASPECT_COLOR_BIT, parameter);
  if (!source.is_known() || !target.is_known()) return;
  if (source.format != nullptr && target.format != nullptr)
    CheckBlitFormats<C>(check, source, target, info.filter, parameter);
  ImageReports(check, source, parameter)
      .Must(info.filter != VK_FILTER_CUBIC_EXT || source.info().imageType == VK_IMAGE_TYPE_2D,
            FamilyVuid<C>("filter-00237"), "filter", [] { return "is VK_FILTER_CUBIC_EXT, but srcImage is not 2D."; });
  for (uint32_t i = 0; i < count; ++i) {
    CheckBlitRegion<C>(check, source, target, info.pRegions[i], parameter.Dot("pRegions", i));
    CheckTurnedBlit<C>(check, source, target, info.pRegions[i], parameter.Dot("pRegions", i));
  }
  if (info.srcImage != info.dstImage) return;
  CheckOneImageLayouts(check, source, info, FamilyVuid<C>("srcImage-09459"), parameter);
  if (source.state->is_sparse()) return;
  ImageAreas read, written;
  for (uint32_t i = 0; i < count; ++i) {
    read.push_back(AreaOf(source, info.pRegions[i].srcSubresource, info.pRegions[i].srcOffsets));
    written.push_back(AreaOf(source, info.pRegions[i].dstSubresource, info.pRegions[i].dstOffsets));
  }
  CheckImageOverlap(check, source, read, written, FamilyVuid<C>("pRegions-00217"), parameter);
}

void CheckCubicWeights(const CopyCheck& check, const VkBlitImageInfo2& info, const Location& parameter) {
  if (info.filter != VK_FILTER_CUBIC_EXT || check.facts().device.HasFeature(vk::FeatureId::kSelectableCubicWeights))
    return;
  const auto* chosen = vk::FindInChain<VkBlitImageCubicWeightsInfoQCOM>(info.pNext);
  if (chosen == nullptr || chosen->cubicWeights == VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM) return;
  const Location where = parameter.Next("VkBlitImageCubicWeightsInfoQCOM");
  check.Require(false, FamilyVuid<vk::CmdBlitImage2>("filter-09204"), check.command_buffer(), where.Dot("cubicWeights"),
                [&] {
                  return std::pair(absl::StrCat("(", vk::ToString(chosen->cubicWeights),
                                                ") needs the feature selectableCubicWeights, which is not enabled."),
                                   "");
                });
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdBlitImage& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckBlit<vk::CmdBlitImage>({*buffer, facts_, report}, call, report.location());
}
void CopyRules::PreCallValidate(const vk::CmdBlitImage2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pBlitImageInfo == nullptr) return;
  const Location command = report.location();
  const CopyCheck check(*buffer, facts_, report);
  CheckBlit<vk::CmdBlitImage2>(check, *call.pBlitImageInfo, command.Dot("pBlitImageInfo"));
  CheckCubicWeights(check, *call.pBlitImageInfo, command.Dot("pBlitImageInfo"));
}

}  // namespace assay::core
