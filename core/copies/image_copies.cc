// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between images.

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/copies/copied_image.h"
#include "core/copies/copied_image_ids.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "core/copies/image_overlap.h"
#include "vk/enum_info.h"
#include "vk/enum_to_string.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::FamilyVuid;

constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr VkImageAspectFlags kDepthStencil = kDepth | kStencil;

// A copy between two images that are known.
template <class C>
class ImagePair {
 public:
  ImagePair(const CopyCheck& check, const CopiedImage& source, const CopiedImage& target, const Location& parameter)
      : check_(check), source_(source), target_(target), parameter_(parameter) {}

  void CheckImages() const;
  template <class Region>
  void CheckRegion(const Region& region, const Location& where) const;

 private:
  std::string Formats() const {
    return absl::StrCat(" srcImage has ", source_.format->name, ", dstImage ", target_.format->name, ".");
  }
  std::string Names() const {
    return absl::StrCat(ImageReports(check_, source_, parameter_).Describe(), " and ",
                        ImageReports(check_, target_, parameter_).Describe());
  }
  template <class Region>
  void CheckAspects(const Region& region, const Location& where) const;
  template <class Region>
  void CheckColorAndDepth(const Region& region, const ImageReports& reports) const;
  template <class Region>
  void CheckLayers(const Region& region, const Location& where) const;

  const CopyCheck& check_;
  const CopiedImage& source_;
  const CopiedImage& target_;
  const Location& parameter_;
};

template <class C>
void ImagePair<C>::CheckImages() const {
  const ImageReports reports(check_, source_, parameter_);
  reports.Must(source_.info().samples == target_.info().samples, FamilyVuid<C>("srcImage-00136"), "srcImage", [&] {
    return absl::StrCat("has ", vk::ToString(source_.info().samples), ", but dstImage has ",
                        vk::ToString(target_.info().samples), ": ", Names(), ".");
  });
  const VkImageType source_type = source_.info().imageType;
  const VkImageType target_type = target_.info().imageType;
  const bool has_1d = source_type == VK_IMAGE_TYPE_1D || target_type == VK_IMAGE_TYPE_1D;
  reports.Must(source_type == target_type || !has_1d || check_.facts().maintenance5, FamilyVuid<C>("srcImage-07743"),
               "srcImage", [&] {
                 return absl::StrCat("is of ", vk::ToString(source_type), ", but dstImage is of ",
                                     vk::ToString(target_type), ", without the feature maintenance5: ", Names(), ".");
               });
  reports.Must(source_type == target_type || has_1d || !check_.facts().is_oldest, FamilyVuid<C>("apiVersion-07933"),
               "srcImage", [&] {
                 return absl::StrCat("is of ", vk::ToString(source_type), ", but dstImage is of ",
                                     vk::ToString(target_type), ", without VK_KHR_maintenance1: ", Names(), ".");
               });
  if (source_.format == nullptr || target_.format == nullptr || source_.has_planes() || target_.has_planes()) return;
  const bool same_kind = source_.has_depth_or_stencil() == target_.has_depth_or_stencil();
  reports.Must(!same_kind || source_.format->block_size == target_.format->block_size, FamilyVuid<C>("srcImage-01548"),
               "srcImage", [&] { return absl::StrCat("has texel blocks of another size than dstImage:", Formats()); });
  reports.Must(!source_.format->compressed || !target_.format->compressed ||
                   source_.format->block_extent == target_.format->block_extent,
               FamilyVuid<C>("srcImage-09247"), "srcImage",
               [&] { return absl::StrCat("has texel blocks of another extent than dstImage:", Formats()); });
}

