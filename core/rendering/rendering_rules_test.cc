// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// vkCmdBeginRendering with attachments that break one rule, through the whole layer, and the correct twins.

#include "core/rendering/rendering_rules.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;
constexpr VkImageUsageFlags kColorUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kDepthUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kRateUsage = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
constexpr VkImageUsageFlags kMapUsage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
constexpr VkSampleCountFlagBits kFour = VK_SAMPLE_COUNT_4_BIT;
constexpr VkResolveModeFlagBits kExternal = VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID;

struct ViewOptions {
  VkFormat format = kColorFormat;
  VkImageUsageFlags usage = kColorUsage;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t layers = 1;
  uint32_t size = 64;
};
constexpr ViewOptions kDepth = {kDepthFormat, kDepthUsage};
constexpr ViewOptions kColors4 = {kColorFormat, kColorUsage, kFour};
constexpr ViewOptions kDepth4 = {kDepthFormat, kDepthUsage, kFour};

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
  VkRenderingFragmentShadingRateAttachmentInfoKHR rate = {
      VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
      nullptr,
      {},
      VK_IMAGE_LAYOUT_GENERAL,
      {8, 8}};
  VkRenderingFragmentDensityMapAttachmentInfoEXT map = {
      VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT, nullptr, {}, VK_IMAGE_LAYOUT_GENERAL};
  VkMultisampledRenderToSingleSampledInfoEXT single = {VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
                                                       nullptr, VK_TRUE, kFour};
  VkRect2D area = {{0, 0}, {64, 64}};
  VkDeviceGroupRenderPassBeginInfo group = {VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, nullptr, 1, 1,
                                            &area};
};

// Breaks no rule if `rule` is empty; a rule of VkRenderingInfo without an owner.
struct Case {
  const char* rule;
  std::function<void(Rendering&)> set;
};

class RenderingTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    auto adjust = [](VkBaseOutStructure* s) {
      if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES) {
        auto& p = *reinterpret_cast<VkPhysicalDeviceDepthStencilResolveProperties*>(s);
        p.supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT;
        p.supportedStencilResolveModes = p.supportedDepthResolveModes;
        p.independentResolveNone = p.independentResolve = VK_FALSE;
      } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR) {
        auto& p = *reinterpret_cast<VkPhysicalDeviceFragmentShadingRatePropertiesKHR*>(s);
        p.minFragmentShadingRateAttachmentTexelSize = {8, 8};
        p.maxFragmentShadingRateAttachmentTexelSize = {32, 32};
        p.maxFragmentShadingRateAttachmentTexelSizeAspectRatio = 2;
      } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_PROPERTIES_EXT) {
        reinterpret_cast<VkPhysicalDeviceFragmentDensityMapPropertiesEXT*>(s)->maxFragmentDensityTexelSize = {8, 8};
      } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES) {
        reinterpret_cast<VkPhysicalDeviceMultiviewProperties*>(s)->maxMultiviewViewCount = 6;
      }
    };
    driver().config().adjust_properties = adjust;
  }

  void Start(std::vector<const char*> extensions = {}, const std::set<std::string>& without = {}) {
    test::DeviceOptions options;
    driver().config().disabled_features = without;
    options.device_extensions = std::move(extensions);
    options.features = features_.Enable(options.device_extensions, without);
    Create(options);
  }

  VkImageView View(const ViewOptions& options, VkImageCreateFlags flags = 0) {
    const test::Image image = MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                         .flags = flags,
                                         .imageType = VK_IMAGE_TYPE_2D,
                                         .format = options.format,
                                         .extent = {options.size, options.size, 1},
                                         .mipLevels = 1,
                                         .arrayLayers = options.layers,
                                         .samples = options.samples,
                                         .usage = options.usage});
    const VkImageAspectFlags aspects = options.format == kDepthFormat
                                           ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT
                                           : VK_IMAGE_ASPECT_COLOR_BIT;
    return MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                     .image = image,
                     .viewType = options.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                     .format = options.format,
                     .subresourceRange = {aspects, 0, 1, 0, options.layers}});
  }
  // Makes a color attachment, or all of them, resolve.
  void Resolve(VkRenderingAttachmentInfo& attachment, const ViewOptions& of, const ViewOptions& to,
               VkResolveModeFlagBits mode) {
    attachment.imageView = View(of);
    attachment.resolveImageView = View(to);
    attachment.resolveMode = mode;
    attachment.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
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
      const VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
      const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                              .pInheritanceInfo = is_secondary_ ? &inherited : nullptr};
      vk.BeginCommandBuffer(commands, &begin);
      const std::string_view rule = row.rule;
      if (rule.empty()) {
        vk.CmdBeginRendering(commands, &r.info);
        vk.CmdEndRendering(commands);
      } else {
        SkipCalls skip(*this);
        vk.CmdBeginRendering(commands, &r.info);
        ExpectMessage(rule.starts_with("vk") || rule.starts_with("Vk") ? absl::StrCat("VUID-", rule)
                                                                       : absl::StrCat("VUID-VkRenderingInfo-", rule));
      }
      ExpectNothing();
    }
  }

  test::ExtensionFeatures features_;
  bool is_secondary_ = false;
};

