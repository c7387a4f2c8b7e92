// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rays: constant operands, flags of pipelines, and what repacks invocations.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

class RayCaseTest : public StageCaseTest {};

TEST_P(RayCaseTest, IsReported) { ExpectReported(); }
TEST_P(RayCaseTest, TwinIsSilent) { ExpectTwinSilent(); }

constexpr VkPipelineCreateFlags kMotion = VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV;
const char* const kReorder =
    "OpCapability ShaderInvocationReorderNV\nOpExtension \"SPV_NV_shader_invocation_reorder\"\n";
const char* const kHitObject =
    "%hit_type = OpTypeHitObjectNV\n%hit_pointer = OpTypePointer Private %hit_type\n"
    "%hit = OpVariable %hit_pointer Private\n";
const char* const kStructure =
    "%structure_type = OpTypeAccelerationStructureKHR\n"
    "%structure_pointer = OpTypePointer UniformConstant %structure_type\n"
    "%structure = OpVariable %structure_pointer UniformConstant\n";
const char* const kStructureDecorations = "OpDecorate %structure DescriptorSet 0\nOpDecorate %structure Binding 3\n";
const char* const kPayload =
    "%payload_pointer = OpTypePointer RayPayloadKHR %v4float\n%payload = OpVariable %payload_pointer RayPayloadKHR\n";

// Constant operands of rays. The text of a ray query or trace has its operands in order.
std::vector<StageCase> RayCases() {
  const std::string globals = std::string(kStructure) + R"(
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
    // Not finite, negative, order, NaN, both skips, cullings, opacities, time; "" for none.
    std::vector<const char*> ids;
    VkPipelineCreateFlags flags = 0;
  };
  const std::string ray = "ORIGIN MIN DIRECTION MAX";
  std::vector<Operation> operations = {
      {{.capabilities = "OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"\n",
        .interface = "%structure",
        .decorations = kStructureDecorations,
        .globals = globals + "%query_type = OpTypeRayQueryKHR\n%query_pointer = OpTypePointer Private %query_type\n"
                             "%query = OpVariable %query_pointer Private\n",
        .body = "%of = OpLoad %structure_type %structure\n"
                "OpRayQueryInitializeKHR %query %of FLAGVALUE %u1 " +
                ray + "\n"},
       {"RuntimeSpirv-OpRayQueryInitializeKHR-06348", "RuntimeSpirv-OpRayQueryInitializeKHR-06349",
        "RuntimeSpirv-OpRayQueryInitializeKHR-06350", "RuntimeSpirv-OpRayQueryInitializeKHR-06351",
        "RuntimeSpirv-OpRayQueryInitializeKHR-06889", "RuntimeSpirv-OpRayQueryInitializeKHR-06890",
        "RuntimeSpirv-OpRayQueryInitializeKHR-06891"}},
      {{.model = "RayGenerationKHR",
        .interface = "%structure %payload",
        .decorations = kStructureDecorations,
        .globals = globals + "%payload_pointer = OpTypePointer RayPayloadKHR %v4float\n"
                             "%payload = OpVariable %payload_pointer RayPayloadKHR\n",
        .body = "%of = OpLoad %structure_type %structure\n"
                "OpTraceRayKHR %of FLAGVALUE %u1 %u0 %u0 %u0 " +
                ray + " %payload\n"},
       {"RuntimeSpirv-OpTraceRayKHR-06355", "RuntimeSpirv-OpTraceRayKHR-06356", "RuntimeSpirv-OpTraceRayKHR-06357",
        "RuntimeSpirv-OpTraceRayKHR-06358", "RuntimeSpirv-OpTraceRayKHR-06552", "RuntimeSpirv-OpTraceRayKHR-06892",
        "RuntimeSpirv-OpTraceRayKHR-06893"}},
  };
  operations[0].shader.interface += " %query";
  StageText motion = operations[1].shader;
  motion.capabilities = "OpCapability RayTracingMotionBlurNV\nOpExtension \"SPV_NV_ray_tracing_motion_blur\"\n";
  motion.body =
      absl::StrReplaceAll(motion.body, {{"OpTraceRayKHR", "OpTraceRayMotionNV"}, {" %payload", " TIME %payload"}});
  operations.push_back({motion,
                        {"RuntimeSpirv-OpTraceRayMotionNV-06361", "RuntimeSpirv-OpTraceRayMotionNV-06362",
                         "RuntimeSpirv-OpTraceRayMotionNV-06363", "RuntimeSpirv-OpTraceRayMotionNV-06364", "", "", "",
                         "RuntimeSpirv-OpTraceRayMotionNV-06366"},
                        kMotion});
  StageText object = operations[1].shader;
  object.capabilities = kReorder;
  object.interface += " %hit";
  object.globals += kHitObject;
  object.body = absl::StrReplaceAll(object.body, {{"OpTraceRayKHR", "OpHitObjectTraceRayNV %hit"}});
  operations.push_back({object,
                        {"RuntimeSpirv-OpHitObjectTraceRayNV-07705", "RuntimeSpirv-OpHitObjectTraceRayNV-07706",
                         "RuntimeSpirv-OpHitObjectTraceRayNV-07707", "RuntimeSpirv-OpHitObjectTraceRayNV-07708",
                         "RuntimeSpirv-OpHitObjectTraceRayNV-07712", "RuntimeSpirv-OpHitObjectTraceRayNV-07713",
                         "RuntimeSpirv-OpHitObjectTraceRayNV-07714"}});
  StageText moving = object;
  moving.capabilities += motion.capabilities;
  moving.body = absl::StrReplaceAll(
      object.body, {{"OpHitObjectTraceRayNV", "OpHitObjectTraceRayMotionNV"}, {" %payload", " TIME %payload"}});
  operations.push_back({moving, {"", "", "", "", "", "", "", "RuntimeSpirv-OpHitObjectTraceRayNV-07710"}, kMotion});
  // What differs from a correct ray, for each of the ids.
  constexpr const char* kWrong[][4] = {
      {"%infinite %f0 %vector %f1", "%flags", "768", ""},     {"%vector %minus %vector %f1", "%flags", "768", ""},
      {"%vector %f1 %vector %f0", "%flags", "768", ""},       {"%vector %nan %vector %f1", "%flags", "768", ""},
      {"%vector %f0 %vector %f1", "%wrong_flags", "768", ""}, {"%vector %f0 %vector %f1", "%wrong_flags", "48", ""},
      {"%vector %f0 %vector %f1", "%wrong_flags", "3", ""},   {"%vector %f0 %vector %f1", "%flags", "768", "%minus"}};
  std::vector<StageCase> cases;
  for (const Operation& operation : operations) {
    for (size_t i = 0; i < operation.ids.size(); ++i) {
      if (operation.ids[i][0] == 0) continue;
      StageText text = operation.shader;
      text.globals = absl::StrReplaceAll(text.globals, {{"FLAGS", kWrong[i][2]}});
      const std::string wrong = absl::StrReplaceAll(
          text.body,
          {{ray, kWrong[i][0]}, {"FLAGVALUE", kWrong[i][1]}, {"TIME", kWrong[i][3][0] != 0 ? kWrong[i][3] : "%f1"}});
      const std::string right =
          absl::StrReplaceAll(text.body, {{ray, "%vector %f0 %vector %f1"}, {"FLAGVALUE", "%flags"}, {"TIME", "%f1"}});
      text.body = wrong;
      cases.push_back({.id = operation.ids[i], .shader = text, .from = wrong, .to = right, .flags = operation.flags});
    }
  }
  return cases;
}

