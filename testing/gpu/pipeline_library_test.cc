// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines that are linked from libraries: VK_EXT_graphics_pipeline_library, and ray tracing pipelines.

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/fetch_vert.h"
#include "testing/gpu/shaders/full_screen_vert.h"
#include "testing/gpu/shaders/read_frag.h"
#include "testing/gpu/shaders/read_values_vert.h"
#include "testing/gpu/shaders/write_at_rgen.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kDrawBounds[] = "VUID-vkCmdDraw-storageBuffers-06936";

// Whether pipelines are linked with VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT.
class GraphicsLibraryGpuavTest : public GpuavTest, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    library_.graphicsPipelineLibrary = VK_TRUE;
    library_.pNext = &robustness_;
    robustness_.pipelineRobustness = VK_TRUE;
    features12_.pNext = &library_;
    Create({.device_extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                  VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME}});
  }

  struct Parts {
    VkPipelineLayout vertex_layout;
    VkPipelineLayout fragment_layout;
    VkPipelineLayout linked_layout;
    std::span<const uint32_t> vertex;
    bool has_attribute = false;
    bool has_robust_attribute = false;
  };

  // The libraries stay: llvmpipe 25.0 reads them when the pipeline is drawn with.
  VkPipeline Link(const Parts& parts) {
    const std::array libraries = {MakeVertexInput(parts),
                                  MakePreRasterization(parts.vertex_layout, device_.MakeShader(parts.vertex)),
                                  MakeFragment(parts.fragment_layout, device_.MakeShader(k_read_frag)), MakeOutput()};
    const VkPipelineLibraryCreateInfoKHR linked = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                   .libraryCount = static_cast<uint32_t>(libraries.size()),
                                                   .pLibraries = libraries.data()};
    const VkPipelineCreateFlags flags = GetParam() ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0;
    return MakePipelineOf({.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                           .pNext = &linked,
                           .flags = flags,
                           .layout = parts.linked_layout});
  }

  // The set of the fragment shader is number 0, that of the vertex shader 1.
  void BindSets(VkCommandBuffer commands, VkPipelineLayout layout, const std::vector<VkDescriptorSet>& sets) {
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0,
                                     static_cast<uint32_t>(sets.size()), sets.data(), 0, nullptr);
  }
  VkCommandBuffer RecordDraw(VkPipeline pipeline, VkPipelineLayout layout, const std::vector<VkDescriptorSet>& sets) {
    return RecordRendering([&](VkCommandBuffer commands) {
      device_.SetViewportAndScissor(commands, 16, 16);
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      BindSets(commands, layout, sets);
      device_.vk.CmdDraw(commands, 3, 1, 0, 0);
    });
  }
  VkPipelineLayout MakeIndependent(const std::vector<VkDescriptorSetLayout>& sets) {
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT,
                                             .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                             .pSetLayouts = sets.data()};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreatePipelineLayout(device_.device, &info, nullptr, &layout), VK_SUCCESS);
    device_.Defer(layout, [this, layout] { device_.vk.DestroyPipelineLayout(device_.device, layout, nullptr); });
    return layout;
  }

  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
  VkPhysicalDevicePipelineRobustnessFeatures robustness_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES};

 private:
  VkPipeline MakePipelineOf(const VkGraphicsPipelineCreateInfo& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreateGraphicsPipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
    return pipeline;
  }
  VkPipeline MakeLibrary(VkGraphicsPipelineLibraryFlagsEXT part, VkGraphicsPipelineCreateInfo info) {
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .pNext = info.pNext,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineLibraryCreateInfoEXT library = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .pNext = &rendering, .flags = part};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.pNext = &library;
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    return MakePipelineOf(info);
  }
  static VkPipelineShaderStageCreateInfo StageOf(VkShaderStageFlagBits stage, VkShaderModule module) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = stage,
            .module = module,
            .pName = "main"};
  }

  VkPipeline MakeVertexInput(const Parts& parts) {
    const VkVertexInputBindingDescription binding = {.stride = 16};
    const VkVertexInputAttributeDescription attribute = {.format = VK_FORMAT_R32G32B32A32_SFLOAT};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = parts.has_attribute ? 1u : 0u,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = parts.has_attribute ? 1u : 0u,
        .pVertexAttributeDescriptions = &attribute};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineRobustnessCreateInfo robust = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
        .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS};
    return MakeLibrary(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
                       {.pNext = parts.has_robust_attribute ? &robust : nullptr,
                        .pVertexInputState = &input,
                        .pInputAssemblyState = &assembly});
  }
  VkPipeline MakePreRasterization(VkPipelineLayout layout, VkShaderModule vertex) {
    const VkPipelineShaderStageCreateInfo stage = StageOf(VK_SHADER_STAGE_VERTEX_BIT, vertex);
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 2,
                                                      .pDynamicStates = states};
    return MakeLibrary(VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
                       {.stageCount = 1,
                        .pStages = &stage,
                        .pViewportState = &viewport,
                        .pRasterizationState = &rasterization,
                        .pDynamicState = &dynamic,
                        .layout = layout});
  }
  VkPipeline MakeFragment(VkPipelineLayout layout, VkShaderModule fragment) {
    const VkPipelineShaderStageCreateInfo stage = StageOf(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    return MakeLibrary(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
                       {.stageCount = 1, .pStages = &stage, .pDepthStencilState = &depth, .layout = layout});
  }
  VkPipeline MakeOutput() {
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    return MakeLibrary(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
                       {.pMultisampleState = &samples, .pColorBlendState = &blend});
  }
};

