// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What one attachment must be, and that attachments suit each other.

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/render_passes/attachment_views.h"
#include "core/rendering/rendering_rules.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using state::ImageView;
using vk::Vuid;
using vk::VuidIndex;

// By AttachmentKind.
struct AttachmentIds {
  VuidIndex usage;
  VuidIndex resolve_usage;
  VuidIndex components;
  VuidIndex resolve_components;
  VuidIndex aspect = vk::kNoVuid;
  VuidIndex modes = vk::kNoVuid;
  VuidIndex external = vk::kNoVuid;
};
constexpr AttachmentIds kIds[] = {
    {Vuid("VUID-VkRenderingInfo-colorAttachmentCount-06087"), Vuid("VUID-VkRenderingInfo-colorAttachmentCount-09476"),
     Vuid("VUID-VkRenderingInfo-colorAttachmentCount-09479"), Vuid("VUID-VkRenderingInfo-colorAttachmentCount-09480")},
    {Vuid("VUID-VkRenderingInfo-pDepthAttachment-06088"), Vuid("VUID-VkRenderingInfo-pDepthAttachment-09477"),
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-09481"), Vuid("VUID-VkRenderingInfo-pDepthAttachment-09482"),
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-06547"), Vuid("VUID-VkRenderingInfo-pDepthAttachment-06102"),
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-09318")},
    {Vuid("VUID-VkRenderingInfo-pStencilAttachment-06089"), Vuid("VUID-VkRenderingInfo-pStencilAttachment-09478"),
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-09483"), Vuid("VUID-VkRenderingInfo-pStencilAttachment-09484"),
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-06548"), Vuid("VUID-VkRenderingInfo-pStencilAttachment-06103"),
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-09319")},
};

// Layouts that an attachment of the kind, or what it resolves to, must not have.
struct LayoutRule {
  AttachmentKind kind;
  std::array<VkImageLayout, 4> layouts;
  VuidIndex layout;
  VuidIndex resolve_layout;
};
constexpr LayoutRule kLayoutRules[] = {
    {AttachmentKind::kColor,
     {VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL},
     Vuid("VUID-VkRenderingInfo-colorAttachmentCount-06090"),
     Vuid("VUID-VkRenderingInfo-colorAttachmentCount-06091")},
    {AttachmentKind::kColor,
     {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL},
     Vuid("VUID-VkRenderingInfo-colorAttachmentCount-06096"),
     Vuid("VUID-VkRenderingInfo-colorAttachmentCount-06097")},
    {AttachmentKind::kColor,
     {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL},
     Vuid("VUID-VkRenderingInfo-colorAttachmentCount-06100"),
     Vuid("VUID-VkRenderingInfo-colorAttachmentCount-06101")},
    {AttachmentKind::kDepth,
     {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-06092"),
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-06093")},
    {AttachmentKind::kDepth,
     {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL},
     vk::kNoVuid,
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-06098")},
    {AttachmentKind::kDepth,
     {VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL},
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-07732"),
     Vuid("VUID-VkRenderingInfo-pDepthAttachment-07733")},
    {AttachmentKind::kStencil,
     {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-06094"),
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-06095")},
    {AttachmentKind::kStencil,
     {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL},
     vk::kNoVuid,
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-06099")},
    {AttachmentKind::kStencil,
     {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL},
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-07734"),
     Vuid("VUID-VkRenderingInfo-pStencilAttachment-07735")},
};

// Layouts that nothing may resolve to, which stateless reports.
bool IsReadOnly(VkImageLayout layout) {
  return layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL || layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
}

std::string_view Name(VkImageLayout layout) { return vk::EnumName(vk::EnumId::kImageLayout, layout); }
std::string_view Name(VkResolveModeFlagBits mode) { return vk::EnumName(vk::EnumId::kResolveModeFlagBits, mode); }
std::string_view Name(VkFormat format) { return vk::EnumName(vk::EnumId::kFormat, format); }
std::string_view Name(VkSampleCountFlagBits samples) { return vk::EnumName(vk::EnumId::kSampleCountFlagBits, samples); }
VkImageView HandleOf(const ImageView& view) { return reinterpret_cast<VkImageView>(view.handle()); }
VkSampleCountFlagBits SamplesOf(const ImageView& view) { return view.image->create_info.samples; }

VkImageUsageFlags UsageOf(AttachmentKind kind) {
  return kind == AttachmentKind::kColor ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                        : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
}
std::string WithoutUsage(AttachmentKind kind) {
  return absl::StrCat("was created without ", vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, UsageOf(kind)), ".");
}

// Whether color values are integers; nothing if the format is not known.
std::optional<bool> IsInteger(VkFormat format) {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr || info->components.empty()) return std::nullopt;
  const std::string_view numeric = info->components[0].numeric_format;
  return numeric == "UINT" || numeric == "SINT";
}

constexpr char kNotIdentity[] = "has components that are not the identity.";
constexpr VkResolveModeFlagBits kExternal = VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID;

}  // namespace

void RenderingCheck::CheckAttachment(AttachmentKind kind, const VkRenderingAttachmentInfo& attachment,
                                     const Location& where) {
  const AttachmentIds& ids = kIds[static_cast<size_t>(kind)];
  if (attachment.resolveMode == kExternal) {
    if (kind == AttachmentKind::kColor) return CheckExternalResolve(attachment, where);
    return RequireAt(false, ids.external, attachment.imageView, where.Dot("resolveMode"),
                     absl::StrCat("is ", Name(kExternal), "."));
  }
  const ImageView* const view = Find(attachment.imageView);
  if (view == nullptr) return;
  const Location at = where.Dot("imageView");
  RequireAt((view->usage & UsageOf(kind)) != 0, ids.usage, attachment.imageView, at, WithoutUsage(kind));
  RequireAt(IsIdentity(view->components), ids.components, attachment.imageView, at, kNotIdentity);
  const vk::FormatInfo* const format = vk::GetFormatInfo(view->format);
  if (format != nullptr && kind != AttachmentKind::kColor) {
    const bool is_depth = kind == AttachmentKind::kDepth;
    RequireAt((format->aspects & (is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT)) != 0, ids.aspect,
              attachment.imageView, at,
              absl::StrCat("has the format ", format->name, " without ", is_depth ? "depth." : "stencil."));
  }
  const bool resolves = attachment.resolveMode != VK_RESOLVE_MODE_NONE;
  for (const LayoutRule& rule : kLayoutRules) {
    if (rule.kind != kind) continue;
    const auto check = [&](VuidIndex id, VkImageLayout layout, std::string_view member) {
      const bool is_wrong = layout != VK_IMAGE_LAYOUT_UNDEFINED && std::ranges::count(rule.layouts, layout) != 0;
      if (is_wrong && id != vk::kNoVuid)
        RequireAt(false, id, attachment.imageView, where.Dot(member), absl::StrCat("is ", Name(layout), "."));
    };
    check(rule.layout, attachment.imageLayout, "imageLayout");
    if (resolves && !IsReadOnly(attachment.resolveImageLayout))
      check(rule.resolve_layout, attachment.resolveImageLayout, "resolveImageLayout");
  }
  if (resolves) CheckResolve(kind, attachment, *view, where);
}

void RenderingCheck::CheckResolve(AttachmentKind kind, const VkRenderingAttachmentInfo& attachment,
                                  const ImageView& view, const Location& where) {
  const AttachmentIds& ids = kIds[static_cast<size_t>(kind)];
  const Location mode = where.Dot("resolveMode");
  const std::string is_mode = absl::StrCat("is ", Name(attachment.resolveMode));
  if (kind == AttachmentKind::kColor) {
    if (const std::optional<bool> is_integer = IsInteger(view.format)) {
      RequireAt(attachment.resolveMode == (*is_integer ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_AVERAGE_BIT),
                *is_integer ? Vuid("VUID-VkRenderingAttachmentInfo-imageView-06130")
                            : Vuid("VUID-VkRenderingAttachmentInfo-imageView-06129"),
                attachment.imageView, mode, absl::StrCat(is_mode, ", but the format is ", Name(view.format), "."));
    }
  } else if (const auto* const modes = device_.physical_device->Find<VkPhysicalDeviceDepthStencilResolveProperties>()) {
    const VkResolveModeFlags supported =
        kind == AttachmentKind::kDepth ? modes->supportedDepthResolveModes : modes->supportedStencilResolveModes;
    RequireAt((supported & static_cast<VkResolveModeFlags>(attachment.resolveMode)) != 0, ids.modes,
              attachment.imageView, mode, absl::StrCat(is_mode, ", which the device does not support here."));
  }
  const bool has_target = attachment.resolveImageView != VK_NULL_HANDLE;
  const bool is_single = SamplesOf(view) == VK_SAMPLE_COUNT_1_BIT;
  if (single_sampled_ != nullptr) {
    RequireAt(!is_single || !has_target, Vuid("VUID-VkRenderingAttachmentInfo-imageView-06863"), attachment.imageView,
              where.Dot("resolveImageView"),
              "is not VK_NULL_HANDLE, but the attachment has one sample and is rendered to with more.");
  } else {
    RequireAt(!is_single, Vuid("VUID-VkRenderingAttachmentInfo-imageView-06861"), attachment.imageView, mode,
              absl::StrCat(is_mode, ", but the attachment has one sample."));
    RequireAt(has_target, Vuid("VUID-VkRenderingAttachmentInfo-imageView-06862"), attachment.imageView,
              where.Dot("resolveImageView"), absl::StrCat("is VK_NULL_HANDLE, but resolveMode ", is_mode, "."));
  }
  const ImageView* const target = Find(attachment.resolveImageView);
  if (target == nullptr) return;
  const Location at = where.Dot("resolveImageView");
  RequireAt((target->usage & UsageOf(kind)) != 0, ids.resolve_usage, attachment.resolveImageView, at,
            WithoutUsage(kind));
  RequireAt(IsIdentity(target->components), ids.resolve_components, attachment.resolveImageView, at, kNotIdentity);
  RequireAt(SamplesOf(*target) == VK_SAMPLE_COUNT_1_BIT, Vuid("VUID-VkRenderingAttachmentInfo-imageView-06864"),
            attachment.resolveImageView, at, absl::StrCat("has ", Name(SamplesOf(*target)), "."));
  RequireAt(target->format == view.format, Vuid("VUID-VkRenderingAttachmentInfo-imageView-06865"),
            attachment.resolveImageView, at,
            absl::StrCat("has the format ", Name(target->format), ", but the attachment ", Name(view.format), "."));
}

void RenderingCheck::CheckExternalResolve(const VkRenderingAttachmentInfo& attachment, const Location& where) {
  Require(info_.colorAttachmentCount == 1, Vuid("VUID-VkRenderingInfo-colorAttachmentCount-09320"),
          "colorAttachmentCount",
          absl::StrCat("is ", info_.colorAttachmentCount, ", but a color attachment has ", Name(kExternal), "."));
  RequireAt(attachment.resolveImageView != VK_NULL_HANDLE, Vuid("VUID-VkRenderingAttachmentInfo-resolveMode-09324"),
            attachment.imageView, where.Dot("resolveImageView"), "is VK_NULL_HANDLE.");
  const ImageView* const target = Find(attachment.resolveImageView);
  if (target == nullptr) return;
  const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceExternalFormatResolvePropertiesANDROID>();
  if (limits != nullptr && limits->nullColorAttachmentWithExternalFormatResolve == VK_TRUE) {
    RequireAt(target->image->create_info.samples == VK_SAMPLE_COUNT_1_BIT,
              Vuid("VUID-VkRenderingAttachmentInfo-nullColorAttachmentWithExternalFormatResolve-09325"),
              attachment.resolveImageView, where.Dot("resolveImageView"), "is of an image with several samples.");
    RequireAt(attachment.imageView == VK_NULL_HANDLE, Vuid("VUID-VkRenderingAttachmentInfo-resolveMode-09328"),
              attachment.imageView, where.Dot("imageView"),
              "is not VK_NULL_HANDLE, but nullColorAttachmentWithExternalFormatResolve is VK_TRUE.");
  }
  const uint32_t layers = LayersOf(*target);
  RequireAt(layers == 1, Vuid("VUID-VkRenderingAttachmentInfo-resolveMode-09327"), attachment.resolveImageView,
            where.Dot("resolveImageView"), absl::StrCat("has ", layers, " layers."));
}

void RenderingCheck::CheckDepthStencil() {
  if (info_.pDepthAttachment == nullptr || info_.pStencilAttachment == nullptr) return;
  const VkRenderingAttachmentInfo& depth = *info_.pDepthAttachment;
  const VkRenderingAttachmentInfo& stencil = *info_.pStencilAttachment;
  if (depth.imageView == VK_NULL_HANDLE || stencil.imageView == VK_NULL_HANDLE) return;
  Require(depth.imageView == stencil.imageView, Vuid("VUID-VkRenderingInfo-pDepthAttachment-06085"), "pDepthAttachment",
          "and pStencilAttachment have different views.");
  const bool both_resolve = depth.resolveMode != VK_RESOLVE_MODE_NONE && stencil.resolveMode != VK_RESOLVE_MODE_NONE;
  Require(!both_resolve || depth.resolveImageView == stencil.resolveImageView,
          Vuid("VUID-VkRenderingInfo-pDepthAttachment-06086"), "pDepthAttachment",
          "and pStencilAttachment resolve to different views.");
  const auto* const modes = device_.physical_device->Find<VkPhysicalDeviceDepthStencilResolveProperties>();
  if (modes == nullptr || depth.resolveMode == stencil.resolveMode) return;
  const std::string text = absl::StrCat("resolves with ", Name(depth.resolveMode), ", but pStencilAttachment with ",
                                        Name(stencil.resolveMode), ".");
  if (both_resolve) {
    Require(modes->independentResolve == VK_TRUE, Vuid("VUID-VkRenderingInfo-pDepthAttachment-06105"),
            "pDepthAttachment", text);
  } else {
    Require(modes->independentResolveNone == VK_TRUE, Vuid("VUID-VkRenderingInfo-pDepthAttachment-06104"),
            "pDepthAttachment", text);
  }
}

void RenderingCheck::CheckSamples() {
  const bool may_mix = device_.IsEnabled(vk::ExtensionId::kAmdMixedAttachmentSamples) ||
                       device_.IsEnabled(vk::ExtensionId::kNvFramebufferMixedSamples);
  const bool to_single_sampled = device_.HasFeature(vk::FeatureId::kMultisampledRenderToSingleSampled);
  VkSampleCountFlags samples = 0;
  VkSampleCountFlags color_samples = 0;
  ForEachView([&](AttachmentKind kind, const ImageView& view, const Location& where) {
    const VkSampleCountFlagBits has = SamplesOf(view);
    samples |= static_cast<VkSampleCountFlags>(has);
    if (kind == AttachmentKind::kColor) color_samples |= static_cast<VkSampleCountFlags>(has);
    if (single_sampled_ == nullptr) return;
    const bool is_single = has == VK_SAMPLE_COUNT_1_BIT;
    RequireAt(is_single || has == single_sampled_->rasterizationSamples, Vuid("VUID-VkRenderingInfo-imageView-06858"),
              HandleOf(view), where,
              absl::StrCat("has ", Name(has),
                           ", but VkMultisampledRenderToSingleSampledInfoEXT::rasterizationSamples "
                           "is ",
                           Name(single_sampled_->rasterizationSamples), "."));
    constexpr VkImageCreateFlags kNeeded = VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
    RequireAt(!is_single || (view.image->create_info.flags & kNeeded) != 0,
              Vuid("VUID-VkRenderingInfo-imageView-06859"), HandleOf(view), where,
              "has one sample, but its image was created without "
              "VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT.");
  });
  if (to_single_sampled) return;
  const auto differ = [](VkSampleCountFlags counts) { return (counts & (counts - 1)) != 0; };
  const auto names = [](VkSampleCountFlags counts) {
    return vk::FlagsToString(vk::EnumId::kSampleCountFlagBits, counts);
  };
  if (!may_mix) {
    Require(!differ(samples), Vuid("VUID-VkRenderingInfo-multisampledRenderToSingleSampled-06857"), "pColorAttachments",
            absl::StrCat("and the other attachments have different samples: ", names(samples)));
  } else {
    Require(!differ(color_samples), Vuid("VUID-VkRenderingInfo-imageView-09429"), "pColorAttachments",
            absl::StrCat("have different samples: ", names(color_samples)));
  }
}

// Of images themselves: other images may have the same memory in other ranges.
void RenderingCheck::CheckMemory() {
  std::vector<const ImageView*> colors;
  ForEachView([&](AttachmentKind kind, const ImageView& view, const Location& where) {
    if (kind != AttachmentKind::kColor) return;
    const auto& [aspects, level, levels, layer, layers] = view.subresource_range;
    for (const ImageView* other : colors) {
      const VkImageSubresourceRange& range = other->subresource_range;
      const auto overlap = [](uint32_t a, uint32_t count_a, uint32_t b, uint32_t count_b) {
        return a < b ? b - a < count_a : a - b < count_b;
      };
      const bool shares = other->image.get() == view.image.get() && (range.aspectMask & aspects) != 0 &&
                          overlap(level, levels, range.baseMipLevel, range.levelCount) &&
                          overlap(layer, layers, range.baseArrayLayer, range.layerCount);
      RequireAt(!shares, Vuid("VUID-VkRenderingInfo-None-09044"), HandleOf(view), where,
                absl::StrCat("is of the same texels as another color attachment, ",
                             report_.reporter().Describe(messages::Object(HandleOf(*other))), "."));
    }
    colors.push_back(&view);
  });
}

}  // namespace assay::core
