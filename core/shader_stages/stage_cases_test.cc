// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Entry points against limits and properties: a shader for each rule, and its correct twin.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

class StageCases : public StageCaseTest {};

TEST_P(StageCases, IsReported) { ExpectReported(); }
TEST_P(StageCases, TwinIsSilent) { ExpectTwinSilent(); }

std::vector<StageCase> WorkgroupCases() {
  using Mesh = VkPhysicalDeviceMeshShaderPropertiesEXT;
  const std::string size = "OpExecutionMode %main LocalSize 2 4 8\n";
  const std::string mesh = size +
                           "OpExecutionMode %main OutputTrianglesEXT\nOpExecutionMode %main OutputVertices 3\n"
                           "OpExecutionMode %main OutputPrimitivesEXT 2\n";
  const StageText compute = {.modes = size};
  const std::string emit = "OpEmitMeshTasksEXT %u2 %u3 %u4\n";
  const StageText task = {.model = "TaskEXT", .modes = size, .body = emit};
  const StageText mesh_shader = {.model = "MeshEXT", .modes = mesh};
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-x-06429", .shader = compute, .configure = Limit([](auto& limits) {
                                                          limits.maxComputeWorkGroupSize[0] = 1;
                                                        })},
      {.id = "RuntimeSpirv-y-06430", .shader = compute, .configure = Limit([](auto& limits) {
                                                          limits.maxComputeWorkGroupSize[1] = 3;
                                                        })},
      {.id = "RuntimeSpirv-z-06431", .shader = compute, .configure = Limit([](auto& limits) {
                                                          limits.maxComputeWorkGroupSize[2] = 7;
                                                        })},
      {.id = "RuntimeSpirv-x-06432", .shader = compute, .configure = Limit([](auto& limits) {
                                                          limits.maxComputeWorkGroupInvocations = 63;
                                                        })},
  };
  const auto add = [&](const char* id, const StageText& text, std::function<void(Mesh&)> change) {
    cases.push_back({.id = id, .shader = text, .configure = With<Mesh>(std::move(change))});
  };
  add("RuntimeSpirv-TaskEXT-07291", task, [](Mesh& limits) { limits.maxTaskWorkGroupSize[0] = 1; });
  add("RuntimeSpirv-TaskEXT-07292", task, [](Mesh& limits) { limits.maxTaskWorkGroupSize[1] = 3; });
  add("RuntimeSpirv-TaskEXT-07293", task, [](Mesh& limits) { limits.maxTaskWorkGroupSize[2] = 7; });
  add("RuntimeSpirv-TaskEXT-07294", task, [](Mesh& limits) { limits.maxTaskWorkGroupInvocations = 63; });
  add("RuntimeSpirv-MeshEXT-07295", mesh_shader, [](Mesh& limits) { limits.maxMeshWorkGroupSize[0] = 1; });
  add("RuntimeSpirv-MeshEXT-07296", mesh_shader, [](Mesh& limits) { limits.maxMeshWorkGroupSize[1] = 3; });
  add("RuntimeSpirv-MeshEXT-07297", mesh_shader, [](Mesh& limits) { limits.maxMeshWorkGroupSize[2] = 7; });
  add("RuntimeSpirv-MeshEXT-07298", mesh_shader, [](Mesh& limits) { limits.maxMeshWorkGroupInvocations = 63; });
  add("RuntimeSpirv-MeshEXT-07115", mesh_shader, [](Mesh& limits) { limits.maxMeshOutputVertices = 2; });
  add("RuntimeSpirv-MeshEXT-07116", mesh_shader, [](Mesh& limits) { limits.maxMeshOutputPrimitives = 1; });
  add("RuntimeSpirv-TaskEXT-07299", task, [](Mesh& limits) { limits.maxMeshWorkGroupCount[0] = 1; });
  add("RuntimeSpirv-TaskEXT-07300", task, [](Mesh& limits) { limits.maxMeshWorkGroupCount[1] = 2; });
  add("RuntimeSpirv-TaskEXT-07301", task, [](Mesh& limits) { limits.maxMeshWorkGroupCount[2] = 3; });
  add("RuntimeSpirv-TaskEXT-07302", task, [](Mesh& limits) { limits.maxMeshWorkGroupTotalCount = 23; });
  StageText outputs = mesh_shader;
  outputs.body = "OpSetMeshOutputsEXT %u4 %u2";
  cases.push_back({.id = "RuntimeSpirv-MeshEXT-07332", .shader = outputs, .from = "%u4 %u2", .to = "%u3 %u2"});
  outputs.body = "OpSetMeshOutputsEXT %u3 %u3";
  cases.push_back({.id = "RuntimeSpirv-MeshEXT-07333", .shader = outputs, .from = "%u3 %u3", .to = "%u3 %u2"});
  return cases;
}

