// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// "Fragment Output Interface" and "Fragment Input Attachment Interface".

#include "absl/strings/str_cat.h"
#include "core/interfaces/pipeline_stages.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

// The aspect of an attachment with depth and stencil that a variable of the kind reads: depth is a float, stencil an
// unsigned integer. 0 if the kind does not decide it.
VkImageAspectFlags AspectRead(InterfaceType::Kind kind) {
  switch (kind) {
    case InterfaceType::Kind::kFloat:
      return VK_IMAGE_ASPECT_DEPTH_BIT;
    case InterfaceType::Kind::kUnsignedInt:
      return VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
      return 0;
  }
}

}  // namespace

void CheckInputAspects(const CheckedStage& fragment, const state::RenderPass& render_pass,
                       const state::Subpass& subpass, messages::Report& report) {
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  for (const ResourceVariable& resource : fragment.interface->resources) {
    const uint32_t index = resource.input_attachment_index.value_or(~0u);
    if (resource.array_length || index >= subpass.inputs.size() || !subpass.inputs[index].is_used()) continue;
    const state::AttachmentReference& input = subpass.inputs[index];
    const VkImageAspectFlags read = AspectRead(resource.sampled_kind);
    if (render_pass.attachments[input.attachment].aspects != kBoth || read == 0 || (read & input.aspects) != 0)
      continue;
    report.Error(
        vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-01565"), {messages::Object(fragment.module)},
        fragment.where,
        absl::StrCat("is a fragment shader that reads ", vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, read),
                     " through ", fragment.Texts().Of(resource.variable), ", but input attachment ", index,
                     " of the subpass has the aspectMask ",
                     vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, input.aspects), "."),
        "Add the aspect to the input attachment's aspectMask.");
  }
}

void CheckFragment(const CheckedStage& fragment, const VkPipelineMultisampleStateCreateInfo* multisample,
                   messages::Report& report) {
  const StageInterface& outputs = fragment.interface->outputs;
  if (multisample == nullptr || multisample->alphaToCoverageEnable == VK_FALSE) return;
  if (!outputs.is_complete || outputs.At(0, 3) != nullptr) return;
  report.Error(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-alphaToCoverageEnable-08891"),
               {messages::Object(fragment.module)}, fragment.where,
               "is a fragment shader that has no output for component 3 of location 0, from which "
               "alphaToCoverageEnable takes the coverage.",
               "Declare an output vec4 at location 0, or set alphaToCoverageEnable to VK_FALSE.");
}

}  // namespace assay::core
