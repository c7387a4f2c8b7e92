// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Entry points against features: a shader for each rule, and its correct twin.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

// A compute shader that executes an instruction on %shared, which is of that type.
StageText OnShared(const std::string& type, const std::string& operation, const std::string& globals = "",
                   const std::string& capabilities = "") {
  return {.capabilities = capabilities,
          .variables = {{"%shared", "Workgroup", type}},
          .globals = globals,
          .body = operation + "\n"};
}

std::vector<StageCase> AtomicCases() {
  const std::string int64 = Capabilities("Int64, Int64Atomics");
  const std::string add32 = Capabilities("AtomicFloat32AddEXT", "SPV_EXT_shader_atomic_float_add");
  const std::string chain = "%at = OpAccessChain %member_pointer %buffer %u0\n";
  const StageText long_buffer = WithBuffer(
      "%ulong",
      {.capabilities = int64, .globals = kLong, .body = chain + "%old = OpAtomicIAdd %ulong %at %u1 %u0 %long1\n"});
  const StageText float_buffer =
      WithBuffer("%float", {.body = chain + "%old = OpAtomicExchange %float %at %u1 %u0 %f1\n"});
  StageText initialized = OnShared("%uint", "%value = OpLoad %uint %shared", "%zero = OpConstantNull %uint\n");
  initialized.variables[0].initializer = "%zero";
  return {
      Without("None-06278", long_buffer, {"shaderBufferInt64Atomics"}),
      Without("None-06279", OnShared("%ulong", "%old = OpAtomicIAdd %ulong %shared %u2 %u0 %long1", kLong, int64),
              {"shaderSharedInt64Atomics"}),
      Without("None-06284", float_buffer,
              {"shaderBufferFloat32Atomics", "shaderBufferFloat32AtomicAdd", "shaderBufferFloat64Atomics",
               "shaderBufferFloat64AtomicAdd"}),
      Without("None-06285", OnShared("%float", "%old = OpAtomicFAddEXT %float %shared %u2 %u0 %f1", "", add32),
              {"shaderSharedFloat32Atomics", "shaderSharedFloat32AtomicAdd", "shaderSharedFloat64Atomics",
               "shaderSharedFloat64AtomicAdd"}),
      Without("None-06338", OnShared("%float", "%old = OpAtomicExchange %float %shared %u2 %u0 %f1"),
              {"shaderBufferFloat32Atomics", "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32Atomics",
               "shaderSharedFloat32AtomicAdd", "shaderImageFloat32Atomics", "shaderImageFloat32AtomicAdd"}),
      Without("None-06339",
              OnShared("%double", "%old = OpAtomicExchange %double %shared %u2 %u0 %d1",
                       "%double = OpTypeFloat 64\n%d1 = OpConstant %double 1\n", Capabilities("Float64")),
              {"shaderBufferFloat64Atomics", "shaderBufferFloat64AtomicAdd", "shaderSharedFloat64Atomics",
               "shaderSharedFloat64AtomicAdd"}),
      Without("vulkanMemoryModel-06266",
              OnShared("%uint", "%old = OpAtomicIAdd %uint %shared %u5 %u0 %u1", "",
                       Capabilities("VulkanMemoryModel") + kVulkanModel),
              {"vulkanMemoryModel", "vulkanMemoryModelDeviceScope"}, {kModuleCapability}),
      Without("vulkanMemoryModel-06265", OnShared("%uint", "%old = OpAtomicIAdd %uint %shared %u1 %u0 %u1"),
              {"vulkanMemoryModelDeviceScope"}),
      Without("shaderZeroInitializeWorkgroupMemory-06372", initialized, {"shaderZeroInitializeWorkgroupMemory"}),
  };
}