TEST_F(RenderingTest, Area) {
  Start();
  Run({
      {"", [](Rendering&) {}},
      {"", [](Rendering& r) { r.info.pNext = &r.group; }},
      {"None-08994", [](Rendering& r) { r.info.renderArea.extent.width = 0; }},
      {"None-08995", [](Rendering& r) { r.info.renderArea.extent.height = 0; }},
      {"pNext-06077", [](Rendering& r) { r.info.renderArea.offset.x = -1; }},
      {"pNext-06078", [](Rendering& r) { r.info.renderArea.offset.y = -1; }},
      {"pNext-06079",
       [this](Rendering& r) { r.colors[0].imageView = View({.size = 32}), r.info.renderArea.extent.height = 32; }},
      {"pNext-06080",
       [this](Rendering& r) { r.colors[0].imageView = View({.size = 32}), r.info.renderArea.extent.width = 32; }},
      {"pNext-06083",
       [](Rendering& r) {
         r.info.pNext = &r.group, r.area.extent.width = 65,
         r.info.pDepthAttachment = r.info.pStencilAttachment = nullptr;
       }},
      {"pNext-06084",
       [](Rendering& r) {
         r.info.pNext = &r.group, r.area.extent.height = 65,
         r.info.pDepthAttachment = r.info.pStencilAttachment = nullptr;
       }},
  });
  const VkPhysicalDeviceLimits& limits = driver().config().limits;
  const auto alone = [](Rendering& r) {
    r.info.colorAttachmentCount = 0;
    r.info.pDepthAttachment = r.info.pStencilAttachment = nullptr;
  };
  Run({
      {"pNext-07815", [&](Rendering& r) { alone(r), r.info.renderArea.extent.width = limits.maxFramebufferWidth + 1; }},
      {"pNext-07816",
       [&](Rendering& r) { alone(r), r.info.renderArea.extent.height = limits.maxFramebufferHeight + 1; }},
      {"viewMask-06128", [](Rendering& r) { r.info.viewMask = 1u << 6; }},
      {"", [](Rendering& r) { r.info.viewMask = 1u << 5; }},
  });
}

TEST_F(RenderingTest, Flags) {
  Start({"VK_EXT_nested_command_buffer"}, {"nestedCommandBuffer", "nestedCommandBufferRendering"});
  Run({{"flags-10012", [](Rendering& r) { r.info.flags = VK_RENDERING_CONTENTS_INLINE_BIT_KHR; }}});
  is_secondary_ = true;
  Run({{"vkCmdBeginRendering-commandBuffer-06068",
        [](Rendering& r) { r.info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT; }}});
}

