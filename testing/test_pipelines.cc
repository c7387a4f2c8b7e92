// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shaders, descriptors, pipelines and render passes of a TestDevice.

#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "testing/test_device.h"

namespace assay::test {
namespace {

VkPipelineShaderStageCreateInfo Stage(VkShaderStageFlagBits stage, VkShaderModule module) {
  return {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .module = module, .pName = "main"};
}

}  // namespace

VkShaderModule TestDevice::MakeShader(std::span<const uint32_t> words) {
  VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size_bytes(),
                                   words.data()};
  VkShaderModule shader = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateShaderModule(device, &info, nullptr, &shader), VK_SUCCESS);
  Defer(shader, [=, this] { vk.DestroyShaderModule(device, shader, nullptr); });
  return shader;
}

VkShaderModule TestDevice::MakeShader(std::string_view text) { return MakeShader(AssembleSpirv(text)); }

VkDescriptorSetLayout TestDevice::MakeSetLayout(const std::vector<Binding>& bindings,
                                                VkDescriptorSetLayoutCreateFlags flags) {
  std::vector<VkDescriptorSetLayoutBinding> infos;
  infos.reserve(bindings.size());
  for (const Binding& binding : bindings) {
    infos.push_back({binding.binding, binding.type, binding.count, binding.stages, binding.immutable_samplers});
  }
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, flags,
                                          static_cast<uint32_t>(infos.size()), infos.data()};
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
  Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });
  return layout;
}

VkPipelineLayout TestDevice::MakePipelineLayout(const std::vector<VkDescriptorSetLayout>& sets,
                                                uint32_t push_constant_size) {
  VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, push_constant_size};
  VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = static_cast<uint32_t>(sets.size()),
      .pSetLayouts = sets.data(),
      .pushConstantRangeCount = push_constant_size != 0,
      .pPushConstantRanges = &range,
  };
  VkPipelineLayout layout = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreatePipelineLayout(device, &info, nullptr, &layout), VK_SUCCESS);
  Defer(layout, [=, this] { vk.DestroyPipelineLayout(device, layout, nullptr); });
  return layout;
}

