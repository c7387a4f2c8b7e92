// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Attachments that shaders read as input attachments, and those that they access as other images, for every draw,
// through the whole layer.

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_test.h"

namespace assay::core {
namespace {

constexpr VkFormat kColor = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkFormat kDepth = VK_FORMAT_D24_UNORM_S8_UINT;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageLayout kLoop = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
constexpr VkPipelineCreateFlags2 kColorLoop = VK_PIPELINE_CREATE_2_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
constexpr VkPipelineCreateFlags2 kDepthLoop = VK_PIPELINE_CREATE_2_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
constexpr VkImageAspectFlags kBothAspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
// Of all attachments.
constexpr VkImageUsageFlags kTargetUsage =
    VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;

// Draws, and what they need; nothing is wrong if `rule` is empty.
struct DrawCase {
  std::string_view rule;
  VkImageView bound;
  RenderingOptions rendering = {};
  PipelineOptions pipeline = {};
};

struct ViewPart {
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  uint32_t level = 0;
  uint32_t layer = 0;
  uint32_t levels = 1;
  VkFormat format = kColor;
};

class AttachmentReads : public BoundTest {
 protected:
  void SetUp() override { StartWith({}); }
  void StartWith(StartOptions options) {
    options.extensions.push_back("VK_KHR_dynamic_rendering_local_read");
    Start(options);
  }
  // The fragment shader does this with the image at binding 0.
  void UseInFragments(const AccessedImage& image, VkDescriptorType type) {
    type_ = type;
    ShaderAddition shader = ShaderWith(image);
    shader.stages = VK_SHADER_STAGE_FRAGMENT_BIT;
    Use(shader, {{0, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT}});
  }
  // An empty index: without InputAttachmentIndex.
  void UseInput(std::string_view index) {
    UseInFragments({.type = "%scalar SubpassData 0 0 0 2 Unknown",
                    .body = "%value = OpImageRead %v4 %loaded %at",
                    .capabilities = Capabilities("InputAttachment"),
                    .decorations = index.empty() ? "" : absl::StrCat("InputAttachmentIndex ", index)},
                   VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT);
  }
  // Of colors or depth, or of other numbers.
  void UseFetch(std::string_view type = "%scalar", std::string_view scalar = "OpTypeFloat 32") {
    UseInFragments({.type = absl::StrCat(type, " 2D 0 0 0 1 Unknown"),
                    .scalar = scalar,
                    .body = "%value = OpImageFetch %v4 %loaded %at Lod %zero"},
                   VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  }
  void UseStencilFetch() { UseFetch("%uint", "OpTypeInt 32 0"); }

  VkImage MakeTarget(VkFormat format = kColor) {
    const bool is_color = format != kDepth;
    const VkImageUsageFlags usage = is_color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_STORAGE_BIT
                                             : VkImageUsageFlags{VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};
    VkImageCreateInfo info = test::ImageInfo(format, 64, usage | kTargetUsage);
    if (is_color) info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    info.mipLevels = info.arrayLayers = 2;
    return MakeImage(info);
  }
  VkImageView ViewOf(VkImage image, const ViewPart& part = {}) {
    return MakeView(image, part.format, {part.aspects, part.level, part.levels, part.layer, 1});
  }
  VkImageView DepthView(VkImage image, VkImageAspectFlags aspects) {
    return ViewOf(image, {.aspects = aspects, .format = kDepth});
  }

  // Each draw in an instance that `begin` begins, or in one of dynamic rendering.
  template <class Bind>
  void ForDraws(std::string_view rule, VkDescriptorSet set, const RenderingOptions& rendering, const Bind& bind) {
    ForDrawsIn(rule, set, [&] { BeginRendering(commands_, rendering); }, bind);
  }
  template <class Begin, class Bind>
  void ForDrawsIn(std::string_view rule, VkDescriptorSet set, const Begin& begin, const Bind& bind) {
    for (const ActionCall& call : ActionCalls()) {
      if (call.point != DrawRecording::kGraphics) continue;
      SCOPED_TRACE(absl::StrCat(call.name, " ", rule));
      BeginFor(call);
      vk.CmdEndRendering(commands_);
      begin();
      ExpectNothing();
      bind();
      BindSet(set);
      ExpectRule(rule);
    }
  }
  void RunCases(const std::vector<DrawCase>& cases) {
    for (const DrawCase& row : cases) {
      ForDraws(row.rule, SetWith(row.bound), row.rendering, [&] {
        BindWith(row.pipeline);
        for (const VkDynamicState state : row.pipeline.dynamic) Set(state, VK_IMAGE_ASPECT_COLOR_BIT);
      });
    }
  }
  // With shader objects, and after vkCmdSetRenderingInputAttachmentIndices if there are indices.
  void RunShaders(std::string_view rule, VkDescriptorSet set, VkImageView color,
                  const VkRenderingInputAttachmentIndexInfo* indices = nullptr) {
    ForDraws(rule, set, {.color = color}, [&] {
      BindAndSetAll();
      if (indices != nullptr) vk.CmdSetRenderingInputAttachmentIndices(commands_, indices);
    });
  }
};

// A render pass whose only attachment is a color attachment and the input attachment of its subpass.
class SubpassInputs : public AttachmentReads {
 protected:
  void Run(std::string_view rule, VkImageView bound, VkImageView attachment, bool is_imageless = false) {
    const auto reference = Of<VkAttachmentReference2>(0, kGeneral, VK_IMAGE_ASPECT_COLOR_BIT);
    const VkRenderPass pass = MakeRenderPass(
        {{.format = kColor, .samples = VK_SAMPLE_COUNT_1_BIT, .initialLayout = kGeneral, .finalLayout = kGeneral}},
        {{.inputAttachmentCount = 1,
          .pInputAttachments = &reference,
          .colorAttachmentCount = 1,
          .pColorAttachments = &reference}});
    const auto views = Of<VkRenderPassAttachmentBeginInfo>(1, &attachment);
    VkRenderPassBeginInfo begin =
        BeginInfo(pass, is_imageless ? MakeImageless(pass) : MakeFramebuffer(pass, {attachment}, 64, 64));
    if (is_imageless) begin.pNext = &views;
    ForDrawsIn(
        rule, SetWith(bound), [&] { vk.CmdBeginRenderPass(commands_, &begin, VK_SUBPASS_CONTENTS_INLINE); },
        [&] { BindWith({.render_pass = pass}); });
  }

