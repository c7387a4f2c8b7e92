// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors and push constants against pipeline layouts and those of shader objects, through the whole layer.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// A shader that reads an array of two buffers at set 0, binding 0, and bytes 16 to 31 of push constants.
std::string ResourceShader(const std::string& model, const std::string& preamble,
                           const std::string& storage = "StorageBuffer") {
  const std::string text = absl::StrCat(
      "OpCapability Shader\n", preamble, "OpMemoryModel Logical GLSL450\nOpEntryPoint ", model,
      " %main \"main\" %buffers %push\n", model == "GLCompute" ? "OpExecutionMode %main LocalSize 1 1 1\n" : "",
      model == "Fragment" ? "OpExecutionMode %main OriginUpperLeft\n" : "", R"(
      OpName %buffers "buffers"
      OpDecorate %buffers DescriptorSet 0
      OpDecorate %buffers Binding 0
      OpDecorate %Block Block
      OpMemberDecorate %Block 0 Offset 0
      OpDecorate %Push Block
      OpMemberDecorate %Push 0 Offset 0
      OpMemberDecorate %Push 1 Offset 16
      %void = OpTypeVoid
      %function = OpTypeFunction %void
      %float = OpTypeFloat 32
      %vec4 = OpTypeVector %float 4
      %uint = OpTypeInt 32 0
      %zero = OpConstant %uint 0
      %one = OpConstant %uint 1
      %two = OpConstant %uint 2
      %Block = OpTypeStruct %vec4
      %Blocks = OpTypeArray %Block %two
      %Push = OpTypeStruct %vec4 %vec4
      %Blocks_pointer = OpTypePointer StorageBuffer %Blocks
      %buffer_vec4 = OpTypePointer StorageBuffer %vec4
      %Push_pointer = OpTypePointer PushConstant %Push
      %push_vec4 = OpTypePointer PushConstant %vec4
      %buffers = OpVariable %Blocks_pointer StorageBuffer
      %push = OpVariable %Push_pointer PushConstant
      %main = OpFunction %void None %function
      %entry = OpLabel
      %from = OpAccessChain %buffer_vec4 %buffers %one %zero
      %value = OpLoad %vec4 %from
      %constant = OpAccessChain %push_vec4 %push %one
      %other = OpLoad %vec4 %constant
      OpReturn
      OpFunctionEnd
  )");
  return absl::StrReplaceAll(text, {{"StorageBuffer", storage}});
}

struct Layout {
  test::Binding binding = {.count = 2};
  bool has_binding = true;
  // Of shader objects.
  bool has_set = true;
  VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 16, 16};
};

struct Case {
  const char* rule;
  const char* object_rule;
  void (*change)(Layout&);
};
constexpr Case kCases[] = {
    {"layout-07987", "codeType-10064", [](Layout& layout) { layout.range.stageFlags = VK_SHADER_STAGE_VERTEX_BIT; }},
    {"layout-10069", "codeType-10065", [](Layout& layout) { layout.range = {VK_SHADER_STAGE_ALL, 0, 16}; }},
    {"layout-10069", "codeType-10065", [](Layout& layout) { layout.range = {VK_SHADER_STAGE_ALL, 20, 16}; }},
    {"layout-07988", "codeType-10383", [](Layout& layout) { layout.has_binding = false; }},
    {"layout-07988", "codeType-10383", [](Layout& layout) { layout.binding.binding = 1; }},
    {"layout-07988", "codeType-10383", [](Layout& layout) { layout.binding.stages = VK_SHADER_STAGE_VERTEX_BIT; }},
    {"layout-07990", "codeType-10384", [](Layout& layout) { layout.binding.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER; }},
    {"layout-07991", "codeType-10385", [](Layout& layout) { layout.binding.count = 1; }},
};