// A ray generation shader that traces one ray with these flags.
StageText Trace(const std::string& flags) {
  return {.model = "RayGenerationKHR",
          .interface = "%structure %payload",
          .decorations = kStructureDecorations,
          .globals = absl::StrCat(kStructure, kPayload, "%flags = OpConstant %uint ", flags,
                                  "\n%vector = OpConstantComposite %v3float %f0 %f0 %f1\n"),
          .body =
              "%of = OpLoad %structure_type %structure\n"
              "OpTraceRayKHR %of %flags %u1 %u0 %u0 %u0 %vector %f0 %vector %f1 %payload\n"};
}

std::vector<StageCase> RepackingCases() {
  StageText uniform = Trace("0");
  uniform.capabilities = "OpExtension \"SPV_KHR_subgroup_uniform_control_flow\"\n";
  uniform.modes = "OpExecutionMode %main SubgroupUniformControlFlowKHR\n";
  StageText maximal = Trace("0");
  maximal.capabilities = "OpExtension \"SPV_KHR_maximal_reconvergence\"\n";
  maximal.modes = "OpExecutionMode %main MaximallyReconvergesKHR\n";
  StageText callable = {.model = "RayGenerationKHR",
                        .capabilities = maximal.capabilities,
                        .interface = "%data",
                        .modes = maximal.modes,
                        .globals =
                            "%data_pointer = OpTypePointer CallableDataKHR %v4float\n"
                            "%data = OpVariable %data_pointer CallableDataKHR\n",
                        .body = "OpExecuteCallableKHR %u0 %data\n"};
  const std::vector<const char*> extensions = {VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME};
  const std::vector<std::string> structs = {"VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR"};
  return {
      {.id = "RuntimeSpirv-SubgroupUniformControlFlowKHR-06379", .shader = uniform, .from = uniform.modes, .to = ""},
      {.id = "RuntimeSpirv-MaximallyReconvergesKHR-09565",
       .shader = maximal,
       .from = maximal.modes,
       .to = "",
       .extensions = extensions,
       .feature_structs = structs},
      {.id = "RuntimeSpirv-MaximallyReconvergesKHR-09565",
       .shader = callable,
       .from = callable.body,
       .to = "",
       .extensions = extensions,
       .feature_structs = structs},
      {.id = "RuntimeSpirv-OpReportIntersectionKHR-06998",
       .shader = {.model = "IntersectionKHR",
                  .globals = "%kind = OpConstant %uint 128\n",
                  .body = "%is_hit = OpReportIntersectionKHR %bool %f1 %kind\n"},
       .from = "%uint 128",
       .to = "%uint 127"},
      {.id = "RuntimeSpirv-OpRayQueryGenerateIntersectionKHR-06353",
       .shader = {.capabilities = "OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"\n",
                  .interface = "%query",
                  .globals = "%minus = OpConstant %float -1\n%query_type = OpTypeRayQueryKHR\n"
                             "%query_pointer = OpTypePointer Private %query_type\n"
                             "%query = OpVariable %query_pointer Private\n",
                  .body = "OpRayQueryGenerateIntersectionKHR %query %minus\n"},
       .from = "%query %minus",
       .to = "%query %f1"},
  };
}