std::vector<StageCase> MemoryCases() {
  using Mesh = VkPhysicalDeviceMeshShaderPropertiesEXT;
  const std::string globals = R"(
    %array = OpTypeArray %v4float %u4
    %shared_pointer = OpTypePointer Workgroup %array
    %shared = OpVariable %shared_pointer Workgroup
  )";
  const std::string payload = R"(
    %payload_pointer = OpTypePointer TaskPayloadWorkgroupEXT %v4float
    %payload = OpVariable %payload_pointer TaskPayloadWorkgroupEXT
  )";
  const std::string use = "%value = OpLoad %array %shared\n";
  const std::string use_payload = "%payload_value = OpLoad %v4float %payload\n";
  const StageText compute = {.interface = "%shared", .globals = globals, .body = use};
  const StageText mesh = {
      .model = "MeshEXT", .interface = "%shared %payload", .globals = globals + payload, .body = use + use_payload};
  const StageText task = {.model = "TaskEXT",
                          .interface = "%shared %payload",
                          .globals = globals + payload,
                          .body = use + use_payload + "OpEmitMeshTasksEXT %u1 %u1 %u1 %payload\n"};
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-Workgroup-06530", .shader = compute, .configure = Limit([](auto& limits) {
                                                                  limits.maxComputeSharedMemorySize = 63;
                                                                })},
  };
  const auto add = [&](const char* id, const StageText& text, std::function<void(Mesh&)> change) {
    cases.push_back({.id = id, .shader = text, .configure = With<Mesh>(std::move(change))});
  };
  add("RuntimeSpirv-maxMeshSharedMemorySize-08754", mesh, [](Mesh& limits) { limits.maxMeshSharedMemorySize = 63; });
  add("RuntimeSpirv-maxMeshPayloadAndSharedMemorySize-08755", mesh,
      [](Mesh& limits) { limits.maxMeshPayloadAndSharedMemorySize = 79; });
  add("RuntimeSpirv-maxTaskPayloadSize-08758", task, [](Mesh& limits) { limits.maxTaskPayloadSize = 15; });
  add("RuntimeSpirv-maxTaskSharedMemorySize-08759", task, [](Mesh& limits) { limits.maxTaskSharedMemorySize = 63; });
  add("RuntimeSpirv-maxTaskPayloadAndSharedMemorySize-08760", task,
      [](Mesh& limits) { limits.maxTaskPayloadAndSharedMemorySize = 79; });
  return cases;
}

