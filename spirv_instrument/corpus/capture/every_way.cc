// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Hands modules to the driver in every way there is, for the test of the capturing layer. Modules differ in a constant.
// It prints "module SIZE" for each.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/vulkan.h"
#include "testing/message_log.h"
#include "testing/shaders.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

namespace {

// A shader that stores a number in a variable of its own.
std::vector<uint32_t> Module(const std::string& capability, const std::string& extension, const std::string& model,
                             const std::string& mode, int number) {
  const std::vector<uint32_t> words = assay::test::AssembleSpirv(
      absl::StrCat("OpCapability Shader\n", capability, extension, "OpMemoryModel Logical GLSL450\nOpEntryPoint ",
                   model, " %main \"main\"\n", mode,
                   "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
                   "%pointer = OpTypePointer Function %uint\n%number = OpConstant %uint ",
                   number,
                   "\n%main = OpFunction %void None %type\n%entry = OpLabel\n"
                   "%variable = OpVariable %pointer Function\nOpStore %variable %number\nOpReturn\nOpFunctionEnd\n"));
  std::printf("module %zu\n", words.size() * sizeof(uint32_t));
  return words;
}

std::vector<uint32_t> ComputeModule(int number) {
  return Module("", "", "GLCompute", "OpExecutionMode %main LocalSize 1 1 1\n", number);
}

VkShaderModuleCreateInfo ModuleInfo(const std::vector<uint32_t>& words) {
  return {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
          .codeSize = words.size() * sizeof(uint32_t),
          .pCode = words.data()};
}

VkPipelineShaderStageCreateInfo Stage(VkShaderStageFlagBits stage, const VkShaderModuleCreateInfo& module) {
  return {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .pNext = &module, .stage = stage, .pName = "main"};
}

void MakeComputePipeline(assay::test::TestDevice& device, VkPipelineLayout layout) {
  const std::vector<uint32_t> words = ComputeModule(2);
  const VkShaderModuleCreateInfo module = ModuleInfo(words);
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = Stage(VK_SHADER_STAGE_COMPUTE_BIT, module),
                                            .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  device.vk.CreateComputePipelines(device.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  device.vk.DestroyPipeline(device.device, pipeline, nullptr);
}

void MakeGraphicsPipeline(assay::test::TestDevice& device, VkPipelineLayout layout) {
  const std::vector<uint32_t> words = Module("", "", "Vertex", "", 3);
  const VkShaderModuleCreateInfo module = ModuleInfo(words);
  const VkPipelineShaderStageCreateInfo stage = Stage(VK_SHADER_STAGE_VERTEX_BIT, module);
  const VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = VK_TRUE,
      .lineWidth = 1};
  const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = &rendering,
                                             .stageCount = 1,
                                             .pStages = &stage,
                                             .pVertexInputState = &vertex_input,
                                             .pInputAssemblyState = &assembly,
                                             .pRasterizationState = &rasterization,
                                             .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  device.vk.CreateGraphicsPipelines(device.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  device.vk.DestroyPipeline(device.device, pipeline, nullptr);
}

void MakeRayTracingPipeline(assay::test::TestDevice& device, VkPipelineLayout layout) {
  const std::vector<uint32_t> words =
      Module("OpCapability RayTracingKHR\n", "OpExtension \"SPV_KHR_ray_tracing\"\n", "RayGenerationKHR", "", 4);
  const VkShaderModuleCreateInfo module = ModuleInfo(words);
  const VkPipelineShaderStageCreateInfo stage = Stage(VK_SHADER_STAGE_RAYGEN_BIT_KHR, module);
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
                                                  .maxPipelineRayRecursionDepth = 1,
                                                  .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  device.vk.CreateRayTracingPipelinesKHR(device.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  device.vk.DestroyPipeline(device.device, pipeline, nullptr);
}

void MakeShaderObject(assay::test::TestDevice& device) {
  const std::vector<uint32_t> words = ComputeModule(5);
  const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                      .codeSize = words.size() * sizeof(uint32_t),
                                      .pCode = words.data(),
                                      .pName = "main"};
  VkShaderEXT shader = VK_NULL_HANDLE;
  device.vk.CreateShadersEXT(device.device, 1, &info, nullptr, &shader);
  device.vk.DestroyShaderEXT(device.device, shader, nullptr);
}

}  // namespace

int main() {
  const assay::test::SystemLoader loader;
  assay::test::MessageLog messages;
  assay::test::TestDevice device(loader, messages);
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, .accelerationStructure = VK_TRUE};
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_tracing = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
      .pNext = &structures,
      .rayTracingPipeline = VK_TRUE};
  VkPhysicalDeviceShaderObjectFeaturesEXT shader_object = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
      .pNext = &ray_tracing,
      .shaderObject = VK_TRUE};
  assay::test::DeviceOptions options;
  options.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                               VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                               VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME};
  options.features = &shader_object;
  device.Create(options);
  const VkPipelineLayout layout = device.MakePipelineLayout({});
  device.MakeShader(ComputeModule(1));
  MakeComputePipeline(device, layout);
  MakeGraphicsPipeline(device, layout);
  MakeRayTracingPipeline(device, layout);
  MakeShaderObject(device);
  return 0;
}
