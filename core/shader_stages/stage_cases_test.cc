// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Entry points against limits and properties: a shader for each rule, and its correct twin.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

using Limits = VkPhysicalDeviceLimits;
using Mesh = VkPhysicalDeviceMeshShaderPropertiesEXT;

std::vector<StageCase> WorkgroupCases() {
  const StageText compute = {.modes = Modes("LocalSize 2 4 8")};
  const StageText task = {.model = "TaskEXT", .modes = compute.modes, .body = "OpEmitMeshTasksEXT %u2 %u3 %u4\n"};
  const StageText mesh = {
      .model = "MeshEXT",
      .modes = Modes("LocalSize 2 4 8, OutputTrianglesEXT, OutputVertices 3, OutputPrimitivesEXT 2")};
  StageText four_vertices = mesh, three_primitives = mesh;
  four_vertices.body = "OpSetMeshOutputsEXT %u4 %u2";
  three_primitives.body = "OpSetMeshOutputsEXT %u3 %u3";
  return {
      OnDevice("x-06429", compute, Set(&Limits::maxComputeWorkGroupSize, 0, 1)),
      OnDevice("y-06430", compute, Set(&Limits::maxComputeWorkGroupSize, 1, 3)),
      OnDevice("z-06431", compute, Set(&Limits::maxComputeWorkGroupSize, 2, 7)),
      OnDevice("x-06432", compute, Set(&Limits::maxComputeWorkGroupInvocations, 63)),
      OnDevice("TaskEXT-07291", task, Set(&Mesh::maxTaskWorkGroupSize, 0, 1)),
      OnDevice("TaskEXT-07292", task, Set(&Mesh::maxTaskWorkGroupSize, 1, 3)),
      OnDevice("TaskEXT-07293", task, Set(&Mesh::maxTaskWorkGroupSize, 2, 7)),
      OnDevice("TaskEXT-07294", task, Set(&Mesh::maxTaskWorkGroupInvocations, 63)),
      OnDevice("MeshEXT-07295", mesh, Set(&Mesh::maxMeshWorkGroupSize, 0, 1)),
      OnDevice("MeshEXT-07296", mesh, Set(&Mesh::maxMeshWorkGroupSize, 1, 3)),
      OnDevice("MeshEXT-07297", mesh, Set(&Mesh::maxMeshWorkGroupSize, 2, 7)),
      OnDevice("MeshEXT-07298", mesh, Set(&Mesh::maxMeshWorkGroupInvocations, 63)),
      OnDevice("MeshEXT-07115", mesh, Set(&Mesh::maxMeshOutputVertices, 2)),
      OnDevice("MeshEXT-07116", mesh, Set(&Mesh::maxMeshOutputPrimitives, 1)),
      OnDevice("TaskEXT-07299", task, Set(&Mesh::maxMeshWorkGroupCount, 0, 1)),
      OnDevice("TaskEXT-07300", task, Set(&Mesh::maxMeshWorkGroupCount, 1, 2)),
      OnDevice("TaskEXT-07301", task, Set(&Mesh::maxMeshWorkGroupCount, 2, 3)),
      OnDevice("TaskEXT-07302", task, Set(&Mesh::maxMeshWorkGroupTotalCount, 23)),
      {"MeshEXT-07332", four_vertices, "%u4 %u2", "%u3 %u2"},
      {"MeshEXT-07333", three_primitives, "%u3 %u3", "%u3 %u2"},
  };
}

std::vector<StageCase> MemoryCases() {
  const std::string array = "%array = OpTypeArray %v4float %u4\n";
  const StageVariable shared = {"%shared", "Workgroup", "%array"};
  const StageVariable payload = {"%payload", "TaskPayloadWorkgroupEXT", "%v4float"};
  const std::string use = "%value = OpLoad %array %shared\n";
  const std::string use_both = use + "%payload_value = OpLoad %v4float %payload\n";
  const StageText compute = {.variables = {shared}, .globals = array, .body = use};
  const StageText mesh = {.model = "MeshEXT", .variables = {shared, payload}, .globals = array, .body = use_both};
  StageText task = mesh;
  task.model = "TaskEXT";
  task.body += "OpEmitMeshTasksEXT %u1 %u1 %u1 %payload\n";
  return {
      OnDevice("Workgroup-06530", compute, Set(&Limits::maxComputeSharedMemorySize, 63)),
      OnDevice("maxMeshSharedMemorySize-08754", mesh, Set(&Mesh::maxMeshSharedMemorySize, 63)),
      OnDevice("maxMeshPayloadAndSharedMemorySize-08755", mesh, Set(&Mesh::maxMeshPayloadAndSharedMemorySize, 79)),
      OnDevice("maxTaskPayloadSize-08758", task, Set(&Mesh::maxTaskPayloadSize, 15)),
      OnDevice("maxTaskSharedMemorySize-08759", task, Set(&Mesh::maxTaskSharedMemorySize, 63)),
      OnDevice("maxTaskPayloadAndSharedMemorySize-08760", task, Set(&Mesh::maxTaskPayloadAndSharedMemorySize, 79)),
  };
}

