// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rays: constant operands, flags of pipelines, and what repacks invocations.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

constexpr VkPipelineCreateFlags kMotion = VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV;
const StageVariable kStructure = {"%structure", "UniformConstant", "%structure_type", "DescriptorSet 0, Binding 3"};
const StageVariable kPayload = {"%payload", "RayPayloadKHR", "%v4float"};
const StageVariable kQuery = {"%query", "Private", "%query_type"};
const char* const kStructureType = "%structure_type = OpTypeAccelerationStructureKHR\n";

// A ray generation shader that traces one ray with these flags.
StageText Trace(const std::string& flags) {
  return {.model = "RayGenerationKHR",
          .variables = {kStructure, kPayload},
          .globals = absl::StrCat(kStructureType, "%flags = OpConstant %uint ", flags,
                                  "\n%vector = OpConstantComposite %v3float %f0 %f0 %f1\n"),
          .body =
              "%of = OpLoad %structure_type %structure\n"
              "OpTraceRayKHR %of %flags %u1 %u0 %u0 %u0 %vector %f0 %vector %f1 %payload\n"};
}

// The shader with the operation on another kind of ray.
StageText Moving(StageText text, const char* from, const char* to, const char* time) {
  text.capabilities += Capabilities("RayTracingMotionBlurNV", "SPV_NV_ray_tracing_motion_blur");
  text.body = absl::StrReplaceAll(text.body, {{from, to}, {" %payload", absl::StrCat(" ", time, " %payload")}});
  return text;
}
StageText Reordered(StageText text) {
  text.capabilities += Capabilities("ShaderInvocationReorderNV", "SPV_NV_shader_invocation_reorder");
  text.variables.push_back({"%hit", "Private", "%hit_type"});
  text.globals += "%hit_type = OpTypeHitObjectNV\n";
  text.body = absl::StrReplaceAll(text.body, {{"OpTraceRayKHR", "OpHitObjectTraceRayNV %hit"}});
  return text;
}

// Constant operands of rays. The text of a ray query or trace has its operands in order.
std::vector<StageCase> RayCases() {
  const std::string globals = std::string(kStructureType) + R"(
    %flags = OpConstant %uint 1
    %wrong_flags = OpConstant %uint FLAGS
    %vector = OpConstantComposite %v3float %f0 %f0 %f1
    %infinity = OpConstant %float 0x1p+128
    %nan = OpConstant %float 0x1.8p+128
    %minus = OpConstant %float -1
    %infinite = OpConstantComposite %v3float %f0 %infinity %f1
  )";
  struct Operation {
    StageText shader;
    const char* name;
    // Of rules: not finite, negative, order, NaN, both skips, cullings, opacities, time; "" for none.
    std::vector<std::string> numbers;
    VkPipelineCreateFlags flags = 0;
  };
  const std::string ray = "ORIGIN MIN DIRECTION MAX";
  const StageText query = {.capabilities = Capabilities("RayQueryKHR", "SPV_KHR_ray_query"),
                           .variables = {kStructure, kQuery},
                           .globals = globals + "%query_type = OpTypeRayQueryKHR\n",
                           .body =
                               "%of = OpLoad %structure_type %structure\n"
                               "OpRayQueryInitializeKHR %query %of FLAGVALUE %u1 " +
                               ray + "\n"};
  StageText trace = Trace("1");
  trace.globals = globals;
  trace.body = absl::StrReplaceAll(trace.body, {{"%flags", "FLAGVALUE"}, {"%vector %f0 %vector %f1", ray}});
  const StageText object = Reordered(trace);
  const std::vector<Operation> operations = {
      {query, "OpRayQueryInitializeKHR", {"06348", "06349", "06350", "06351", "06889", "06890", "06891"}},
      {trace, "OpTraceRayKHR", {"06355", "06356", "06357", "06358", "06552", "06892", "06893"}},
      {Moving(trace, "OpTraceRayKHR", "OpTraceRayMotionNV", "TIME"),
       "OpTraceRayMotionNV",
       {"06361", "06362", "06363", "06364", "", "", "", "06366"},
       kMotion},
      {object, "OpHitObjectTraceRayNV", {"07705", "07706", "07707", "07708", "07712", "07713", "07714"}},
      {Moving(object, "OpHitObjectTraceRayNV", "OpHitObjectTraceRayMotionNV", "TIME"),
       "OpHitObjectTraceRayNV",
       {"", "", "", "", "", "", "", "07710"},
       kMotion}};
  // What differs from a correct ray, for each of the ids.
  constexpr const char* kWrong[][4] = {
      {"%infinite %f0 %vector %f1", "%flags", "768", ""},     {"%vector %minus %vector %f1", "%flags", "768", ""},
      {"%vector %f1 %vector %f0", "%flags", "768", ""},       {"%vector %nan %vector %f1", "%flags", "768", ""},
      {"%vector %f0 %vector %f1", "%wrong_flags", "768", ""}, {"%vector %f0 %vector %f1", "%wrong_flags", "48", ""},
      {"%vector %f0 %vector %f1", "%wrong_flags", "3", ""},   {"%vector %f0 %vector %f1", "%flags", "768", "%minus"}};
  std::vector<StageCase> cases;
  for (const Operation& operation : operations) {
    for (size_t i = 0; i < operation.numbers.size(); ++i) {
      if (operation.numbers[i].empty()) continue;
      StageText text = operation.shader;
      text.globals = absl::StrReplaceAll(text.globals, {{"FLAGS", kWrong[i][2]}});
      const std::string wrong = absl::StrReplaceAll(
          text.body,
          {{ray, kWrong[i][0]}, {"FLAGVALUE", kWrong[i][1]}, {"TIME", kWrong[i][3][0] != 0 ? kWrong[i][3] : "%f1"}});
      const std::string right =
          absl::StrReplaceAll(text.body, {{ray, "%vector %f0 %vector %f1"}, {"FLAGVALUE", "%flags"}, {"TIME", "%f1"}});
      text.body = wrong;
      cases.push_back({.id = absl::StrCat(operation.name, "-", operation.numbers[i]),
                       .shader = text,
                       .from = wrong,
                       .to = right,
                       .flags = operation.flags});
    }
  }
  return cases;
}