class PipelineLayouts : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options;
    options.device_extensions = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                                 VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                 VK_NV_RAY_TRACING_EXTENSION_NAME,
                                 VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                 "VK_KHR_pipeline_library",
                                 "VK_AMDX_shader_enqueue"};
    options.features = &ray_tracing_;
    return options;
  }

  VkPipelineLayout Make(const Layout& layout) {
    std::vector<test::Binding> bindings;
    if (layout.has_binding) bindings.push_back(layout.binding);
    const VkDescriptorSetLayout set = MakeSetLayout(bindings);
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &layout.range};
    VkPipelineLayout made = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreatePipelineLayout(device, &info, nullptr, &made), VK_SUCCESS);
    Defer(made, [=, this] { vk.DestroyPipelineLayout(device, made, nullptr); });
    return made;
  }

  // The correct call, and each case.
  template <class F>
  void Run(const std::string& owner, F&& make_pipeline) {
    make_pipeline(Make(Layout()));
    Layout dynamic;
    dynamic.binding.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    make_pipeline(Make(dynamic));
    ExpectNothing();
    for (const Case& row : kCases) {
      Layout layout;
      row.change(layout);
      make_pipeline(Make(layout));
      ExpectMessage(absl::StrCat("VUID-", owner, "-", row.rule));
      ExpectNothing();
    }
  }

  // The same of an array of uniform blocks.
  template <class F>
  void RunBlocks(const std::string& owner, F&& make_pipeline) {
    Layout layout;
    layout.binding.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    make_pipeline(Make(layout));
    ExpectNothing();
    layout.binding.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    layout.binding.count = 16;
    make_pipeline(Make(layout));
    ExpectMessage(absl::StrCat("VUID-", owner, "-None-10391"));
    ExpectNothing();
  }

  // A stage with the capability of the vendor: KHR or NV.
  VkPipelineShaderStageCreateInfo RayGeneration(const std::string& vendor, const std::string& storage) {
    const std::string preamble =
        absl::StrCat("OpCapability RayTracing", vendor, "\nOpExtension \"SPV_", vendor, "_ray_tracing\"\n");
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
            .module = MakeShader(ResourceShader(absl::StrCat("RayGeneration", vendor), preamble, storage)),
            .pName = "main"};
  }
  void MakeRays(VkPipelineLayout layout, const std::string& storage = "StorageBuffer") {
    const VkPipelineShaderStageCreateInfo stage = RayGeneration("KHR", storage);
    const VkRayTracingShaderGroupCreateInfoKHR group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .generalShader = 0,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                    .stageCount = 1,
                                                    .pStages = &stage,
                                                    .groupCount = 1,
                                                    .pGroups = &group,
                                                    .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  void MakeRaysNv(VkPipelineLayout layout, const std::string& storage = "StorageBuffer") {
    const VkPipelineShaderStageCreateInfo stage = RayGeneration("NV", storage);
    const VkRayTracingShaderGroupCreateInfoNV group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .generalShader = 0,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkRayTracingPipelineCreateInfoNV info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,
                                                   .stageCount = 1,
                                                   .pStages = &stage,
                                                   .groupCount = 1,
                                                   .pGroups = &group,
                                                   .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateRayTracingPipelinesNV(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }

  void MakeGraph(VkPipelineLayout layout, VkShaderModule shader) {
    const VkPipelineShaderStageNodeCreateInfoAMDX node = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX,
                                                          nullptr, "main", 0};
    const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   .pNext = &node,
                                                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                   .module = shader,
                                                   .pName = "main"};
    const VkExecutionGraphPipelineCreateInfoAMDX info = {
        .sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX,
        .stageCount = 1,
        .pStages = &stage,
        .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateExecutionGraphPipelinesAMDX(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }

  void MakeObject(const std::vector<uint32_t>& words, const Layout& layout) {
    std::vector<test::Binding> bindings;
    if (layout.has_binding) bindings.push_back(layout.binding);
    std::vector<VkDescriptorSetLayout> sets;
    if (layout.has_set) sets.push_back(MakeSetLayout(bindings));
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = words.size() * sizeof(uint32_t),
                                        .pCode = words.data(),
                                        .pName = "main",
                                        .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                        .pSetLayouts = sets.data(),
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &layout.range};
    VkShaderEXT shader = VK_NULL_HANDLE;
    vk.CreateShadersEXT(device, 1, &info, nullptr, &shader);
    vk.DestroyShaderEXT(device, shader, nullptr);
  }
  void ExpectObject(const char* rule) {
    ExpectMessage(absl::StrCat("VUID-VkShaderCreateInfoEXT-", rule));
    ExpectNothing();
  }

  VkPhysicalDeviceShaderEnqueueFeaturesAMDX graphs_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX, .shaderEnqueue = VK_TRUE};
  VkPhysicalDeviceShaderObjectFeaturesEXT objects_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
      .pNext = &graphs_,
      .shaderObject = VK_TRUE};
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_tracing_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
      .pNext = &objects_,
      .rayTracingPipeline = VK_TRUE};
};