TEST_F(RenderingTest, Usages) {
  Start();
  const ViewOptions sampled = {kColorFormat, VK_IMAGE_USAGE_SAMPLED_BIT};
  const ViewOptions sampled_depth = {kDepthFormat, VK_IMAGE_USAGE_SAMPLED_BIT};
  const auto depth_only = [](Rendering& r) { r.info.pStencilAttachment = nullptr; };
  const auto stencil_only = [](Rendering& r) { r.info.pDepthAttachment = nullptr; };
  const auto average = VK_RESOLVE_MODE_AVERAGE_BIT;
  const auto zero = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  const auto no_depth = [&](Rendering& r) { depth_only(r), stencil_only(r); };
  Run({
      {"colorAttachmentCount-06087", [&](Rendering& r) { r.colors[0].imageView = View(sampled); }},
      {"pDepthAttachment-06088", [&](Rendering& r) { depth_only(r), r.depth.imageView = View(sampled_depth); }},
      {"pStencilAttachment-06089", [&](Rendering& r) { stencil_only(r), r.stencil.imageView = View(sampled_depth); }},
      {"pDepthAttachment-06547",
       [&](Rendering& r) { depth_only(r), r.depth.imageView = View({VK_FORMAT_S8_UINT, kDepthUsage}); }},
      {"pStencilAttachment-06548",
       [&](Rendering& r) { stencil_only(r), r.stencil.imageView = View({VK_FORMAT_D16_UNORM, kDepthUsage}); }},
      {"colorAttachmentCount-09476",
       [&](Rendering& r) { no_depth(r), Resolve(r.colors[0], kColors4, sampled, average); }},
      {"pDepthAttachment-09477",
       [&](Rendering& r) {
         depth_only(r), r.info.colorAttachmentCount = 0, Resolve(r.depth, kDepth4, sampled_depth, zero);
       }},
      {"pStencilAttachment-09478",
       [&](Rendering& r) {
         stencil_only(r), r.info.colorAttachmentCount = 0, Resolve(r.stencil, kDepth4, sampled_depth, zero);
       }},
  });
}