TEST_P(GraphicsLibraryGpuavTest, FragmentShaderOfALibrary) {
  const VkPipeline pipeline = Link({layout_, layout_, layout_, k_full_screen_vert});
  const VkCommandBuffer commands = RecordDraw(pipeline, layout_, {set_});
  SetIndex(15);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  const std::string text = log_.Expect(kDrawBounds).text;
  EXPECT_THAT(text, HasSubstr("It happened 256 times"));
  EXPECT_THAT(text, HasSubstr("read.frag:7"));
}

TEST_P(GraphicsLibraryGpuavTest, IndependentSets) {
  const VkDescriptorSetLayout of_fragment =
      device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT},
                             {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT}});
  const VkDescriptorSetLayout of_vertex =
      device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT}});
  const VkPipelineLayout linked = MakeIndependent({of_fragment, of_vertex});
  const VkPipeline pipeline = Link({.vertex_layout = MakeIndependent({VK_NULL_HANDLE, of_vertex}),
                                    .fragment_layout = MakeIndependent({of_fragment, VK_NULL_HANDLE}),
                                    .linked_layout = linked,
                                    .vertex = k_read_values_vert});
  const std::vector<VkDescriptorSet> sets = {device_.MakeSet(of_fragment), device_.MakeSet(of_vertex)};
  const Buffer values = device_.MakeBuffer(16);
  device_.WriteBuffer(sets[0], 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
  device_.WriteBuffer(sets[0], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_);
  device_.WriteBuffer(sets[1], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, values);
  SetIndex(15);
  SubmitAndWait(RecordDraw(pipeline, linked, sets));
  log_.ExpectNothing();
  SetIndex(16);
  device_.WriteBuffer(sets[1], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, values, 0, 8);
  SubmitAndWait(RecordDraw(pipeline, linked, sets));
  const std::string text = log_.Expect(kDrawBounds).text;
  EXPECT_THAT(text, HasSubstr("descriptor set 1, binding 0"));
  EXPECT_THAT(text, HasSubstr("read_values.vert:5"));
  EXPECT_THAT(log_.Expect(kDrawBounds).text, HasSubstr("read.frag:7"));
}