std::vector<StageCase> ArrayCases() {
  const StageText mask = {.model = "Fragment",
                          .variables = {{"%mask", "Output", "%words", "BuiltIn SampleMask"}},
                          .globals = "%words = OpTypeArray %int %u2\n"};
  const StageText geometry = {.model = "Geometry",
                              .modes = Modes("Triangles, Invocations 2, OutputTriangleStrip, OutputVertices 3")};
  const Change one_invocation = Set(&Limits::maxGeometryShaderInvocations, 1);
  return {
      OnDevice("VkShaderCreateInfoEXT-pCode-08448", Distances(), Set(&Limits::maxClipDistances, 3)),
      OnDevice("VkShaderCreateInfoEXT-pCode-08449", Distances(), Set(&Limits::maxCullDistances, 3)),
      OnDevice("VkShaderCreateInfoEXT-pCode-08450", Distances(), Set(&Limits::maxCombinedClipAndCullDistances, 7)),
      {"VkShaderCreateInfoEXT-pCode-08451", mask, "OpTypeArray %int %u2", "OpTypeArray %int %u1"},
      OnDevice("VkShaderCreateInfoEXT-pCode-08453", kControl, Set(&Limits::maxTessellationPatchSize, 2)),
      OnDevice("VkShaderCreateInfoEXT-pCode-08454", geometry, Set(&Limits::maxGeometryOutputVertices, 2)),
      OnDevice("VkShaderCreateInfoEXT-pCode-08455", geometry, one_invocation),
      Always(one_invocation, {"VkShaderCreateInfoEXT-pCode-08455", geometry, "Invocations 2", "Invocations 1"}),
  };
}

// Float controls.
std::vector<StageCase> FloatCases() {
  using Controls = VkPhysicalDeviceFloatControlsProperties;
  struct Row {
    const char* number;
    const char* mode;
    const char* width;
    VkBool32 Controls::* property;
  };
  constexpr Row kRows[] = {
      {"06293", "SignedZeroInfNanPreserve", "16", &Controls::shaderSignedZeroInfNanPreserveFloat16},
      {"06294", "SignedZeroInfNanPreserve", "32", &Controls::shaderSignedZeroInfNanPreserveFloat32},
      {"06295", "SignedZeroInfNanPreserve", "64", &Controls::shaderSignedZeroInfNanPreserveFloat64},
      {"06296", "DenormPreserve", "16", &Controls::shaderDenormPreserveFloat16},
      {"06297", "DenormPreserve", "32", &Controls::shaderDenormPreserveFloat32},
      {"06298", "DenormPreserve", "64", &Controls::shaderDenormPreserveFloat64},
      {"06299", "DenormFlushToZero", "16", &Controls::shaderDenormFlushToZeroFloat16},
      {"06300", "DenormFlushToZero", "32", &Controls::shaderDenormFlushToZeroFloat32},
      {"06301", "DenormFlushToZero", "64", &Controls::shaderDenormFlushToZeroFloat64},
      {"06302", "RoundingModeRTE", "16", &Controls::shaderRoundingModeRTEFloat16},
      {"06303", "RoundingModeRTE", "32", &Controls::shaderRoundingModeRTEFloat32},
      {"06304", "RoundingModeRTE", "64", &Controls::shaderRoundingModeRTEFloat64},
      {"06305", "RoundingModeRTZ", "16", &Controls::shaderRoundingModeRTZFloat16},
      {"06306", "RoundingModeRTZ", "32", &Controls::shaderRoundingModeRTZFloat32},
      {"06307", "RoundingModeRTZ", "64", &Controls::shaderRoundingModeRTZFloat64},
  };
  std::vector<StageCase> cases;
  for (const Row& row : kRows) {
    const StageText shader = {.capabilities = Capabilities(row.mode),
                              .modes = Modes(absl::StrCat("LocalSize 1 1 1, ", row.mode, " ", row.width))};
    cases.push_back(OnDevice(absl::StrCat("shader", row.mode, "Float", row.width, "-", row.number), shader,
                             Set(row.property, VK_FALSE)));
  }
  const auto add = [&](const char* id, const char* modes, const char* from, const char* to,
                       VkShaderFloatControlsIndependence denorm, VkShaderFloatControlsIndependence rounding) {
    cases.push_back(
        {.id = id,
         .shader = {.capabilities = Capabilities("DenormPreserve, DenormFlushToZero, RoundingModeRTE, RoundingModeRTZ"),
                    .modes = Modes(modes)},
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
  add("denormBehaviorIndependence-06289", "LocalSize 1 1 1, DenormPreserve 16, DenormFlushToZero 64", "FlushToZero 64",
      "FlushToZero 32", kOnly32, kAll);
  add("denormBehaviorIndependence-06290", "LocalSize 1 1 1, DenormPreserve 16, DenormFlushToZero 32",
      "DenormFlushToZero 32", "DenormPreserve 32", kNone, kAll);
  add("roundingModeIndependence-06291", "LocalSize 1 1 1, RoundingModeRTE 16, RoundingModeRTZ 64", "ModeRTZ 64",
      "ModeRTZ 32", kAll, kOnly32);
  add("roundingModeIndependence-06292", "LocalSize 1 1 1, RoundingModeRTE 16, RoundingModeRTZ 32", "RoundingModeRTZ 32",
      "RoundingModeRTE 32", kAll, kNone);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, StageCaseTest, CasesOf({WorkgroupCases(), MemoryCases(), ArrayCases(), FloatCases()}),
                         kNameOfCase);

}  // namespace
}  // namespace assay::core
