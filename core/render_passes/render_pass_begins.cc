// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// VkRenderPassBeginInfo against its framebuffer.

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/masks/masks.h"
#include "core/render_passes/attachment_views.h"
#include "core/render_passes/render_pass_compatibility.h"
#include "core/render_passes/render_pass_rules.h"
#include "core/render_passes/view_areas.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/enum_to_string.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::DeviceState;
using state::Framebuffer;

// The rules of one direction of the render area.
struct AreaRules {
  int32_t VkOffset2D::* offset;
  uint32_t VkExtent2D::* extent;
  const uint32_t Framebuffer::* size;
  std::string_view offset_name;
  std::string_view extent_name;
  vk::VuidIndex is_empty;
  vk::VuidIndex is_negative;
  vk::VuidIndex ends_outside;
  vk::VuidIndex device_area_ends_outside;
};

constexpr AreaRules kAreaRules[] = {
    {&VkOffset2D::x, &VkExtent2D::width, &Framebuffer::width, "x", "width",
     vk::Vuid("VUID-VkRenderPassBeginInfo-None-08996"), vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02850"),
     vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02852"), vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02856")},
    {&VkOffset2D::y, &VkExtent2D::height, &Framebuffer::height, "y", "height",
     vk::Vuid("VUID-VkRenderPassBeginInfo-None-08997"), vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02851"),
     vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02853"), vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02857")}};

