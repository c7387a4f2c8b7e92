// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Input attachments, and the attachments of the subpass or of dynamic rendering that they must be ("Fragment Input
// Attachment Compatibility").

#include <algorithm>
#include <optional>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_accesses.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using state::ImageView;
using state::RenderingAttachment;
using state::RenderPassInstance;

// How a view differs from that of the attachment, which has to be equivalent but for its aspects; empty if it does not.
std::string DifferenceOf(const ImageView& view, const ImageView& attachment, const RenderPassInstance& rendering,
                         const messages::Reporter& reporter) {
  const std::string other = reporter.Describe({VK_OBJECT_TYPE_IMAGE_VIEW, attachment.handle()});
  if (view.format != attachment.format) {
    const auto name = [](VkFormat format) { return vk::EnumName(vk::EnumId::kFormat, format); };
    return absl::StrCat("whose format is ", name(view.format), ", while the attachment ", other, " has ",
                        name(attachment.format));
  }
  const state::Image& image = *view.image;
  if (&image != attachment.image.get()) {
    // They may be two handles of one image of a swapchain.
    if (image.aliases || attachment.image->aliases) return {};
    const auto text = [&](const state::Image& of) { return reporter.Describe({VK_OBJECT_TYPE_IMAGE, of.handle()}); };
    return absl::StrCat("which is a view of ", text(image), ", while the attachment ", other, " is one of ",
                        text(*attachment.image));
  }
  constexpr VkImageAspectFlags kAll = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const auto texels_of = [&](const ImageView& of) {
    state::AddressRanges texels;
    of.AppendAttachment(kAll, rendering.render_area(), rendering.layer_count(), rendering.view_mask(), texels);
    return texels;
  };
  if (texels_of(view) == texels_of(attachment)) return {};
  return absl::StrCat("which has another mip level or other layers than the attachment ", other);
}

// "input attachment 1".
std::string InputText(std::optional<uint32_t> index) {
  return index ? absl::StrCat("input attachment ", *index) : "an input attachment without InputAttachmentIndex";
}

bool CheckSubpass(const DescriptorAccess& access, const RenderPassInstance& rendering, const ImageView* view) {
  const std::optional<uint32_t> index = access.resource.input_attachment_index;
  const state::Subpass* const subpass = rendering.subpass();
  const state::Pipeline* const pipeline = access.shaders.pipeline();
  const state::GraphicsState* const graphics = pipeline != nullptr ? pipeline->graphics.get() : nullptr;
  if (subpass == nullptr || graphics == nullptr || !graphics->render_pass) return true;
  const auto has_input = [&](const state::Subpass* of) { return of != nullptr && index && *index < of->inputs.size(); };
  if (!has_input(subpass)) {
    // Otherwise the pipeline is for another subpass.
    if (has_input(graphics->render_pass->At(graphics->subpass))) return true;
    const messages::ObjectRef pass = {VK_OBJECT_TYPE_RENDER_PASS, rendering.render_pass()->handle()};
    return !access.ReportUse(
        access.ids.Of(DescriptorRule("OpTypeImage-07468")), pass,
        absl::StrCat(InputText(index), ", but subpass ", rendering.subpass_index(), " of ",
                     access.report.reporter().Describe(pass), " has ", subpass->inputs.size(), " input attachments"));
  }
  // Pipelines must not read an attachment that is unused.
  const ImageView* const attachment = rendering.ViewOf(subpass->inputs[*index].attachment);
  if (attachment == nullptr || view == nullptr) return true;
  const std::string difference = DifferenceOf(*view, *attachment, rendering, access.report.reporter());
  return difference.empty() || !access.Report(DescriptorRule("None-07469"), {VK_OBJECT_TYPE_IMAGE_VIEW, view->handle()},
                                              InputText(index), difference);
}

bool CheckRendering(const DescriptorAccess& access, const RenderPassInstance& rendering, const ImageView* view) {
  const std::optional<uint32_t> index = access.resource.input_attachment_index;
  const state::DynamicRendering& dynamic = rendering.dynamic();
  // The attachments that the variable stands for.
  absl::InlinedVector<const RenderingAttachment*, 2> read;
  const size_t colors = std::min(dynamic.colors.size(), dynamic.color_input_indices.size());
  for (size_t i = 0; i < colors; ++i) {
    if (index && dynamic.color_input_indices[i] == *index) read.push_back(&dynamic.colors[i]);
  }
  if (index ? dynamic.depth_input_index == *index : dynamic.depth_input_has_no_index) read.push_back(&dynamic.depth);
  if (index ? dynamic.stencil_input_index == *index : dynamic.stencil_input_has_no_index)
    read.push_back(&dynamic.stencil);
  const DrawRecording& draw = access.shaders.draw;
  if (read.empty()) {
    // The numbers in a pipeline must be those of the command buffer.
    if (draw.HasPipeline(access.shaders.point)) return true;
    const auto shader = reinterpret_cast<uint64_t>(access.shaders.buffer.draw.shader(access.stage));
    const std::string text = absl::StrCat(
        InputText(index), index ? ", which is the index of no attachment by VkRenderingInputAttachmentIndexInfo"
                                : ", but neither pDepthInputAttachmentIndex nor pStencilInputAttachmentIndex was NULL");
    return !access.ReportUse(access.ids.Of(index ? DescriptorRule("InputAttachmentIndex-09597")
                                                 : DescriptorRule("pDepthInputAttachmentIndex-09596")),
                             {VK_OBJECT_TYPE_SHADER_EXT, shader}, text);
  }
  std::string difference;
  for (const RenderingAttachment* const attachment : read) {
    if (view == nullptr || !attachment->view) return true;
    difference = DifferenceOf(*view, *attachment->view, rendering, access.report.reporter());
    if (difference.empty()) return true;
  }
  return !access.Report(DescriptorRule("pDepthInputAttachmentIndex-09595"), {VK_OBJECT_TYPE_IMAGE_VIEW, view->handle()},
                        InputText(index), difference);
}

}  // namespace

bool CheckInputAttachment(const DescriptorAccess& access, const ImageView* view) {
  const RenderPassInstance& rendering = access.shaders.buffer.rendering;
  switch (rendering.kind()) {
    case RenderPassInstance::Kind::kRenderPass:
      return CheckSubpass(access, rendering, view);
    case RenderPassInstance::Kind::kDynamic:
      return CheckRendering(access, rendering, view);
    default:
      return true;
  }
}

}  // namespace assay::core
