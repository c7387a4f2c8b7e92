// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_PIPELINES_PIPELINE_TEST_H_
#define ASSAY_STATE_PIPELINES_PIPELINE_TEST_H_

#include <cstdint>
#include <vector>

#include "state/hooks/state_test.h"
#include "testing/shaders.h"

// Graphics pipelines and pipeline libraries for tests.
namespace assay::state {

inline constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkGraphicsPipelineLibraryFlagBitsEXT kVertexInput =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
inline constexpr VkGraphicsPipelineLibraryFlagBitsEXT kPreRasterization =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
inline constexpr VkGraphicsPipelineLibraryFlagBitsEXT kFragmentShader =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
inline constexpr VkGraphicsPipelineLibraryFlagBitsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// A pointer that must not be read.
template <class T>
const T* Garbage() {
  return reinterpret_cast<const T*>(uintptr_t{16});
}

// The parameters of a complete graphics pipeline. A test changes members before it creates the pipeline.
struct GraphicsInfo {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  std::vector<VkVertexInputBindingDescription> bindings = {{3, 20, VK_VERTEX_INPUT_RATE_INSTANCE}};
  std::vector<VkVertexInputAttributeDescription> attributes = {{1, 3, VK_FORMAT_R32_SFLOAT, 4}};
  VkVertexInputBindingDivisorDescription divisor = {3, 7};
  VkPipelineVertexInputDivisorStateCreateInfo divisors = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO, nullptr, 1, &divisor};
  VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, .pNext = &divisors};
  VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                     nullptr, 0, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_TRUE};
  VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .cullMode = VK_CULL_MODE_BACK_BIT,
      .lineWidth = 1};
  VkPipelineMultisampleStateCreateInfo multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                      .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
  VkPipelineDepthStencilStateCreateInfo depth_stencil = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_LESS,
      .stencilTestEnable = VK_TRUE,
      .front = {VK_STENCIL_OP_ZERO, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 1, 2, 3},
      .back = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INVERT, VK_COMPARE_OP_LESS, 4, 5, 6}};
  std::vector<VkPipelineColorBlendAttachmentState> blend_attachments = {
      {.blendEnable = VK_TRUE, .colorWriteMask = VK_COLOR_COMPONENT_R_BIT}, {.colorWriteMask = 0}};
  std::vector<VkBool32> write_enables = {VK_FALSE, VK_TRUE};
  VkPipelineColorWriteCreateInfoEXT color_write = {VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT};
  VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                               .logicOp = VK_LOGIC_OP_XOR};
  std::vector<VkDynamicState> dynamic_states = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  std::vector<VkFormat> color_formats = {kFormat, kFormat};
  VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                             .viewMask = 3,
                                             .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT};
  VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};

  // Points the structures to one another.
  VkGraphicsPipelineCreateInfo& Link() {
    vertex_input.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size());
    vertex_input.pVertexBindingDescriptions = bindings.data();
    vertex_input.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
    vertex_input.pVertexAttributeDescriptions = attributes.data();
    color_write.attachmentCount = static_cast<uint32_t>(write_enables.size());
    color_write.pColorWriteEnables = write_enables.data();
    blend.pNext = &color_write;
    blend.attachmentCount = static_cast<uint32_t>(blend_attachments.size());
    blend.pAttachments = blend_attachments.data();
    dynamic.dynamicStateCount = static_cast<uint32_t>(dynamic_states.size());
    dynamic.pDynamicStates = dynamic_states.data();
    rendering.colorAttachmentCount = static_cast<uint32_t>(color_formats.size());
    rendering.pColorAttachmentFormats = color_formats.data();
    info.pNext = &rendering;
    info.stageCount = static_cast<uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &vertex_input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &rasterization;
    info.pMultisampleState = &multisample;
    info.pDepthStencilState = &depth_stencil;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    return info;
  }
};