// Clip and cull distances as outputs of a vertex shader.
std::vector<StageCase> ArrayCases() {
  const StageText distances = {.model = "Vertex",
                               .capabilities = "OpCapability ClipDistance\nOpCapability CullDistance\n",
                               .interface = "%clip %cull",
                               .decorations =
                                   "OpDecorate %clip BuiltIn ClipDistance\n"
                                   "OpDecorate %cull BuiltIn CullDistance\n",
                               .globals = R"(
      %floats = OpTypeArray %float %u4
      %pointer = OpTypePointer Output %floats
      %clip = OpVariable %pointer Output
      %cull = OpVariable %pointer Output
    )"};
  const StageText mask = {
      .model = "Fragment", .interface = "%mask", .decorations = "OpDecorate %mask BuiltIn SampleMask\n", .globals = R"(
      %words = OpTypeArray %int %u2
      %pointer = OpTypePointer Output %words
      %mask = OpVariable %pointer Output
    )"};
  const StageText control = {.model = "TessellationControl"};
  const StageText geometry = {.model = "Geometry",
                              .modes =
                                  "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 2\n"
                                  "OpExecutionMode %main OutputTriangleStrip\n"
                                  "OpExecutionMode %main OutputVertices 3\n"};
  return {
      {.id = "VkShaderCreateInfoEXT-pCode-08448", .shader = distances, .configure = Limit([](auto& limits) {
                                                                         limits.maxClipDistances = 3;
                                                                       })},
      {.id = "VkShaderCreateInfoEXT-pCode-08449", .shader = distances, .configure = Limit([](auto& limits) {
                                                                         limits.maxCullDistances = 3;
                                                                       })},
      {.id = "VkShaderCreateInfoEXT-pCode-08450", .shader = distances, .configure = Limit([](auto& limits) {
                                                                         limits.maxCombinedClipAndCullDistances = 7;
                                                                       })},
      {.id = "VkShaderCreateInfoEXT-pCode-08451",
       .shader = mask,
       .from = "OpTypeArray %int %u2",
       .to = "OpTypeArray %int %u1"},
      {.id = "VkShaderCreateInfoEXT-pCode-08453", .shader = control, .configure = Limit([](auto& limits) {
                                                                       limits.maxTessellationPatchSize = 2;
                                                                     })},
      {.id = "VkShaderCreateInfoEXT-pCode-08454", .shader = geometry, .configure = Limit([](auto& limits) {
                                                                        limits.maxGeometryOutputVertices = 2;
                                                                      })},
      {.id = "VkShaderCreateInfoEXT-pCode-08455", .shader = geometry, .configure = Limit([](auto& limits) {
                                                                        limits.maxGeometryShaderInvocations = 1;
                                                                      })},
      {.id = "VkShaderCreateInfoEXT-pCode-08455",
       .shader = geometry,
       .from = "Invocations 2",
       .to = "Invocations 1",
       .configure = Limit([](auto& limits) { limits.maxGeometryShaderInvocations = 1; })},
  };
}

