// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every written rule: a correct structure in which one thing is changed. The correct one is the
// positive twin, and so is the changed one where a feature or extension allows it.

#include "stateless/written/manual_rules.h"

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "vk/commands.h"
#include "vk/vuid.h"

namespace assay::stateless {
namespace {

// Keeps the ids that it is told.
class TestContext : public RuleContext {
 public:
  explicit TestContext(bool has_everything) : has_everything_(has_everything) {
    limits_.maxViewportDimensions[0] = 4096;
    limits_.maxViewportDimensions[1] = 2048;
    limits_.viewportBoundsRange[0] = -8192;
    limits_.viewportBoundsRange[1] = 8191;
    limits_.maxSamplerAnisotropy = 16;
    limits_.maxSamplerLodBias = 4;
  }

  const VkPhysicalDeviceLimits& limits() const override { return limits_; }
  bool HasFeature(std::string_view) const override { return has_everything_; }
  bool HasExtension(std::string_view) const override { return has_everything_; }
  void Report(vk::VuidIndex vuid, std::initializer_list<RulePart> path, std::string text,
              std::string fix) const override {
    EXPECT_GT(path.size(), 0u);
    EXPECT_TRUE(text.ends_with(".") && fix.ends_with(".")) << text << fix;
    ids_.emplace_back(vk::GetVuid(vuid).id);
  }

  const std::vector<std::string>& ids() const { return ids_; }

 private:
  const bool has_everything_;
  VkPhysicalDeviceLimits limits_{};
  mutable std::vector<std::string> ids_;
};

template <class T>
struct Case {
  std::string id;
  std::function<void(T&)> change;
  // Whether a feature or extension allows it.
  bool is_allowed_by_feature = false;
};

template <class T>
std::vector<std::string> Check(std::string_view owner, const T& structure, bool has_everything) {
  const TestContext context(has_everything);
  FindManualCheck(owner)(&structure, context);
  return context.ids();
}

template <class T>
void TryAll(std::string_view owner, const T& correct, const std::vector<Case<T>>& cases) {
  ASSERT_NE(FindManualCheck(owner), nullptr) << owner;
  EXPECT_EQ(Check(owner, correct, false), std::vector<std::string>()) << owner;
  for (const Case<T>& each : cases) {
    T changed = correct;
    each.change(changed);
    EXPECT_EQ(Check(owner, changed, false), std::vector<std::string>{each.id});
    if (each.is_allowed_by_feature) {
      EXPECT_EQ(Check(owner, changed, true), std::vector<std::string>()) << each.id;
    }
  }
}

// One subpass with one attachment of each use, which a test changes through the pointers.
template <class Subpass, class Reference>
struct SubpassParts {
  SubpassParts() {
    input.attachment = 0;
    input.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    color.attachment = 1;
    color.layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    resolve.attachment = 2;
    resolve.layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    depth.attachment = 3;
    depth.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    if constexpr (requires { input.aspectMask; }) input.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  }
  Subpass Make() const {
    Subpass subpass = {};
    subpass.inputAttachmentCount = 1;
    subpass.pInputAttachments = &input;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pResolveAttachments = &resolve;
    subpass.pDepthStencilAttachment = &depth;
    subpass.preserveAttachmentCount = 1;
    subpass.pPreserveAttachments = &preserve;
    return subpass;
  }

