// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_PASS_CREATION_TEST_H_
#define ASSAY_CORE_RENDER_PASSES_PASS_CREATION_TEST_H_

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

// Test-only: a render pass of one subpass, which both commands create.
namespace assay::core {

using test::Of, test::Typed;

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;
inline constexpr VkSampleCountFlagBits kOne = VK_SAMPLE_COUNT_1_BIT;
inline constexpr VkSampleCountFlagBits kFour = VK_SAMPLE_COUNT_4_BIT;
inline constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
inline constexpr VkImageLayout kSeparateDepth = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
inline constexpr VkImageLayout kSeparateStencil = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;

inline VkAttachmentDescription2 Description(VkFormat format, VkSampleCountFlagBits samples) {
  return {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
          .format = format,
          .samples = samples,
          .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          .finalLayout = kGeneral};
}
inline VkAttachmentReference2 Reference(uint32_t attachment, VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT) {
  return {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, kGeneral, aspects};
}

// A correct render pass of one subpass.
struct Pass {
  enum : uint32_t { kColor, kDepth, kInput, kResolve, kDepthResolve, kOther };
  std::vector<VkAttachmentDescription2> attachments = {
      Description(kColorFormat, kFour), Description(kDepthFormat, kFour), Description(kColorFormat, kOne),
      Description(kColorFormat, kOne),  Description(kDepthFormat, kOne),  Description(VK_FORMAT_R8_UINT, kOne)};
  std::vector<VkAttachmentReference2> colors = {Reference(kColor)};
  std::vector<VkAttachmentReference2> resolves = {Reference(kResolve)};
  VkAttachmentReference2 input = Reference(kInput);
  VkAttachmentReference2 depth = Reference(kDepth);
  uint32_t view_mask = 0;
  std::vector<VkSubpassDependency2> dependencies;
  std::vector<int32_t> offsets;
  // Of version 2.
  VkSubpassDescriptionDepthStencilResolve resolve =
      Of<VkSubpassDescriptionDepthStencilResolve>(VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
  VkAttachmentReference2 depth_resolve = Reference(kDepthResolve);
  VkFragmentShadingRateAttachmentInfoKHR rate = {
      VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR, nullptr, nullptr, {8, 8}};
  VkAttachmentReference2 rate_reference = Reference(kOther);
  VkMultisampledRenderToSingleSampledInfoEXT single_sampled = {
      VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT, nullptr, VK_FALSE, kFour};
  VkRenderPassFragmentDensityMapCreateInfoEXT density = {
      VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT, nullptr, {VK_ATTACHMENT_UNUSED, kGeneral}};
  VkAttachmentReferenceStencilLayout stencil = Of<VkAttachmentReferenceStencilLayout>(kSeparateStencil);
  VkAttachmentDescriptionStencilLayout stencil_layouts =
      Of<VkAttachmentDescriptionStencilLayout>(kSeparateStencil, kSeparateStencil);

  void Depend(VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags flags = 0, uint32_t source = 0,
              int32_t offset = 0) {
    dependencies.push_back({VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, nullptr, source, 0, from, to, 0, 0, flags, offset});
    offsets.push_back(offset);
  }
};

using Change = std::function<void(Pass&)>;
inline Change Format(uint32_t attachment, VkFormat format) {
  return [=](Pass& p) { p.attachments[attachment].format = format; };
}
inline Change Samples(uint32_t attachment, VkSampleCountFlagBits samples) {
  return [=](Pass& p) { p.attachments[attachment].samples = samples; };
}

// What is broken in each version, joined by spaces: null where the version cannot say it, "" where it is correct.
struct PassCase {
  const char* rule1;
  const char* rule2;
  Change change;
};

// Version 1 of a render pass. The chain is the same.
class PassOfVersion1 {
 public:
  explicit PassOfVersion1(const VkRenderPassCreateInfo2& of) {
    for (const auto& a : std::span(of.pAttachments, of.attachmentCount))
      attachments_.push_back({a.flags, a.format, a.samples, a.loadOp, a.storeOp, a.stencilLoadOp, a.stencilStoreOp,
                              a.initialLayout, a.finalLayout});
    for (const auto& s : std::span(of.pSubpasses, of.subpassCount))
      subpasses_.push_back({s.flags, s.pipelineBindPoint, s.inputAttachmentCount,
                            References(s.pInputAttachments, s.inputAttachmentCount), s.colorAttachmentCount,
                            References(s.pColorAttachments, s.colorAttachmentCount),
                            References(s.pResolveAttachments, s.colorAttachmentCount),
                            References(s.pDepthStencilAttachment, 1)});
    for (const auto& d : std::span(of.pDependencies, of.dependencyCount))
      dependencies_.push_back({d.srcSubpass, d.dstSubpass, d.srcStageMask, d.dstStageMask, d.srcAccessMask,
                               d.dstAccessMask, d.dependencyFlags});
    info = Of<VkRenderPassCreateInfo>(of.flags, of.attachmentCount, attachments_.data(), of.subpassCount,
                                      subpasses_.data(), of.dependencyCount, dependencies_.data());
    info.pNext = of.pNext;
  }

