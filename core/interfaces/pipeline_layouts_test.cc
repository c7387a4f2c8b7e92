// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors and push constants against pipeline layouts and those of shader objects, through the whole layer.

#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_test.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// A shader that reads an array of two buffers at set 0, binding 0, and bytes 16 to 31 of push constants.
std::string ResourceShader(const std::string& model, const std::string& storage = "StorageBuffer") {
  const std::string preamble = model.ends_with("NV") ? Capabilities("RayTracingNV", "SPV_NV_ray_tracing") : "";
  return Text({.model = model,
               .capabilities = preamble,
               .variables = {{"%buffers", storage, "%Blocks", "DescriptorSet 0, Binding 0"},
                             {"%push", "PushConstant", "%Push"}},
               .modes = "OpName %buffers \"buffers\"\n",
               .decorations = absl::StrCat(Decorate("%Block", "Block"), DecorateMember("%Block 0", "Offset 0"),
                                           Decorate("%Push", "Block"), DecorateMember("%Push 0", "Offset 0"),
                                           DecorateMember("%Push 1", "Offset 16")),
               .globals = absl::StrCat(R"(
      %Block = OpTypeStruct %v4float
      %Blocks = OpTypeArray %Block %u2
      %Push = OpTypeStruct %v4float %v4float
      %push_vec4 = OpTypePointer PushConstant %v4float
      %buffer_vec4 = OpTypePointer )",
                                       storage, " %v4float\n"),
               .body = R"(
      %from = OpAccessChain %buffer_vec4 %buffers %u1 %u0
      %value = OpLoad %v4float %from
      %constant = OpAccessChain %push_vec4 %push %u1
      %other = OpLoad %v4float %constant
  )"});
}

// What makes a pipeline layout, or that of a shader object.
struct Parts {
  test::Binding binding = {.count = 2};
  bool has_binding = true;
  // Of shader objects.
  bool has_set = true;
  VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 16, 16};
};

struct Case {
  const char* rule;
  const char* object_rule;
  void (*change)(Parts&);
};
constexpr Case kCases[] = {
    {"layout-07987", "codeType-10064", [](Parts& layout) { layout.range.stageFlags = VK_SHADER_STAGE_VERTEX_BIT; }},
    {"layout-10069", "codeType-10065", [](Parts& layout) { layout.range = {VK_SHADER_STAGE_ALL, 0, 16}; }},
    {"layout-10069", "codeType-10065", [](Parts& layout) { layout.range = {VK_SHADER_STAGE_ALL, 20, 16}; }},
    {"layout-07988", "codeType-10383", [](Parts& layout) { layout.has_binding = false; }},
    {"layout-07988", "codeType-10383", [](Parts& layout) { layout.binding.binding = 1; }},
    {"layout-07988", "codeType-10383", [](Parts& layout) { layout.binding.stages = VK_SHADER_STAGE_VERTEX_BIT; }},
    {"layout-07990", "codeType-10384", [](Parts& layout) { layout.binding.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER; }},
    {"layout-07991", "codeType-10385", [](Parts& layout) { layout.binding.count = 1; }},
};

class PipelineLayouts : public StageTest {
 protected:
  void SetUp() override { MakeDeviceWith({VK_NV_RAY_TRACING_EXTENSION_NAME, "VK_AMDX_shader_enqueue"}); }

  VkPipelineLayout Make(const Parts& layout) {
    const std::vector<VkDescriptorSetLayout> sets = SetsOf(layout);
    const VkPipelineLayoutCreateInfo info = {.setLayoutCount = 1,
                                             .pSetLayouts = sets.data(),
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &layout.range};
    return MakeFrom(info, vk.CreatePipelineLayout, vk.DestroyPipelineLayout);
  }
  std::vector<VkDescriptorSetLayout> SetsOf(const Parts& layout) {
    if (!layout.has_set) return {};
    return {MakeSetLayout(layout.has_binding ? std::vector{layout.binding} : std::vector<test::Binding>())};
  }