TEST_F(RenderingTest, Layouts) {
  Start();
  struct Row {
    VkRenderingAttachmentInfo Rendering::* depth_or_stencil;
    VkImageLayout layout;
    const char* rule;
    const char* resolve_rule;
  };
  constexpr auto kDepthOf = &Rendering::depth;
  constexpr auto kStencilOf = &Rendering::stencil;
  const Row rows[] = {
      {nullptr, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, "colorAttachmentCount-06090",
       "colorAttachmentCount-06091"},
      {nullptr, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, "colorAttachmentCount-06096",
       "colorAttachmentCount-06097"},
      {nullptr, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, "colorAttachmentCount-06100", "colorAttachmentCount-06101"},
      {kDepthOf, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, "pDepthAttachment-06092", "pDepthAttachment-06093"},
      {kDepthOf, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, "", "pDepthAttachment-06098"},
      {kDepthOf, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, "pDepthAttachment-07732", "pDepthAttachment-07733"},
      {kStencilOf, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, "pStencilAttachment-06094", "pStencilAttachment-06095"},
      {kStencilOf, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, "", "pStencilAttachment-06099"},
      {kStencilOf, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, "pStencilAttachment-07734", "pStencilAttachment-07735"},
  };
  for (const Row& row : rows) {
    const auto of = [&](Rendering& r) -> VkRenderingAttachmentInfo& {
      return row.depth_or_stencil != nullptr ? r.*row.depth_or_stencil : r.colors[0];
    };
    const auto resolve = [&](Rendering& r) {
      ResolveDepthStencil(r, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
      Resolve(r.colors[0], kColors4, {}, VK_RESOLVE_MODE_AVERAGE_BIT);
    };
    Run({{"", resolve},
         {row.rule, [&](Rendering& r) { of(r).imageLayout = row.layout; }},
         {row.resolve_rule, [&](Rendering& r) { resolve(r), of(r).resolveImageLayout = row.layout; }}});
  }
}

TEST_F(RenderingTest, Resolves) {
  Start();
  constexpr auto kZero = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  constexpr auto kAverage = VK_RESOLVE_MODE_AVERAGE_BIT;
  constexpr ViewOptions kIntegers4 = {VK_FORMAT_R8G8B8A8_UINT, kColorUsage, kFour};
  constexpr ViewOptions kIntegers = {VK_FORMAT_R8G8B8A8_UINT, kColorUsage};
  const auto no_depth = [](Rendering& r) { r.info.pDepthAttachment = r.info.pStencilAttachment = nullptr; };
  const auto color = [&](Rendering& r, const ViewOptions& of, const ViewOptions& to, VkResolveModeFlagBits mode) {
    no_depth(r);
    Resolve(r.colors[0], of, to, mode);
  };
  Run({
      {"", [&](Rendering& r) { color(r, kColors4, {}, kAverage); }},
      {"", [&](Rendering& r) { color(r, kIntegers4, kIntegers, kZero); }},
      {"VkRenderingAttachmentInfo-imageView-06129", [&](Rendering& r) { color(r, kColors4, {}, kZero); }},
      {"VkRenderingAttachmentInfo-imageView-06130", [&](Rendering& r) { color(r, kIntegers4, kIntegers, kAverage); }},
      {"VkRenderingAttachmentInfo-imageView-06861", [&](Rendering& r) { color(r, {}, {}, kAverage); }},
      {"VkRenderingAttachmentInfo-imageView-06862",
       [&](Rendering& r) { color(r, kColors4, {}, kAverage), r.colors[0].resolveImageView = VK_NULL_HANDLE; }},
      {"VkRenderingAttachmentInfo-imageView-06864", [&](Rendering& r) { color(r, kColors4, kColors4, kAverage); }},
      {"VkRenderingAttachmentInfo-imageView-06865",
       [&](Rendering& r) { color(r, kColors4, {VK_FORMAT_B8G8R8A8_UNORM}, kAverage); }},
      {"", [&](Rendering& r) { ResolveDepthStencil(r, kZero, kZero); }},
      {"pDepthAttachment-06102",
       [&](Rendering& r) { ResolveDepthStencil(r, kAverage, kZero), r.info.pStencilAttachment = nullptr; }},
      {"pStencilAttachment-06103",
       [&](Rendering& r) { ResolveDepthStencil(r, kZero, kAverage), r.info.pDepthAttachment = nullptr; }},
      {"pDepthAttachment-06104", [&](Rendering& r) { ResolveDepthStencil(r, kZero, VK_RESOLVE_MODE_NONE); }},
      {"pDepthAttachment-06105", [&](Rendering& r) { ResolveDepthStencil(r, kZero, VK_RESOLVE_MODE_MIN_BIT); }},
      {"pDepthAttachment-06085", [&](Rendering& r) { r.stencil.imageView = View(kDepth); }},
      {"pDepthAttachment-06086",
       [&](Rendering& r) { ResolveDepthStencil(r, kZero, kZero), r.stencil.resolveImageView = View(kDepth); }},
  });
}

TEST_F(RenderingTest, Samples) {
  Start();
  Run({{"multisampledRenderToSingleSampled-06857", [this](Rendering& r) { r.colors[0].imageView = View(kColors4); }},
       {"None-09044", [](Rendering& r) { r.colors[1] = r.colors[0], r.info.colorAttachmentCount = 2; }},
       {"", [this](Rendering& r) { r.colors[1].imageView = View({}), r.info.colorAttachmentCount = 2; }}});
}

TEST_F(RenderingTest, MixedSamples) {
  Start({"VK_AMD_mixed_attachment_samples"});
  const auto second = [this](Rendering& r) { r.colors[1].imageView = View(kColors4), r.info.colorAttachmentCount = 2; };
  Run({{"", [this](Rendering& r) { r.depth.imageView = r.stencil.imageView = View(kDepth4); }},
       {"imageView-09429", second}});
}

TEST_F(RenderingTest, SingleSampled) {
  Start({"VK_EXT_multisampled_render_to_single_sampled"});
  const auto render = [this](Rendering& r) {
    r.info.pNext = &r.single;
    r.info.pDepthAttachment = r.info.pStencilAttachment = nullptr;
    r.colors[0].imageView = View({}, VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT);
  };
  const auto resolve = [this](Rendering& r) {
    r.colors[0].resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    r.colors[0].resolveImageView = View({});
    r.colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  };
  Run({{"", render},
       {"", [this](Rendering& r) { r.colors[0].imageView = View(kColors4); }},
       {"imageView-06858",
        [&](Rendering& r) {
          render(r), r.colors[0].imageView = View({kColorFormat, kColorUsage, VK_SAMPLE_COUNT_2_BIT});
        }},
       {"imageView-06859", [&](Rendering& r) { render(r), r.colors[0].imageView = View({}); }},
       {"VkRenderingAttachmentInfo-imageView-06863", [&](Rendering& r) { render(r), resolve(r); }}});
}

TEST_F(RenderingTest, ExternalResolves) {
  Start({"VK_ANDROID_external_format_resolve", "VK_ANDROID_external_memory_android_hardware_buffer"});
  const auto external = [](VkRenderingAttachmentInfo& of, VkImageView target) {
    of.resolveMode = kExternal;
    of.resolveImageView = target;
    of.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  };
  Run({
      {"colorAttachmentCount-09320",
       [&](Rendering& r) {
         external(r.colors[0], View({})), r.colors[1].imageView = View({}), r.info.colorAttachmentCount = 2;
       }},
      {"pDepthAttachment-09318",
       [&](Rendering& r) { external(r.depth, View(kDepth)), r.info.pStencilAttachment = nullptr; }},
      {"pStencilAttachment-09319",
       [&](Rendering& r) { external(r.stencil, View(kDepth)), r.info.pDepthAttachment = nullptr; }},
      {"VkRenderingAttachmentInfo-resolveMode-09324", [&](Rendering& r) { external(r.colors[0], VK_NULL_HANDLE); }},
      {"VkRenderingAttachmentInfo-resolveMode-09327",
       [&](Rendering& r) { external(r.colors[0], View({.layers = 2})); }},
  });
}

TEST_F(RenderingTest, ShadingRates) {
  Start({"VK_KHR_fragment_shading_rate", "VK_ANDROID_external_format_resolve"});
  // Texels of 8 by 8 pixels.
  const auto rate = [this](uint32_t layers = 1, uint32_t size = 8) {
    return [=, this](Rendering& r) {
      r.info.pNext = &r.rate;
      r.rate.imageView = View({VK_FORMAT_R8_UINT, kRateUsage | kColorUsage, VK_SAMPLE_COUNT_1_BIT, layers, size});
    };
  };
  const auto texel = [&](uint32_t width, uint32_t height) {
    return [=](Rendering& r) { rate(1, 64)(r), r.rate.shadingRateAttachmentTexelSize = {width, height}; };
  };
  constexpr char kOwner[] = "VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-";
  const std::string rules[] = {
      absl::StrCat(kOwner, "06147"), absl::StrCat(kOwner, "06149"), absl::StrCat(kOwner, "06150"),
      absl::StrCat(kOwner, "06151"), absl::StrCat(kOwner, "06152"), absl::StrCat(kOwner, "06153"),
      absl::StrCat(kOwner, "06154"), absl::StrCat(kOwner, "06155"), absl::StrCat(kOwner, "06156")};
  const auto grouped = [](Rendering& r) { r.rate.pNext = &r.group; };
  Run({
      {"", rate()},
      {"", texel(16, 8)},
      {rules[0].c_str(),
       [&](Rendering& r) { rate()(r), r.rate.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL; }},
      {rules[1].c_str(), texel(12, 8)},
      {rules[2].c_str(), texel(64, 32)},
      {rules[3].c_str(), texel(4, 8)},
      {rules[4].c_str(), texel(8, 12)},
      {rules[5].c_str(), texel(32, 64)},
      {rules[6].c_str(), texel(8, 4)},
      {rules[7].c_str(), texel(32, 8)},
      {rules[8].c_str(), texel(8, 32)},
      {"pNext-06119", [&](Rendering& r) { rate(1, 4)(r), r.info.renderArea.extent.height = 32; }},
      {"pNext-06121", [&](Rendering& r) { rate(1, 4)(r), r.info.renderArea.extent.width = 32; }},
      {"pNext-06120", [&](Rendering& r) { rate(1, 4)(r), grouped(r), r.area.extent.height = 32; }},
      {"pNext-06122", [&](Rendering& r) { rate(1, 4)(r), grouped(r), r.area.extent.width = 32; }},
      {"imageView-06123", [&](Rendering& r) { rate(2)(r), r.info.layerCount = 3; }},
      {"imageView-06124", [&](Rendering& r) { rate(2)(r), r.info.viewMask = 1 << 3; }},
      {"imageView-06125", [&](Rendering& r) { rate(1, 64)(r), r.colors[0].imageView = r.rate.imageView; }},
      {"resolveMode-09322",
       [&](Rendering& r) {
         rate()(r);
         r.colors[0].resolveMode = kExternal;
         r.colors[0].resolveImageView = View({});
         r.colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
       }},
  });
}

TEST_F(RenderingTest, DensityMaps) {
  Start({"VK_EXT_fragment_density_map", "VK_ANDROID_external_format_resolve"});
  const auto map = [this](uint32_t layers = 1, uint32_t size = 8) {
    return [=, this](Rendering& r) {
      r.info.pNext = &r.map;
      r.map.imageView = View({VK_FORMAT_R8G8_UNORM, kMapUsage | kColorUsage, VK_SAMPLE_COUNT_1_BIT, layers, size});
    };
  };
  const auto grouped = [](Rendering& r) { r.map.pNext = &r.group; };
  Run({
      {"", map()},
      {"pNext-06112", [&](Rendering& r) { map(1, 4)(r), r.info.renderArea.extent.height = 32; }},
      {"pNext-06114", [&](Rendering& r) { map(1, 4)(r), r.info.renderArea.extent.width = 32; }},
      {"pNext-06113", [&](Rendering& r) { map(1, 4)(r), grouped(r), r.area.extent.height = 32; }},
      {"pNext-06115", [&](Rendering& r) { map(1, 4)(r), grouped(r), r.area.extent.width = 32; }},
      {"imageView-06109", map(2)},
      {"imageView-06108", [&](Rendering& r) { map(2)(r), r.info.viewMask = 1 << 3; }},
      {"imageView-06116", [&](Rendering& r) { map(1, 64)(r), r.colors[0].imageView = r.map.imageView; }},
      {"resolveMode-09321",
       [&](Rendering& r) {
         map()(r);
         r.colors[0].resolveMode = kExternal;
         r.colors[0].resolveImageView = View({});
         r.colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
       }},
  });
}

TEST_F(RenderingTest, SubsampledImages) {
  Start({"VK_EXT_fragment_density_map"}, {"fragmentDensityMapNonSubsampledImages"});
  Run({{"imageView-06107", [&](Rendering& r) {
          r.info.pNext = &r.map, r.map.imageView = View({VK_FORMAT_R8G8_UNORM, kMapUsage, VK_SAMPLE_COUNT_1_BIT, 1, 8}),
          r.info.pDepthAttachment = r.info.pStencilAttachment = nullptr;
        }}});
}

}  // namespace
}  // namespace assay::core