std::vector<StageCase> RepackingCases() {
  StageText uniform = Trace("0");
  uniform.capabilities = Extensions("SPV_KHR_subgroup_uniform_control_flow");
  uniform.modes = Modes("SubgroupUniformControlFlowKHR");
  StageText maximal = Trace("0");
  maximal.capabilities = Extensions("SPV_KHR_maximal_reconvergence");
  maximal.modes = Modes("MaximallyReconvergesKHR");
  const StageText callable = {.model = "RayGenerationKHR",
                              .capabilities = maximal.capabilities,
                              .variables = {{"%data", "CallableDataKHR", "%v4float"}},
                              .modes = maximal.modes,
                              .body = "OpExecuteCallableKHR %u0 %data\n"};
  const StageText report = {.model = "IntersectionKHR",
                            .globals = "%kind = OpConstant %uint 128\n",
                            .body = "%is_hit = OpReportIntersectionKHR %bool %f1 %kind\n"};
  const StageText generate = {.capabilities = Capabilities("RayQueryKHR", "SPV_KHR_ray_query"),
                              .variables = {kQuery},
                              .globals = "%minus = OpConstant %float -1\n%query_type = OpTypeRayQueryKHR\n",
                              .body = "OpRayQueryGenerateIntersectionKHR %query %minus\n"};
  return Extended({VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME},
                  {{"MaximallyReconvergesKHR-09565", maximal, maximal.modes, ""},
                   {"MaximallyReconvergesKHR-09565", callable, callable.body, ""},
                   {"SubgroupUniformControlFlowKHR-06379", uniform, uniform.modes, ""},
                   {"OpReportIntersectionKHR-06998", report, "%uint 128", "%uint 127"},
                   {"OpRayQueryGenerateIntersectionKHR-06353", generate, "%query %minus", "%query %f1"}});
}

// Rules of an instruction and the flags of the pipeline.
std::vector<StageCase> FlagCases() {
  constexpr VkPipelineCreateFlags kNoBoxes = VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR;
  constexpr VkPipelineCreateFlags kNoTriangles = VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR;
  const auto row = [](const char* id, const StageText& shader, VkPipelineCreateFlags wrong,
                      VkPipelineCreateFlags right) {
    return StageCase{.id = id, .shader = shader, .flags = wrong, .right_flags = right};
  };
  const StageText moving = Moving(Trace("0"), "OpTraceRayKHR", "OpTraceRayMotionNV", "%f0");
  const StageText moving_object =
      Moving(Reordered(Trace("0")), "OpHitObjectTraceRayNV", "OpHitObjectTraceRayMotionNV", "%f0");
  return {
      row("OpTraceRayKHR-06553", Trace("256"), kNoBoxes, kNoTriangles),
      row("OpTraceRayKHR-06554", Trace("512"), kNoTriangles, kNoBoxes),
      row("OpHitObjectTraceRayNV-07715", Reordered(Trace("256")), kNoBoxes, kNoTriangles),
      row("OpHitObjectTraceRayNV-07716", Reordered(Trace("512")), kNoTriangles, kNoBoxes),
      row("OpTraceRayMotionNV-06367", moving, 0, kMotion),
      row("OpHitObjectTraceRayMotionNV-07711", moving_object, 0, kMotion),
  };
}

INSTANTIATE_TEST_SUITE_P(All, StageCaseTest, CasesOf({RayCases(), RepackingCases(), FlagCases()}), kNameOfCase);

}  // namespace
}  // namespace assay::core
