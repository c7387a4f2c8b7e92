// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/render_passes/render_pass_test.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "vk/enum_to_string.h"
#include "vk/sync/sync_rule_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

struct BeginCase {
  const char* rule;
  std::function<void(VkRenderPassBeginInfo&)> change;
};

TEST_F(RenderPassBegins, Areas) {
  const VkRenderPassBeginInfo begin = BeginOf({});
  VkDeviceGroupRenderPassBeginInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO,
                                            .deviceMask = 1};
  VkRect2D area = {{0, 0}, {64, 64}};
  const auto with_area = [&](int32_t x, int32_t y) {
    return [&, x, y](VkRenderPassBeginInfo& b) {
      area.offset = {x, y};
      group.deviceRenderAreaCount = 1;
      group.pDeviceRenderAreas = &area;
      b.pNext = &group;
      b.renderArea = {{-1, -1}, {0, 0}};
    };
  };
  const std::vector<BeginCase> cases = {
      {nullptr, [](auto& b) { b.renderArea = {{63, 63}, {1, 1}}; }},
      {"BeginInfo-None-08996", [](auto& b) { b.renderArea.extent.width = 0; }},
      {"BeginInfo-None-08997", [](auto& b) { b.renderArea.extent.height = 0; }},
      {"BeginInfo-pNext-02850", [](auto& b) { b.renderArea.offset.x = -1; }},
      {"BeginInfo-pNext-02851", [](auto& b) { b.renderArea.offset.y = -1; }},
      {"BeginInfo-pNext-02852", [](auto& b) { b.renderArea.offset.x = 1; }},
      {"BeginInfo-pNext-02853", [](auto& b) { b.renderArea.extent.height = ~0u; }},
      {nullptr, with_area(0, 0)},
      {"BeginInfo-pNext-02856", with_area(1, 0)},
      {"BeginInfo-pNext-02857", with_area(0, 1)},
  };
  for (const BeginCase& row : cases) {
    VkRenderPassBeginInfo info = begin;
    row.change(info);
    ExpectRule(info, row.rule);
  }
}

TEST_F(RenderPassBegins, ClearValues) {
  const VkClearValue values[5] = {};
  PassOptions options;
  VkRenderPassBeginInfo begin = BeginOf(options);
  // Only stencil is cleared.
  options.targets[kDepth].description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  options.targets[kResolve].description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  begin.renderPass = MakePass(options);
  begin.pClearValues = values;
  begin.clearValueCount = 1;
  ExpectRule(begin, "BeginInfo-clearValueCount-00902");
  begin.clearValueCount = 2;
  ExpectRule(begin, nullptr);
  options.targets[kDepthResolve].description.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  begin.renderPass = MakePass(options);
  ExpectRule(begin, "BeginInfo-clearValueCount-00902");
}

TEST_F(RenderPassBegins, IncompatibleRenderPass) {
  PassOptions options;
  VkRenderPassBeginInfo begin = BeginOf(options);
  options.targets[kColor].description.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  begin.renderPass = MakePass(options);
  ExpectRule(begin, nullptr);
  options.targets[kInput].description.format = VK_FORMAT_R8G8B8A8_SRGB;
  begin.renderPass = MakePass(options);
  ExpectRule(begin, "BeginInfo-renderPass-00904");
}

TEST_F(RenderPassBegins, ImagesOfImagelessFramebuffers) {
  const PassOptions options = {.is_imageless = true};
  const VkRenderPassBeginInfo begin = BeginOf(options);
  struct Case {
    const char* rule;
    std::function<void(PassOptions&)> change;
  };
  const std::vector<Case> cases = {
      {nullptr, [](PassOptions&) {}},
      {"BeginInfo-framebuffer-03208", [](PassOptions& o) { o.left_out = 1; }},
      {"BeginInfo-framebuffer-03209",
       [](PassOptions& o) { o.targets[kColor].image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT; }},
      {"BeginInfo-framebuffer-03211", [](PassOptions& o) { o.targets[kInput].image.extent.width = 65; }},
      {"BeginInfo-framebuffer-03212", [](PassOptions& o) { o.targets[kInput].image.extent.height = 65; }},
      {"BeginInfo-framebuffer-03213", [](PassOptions& o) { o.targets[kInput].view.subresourceRange.layerCount = 1; }},
      {nullptr, [](PassOptions& o) { o.targets[kInput].view.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS; }},
      {nullptr, [](PassOptions& o) { o.targets[kInput].formats.clear(); }},
      {"BeginInfo-framebuffer-04627",
       [](PassOptions& o) { o.targets[kInput].image.usage |= VK_IMAGE_USAGE_SAMPLED_BIT; }},
      {"AttachmentBeginInfo-pAttachments-03218",
       [](PassOptions& o) {
         o.targets[kInput].image.mipLevels = 2;
         o.targets[kInput].view.subresourceRange.levelCount = 2;
       }},
      {"AttachmentBeginInfo-pAttachments-03219",
       [](PassOptions& o) { o.targets[kInput].view.components.r = VK_COMPONENT_SWIZZLE_ZERO; }},
      {"AttachmentBeginInfo-pAttachments-04114",
       [](PassOptions& o) {
         o.targets[kInput].image.imageType = VK_IMAGE_TYPE_3D;
         o.targets[kInput].image.arrayLayers = 1;
         o.targets[kInput].view.viewType = VK_IMAGE_VIEW_TYPE_3D;
         o.targets[kInput].view.subresourceRange.layerCount = 1;
       }},
      {"BeginInfo-framebuffer-09047", [](PassOptions& o) { o.targets[kInput].image.samples = VK_SAMPLE_COUNT_4_BIT; }},
  };
  for (const Case& row : cases) {
    PassOptions changed = options;
    row.change(changed);
    const std::vector<VkImageView> views = MakeViews(changed);
    const VkRenderPassAttachmentBeginInfo given = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
                                                   .attachmentCount = static_cast<uint32_t>(views.size()),
                                                   .pAttachments = views.data()};
    VkRenderPassBeginInfo info = begin;
    info.pNext = &given;
    ExpectRule(info, row.rule);
  }
}

