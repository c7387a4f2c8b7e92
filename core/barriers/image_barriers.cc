// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/barriers/barrier_families.h"
#include "core/barriers/barrier_ids.h"
#include "core/barriers/barriers.h"
#include "state/state.h"
#include "vk/enum_to_string.h"
#include "vk/format_info.h"
#include "vk/sync/sync_rule_info.h"

namespace assay::core {
namespace {

constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

// The image of a barrier, and how messages name it.
struct ImageChecks {
  const Check& check;
  const ImageIds& ids;
  const ImagePart& part;
  const state::Image& image;
  const messages::Location& where;

  messages::ObjectRef object() const { return messages::Object(part.image); }
  std::string Name() const { return check.Describe(object()); }
  void Error(vk::VuidIndex vuid, const messages::Location& at, std::string text, std::string fix = {}) const {
    check.Error(vuid, at, std::move(text), std::move(fix), object());
  }

  void Range() const;
  void Aspects() const;
  void AspectLayouts() const;
  void Usages() const;
  void DisabledLayouts() const;
};

// A range of mip levels or array layers.
struct Extent {
  std::string_view first_member, count_member, words;
  uint32_t first, count, limit;
  vk::VuidIndex first_id, count_id;
};

bool IsWithin(uint32_t first, uint32_t count, uint32_t limit) {
  static_assert(VK_REMAINING_MIP_LEVELS == VK_REMAINING_ARRAY_LAYERS);
  return first < limit && (count == VK_REMAINING_MIP_LEVELS || uint64_t{first} + count <= limit);
}

bool IsInImage(const VkImageSubresourceRange& range, const VkImageCreateInfo& image) {
  return IsWithin(range.baseMipLevel, range.levelCount, image.mipLevels) &&
         IsWithin(range.baseArrayLayer, range.layerCount, image.arrayLayers);
}

[[gnu::noinline, gnu::cold]] void ReportExtent(const ImageChecks& of, const Extent& extent) {
  const messages::Location range = of.where.Dot("subresourceRange");
  if (extent.first >= extent.limit) {
    return of.Error(extent.first_id, range.Dot(extent.first_member),
                    absl::StrCat("(", extent.first, ") is not less than the ", extent.words, " of ", of.Name(), " (",
                                 extent.limit, ")."));
  }
  of.Error(extent.count_id, range.Dot(extent.count_member),
           absl::StrCat("(", extent.count, ") from ", extent.first_member, " ", extent.first, " on is more than the ",
                        extent.words, " of ", of.Name(), " (", extent.limit, ")."),
           absl::StrCat("Use at most ", extent.limit - extent.first, ", or the constant for all that remain."));
}

void ImageChecks::Range() const {
  const VkImageSubresourceRange& range = part.range;
  const uint32_t levels = image.create_info.mipLevels, layers = image.create_info.arrayLayers;
  if (!IsWithin(range.baseMipLevel, range.levelCount, levels)) [[unlikely]] {
    ReportExtent(*this, {"baseMipLevel", "levelCount", "mip levels", range.baseMipLevel, range.levelCount, levels,
                         ids.first_level, ids.levels});
  }
  if (!IsWithin(range.baseArrayLayer, range.layerCount, layers)) [[unlikely]] {
    ReportExtent(*this, {"baseArrayLayer", "layerCount", "array layers", range.baseArrayLayer, range.layerCount, layers,
                         ids.first_layer, ids.layers});
  }
}

// Reports one error, of the most specific rule that is violated.
vk::VuidIndex WrongAspects(const ImageChecks& of, const vk::FormatInfo& format, VkImageAspectFlags* right) {
  constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageAspectFlags mask = of.part.range.aspectMask;
  *right = format.aspects;
  if ((format.aspects & kColor) != 0) {
    const bool is_disjoint = (of.image.create_info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
    if (format.planes.empty()) {
      *right = kColor;
      if (mask != kColor) return of.ids.single_plane;
    } else if (!is_disjoint) {
      *right = kColor;
      if (mask != kColor) return of.ids.not_disjoint;
    } else if ((mask & format.aspects) == 0) {
      return of.ids.disjoint;
    }
  } else if (format.aspects == kBoth) {
    if (!of.check.limits.separate_depth_stencil_layouts) {
      if ((mask & kBoth) != kBoth) return of.ids.both_aspects;
    } else if ((mask & kBoth) == 0) {
      return of.ids.either_aspect;
    }
  }
  return (mask & ~format.aspects) != 0 ? of.ids.aspects_of_format : vk::kNoVuid;
}

void ImageChecks::Aspects() const {
  const VkImageAspectFlags mask = part.range.aspectMask;
  const VkFormat image_format = image.create_info.format;
  if (mask == VK_IMAGE_ASPECT_COLOR_BIT) {
    // Valid for every color format, and nearly all formats are.
    const vk::FormatInfo* format = vk::GetFormatInfo(image_format);
    if (format == nullptr || (format->aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0) return;
  }
  const vk::FormatInfo* format = vk::GetFormatInfo(image_format);
  // External formats have no description. Another rule forbids an empty mask.
  if (format == nullptr || mask == 0) return;
  VkImageAspectFlags right = 0;
  const vk::VuidIndex vuid = WrongAspects(*this, *format, &right);
  if (vuid == vk::kNoVuid) [[likely]]
    return;
  const auto text = [](VkImageAspectFlags aspects) {
    return vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, aspects);
  };
  const messages::Location range = where.Dot("subresourceRange");
  Error(vuid, range.Dot("aspectMask"),
        absl::StrCat("(", text(mask), ") does not suit ", Name(), ", which has the format ", format->name, "."),
        absl::StrCat("Use ", text(right), "."));
}

bool IsOneOf(VkImageLayout layout, VkImageLayout a, VkImageLayout b) { return layout == a || layout == b; }

void ImageChecks::AspectLayouts() const {
  const auto check_aspect = [&](VkImageAspectFlags aspect, VkImageLayout a, VkImageLayout b, vk::VuidIndex vuid) {
    if ((part.range.aspectMask & aspect) == 0) return;
    const bool old_is_wrong = IsOneOf(part.old_layout, a, b);
    if (!old_is_wrong && !IsOneOf(part.new_layout, a, b)) return;
    Error(vuid, where.Dot(old_is_wrong ? "oldLayout" : "newLayout"),
          absl::StrCat("(", vk::ToString(old_is_wrong ? part.old_layout : part.new_layout),
                       ") is no layout of the aspect ", vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, aspect),
                       ", which is in subresourceRange.aspectMask."),
          "Use a layout of both aspects, or one barrier for each.");
  };
  check_aspect(VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
               VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL, ids.stencil_layout);
  check_aspect(VK_IMAGE_ASPECT_STENCIL_BIT, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
               VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, ids.depth_layout);
}

void ImageChecks::Usages() const {
  const auto breaks = [&](const vk::LayoutUsageRule& rule, VkImageLayout layout) {
    return rule.layout == layout && !rule.IsKeptBy(image.usage);
  };
  for (const vk::LayoutUsageRule& rule : vk::LayoutUsageRules()) {
    if (rule.owner != ids.structure) continue;
    const bool old_is_wrong = breaks(rule, part.old_layout);
    if (!old_is_wrong && !breaks(rule, part.new_layout)) continue;
    Error(rule.vuid, where.Dot(old_is_wrong ? "oldLayout" : "newLayout"),
          absl::StrCat("(", vk::ToString(rule.layout), ") needs an image with ", rule.UsagesText(), "; ", Name(),
                       " has ", vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, image.usage), "."),
          "Create the image with the usage, or use another layout.");
  }
}

void ImageChecks::DisabledLayouts() const {
  for (const vk::LayoutFeatureRule& rule : vk::LayoutFeatureRules()) {
    const bool is_old = rule.member == "oldLayout";
    if (rule.owner != ids.structure || rule.layout != (is_old ? part.old_layout : part.new_layout)) continue;
    if (check.limits.device.HasFeatureOrExtension(rule.feature)) continue;
    Error(rule.vuid, where.Dot(rule.member),
          absl::StrCat("is ", vk::ToString(rule.layout), ", which needs the ", rule.feature, " feature."),
          absl::StrCat("Enable ", rule.feature, " at vkCreateDevice()."));
  }
}

void CheckLayouts(const ImageChecks& of) {
  const ImagePart& part = of.part;
  const SyncLimits& limits = of.check.limits;
  if ((part.range.aspectMask & kBoth) != 0) of.AspectLayouts();
  if (!limits.LayoutIsEnabled(part.old_layout) || !limits.LayoutIsEnabled(part.new_layout)) [[unlikely]]
    of.DisabledLayouts();
  if (!part.changes_image()) return;
  if (IsOneOf(part.new_layout, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PREINITIALIZED)) [[unlikely]] {
    of.Error(of.ids.new_layout, of.where.Dot("newLayout"),
             absl::StrCat("is ", vk::ToString(part.new_layout), ", which no image can be brought into."),
             "Name the layout in which the image is used next.");
  }
  if (!limits.LayoutFits(part.old_layout, of.image.usage) || !limits.LayoutFits(part.new_layout, of.image.usage))
      [[unlikely]] {
    of.Usages();
  }
}

// The aspects of a barrier for the whole of an image, which suit the format; 0 for an external format.
VkImageAspectFlags AllAspects(VkFormat format) {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr) return 0;
  const VkImageAspectFlags color = info->aspects & VK_IMAGE_ASPECT_COLOR_BIT;
  return color != 0 ? color : info->aspects;
}

}  // namespace

