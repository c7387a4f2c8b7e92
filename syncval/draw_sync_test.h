// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_DRAW_SYNC_TEST_H_
#define ASSAY_SYNCVAL_DRAW_SYNC_TEST_H_

#include <span>
#include <vector>

#include "syncval/sync_test.h"

// What the tests of draws and of rendering have in common.
namespace assay::syncval {

inline constexpr VkPipelineStageFlags2 kColorOutput = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
inline constexpr VkAccessFlags2 kColorRead = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT;
inline constexpr VkAccessFlags2 kColorWrite = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
inline constexpr VkPipelineStageFlags2 kFragmentTests =
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
inline constexpr VkAccessFlags2 kDepthRead = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
inline constexpr VkAccessFlags2 kDepthWrite = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
inline constexpr uint32_t kSide = 64;

// A graphics pipeline for dynamic rendering with one color attachment, and what is different from the plainest.
struct DrawPipeline {
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  VkPipelineColorBlendAttachmentState blend = {.colorWriteMask = 0xf};
  VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  // A shader with those attributes, if empty.
  std::span<const uint32_t> vertex;
  // A shader that writes the color attachment, if empty.
  std::span<const uint32_t> fragment;
  // Chained to the rest.
  const void* next = nullptr;
};

// A color attachment, and what is different from one that is loaded and stored.
struct Target {
  VkImageView view = VK_NULL_HANDLE;
  VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD;
  VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE;
  VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
  VkImageView resolve = VK_NULL_HANDLE;
};
// Neither loaded nor stored: draws alone access it.
inline Target Untouched(VkImageView view) { return {view, VK_ATTACHMENT_LOAD_OP_NONE, VK_ATTACHMENT_STORE_OP_NONE}; }

class DrawSyncTest : public SyncTest {
 protected:
  void SetUp() override;

  VkPipeline MakePipeline(const DrawPipeline& settings);
  // A pipeline with a vertex buffer of vec4 at binding 0.
  VkPipeline MakeVertexPipeline(VkVertexInputRate rate = VK_VERTEX_INPUT_RATE_VERTEX);
  // A fragment shader with a set of such bindings, which is bound too.
  VkPipeline MakeFragmentPipeline(std::span<const uint32_t> fragment, const std::vector<test::Binding>& bindings);

  // To color_ (or other targets), as wide as it is; flags are VkRenderingFlags.
  void BeginRendering(VkCommandBuffer c, const Target& color, const Target& depth = {}, VkRenderingFlags flags = 0,
                      VkRect2D area = {{0, 0}, {kSide, kSide}});
  void BindPipeline(VkCommandBuffer c, VkPipeline pipeline);
  void BindVertices(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset = 0);
  void BindSet(VkCommandBuffer c);
  // One triangle to the target, alone in a rendering.
  void RenderTriangle(VkCommandBuffer c, const Target& color, const Target& depth = {});

  test::Image color_;
  VkImageView color_view_ = VK_NULL_HANDLE;
  // Draws one triangle from no vertex buffer.
  VkPipeline plain_ = VK_NULL_HANDLE;
  // Of MakeFragmentPipeline.
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_DRAW_SYNC_TEST_H_