TEST_P(GraphicsLibraryGpuavTest, VertexAttributes) {
  const Buffer vertices = device_.MakeBuffer(48, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  Parts parts = {.vertex_layout = layout_,
                 .fragment_layout = layout_,
                 .linked_layout = layout_,
                 .vertex = k_fetch_vert,
                 .has_attribute = true};
  const auto run = [&](VkPipeline pipeline, VkDeviceSize bytes) {
    SubmitAndWait(RecordRendering([&](VkCommandBuffer commands) {
      device_.SetViewportAndScissor(commands, 16, 16);
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      BindSets(commands, layout_, {set_});
      const VkDeviceSize offset = 0;
      device_.vk.CmdBindVertexBuffers2(commands, 0, 1, &vertices.handle, &offset, &bytes, nullptr);
      device_.vk.CmdDraw(commands, 3, 1, 0, 0);
    }));
  };
  const VkPipeline pipeline = Link(parts);
  run(pipeline, 48);
  log_.ExpectNothing();
  run(pipeline, 32);
  EXPECT_THAT(log_.Expect("VUID-vkCmdDraw-None-02721").text, HasSubstr("fetch.vert:5"));
  // The library of the vertex input may say that this is harmless.
  parts.has_robust_attribute = true;
  run(Link(parts), 32);
  log_.ExpectNothing();
}

INSTANTIATE_TEST_SUITE_P(Linked, GraphicsLibraryGpuavTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Optimized" : "Fast"; });

class RayTracingLibraryGpuavTest : public GpuavTest {
 protected:
  void SetUp() override {
    ray_tracing_.rayTracingPipeline = VK_TRUE;
    structures_.accelerationStructure = VK_TRUE;
    structures_.pNext = &ray_tracing_;
    features12_.pNext = &structures_;
    Create({.device_extensions = {VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                  VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                  VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME}});
  }

  VkPipeline MakePipelineOf(const VkRayTracingPipelineCreateInfoKHR& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreateRayTracingPipelinesKHR(device_.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr,
                                                      &pipeline),
              VK_SUCCESS);
    device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
    return pipeline;
  }
  // A library with the ray generation shader.
  VkPipeline MakeLibrary() {
    const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                   .module = device_.MakeShader(k_write_at_rgen),
                                                   .pName = "main"};
    const VkRayTracingShaderGroupCreateInfoKHR group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .generalShader = 0,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    return MakePipelineOf({.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                           .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                           .stageCount = 1,
                           .pStages = &stage,
                           .groupCount = 1,
                           .pGroups = &group,
                           .maxPipelineRayRecursionDepth = 1,
                           .pLibraryInterface = &interface_,
                           .layout = layout_});
  }
  VkPipeline Link(VkPipeline library) {
    const VkPipelineLibraryCreateInfoKHR libraries = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 1, .pLibraries = &library};
    return MakePipelineOf({.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                           .maxPipelineRayRecursionDepth = 1,
                           .pLibraryInfo = &libraries,
                           .pLibraryInterface = &interface_,
                           .layout = layout_});
  }
  // A shader binding table with the first group.
  VkStridedDeviceAddressRegionKHR MakeTable(VkPipeline pipeline) {
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR of_rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &of_rays};
    device_.vk.GetPhysicalDeviceProperties2(device_.physical_device, &properties);
    const VkDeviceSize alignment = of_rays.shaderGroupBaseAlignment;
    const Buffer table = device_.MakeBuffer(
        3 * alignment, VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = table};
    const VkDeviceAddress address = device_.vk.GetBufferDeviceAddress(device_.device, &info);
    const VkDeviceSize padding = (alignment - address % alignment) % alignment;
    EXPECT_EQ(
        device_.vk.GetRayTracingShaderGroupHandlesKHR(device_.device, pipeline, 0, 1, of_rays.shaderGroupHandleSize,
                                                      static_cast<char*>(Map(table)) + padding),
        VK_SUCCESS);
    return {.deviceAddress = address + padding, .stride = alignment, .size = alignment};
  }

  const VkRayTracingPipelineInterfaceCreateInfoKHR interface_ = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR};
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_tracing_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR};
};

TEST_F(RayTracingLibraryGpuavTest, RayGenerationShaderOfALibrary) {
  const VkPipeline library = MakeLibrary();
  const VkPipeline pipeline = Link(library);
  const VkStridedDeviceAddressRegionKHR table = MakeTable(pipeline);
  device_.DestroyNow(library);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout_, 0, 1, &set_, 0,
                                     nullptr);
    const VkStridedDeviceAddressRegionKHR none = {};
    device_.vk.CmdTraceRaysKHR(commands, &table, &none, &none, &none, 4, 1, 1);
  });
  SetIndex(12);
  SubmitAndWait(commands);
  EXPECT_EQ(static_cast<const uint32_t*>(Map(data_))[15], 7u);
  log_.ExpectNothing();
  SetIndex(13);
  SubmitAndWait(commands);
  const std::string text = log_.Expect("VUID-vkCmdTraceRaysKHR-storageBuffers-06936").text;
  EXPECT_THAT(text, HasSubstr("It was launch id (3, 0, 0)."));
  EXPECT_THAT(text, HasSubstr("write_at.rgen:7"));
}

}  // namespace
}  // namespace assay::test