VkDescriptorSet TestDevice::MakeSet(VkDescriptorSetLayout layout, VkDescriptorPoolCreateFlags pool_flags) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (int type = VK_DESCRIPTOR_TYPE_SAMPLER; type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT; ++type) {
    sizes.push_back({static_cast<VkDescriptorType>(type), 64});
  }
  VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .flags = pool_flags,
      .maxSets = 1,
      .poolSizeCount = static_cast<uint32_t>(sizes.size()),
      .pPoolSizes = sizes.data(),
  };
  VkDescriptorPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateDescriptorPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [=, this] { vk.DestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1, &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  EXPECT_EQ(vk.AllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  return set;
}

void TestDevice::WriteBuffer(VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkBuffer buffer,
                             VkDeviceSize offset, VkDeviceSize range, uint32_t element) {
  VkDescriptorBufferInfo info = {buffer, offset, range};
  VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = set,
      .dstBinding = binding,
      .dstArrayElement = element,
      .descriptorCount = 1,
      .descriptorType = type,
      .pBufferInfo = &info,
  };
  vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void TestDevice::WriteImage(VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkImageView view,
                            VkImageLayout layout, VkSampler sampler, uint32_t element) {
  VkDescriptorImageInfo info = {sampler, view, layout};
  VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = set,
      .dstBinding = binding,
      .dstArrayElement = element,
      .descriptorCount = 1,
      .descriptorType = type,
      .pImageInfo = &info,
  };
  vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

VkPipeline TestDevice::MakeComputePipeline(VkPipelineLayout layout, VkShaderModule shader) {
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = Stage(VK_SHADER_STAGE_COMPUTE_BIT, shader),
      .layout = layout,
  };
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline TestDevice::MakeGraphicsPipeline(VkPipelineLayout layout, const GraphicsOptions& options) {
  uint32_t color_count = static_cast<uint32_t>(options.color_formats.size());
  VkShaderModule vertex =
      options.vertex != VK_NULL_HANDLE ? options.vertex : MakeShader(VertexShader(options.vertex_bindings));
  VkShaderModule fragment =
      options.fragment != VK_NULL_HANDLE ? options.fragment : MakeShader(FragmentShader(color_count));
  std::vector<VkPipelineShaderStageCreateInfo> stages = {Stage(VK_SHADER_STAGE_VERTEX_BIT, vertex)};
  if (options.geometry != VK_NULL_HANDLE) stages.push_back(Stage(VK_SHADER_STAGE_GEOMETRY_BIT, options.geometry));
  stages.push_back(Stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment));
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes = options.attributes;
  if (!attributes.empty()) bindings.push_back({0, 64, VK_VERTEX_INPUT_RATE_VERTEX});
  for (uint32_t i = 0; i < options.vertex_bindings; ++i) {
    bindings.push_back({i, 16, VK_VERTEX_INPUT_RATE_VERTEX});
    attributes.push_back({i, i, VK_FORMAT_R32G32B32A32_SFLOAT, 0});
  }
  VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size()),
      .pVertexBindingDescriptions = bindings.data(),
      .vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size()),
      .pVertexAttributeDescriptions = attributes.data(),
  };
  VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
  };
  VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = options.rasterizer_discard,
      .lineWidth = 1};
  VkPipelineMultisampleStateCreateInfo multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                      .rasterizationSamples = options.samples,
                                                      .alphaToCoverageEnable = options.alpha_to_coverage};
  bool has_depth = options.depth_format != VK_FORMAT_UNDEFINED;
  VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = has_depth,
      .depthWriteEnable = has_depth && options.depth_write,
      .depthCompareOp = VK_COMPARE_OP_LESS,
  };
  std::vector<VkPipelineColorBlendAttachmentState> blends(color_count, {.colorWriteMask = 0xf});
  VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = color_count,
      .pAttachments = blends.data(),
  };
  VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                              .dynamicStateCount = 2,
                                              .pDynamicStates = dynamic_states};
  VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = color_count,
      .pColorAttachmentFormats = options.color_formats.data(),
      .depthAttachmentFormat = options.depth_format,
  };
  VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = options.render_pass == VK_NULL_HANDLE ? &rendering : nullptr,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .pVertexInputState = &vertex_input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewport,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pDepthStencilState = &depth,
      .pColorBlendState = &blend,
      .pDynamicState = &dynamic,
      .layout = layout,
      .renderPass = options.render_pass,
      .subpass = options.subpass,
  };
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkRenderPass TestDevice::MakeRenderPass(const VkRenderPassCreateInfo2& info) {
  return MakeFrom(info, vk.CreateRenderPass2, vk.DestroyRenderPass);
}

VkRenderPass TestDevice::MakeRenderPass(std::vector<VkAttachmentDescription2> attachments,
                                        std::vector<VkSubpassDescription2> subpasses,
                                        std::vector<VkSubpassDependency2> dependencies) {
  for (auto& attachment : attachments) attachment.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
  for (auto& subpass : subpasses) subpass.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2;
  for (auto& dependency : dependencies) dependency.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2;
  return MakeRenderPass({.attachmentCount = static_cast<uint32_t>(attachments.size()),
                         .pAttachments = attachments.data(),
                         .subpassCount = static_cast<uint32_t>(subpasses.size()),
                         .pSubpasses = subpasses.data(),
                         .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                         .pDependencies = dependencies.data()});
}

VkFramebuffer TestDevice::MakeFramebuffer(VkRenderPass render_pass, const std::vector<VkImageView>& views,
                                          uint32_t width, uint32_t height, uint32_t layers) {
  VkFramebufferCreateInfo info = {
      .renderPass = render_pass,
      .attachmentCount = static_cast<uint32_t>(views.size()),
      .pAttachments = views.data(),
      .width = width,
      .height = height,
      .layers = layers,
  };
  return MakeFrom(info, vk.CreateFramebuffer, vk.DestroyFramebuffer);
}

void TestDevice::SetViewportAndScissor(VkCommandBuffer command_buffer, uint32_t width, uint32_t height) {
  VkViewport viewport = {0, 0, static_cast<float>(width), static_cast<float>(height), 0, 1};
  VkRect2D scissor = {{0, 0}, {width, height}};
  vk.CmdSetViewport(command_buffer, 0, 1, &viewport);
  vk.CmdSetScissor(command_buffer, 0, 1, &scissor);
}

}  // namespace assay::test