 private:
  VkFramebuffer MakeImageless(VkRenderPass pass) {
    constexpr VkImageUsageFlags kUsage =
        kTargetUsage | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    const auto attachment =
        Of<VkFramebufferAttachmentImageInfo>(VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, kUsage, 64, 64, 1, 1, &kColor);
    const auto attachments = Of<VkFramebufferAttachmentsCreateInfo>(1, &attachment);
    const VkFramebufferCreateInfo info = {.pNext = &attachments,
                                          .flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
                                          .renderPass = pass,
                                          .attachmentCount = 1,
                                          .width = 64,
                                          .height = 64,
                                          .layers = 1};
    return MakeFrom(info, vk.CreateFramebuffer, vk.DestroyFramebuffer);
  }
};

TEST_F(SubpassInputs, Views) {
  UseInput("0");
  const VkImage image = MakeTarget();
  const VkImageView attachment = ViewOf(image);
  Run("", attachment, attachment);
  Run("", ViewOf(image), attachment);
  Run("None-07469", ViewOf(MakeTarget()), attachment);
  Run("None-07469", ViewOf(image, {.format = VK_FORMAT_R8G8B8A8_SRGB}), attachment);
  Run("None-07469", ViewOf(image, {.layer = 1}), attachment);
  Run("None-07469", ViewOf(MakeTarget()), attachment, true);
  Run("", attachment, attachment, true);
}
TEST_F(SubpassInputs, Indices) {
  const VkImageView attachment = ViewOf(MakeTarget());
  for (const std::string_view index : {"", "1"}) {
    UseInput(index);
    Run("OpTypeImage-07468", attachment, attachment);
  }
}

TEST_F(AttachmentReads, InputsOfDynamicRendering) {
  const VkImage image = MakeTarget(), depth = MakeTarget(kDepth);
  const VkImageView color = ViewOf(image), both = DepthView(depth, kBothAspects);
  UseInput("0");
  RunCases({{"", ViewOf(image), {.color = color}},
            {"", ViewOf(image), {.color_layout = VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ, .color = color}},
            {"pDepthInputAttachmentIndex-09595", ViewOf(MakeTarget()), {.color = color}},
            {"pDepthInputAttachmentIndex-09595", ViewOf(image, {.level = 1}), {.color = color}}});
  UseInput("");
  RunCases({{"", DepthView(depth, VK_IMAGE_ASPECT_DEPTH_BIT), {.depth = both}},
            {"pDepthInputAttachmentIndex-09595", color, {.depth = both}}});
}
TEST_F(AttachmentReads, InputsOfShaderObjects) {
  StartWith({.has_shader_objects = true});
  const VkImageView color = ViewOf(MakeTarget());
  const uint32_t numbers[] = {7, 8, 9};
  const auto indices = Of<VkRenderingInputAttachmentIndexInfo>(1, &numbers[0], &numbers[1], &numbers[2]);
  UseInput("0");
  RunShaders("", SetWith(color), color);
  RunShaders("InputAttachmentIndex-09597", SetWith(color), color, &indices);
  RunShaders("None-07748", MakeSet(set_layout_), color);
  UseInput("7");
  RunShaders("", SetWith(color), color, &indices);
  RunShaders("InputAttachmentIndex-09597", SetWith(color), color);
  UseInput("");
  RunShaders("pDepthInputAttachmentIndex-09596", SetWith(color), color, &indices);
}

// Only what certainly is the attachment counts: not all mip levels, of which a shader may fetch any.
TEST_F(AttachmentReads, Writes) {
  UseInFragments({.type = "%scalar 2D 0 0 0 2 Rgba8", .body = "OpImageWrite %loaded %at %null4"},
                 VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  const VkImage image = MakeTarget();
  const VkImageView color = ViewOf(image);
  RunCases({{"None-06537", ViewOf(image), {.color = color}},
            {"None-06537", ViewOf(image), {.color_layout = kLoop, .color = color}, {.flags = kColorLoop}},
            {"", ViewOf(image, {.level = 1}), {.color = color}},
            {"", ViewOf(image, {.layer = 1}), {.color = color}},
            {"", ViewOf(MakeTarget()), {.color = color}}});
}
TEST_F(AttachmentReads, ColorLoops) {
  UseFetch();
  const VkImage image = MakeTarget();
  const VkImageView color = ViewOf(image);
  const PipelineOptions dynamic = {.dynamic = {VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT}};
  RunCases({{"None-09000", ViewOf(image), {.color = color}, {.flags = kColorLoop}},
            {"None-09000", ViewOf(image), {.color = color}, dynamic},
            {"", ViewOf(image), {.color_layout = kLoop, .color = color}, {.flags = kColorLoop}},
            {"", ViewOf(image), {.color_layout = kLoop, .color = color}, dynamic},
            {"", ViewOf(image, {.levels = 2}), {.color = color}, {.flags = kColorLoop}},
            {"", ViewOf(image, {.layer = 1}), {.color = color}, {.flags = kColorLoop}},
            {"", ViewOf(MakeTarget()), {.color = color}, {.flags = kColorLoop}},
            {"", ViewOf(image), {.color = color}, {.flags = kDepthLoop}}});
}
TEST_F(AttachmentReads, DepthAndStencilLoops) {
  const VkImage image = MakeTarget(kDepth);
  const VkImageView both = DepthView(image, kBothAspects);
  constexpr VkImageLayout kReadOnly = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  constexpr VkImageLayout kReadOnlyDepth = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
  const auto run = [&](std::string_view rule, VkImageAspectFlags aspect, VkImageLayout layout,
                       bool has_stencil = true) {
    PipelineOptions pipeline = {.flags = kDepthLoop};
    if (!has_stencil) pipeline.stencil = VK_FORMAT_UNDEFINED;
    RunCases({{rule,
               DepthView(image, aspect),
               {.has_stencil = has_stencil, .depth_layout = layout, .stencil_layout = layout, .depth = both},
               pipeline}});
  };
  UseFetch();
  run("None-09001", VK_IMAGE_ASPECT_DEPTH_BIT, kGeneral);
  run("", VK_IMAGE_ASPECT_DEPTH_BIT, kLoop);
  run("", VK_IMAGE_ASPECT_DEPTH_BIT, kReadOnly);
  run("", VK_IMAGE_ASPECT_DEPTH_BIT, kReadOnlyDepth);
  UseStencilFetch();
  run("None-09002", VK_IMAGE_ASPECT_STENCIL_BIT, kGeneral);
  run("None-09002", VK_IMAGE_ASPECT_STENCIL_BIT, kReadOnlyDepth);
  run("", VK_IMAGE_ASPECT_STENCIL_BIT, kLoop);
  run("", VK_IMAGE_ASPECT_STENCIL_BIT, kGeneral, false);
}

// A draw fetches depth, and the next one writes the attachment of that view.
TEST_F(AttachmentReads, WritesAfterReads) {
  UseFetch();
  const VkImage image = MakeTarget(kDepth);
  const VkImageView both = DepthView(image, kBothAspects);
  const VkDescriptorSet set = SetWith(DepthView(image, VK_IMAGE_ASPECT_DEPTH_BIT));
  const auto run = [&](std::string_view rule, const RenderingOptions& rendering, bool writes) {
    ForDraws(rule, set, rendering, [&] {
      BindSet(set);
      BindPlain();
      ExpectSilence();
      BindWith({.dynamic = {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                            VK_DYNAMIC_STATE_DEPTH_COMPARE_OP}});
      Set(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_TRUE);
      Set(VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, writes ? VK_TRUE : VK_FALSE);
      Set(VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_COMPARE_OP_LESS);
    });
  };
  run("None-06539", {.depth = both}, true);
  run("", {.depth = both}, false);
  run("", {}, true);
  run("", {.depth_layout = kLoop, .stencil_layout = kLoop, .depth = both}, true);
}

}  // namespace
}  // namespace assay::core
