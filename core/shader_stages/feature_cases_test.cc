// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Entry points against features: a shader for each rule, and its correct twin.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

class FeatureCases : public StageCaseTest {};

TEST_P(FeatureCases, IsReported) { ExpectReported(); }
TEST_P(FeatureCases, TwinIsSilent) { ExpectTwinSilent(); }

std::vector<StageCase> AtomicCases() {
  const char* const int64 = "OpCapability Int64\nOpCapability Int64Atomics\n";
  const char* const add32 = "OpCapability AtomicFloat32AddEXT\nOpExtension \"SPV_EXT_shader_atomic_float_add\"\n";
  const std::string chain = "%at = OpAccessChain %member_pointer %buffer %u0\n";
  return {
      {.id = "RuntimeSpirv-None-06278",
       .shader = {.capabilities = int64,
                  .interface = "%buffer",
                  .decorations = kBufferDecorations,
                  .globals = kLong + Buffer("%ulong"),
                  .body = chain + "%old = OpAtomicIAdd %ulong %at %u1 %u0 %long1\n"},
       .disabled = {"shaderBufferInt64Atomics"}},
      {.id = "RuntimeSpirv-None-06279",
       .shader = {.capabilities = int64,
                  .interface = "%shared",
                  .globals = kLong + Shared("%ulong"),
                  .body = "%old = OpAtomicIAdd %ulong %shared %u2 %u0 %long1\n"},
       .disabled = {"shaderSharedInt64Atomics"}},
      {.id = "RuntimeSpirv-None-06284",
       .shader = {.capabilities = "",
                  .interface = "%buffer",
                  .decorations = kBufferDecorations,
                  .globals = Buffer("%float"),
                  .body = chain + "%old = OpAtomicExchange %float %at %u1 %u0 %f1\n"},
       .disabled = {"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT.shaderBufferFloat32Atomics",
                    "shaderBufferFloat32AtomicAdd", "shaderBufferFloat64Atomics", "shaderBufferFloat64AtomicAdd"}},
      {.id = "RuntimeSpirv-None-06285",
       .shader = {.capabilities = add32,
                  .interface = "%shared",
                  .globals = Shared("%float"),
                  .body = "%old = OpAtomicFAddEXT %float %shared %u2 %u0 %f1\n"},
       .disabled = {"shaderSharedFloat32Atomics", "shaderSharedFloat32AtomicAdd", "shaderSharedFloat64Atomics",
                    "shaderSharedFloat64AtomicAdd"}},
      {.id = "RuntimeSpirv-None-06338",
       .shader = {.interface = "%shared",
                  .globals = Shared("%float"),
                  .body = "%old = OpAtomicExchange %float %shared %u2 %u0 %f1\n"},
       .disabled = {"shaderBufferFloat32Atomics", "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32Atomics",
                    "shaderSharedFloat32AtomicAdd", "shaderImageFloat32Atomics", "shaderImageFloat32AtomicAdd"}},
      {.id = "RuntimeSpirv-None-06339",
       .shader = {.capabilities = "OpCapability Float64\n",
                  .interface = "%shared",
                  .globals = "%double = OpTypeFloat 64\n%d1 = OpConstant %double 1\n" + Shared("%double"),
                  .body = "%old = OpAtomicExchange %double %shared %u2 %u0 %d1\n"},
       .disabled = {"shaderBufferFloat64Atomics", "shaderBufferFloat64AtomicAdd", "shaderSharedFloat64Atomics",
                    "shaderSharedFloat64AtomicAdd"}},
      {.id = "RuntimeSpirv-vulkanMemoryModel-06266",
       .shader = {.capabilities = "OpCapability VulkanMemoryModel\nOpMemoryModel Logical Vulkan\n",
                  .interface = "%shared",
                  .globals = Shared("%uint"),
                  .body = "%old = OpAtomicIAdd %uint %shared %u5 %u0 %u1\n"},
       .disabled = {"vulkanMemoryModel", "vulkanMemoryModelDeviceScope"},
       .also = {"VUID-VkShaderModuleCreateInfo-pCode-08740"}},
      {.id = "RuntimeSpirv-vulkanMemoryModel-06265",
       .shader = {.interface = "%shared",
                  .globals = Shared("%uint"),
                  .body = "%old = OpAtomicIAdd %uint %shared %u1 %u0 %u1\n"},
       .disabled = {"vulkanMemoryModelDeviceScope"}},
      {.id = "RuntimeSpirv-shaderZeroInitializeWorkgroupMemory-06372",
       .shader = {.interface = "%shared",
                  .globals = "%pointer = OpTypePointer Workgroup %uint\n%zero = OpConstantNull %uint\n"
                             "%shared = OpVariable %pointer Workgroup %zero\n",
                  .body = "%value = OpLoad %uint %shared\n"},
       .disabled = {"shaderZeroInitializeWorkgroupMemory"}},
  };
}

