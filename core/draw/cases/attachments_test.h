// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_ATTACHMENTS_TEST_H_
#define ASSAY_CORE_DRAW_CASES_ATTACHMENTS_TEST_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/draw/cases/draw_test.h"

// Test-only: draws with states and attachments that suit each other, or do not.
namespace assay::core {

inline constexpr VkSampleCountFlagBits kFour = VK_SAMPLE_COUNT_4_BIT;
inline constexpr VkFormat kColor = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepth = VK_FORMAT_D24_UNORM_S8_UINT;

inline constexpr VkDynamicState kSamples = VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT;
inline constexpr VkDynamicState kEnables = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT;
inline constexpr VkDynamicState kEquations = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
inline constexpr VkDynamicState kAdvanced = VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT;
inline constexpr VkDynamicState kMasks = VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT;

// Breaks no rule if `rule` is empty.
struct AttachmentCase {
  std::string_view rule;
  PipelineOptions pipeline;
  RenderingOptions rendering = {};
  SetFunction set = nullptr;
  // What is set instead of that to break no rule.
  SetFunction right = nullptr;
};

class Attachments : public DrawTest {
 protected:
  // In a render pass instance of `rendering`. `bind` binds; `set` sets what breaks the rule, and `right` what breaks
  // none.
  template <class F>
  void ForDraws(std::string_view rule, const RenderingOptions& rendering, const F& bind, const SetFunction& set,
                const SetFunction& right) {
    SCOPED_TRACE(rule.empty() ? "correct" : rule);
    RecordEach(DrawRecording::kGraphics, [&] {
      // Generated commands have rules of their own about views and densities.
      if (call_->command == vk::CommandId::kCmdExecuteGeneratedCommandsEXT &&
          (rendering.view_mask != 0 || rendering.has_density_map))
        return;
      RenderInstead(rendering);
      if (may_report_begin_) messages.Take();
      bind();
      if (set) set(vk, commands_);
      ExpectRule(rule);
    });
    if (right) ForDraws("", rendering, bind, right, nullptr);
  }
  void RunCases(const std::vector<AttachmentCase>& cases) {
    for (const AttachmentCase& row : cases)
      ForDraws(row.rule, row.rendering, [&] { BindWith(row.pipeline); }, row.set, row.right);
  }
  // With shader objects, after everything was set.
  void RunShaders(std::string_view rule, const RenderingOptions& rendering, const SetFunction& set,
                  const SetFunction& right = nullptr) {
    ForDraws(rule, rendering, [&] { BindAndSetAll(); }, set, right);
  }
  // Sets a state to each value: with pipelines that have it as dynamic state, or shader objects without a rule.
  void RunState(std::string_view of_pipelines, std::string_view of_shaders, const PipelineOptions& with,
                const RenderingOptions& rendering, const SetFunction& wrong, const SetFunction& right) {
    RunCases({{of_pipelines, with, rendering, wrong, right}});
    if (!of_shaders.empty()) RunShaders(of_shaders, rendering, wrong, right);
  }
  // Each subpass has the first attachment for color and, if there is one, the second for depth and stencil.
  VkRenderPass MakePass(const std::vector<VkFormat>& formats, VkImageLayout depth_layout, uint32_t subpass_count,
                        VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE) {
    std::vector<VkAttachmentDescription2> attachments(formats.size(), {.samples = VK_SAMPLE_COUNT_1_BIT,
                                                                       .loadOp = load,
                                                                       .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                                       .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                                       .finalLayout = VK_IMAGE_LAYOUT_GENERAL});
    for (size_t i = 0; i < formats.size(); ++i) attachments[i].format = formats[i];
    constexpr VkImageAspectFlags kDepthAndStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    const auto color = Of<VkAttachmentReference2>(0, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT);
    const auto depth = Of<VkAttachmentReference2>(1, depth_layout, kDepthAndStencil);
    const VkSubpassDescription2 subpass = {.colorAttachmentCount = 1,
                                           .pColorAttachments = &color,
                                           .pDepthStencilAttachment = formats.size() == 2 ? &depth : nullptr};
    return MakeRenderPass(attachments, std::vector(subpass_count, subpass));
  }
  void AddFragment(ShaderAddition addition) {
    addition.stages = VK_SHADER_STAGE_FRAGMENT_BIT;
    addition.declarations = absl::StrCat("%float = OpTypeFloat 32\n", addition.declarations);
    Add(addition);
  }
  // A fragment shader that writes a vector at a location.
  void AddOutput(int components, int location) {
    AddFragment({.declarations =
                     absl::StrCat("%color = OpTypeVector %float ", components, "\n", "%null = OpConstantNull %color\n"),
                 .globals = {{"%output", "Output", "%color", absl::StrCat("Location ", location)}},
                 .body = "OpStore %output %null\n"});
  }

  // Whether BeginRendering() may report: the instance of BeginFor() had other layouts.
  bool may_report_begin_ = true;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_ATTACHMENTS_TEST_H_
