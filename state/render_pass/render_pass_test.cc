// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/render_pass/render_pass.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::state {
namespace {

constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kReadOnly = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr VkImageLayout kDepthStencil = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;

VkAttachmentDescription2 Attachment(VkFormat format, VkImageLayout initial, VkImageLayout last) {
  return {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
          .format = format,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_NONE,
          .initialLayout = initial,
          .finalLayout = last};
}
VkAttachmentReference2 Reference(uint32_t attachment, VkImageLayout layout, VkImageAspectFlags aspects = 0) {
  return {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, layout, aspects};
}

// Collects a VkRenderPassCreateInfo2.
struct Info {
  std::vector<VkAttachmentDescription2> attachments;
  std::vector<VkSubpassDescription2> subpasses;
  std::vector<VkSubpassDependency2> dependencies;

  Ref<RenderPass> Make(const void* next = nullptr) const {
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .pNext = next,
                                          .attachmentCount = static_cast<uint32_t>(attachments.size()),
                                          .pAttachments = attachments.data(),
                                          .subpassCount = static_cast<uint32_t>(subpasses.size()),
                                          .pSubpasses = subpasses.data(),
                                          .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                          .pDependencies = dependencies.data()};
    return MakeRef<RenderPass>(1, info);
  }
};

VkSubpassDescription2 ColorSubpass(const VkAttachmentReference2& color, uint32_t view_mask = 0) {
  return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
          .viewMask = view_mask,
          .colorAttachmentCount = 1,
          .pColorAttachments = &color};
}
VkSubpassDependency2 Dependency(uint32_t from, uint32_t to, const void* next = nullptr) {
  return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
          .pNext = next,
          .srcSubpass = from,
          .dstSubpass = to,
          .srcStageMask = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
          .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
          .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
          .dstAccessMask = VK_ACCESS_SHADER_READ_BIT,
          .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
          .viewOffset = -1};
}

TEST(RenderPass, AttachmentsAndStencilLayouts) {
  const VkAttachmentDescriptionStencilLayout stencil = {VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT,
                                                        nullptr, VK_IMAGE_LAYOUT_UNDEFINED,
                                                        VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL};
  Info info = {
      .attachments = {Attachment(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_LAYOUT_UNDEFINED, kReadOnly),
                      Attachment(VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, kReadOnly),
                      Attachment(VK_FORMAT_S8_UINT, kDepthStencil, kDepthStencil),
                      Attachment(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, kColor, kColor)}};
  info.attachments[1].pNext = &stencil;
  const auto pass = info.Make();
  ASSERT_EQ(pass->attachments.size(), 4u);
  EXPECT_EQ(pass->attachments[0].aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT});
  EXPECT_EQ(pass->attachments[0].load_op, VK_ATTACHMENT_LOAD_OP_CLEAR);
  EXPECT_EQ(pass->attachments[0].stencil_store_op, VK_ATTACHMENT_STORE_OP_NONE);
  EXPECT_EQ(pass->attachments[1].aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT});
  EXPECT_EQ(pass->attachments[1].initial,
            (AttachmentLayouts{VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_UNDEFINED}));
  EXPECT_EQ(pass->attachments[1].final, (AttachmentLayouts{kReadOnly, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL}));
  EXPECT_EQ(pass->attachments[2].aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_STENCIL_BIT});
  EXPECT_EQ(pass->attachments[2].final, (AttachmentLayouts{kDepthStencil, kDepthStencil}));
  EXPECT_EQ(pass->attachments[3].aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT});
  EXPECT_EQ(pass->attachments[0].first_subpass, VK_SUBPASS_EXTERNAL);
  EXPECT_TRUE(pass->dependencies.empty());
}