template <class C>
template <class Region>
void ImagePair<C>::CheckColorAndDepth(const Region& region, const ImageReports& reports) const {
  const VkImageAspectFlags source = region.srcSubresource.aspectMask;
  const VkImageAspectFlags target = region.dstSubresource.aspectMask;
  const bool is_from_color = source == VK_IMAGE_ASPECT_COLOR_BIT;
  reports.Must(!is_from_color || target != kDepthStencil, FamilyVuid<C>("srcSubresource-10214"), "dstSubresource",
               [] { return "has depth and stencil together, but srcSubresource has color."; });
  reports.Must(target != VK_IMAGE_ASPECT_COLOR_BIT || source != kDepthStencil, FamilyVuid<C>("dstSubresource-10215"),
               "srcSubresource", [] { return "has depth and stencil together, but dstSubresource has color."; });
  if (source == target || source == kDepthStencil || target == kDepthStencil) return;
  const bool has_graphics = (check_.queue_flags() & VK_QUEUE_GRAPHICS_BIT) != 0;
  reports.Must(has_graphics,
               is_from_color ? FamilyVuid<C>("commandBuffer-10217") : FamilyVuid<C>("commandBuffer-10218"),
               "srcSubresource", [] {
                 return "and dstSubresource are color and depth or stencil, but the queue family does not have "
                        "VK_QUEUE_GRAPHICS_BIT.";
               });
  const CopiedImage& color = is_from_color ? source_ : target_;
  const CopiedImage& depth = is_from_color ? target_ : source_;
  const bool is_16_bit =
      depth.format->format == VK_FORMAT_D16_UNORM || depth.format->format == VK_FORMAT_D16_UNORM_S8_UINT;
  const bool is_stencil = (is_from_color ? target : source) == VK_IMAGE_ASPECT_STENCIL_BIT;
  const uint32_t size = is_stencil ? 1 : (is_16_bit ? 2 : 4);
  reports.Must(color.format->block_size == size,
               is_from_color ? FamilyVuid<C>("srcSubresource-10211") : FamilyVuid<C>("srcSubresource-10212"),
               "srcSubresource", [&] { return absl::StrCat("has another size than dstSubresource:", Formats()); });
}

template <class C>
template <class Region>
void ImagePair<C>::CheckAspects(const Region& region, const Location& where) const {
  const ImageReports reports(check_, source_, where);
  const VkImageAspectFlags source = region.srcSubresource.aspectMask;
  const VkImageAspectFlags target = region.dstSubresource.aspectMask;
  if (source_.has_planes() || target_.has_planes()) {
    const bool is_color_to = source_.has_planes() && !target_.has_planes();
    const bool is_color_from = target_.has_planes() && !source_.has_planes();
    reports.Must(
        !is_color_to || target == VK_IMAGE_ASPECT_COLOR_BIT, FamilyVuid<C>("srcImage-01556"), "dstSubresource",
        [&] { return absl::StrCat("must have VK_IMAGE_ASPECT_COLOR_BIT, as srcImage has planes:", Formats()); });
    reports.Must(
        !is_color_from || source == VK_IMAGE_ASPECT_COLOR_BIT, FamilyVuid<C>("dstImage-01557"), "srcSubresource",
        [&] { return absl::StrCat("must have VK_IMAGE_ASPECT_COLOR_BIT, as dstImage has planes:", Formats()); });
    const vk::FormatInfo* from = source_.FormatOf(source);
    const vk::FormatInfo* to = target_.FormatOf(target);
    const bool is_same_size = from == nullptr || to == nullptr || from->block_size == to->block_size ||
                              source_.has_depth_or_stencil() || target_.has_depth_or_stencil();
    reports.Must(is_same_size, FamilyVuid<C>("None-01549"), "srcSubresource", [&] {
      return absl::StrCat("has the format ", from->name, ", which is not compatible with ", to->name,
                          " of dstSubresource.");
    });
    return;
  }
  if (check_.facts().maintenance8) return CheckColorAndDepth(region, reports);
  const bool is_from_color = source == VK_IMAGE_ASPECT_COLOR_BIT && (target == kDepth || target == kStencil);
  const bool is_to_color = target == VK_IMAGE_ASPECT_COLOR_BIT && (source == kDepth || source == kStencil);
  const vk::VuidIndex rule = is_from_color ? FamilyVuid<C>("srcSubresource-10209")
                             : is_to_color ? FamilyVuid<C>("srcSubresource-10210")
                                           : FamilyVuid<C>("srcImage-01551");
  reports.Must(source == target, rule, "srcSubresource", [&] {
    return absl::StrCat("has ", vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, source),
                        ", but dstSubresource has ", vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, target), ".");
  });
}

