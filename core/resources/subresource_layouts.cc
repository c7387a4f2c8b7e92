// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Questions about images that were created, or are to be.

#include <bit>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "core/resources/resource_ids.h"
#include "core/resources/resource_rules.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

struct SubresourceFacts {
  const VkImageCreateInfo& of;
  const VkImageSubresource& subresource;
  const vk::FormatInfo* format = vk::GetFormatInfo(of.format);

  bool HasModifiers() const { return of.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT; }
  bool IsLinear() const { return of.tiling == VK_IMAGE_TILING_LINEAR; }
  VkImageAspectFlags aspects() const { return subresource.aspectMask; }
  // Of an image with both, an aspect is one of them: then the rules of both aspects cannot hold.
  bool HasOnly(VkImageAspectFlags depth_or_stencil) const {
    return format != nullptr && (format->aspects & kDepthStencil) == depth_or_stencil;
  }
};
using vk::FamilyVuid;
using S = const SubresourceFacts&;

template <class C>
constexpr CreationRule<SubresourceFacts> kRules[] = {
    {FamilyVuid<C>("image-07790"), "aspectMask", "image.tiling",
     [](S s) { return !s.IsLinear() && !s.HasModifiers(); }},
    {FamilyVuid<C>("mipLevel-01716"), "mipLevel", "image.mipLevels",
     [](S s) { return s.subresource.mipLevel >= s.of.mipLevels; }},
    {FamilyVuid<C>("arrayLayer-01717"), "arrayLayer", "image.arrayLayers",
     [](S s) { return s.subresource.arrayLayer >= s.of.arrayLayers; }},
    {FamilyVuid<C>("aspectMask-00997"), "aspectMask", "itself: it is not one bit",
     [](S s) { return !std::has_single_bit(s.aspects()); }},
    {FamilyVuid<C>("tiling-08717"), "aspectMask", "image.format",
     [](S s) {
       return s.IsLinear() && HasPlanes(s.format) && (s.aspects() & ~(s.format->aspects & kPlaneAspects)) != 0;
     }},
    {FamilyVuid<C>("format-04462"), "aspectMask", "image.format",
     [](S s) { return s.HasOnly(VK_IMAGE_ASPECT_DEPTH_BIT) && (s.aspects() & VK_IMAGE_ASPECT_DEPTH_BIT) == 0; }},
    {FamilyVuid<C>("format-04463"), "aspectMask", "image.format",
     [](S s) { return s.HasOnly(VK_IMAGE_ASPECT_STENCIL_BIT) && (s.aspects() & VK_IMAGE_ASPECT_STENCIL_BIT) == 0; }},
    {FamilyVuid<C>("format-04464"), "aspectMask", "image.format",
     [](S s) { return s.HasOnly(0) && (s.aspects() & kDepthStencil) != 0; }},
    {FamilyVuid<C>("format-08886"), "aspectMask", "image.format",
     [](S s) {
       return s.HasOnly(0) && !HasPlanes(s.format) && !s.HasModifiers() && s.aspects() != VK_IMAGE_ASPECT_COLOR_BIT;
     }},
};

}  // namespace

void AddSubresourceIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kRules<vk::GetImageSubresourceLayout>, ids);
  AddIds(kRules<vk::GetImageSubresourceLayout2>, ids);
  AddIds(kRules<vk::GetDeviceImageSubresourceLayout>, ids);
}

template <class C>
void ResourceRules::CheckSubresource(const VkImageCreateInfo& of, const VkImageSubresource& subresource,
                                     messages::ObjectRef object, const messages::Location& where,
                                     messages::Report& report) const {
  CreationCheck check(device_, object, "VkImageSubresource", &subresource, where, report);
  check.Name("image", "VkImageCreateInfo", &of);
  check.Run(kRules<C>, {.of = of, .subresource = subresource});
}

void ResourceRules::PreCallValidate(const vk::GetImageSubresourceLayout& call, messages::Report& report) const {
  const auto* const image = state::DeviceState::Get<state::Image>(call.image);
  if (image == nullptr || call.pSubresource == nullptr) return;
  const messages::Location command = report.location();
  CheckSubresource<vk::GetImageSubresourceLayout>(image->create_info, *call.pSubresource, messages::Object(call.image),
                                                  command.Dot("pSubresource"), report);
}
void ResourceRules::PreCallValidate(const vk::GetImageSubresourceLayout2& call, messages::Report& report) const {
  const auto* const image = state::DeviceState::Get<state::Image>(call.image);
  if (image == nullptr || call.pSubresource == nullptr) return;
  const messages::Location command = report.location();
  CheckSubresource<vk::GetImageSubresourceLayout2>(image->create_info, call.pSubresource->imageSubresource,
                                                   messages::Object(call.image),
                                                   command.Dot("pSubresource.imageSubresource"), report);
}
void ResourceRules::PreCallValidate(const vk::GetDeviceImageSubresourceLayout& call, messages::Report& report) const {
  const VkDeviceImageSubresourceInfo* const info = call.pInfo;
  if (info == nullptr || info->pCreateInfo == nullptr || info->pSubresource == nullptr) return;
  const messages::Location command = report.location();
  CheckSubresource<vk::GetDeviceImageSubresourceLayout>(*info->pCreateInfo, info->pSubresource->imageSubresource,
                                                        messages::Object(call.device),
                                                        command.Dot("pInfo->pSubresource->imageSubresource"), report);
}

void ResourceRules::PreCallValidate(const vk::GetImageDrmFormatModifierPropertiesEXT& call,
                                    messages::Report& report) const {
  const auto* const image = state::DeviceState::Get<state::Image>(call.image);
  if (image == nullptr || image->create_info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT) return;
  report.Error(vk::Vuid("VUID-vkGetImageDrmFormatModifierPropertiesEXT-image-02272"), {messages::Object(call.image)},
               report.location().Dot("image"),
               absl::StrCat("was created with tiling (", vk::ToString(image->create_info.tiling), ")."));
}

}  // namespace assay::core