// Subpass 0 renders to 0 and resolves it to 1; 1 preserves 1 and does nothing else; 2 reads 0 and 1 and renders to
// both.
TEST(RenderPass, AttachmentsBySubpass) {
  const VkAttachmentReference2 colors[] = {Reference(0, kColor), Reference(VK_ATTACHMENT_UNUSED, kColor)};
  const VkAttachmentReference2 resolves[] = {Reference(1, kColor), Reference(VK_ATTACHMENT_UNUSED, kColor)};
  const VkAttachmentReference2 inputs[] = {Reference(0, kReadOnly, VK_IMAGE_ASPECT_COLOR_BIT),
                                           Reference(1, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT)};
  const VkAttachmentReference2 last = Reference(1, VK_IMAGE_LAYOUT_GENERAL);
  const uint32_t preserved[] = {1, 77};
  VkSubpassDescription2 first = ColorSubpass(colors[0]);
  first.colorAttachmentCount = 2;
  first.pColorAttachments = colors;
  first.pResolveAttachments = resolves;
  const VkSubpassDescription2 second = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                        .preserveAttachmentCount = 2,
                                        .pPreserveAttachments = preserved};
  VkSubpassDescription2 third = ColorSubpass(last);
  third.inputAttachmentCount = 2;
  third.pInputAttachments = inputs;
  const Info info = {.attachments = {Attachment(VK_FORMAT_R8_UNORM, VK_IMAGE_LAYOUT_UNDEFINED, kReadOnly),
                                     Attachment(VK_FORMAT_R8_UNORM, kColor, kReadOnly)},
                     .subpasses = {first, second, third}};
  const auto pass = info.Make();
  ASSERT_EQ(pass->subpasses.size(), 3u);
  EXPECT_EQ(pass->At(3), nullptr);
  EXPECT_FALSE(pass->subpasses[0].colors[1].is_used());
  ASSERT_EQ(pass->subpasses[0].attachments.size(), 2u);
  EXPECT_EQ(pass->subpasses[0].attachments[0].kinds, SubpassAttachment::kColor);
  EXPECT_EQ(pass->subpasses[0].attachments[1].kinds, SubpassAttachment::kResolve);
  EXPECT_EQ(pass->subpasses[0].attachments[0].previous_subpass, VK_SUBPASS_EXTERNAL);
  EXPECT_EQ(pass->subpasses[0].attachments[0].previous_layouts.layout, VK_IMAGE_LAYOUT_UNDEFINED);
  EXPECT_EQ(pass->subpasses[0].attachments[0].first_views, 1u);
  EXPECT_EQ(pass->subpasses[0].attachments[0].last_views, 0u);
  EXPECT_TRUE(pass->subpasses[1].attachments.empty());
  EXPECT_EQ(pass->subpasses[1].preserves, std::vector<uint32_t>{1});
  const SubpassAttachment* both = pass->subpasses[2].FindAttachment(1);
  ASSERT_NE(both, nullptr);
  EXPECT_EQ(both->kinds, SubpassAttachment::kColor | SubpassAttachment::kInput);
  EXPECT_EQ(both->previous_subpass, 0u);
  EXPECT_EQ(both->previous_layouts.layout, kColor);
  EXPECT_EQ(both->layouts.layout, VK_IMAGE_LAYOUT_GENERAL);
  EXPECT_EQ(both->first_views, 0u);
  EXPECT_EQ(both->last_views, 1u);
  EXPECT_EQ(pass->attachments[1].first_subpass, 0u);
  EXPECT_EQ(pass->attachments[1].last_subpass, 2u);
  EXPECT_EQ(pass->subpasses[2].FindAttachment(2), nullptr);
}