template <class C>
template <class Region>
void ImagePair<C>::CheckLayers(const Region& region, const Location& where) const {
  const ImageReports reports(check_, source_, where);
  const uint32_t source = source_.LayerCount(region.srcSubresource);
  const uint32_t target = target_.LayerCount(region.dstSubresource);
  const VkImageType source_type = source_.info().imageType;
  const VkImageType target_type = target_.info().imageType;
  const auto depth = [&](std::string_view needed) {
    return absl::StrCat("has the depth ", region.extent.depth, ", but must have ", needed, ": ", Names(), ".");
  };
  constexpr VkImageType k2d = VK_IMAGE_TYPE_2D;
  constexpr VkImageType k3d = VK_IMAGE_TYPE_3D;
  reports.Must(source_type != k2d || target_type != k2d || region.extent.depth == 1, FamilyVuid<C>("srcImage-01790"),
               "extent", [&] { return depth("1 between 2D images"); });
  reports.Must(source_type != k2d || target_type != k3d || region.extent.depth == source,
               FamilyVuid<C>("srcImage-01791"), "extent",
               [&] { return depth(absl::StrCat("the layers (", source, ") of srcSubresource")); });
  reports.Must(source_type != k3d || target_type != k2d || region.extent.depth == target,
               FamilyVuid<C>("dstImage-01792"), "extent",
               [&] { return depth(absl::StrCat("the layers (", target, ") of dstSubresource")); });
  if (source_type != target_type || source == target) return;
  const bool is_rest = region.srcSubresource.layerCount == VK_REMAINING_ARRAY_LAYERS ||
                       region.dstSubresource.layerCount == VK_REMAINING_ARRAY_LAYERS;
  reports.Must(false, is_rest ? FamilyVuid<C>("srcImage-08794") : FamilyVuid<C>("srcImage-08793"), "srcSubresource",
               [&] { return absl::StrCat("has ", source, " layers, but dstSubresource has ", target, "."); });
}

template <class C>
template <class Region>
void ImagePair<C>::CheckRegion(const Region& region, const Location& where) const {
  const bool has_source = CheckSubresource(check_, source_, region.srcSubresource, where);
  const bool has_target = CheckSubresource(check_, target_, region.dstSubresource, where);
  if (has_source) CheckBox(check_, source_, region.srcSubresource, {region.srcOffset, region.extent}, where);
  if (!has_source || !has_target) return;
  CheckAspects(region, where);
  CheckLayers(region, where);
  const vk::FormatInfo* from = source_.FormatOf(region.srcSubresource.aspectMask);
  const vk::FormatInfo* to = target_.FormatOf(region.dstSubresource.aspectMask);
  ImageBox box(region.dstOffset, region.extent);
  box.is_converted = from->block_extent != to->block_extent;
  for (size_t i = 0; i < 3 && box.is_converted; ++i)
    box.extent[i] = (box.extent[i] + from->block_extent[i] - 1) / from->block_extent[i] * to->block_extent[i];
  CheckBox(check_, target_, region.dstSubresource, box, where);
}

template <class C, class Info>
void CheckImageCopy(const CopyCheck& check, const Info& info, const Location& parameter) {
  const CopiedImage source(info.srcImage, kSourceImageIds<C>, kSourceNames,
                           {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT});
  const CopiedImage target(info.dstImage, kTargetImageIds<C>, kTargetNames,
                           {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT});
  const uint32_t count = info.pRegions != nullptr ? info.regionCount : 0;
  VkImageAspectFlags source_aspects = 0;
  VkImageAspectFlags target_aspects = 0;
  for (uint32_t i = 0; i < count; ++i) {
    source_aspects |= info.pRegions[i].srcSubresource.aspectMask;
    target_aspects |= info.pRegions[i].dstSubresource.aspectMask;
  }
  CheckCopiedImage(check, source, source_aspects, parameter);
  CheckCopiedImage(check, target, target_aspects, parameter);
  if (!source.is_known() || !target.is_known()) return;
  const ImagePair<C> pair(check, source, target, parameter);
  pair.CheckImages();
  for (uint32_t i = 0; i < count; ++i) pair.CheckRegion(info.pRegions[i], parameter.Dot("pRegions", i));
  if (info.srcImage != info.dstImage) return;
  CheckOneImageLayouts(check, source, info, FamilyVuid<C>("srcImage-09460"), parameter);
  if (source.state->is_sparse()) return;
  ImageAreas read, written;
  for (uint32_t i = 0; i < count; ++i) {
    const auto& region = info.pRegions[i];
    const ImageBox from(region.srcOffset, region.extent), to(region.dstOffset, region.extent);
    read.push_back(ImageArea(source, region.srcSubresource, from.offset, from.extent));
    written.push_back(ImageArea(source, region.dstSubresource, to.offset, to.extent));
  }
  CheckImageOverlap(check, source, read, written, FamilyVuid<C>("pRegions-00124"), parameter);
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdCopyImage& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckImageCopy<vk::CmdCopyImage>({*buffer, facts_, report}, call, report.location());
}
void CopyRules::PreCallValidate(const vk::CmdCopyImage2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pCopyImageInfo == nullptr) return;
  const Location command = report.location();
  CheckImageCopy<vk::CmdCopyImage2>({*buffer, facts_, report}, *call.pCopyImageInfo, command.Dot("pCopyImageInfo"));
}

}  // namespace assay::core
