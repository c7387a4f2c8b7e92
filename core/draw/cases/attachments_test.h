// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_ATTACHMENTS_TEST_H_
#define ASSAY_CORE_DRAW_CASES_ATTACHMENTS_TEST_H_

#include <functional>
#include <string>
#include <vector>

#include "core/draw/cases/draw_test.h"

// Test-only: draws with states and attachments that suit each other, or do not.
namespace assay::core {

inline constexpr VkSampleCountFlagBits kFour = VK_SAMPLE_COUNT_4_BIT;
inline constexpr VkFormat kColor = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepth = VK_FORMAT_D24_UNORM_S8_UINT;

using SetFunction = std::function<void(const test::Functions&, VkCommandBuffer)>;

// Breaks no rule if `rule` is null.
struct AttachmentCase {
  const char* rule;
  PipelineOptions pipeline;
  RenderingOptions rendering = {};
  SetFunction set = nullptr;
};

class Attachments : public DrawTest {
 protected:
  void ExpectCase(const ActionCall& call, VkCommandBuffer commands, const char* rule) {
    if (rule != nullptr) {
      ExpectRule(call, commands, rule);
    } else {
      ExpectSilence(call, commands);
    }
  }
  // `begin` begins a render pass instance; `with` binds and sets.
  template <class F>
  void ForDraws(const char* rule, const RenderingOptions& rendering, const F& with) {
    for (const ActionCall& call : ActionCalls()) {
      if (call.point != DrawRecording::kGraphics || !MayBeIn(rendering, call)) continue;
      SCOPED_TRACE(std::string(call.name) + " " + (rule != nullptr ? rule : "correct"));
      const VkCommandBuffer commands = BeginFor(call);
      vk.CmdEndRendering(commands);
      BeginRendering(commands, rendering);
      // The first instance had other layouts.
      messages.Take();
      with(call, commands);
      ExpectCase(call, commands, rule);
      EndFor(call, commands);
    }
  }
  void RunCases(const std::vector<AttachmentCase>& cases) {
    for (const AttachmentCase& row : cases) {
      ForDraws(row.rule, row.rendering, [&](const ActionCall& call, VkCommandBuffer commands) {
        PipelineOptions options = row.pipeline;
        options.stages = StagesOf(call);
        Bind(commands, MakePipeline(options));
        if (row.set) row.set(vk, commands);
      });
    }
  }
  // With shader objects, after everything was set.
  void RunShaders(const char* rule, const RenderingOptions& rendering, const SetFunction& set) {
    ForDraws(rule, rendering, [&](const ActionCall& call, VkCommandBuffer commands) {
      BindShaders(commands, StagesOf(call));
      SetAll(commands);
      set(vk, commands);
    });
  }
  VkImageView MakeAttachment(VkFormat format, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT,
                             VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL, VkImageCreateFlags flags = 0) {
    constexpr VkImageUsageFlags kDepthUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    constexpr VkImageUsageFlags kColorUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    return MakeView(MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .flags = flags,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = format,
                               .extent = {64, 64, 1},
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = samples,
                               .tiling = tiling,
                               .usage = format == kDepth ? kDepthUsage : kColorUsage}));
  }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_ATTACHMENTS_TEST_H_