constexpr ViewAreaIds kAreaIds = {vk::Vuid("VUID-VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM-pNext-07865"),
                                  vk::Vuid("VUID-VkRenderPassBeginInfo-perViewRenderAreaCount-07860"),
                                  vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-09539")};
constexpr AttachmentViewIds kViewIds = {vk::Vuid("VUID-VkRenderPassAttachmentBeginInfo-pAttachments-03218"),
                                        vk::Vuid("VUID-VkRenderPassAttachmentBeginInfo-pAttachments-03219"),
                                        vk::Vuid("VUID-VkRenderPassAttachmentBeginInfo-pAttachments-04114")};

bool HaveSameFormats(const std::vector<VkFormat>& some, const std::vector<VkFormat>& others) {
  const auto all_in = [](const std::vector<VkFormat>& all, const std::vector<VkFormat>& in) {
    return std::ranges::all_of(all, [&](VkFormat format) { return std::ranges::count(in, format) != 0; });
  };
  return all_in(some, others) && all_in(others, some);
}

class BeginCheck {
 public:
  BeginCheck(const VkRenderPassBeginInfo& info, const dispatch::PhysicalDevice& device, messages::Report& report)
      : info_(info),
        device_(device),
        pass_(DeviceState::Get<state::RenderPass>(info.renderPass)),
        framebuffer_(DeviceState::Get<Framebuffer>(info.framebuffer)),
        report_(report) {}

  void Run() const {
    for (const AreaRules& rules : kAreaRules) CheckArea(rules);
    const auto* const transform = vk::FindInChain<VkRenderPassTransformBeginInfoQCOM>(info_.pNext);
    if (transform != nullptr && (info_.renderArea.offset.x != 0 || info_.renderArea.offset.y != 0)) {
      Error(vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02869"), area_.Dot("offset"),
            absl::StrCat("(", info_.renderArea.offset.x, ", ", info_.renderArea.offset.y,
                         ") is not (0, 0), but the chain has a VkRenderPassTransformBeginInfoQCOM."));
    }
    if (transform != nullptr && framebuffer_ != nullptr) CheckTransform(*transform);
    if (const auto* given = vk::FindInChain<VkRenderPassSampleLocationsBeginInfoEXT>(info_.pNext);
        given != nullptr && pass_ != nullptr) {
      CheckLocations(*given);
    }
    if (pass_ != nullptr) {
      uint32_t views = 0;
      for (const state::Subpass& subpass : pass_->subpasses) views |= subpass.view_mask;
      CheckViewAreas(info_.pNext, info_.renderArea, views, kAreaIds, device_, at_, report_);
      CheckClearValues(*pass_);
    }
    if (pass_ != nullptr && framebuffer_ != nullptr && framebuffer_->render_pass) {
      if (const auto difference = DifferenceOf(*pass_, *framebuffer_->render_pass)) {
        Error(vk::Vuid("VUID-VkRenderPassBeginInfo-renderPass-00904"), at_.Dot("renderPass"),
              absl::StrCat("(", Describe(info_.renderPass), ") is not compatible with the render pass of ",
                           Describe(info_.framebuffer), ": they differ in ", difference->Text(), "."));
      }
    }
    if (const auto* given = vk::FindInChain<VkRenderPassAttachmentBeginInfo>(info_.pNext)) CheckViews(*given);
  }

 private:
  template <class Handle>
  std::string Describe(Handle handle) const {
    return report_.reporter().Describe(messages::Object(handle));
  }

  void CheckArea(const AreaRules& rules) const {
    const auto* const group = vk::FindInChain<VkDeviceGroupRenderPassBeginInfo>(info_.pNext);
    if (group != nullptr && group->deviceRenderAreaCount != 0) {
      const Location areas = at_.Next("VkDeviceGroupRenderPassBeginInfo", "pDeviceRenderAreas");
      const auto all = state::Items(group->pDeviceRenderAreas, group->deviceRenderAreaCount);
      for (uint32_t i = 0; i < all.size(); ++i) CheckEnd(all[i], rules, rules.device_area_ends_outside, areas.At(i));
      return;
    }
    const VkRect2D& area = info_.renderArea;
    if (area.extent.*rules.extent == 0)
      Error(rules.is_empty, area_.Dot("extent"), absl::StrCat("has a ", rules.extent_name, " of 0."));
    if (area.offset.*rules.offset < 0) {
      Error(rules.is_negative, area_.Dot("offset"),
            absl::StrCat("has a negative ", rules.offset_name, " (", area.offset.*rules.offset, ")."));
    }
    // The area may be turned before it is compared.
    if (vk::FindInChain<VkRenderPassTransformBeginInfoQCOM>(info_.pNext) == nullptr)
      CheckEnd(area, rules, rules.ends_outside, area_);
  }

  void CheckEnd(const VkRect2D& area, const AreaRules& rules, vk::VuidIndex vuid, const Location& where) const {
    if (framebuffer_ == nullptr) return;
    const int64_t end = int64_t{area.offset.*rules.offset} + area.extent.*rules.extent;
    if (end <= int64_t{framebuffer_->*rules.size}) return;
    Error(vuid, where,
          absl::StrCat("has an offset.", rules.offset_name, " of ", area.offset.*rules.offset, " and an extent.",
                       rules.extent_name, " of ", area.extent.*rules.extent, ", together more than the ",
                       rules.extent_name, " of ", Describe(info_.framebuffer), " (", framebuffer_->*rules.size, ")."));
  }

  // The extent is that of the framebuffer, before it is turned.
  void CheckTransform(const VkRenderPassTransformBeginInfoQCOM& transform) const {
    const bool is_turned = transform.transform == VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR ||
                           transform.transform == VK_SURFACE_TRANSFORM_ROTATE_270_BIT_KHR;
    const auto [width, height] = info_.renderArea.extent;
    if ((is_turned ? height : width) == framebuffer_->width && (is_turned ? width : height) == framebuffer_->height)
      return;
    Error(vk::Vuid("VUID-VkRenderPassBeginInfo-pNext-02870"), area_.Dot("extent"),
          absl::StrCat("(", width, ", ", height, "), with ", vk::ToString(transform.transform), ", is not that of ",
                       Describe(info_.framebuffer), " (", framebuffer_->width, ", ", framebuffer_->height, ")."));
  }

  void CheckLocations(const VkRenderPassSampleLocationsBeginInfoEXT& given) const {
    const Location in_chain = at_.Next("VkRenderPassSampleLocationsBeginInfoEXT");
    const auto check = [&](uint32_t index, size_t count, vk::VuidIndex rule, const Location& where) {
      if (index < count) return;
      Error(rule, where, absl::StrCat("(", index, ") is not less than ", count, ", as many as the render pass has."));
    };
    const auto first =
        state::Items(given.pAttachmentInitialSampleLocations, given.attachmentInitialSampleLocationsCount);
    for (uint32_t i = 0; i < first.size(); ++i) {
      const Location at = in_chain.Dot("pAttachmentInitialSampleLocations", i);
      check(first[i].attachmentIndex, pass_->attachments.size(),
            vk::Vuid("VUID-VkAttachmentSampleLocationsEXT-attachmentIndex-01531"), at.Dot("attachmentIndex"));
    }
    const auto after = state::Items(given.pPostSubpassSampleLocations, given.postSubpassSampleLocationsCount);
    for (uint32_t i = 0; i < after.size(); ++i) {
      const Location at = in_chain.Dot("pPostSubpassSampleLocations", i);
      check(after[i].subpassIndex, pass_->subpasses.size(),
            vk::Vuid("VUID-VkSubpassSampleLocationsEXT-subpassIndex-01532"), at.Dot("subpassIndex"));
    }
  }

  void CheckClearValues(const state::RenderPass& pass) const {
    uint32_t needed = 0;
    for (uint32_t i = 0; i < pass.attachments.size(); ++i) {
      const state::AttachmentDescription& attachment = pass.attachments[i];
      const auto clears = [&](VkImageAspectFlags aspects, VkAttachmentLoadOp load_op) {
        return (attachment.aspects & aspects) != 0 && load_op == VK_ATTACHMENT_LOAD_OP_CLEAR;
      };
      constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
      if (clears(~kStencil, attachment.load_op) || clears(kStencil, attachment.stencil_load_op)) needed = i + 1;
    }
    if (info_.clearValueCount >= needed) return;
    Error(vk::Vuid("VUID-VkRenderPassBeginInfo-clearValueCount-00902"), at_.Dot("clearValueCount"),
          absl::StrCat("(", info_.clearValueCount, ") is not greater than ", needed - 1, ", the last attachment that ",
                       Describe(info_.renderPass), " clears."));
  }

  void CheckViews(const VkRenderPassAttachmentBeginInfo& given) const {
    const auto views = state::Items(given.pAttachments, given.attachmentCount);
    const Location in_chain = at_.Next("VkRenderPassAttachmentBeginInfo");
    const Location count = at_.Next("VkRenderPassAttachmentBeginInfo", "attachmentCount");
    for (uint32_t i = 0; i < views.size(); ++i) {
      const auto* const view = DeviceState::Get<state::ImageView>(views[i]);
      const Location where = in_chain.Dot("pAttachments", i);
      if (view == nullptr || !CheckAttachmentView(*view, kViewIds, where, report_)) continue;
      if (framebuffer_ != nullptr && i < framebuffer_->imageless_attachments.size() && framebuffer_->is_imageless())
        CheckView(i, *view, where);
    }
    if (framebuffer_ == nullptr) return;
    if (!framebuffer_->is_imageless()) {
      if (given.attachmentCount == 0) return;
      Error(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03207"), count,
            absl::StrCat("(", given.attachmentCount, ") is not 0, but ", Describe(info_.framebuffer),
                         " is not imageless."));
    } else if (given.attachmentCount != framebuffer_->imageless_attachments.size()) {
      Error(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03208"), count,
            absl::StrCat("(", given.attachmentCount, ") is not the attachmentImageInfoCount of ",
                         Describe(info_.framebuffer), " (", framebuffer_->imageless_attachments.size(), ")."));
    }
  }

  // Against the description of its image.
  void CheckView(uint32_t index, const state::ImageView& view, const Location& where) const {
    const Framebuffer::ImagelessAttachment& expected = framebuffer_->imageless_attachments[index];
    const state::Image& image = *view.image;
    const VkImageCreateInfo& info = image.create_info;
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()};
    const auto error = [&](vk::VuidIndex vuid, const auto&... text) {
      report_.Error(vuid, {object, messages::Object(info_.framebuffer)}, where,
                    absl::StrCat("(", report_.reporter().Describe(object), ") has ", text..., "."));
    };
    const auto compare = [&](vk::VuidIndex vuid, std::string_view what, const auto& value, const auto& wanted,
                             const auto& text_of) {
      if (value != wanted)
        error(vuid, "the ", what, " ", text_of(value), ", but ", Describe(info_.framebuffer), " was created for ",
              text_of(wanted));
    };
    const auto number = [](uint32_t value) { return value; };
    // A swapchain's images have the flags that the implementation gives them.
    if (!image.is_presentable) {
      compare(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03209"), "image flags", info.flags, expected.flags,
              [](VkFlags flags) { return vk::FlagsToString(vk::EnumId::kImageCreateFlagBits, flags); });
    }
    // Without a list of formats, the sentences compare nothing.
    if (!image.view_formats.empty()) CheckFormats(image.view_formats, expected.view_formats, error);
    // Aspects may have usages of their own.
    if (!image.stencil_usage) {
      compare(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-04627"), "usage", view.usage, expected.usage,
              [](VkFlags usage) { return vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, usage); });
    }
    // Of planes and blocks, the views have other sizes than the image.
    const vk::FormatInfo* const format = vk::GetFormatInfo(info.format);
    if (format != nullptr && format->planes.empty() &&
        (info.flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) == 0) {
      const VkExtent2D extent = ExtentOf(view);
      compare(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03211"), "width", extent.width, expected.width, number);
      compare(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03212"), "height", extent.height, expected.height,
              number);
    }
    compare(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03213"), "layer count", LayersOf(view),
            expected.layer_count, number);
    if (pass_ == nullptr || index >= pass_->attachments.size()) return;
    const state::AttachmentDescription& description = pass_->attachments[index];
    // External formats are undefined.
    if (view.format != description.format && view.format != VK_FORMAT_UNDEFINED &&
        description.format != VK_FORMAT_UNDEFINED) {
      error(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03216"), "the format ", vk::ToString(view.format),
            ", but attachment ", index, " of ", Describe(info_.renderPass), " has ", vk::ToString(description.format));
    }
    const bool is_single_sampled = std::ranges::any_of(pass_->subpasses, [](const state::Subpass& subpass) {
      return subpass.single_sampled_rasterization_samples != 0;
    });
    if (info.samples != description.samples && !(is_single_sampled && info.samples == VK_SAMPLE_COUNT_1_BIT)) {
      error(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-09047"), "the samples ", vk::ToString(info.samples),
            ", but attachment ", index, " of ", Describe(info_.renderPass), " has ", vk::ToString(description.samples));
    }
  }

  template <class F>
  static void CheckFormats(const std::vector<VkFormat>& formats, const std::vector<VkFormat>& expected,
                           const F& error) {
    if (formats.size() != expected.size()) {
      error(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03214"), "an image with ", formats.size(),
            " view formats, but viewFormatCount is ", expected.size(), " in the framebuffer's description");
    } else if (!HaveSameFormats(formats, expected)) {
      error(vk::Vuid("VUID-VkRenderPassBeginInfo-framebuffer-03215"),
            "an image with other view formats than pViewFormats in the framebuffer's description");
    }
  }

  void Error(vk::VuidIndex vuid, const Location& where, std::string text) const {
    report_.Error(vuid, {messages::Object(info_.renderPass), messages::Object(info_.framebuffer)}, where,
                  std::move(text));
  }

  const VkRenderPassBeginInfo& info_;
  const dispatch::PhysicalDevice& device_;
  // Null if they are not known.
  const state::RenderPass* const pass_;
  const Framebuffer* const framebuffer_;
  messages::Report& report_;
  const Location call_ = report_.location();
  const Location at_ = call_.Dot("pRenderPassBegin");
  const Location area_ = at_.Dot("renderArea");
};

}  // namespace

void RenderPassRules::CheckBegin(const VkRenderPassBeginInfo& info, const AttachmentRules& rules,
                                 messages::Report& report) const {
  BeginCheck(info, physical_device_, report).Run();
  CheckLayouts(info, rules, report);
}

void RenderPassRules::CheckStages(const VkRenderPassBeginInfo* info, const dispatch::Slot& slot, const StageIds& ids,
                                  messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const auto* const pass = info != nullptr ? DeviceState::Get<state::RenderPass>(info->renderPass) : nullptr;
  if (buffer == nullptr || pass == nullptr) return;
  const Check check = {sync_limits_, report, {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer->handle()}};
  const Location command = report.location();
  const Location begin = command.Dot("pRenderPassBegin");
  for (const state::SubpassDependency& dependency : pass->dependencies) {
    if (dependency.is_implicit) return;
    CheckFamilyStages(check, ids.src, dependency.src_stages, buffer->pool.queue_family, begin.Dot("renderPass"));
    CheckFamilyStages(check, ids.dst, dependency.dst_stages, buffer->pool.queue_family, begin.Dot("renderPass"));
  }
}

}  // namespace assay::core
