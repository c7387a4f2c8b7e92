// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// VkFramebufferCreateInfo against its render pass, and its views or the images that it describes.

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/render_passes/attachment_views.h"
#include "core/render_passes/render_pass_rules.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/enum_to_string.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using state::DeviceState;
using state::SubpassAttachment;

// Of framebuffers with views, and of imageless ones.
using Ids = std::array<vk::VuidIndex, 2>;

constexpr uint8_t kColorOrResolve = SubpassAttachment::kColor | SubpassAttachment::kResolve;
// What has a texel for each pixel.
constexpr uint8_t kPixels = kColorOrResolve | SubpassAttachment::kInput | SubpassAttachment::kDepthStencil |
                            SubpassAttachment::kDepthStencilResolve;

struct UsageRule {
  uint8_t kinds;
  std::string_view name;
  VkImageUsageFlagBits usage;
  Ids ids;
};

constexpr UsageRule kUsageRules[] = {
    {kColorOrResolve,
     "a color or resolve",
     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
     {vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-00877"),
      vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03201")}},
    {SubpassAttachment::kDepthStencil,
     "a depth/stencil",
     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
     {vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-02633"),
      vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03202")}},
    {SubpassAttachment::kDepthStencilResolve,
     "a depth/stencil resolve",
     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
     {vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-02634"),
      vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03203")}},
    {SubpassAttachment::kInput,
     "an input",
     VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
     {vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-00879"),
      vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03204")}},
    {SubpassAttachment::kFragmentShadingRate,
     "a fragment shading rate",
     VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
     {vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04548"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04549")}},
};

struct SizeIds {
  Ids width;
  Ids height;
};

constexpr SizeIds kSizeOfPixels = {
    {vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04533"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04541")},
    {vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04534"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04542")}};
constexpr SizeIds kSizeOfShadingRate = {
    {vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04539"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04543")},
    {vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04540"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04544")}};
constexpr SizeIds kSizeOfDensityMap = {
    {vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-02555"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03196")},
    {vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-02556"),
     vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03197")}};

// Without multiview, and with it.
constexpr std::array<Ids, 2> kLayersOfPixels = {
    {{vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04535"), vk::Vuid("VUID-VkFramebufferCreateInfo-renderPass-04546")},
     {vk::Vuid("VUID-VkFramebufferCreateInfo-renderPass-04536"),
      vk::Vuid("VUID-VkFramebufferCreateInfo-renderPass-03198")}}};
constexpr std::array<Ids, 2> kLayersOfShadingRate = {
    {{vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04538"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04545")},
     {vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04537"), vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04587")}}};

constexpr AttachmentViewIds kViewIds = {vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-00883"),
                                        vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-00884"),
                                        vk::Vuid("VUID-VkFramebufferCreateInfo-flags-04113")};

struct Attachment {
  uint32_t index;
  // Null in an imageless framebuffer.
  const state::ImageView* view;
  VkImageUsageFlags usage;
  VkExtent2D extent;
  uint32_t layers;

  // SubpassAttachment::Kind of all subpasses.
  uint8_t kinds = 0;
  bool is_density_map = false;
  // Of the subpasses that use it; 0 without multiview.
  uint32_t view_mask = 0;
  // The largest one of a fragment shading rate attachment.
  VkExtent2D texel_size = {0, 0};
};

class FramebufferCheck {
 public:
  FramebufferCheck(const RenderPassLimits& limits, const VkFramebufferCreateInfo& info, const state::RenderPass& pass,
                   messages::Report& report)
      : limits_(limits),
        info_(info),
        pass_(pass),
        is_imageless_((info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0),
        report_(report) {
    for (const state::Subpass& subpass : pass.subpasses) view_mask_ |= subpass.view_mask;
  }

  void Run() const {
    if (info_.attachmentCount != pass_.attachments.size()) {
      PassError(vk::Vuid("VUID-VkFramebufferCreateInfo-attachmentCount-00876"), at_.Dot("attachmentCount"),
                absl::StrCat("(", info_.attachmentCount, ") is not the number of attachments of ", Pass(), " (",
                             pass_.attachments.size(), ")."));
    }
    if (is_multiview() && info_.layers != 1) {
      PassError(vk::Vuid("VUID-VkFramebufferCreateInfo-renderPass-02531"), at_.Dot("layers"),
                absl::StrCat("(", info_.layers, ") is not 1, but ", Pass(), " has view masks."));
    }
    is_imageless_ ? CheckDescriptions() : CheckViews();
  }

 private:
  bool is_multiview() const { return view_mask_ != 0; }
  std::string Pass() const { return report_.reporter().Describe(messages::Object(info_.renderPass)); }

  void CheckViews() const {
    const auto views = state::Items(info_.pAttachments, info_.attachmentCount);
    for (uint32_t i = 0; i < std::min(views.size(), pass_.attachments.size()); ++i) {
      const auto* const view = DeviceState::Get<state::ImageView>(views[i]);
      if (view == nullptr || !CheckAttachmentView(*view, kViewIds, at_.Dot("pAttachments", i), report_)) continue;
      Attachment attachment = {i, view, UsagesOf(*view), ExtentOf(*view), LayersOf(*view)};
      FindUses(attachment);
      CheckAttachment(attachment);
      CheckView(attachment, *view, pass_.attachments[i]);
      CheckFlags(attachment, *view->image, pass_.attachments[i]);
    }
  }

  void CheckDescriptions() const {
    const auto* const given = vk::FindInChain<VkFramebufferAttachmentsCreateInfo>(info_.pNext);
    if (given == nullptr) return;
    const uint32_t count = given->attachmentImageInfoCount;
    if (count != 0 && count != info_.attachmentCount) {
      PassError(vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03191"),
                at_.Next("VkFramebufferAttachmentsCreateInfo", "attachmentImageInfoCount"),
                absl::StrCat("(", count, ") is not attachmentCount (", info_.attachmentCount, ")."));
    }
    const auto images = state::Items(given->pAttachmentImageInfos, count);
    for (uint32_t i = 0; i < std::min(images.size(), pass_.attachments.size()); ++i) {
      const VkFramebufferAttachmentImageInfo& image = images[i];
      Attachment attachment = {i, nullptr, image.usage, {image.width, image.height}, image.layerCount};
      FindUses(attachment);
      CheckAttachment(attachment);
      const VkFormat format = pass_.attachments[i].format;
      const auto formats = state::Items(image.pViewFormats, image.viewFormatCount);
      // Images without a list of formats have none here, and may be viewed as the format that they have.
      if (format == VK_FORMAT_UNDEFINED || formats.empty() || std::ranges::count(formats, format) != 0) continue;
      Error(attachment, vk::Vuid("VUID-VkFramebufferCreateInfo-flags-03205"),
            absl::StrCat("does not have ", vk::ToString(format), " among its pViewFormats, the format of attachment ",
                         i, " of ", Pass(), "."));
    }
  }

  void FindUses(Attachment& attachment) const {
    attachment.is_density_map = pass_.fragment_density_map.attachment == attachment.index;
    for (const state::Subpass& subpass : pass_.subpasses) {
      const SubpassAttachment* const used = subpass.FindAttachment(attachment.index);
      if (used == nullptr) continue;
      attachment.kinds |= used->kinds;
      attachment.view_mask |= subpass.view_mask;
      if ((used->kinds & SubpassAttachment::kFragmentShadingRate) == 0) continue;
      VkExtent2D& texel = attachment.texel_size;
      texel.width = std::max(texel.width, subpass.shading_rate_texel_size.width);
      texel.height = std::max(texel.height, subpass.shading_rate_texel_size.height);
    }
  }

  void CheckAttachment(const Attachment& attachment) const {
    for (const UsageRule& rule : kUsageRules) {
      if ((attachment.kinds & rule.kinds) == 0 || (attachment.usage & rule.usage) != 0) continue;
      Error(attachment, rule.ids,
            absl::StrCat("is used as ", rule.name, " attachment by ", Pass(), ", but its usage is ",
                         vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, attachment.usage), ", without ",
                         vk::ToString(rule.usage), "."));
    }
    if ((attachment.kinds & kPixels) != 0) {
      // The sentence is about the image, whichever of its mip levels the view has.
      Attachment image = attachment;
      if (image.view != nullptr)
        image.extent = {image.view->image->create_info.extent.width, image.view->image->create_info.extent.height};
      CheckSize(image, {1, 1}, kSizeOfPixels);
      CheckLayers(attachment, kLayersOfPixels);
    }
    if ((attachment.kinds & SubpassAttachment::kFragmentShadingRate) != 0) {
      const bool is_robust = limits_.has_robust_shading_rate &&
                             (attachment.view == nullptr || attachment.view->subresource_range.baseMipLevel == 0);
      if (!is_robust) CheckSize(attachment, attachment.texel_size, kSizeOfShadingRate);
      if (attachment.layers != 1) CheckLayers(attachment, kLayersOfShadingRate);
    }
    if (attachment.is_density_map) CheckSize(attachment, limits_.density_map_texel_size, kSizeOfDensityMap);
  }

  // Each texel stands for some pixels.
  void CheckSize(const Attachment& attachment, const VkExtent2D& texel, const SizeIds& ids) const {
    const auto check = [&](uint32_t size, uint32_t pixels, uint32_t of_texel, std::string_view name, const Ids& rule) {
      if (of_texel == 0) return;
      const uint32_t needed = pixels / of_texel + (pixels % of_texel != 0 ? 1 : 0);
      if (size >= needed) return;
      Error(attachment, rule,
            absl::StrCat("has a ", name, " of ", size, ", which is less than ",
                         of_texel == 1 ? "" : absl::StrCat(needed, ", which is "), "the framebuffer's ", name, " (",
                         pixels, ")", of_texel == 1 ? "" : absl::StrCat(" in texels of ", of_texel, " pixels"), "."));
    };
    check(attachment.extent.width, info_.width, texel.width, "width", ids.width);
    check(attachment.extent.height, info_.height, texel.height, "height", ids.height);
  }

  void CheckLayers(const Attachment& attachment, const std::array<Ids, 2>& ids) const {
    const uint32_t needed = is_multiview() ? static_cast<uint32_t>(std::bit_width(attachment.view_mask)) : info_.layers;
    if (attachment.layers >= needed) return;
    Error(attachment, ids[is_multiview() ? 1 : 0],
          absl::StrCat("has a layerCount of ", attachment.layers, ", which is less than ", needed, ", ",
                       is_multiview() ? "the views of the subpasses that use it." : "the layers of the framebuffer."));
  }

  void CheckView(const Attachment& attachment, const state::ImageView& view,
                 const state::AttachmentDescription& description) const {
    const auto differs = [&](vk::VuidIndex vuid, std::string_view what, std::string_view one, std::string_view other) {
      Error(attachment, vuid,
            absl::StrCat("has the ", what, " ", one, ", but attachment ", attachment.index, " of ", Pass(), " has ",
                         other, "."));
    };
    const VkImageCreateInfo& image = view.image->create_info;
    // External formats are undefined.
    if (view.format != description.format && view.format != VK_FORMAT_UNDEFINED &&
        description.format != VK_FORMAT_UNDEFINED) {
      differs(vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-00880"), "format", vk::ToString(view.format),
              vk::ToString(description.format));
    }
    if (image.samples != description.samples) {
      differs(vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-00881"), "samples", vk::ToString(image.samples),
              vk::ToString(description.samples));
    }
    const vk::FormatInfo* const format = vk::GetFormatInfo(view.format);
    constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    if (image.imageType == VK_IMAGE_TYPE_3D && format != nullptr && (format->aspects & kDepthStencil) != 0) {
      Error(attachment, vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-00891"),
            absl::StrCat("has the format ", format->name, " and is a view of a 3D image."));
    }
    const auto views = static_cast<uint32_t>(std::bit_width(view_mask_));
    if (attachment.is_density_map && attachment.layers != 1 && (!is_multiview() || attachment.layers < views)) {
      Error(attachment, vk::Vuid("VUID-VkFramebufferCreateInfo-renderPass-02746"),
            absl::StrCat("is the fragment density map and has a layerCount of ", attachment.layers, ", but ", Pass(),
                         " has ", is_multiview() ? absl::StrCat(views, " views.") : "no multiview."));
    }
  }

  void CheckFlags(const Attachment& attachment, const state::Image& image,
                  const state::AttachmentDescription& description) const {
    const VkImageCreateFlags flags = image.create_info.flags;
    const bool is_subsampled = (flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT) != 0;
    if (attachment.is_density_map && is_subsampled) {
      Error(attachment, vk::Vuid("VUID-VkFramebufferCreateInfo-pAttachments-02552"),
            "is the fragment density map, but its image has VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT.");
    }
    if (pass_.fragment_density_map.is_used() && !attachment.is_density_map && !is_subsampled &&
        !limits_.has_non_subsampled_images) {
      Error(attachment, vk::Vuid("VUID-VkFramebufferCreateInfo-renderPass-02553"),
            absl::StrCat("is used with the fragment density map of ", Pass(),
                         ", but its image does not have VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, and "
                         "fragmentDensityMapNonSubsampledImages is not enabled."));
    }
    if (description.samples != VK_SAMPLE_COUNT_1_BIT ||
        (flags & VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT) != 0) {
      return;
    }
    for (const state::Subpass& subpass : pass_.subpasses) {
      constexpr uint8_t kKinds =
          SubpassAttachment::kColor | SubpassAttachment::kDepthStencil | SubpassAttachment::kInput;
      const SubpassAttachment* const used = subpass.FindAttachment(attachment.index);
      if (subpass.single_sampled_rasterization_samples == 0 || used == nullptr || (used->kinds & kKinds) == 0) continue;
      Error(attachment, vk::Vuid("VUID-VkFramebufferCreateInfo-samples-06881"),
            absl::StrCat("is used by subpass ", &subpass - pass_.subpasses.data(), " of ", Pass(),
                         ", which renders several samples to images with one, but its image does not have "
                         "VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT."));
      return;
    }
  }

  void Error(const Attachment& attachment, const Ids& ids, std::string_view text) const {
    Error(attachment, ids[is_imageless_ ? 1 : 0], text);
  }
  void Error(const Attachment& attachment, vk::VuidIndex vuid, std::string_view text) const {
    if (attachment.view == nullptr) {
      const messages::Location images = at_.Next("VkFramebufferAttachmentsCreateInfo", "pAttachmentImageInfos");
      PassError(vuid, images.At(attachment.index), std::string(text));
      return;
    }
    const messages::ObjectRef view = {VK_OBJECT_TYPE_IMAGE_VIEW, attachment.view->handle()};
    report_.Error(vuid, {view, messages::Object(info_.renderPass)}, at_.Dot("pAttachments", attachment.index),
                  absl::StrCat("(", report_.reporter().Describe(view), ") ", text));
  }
  void PassError(vk::VuidIndex vuid, const messages::Location& where, std::string text) const {
    report_.Error(vuid, {messages::Object(info_.renderPass)}, where, std::move(text));
  }

  const RenderPassLimits& limits_;
  const VkFramebufferCreateInfo& info_;
  const state::RenderPass& pass_;
  const bool is_imageless_;
  // Of all subpasses.
  uint32_t view_mask_ = 0;
  messages::Report& report_;
  const messages::Location call_ = report_.location();
  const messages::Location at_ = call_.Dot("pCreateInfo");
};

}  // namespace

RenderPassLimits::RenderPassLimits(const dispatch::Device& device)
    : has_non_subsampled_images(device.HasFeature(vk::FeatureId::kFragmentDensityMapNonSubsampledImages)) {
  const dispatch::PhysicalDevice& physical = *device.physical_device;
  if (const auto* map = physical.Find<VkPhysicalDeviceFragmentDensityMapPropertiesEXT>())
    density_map_texel_size = map->maxFragmentDensityTexelSize;
  const auto* const robust = physical.Find<VkPhysicalDeviceMaintenance7PropertiesKHR>();
  has_robust_shading_rate = device.HasFeature(vk::FeatureId::kMaintenance7) && robust != nullptr &&
                            robust->robustFragmentShadingRateAttachmentAccess == VK_TRUE;
}

void RenderPassRules::PreCallValidate(const vk::CreateFramebuffer& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const auto* const pass = DeviceState::Get<state::RenderPass>(call.pCreateInfo->renderPass);
  if (pass != nullptr) FramebufferCheck(limits_, *call.pCreateInfo, *pass, report).Run();
}

}  // namespace assay::core
