// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/draw_sync_test.h"

#include "testing/shaders.h"

namespace assay::syncval {
namespace {

VkPipelineShaderStageCreateInfo Stage(VkShaderStageFlagBits stage, VkShaderModule module) {
  return {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .module = module, .pName = "main"};
}

VkRenderingAttachmentInfo AttachmentInfo(const Target& target) {
  return {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
          .imageView = target.view,
          .imageLayout = target.layout,
          .resolveMode = target.resolve != VK_NULL_HANDLE ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_NONE,
          .resolveImageView = target.resolve,
          .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
          .loadOp = target.load,
          .storeOp = target.store};
}

}  // namespace

void DrawSyncTest::SetUp() {
  SyncTest::SetUp();
  color_ = MakeImage(kColorFormat, kSide, kSide);
  color_view_ = MakeView(color_);
  plain_ = MakePipeline({});
}

VkPipeline DrawSyncTest::MakePipeline(const DrawPipeline& settings) {
  VkPipelineShaderStageCreateInfo stages[] = {
      Stage(VK_SHADER_STAGE_VERTEX_BIT,
            settings.vertex.empty() ? MakeShader(test::VertexShader(static_cast<uint32_t>(settings.attributes.size())))
                                    : MakeShader(settings.vertex)),
      Stage(VK_SHADER_STAGE_FRAGMENT_BIT,
            settings.fragment.empty() ? MakeShader(test::FragmentShader(1)) : MakeShader(settings.fragment))};
  VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = static_cast<uint32_t>(settings.bindings.size()),
      .pVertexBindingDescriptions = settings.bindings.data(),
      .vertexAttributeDescriptionCount = static_cast<uint32_t>(settings.attributes.size()),
      .pVertexAttributeDescriptions = settings.attributes.data()};
  VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  VkPipelineMultisampleStateCreateInfo multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                               .attachmentCount = 1,
                                               .pAttachments = &settings.blend};
  VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                              .dynamicStateCount = 2,
                                              .pDynamicStates = dynamic_states};
  VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                             .pNext = settings.next,
                                             .colorAttachmentCount = 1,
                                             .pColorAttachmentFormats = &kColorFormat,
                                             .depthAttachmentFormat = kDepthFormat,
                                             .stencilAttachmentFormat = kDepthFormat};
  VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = &rendering,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = &vertex_input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewport,
      .pRasterizationState = &settings.rasterization,
      .pMultisampleState = &multisample,
      .pDepthStencilState = &settings.depth,
      .pColorBlendState = &blend,
      .pDynamicState = &dynamic,
      .layout = settings.layout != VK_NULL_HANDLE ? settings.layout : MakePipelineLayout({}),
  };
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline DrawSyncTest::MakeVertexPipeline(VkVertexInputRate rate) {
  DrawPipeline settings;
  settings.bindings = {{0, 16, rate}};
  settings.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  return MakePipeline(settings);
}

VkPipeline DrawSyncTest::MakeFragmentPipeline(std::span<const uint32_t> fragment,
                                              const std::vector<test::Binding>& bindings) {
  VkDescriptorSetLayout set_layout = MakeSetLayout(bindings);
  layout_ = MakePipelineLayout({set_layout});
  set_ = MakeSet(set_layout);
  DrawPipeline settings;
  settings.layout = layout_;
  settings.fragment = fragment;
  return MakePipeline(settings);
}

void DrawSyncTest::BeginRendering(VkCommandBuffer c, const Target& color, const Target& depth, VkRenderingFlags flags,
                                  VkRect2D area) {
  const VkRenderingAttachmentInfo color_info = AttachmentInfo(color), depth_info = AttachmentInfo(depth);
  const VkRenderingAttachmentInfo* depth_attachment = depth.view != VK_NULL_HANDLE ? &depth_info : nullptr;
  VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                          .flags = flags,
                          .renderArea = area,
                          .layerCount = 1,
                          .colorAttachmentCount = 1,
                          .pColorAttachments = &color_info,
                          .pDepthAttachment = depth_attachment,
                          .pStencilAttachment = depth_attachment};
  vk.CmdBeginRendering(c, &info);
}

void DrawSyncTest::BindPipeline(VkCommandBuffer c, VkPipeline pipeline) {
  vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

void DrawSyncTest::BindVertices(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset) {
  vk.CmdBindVertexBuffers(c, 0, 1, &buffer, &offset);
}

void DrawSyncTest::BindSet(VkCommandBuffer c) {
  vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
}

void DrawSyncTest::RenderTriangle(VkCommandBuffer c, const Target& color, const Target& depth) {
  BeginRendering(c, color, depth);
  BindPipeline(c, plain_);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
}

}  // namespace assay::syncval