TEST(RenderPass, TransitionsHaveImplicitDependencies) {
  const VkAttachmentReference2 a = Reference(0, kColor), b = Reference(1, kColor);
  Info info = {.attachments = {Attachment(VK_FORMAT_R8_UNORM, VK_IMAGE_LAYOUT_UNDEFINED, kColor),
                               Attachment(VK_FORMAT_R8_UNORM, kColor, kReadOnly)},
               .subpasses = {ColorSubpass(a), ColorSubpass(b)}};
  auto pass = info.Make();
  ASSERT_EQ(pass->dependencies.size(), 2u);
  const SubpassDependency& in = pass->dependencies[0];
  EXPECT_TRUE(in.is_implicit);
  EXPECT_EQ(in.src_subpass, VK_SUBPASS_EXTERNAL);
  EXPECT_EQ(in.dst_subpass, 0u);
  EXPECT_EQ(in.src_stages, VK_PIPELINE_STAGE_2_NONE);
  EXPECT_EQ(in.src_accesses, VK_ACCESS_2_NONE);
  EXPECT_EQ(in.dst_stages, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  EXPECT_EQ(in.dst_accesses, VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
  const SubpassDependency& out = pass->dependencies[1];
  EXPECT_EQ(out.src_subpass, 1u);
  EXPECT_EQ(out.dst_subpass, VK_SUBPASS_EXTERNAL);
  EXPECT_EQ(out.src_stages, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  EXPECT_EQ(out.src_accesses, in.dst_accesses);
  EXPECT_EQ(out.dst_stages, VK_PIPELINE_STAGE_2_NONE);
  EXPECT_EQ(pass->subpasses[0].incoming, std::vector<uint32_t>{0});
  EXPECT_EQ(pass->outgoing, std::vector<uint32_t>{1});
  // Explicit dependencies replace them.
  info.dependencies = {Dependency(VK_SUBPASS_EXTERNAL, 0), Dependency(1, VK_SUBPASS_EXTERNAL)};
  pass = info.Make();
  ASSERT_EQ(pass->dependencies.size(), 2u);
  EXPECT_FALSE(pass->dependencies[0].is_implicit);
  EXPECT_EQ(pass->dependencies[0].src_stages, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
  EXPECT_EQ(pass->dependencies[0].view_offset, -1);
  // A dependency to a subpass other than the first that uses the attachment does not replace them.
  info.dependencies = {Dependency(VK_SUBPASS_EXTERNAL, 1), Dependency(0, VK_SUBPASS_EXTERNAL)};
  EXPECT_EQ(info.Make()->dependencies.size(), 4u);
}
TEST(RenderPass, StencilLayoutsMakeTransitions) {
  VkAttachmentReferenceStencilLayout stencil = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT, nullptr,
                                                VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL};
  VkAttachmentReference2 reference = Reference(0, kDepthStencil);
  reference.pNext = &stencil;
  const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .pDepthStencilAttachment = &reference};
  Info info = {.attachments = {Attachment(VK_FORMAT_D32_SFLOAT, kDepthStencil, kDepthStencil)}, .subpasses = {subpass}};
  // The format has no stencil.
  EXPECT_TRUE(info.Make()->dependencies.empty());
  info.attachments[0].format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  const auto pass = info.Make();
  EXPECT_EQ(pass->dependencies.size(), 2u);
  EXPECT_EQ(pass->subpasses[0].depth_stencil.layouts.stencil, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL);
}
TEST(RenderPass, BarriersReplaceMasksOfDependencies) {
  const VkMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,  nullptr,
                                    VK_PIPELINE_STAGE_2_COPY_BIT,        VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                    VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT};
  const VkAttachmentReference2 a = Reference(0, kColor);
  const Info info = {.attachments = {Attachment(VK_FORMAT_R8_UNORM, kColor, kColor)},
                     .subpasses = {ColorSubpass(a)},
                     .dependencies = {Dependency(VK_SUBPASS_EXTERNAL, 0, &barrier), Dependency(0, 0),
                                      Dependency(VK_SUBPASS_EXTERNAL, VK_SUBPASS_EXTERNAL), Dependency(0, 5)}};
  const auto pass = info.Make();
  // The last dependency has an invalid subpass.
  ASSERT_EQ(pass->dependencies.size(), 3u);
  EXPECT_EQ(pass->dependencies[0].src_stages, VK_PIPELINE_STAGE_2_COPY_BIT);
  EXPECT_EQ(pass->dependencies[0].dst_accesses, VK_ACCESS_2_INDEX_READ_BIT);
  EXPECT_EQ(pass->subpasses[0].incoming, std::vector<uint32_t>{0});
  EXPECT_EQ(pass->subpasses[0].self, std::vector<uint32_t>{1});
  EXPECT_TRUE(pass->outgoing.empty());
}

TEST(RenderPass, ViewsAreLoadedInTheirFirstSubpass) {
  const VkAttachmentReference2 a = Reference(0, kColor);
  const Info info = {.attachments = {Attachment(VK_FORMAT_R8_UNORM, kColor, kColor)},
                     .subpasses = {ColorSubpass(a, 0b011), ColorSubpass(a, 0b110)}};
  const auto pass = info.Make();
  EXPECT_EQ(pass->subpasses[0].attachments[0].first_views, 0b011u);
  EXPECT_EQ(pass->subpasses[0].attachments[0].last_views, 0b001u);
  EXPECT_EQ(pass->subpasses[1].attachments[0].first_views, 0b100u);
  EXPECT_EQ(pass->subpasses[1].attachments[0].last_views, 0b110u);
}

TEST(RenderPass, DepthResolveShadingRateAndDensityMap) {
  const VkAttachmentReference2 depth = Reference(0, kDepthStencil), resolved = Reference(1, kDepthStencil);
  const VkAttachmentReference2 rate_reference =
      Reference(2, VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR);
  VkMultisampledRenderToSingleSampledInfoEXT single = {VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
                                                       nullptr, VK_TRUE, VK_SAMPLE_COUNT_4_BIT};
  VkFragmentShadingRateAttachmentInfoKHR rate = {
      VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR, &single, &rate_reference, {16, 8}};
  const VkSubpassDescriptionDepthStencilResolve resolve = {VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
                                                           &rate, VK_RESOLVE_MODE_MIN_BIT,
                                                           VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, &resolved};
  const VkSubpassDescription2 subpass = {
      .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .pNext = &resolve, .pDepthStencilAttachment = &depth};
  const VkRenderPassFragmentDensityMapCreateInfoEXT density = {
      VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT,
      nullptr,
      {3, VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT}};
  const VkAttachmentDescription2 plain = Attachment(VK_FORMAT_D24_UNORM_S8_UINT, kDepthStencil, kDepthStencil);
  const auto pass = Info{.attachments = {plain, plain, plain, plain}, .subpasses = {subpass}}.Make(&density);
  const Subpass& state = pass->subpasses[0];
  EXPECT_EQ(state.depth_stencil_resolve.attachment, 1u);
  EXPECT_EQ(state.depth_resolve_mode, VK_RESOLVE_MODE_MIN_BIT);
  EXPECT_EQ(state.stencil_resolve_mode, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
  EXPECT_EQ(state.fragment_shading_rate.attachment, 2u);
  EXPECT_EQ(state.shading_rate_texel_size.height, 8u);
  EXPECT_EQ(state.single_sampled_rasterization_samples, VkSampleCountFlags{VK_SAMPLE_COUNT_4_BIT});
  EXPECT_EQ(state.attachments[1].kinds, SubpassAttachment::kDepthStencilResolve);
  EXPECT_EQ(state.attachments[2].kinds, SubpassAttachment::kFragmentShadingRate);
  EXPECT_EQ(pass->fragment_density_map.attachment, 3u);
}

TEST(RenderPass, VersionOne) {
  const VkAttachmentDescription attachments[] = {
      {.format = VK_FORMAT_D24_UNORM_S8_UINT, .initialLayout = kDepthStencil, .finalLayout = kDepthStencil},
      {.format = VK_FORMAT_R8_UNORM, .initialLayout = kColor, .finalLayout = kColor}};
  const VkAttachmentReference inputs[] = {{0, kDepthStencil}, {VK_ATTACHMENT_UNUSED, kColor}, {0, kDepthStencil}};
  const VkAttachmentReference color = {1, kColor}, bad = {9, kColor};
  const VkSubpassDescription subpasses[] = {
      {.inputAttachmentCount = 3, .pInputAttachments = inputs, .colorAttachmentCount = 1, .pColorAttachments = &color},
      {.colorAttachmentCount = 1, .pColorAttachments = &bad}};
  const VkSubpassDependency dependencies[] = {{.srcSubpass = 8, .dstSubpass = 1},
                                              {.srcSubpass = 0,
                                               .dstSubpass = 1,
                                               .srcStageMask = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
                                               .dstAccessMask = VK_ACCESS_INDEX_READ_BIT}};
  const VkInputAttachmentAspectReference aspects[] = {
      {0, 2, VK_IMAGE_ASPECT_STENCIL_BIT}, {0, 1, VK_IMAGE_ASPECT_COLOR_BIT}, {7, 0, 1}, {0, 7, 1}};
  const VkRenderPassInputAttachmentAspectCreateInfo input_aspects = {
      VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO, nullptr, 4, aspects};
  const uint32_t masks[] = {3, 5, 7};
  const int32_t offsets[] = {1, -2};
  const VkRenderPassMultiviewCreateInfo multiview = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
                                                     .pNext = &input_aspects,
                                                     .subpassCount = 3,
                                                     .pViewMasks = masks,
                                                     .dependencyCount = 2,
                                                     .pViewOffsets = offsets};
  const VkRenderPassCreateInfo info = {
      VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, &multiview, 0, 2, attachments, 2, subpasses, 2, dependencies};
  const auto pass = MakeRef<RenderPass>(1, info);
  const Subpass& first = pass->subpasses[0];
  EXPECT_EQ(first.inputs[0].aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT});
  EXPECT_EQ(first.inputs[1].aspects, 0u);
  EXPECT_EQ(first.inputs[2].aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_STENCIL_BIT});
  EXPECT_EQ(first.view_mask, 3u);
  EXPECT_EQ(pass->subpasses[1].view_mask, 5u);
  EXPECT_FALSE(pass->subpasses[1].colors[0].is_used());
  ASSERT_EQ(pass->dependencies.size(), 1u);
  EXPECT_EQ(pass->dependencies[0].view_offset, -2);
  EXPECT_EQ(pass->dependencies[0].dst_accesses, VK_ACCESS_2_INDEX_READ_BIT);
}

}  // namespace
}  // namespace assay::state