class PipelineState : public StateTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = StateTest::Options();
    options.device_extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                 VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                                 VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
                                 VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
                                 VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
                                 VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                 VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                 VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                                 VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
    return options;
  }

  VkPipelineShaderStageCreateInfo Stage(VkShaderStageFlagBits stage, VkShaderModule module) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = stage,
            .module = module,
            .pName = "main"};
  }
  VkPipelineShaderStageCreateInfo VertexStage() {
    return Stage(VK_SHADER_STAGE_VERTEX_BIT, MakeShader(test::VertexShader(2)));
  }
  VkPipelineShaderStageCreateInfo FragmentStage() {
    return Stage(VK_SHADER_STAGE_FRAGMENT_BIT, MakeShader(test::FragmentShader(1)));
  }
  GraphicsInfo Complete() {
    GraphicsInfo info;
    info.stages = {VertexStage(), FragmentStage()};
    info.info.layout = MakePipelineLayout({});
    return info;
  }
  VkPipeline Make(const VkGraphicsPipelineCreateInfo& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  VkPipeline Make(GraphicsInfo info) { return Make(info.Link()); }
  VkPipeline MakeLibrary(GraphicsInfo info, VkGraphicsPipelineLibraryFlagsEXT parts) {
    info.Link();
    VkGraphicsPipelineLibraryCreateInfoEXT library = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                                                      &info.rendering, parts};
    info.info.pNext = &library;
    info.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    return Make(info.info);
  }
  VkPipeline MakeLinked(std::vector<VkPipeline> libraries, VkPipelineLayout layout = VK_NULL_HANDLE) {
    VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr,
                                             static_cast<uint32_t>(libraries.size()), libraries.data()};
    return Make(VkGraphicsPipelineCreateInfo{
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = layout});
  }
  static const GraphicsState& Graphics(VkPipeline pipeline) { return *StateOf<Pipeline>(pipeline)->graphics; }
  // Expects every parameter of GraphicsInfo in the state.
  static void ExpectAll(const GraphicsState& state) {
    EXPECT_EQ(state.parts, GraphicsState::kAllParts);
    EXPECT_EQ(state.vertex_input.described_bindings, 0b1000u);
    EXPECT_EQ(state.vertex_input.bindings[3].stride, 20u);
    EXPECT_EQ(state.vertex_input.bindings[3].divisor, 7u);
    EXPECT_EQ(state.vertex_input.attribute_count, 1u);
    EXPECT_EQ(state.vertex_input.attributes[0].offset, 4u);
    EXPECT_EQ(state.functions.topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    EXPECT_TRUE(state.functions.primitive_restart);
    EXPECT_EQ(state.functions.cull_mode, VkCullModeFlags{VK_CULL_MODE_BACK_BIT});
    EXPECT_EQ(state.functions.samples, VK_SAMPLE_COUNT_4_BIT);
    EXPECT_TRUE(state.functions.depth_test);
    EXPECT_TRUE(state.functions.depth_write);
    EXPECT_TRUE(state.functions.stencil_test);
    EXPECT_EQ(state.functions.stencil_faces[0].fail_op, VK_STENCIL_OP_ZERO);
    EXPECT_EQ(state.functions.stencil_faces[1].depth_fail_op, VK_STENCIL_OP_INVERT);
    EXPECT_EQ(state.functions.stencil_compare_masks, (StencilMasks{1, 4}));
    EXPECT_EQ(state.functions.stencil_write_masks, (StencilMasks{2, 5}));
    EXPECT_EQ(state.functions.blend_enables, 1u);
    EXPECT_EQ(state.functions.color_write_enables, ~1u);
    EXPECT_EQ(state.functions.color_write_masks[0], VK_COLOR_COMPONENT_R_BIT);
    EXPECT_EQ(state.functions.color_write_masks[1], 0);
    EXPECT_EQ(state.functions.logic_op, VK_LOGIC_OP_XOR);
    EXPECT_EQ(state.color_attachment_count, 2u);
    EXPECT_EQ(state.color_formats, (std::vector<VkFormat>{kFormat, kFormat}));
    EXPECT_EQ(state.depth_format, VK_FORMAT_D32_SFLOAT);
    EXPECT_EQ(state.view_mask, 3u);
  }
};

}  // namespace assay::state

#endif  // ASSAY_STATE_PIPELINES_PIPELINE_TEST_H_