TEST_F(PipelineLayouts, Compute) {
  const VkShaderModule shader = MakeShader(ResourceShader("GLCompute", ""));
  Run("VkComputePipelineCreateInfo", [&](VkPipelineLayout layout) { MakeComputePipeline(layout, shader); });
  const VkShaderModule blocks = MakeShader(ResourceShader("GLCompute", "", "Uniform"));
  RunBlocks("VkComputePipelineCreateInfo", [&](VkPipelineLayout layout) { MakeComputePipeline(layout, blocks); });
}

TEST_F(PipelineLayouts, ExecutionGraphs) {
  const VkShaderModule shader = MakeShader(ResourceShader("GLCompute", "")),
                       blocks = MakeShader(ResourceShader("GLCompute", "", "Uniform"));
  Run("VkExecutionGraphPipelineCreateInfoAMDX", [&](VkPipelineLayout layout) { MakeGraph(layout, shader); });
  RunBlocks("VkExecutionGraphPipelineCreateInfoAMDX", [&](VkPipelineLayout layout) { MakeGraph(layout, blocks); });
}

TEST_F(PipelineLayouts, ShaderObjects) {
  const std::vector<uint32_t> words = test::AssembleSpirv(ResourceShader("GLCompute", ""));
  MakeObject(words, {});
  ExpectNothing();
  for (const Case& row : kCases) {
    Layout layout;
    row.change(layout);
    MakeObject(words, layout);
    ExpectObject(row.object_rule);
  }
  MakeObject(words, {.has_set = false});
  ExpectObject("codeType-10383");
}

TEST_F(PipelineLayouts, InlineUniformBlocksOfShaderObjects) {
  const std::string array = absl::StrReplaceAll(ResourceShader("GLCompute", ""), {{"StorageBuffer", "Uniform"}});
  const std::string block =
      absl::StrReplaceAll(array, {{"Uniform %Blocks", "Uniform %Block"}, {"%one %zero", "%zero"}});
  const Layout inlined = {.binding = {.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, .count = 16}};
  MakeObject(test::AssembleSpirv(block), inlined);
  MakeObject(test::AssembleSpirv(array), {.binding = {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = 2}});
  ExpectNothing();
  MakeObject(test::AssembleSpirv(array), inlined);
  ExpectObject("codeType-10386");
}

TEST_F(PipelineLayouts, Graphics) {
  const VkShaderModule shader = MakeShader(ResourceShader("Fragment", ""));
  Run("VkGraphicsPipelineCreateInfo",
      [&](VkPipelineLayout layout) { MakeGraphicsPipeline(layout, {.fragment = shader}); });
  const VkShaderModule blocks = MakeShader(ResourceShader("Fragment", "", "Uniform"));
  RunBlocks("VkGraphicsPipelineCreateInfo",
            [&](VkPipelineLayout layout) { MakeGraphicsPipeline(layout, {.fragment = blocks}); });
}

TEST_F(PipelineLayouts, RayTracing) {
  Run("VkRayTracingPipelineCreateInfoKHR", [&](VkPipelineLayout layout) { MakeRays(layout); });
  RunBlocks("VkRayTracingPipelineCreateInfoKHR", [&](VkPipelineLayout layout) { MakeRays(layout, "Uniform"); });
}

TEST_F(PipelineLayouts, RayTracingNV) {
  Run("VkRayTracingPipelineCreateInfoNV", [&](VkPipelineLayout layout) { MakeRaysNv(layout); });
  RunBlocks("VkRayTracingPipelineCreateInfoNV", [&](VkPipelineLayout layout) { MakeRaysNv(layout, "Uniform"); });
}

}  // namespace
}  // namespace assay::core
