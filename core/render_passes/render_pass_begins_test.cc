// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/render_passes/render_pass_test.h"
#include "vk/enum_to_string.h"
#include "vk/sync/sync_rule_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

// The rule is empty where it is correct.
template <class T>
struct Case {
  const char* rule;
  std::function<void(T&)> change;
};

TEST_F(RenderPassBegins, Areas) {
  const VkRenderPassBeginInfo begin = BeginOf({});
  VkDeviceGroupRenderPassBeginInfo group = {VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, nullptr, 1};
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
  const std::vector<Case<VkRenderPassBeginInfo>> cases = {
      {"", [](auto& b) { b.renderArea = {{63, 63}, {1, 1}}; }},
      {"BeginInfo-None-08996", [](auto& b) { b.renderArea.extent.width = 0; }},
      {"BeginInfo-None-08997", [](auto& b) { b.renderArea.extent.height = 0; }},
      {"BeginInfo-pNext-02850", [](auto& b) { b.renderArea.offset.x = -1; }},
      {"BeginInfo-pNext-02851", [](auto& b) { b.renderArea.offset.y = -1; }},
      {"BeginInfo-pNext-02852", [](auto& b) { b.renderArea.offset.x = 1; }},
      {"BeginInfo-pNext-02853", [](auto& b) { b.renderArea.extent.height = ~0u; }},
      {"", with_area(0, 0)},
      {"BeginInfo-pNext-02856", with_area(1, 0)},
      {"BeginInfo-pNext-02857", with_area(0, 1)},
  };
  for (const auto& [rule, change] : cases) {
    VkRenderPassBeginInfo info = begin;
    change(info);
    ExpectRule(info, rule);
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
  ExpectRule(begin, "");
  options.targets[kDepthResolve].description.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  begin.renderPass = MakePass(options);
  ExpectRule(begin, "BeginInfo-clearValueCount-00902");
}

TEST_F(RenderPassBegins, IncompatibleRenderPass) {
  PassOptions options;
  VkRenderPassBeginInfo begin = BeginOf(options);
  options.targets[kColor].description.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  begin.renderPass = MakePass(options);
  ExpectRule(begin, "");
  options.targets[kInput].description.format = VK_FORMAT_R8G8B8A8_SRGB;
  begin.renderPass = MakePass(options);
  ExpectRule(begin, "BeginInfo-renderPass-00904");
}

TEST_F(RenderPassBegins, ImagesOfImagelessFramebuffers) {
  const PassOptions options = {.is_imageless = true};
  const VkRenderPassBeginInfo begin = BeginOf(options);
  const auto of_input = [](const auto& change) { return OfTarget(kInput, change); };
  const std::vector<Case<PassOptions>> cases = {
      {"", [](PassOptions&) {}},
      {"BeginInfo-framebuffer-03208", [](PassOptions& o) { o.left_out = 1; }},
      {"BeginInfo-framebuffer-03209",
       [](PassOptions& o) { o.targets[kColor].image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT; }},
      {"BeginInfo-framebuffer-03211", of_input([](Target& t) { t.image.extent.width = 65; })},
      {"BeginInfo-framebuffer-03212", of_input([](Target& t) { t.image.extent.height = 65; })},
      {"BeginInfo-framebuffer-03213", of_input([](Target& t) { t.range().layerCount = 1; })},
      {"", of_input([](Target& t) { t.range().layerCount = VK_REMAINING_ARRAY_LAYERS; })},
      {"", of_input([](Target& t) { t.formats.clear(); })},
      {"BeginInfo-framebuffer-04627", of_input([](Target& t) { t.image.usage |= VK_IMAGE_USAGE_SAMPLED_BIT; })},
      {"AttachmentBeginInfo-pAttachments-03218", of_input([](Target& t) { t.SetLevels(2); })},
      {"AttachmentBeginInfo-pAttachments-03219",
       of_input([](Target& t) { t.view.components.r = VK_COMPONENT_SWIZZLE_ZERO; })},
      {"AttachmentBeginInfo-pAttachments-04114", of_input([](Target& t) { t.Set3d(); })},
      {"BeginInfo-framebuffer-09047", of_input([](Target& t) { t.image.samples = kFour; })},
  };
  for (const auto& [rule, change] : cases) {
    PassOptions changed = options;
    change(changed);
    const std::vector<VkImageView> views = MakeViews(changed);
    const VkRenderPassAttachmentBeginInfo given = Given(views);
    VkRenderPassBeginInfo info = begin;
    info.pNext = &given;
    ExpectRule(info, rule);
  }
}

TEST_F(RenderPassBegins, FormatsOfImagelessFramebuffers) {
  PassOptions options = {.is_imageless = true};
  Target& color = options.targets[kColor];
  constexpr VkFormat kSrgb = VK_FORMAT_R8G8B8A8_SRGB;
  color.SetFormats({kColorFormat, kSrgb});
  VkRenderPassBeginInfo begin = BeginOf(options);
  std::vector<VkImageView> views = MakeViews(options);
  const VkRenderPassAttachmentBeginInfo given = Given(views);
  begin.pNext = &given;
  ExpectRule(begin, "");
  // With a view of that format, of an image that may have views of these.
  const auto expect = [&](const char* rule, VkFormat format, std::vector<VkFormat> formats) {
    color.view.format = format, color.formats = std::move(formats);
    views[kColor] = MakeTargetView(color);
    ExpectRule(begin, rule);
  };
  expect("", kColorFormat, {kSrgb, kColorFormat});
  expect("BeginInfo-framebuffer-03216", kSrgb, {kSrgb, kColorFormat});
  expect("BeginInfo-framebuffer-03215", kColorFormat, {kColorFormat, VK_FORMAT_R8G8B8A8_UINT});
  expect("BeginInfo-framebuffer-03214", kColorFormat, {kColorFormat});
  options.is_imageless = false;
  begin.framebuffer = BeginOf(options).framebuffer;
  ExpectRule(begin, "BeginInfo-framebuffer-03207");
}

class AttachmentUsages : public RenderPassBegins {
 protected:
  void SetUp() override { Start({"VK_EXT_attachment_feedback_loop_layout"}); }
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
    const auto stencil = Typed(VkAttachmentDescriptionStencilLayout{.stencilFinalLayout = rule.layout});
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