TEST_F(RenderPassBegins, FormatsOfImagelessFramebuffers) {
  PassOptions options = {.is_imageless = true};
  Target& color = options.targets[kColor];
  color.image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  color.formats = {kColorFormat, VK_FORMAT_R8G8B8A8_SRGB};
  VkRenderPassBeginInfo begin = BeginOf(options);
  std::vector<VkImageView> views = MakeViews(options);
  const VkRenderPassAttachmentBeginInfo given = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
                                                 .attachmentCount = static_cast<uint32_t>(views.size()),
                                                 .pAttachments = views.data()};
  begin.pNext = &given;
  ExpectRule(begin, nullptr);
  std::swap(color.formats[0], color.formats[1]);
  views[kColor] = MakeTargetView(color);
  ExpectRule(begin, nullptr);
  color.view.format = VK_FORMAT_R8G8B8A8_SRGB;
  views[kColor] = MakeTargetView(color);
  ExpectRule(begin, "BeginInfo-framebuffer-03216");
  color.view.format = kColorFormat;
  color.formats = {kColorFormat, VK_FORMAT_R8G8B8A8_UINT};
  views[kColor] = MakeTargetView(color);
  ExpectRule(begin, "BeginInfo-framebuffer-03215");
  color.formats = {kColorFormat};
  views[kColor] = MakeTargetView(color);
  ExpectRule(begin, "BeginInfo-framebuffer-03214");
  options.is_imageless = false;
  begin.framebuffer = BeginOf(options).framebuffer;
  ExpectRule(begin, "BeginInfo-framebuffer-03207");
}

class RenderPassTransforms : public RenderPassBegins {
 protected:
  test::DeviceOptions Options() override { return {.device_extensions = {"VK_QCOM_render_pass_transform"}}; }
};

TEST_F(RenderPassTransforms, Offset) {
  VkRenderPassBeginInfo begin = BeginOf({});
  const VkRenderPassTransformBeginInfoQCOM transform = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM,
      .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR};
  begin.pNext = &transform;
  begin.renderArea = {{0, 0}, {64, 64}};
  ExpectRule(begin, nullptr);
  begin.renderArea.offset.x = 1;
  ExpectRule(begin, "BeginInfo-pNext-02869");
}

class AttachmentUsages : public RenderPassBegins {
 protected:
  test::DeviceOptions Options() override {
    const std::vector<const char*> extensions = {"VK_EXT_attachment_feedback_loop_layout"};
    return {.device_extensions = extensions, .features = features_.Enable(extensions, {})};
  }

  test::ExtensionFeatures features_;
};

// A format that may have the layout.
VkFormat FormatFor(const vk::LayoutUsageRule& rule) {
  if (rule.usages[0] != VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) return kColorFormat;
  const std::string_view layout = vk::ToString(rule.layout);
  const bool has_depth = layout.find("DEPTH") != layout.npos || rule.member == "stencilInitialLayout";
  const bool has_stencil = layout.find("STENCIL") != layout.npos;
  return has_depth && has_stencil ? kDepthFormat : has_depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_S8_UINT;
}

// An attachment that no subpass uses, in the final layout of each rule: with all usages, and without those of the rule.
TEST_F(AttachmentUsages, OfLayouts) {
  for (const vk::LayoutUsageRule& rule : vk::LayoutUsageRules()) {
    if (!rule.owner.starts_with("vkCmdBeginRenderPass")) continue;
    const std::string id(vk::GetVuid(rule.vuid).id);
    SCOPED_TRACE(id);
    const VkFormat format = FormatFor(rule);
    const VkAttachmentDescriptionStencilLayout stencil = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT, .stencilFinalLayout = rule.layout};
    Target target(format, VK_SAMPLE_COUNT_1_BIT,
                  VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                      VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
    target.image.usage |= format != kColorFormat ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                 : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    if (rule.member == "stencilInitialLayout") {
      target.description.pNext = &stencil;
    } else {
      target.description.finalLayout = rule.layout;
    }
    for (const bool is_correct : {true, false}) {
      if (!is_correct) target.image.usage &= ~rule.usages[0];
      const VkRenderPassBeginInfo info = BeginOf({.targets = {target}, .has_references = false});
      BeginAndEnd(info, rule.owner == "vkCmdBeginRenderPass2", is_correct ? "" : id);
    }
  }
}

// One layout in many places is one mistake.
TEST_F(AttachmentUsages, OfSubpasses) {
  PassOptions options;
  Target& color = options.targets[kColor];
  color.image.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  color.layout = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
  BeginAndEnd(BeginOf(options), false, "VUID-vkCmdBeginRenderPass-initialLayout-07001");
  color.description.finalLayout = color.layout;
  BeginAndEnd(BeginOf(options), true, "VUID-vkCmdBeginRenderPass2-initialLayout-07003");
  color.image.usage |= VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
  BeginAndEnd(BeginOf(options), true, "");
}

}  // namespace
}  // namespace assay::core