std::vector<StageCase> GroupCases() {
  using Subgroup = VkPhysicalDeviceSubgroupProperties;
  const char* const arithmetic = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n";
  const char* const ballot = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n";
  const char* const quad = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformQuad\n";
  const std::string input =
      "%input_pointer = OpTypePointer Private %uint\n%input = OpVariable %input_pointer Private\n";
  return {
      {.id = "RuntimeSpirv-None-06275",
       .shader = {.capabilities = std::string("OpCapability Int64\n") + arithmetic,
                  .globals = kLong,
                  .body = "%sum = OpGroupNonUniformIAdd %ulong %u3 Reduce %long1\n"},
       .disabled = {"shaderSubgroupExtendedTypes"}},
      {.id = "RuntimeSpirv-subgroupBroadcastDynamicId-06277",
       .shader = {.capabilities = ballot,
                  .interface = "%input",
                  .globals = input,
                  .body = "%id = OpLoad %uint %input\n%sum = OpGroupNonUniformBroadcast %uint %u3 %u1 %id\n"},
       .disabled = {"subgroupBroadcastDynamicId"}},
      {.id = "RuntimeSpirv-subgroupBroadcastDynamicId-06276",
       .shader = {.capabilities = quad,
                  .interface = "%input",
                  .globals = input,
                  .body = "%id = OpLoad %uint %input\n%sum = OpGroupNonUniformQuadBroadcast %uint %u3 %u1 %id\n"},
       .disabled = {"subgroupBroadcastDynamicId"}},
      {.id = "RuntimeSpirv-None-06342",
       .shader = {.model = "Vertex",
                  .capabilities = quad,
                  .body = "%sum = OpGroupNonUniformQuadBroadcast %uint %u3 %u1 %u1\n"},
       .configure = With<Subgroup>([](Subgroup& subgroup) { subgroup.quadOperationsInAllStages = VK_FALSE; })},
      {.id = "RuntimeSpirv-None-06343",
       .shader = {.model = "Vertex",
                  .capabilities = arithmetic,
                  .body = "%sum = OpGroupNonUniformIAdd %uint %u3 Reduce %u1\n"},
       .configure = With<Subgroup>([](Subgroup& subgroup) { subgroup.supportedStages = VK_SHADER_STAGE_COMPUTE_BIT; })},
      {.id = "RuntimeSpirv-shaderSubgroupRotateClustered-09566",
       .shader = {.capabilities = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformRotateKHR\n"
                                  "OpExtension \"SPV_KHR_subgroup_rotate\"\n",
                  .body = "%turned = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1 %u4\n"},
       .disabled = {"shaderSubgroupRotateClustered"}},
      {.id = "RuntimeSpirv-shaderSubgroupClock-06267",
       .shader = {.capabilities = "OpCapability Int64\nOpCapability ShaderClockKHR\n"
                                  "OpExtension \"SPV_KHR_shader_clock\"\n",
                  .globals = kLong,
                  .body = "%time = OpReadClockKHR %ulong %u3\n"},
       .disabled = {"shaderSubgroupClock"}},
      {.id = "RuntimeSpirv-shaderDeviceClock-06268",
       .shader = {.capabilities = "OpCapability Int64\nOpCapability ShaderClockKHR\n"
                                  "OpExtension \"SPV_KHR_shader_clock\"\n",
                  .globals = kLong,
                  .body = "%time = OpReadClockKHR %ulong %u1\n"},
       .disabled = {"shaderDeviceClock"}},
  };
}