// Float controls.
std::vector<StageCase> FloatCases() {
  using Controls = VkPhysicalDeviceFloatControlsProperties;
  struct Row {
    const char* id;
    const char* mode;
    const char* width;
    VkBool32 Controls::* property;
  };
  constexpr Row kRows[] = {
      {"shaderSignedZeroInfNanPreserveFloat16-06293", "SignedZeroInfNanPreserve", "16",
       &Controls::shaderSignedZeroInfNanPreserveFloat16},
      {"shaderSignedZeroInfNanPreserveFloat32-06294", "SignedZeroInfNanPreserve", "32",
       &Controls::shaderSignedZeroInfNanPreserveFloat32},
      {"shaderSignedZeroInfNanPreserveFloat64-06295", "SignedZeroInfNanPreserve", "64",
       &Controls::shaderSignedZeroInfNanPreserveFloat64},
      {"shaderDenormPreserveFloat16-06296", "DenormPreserve", "16", &Controls::shaderDenormPreserveFloat16},
      {"shaderDenormPreserveFloat32-06297", "DenormPreserve", "32", &Controls::shaderDenormPreserveFloat32},
      {"shaderDenormPreserveFloat64-06298", "DenormPreserve", "64", &Controls::shaderDenormPreserveFloat64},
      {"shaderDenormFlushToZeroFloat16-06299", "DenormFlushToZero", "16", &Controls::shaderDenormFlushToZeroFloat16},
      {"shaderDenormFlushToZeroFloat32-06300", "DenormFlushToZero", "32", &Controls::shaderDenormFlushToZeroFloat32},
      {"shaderDenormFlushToZeroFloat64-06301", "DenormFlushToZero", "64", &Controls::shaderDenormFlushToZeroFloat64},
      {"shaderRoundingModeRTEFloat16-06302", "RoundingModeRTE", "16", &Controls::shaderRoundingModeRTEFloat16},
      {"shaderRoundingModeRTEFloat32-06303", "RoundingModeRTE", "32", &Controls::shaderRoundingModeRTEFloat32},
      {"shaderRoundingModeRTEFloat64-06304", "RoundingModeRTE", "64", &Controls::shaderRoundingModeRTEFloat64},
      {"shaderRoundingModeRTZFloat16-06305", "RoundingModeRTZ", "16", &Controls::shaderRoundingModeRTZFloat16},
      {"shaderRoundingModeRTZFloat32-06306", "RoundingModeRTZ", "32", &Controls::shaderRoundingModeRTZFloat32},
      {"shaderRoundingModeRTZFloat64-06307", "RoundingModeRTZ", "64", &Controls::shaderRoundingModeRTZFloat64},
  };
  static std::vector<std::string> ids;
  ids.reserve(std::size(kRows));
  std::vector<StageCase> cases;
  for (const Row& row : kRows) {
    ids.push_back(absl::StrCat("RuntimeSpirv-", row.id));
    cases.push_back({.id = ids.back().c_str(),
                     .shader = {.capabilities = absl::StrCat("OpCapability ", row.mode, "\n"),
                                .modes = absl::StrCat("OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main ",
                                                      row.mode, " ", row.width, "\n")},
                     .configure = With<Controls>([row](Controls& controls) { controls.*row.property = VK_FALSE; })});
  }
  const auto add = [&](const char* id, const char* modes, const char* from, const char* to,
                       VkShaderFloatControlsIndependence denorm, VkShaderFloatControlsIndependence rounding) {
    cases.push_back({.id = id,
                     .shader = {.capabilities = "OpCapability DenormPreserve\nOpCapability DenormFlushToZero\n"
                                                "OpCapability RoundingModeRTE\nOpCapability RoundingModeRTZ\n",
                                .modes = modes},
                     .from = from,
                     .to = to,
                     .configure = With<Controls>([=](Controls& controls) {
                       controls.denormBehaviorIndependence = denorm;
                       controls.roundingModeIndependence = rounding;
                     })});
  };
  constexpr auto kAll = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
  constexpr auto kNone = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  constexpr auto kOnly32 = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  add("RuntimeSpirv-denormBehaviorIndependence-06289",
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main DenormPreserve 16\n"
      "OpExecutionMode %main DenormFlushToZero 64\n",
      "FlushToZero 64", "FlushToZero 32", kOnly32, kAll);
  add("RuntimeSpirv-denormBehaviorIndependence-06290",
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main DenormPreserve 16\n"
      "OpExecutionMode %main DenormFlushToZero 32\n",
      "DenormFlushToZero 32", "DenormPreserve 32", kNone, kAll);
  add("RuntimeSpirv-roundingModeIndependence-06291",
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main RoundingModeRTE 16\n"
      "OpExecutionMode %main RoundingModeRTZ 64\n",
      "ModeRTZ 64", "ModeRTZ 32", kAll, kOnly32);
  add("RuntimeSpirv-roundingModeIndependence-06292",
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main RoundingModeRTE 16\n"
      "OpExecutionMode %main RoundingModeRTZ 32\n",
      "RoundingModeRTZ 32", "RoundingModeRTE 32", kAll, kNone);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Workgroups, StageCases, ::testing::ValuesIn(WorkgroupCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Memory, StageCases, ::testing::ValuesIn(MemoryCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Arrays, StageCases, ::testing::ValuesIn(ArrayCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(FloatControls, StageCases, ::testing::ValuesIn(FloatCases()), NameOfCase);

}  // namespace
}  // namespace assay::core
