// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Render passes with more subpasses, and dependencies, than the engine has stages for their first scopes.

#include <vector>

#include "syncval/fixture/draw_sync_test.h"
#include "syncval/shaders/fragment_input.h"

namespace assay::syncval {
namespace {

constexpr uint32_t kSubpasses = 32;
// The subpass that clears the attachment. The last one reads it.
constexpr uint32_t kClearing = 15;

constexpr VkSubpassDependency ColorToInput(uint32_t src, uint32_t dst) {
  return {src,
          dst,
          VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
          VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
          VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
          VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
          0};
}

class SyncManySubpasses : public DrawSyncTest {
 protected:
  VkRenderPass MakeRenderPass(const std::vector<VkSubpassDependency>& dependencies) {
    const VkAttachmentDescription attachment = {.format = kColorFormat,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    std::vector<VkSubpassDescription> subpasses(kSubpasses);
    for (VkSubpassDescription& subpass : subpasses) subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpasses[kClearing].colorAttachmentCount = 1;
    subpasses[kClearing].pColorAttachments = &reference;
    subpasses.back().inputAttachmentCount = 1;
    subpasses.back().pInputAttachments = &reference;
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &attachment,
                                         .subpassCount = kSubpasses,
                                         .pSubpasses = subpasses.data(),
                                         .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                         .pDependencies = dependencies.data()};
    VkRenderPass render_pass = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRenderPass(device, &info, nullptr, &render_pass), VK_SUCCESS);
    Defer(render_pass, [=, this] { vk.DestroyRenderPass(device, render_pass, nullptr); });
    return render_pass;
  }
  void Render(VkCommandBuffer c, const std::vector<VkSubpassDependency>& dependencies) {
    const VkRenderPass render_pass = MakeRenderPass(dependencies);
    VkPipeline reader = MakeFragmentPipeline(k_fragment_input, {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}});
    WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, color_view_, VK_IMAGE_LAYOUT_GENERAL);
    const VkClearValue clear = {};
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = render_pass,
                                        .framebuffer = MakeFramebuffer(render_pass, {color_view_}, kSide, kSide),
                                        .renderArea = {{0, 0}, {kSide, kSide}},
                                        .clearValueCount = 1,
                                        .pClearValues = &clear};
    vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 1; i < kSubpasses; ++i) vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    BindPipeline(c, reader);
    BindSet(c);
    vk.CmdDraw(c, 3, 1, 0, 0);
    vk.CmdEndRenderPass(c);
  }
  // From each subpass to the next, but for those between the one that clears and the one before the last. So nothing
  // leads from that to the last one.
  static std::vector<VkSubpassDependency> WithoutTheMiddle() {
    std::vector<VkSubpassDependency> dependencies;
    for (uint32_t i = 0; i <= kClearing; ++i) dependencies.push_back(ColorToInput(i, i + 1));
    dependencies.push_back(ColorToInput(kSubpasses - 2, kSubpasses - 1));
    return dependencies;
  }
};
class NegativeSyncManySubpasses : public SyncManySubpasses {};
class PositiveSyncManySubpasses : public SyncManySubpasses {};

TEST_F(NegativeSyncManySubpasses, NothingLeadsToTheReader) {
  Render(Begun(), WithoutTheMiddle());
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncManySubpasses, OneDependencyLeadsToTheReader) {
  std::vector<VkSubpassDependency> dependencies = WithoutTheMiddle();
  dependencies.push_back(ColorToInput(kClearing, kSubpasses - 1));
  Render(Begun(), dependencies);
}
// Each is ordered after the one before it.
TEST_F(PositiveSyncManySubpasses, AChainLeadsToTheReader) {
  std::vector<VkSubpassDependency> dependencies;
  for (uint32_t i = 0; i + 1 < kSubpasses; ++i) dependencies.push_back(ColorToInput(i, i + 1));
  Render(Begun(), dependencies);
}

}  // namespace
}  // namespace assay::syncval