  Reference input = {}, color = {}, resolve = {}, depth = {};
  uint32_t preserve = 4;
};
using Parts = SubpassParts<VkSubpassDescription, VkAttachmentReference>;
using Parts2 = SubpassParts<VkSubpassDescription2, VkAttachmentReference2>;

template <class P>
void TrySubpass(std::string_view owner, const std::vector<Case<P>>& cases) {
  EXPECT_EQ(Check(owner, P().Make(), false), std::vector<std::string>());
  for (const Case<P>& each : cases) {
    P parts;
    each.change(parts);
    EXPECT_EQ(Check(owner, parts.Make(), false), std::vector<std::string>{each.id});
    if (each.is_allowed_by_feature) {
      EXPECT_EQ(Check(owner, parts.Make(), true), std::vector<std::string>()) << each.id;
    }
  }
}

constexpr auto kDepthStencil = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
constexpr auto kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr auto kMixed = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
constexpr auto kStencilRead = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;

TEST(NegativeManualRules, Subpass) {
  TrySubpass<Parts>(
      "VkSubpassDescription",
      {{"VUID-VkSubpassDescription-attachment-06912", [](Parts& p) { p.input.layout = kColor; }},
       {"VUID-VkSubpassDescription-attachment-06913", [](Parts& p) { p.color.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription-attachment-06914", [](Parts& p) { p.resolve.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription-attachment-06915", [](Parts& p) { p.depth.layout = kColor; }},
       {"VUID-VkSubpassDescription-attachment-06916", [](Parts& p) { p.color.layout = kMixed; }},
       {"VUID-VkSubpassDescription-attachment-06917", [](Parts& p) { p.resolve.layout = kMixed; }},
       {"VUID-VkSubpassDescription-attachment-06918",
        [](Parts& p) { p.input.layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-06919", [](Parts& p) { p.color.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription-attachment-06920", [](Parts& p) { p.resolve.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription-attachment-06921",
        [](Parts& p) { p.input.layout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-06922",
        [](Parts& p) { p.color.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-06923",
        [](Parts& p) { p.resolve.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription-attachment-00853", [](Parts& p) { p.preserve = VK_ATTACHMENT_UNUSED; }},
       {"VUID-VkSubpassDescription-pPreserveAttachments-00854", [](Parts& p) { p.preserve = 1; }},
       {"VUID-VkSubpassDescription-pDepthStencilAttachment-04438", [](Parts& p) { p.depth.attachment = 1; }},
       {"VUID-VkSubpassDescription-pResolveAttachments-00847",
        [](Parts& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; }}});
}

TEST(NegativeManualRules, Subpass2) {
  TrySubpass<Parts2>(
      "VkSubpassDescription2",
      {{"VUID-VkSubpassDescription2-attachment-06912", [](Parts2& p) { p.input.layout = kColor; }},
       {"VUID-VkSubpassDescription2-attachment-06913", [](Parts2& p) { p.color.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription2-attachment-06914", [](Parts2& p) { p.resolve.layout = kDepthStencil; }},
       {"VUID-VkSubpassDescription2-attachment-06915", [](Parts2& p) { p.depth.layout = kColor; }},
       {"VUID-VkSubpassDescription2-attachment-06916", [](Parts2& p) { p.color.layout = kMixed; }},
       {"VUID-VkSubpassDescription2-attachment-06917", [](Parts2& p) { p.resolve.layout = kMixed; }},
       {"VUID-VkSubpassDescription2-attachment-06918",
        [](Parts2& p) { p.input.layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-06919", [](Parts2& p) { p.color.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription2-attachment-06920", [](Parts2& p) { p.resolve.layout = kStencilRead; }},
       {"VUID-VkSubpassDescription2-attachment-06921",
        [](Parts2& p) { p.input.layout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-06922",
        [](Parts2& p) { p.color.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-06923",
        [](Parts2& p) { p.resolve.layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL; }},
       {"VUID-VkSubpassDescription2-attachment-03073", [](Parts2& p) { p.preserve = VK_ATTACHMENT_UNUSED; }},
       {"VUID-VkSubpassDescription2-pPreserveAttachments-03074", [](Parts2& p) { p.preserve = 1; }},
       {"VUID-VkSubpassDescription2-pDepthStencilAttachment-04440", [](Parts2& p) { p.depth.attachment = 1; }},
       {"VUID-VkSubpassDescription2-externalFormatResolve-09335",
        [](Parts2& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; }, true},
       {"VUID-VkSubpassDescription2-attachment-02800", [](Parts2& p) { p.input.aspectMask = 0; }},
       {"VUID-VkSubpassDescription2-attachment-02801",
        [](Parts2& p) { p.input.aspectMask |= VK_IMAGE_ASPECT_METADATA_BIT; }}});
}

TEST(NegativeManualRules, RenderPass) {
  static const Parts parts;
  static const VkSubpassDescription subpass = parts.Make();
  static const VkSubpassDescription subpasses[] = {subpass, subpass};
  static const uint32_t masks[] = {1, 0}, some_mask[] = {1};
  static VkRenderPassMultiviewCreateInfo multiview = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  using Info = VkRenderPassCreateInfo;
  const Info correct = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                        .pNext = &multiview,
                        .attachmentCount = 5,
                        .subpassCount = 2,
                        .pSubpasses = subpasses};
  TryAll<Info>("VkRenderPassCreateInfo", correct,
               {{"VUID-VkRenderPassCreateInfo-attachment-00834",
                 [](Info& i) {
                   i.attachmentCount = 4;
                   i.subpassCount = 1;
                 }},
                {"VUID-VkRenderPassCreateInfo-pNext-01928",
                 [](Info&) { multiview = {.sType = multiview.sType, .subpassCount = 1, .pViewMasks = some_mask}; }},
                {"VUID-VkRenderPassCreateInfo-pNext-01929",
                 [](Info&) { multiview = {.sType = multiview.sType, .dependencyCount = 1}; }},
                {"VUID-VkRenderPassCreateInfo-pNext-02513",
                 [](Info&) { multiview = {.sType = multiview.sType, .subpassCount = 2, .pViewMasks = masks}; }},
                {"VUID-VkRenderPassCreateInfo-pNext-02515",
                 [](Info&) { multiview = {.sType = multiview.sType, .correlationMaskCount = 1}; }}});
}

TEST(NegativeManualRules, RenderPass2) {
  static const Parts2 parts;
  static VkSubpassDescription2 subpasses[] = {parts.Make(), parts.Make()};
  using Info = VkRenderPassCreateInfo2;
  const Info correct = {.attachmentCount = 5, .subpassCount = 2, .pSubpasses = subpasses};
  TryAll<Info>("VkRenderPassCreateInfo2", correct,
               {{"VUID-VkRenderPassCreateInfo2-attachment-03051",
                 [](Info& i) {
                   i.attachmentCount = 4;
                   i.subpassCount = 1;
                 }},
                {"VUID-VkRenderPassCreateInfo2-viewMask-03057", [](Info& i) { i.correlatedViewMaskCount = 1; }},
                {"VUID-VkRenderPassCreateInfo2-viewMask-03058", [](Info&) { subpasses[0].viewMask = 1; }}});
}

TEST(NegativeManualRules, Viewport) {
  using V = VkViewport;
  TryAll<V>("VkViewport", {0, 0, 4096, -2048, 0, 1},
            {{"VUID-VkViewport-width-01770", [](V& v) { v.width = 0; }},
             {"VUID-VkViewport-width-01771", [](V& v) { v.width = 4097; }},
             {"VUID-VkViewport-height-01773", [](V& v) { v.height = -2049; }},
             {"VUID-VkViewport-x-01774", [](V& v) { v.x = -8193; }},
             {"VUID-VkViewport-x-01232", [](V& v) { v.x = 8000; }},
             {"VUID-VkViewport-y-01775",
              [](V& v) {
                v.y = -8193;
                v.height = 2;
              }},
             {"VUID-VkViewport-y-01776",
              [](V& v) {
                v.y = 8192;
                v.height = -2;
              }},
             {"VUID-VkViewport-y-01233",
              [](V& v) {
                v.y = 8191;
                v.height = 2;
              }},
             {"VUID-VkViewport-y-01777", [](V& v) { v.y = -8000; }},
             {"VUID-VkViewport-minDepth-01234", [](V& v) { v.minDepth = -1; }, true},
             {"VUID-VkViewport-maxDepth-01235", [](V& v) { v.maxDepth = 2; }, true}});
}

template <class Call>
void TryScissors(std::string_view owner, const std::string& negative, const std::string& width,
                 const std::string& height) {
  static const VkRect2D right = {{1, 1}, {0x7ffffffe, 0x7ffffffe}}, left = {{-1, 0}, {1, 1}},
                        wide = {{1, 1}, {0x7fffffff, 1}}, high = {{1, 1}, {1, 0x7fffffff}};
  Call call = {};
  call.scissorCount = 1;
  call.pScissors = &right;
  TryAll<Call>(owner, call,
               {{negative, [](Call& c) { c.pScissors = &left; }},
                {width, [](Call& c) { c.pScissors = &wide; }},
                {height, [](Call& c) { c.pScissors = &high; }}});
}

TEST(NegativeManualRules, Scissors) {
  TryScissors<vk::CmdSetScissor>("vkCmdSetScissor", "VUID-vkCmdSetScissor-x-00595", "VUID-vkCmdSetScissor-offset-00596",
                                 "VUID-vkCmdSetScissor-offset-00597");
  TryScissors<vk::CmdSetScissorWithCount>("vkCmdSetScissorWithCount", "VUID-vkCmdSetScissorWithCount-x-03399",
                                          "VUID-vkCmdSetScissorWithCount-offset-03400",
                                          "VUID-vkCmdSetScissorWithCount-offset-03401");
}

TEST(NegativeManualRules, DynamicNumbers) {
  TryAll<vk::CmdSetLineWidth>("vkCmdSetLineWidth", {nullptr, 1},
                              {{"VUID-vkCmdSetLineWidth-lineWidth-00788", [](auto& c) { c.lineWidth = 2; }, true}});
  TryAll<vk::CmdSetDepthBounds>(
      "vkCmdSetDepthBounds", {nullptr, 0, 1},
      {{"VUID-vkCmdSetDepthBounds-minDepthBounds-00600", [](auto& c) { c.minDepthBounds = -1; }, true},
       {"VUID-vkCmdSetDepthBounds-maxDepthBounds-00601", [](auto& c) { c.maxDepthBounds = 2; }, true}});
  TryAll<vk::CmdSetDepthBias>(
      "vkCmdSetDepthBias", {nullptr, 1, 0, 1},
      {{"VUID-vkCmdSetDepthBias-depthBiasClamp-00790", [](auto& c) { c.depthBiasClamp = 1; }, true}});
  TryAll<vk::CmdSetLineStipple>(
      "vkCmdSetLineStipple", {nullptr, 256, 1},
      {{"VUID-vkCmdSetLineStipple-lineStippleFactor-02776", [](auto& c) { c.lineStippleFactor = 257; }}});
  TryAll<VkPipelineMultisampleStateCreateInfo>(
      "VkPipelineMultisampleStateCreateInfo", {.sampleShadingEnable = VK_TRUE, .minSampleShading = 1},
      {{"VUID-VkPipelineMultisampleStateCreateInfo-minSampleShading-00786", [](auto& s) { s.minSampleShading = 2; }}});
  TryAll<VkMemoryPriorityAllocateInfoEXT>(
      "VkMemoryPriorityAllocateInfoEXT", {.priority = 1},
      {{"VUID-VkMemoryPriorityAllocateInfoEXT-priority-02602", [](auto& i) { i.priority = 1.5f; }}});
  TryAll<vk::SetDeviceMemoryPriorityEXT>(
      "vkSetDeviceMemoryPriorityEXT", {nullptr, VK_NULL_HANDLE, 0},
      {{"VUID-vkSetDeviceMemoryPriorityEXT-priority-06258", [](auto& c) { c.priority = -1; }}});
}

TEST(NegativeManualRules, Image) {
  using Info = VkImageCreateInfo;
  static const VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                                   .viewFormatCount = 2};
  constexpr VkImageUsageFlags kTransient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
  const Info correct = {.imageType = VK_IMAGE_TYPE_2D,
                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                        .extent = {64, 32, 1},
                        .mipLevels = 7,
                        .arrayLayers = 1,
                        .samples = VK_SAMPLE_COUNT_1_BIT,
                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
  TryAll<Info>(
      "VkImageCreateInfo", correct,
      {{"VUID-VkImageCreateInfo-imageType-00956", [](Info& i) { i.imageType = VK_IMAGE_TYPE_1D; }},
       {"VUID-VkImageCreateInfo-flags-08865", [](Info& i) { i.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT; }},
       {"VUID-VkImageCreateInfo-mipLevels-00958", [](Info& i) { i.mipLevels = 8; }},
       {"VUID-VkImageCreateInfo-flags-02052",
        [](Info& i) {
          i.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV;
          i.extent.height = 1;
        }},
       {"VUID-VkImageCreateInfo-flags-02053",
        [](Info& i) {
          i.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV;
          i.imageType = VK_IMAGE_TYPE_3D;
        }},
       {"VUID-VkImageCreateInfo-usage-00963", [](Info& i) { i.usage |= kTransient | VK_IMAGE_USAGE_STORAGE_BIT; }},
       {"VUID-VkImageCreateInfo-usage-00966", [](Info& i) { i.usage = kTransient; }},
       {"VUID-VkImageCreateInfo-None-01891",
        [](Info& i) { i.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_PROTECTED_BIT; }},
       {"VUID-VkImageCreateInfo-None-01925",
        [](Info& i) {
          i.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
          i.usage |= kTransient;
        }},
       {"VUID-VkImageCreateInfo-flags-01572",
        [](Info& i) { i.flags = VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT; }},
       {"VUID-VkImageCreateInfo-flags-01533",
        [](Info& i) { i.flags = VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT; }},
       {"VUID-VkImageCreateInfo-format-01577", [](Info& i) { i.flags = VK_IMAGE_CREATE_DISJOINT_BIT; }},
       {"VUID-VkImageCreateInfo-format-04712",
        [](Info& i) {
          i.format = VK_FORMAT_G8_B8R8_2PLANE_422_UNORM;
          i.extent.width = 65;
        }},
       {"VUID-VkImageCreateInfo-format-04713",
        [](Info& i) {
          i.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
          i.extent.height = 33;
        }},
       {"VUID-VkImageCreateInfo-flags-04738", [](Info& i) { i.pNext = &list; }}});
}

TEST(NegativeManualRules, BuffersAndCopies) {
  TryAll<VkBufferCreateInfo>(
      "VkBufferCreateInfo", {.flags = VK_BUFFER_CREATE_PROTECTED_BIT},
      {{"VUID-VkBufferCreateInfo-None-01888", [](auto& i) { i.flags |= VK_BUFFER_CREATE_SPARSE_BINDING_BIT; }}});
  TryAll<VkBufferImageCopy>(
      "VkBufferImageCopy", {.bufferRowLength = 8, .imageExtent = {8, 8, 1}},
      {{"VUID-VkBufferImageCopy-bufferRowLength-09101", [](auto& r) { r.bufferRowLength = 7; }},
       {"VUID-VkBufferImageCopy-bufferImageHeight-09102", [](auto& r) { r.bufferImageHeight = 7; }}});
  TryAll<VkBufferImageCopy2>(
      "VkBufferImageCopy2", {.bufferImageHeight = 8, .imageExtent = {8, 8, 1}},
      {{"VUID-VkBufferImageCopy2-bufferRowLength-09101", [](auto& r) { r.bufferRowLength = 7; }},
       {"VUID-VkBufferImageCopy2-bufferImageHeight-09102", [](auto& r) { r.bufferImageHeight = 7; }}});
  TryAll<VkMemoryToImageCopy>(
      "VkMemoryToImageCopy", {.imageExtent = {8, 8, 1}},
      {{"VUID-VkMemoryToImageCopy-memoryRowLength-09101", [](auto& r) { r.memoryRowLength = 7; }},
       {"VUID-VkMemoryToImageCopy-memoryImageHeight-09102", [](auto& r) { r.memoryImageHeight = 7; }}});
  TryAll<VkImageToMemoryCopy>(
      "VkImageToMemoryCopy", {.imageExtent = {8, 8, 1}},
      {{"VUID-VkImageToMemoryCopy-memoryRowLength-09101", [](auto& r) { r.memoryRowLength = 7; }},
       {"VUID-VkImageToMemoryCopy-memoryImageHeight-09102", [](auto& r) { r.memoryImageHeight = 7; }}});
  TryAll<VkMemoryDedicatedAllocateInfo>(
      "VkMemoryDedicatedAllocateInfo", {.image = VkImage(1)},
      {{"VUID-VkMemoryDedicatedAllocateInfo-image-01432", [](auto& i) { i.buffer = VkBuffer(1); }}});
}

TEST(NegativeManualRules, Sampler) {
  using Info = VkSamplerCreateInfo;
  static const VkSamplerReductionModeCreateInfo reduction = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
  constexpr auto kClamp = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  Info correct = {.addressModeU = kClamp, .addressModeV = kClamp, .addressModeW = kClamp};
  TryAll<Info>("VkSamplerCreateInfo", correct,
               {{"VUID-VkSamplerCreateInfo-mipLodBias-01069", [](Info& i) { i.mipLodBias = -5; }},
                {"VUID-VkSamplerCreateInfo-anisotropyEnable-01071",
                 [](Info& i) {
                   i.anisotropyEnable = VK_TRUE;
                   i.maxAnisotropy = 17;
                 }},
                {"VUID-VkSamplerCreateInfo-maxLod-01973", [](Info& i) { i.minLod = 1; }},
                {"VUID-VkSamplerCreateInfo-addressModeU-01079",
                 [](Info& i) { i.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE; }, true},
                {"VUID-VkSamplerCreateInfo-magFilter-01081",
                 [](Info& i) {
                   i.magFilter = VK_FILTER_CUBIC_EXT;
                   i.anisotropyEnable = VK_TRUE;
                   i.maxAnisotropy = 1;
                 }},
                {"VUID-VkSamplerCreateInfo-compareEnable-01423", [](Info& i) {
                   i.pNext = &reduction;
                   i.compareEnable = VK_TRUE;
                 }}});
  correct.unnormalizedCoordinates = VK_TRUE;
  TryAll<Info>(
      "VkSamplerCreateInfo", correct,
      {{"VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01072", [](Info& i) { i.minFilter = VK_FILTER_LINEAR; }},
       {"VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01074", [](Info& i) { i.maxLod = 1; }},
       {"VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01075",
        [](Info& i) { i.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT; }}});
  correct.unnormalizedCoordinates = VK_FALSE;
  correct.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
  TryAll<Info>(
      "VkSamplerCreateInfo", correct,
      {{"VUID-VkSamplerCreateInfo-flags-02574", [](Info& i) { i.minFilter = VK_FILTER_LINEAR; }},
       {"VUID-VkSamplerCreateInfo-flags-02576", [](Info& i) { i.maxLod = 1; }},
       {"VUID-VkSamplerCreateInfo-flags-02577", [](Info& i) { i.addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT; }}});
}

TEST(NegativeManualRules, Lists) {
  using Input = VkPipelineVertexInputStateCreateInfo;
  static const VkVertexInputBindingDescription bindings[] = {{0}, {1}}, same_bindings[] = {{0}, {0}};
  static const VkVertexInputAttributeDescription attributes[] = {{0, 0}, {1, 0}}, same[] = {{0, 0}, {0, 0}},
                                                 other[] = {{0, 0}, {1, 7}};
  const Input input = {.vertexBindingDescriptionCount = 2,
                       .pVertexBindingDescriptions = bindings,
                       .vertexAttributeDescriptionCount = 2,
                       .pVertexAttributeDescriptions = attributes};
  TryAll<Input>("VkPipelineVertexInputStateCreateInfo", input,
                {{"VUID-VkPipelineVertexInputStateCreateInfo-pVertexBindingDescriptions-00616",
                  [](Input& i) { i.pVertexBindingDescriptions = same_bindings; }},
                 {"VUID-VkPipelineVertexInputStateCreateInfo-pVertexAttributeDescriptions-00617",
                  [](Input& i) { i.pVertexAttributeDescriptions = same; }},
                 {"VUID-VkPipelineVertexInputStateCreateInfo-binding-00615",
                  [](Input& i) { i.pVertexAttributeDescriptions = other; }}});
  static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                          VK_DYNAMIC_STATE_VIEWPORT};
  TryAll<VkPipelineDynamicStateCreateInfo>(
      "VkPipelineDynamicStateCreateInfo", {.dynamicStateCount = 2, .pDynamicStates = states},
      {{"VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-01442", [](auto& i) { i.dynamicStateCount = 3; }}});
  static const VkSpecializationMapEntry entries[] = {{1, 0, 4}, {2, 4, 4}}, same_entries[] = {{1, 0, 4}, {1, 4, 4}};
  TryAll<VkSpecializationInfo>(
      "VkSpecializationInfo", {2, entries, 8, nullptr},
      {{"VUID-VkSpecializationInfo-constantID-04911", [](auto& i) { i.pMapEntries = same_entries; }},
       {"VUID-VkSpecializationInfo-offset-00773", [](auto& i) { i.dataSize = 4; }},
       {"VUID-VkSpecializationInfo-pMapEntries-00774", [](auto& i) { i.dataSize = 7; }}});
  static const VkPushConstantRange ranges[] = {{1, 0, 4}, {16, 0, 4}}, shared[] = {{1, 0, 4}, {17, 0, 4}};
  TryAll<VkPipelineLayoutCreateInfo>(
      "VkPipelineLayoutCreateInfo", {.pushConstantRangeCount = 2, .pPushConstantRanges = ranges},
      {{"VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292", [](auto& i) { i.pPushConstantRanges = shared; }}});
}

template <class Call>
void TryStride(std::string_view owner, const std::string& id, uint32_t least) {
  Call call = {};
  call.stride = least;
  if constexpr (requires { call.drawCount; }) call.drawCount = 2;
  TryAll<Call>(owner, call, {{id, [](Call& c) { c.stride -= 4; }}, {id, [](Call& c) { c.stride += 2; }}});
}

TEST(NegativeManualRules, Strides) {
  TryStride<vk::CmdDrawIndirect>("vkCmdDrawIndirect", "VUID-vkCmdDrawIndirect-drawCount-00476", 16);
  TryStride<vk::CmdDrawIndexedIndirect>("vkCmdDrawIndexedIndirect", "VUID-vkCmdDrawIndexedIndirect-drawCount-00528",
                                        20);
  TryStride<vk::CmdDrawIndirectCount>("vkCmdDrawIndirectCount", "VUID-vkCmdDrawIndirectCount-stride-03110", 16);
  TryStride<vk::CmdDrawIndexedIndirectCount>("vkCmdDrawIndexedIndirectCount",
                                             "VUID-vkCmdDrawIndexedIndirectCount-stride-03142", 20);
  TryStride<vk::CmdDrawMeshTasksIndirectEXT>("vkCmdDrawMeshTasksIndirectEXT",
                                             "VUID-vkCmdDrawMeshTasksIndirectEXT-drawCount-07088", 12);
  TryStride<vk::CmdDrawMeshTasksIndirectCountEXT>("vkCmdDrawMeshTasksIndirectCountEXT",
                                                  "VUID-vkCmdDrawMeshTasksIndirectCountEXT-stride-07096", 12);
  using Copy = vk::CmdCopyQueryPoolResults;
  Copy copy = {};
  copy.stride = 8;
  TryAll<Copy>("vkCmdCopyQueryPoolResults", copy,
               {{"VUID-vkCmdCopyQueryPoolResults-flags-00822", [](Copy& c) { c.stride = 6; }},
                {"VUID-vkCmdCopyQueryPoolResults-flags-00823", [](Copy& c) {
                   c.flags = VK_QUERY_RESULT_64_BIT;
                   c.dstOffset = 4;
                 }}});
}

}  // namespace
}  // namespace assay::stateless
