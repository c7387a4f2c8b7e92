// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDERING_RENDERING_TEST_H_
#define ASSAY_CORE_RENDERING_RENDERING_TEST_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

// Test-only: calls of vkCmdBeginRendering that break one rule or none, through the whole layer.
namespace assay::core {

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;
inline constexpr VkImageUsageFlags kColorUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
inline constexpr VkImageUsageFlags kDepthUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
inline constexpr VkImageUsageFlags kRateUsage = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
inline constexpr VkImageUsageFlags kMapUsage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
inline constexpr VkSampleCountFlagBits kFour = VK_SAMPLE_COUNT_4_BIT;
inline constexpr VkResolveModeFlagBits kExternal = VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID;

struct ViewOptions {
  VkFormat format = kColorFormat;
  VkImageUsageFlags usage = kColorUsage;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t layers = 1;
  uint32_t size = 64;
  VkComponentMapping components = {};
};
inline constexpr VkComponentMapping kSwizzled = {VK_COMPONENT_SWIZZLE_G};
inline constexpr ViewOptions kDepth = {kDepthFormat, kDepthUsage};
inline constexpr ViewOptions kColors4 = {kColorFormat, kColorUsage, kFour};
inline constexpr ViewOptions kDepth4 = {kDepthFormat, kDepthUsage, kFour};

// One color attachment, depth and stencil of 64 by 64 pixels.
struct Rendering {
  VkRenderingAttachmentInfo colors[2] = {{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO},
                                         {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO}};
  VkRenderingAttachmentInfo depth = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  VkRenderingAttachmentInfo stencil = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                          .renderArea = {{0, 0}, {64, 64}},
                          .layerCount = 1,
                          .colorAttachmentCount = 1};
  VkRenderingFragmentShadingRateAttachmentInfoKHR rate = test::Of<VkRenderingFragmentShadingRateAttachmentInfoKHR>(
      VkImageView{}, VK_IMAGE_LAYOUT_GENERAL, VkExtent2D{8, 8});
  VkRenderingFragmentDensityMapAttachmentInfoEXT map = {
      VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT, nullptr, {}, VK_IMAGE_LAYOUT_GENERAL};
  VkMultisampledRenderToSingleSampledInfoEXT single = {VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
                                                       nullptr, VK_TRUE, kFour};
  VkRect2D area = {{0, 0}, {64, 64}};
  VkDeviceGroupRenderPassBeginInfo group = {VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, nullptr, 1, 1,
                                            &area};

  void DepthOnly() { info.pStencilAttachment = nullptr; }
  void StencilOnly() { info.pDepthAttachment = nullptr; }
  void ColorOnly() { info.pDepthAttachment = info.pStencilAttachment = nullptr; }
};

// Breaks no rule if `rule` is empty; a rule of VkRenderingInfo without an owner.
struct Case {
  std::string rule;
  std::function<void(Rendering&)> set;
};

class RenderingTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    ChangeProperties<VkPhysicalDeviceDepthStencilResolveProperties>([](auto& p) {
      p.supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT;
      p.supportedStencilResolveModes = p.supportedDepthResolveModes;
      p.independentResolveNone = p.independentResolve = VK_FALSE;
    });
    ChangeProperties<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>([](auto& p) {
      p.minFragmentShadingRateAttachmentTexelSize = {8, 8};
      p.maxFragmentShadingRateAttachmentTexelSize = {32, 32};
      p.maxFragmentShadingRateAttachmentTexelSizeAspectRatio = 2;
    });
    ChangeProperties<VkPhysicalDeviceFragmentDensityMapPropertiesEXT>(
        [](auto& p) { p.maxFragmentDensityTexelSize = {8, 8}; });
    ChangeProperties<VkPhysicalDeviceMultiviewProperties>([](auto& p) { p.maxMultiviewViewCount = 6; });
  }

  void Start(const std::vector<const char*>& extensions = {}, const std::set<std::string>& without = {}) {
    driver().config().disabled_features = without;
    Create({.device_extensions = extensions, .features = features_.Enable(extensions, without)});
  }

  VkImageView View(const ViewOptions& options, VkImageCreateFlags flags = 0) {
    VkImageCreateInfo info = test::ImageInfo(options.format, options.size, options.usage);
    info.flags = flags;
    info.arrayLayers = options.layers;
    info.samples = options.samples;
    const test::Image image = MakeImage(info);
    return MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                     .image = image,
                     .viewType = options.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                     .format = options.format,
                     .components = options.components,
                     .subresourceRange = {image.Range().aspectMask, 0, 1, 0, options.layers}});
  }
  static void ResolveTo(VkRenderingAttachmentInfo& attachment, VkImageView to, VkResolveModeFlagBits mode = kExternal) {
    attachment.resolveImageView = to;
    attachment.resolveMode = mode;
    attachment.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  // Makes a color attachment, or all of them, resolve.
  void Resolve(VkRenderingAttachmentInfo& attachment, const ViewOptions& of, const ViewOptions& to,
               VkResolveModeFlagBits mode) {
    attachment.imageView = View(of);
    ResolveTo(attachment, View(to), mode);
  }
  void ResolveDepthStencil(Rendering& r, VkResolveModeFlagBits depth, VkResolveModeFlagBits stencil) {
    r.colors[0].imageView = View(kColors4);
    Resolve(r.depth, kDepth4, kDepth, depth);
    r.stencil = r.depth;
    r.stencil.resolveMode = stencil;
  }

  void Run(const std::vector<Case>& cases) {
    for (const Case& row : cases) {
      SCOPED_TRACE(row.rule);
      Rendering r;
      for (VkRenderingAttachmentInfo* of : {&r.colors[0], &r.colors[1], &r.depth, &r.stencil}) {
        of->imageLayout = VK_IMAGE_LAYOUT_GENERAL;
        of->storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      }
      r.colors[0].imageView = View({});
      r.depth.imageView = r.stencil.imageView = View(kDepth);
      r.info.pColorAttachments = r.colors;
      r.info.pDepthAttachment = &r.depth;
      r.info.pStencilAttachment = &r.stencil;
      row.set(r);
      const VkCommandBuffer commands =
          MakeCommandBuffer(0, is_secondary_ ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY);
      Begin(commands);
      SkipCalls skip(*this);
      vk.CmdBeginRendering(commands, &r.info);
      if (row.rule.empty()) vk.CmdEndRendering(commands);
      const bool has_owner = row.rule.starts_with("vk") || row.rule.starts_with("Vk");
      has_owner ? ExpectAlone("VUID-" + row.rule) : ExpectAlone("VkRenderingInfo", row.rule);
    }
  }

  test::ExtensionFeatures features_;
  bool is_secondary_ = false;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDERING_RENDERING_TEST_H_
