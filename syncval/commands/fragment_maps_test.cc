// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Fragment shading rate attachments and fragment density maps, which draws read.

#include "syncval/fixture/draw_sync_test.h"

namespace assay::syncval {
namespace {

constexpr uint32_t kTexel = 16;
constexpr VkPipelineStageFlags2 kRateStage = VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
constexpr VkAccessFlags2 kRateRead = VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR;
constexpr VkPipelineStageFlags2 kDensityStage = VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT;
constexpr VkAccessFlags2 kDensityRead = VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT;

class SyncFragmentMap : public DrawSyncTest {
 protected:
  void SetUp() override {
    DrawSyncTest::SetUp();
    rates_ = MakeImage(VK_FORMAT_R8_UINT, kSide / kTexel, kSide / kTexel);
    densities_ = MakeImage(VK_FORMAT_R8G8_UNORM, kSide / kTexel, kSide / kTexel);
  }
  VkPipeline MakeRatePipeline(VkFragmentShadingRateCombinerOpKHR op) {
    VkPipelineFragmentShadingRateStateCreateInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
        .fragmentSize = {1, 1},
        .combinerOps = {VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR, op}};
    DrawPipeline settings;
    settings.next = &rate;
    return MakePipeline(settings);
  }
  VkImageView MakeDensityView(
      VkImageViewCreateFlags flags = VK_IMAGE_VIEW_CREATE_FRAGMENT_DENSITY_MAP_DYNAMIC_BIT_EXT) {
    return MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                     .flags = flags,
                     .image = densities_,
                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                     .format = VK_FORMAT_R8G8_UNORM,
                     .subresourceRange = densities_.Range()});
  }
  // A triangle to color_, which only draws access. `next` is chained; without a pipeline there is no draw.
  void Render(VkCommandBuffer c, VkPipeline pipeline, const void* chain, VkRect2D area = {{0, 0}, {kSide, kSide}}) {
    VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = color_view_,
                                       .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                       .loadOp = VK_ATTACHMENT_LOAD_OP_NONE,
                                       .storeOp = VK_ATTACHMENT_STORE_OP_NONE};
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .pNext = chain,
                            .renderArea = area,
                            .layerCount = 1,
                            .colorAttachmentCount = 1,
                            .pColorAttachments = &color};
    vk.CmdBeginRendering(c, &info);
    if (pipeline != VK_NULL_HANDLE) {
      BindPipeline(c, pipeline);
      vk.CmdDraw(c, 3, 1, 0, 0);
    }
    vk.CmdEndRendering(c);
  }
  void RenderWithRates(VkCommandBuffer c, VkPipeline pipeline, VkRect2D area = {{0, 0}, {kSide, kSide}}) {
    VkRenderingFragmentShadingRateAttachmentInfoKHR rate = {
        VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        nullptr,
        MakeView(rates_),
        VK_IMAGE_LAYOUT_GENERAL,
        {kTexel, kTexel}};
    Render(c, pipeline, &rate, area);
  }
  void RenderWithDensities(VkCommandBuffer c, VkImageView map, VkPipeline pipeline) {
    VkRenderingFragmentDensityMapAttachmentInfoEXT density = {
        VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT, nullptr, map, VK_IMAGE_LAYOUT_GENERAL};
    Render(c, pipeline, &density);
  }
  // One texel of an image.
  void Upload(VkCommandBuffer c, const test::Image& image, VkOffset3D offset) {
    VkBufferImageCopy region = {.imageSubresource = image.Layers(), .imageOffset = offset, .imageExtent = {1, 1, 1}};
    vk.CmdCopyBufferToImage(c, MakeBuffer(64), image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  }
  test::Image rates_, densities_;
};
class NegativeSyncFragmentMap : public SyncFragmentMap {};
class PositiveSyncFragmentMap : public SyncFragmentMap {};

TEST_F(NegativeSyncFragmentMap, ShadingRate) {
  VkPipeline pipeline = MakeRatePipeline(VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR);
  VkCommandBuffer c = Begun();
  Clear(c, rates_, rates_.Range());
  RenderWithRates(c, pipeline);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kRateStage);
  EXPECT_EQ(fix.dst_access, kRateRead);
  ExpectNothing();
  Clear(c, rates_, rates_.Range());
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncFragmentMap, ShadingRate) {
  VkPipeline pipeline = MakeRatePipeline(VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR);
  VkCommandBuffer c = Begun();
  Clear(c, rates_, rates_.Range());
  Barrier(c, {kClear, kWrite, kRateStage, kRateRead});
  RenderWithRates(c, pipeline);
}
TEST_F(PositiveSyncFragmentMap, ShadingRateThatIsKept) {
  VkPipeline pipeline = MakeRatePipeline(VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR);
  VkCommandBuffer c = Begun();
  Clear(c, rates_, rates_.Range());
  RenderWithRates(c, pipeline);
}
TEST_F(PositiveSyncFragmentMap, ShadingRateOutsideOfTheArea) {
  VkPipeline pipeline = MakeRatePipeline(VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR);
  VkCommandBuffer c = Begun();
  Upload(c, rates_, {2, 0, 0});
  RenderWithRates(c, pipeline, {{0, 0}, {2 * kTexel, kSide}});
}

TEST_F(NegativeSyncFragmentMap, Density) {
  VkImageView map = MakeDensityView();
  VkCommandBuffer c = Begun();
  Upload(c, densities_, {3, 3, 0});
  RenderWithDensities(c, map, plain_);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("fragment density map"), std::string::npos) << message.text;
  EXPECT_EQ(ParseFix(message.text).dst_stages, kDensityStage);
  EXPECT_EQ(ParseFix(message.text).dst_access, kDensityRead);
}
TEST_F(PositiveSyncFragmentMap, Density) {
  VkImageView map = MakeDensityView();
  VkCommandBuffer c = Begun();
  Upload(c, densities_, {3, 3, 0});
  Barrier(c, {kCopy, kWrite, kDensityStage, kDensityRead});
  RenderWithDensities(c, map, plain_);
}
// The host reads a map that is not dynamic.
TEST_F(PositiveSyncFragmentMap, DensityForTheHost) {
  VkImageView map = MakeDensityView(0);
  VkCommandBuffer c = Begun();
  Upload(c, densities_, {3, 3, 0});
  RenderWithDensities(c, map, plain_);
}
TEST_F(PositiveSyncFragmentMap, DensityWithoutDraws) {
  VkImageView map = MakeDensityView();
  VkCommandBuffer c = Begun();
  Upload(c, densities_, {3, 3, 0});
  RenderWithDensities(c, map, VK_NULL_HANDLE);
}

}  // namespace
}  // namespace assay::syncval