bool IsPlain(const SyncLimits& limits, const ImagePart& part) {
  const auto* const image = state::DeviceState::Get<state::Image>(part.image);
  if (image == nullptr || (!image->memory && !image->is_presentable)) return false;
  if (part.families.src != VK_QUEUE_FAMILY_IGNORED || part.families.dst != VK_QUEUE_FAMILY_IGNORED) return false;
  if (!IsInImage(part.range, image->create_info)) return false;
  if (part.range.aspectMask == 0 || part.range.aspectMask != AllAspects(image->create_info.format)) return false;
  if (!SyncLimits::IsCoreLayout(part.old_layout) || !SyncLimits::IsCoreLayout(part.new_layout)) return false;
  return !part.changes_image() ||
         (!IsOneOf(part.new_layout, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PREINITIALIZED) &&
          limits.LayoutFits(part.old_layout, image->usage) && limits.LayoutFits(part.new_layout, image->usage));
}

void CheckImage(const Check& check, const ImageIds& ids, const ImagePart& part, const messages::Location& where) {
  const auto* image = state::DeviceState::Get<state::Image>(part.image);
  if (image == nullptr) return;
  const ImageChecks checks{check, ids, part, *image, where};
  checks.Range();
  checks.Aspects();
  CheckLayouts(checks);
  const bool is_sparse = (image->create_info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
  if (!image->memory && !image->is_presentable && !is_sparse) [[unlikely]] {
    checks.Error(ids.memory, where.Dot("image"), absl::StrCat(checks.Name(), " has no memory."),
                 "Call vkBindImageMemory() before.");
  }
  CheckQueueFamilies(check, ids.queue_families, {checks.object(), image->create_info.sharingMode, part.families},
                     where);
}

template <class B>
const ImageIds& ImageIdsOf() {
  static constexpr ImageIds kIds = {.structure = NameOf<B>::kName,
                                    .queue_families = kQueueFamilyIds<B>,
                                    .first_level = IdOf<B>("subresourceRange-01486"),
                                    .levels = IdOf<B>("subresourceRange-01724"),
                                    .first_layer = IdOf<B>("subresourceRange-01488"),
                                    .layers = IdOf<B>("subresourceRange-01725"),
                                    .aspects_of_format = IdOf<B>("subresourceRange-09601"),
                                    .single_plane = IdOf<B>("image-09241"),
                                    .not_disjoint = IdOf<B>("image-09242"),
                                    .disjoint = IdOf<B>("image-01672"),
                                    .either_aspect = IdOf<B>("image-03319"),
                                    .both_aspects = IdOf<B>("image-03320"),
                                    .stencil_layout = IdOf<B>("aspectMask-08702"),
                                    .depth_layout = IdOf<B>("aspectMask-08703"),
                                    .new_layout = IdOf<B>("newLayout-01198"),
                                    .memory = IdOf<B>("image-01932")};
  return kIds;
}
template const ImageIds& ImageIdsOf<VkImageMemoryBarrier>();
template const ImageIds& ImageIdsOf<VkImageMemoryBarrier2>();

}  // namespace assay::core