  VkRenderPassCreateInfo info;

 private:
  const VkAttachmentReference* References(const VkAttachmentReference2* of, uint32_t count) {
    if (of == nullptr) return nullptr;
    auto& made = references_.emplace_back();
    for (const auto& reference : std::span(of, count)) made.push_back({reference.attachment, reference.layout});
    return made.data();
  }

  std::vector<VkAttachmentDescription> attachments_;
  std::vector<VkSubpassDescription> subpasses_;
  std::vector<VkSubpassDependency> dependencies_;
  std::vector<std::vector<VkAttachmentReference>> references_;
};

// Devices with extensions.
class PassFixture : public test::ValidationTest {
 protected:
  void Start(const std::vector<const char*>& extensions = {}, const std::set<std::string>& without = {}) {
    driver().config().disabled_features = without;
    Create({.device_extensions = extensions, .features = features_.Enable(extensions, without)});
  }
  // Creates a render pass in version 1 or 2, and destroys it.
  void CreatePass(const VkRenderPassCreateInfo2& info, bool is_second) {
    if (is_second) return CreateOnce(vk.CreateRenderPass2, vk.DestroyRenderPass, info);
    CreateOnce(vk.CreateRenderPass, vk.DestroyRenderPass, PassOfVersion1(info).info);
  }
  // Calls use(info) for version 1 or 2 of a render pass.
  static void WithInfo(Pass& pass, bool is_second, const std::function<void(const VkRenderPassCreateInfo2&)>& use) {
    const void* next = nullptr;
    const auto chain = [&](auto& structure) { next = (structure.pNext = next, &structure); };
    if (pass.single_sampled.multisampledRenderToSingleSampledEnable != VK_FALSE) chain(pass.single_sampled);
    if (pass.rate.pFragmentShadingRateAttachment != nullptr) chain(pass.rate);
    if (pass.resolve.sType != 0) chain(pass.resolve);
    const auto subpass =
        Typed(VkSubpassDescription2{.pNext = next,
                                    .viewMask = pass.view_mask,
                                    .inputAttachmentCount = 1,
                                    .pInputAttachments = &pass.input,
                                    .colorAttachmentCount = static_cast<uint32_t>(pass.colors.size()),
                                    .pColorAttachments = pass.colors.data(),
                                    .pResolveAttachments = pass.resolves.empty() ? nullptr : pass.resolves.data(),
                                    .pDepthStencilAttachment = &pass.depth});
    const bool has_density = pass.density.fragmentDensityMapAttachment.attachment != VK_ATTACHMENT_UNUSED;
    const void* const density = has_density ? &pass.density : nullptr;
    const VkInputAttachmentAspectReference aspect = {0, 0, pass.input.aspectMask};
    const VkRenderPassInputAttachmentAspectCreateInfo aspects = {
        VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO, density, 1, &aspect};
    auto multiview = Of<VkRenderPassMultiviewCreateInfo>(1, &pass.view_mask, static_cast<uint32_t>(pass.offsets.size()),
                                                         pass.offsets.data());
    multiview.pNext = &aspects;
    const VkRenderPassCreateInfo2 info = {.pNext = is_second ? density : &multiview,
                                          .attachmentCount = static_cast<uint32_t>(pass.attachments.size()),
                                          .pAttachments = pass.attachments.data(),
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass,
                                          .dependencyCount = static_cast<uint32_t>(pass.dependencies.size()),
                                          .pDependencies = pass.dependencies.data()};
    use(info);
  }

  test::ExtensionFeatures features_;
};

class PassCreation : public PassFixture {
 protected:
  void SetUp() override {
    driver().config().formats[VK_FORMAT_R8_UNORM] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT};
  }
  void RunCase(size_t i, bool is_second, const std::string& rules, const Change& change) {
    SCOPED_TRACE(std::to_string(i) + (is_second ? " of version 2: " : ": ") + rules);
    Pass pass;
    if (is_second) pass.resolve.pDepthStencilResolveAttachment = &pass.depth_resolve;
    change(pass);
    WithInfo(pass, is_second, [&](const VkRenderPassCreateInfo2& info) { CreatePass(info, is_second); });
    std::vector<std::string> ids;
    for (const std::string_view rule : absl::StrSplit(rules, ' ', absl::SkipEmpty()))
      ids.push_back(absl::StrCat("VUID-", rule.starts_with("Vk") ? "" : (is_second ? owner2_ : owner1_) + "-", rule));
    ExpectMessages(ids);
  }
  void RunCases(const std::vector<PassCase>& cases) {
    for (size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].rule1 != nullptr) RunCase(i, false, cases[i].rule1, cases[i].change);
      if (cases[i].rule2 != nullptr) RunCase(i, true, cases[i].rule2, cases[i].change);
    }
  }
  // In version 2 alone.
  void RunCases2(const std::vector<std::pair<const char*, Change>>& cases) {
    for (size_t i = 0; i < cases.size(); ++i) RunCase(i, true, cases[i].first, cases[i].second);
  }

  // Of the rules that do not name their owner, in each version.
  std::string owner1_, owner2_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_PASS_CREATION_TEST_H_
