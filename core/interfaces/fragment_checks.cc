// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// "Fragment Output Interface" and "Fragment Input Attachment Interface".

#include <string>

#include "absl/strings/str_cat.h"
#include "core/interfaces/pipeline_stages.h"

namespace assay::core {
namespace {

using messages::Object;
using messages::Report;
using Kind = InterfaceType::Kind;

constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

bool IsInputAttachment(const ResourceVariable& resource) {
  return resource.kind == ResourceVariable::Kind::kInputAttachment && resource.input_attachment_index.has_value();
}

class FragmentCheck {
 public:
  FragmentCheck(const CheckedStage& fragment, const FragmentState& state, Report& report)
      : fragment_(fragment), state_(state), report_(report) {}

  void CheckAlpha() {
    const StageInterface& outputs = fragment_.interface->outputs;
    if (state_.multisample == nullptr || state_.multisample->alphaToCoverageEnable == VK_FALSE) return;
    if (!outputs.is_complete || outputs.At(0, 3) != nullptr) return;
    Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-alphaToCoverageEnable-08891"),
        "has no output for component 3 of location 0, from which alphaToCoverageEnable takes the coverage.",
        "Declare an output vec4 at location 0, or set alphaToCoverageEnable to VK_FALSE.");
  }

  void CheckAttachment(const ResourceVariable& input) {
    const uint32_t index = *input.input_attachment_index;
    if (state_.input_attachment_limit && index >= *state_.input_attachment_limit) {
      Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09652"),
          absl::StrCat("uses the input attachment ", Text(input), ", but VkPipelineRenderingCreateInfo has only ",
                       *state_.input_attachment_limit, " color attachments."),
          "Use a smaller InputAttachmentIndex, or chain VkRenderingInputAttachmentIndexInfo.");
    }
    const state::Subpass* const subpass =
        state_.render_pass != nullptr ? state_.render_pass->At(state_.subpass) : nullptr;
    // Which elements of an array are read is not known.
    if (subpass == nullptr || index >= subpass->inputs.size() || input.array_length) return;
    const state::AttachmentReference& reference = subpass->inputs[index];
    if (!reference.is_used()) {
      return Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06038"),
                 absl::StrCat("uses the input attachment ", Text(input), ", but pInputAttachments[", index,
                              "].attachment of subpass ", state_.subpass, " is VK_ATTACHMENT_UNUSED."),
                 "");
    }
    const VkImageAspectFlags all = state_.render_pass->attachments[reference.attachment].aspects;
    if ((all & kDepthStencil) != kDepthStencil || input.sampled_kind == Kind::kOther) return;
    const bool reads_depth = input.sampled_kind == Kind::kFloat;
    const VkImageAspectFlags read = reads_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
    if ((reference.aspects & read) != 0) return;
    Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pStages-01565"),
        absl::StrCat("reads the ", reads_depth ? "depth" : "stencil", " of the input attachment ", Text(input),
                     ", but the aspectMask of pInputAttachments[", index, "] of subpass ", state_.subpass,
                     " is without that aspect."),
        "Add the aspect to the aspectMask of the render pass.");
  }

  // Two variables of one kind read the same aspect, whatever the attachment is.
  void CheckPair(const ResourceVariable& a, const ResourceVariable& b) {
    const uint64_t a_begin = *a.input_attachment_index, b_begin = *b.input_attachment_index;
    const uint64_t a_end = a_begin + a.array_length.value_or(1), b_end = b_begin + b.array_length.value_or(1);
    const bool is_float = a.sampled_kind == Kind::kFloat;
    if (a_begin >= b_end || b_begin >= a_end || is_float != (b.sampled_kind == Kind::kFloat)) return;
    Say(vk::Vuid("VUID-RuntimeSpirv-OpEntryPoint-08727"),
        absl::StrCat("uses both ", Text(a), " and ", Text(b), " for one aspect of an input attachment."),
        "Use one variable for each aspect of an input attachment.");
  }

 private:
  std::string Text(const ResourceVariable& input) const {
    return absl::StrCat(fragment_.Texts().Of(input.variable), ", with InputAttachmentIndex ",
                        *input.input_attachment_index);
  }
  void Say(vk::VuidIndex id, const std::string& what, const char* fix) {
    report_.Error(id, {Object(fragment_.module)}, fragment_.where, absl::StrCat("is a fragment shader that ", what),
                  fix);
  }

  const CheckedStage& fragment_;
  const FragmentState& state_;
  Report& report_;
};

}  // namespace

void CheckFragment(const CheckedStage& fragment, const FragmentState& state, Report& report) {
  FragmentCheck check(fragment, state, report);
  check.CheckAlpha();
  const auto& resources = fragment.interface->resources;
  for (size_t i = 0; i < resources.size(); ++i) {
    if (!IsInputAttachment(resources[i])) continue;
    check.CheckAttachment(resources[i]);
    for (size_t j = 0; j < i; ++j) {
      if (IsInputAttachment(resources[j])) check.CheckPair(resources[j], resources[i]);
    }
  }
}

}  // namespace assay::core