// Rules of an instruction and the flags of the pipeline.
struct FlagCase {
  const char* id;
  StageText shader;
  VkPipelineCreateFlags wrong;
  VkPipelineCreateFlags right;
};
void PrintTo(const FlagCase& row, std::ostream* out) { *out << row.id; }

class FlagCases : public StageTest, public ::testing::WithParamInterface<FlagCase> {
 protected:
  void MakeWith(VkPipelineCreateFlags flags) {
    MakeDevice();
    Make(GetParam().shader.model, Text(GetParam().shader), flags);
  }
};
TEST_P(FlagCases, IsReported) {
  MakeWith(GetParam().wrong);
  ExpectMessage(absl::StrCat("VUID-RuntimeSpirv-", GetParam().id));
}
TEST_P(FlagCases, TwinIsSilent) {
  MakeWith(GetParam().right);
  ExpectNothing();
}

std::vector<FlagCase> PipelineFlagCases() {
  constexpr VkPipelineCreateFlags kNoBoxes = VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR;
  constexpr VkPipelineCreateFlags kNoTriangles = VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR;
  const auto motion = [](StageText text, const char* from, const char* to) {
    text.capabilities += "OpCapability RayTracingMotionBlurNV\nOpExtension \"SPV_NV_ray_tracing_motion_blur\"\n";
    text.body = absl::StrReplaceAll(text.body, {{from, to}, {" %payload", " %f0 %payload"}});
    return text;
  };
  const auto object = [](StageText text) {
    text.capabilities += kReorder;
    text.interface += " %hit";
    text.globals += kHitObject;
    text.body = absl::StrReplaceAll(text.body, {{"OpTraceRayKHR", "OpHitObjectTraceRayNV %hit"}});
    return text;
  };
  return {
      {"OpTraceRayKHR-06553", Trace("256"), kNoBoxes, kNoTriangles},
      {"OpTraceRayKHR-06554", Trace("512"), kNoTriangles, kNoBoxes},
      {"OpHitObjectTraceRayNV-07715", object(Trace("256")), kNoBoxes, kNoTriangles},
      {"OpHitObjectTraceRayNV-07716", object(Trace("512")), kNoTriangles, kNoBoxes},
      {"OpTraceRayMotionNV-06367", motion(Trace("0"), "OpTraceRayKHR", "OpTraceRayMotionNV"), 0, kMotion},
      {"OpHitObjectTraceRayMotionNV-07711",
       motion(object(Trace("0")), "OpHitObjectTraceRayNV", "OpHitObjectTraceRayMotionNV"), 0, kMotion},
  };
}

INSTANTIATE_TEST_SUITE_P(Rays, RayCaseTest, ::testing::ValuesIn(RayCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Repacking, RayCaseTest, ::testing::ValuesIn(RepackingCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Flags, FlagCases, ::testing::ValuesIn(PipelineFlagCases()),
                         [](const auto& info) { return absl::StrReplaceAll(info.param.id, {{"-", "_"}}); });

}  // namespace
}  // namespace assay::core