  // The correct call, and each case; then the same of an array of uniform blocks. make_pipeline(layout, shader) makes
  // one with the shader of that model.
  template <class F>
  void Run(const std::string& owner, const std::string& model, F&& make_pipeline) {
    const auto make = [&](const Parts& layout, const char* storage, const std::string& rule) {
      make_pipeline(Make(layout), MakeShader(ResourceShader(model, storage)));
      ExpectAlone(owner, rule);
    };
    make({}, "StorageBuffer", "");
    make({.binding = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, .count = 2}}, "StorageBuffer", "");
    for (const Case& row : kCases) {
      Parts layout;
      row.change(layout);
      make(layout, "StorageBuffer", row.rule);
    }
    make({.binding = {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = 2}}, "Uniform", "");
    make({.binding = {.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, .count = 16}}, "Uniform", "None-10391");
  }

  template <class Info, class Group, class F>
  void MakeRays(VkPipelineLayout layout, VkShaderModule shader, const F& create) {
    const VkPipelineShaderStageCreateInfo stage = Stage("RayGenerationKHR", shader);
    constexpr uint32_t kNone = VK_SHADER_UNUSED_KHR;
    const auto group = test::Of<Group>(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 0u, kNone, kNone, kNone);
    const auto info =
        Typed(Info{.stageCount = 1, .pStages = &stage, .groupCount = 1, .pGroups = &group, .layout = layout});
    VkPipeline pipeline = VK_NULL_HANDLE;
    create(info, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }

  // Expects that rule, or none if it is empty.
  void MakeObject(const std::string& text, const Parts& layout, const char* rule = "") {
    const std::vector<uint32_t> words = test::AssembleSpirv(text);
    const std::vector<VkDescriptorSetLayout> sets = SetsOf(layout);
    VkShaderCreateInfoEXT info = Object("GLCompute", words);
    info.setLayoutCount = static_cast<uint32_t>(sets.size());
    info.pSetLayouts = sets.data();
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &layout.range;
    VkShaderEXT shader = VK_NULL_HANDLE;
    vk.CreateShadersEXT(device, 1, &info, nullptr, &shader);
    vk.DestroyShaderEXT(device, shader, nullptr);
    ExpectAlone("VkShaderCreateInfoEXT", rule);
  }
};

TEST_F(PipelineLayouts, Compute) {
  Run("VkComputePipelineCreateInfo", "GLCompute",
      [&](auto layout, auto shader) { MakeComputePipeline(layout, shader); });
}

TEST_F(PipelineLayouts, ExecutionGraphs) {
  Run("VkExecutionGraphPipelineCreateInfoAMDX", "GLCompute", [&](VkPipelineLayout layout, VkShaderModule shader) {
    const auto node = test::Of<VkPipelineShaderStageNodeCreateInfoAMDX>("main", 0u);
    VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", shader);
    stage.pNext = &node;
    const auto info =
        Typed(VkExecutionGraphPipelineCreateInfoAMDX{.stageCount = 1, .pStages = &stage, .layout = layout});
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateExecutionGraphPipelinesAMDX(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  });
}

TEST_F(PipelineLayouts, ShaderObjects) {
  const std::string shader = ResourceShader("GLCompute");
  MakeObject(shader, {});
  for (const Case& row : kCases) {
    Parts layout;
    row.change(layout);
    MakeObject(shader, layout, row.object_rule);
  }
  MakeObject(shader, {.has_set = false}, "codeType-10383");
}

TEST_F(PipelineLayouts, InlineUniformBlocksOfShaderObjects) {
  const std::string array = ResourceShader("GLCompute", "Uniform");
  const std::string block = absl::StrReplaceAll(array, {{"Uniform %Blocks", "Uniform %Block"}, {"%u1 %u0", "%u0"}});
  const Parts inlined = {.binding = {.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, .count = 16}};
  MakeObject(block, inlined);
  MakeObject(array, {.binding = {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = 2}});
  MakeObject(array, inlined, "codeType-10386");
}

TEST_F(PipelineLayouts, Graphics) {
  Run("VkGraphicsPipelineCreateInfo", "Fragment",
      [&](VkPipelineLayout layout, VkShaderModule shader) { MakeGraphicsPipeline(layout, {.fragment = shader}); });
}

TEST_F(PipelineLayouts, RayTracing) {
  const auto create = [&](const auto& info, VkPipeline* made) {
    vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, made);
  };
  Run("VkRayTracingPipelineCreateInfoKHR", "RayGenerationKHR", [&](VkPipelineLayout layout, VkShaderModule shader) {
    MakeRays<VkRayTracingPipelineCreateInfoKHR, VkRayTracingShaderGroupCreateInfoKHR>(layout, shader, create);
  });
}

TEST_F(PipelineLayouts, RayTracingNV) {
  const auto create = [&](const auto& info, VkPipeline* made) {
    vk.CreateRayTracingPipelinesNV(device, VK_NULL_HANDLE, 1, &info, nullptr, made);
  };
  Run("VkRayTracingPipelineCreateInfoNV", "RayGenerationNV", [&](VkPipelineLayout layout, VkShaderModule shader) {
    MakeRays<VkRayTracingPipelineCreateInfoNV, VkRayTracingShaderGroupCreateInfoNV>(layout, shader, create);
  });
}

}  // namespace
}  // namespace assay::core
