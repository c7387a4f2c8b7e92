// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about images, buffers, samplers and copies between them.

#include <algorithm>
#include <bit>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "stateless/manual/manual_rules.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"

namespace assay::stateless {
namespace {

using vk::Vuid;
using vk::VuidIndex;

std::string ExtentText(const VkExtent3D& extent) {
  return absl::StrCat("(", extent.width, " x ", extent.height, " x ", extent.depth, ")");
}

// The number of mip levels down to one texel.
uint32_t CompleteMipLevels(const VkExtent3D& extent) {
  return static_cast<uint32_t>(std::bit_width(std::max({extent.width, extent.height, extent.depth})));
}

void CheckImageExtent(const VkImageCreateInfo& create, const RuleContext& context) {
  const VkExtent3D& extent = create.extent;
  if (create.imageType == VK_IMAGE_TYPE_1D && (extent.height != 1 || extent.depth != 1)) {
    context.Report(Vuid("VUID-VkImageCreateInfo-imageType-00956"), {{"extent"}},
                   absl::StrCat(ExtentText(extent), " has a height or depth other than 1, while imageType is ",
                                "VK_IMAGE_TYPE_1D."),
                   "Use a height and depth of 1.");
  }
  if ((create.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) != 0 && extent.width != extent.height) {
    context.Report(
        Vuid("VUID-VkImageCreateInfo-flags-08865"), {{"extent"}},
        absl::StrCat(ExtentText(extent), " is not square, while flags includes VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT."),
        "Use the same width and height.");
  }
  const uint32_t most = CompleteMipLevels(extent);
  if (most != 0 && create.mipLevels > most) {
    context.Report(Vuid("VUID-VkImageCreateInfo-mipLevels-00958"), {{"mipLevels"}},
                   absl::StrCat("(", create.mipLevels, ") is greater than the number of levels (", most,
                                ") down to one texel from extent ", ExtentText(extent), "."),
                   absl::StrCat("Use at most ", most, "."));
  }
  const bool is_corner = (create.flags & VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV) != 0;
  const bool is_flat = extent.width <= 1 || extent.height <= 1;
  if (is_corner && create.imageType == VK_IMAGE_TYPE_2D && is_flat) {
    context.Report(Vuid("VUID-VkImageCreateInfo-flags-02052"), {{"extent"}},
                   absl::StrCat(ExtentText(extent), " has only one texel across, while flags includes ",
                                "VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV."),
                   "Use a width and height greater than 1.");
  }
  if (is_corner && create.imageType == VK_IMAGE_TYPE_3D && (is_flat || extent.depth <= 1)) {
    context.Report(Vuid("VUID-VkImageCreateInfo-flags-02053"), {{"extent"}},
                   absl::StrCat(ExtentText(extent), " has only one texel across, while flags includes ",
                                "VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV."),
                   "Use a width, height and depth greater than 1.");
  }
}

void CheckImageUsage(const VkImageCreateInfo& create, const RuleContext& context) {
  constexpr VkImageUsageFlags kAttachments = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  constexpr VkImageUsageFlags kTransient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
  constexpr VkImageCreateFlags kSparse =
      VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT;
  const bool is_transient = (create.usage & kTransient) != 0;
  const auto usage_text = [&](VkImageUsageFlags usage) {
    return vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, usage);
  };
  if (const VkImageUsageFlags others = create.usage & ~(kAttachments | kTransient); is_transient && others != 0) {
    context.Report(Vuid("VUID-VkImageCreateInfo-usage-00963"), {{"usage"}},
                   absl::StrCat("(", usage_text(create.usage), ") includes ", usage_text(others),
                                " besides VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT."),
                   "A transient attachment can only be an attachment: take the other usages out.");
  }
  if (is_transient && (create.usage & kAttachments) == 0) {
    context.Report(Vuid("VUID-VkImageCreateInfo-usage-00966"), {{"usage"}},
                   absl::StrCat("(", usage_text(create.usage), ") does not say as which attachment the image is used."),
                   absl::StrCat("Add one of ", usage_text(kAttachments), "."));
  }
  if ((create.flags & kSparse) == 0) return;
  if ((create.flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0) {
    context.Report(Vuid("VUID-VkImageCreateInfo-None-01891"), {{"flags"}},
                   "includes VK_IMAGE_CREATE_PROTECTED_BIT and sparse flags.", "Choose one of both.");
  }
  if (is_transient) {
    context.Report(Vuid("VUID-VkImageCreateInfo-None-01925"), {{"usage"}},
                   "includes VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, while flags includes sparse ones.",
                   "Choose one of both.");
  }
}

// The largest divisor of the format's planes: 2 if some are half the size, else 1.
uint32_t LargestDivisor(const vk::FormatInfo& format, uint8_t vk::FormatPlane::* divisor) {
  uint32_t largest = 1;
  for (const vk::FormatPlane& plane : format.planes) largest = std::max<uint32_t>(largest, plane.*divisor);
  return largest;
}

void CheckImageFormat(const VkImageCreateInfo& create, const RuleContext& context) {
  const vk::FormatInfo* format = vk::GetFormatInfo(create.format);
  if (format == nullptr) return;
  const std::string value = absl::StrCat("(", format->name, ")");
  if ((create.flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) != 0 && !format->compressed) {
    context.Report(Vuid("VUID-VkImageCreateInfo-flags-01572"), {{"format"}},
                   absl::StrCat(value, " is not compressed, while flags includes ",
                                "VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT."),
                   "Use a compressed format.");
  }
  if ((create.flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT) != 0 &&
      (format->aspects & VK_IMAGE_ASPECT_DEPTH_BIT) == 0) {
    context.Report(Vuid("VUID-VkImageCreateInfo-flags-01533"), {{"format"}},
                   absl::StrCat(value, " has no depth, while flags includes ",
                                "VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT."),
                   "Use a depth format.");
  }
  const bool is_alias = (create.flags & VK_IMAGE_CREATE_ALIAS_BIT) != 0;
  if (format->planes.empty() && !is_alias && (create.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0) {
    context.Report(Vuid("VUID-VkImageCreateInfo-format-01577"), {{"flags"}},
                   absl::StrCat("includes VK_IMAGE_CREATE_DISJOINT_BIT, while format ", value, " has only one plane."),
                   "Take VK_IMAGE_CREATE_DISJOINT_BIT out.");
  }
  if (create.extent.width % LargestDivisor(*format, &vk::FormatPlane::width_divisor) != 0) {
    context.Report(
        Vuid("VUID-VkImageCreateInfo-format-04712"), {{"extent"}, {"width"}},
        absl::StrCat("(", create.extent.width, ") is not a multiple of 2, while format is ", format->name, "."),
        absl::StrCat("Use ", create.extent.width + 1, "."));
  }
  if (create.extent.height % LargestDivisor(*format, &vk::FormatPlane::height_divisor) != 0) {
    context.Report(
        Vuid("VUID-VkImageCreateInfo-format-04713"), {{"extent"}, {"height"}},
        absl::StrCat("(", create.extent.height, ") is not a multiple of 2, while format is ", format->name, "."),
        absl::StrCat("Use ", create.extent.height + 1, "."));
  }
}

void CheckImageViewFormats(const VkImageCreateInfo& create, const RuleContext& context) {
  const auto* list = vk::FindInChain<VkImageFormatListCreateInfo>(create.pNext);
  if (list == nullptr || list->viewFormatCount <= 1 || (create.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0) return;
  context.Report(Vuid("VUID-VkImageCreateInfo-flags-04738"), {{"flags"}},
                 absl::StrCat("does not include VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, while the chain has a ",
                              "VkImageFormatListCreateInfo with viewFormatCount (", list->viewFormatCount, ")."),
                 "Add VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, or list one format.");
}

void CheckImage(const VkImageCreateInfo& create, const RuleContext& context) {
  CheckImageExtent(create, context);
  CheckImageUsage(create, context);
  CheckImageFormat(create, context);
  CheckImageViewFormats(create, context);
}

void CheckBuffer(const VkBufferCreateInfo& create, const RuleContext& context) {
  constexpr VkBufferCreateFlags kSparse =
      VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT | VK_BUFFER_CREATE_SPARSE_ALIASED_BIT;
  if ((create.flags & kSparse) == 0 || (create.flags & VK_BUFFER_CREATE_PROTECTED_BIT) == 0) return;
  context.Report(Vuid("VUID-VkBufferCreateInfo-None-01888"), {{"flags"}},
                 "includes VK_BUFFER_CREATE_PROTECTED_BIT and sparse flags.", "Choose one of both.");
}

struct RowIds {
  VuidIndex row_length;
  VuidIndex image_height;
};

// 0 stands for tightly packed.
void CheckRows(std::string_view row_name, uint32_t row_length, std::string_view height_name, uint32_t image_height,
               const VkExtent3D& extent, const RuleContext& context, const RowIds& ids) {
  const auto report = [&](VuidIndex vuid, std::string_view member, uint32_t value, std::string_view of,
                          uint32_t least) {
    context.Report(vuid, {{member}}, absl::StrCat("(", value, ") is less than imageExtent.", of, " (", least, ")."),
                   absl::StrCat("Use 0, or at least ", least, "."));
  };
  if (row_length != 0 && row_length < extent.width) report(ids.row_length, row_name, row_length, "width", extent.width);
  if (image_height != 0 && image_height < extent.height)
    report(ids.image_height, height_name, image_height, "height", extent.height);
}

template <class Region>
void CheckBufferRows(const Region& region, const RuleContext& context, const RowIds& ids) {
  CheckRows("bufferRowLength", region.bufferRowLength, "bufferImageHeight", region.bufferImageHeight,
            region.imageExtent, context, ids);
}
template <class Region>
void CheckMemoryRows(const Region& region, const RuleContext& context, const RowIds& ids) {
  CheckRows("memoryRowLength", region.memoryRowLength, "memoryImageHeight", region.memoryImageHeight,
            region.imageExtent, context, ids);
}

void CheckBufferImageCopy(const VkBufferImageCopy& region, const RuleContext& context) {
  CheckBufferRows(
      region, context,
      {Vuid("VUID-VkBufferImageCopy-bufferRowLength-09101"), Vuid("VUID-VkBufferImageCopy-bufferImageHeight-09102")});
}
void CheckBufferImageCopy2(const VkBufferImageCopy2& region, const RuleContext& context) {
  CheckBufferRows(
      region, context,
      {Vuid("VUID-VkBufferImageCopy2-bufferRowLength-09101"), Vuid("VUID-VkBufferImageCopy2-bufferImageHeight-09102")});
}
void CheckMemoryToImageCopy(const VkMemoryToImageCopy& region, const RuleContext& context) {
  CheckMemoryRows(region, context,
                  {Vuid("VUID-VkMemoryToImageCopy-memoryRowLength-09101"),
                   Vuid("VUID-VkMemoryToImageCopy-memoryImageHeight-09102")});
}
void CheckImageToMemoryCopy(const VkImageToMemoryCopy& region, const RuleContext& context) {
  CheckMemoryRows(region, context,
                  {Vuid("VUID-VkImageToMemoryCopy-memoryRowLength-09101"),
                   Vuid("VUID-VkImageToMemoryCopy-memoryImageHeight-09102")});
}

// Requirements of unnormalized coordinates and subsampled images on a sampler.
struct PlainSamplerIds {
  VuidIndex filters;
  VuidIndex lod;
  VuidIndex address_modes;
};

bool IsClamped(VkSamplerAddressMode mode) {
  return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE || mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
}

void CheckPlainSampler(const VkSamplerCreateInfo& create, const RuleContext& context, std::string_view why,
                       const PlainSamplerIds& ids) {
  if (create.minFilter != create.magFilter) {
    context.Report(ids.filters, {{"minFilter"}},
                   absl::StrCat("(", vk::ToString(create.minFilter), ") is not magFilter (",
                                vk::ToString(create.magFilter), "), while ", why, "."),
                   "Use the same filter for both.");
  }
  if (create.minLod != 0 || create.maxLod != 0) {
    context.Report(ids.lod, {{"maxLod"}},
                   absl::StrCat("(", create.maxLod, ") or minLod (", create.minLod, ") is not 0, while ", why, "."),
                   "Use 0 for both.");
  }
  if (!IsClamped(create.addressModeU) || !IsClamped(create.addressModeV)) {
    context.Report(
        ids.address_modes, {{IsClamped(create.addressModeU) ? "addressModeV" : "addressModeU"}},
        absl::StrCat("(", vk::ToString(IsClamped(create.addressModeU) ? create.addressModeV : create.addressModeU),
                     ") does not clamp, while ", why, "."),
        "Use VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE or VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER.");
  }
}

void CheckSamplerNumbers(const VkSamplerCreateInfo& create, const RuleContext& context) {
  const float most_bias = context.limits().maxSamplerLodBias;
  if (std::abs(create.mipLodBias) > most_bias) {
    context.Report(Vuid("VUID-VkSamplerCreateInfo-mipLodBias-01069"), {{"mipLodBias"}},
                   absl::StrCat("(", create.mipLodBias,
                                ") is, without its sign, greater than VkPhysicalDeviceLimits::maxSamplerLodBias (",
                                most_bias, ")."),
                   absl::StrCat("Use -", most_bias, " to ", most_bias, "."));
  }
  const float most = context.limits().maxSamplerAnisotropy;
  if (create.anisotropyEnable == VK_TRUE && !(create.maxAnisotropy >= 1 && create.maxAnisotropy <= most)) {
    context.Report(Vuid("VUID-VkSamplerCreateInfo-anisotropyEnable-01071"), {{"maxAnisotropy"}},
                   absl::StrCat("(", create.maxAnisotropy,
                                ") is not between 1 and VkPhysicalDeviceLimits::maxSamplerAnisotropy (", most, ")."),
                   absl::StrCat("Use 1 to ", most, "."));
  }
  if (create.maxLod < create.minLod) {
    context.Report(Vuid("VUID-VkSamplerCreateInfo-maxLod-01973"), {{"maxLod"}},
                   absl::StrCat("(", create.maxLod, ") is less than minLod (", create.minLod, ")."),
                   "Use a maxLod of at least minLod.");
  }
}

void CheckSamplerModes(const VkSamplerCreateInfo& create, const RuleContext& context) {
  constexpr VkSamplerAddressMode kMode = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
  const bool mirrors = create.addressModeU == kMode || create.addressModeV == kMode || create.addressModeW == kMode;
  // VK_KHR_sampler_mirror_clamp_to_edge enables the feature too.
  if (mirrors && !context.HasFeature(vk::FeatureId::kSamplerMirrorClampToEdge)) {
    context.Report(Vuid("VUID-VkSamplerCreateInfo-addressModeU-01079"), {{"addressModeU"}},
                   absl::StrCat(", addressModeV or addressModeW is ", vk::ToString(kMode),
                                ", while the feature samplerMirrorClampToEdge is not enabled."),
                   "Enable the feature samplerMirrorClampToEdge (VkPhysicalDeviceVulkan12Features) or "
                   "VK_KHR_sampler_mirror_clamp_to_edge.");
  }
  const bool is_cubic = create.magFilter == VK_FILTER_CUBIC_EXT || create.minFilter == VK_FILTER_CUBIC_EXT;
  if (is_cubic && create.anisotropyEnable != VK_FALSE) {
    context.Report(Vuid("VUID-VkSamplerCreateInfo-magFilter-01081"), {{"anisotropyEnable"}},
                   "is VK_TRUE, while magFilter or minFilter is VK_FILTER_CUBIC_EXT.", "Use VK_FALSE.");
  }
  const auto* reduction = vk::FindInChain<VkSamplerReductionModeCreateInfo>(create.pNext);
  if (reduction == nullptr || reduction->reductionMode == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE) return;
  const std::string mode = absl::StrCat("leads to a VkSamplerReductionModeCreateInfo with reductionMode (",
                                        vk::ToString(reduction->reductionMode), ")");
  if (create.compareEnable == VK_TRUE) {
    context.Report(Vuid("VUID-VkSamplerCreateInfo-compareEnable-01423"), {{"pNext"}},
                   absl::StrCat(mode, ", while compareEnable is VK_TRUE."),
                   "Use VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE.");
  }
}

void CheckSampler(const VkSamplerCreateInfo& create, const RuleContext& context) {
  CheckSamplerNumbers(create, context);
  CheckSamplerModes(create, context);
  if (create.unnormalizedCoordinates == VK_TRUE) {
    CheckPlainSampler(create, context, "unnormalizedCoordinates is VK_TRUE",
                      {Vuid("VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01072"),
                       Vuid("VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01074"),
                       Vuid("VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01075")});
  }
  if ((create.flags & VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT) != 0) {
    CheckPlainSampler(create, context, "flags includes VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT",
                      {Vuid("VUID-VkSamplerCreateInfo-flags-02574"), Vuid("VUID-VkSamplerCreateInfo-flags-02576"),
                       Vuid("VUID-VkSamplerCreateInfo-flags-02577")});
  }
}

void CheckDedicated(const VkMemoryDedicatedAllocateInfo& info, const RuleContext& context) {
  if (info.image == VK_NULL_HANDLE || info.buffer == VK_NULL_HANDLE) return;
  context.Report(Vuid("VUID-VkMemoryDedicatedAllocateInfo-image-01432"), {{"image"}},
                 "and buffer are both not VK_NULL_HANDLE.", "Dedicate the memory to one of them.");
}

constexpr ManualRules kRules[] = {
    Manual<VkImageCreateInfo, CheckImage>("VkImageCreateInfo"),
    Manual<VkBufferCreateInfo, CheckBuffer>("VkBufferCreateInfo"),
    Manual<VkBufferImageCopy, CheckBufferImageCopy>("VkBufferImageCopy"),
    Manual<VkBufferImageCopy2, CheckBufferImageCopy2>("VkBufferImageCopy2"),
    Manual<VkMemoryToImageCopy, CheckMemoryToImageCopy>("VkMemoryToImageCopy"),
    Manual<VkImageToMemoryCopy, CheckImageToMemoryCopy>("VkImageToMemoryCopy"),
    Manual<VkSamplerCreateInfo, CheckSampler>("VkSamplerCreateInfo"),
    Manual<VkMemoryDedicatedAllocateInfo, CheckDedicated>("VkMemoryDedicatedAllocateInfo"),
};

}  // namespace

std::span<const ManualRules> ManualResourceRules() { return kRules; }

}  // namespace assay::stateless