std::vector<StageCase> GroupCases() {
  using Subgroup = VkPhysicalDeviceSubgroupProperties;
  const auto shader = [](const std::string& capabilities, const std::string& body) {
    return StageText{.capabilities = Capabilities("GroupNonUniform") + capabilities, .body = body + "\n"};
  };
  const std::string arithmetic = Capabilities("GroupNonUniformArithmetic");
  const std::string ballot = Capabilities("GroupNonUniformBallot");
  const std::string quad = Capabilities("GroupNonUniformQuad");
  StageText sum = shader(Capabilities("Int64") + arithmetic, "%sum = OpGroupNonUniformIAdd %ulong %u3 Reduce %long1");
  sum.globals = kLong;
  const std::string id = "%id = OpLoad %uint %input\n";
  StageText broadcast = shader(ballot, id + "%sum = OpGroupNonUniformBroadcast %uint %u3 %u1 %id");
  StageText quad_broadcast = shader(quad, id + "%sum = OpGroupNonUniformQuadBroadcast %uint %u3 %u1 %id");
  broadcast.variables = quad_broadcast.variables = {{"%input", "Private", "%uint"}};
  StageText vertex_quad = shader(quad, "%sum = OpGroupNonUniformQuadBroadcast %uint %u3 %u1 %u1");
  StageText vertex_sum = shader(arithmetic, "%sum = OpGroupNonUniformIAdd %uint %u3 Reduce %u1");
  vertex_quad.model = vertex_sum.model = "Vertex";
  const StageText rotated = shader(Capabilities("GroupNonUniformRotateKHR", "SPV_KHR_subgroup_rotate"),
                                   "%turned = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1 %u4");
  const StageText subgroup_clock = {.capabilities = Capabilities("Int64, ShaderClockKHR", "SPV_KHR_shader_clock"),
                                    .globals = kLong,
                                    .body = "%time = OpReadClockKHR %ulong %u3\n"};
  StageText device_clock = subgroup_clock;
  device_clock.body = "%time = OpReadClockKHR %ulong %u1\n";
  return {
      Without("None-06275", sum, {"shaderSubgroupExtendedTypes"}),
      Without("subgroupBroadcastDynamicId-06277", broadcast, {"subgroupBroadcastDynamicId"}),
      Without("subgroupBroadcastDynamicId-06276", quad_broadcast, {"subgroupBroadcastDynamicId"}),
      OnDevice("None-06342", vertex_quad, Set(&Subgroup::quadOperationsInAllStages, VK_FALSE)),
      OnDevice("None-06343", vertex_sum, Set(&Subgroup::supportedStages, VK_SHADER_STAGE_COMPUTE_BIT)),
      Without("shaderSubgroupRotateClustered-09566", rotated, {"shaderSubgroupRotateClustered"}),
      Without("shaderSubgroupClock-06267", subgroup_clock, {"shaderSubgroupClock"}),
      Without("shaderDeviceClock-06268", device_clock, {"shaderDeviceClock"}),
  };
}

std::vector<StageCase> ModeCases() {
  std::vector<StageCase> cases = {
      Without("LocalSizeId-06434", {.modes = "OpExecutionModeId %main LocalSizeId %u1 %u1 %u1\n"}, {"maintenance4"}),
      Without("SubgroupUniformControlFlowKHR-06379",
              {.capabilities = Extensions("SPV_KHR_subgroup_uniform_control_flow"),
               .modes = Modes("LocalSize 1 1 1, SubgroupUniformControlFlowKHR")},
              {"shaderSubgroupUniformControlFlow"}),
  };
  constexpr const char* kModes[][2] = {
      {"shaderEarlyAndLateFragmentTests-06767", "EarlyAndLateFragmentTestsAMD"},
      {"shaderEarlyAndLateFragmentTests-06768", "StencilRefUnchangedFrontAMD"},
      {"shaderEarlyAndLateFragmentTests-06769", "StencilRefUnchangedBackAMD"},
      {"shaderEarlyAndLateFragmentTests-06770", "StencilRefGreaterFrontAMD"},
      {"shaderEarlyAndLateFragmentTests-06771", "StencilRefGreaterBackAMD"},
      {"shaderEarlyAndLateFragmentTests-06772", "StencilRefLessFrontAMD"},
      {"shaderEarlyAndLateFragmentTests-06773", "StencilRefLessBackAMD"},
  };
  for (const auto& [id, mode] : kModes) {
    const StageText shader = {
        .model = "Fragment",
        .capabilities = Capabilities("StencilExportEXT",
                                     "SPV_AMD_shader_early_and_late_fragment_tests, SPV_EXT_shader_stencil_export"),
        .modes = Modes(mode)};
    cases.push_back(Without(id, shader, {"shaderEarlyAndLateFragmentTests"}));
  }
  return cases;
}

std::vector<StageCase> VariableCases() {
  const StageText buffer = WithBuffer("%uint", {.model = "Fragment",
                                                .body = "%at = OpAccessChain %member_pointer %buffer %u0\n"
                                                        "%value = OpLoad %uint %at\n"});
  StageText vertex = buffer;
  vertex.model = "Vertex";
  return {
      Without("NonWritable-06340", buffer, {"fragmentStoresAndAtomics"}),
      Without("NonWritable-06341", vertex, {"vertexPipelineStoresAndAtomics"}),
      Without("None-09558", ReadingInput("Binding 4"), {"dynamicRenderingLocalRead"}),
  };
}

INSTANTIATE_TEST_SUITE_P(All, StageCaseTest, CasesOf({AtomicCases(), GroupCases(), ModeCases(), VariableCases()}),
                         kNameOfCase);

}  // namespace
}  // namespace assay::core