std::vector<StageCase> ModeCases() {
  const char* const early =
      "OpExtension \"SPV_AMD_shader_early_and_late_fragment_tests\"\nOpExtension \"SPV_EXT_shader_stencil_export\"\n";
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-LocalSizeId-06434",
       .shader = {.modes = "OpExecutionModeId %main LocalSizeId %u1 %u1 %u1\n"},
       .disabled = {"maintenance4"}},
      {.id = "RuntimeSpirv-SubgroupUniformControlFlowKHR-06379",
       .shader = {.capabilities = "OpExtension \"SPV_KHR_subgroup_uniform_control_flow\"\n",
                  .modes = "OpExecutionMode %main LocalSize 1 1 1\n"
                           "OpExecutionMode %main SubgroupUniformControlFlowKHR\n"},
       .disabled = {"shaderSubgroupUniformControlFlow"}},
  };
  constexpr const char* kModes[][2] = {
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06767", "EarlyAndLateFragmentTestsAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06768", "StencilRefUnchangedFrontAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06769", "StencilRefUnchangedBackAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06770", "StencilRefGreaterFrontAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06771", "StencilRefGreaterBackAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06772", "StencilRefLessFrontAMD"},
      {"RuntimeSpirv-shaderEarlyAndLateFragmentTests-06773", "StencilRefLessBackAMD"},
  };
  for (const auto& [id, mode] : kModes) {
    cases.push_back({.id = id,
                     .shader = {.model = "Fragment",
                                .capabilities = std::string("OpCapability StencilExportEXT\n") + early,
                                .modes = absl::StrCat("OpExecutionMode %main ", mode, "\n")},
                     .disabled = {"shaderEarlyAndLateFragmentTests"}});
  }
  return cases;
}

std::vector<StageCase> VariableCases() {
  const std::string load = "%at = OpAccessChain %member_pointer %buffer %u0\n%value = OpLoad %uint %at\n";
  const StageText buffer = {.model = "Fragment",
                            .interface = "%buffer",
                            .decorations = kBufferDecorations,
                            .globals = Buffer("%uint"),
                            .body = load};
  StageText vertex = buffer;
  vertex.model = "Vertex";
  const std::string input_decorations = "OpDecorate %input DescriptorSet 0\nOpDecorate %input Binding 4\n";
  const std::string image = "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n";
  const StageText attachment = {.model = "Fragment",
                                .capabilities = "OpCapability InputAttachment\n",
                                .interface = "%input",
                                .decorations = input_decorations,
                                .globals = image +
                                           "%input_pointer = OpTypePointer UniformConstant %image\n"
                                           "%input = OpVariable %input_pointer UniformConstant\n",
                                .body = "%value = OpLoad %image %input\n"};
  return {
      {.id = "RuntimeSpirv-NonWritable-06340", .shader = buffer, .disabled = {"fragmentStoresAndAtomics"}},
      {.id = "RuntimeSpirv-NonWritable-06341", .shader = vertex, .disabled = {"vertexPipelineStoresAndAtomics"}},
      {.id = "RuntimeSpirv-None-09558", .shader = attachment, .disabled = {"dynamicRenderingLocalRead"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Atomics, FeatureCases, ::testing::ValuesIn(AtomicCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Groups, FeatureCases, ::testing::ValuesIn(GroupCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Modes, FeatureCases, ::testing::ValuesIn(ModeCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Variables, FeatureCases, ::testing::ValuesIn(VariableCases()), NameOfCase);

}  // namespace
}  // namespace assay::core
