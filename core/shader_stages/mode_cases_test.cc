// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Transform feedback, mesh and task shaders, execution modes and capabilities.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

class ModeCaseTest : public StageCaseTest {};

TEST_P(ModeCaseTest, IsReported) { ExpectReported(); }
TEST_P(ModeCaseTest, TwinIsSilent) { ExpectTwinSilent(); }

std::vector<StageCase> CaptureCases() {
  using Limits = VkPhysicalDeviceTransformFeedbackPropertiesEXT;
  // Two vectors: at byte 16 of buffer 0, and a member of a block at byte 0 of buffer 1.
  const StageText captured = {.model = "Vertex",
                              .capabilities = "OpCapability TransformFeedback\n",
                              .interface = "%one %block",
                              .modes = "OpExecutionMode %main Xfb\n",
                              .decorations = R"(
            OpDecorate %one Location 0
            OpDecorate %one XfbBuffer 0
            OpDecorate %one XfbStride 48
            OpDecorate %one Offset 16
            OpDecorate %Captured Block
            OpDecorate %block Location 1
            OpMemberDecorate %Captured 0 Offset 0
            OpMemberDecorate %Captured 0 XfbBuffer 1
            OpMemberDecorate %Captured 0 XfbStride 16
          )",
                              .globals = R"(
            %Captured = OpTypeStruct %v4float
            %one_pointer = OpTypePointer Output %v4float
            %block_pointer = OpTypePointer Output %Captured
            %one = OpVariable %one_pointer Output
            %block = OpVariable %block_pointer Output
          )"};
  return {
      {.id = "RuntimeSpirv-Offset-06308", .shader = captured, .configure = With<Limits>([](Limits& limits) {
                                                                limits.maxTransformFeedbackBufferDataSize = 31;
                                                              })},
      {.id = "RuntimeSpirv-XfbBuffer-06309", .shader = captured, .configure = With<Limits>([](Limits& limits) {
                                                                   limits.maxTransformFeedbackStreamDataSize = 47;
                                                                 })},
      {.id = "RuntimeSpirv-XfbStride-06313", .shader = captured, .configure = With<Limits>([](Limits& limits) {
                                                                   limits.maxTransformFeedbackBufferDataStride = 47;
                                                                 })},
  };
}

std::vector<StageCase> StreamCases() {
  using Limits = VkPhysicalDeviceTransformFeedbackPropertiesEXT;
  const auto modes = [](const char* output) {
    return absl::StrCat("OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\nOpExecutionMode %main ",
                        output, "\nOpExecutionMode %main OutputVertices 3\n");
  };
  const StageText emits = {.model = "Geometry",
                           .capabilities = "OpCapability GeometryStreams\n",
                           .modes = modes("OutputPoints"),
                           .body = "OpEmitStreamVertex %u4\n"};
  StageText ends = emits;
  ends.body = "OpEndStreamPrimitive %u4\n";
  StageText two = emits;
  two.modes = modes("OutputLineStrip");
  two.body = "OpEmitStreamVertex %u0\nOpEmitStreamVertex %u1\n";
  StageText one = two;
  one.body = "OpEmitStreamVertex %u1\nOpEmitStreamVertex %u1\n";
  const StageText output = {.model = "Geometry",
                            .capabilities = "OpCapability GeometryStreams\n",
                            .interface = "%out",
                            .decorations = "OpDecorate %out Location 0\nOpDecorate %out Stream 4\n",
                            .globals =
                                "%out_pointer = OpTypePointer Output %v4float\n"
                                "%out = OpVariable %out_pointer Output\n"};
  const auto points_only =
      With<Limits>([](Limits& limits) { limits.transformFeedbackStreamsLinesTriangles = VK_FALSE; });
  return {
      {.id = "RuntimeSpirv-OpEmitStreamVertex-06310", .shader = emits, .from = "Vertex %u4", .to = "Vertex %u3"},
      {.id = "RuntimeSpirv-OpEmitStreamVertex-06310", .shader = ends, .from = "Primitive %u4", .to = "Primitive %u3"},
      {.id = "RuntimeSpirv-Stream-06312", .shader = output, .from = "Stream 4", .to = "Stream 3"},
      {.id = "RuntimeSpirv-transformFeedbackStreamsLinesTriangles-06311", .shader = two, .configure = points_only},
      {.id = "RuntimeSpirv-transformFeedbackStreamsLinesTriangles-06311",
       .shader = two,
       .from = "OutputLineStrip",
       .to = "OutputPoints",
       .always = points_only},
      {.id = "RuntimeSpirv-transformFeedbackStreamsLinesTriangles-06311",
       .shader = two,
       .from = two.body,
       .to = one.body,
       .always = points_only},
  };
}

std::vector<StageCase> MeshCases() {
  using Mesh = VkPhysicalDeviceMeshShaderPropertiesEXT;
  using MeshNv = VkPhysicalDeviceMeshShaderPropertiesNV;
  const std::string call = "OpSetMeshOutputsEXT %u3 %u1\n";
  const StageText mesh = {.model = "MeshEXT", .body = call + call};
  StageText points = mesh;
  points.modes =
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputPoints\n"
      "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n";
  points.body = call;
  const StageText memory = {.model = "MeshEXT",
                            .interface = "%out %payload",
                            .decorations = "OpDecorate %out Location 0\n",
                            .globals =
                                "%vectors = OpTypeArray %v4float %u3\n"
                                "%out_pointer = OpTypePointer Output %vectors\n"
                                "%vector_pointer = OpTypePointer Output %v4float\n"
                                "%white = OpConstantComposite %v4float %f1 %f1 %f1 %f1\n"
                                "%out = OpVariable %out_pointer Output\n"
                                "%payload_pointer = OpTypePointer TaskPayloadWorkgroupEXT %v4float\n"
                                "%payload = OpVariable %payload_pointer TaskPayloadWorkgroupEXT\n",
                            .body = call +
                                    "%to = OpAccessChain %vector_pointer %out %u0\nOpStore %to %white\n"
                                    "%read = OpLoad %v4float %payload\n"};
  const StageText old = {.model = "MeshNV",
                         .modes =
                             "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputTrianglesEXT\n"
                             "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 2\n"};
  const std::vector<const char*> nv = {VK_NV_MESH_SHADER_EXTENSION_NAME};
  const std::vector<std::string> nv_structs = {"VkPhysicalDeviceMeshShaderFeaturesNV"};
  return {
      {.id = "RuntimeSpirv-MeshEXT-07118", .shader = mesh, .from = call + call, .to = call},
      {.id = "RuntimeSpirv-MeshEXT-09218", .shader = points, .disabled = {"maintenance5"}},
      {.id = "RuntimeSpirv-MeshEXT-09218",
       .shader = points,
       .from = "OpSetMeshOutputsEXT %u3 %u1",
       .to = "OpSetMeshOutputsEXT %u3 %u0",
       .always = [](test::MockConfig& config) { config.disabled_features.insert("maintenance5"); }},
      {.id = "RuntimeSpirv-TaskEXT-07117",
       .shader = {.model = "TaskEXT", .body = "OpReturn\n"},
       .from = "OpReturn",
       .to = "OpEmitMeshTasksEXT %u1 %u1 %u1"},
      {.id = "RuntimeSpirv-maxMeshOutputMemorySize-08756", .shader = memory, .configure = With<Mesh>([](Mesh& limits) {
                                                                               limits.maxMeshOutputMemorySize = 47;
                                                                             })},
      {.id = "RuntimeSpirv-maxMeshPayloadAndOutputMemorySize-08757",
       .shader = memory,
       .configure = With<Mesh>([](Mesh& limits) { limits.maxMeshPayloadAndOutputMemorySize = 63; })},
      {.id = "RuntimeSpirv-MeshNV-07113",
       .shader = old,
       .configure = With<MeshNv>([](MeshNv& limits) { limits.maxMeshOutputVertices = 2; }),
       .extensions = nv,
       .feature_structs = nv_structs},
      {.id = "RuntimeSpirv-MeshNV-07114",
       .shader = old,
       .configure = With<MeshNv>([](MeshNv& limits) { limits.maxMeshOutputPrimitives = 1; }),
       .extensions = nv,
       .feature_structs = nv_structs},
  };
}

std::vector<StageCase> DerivativeCases() {
  using Properties = VkPhysicalDeviceComputeShaderDerivativesPropertiesKHR;
  StageCase row = {
      .id = "RuntimeSpirv-meshAndTaskShaderDerivatives-10153",
      .shader = {.model = "TaskEXT",
                 .capabilities = "OpCapability ComputeDerivativeGroupLinearKHR\n"
                                 "OpExtension \"SPV_KHR_compute_shader_derivatives\"\n",
                 .modes = "OpExecutionMode %main LocalSize 4 1 1\n"
                          "OpExecutionMode %main DerivativeGroupLinearKHR\n"},
      .configure = With<Properties>([](Properties& properties) { properties.meshAndTaskShaderDerivatives = VK_FALSE; }),
      .extensions = {VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME},
      .feature_structs = {"VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR"}};
  return {row};
}

// Modes and decorations of fast math, for floats of each width.
std::vector<StageCase> FastMathCases() {
  using Controls = VkPhysicalDeviceFloatControlsProperties;
  struct Row {
    const char* mode;
    const char* decoration;
    const char* type;
    const char* capability;
    VkBool32 Controls::* property;
  };
  constexpr Row kRows[] = {{"RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat16-09559",
                            "RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat16-09560", "%number = OpTypeFloat 16\n",
                            "OpCapability Float16\n", &Controls::shaderSignedZeroInfNanPreserveFloat16},
                           {"RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat32-09561",
                            "RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat32-09562", "", "",
                            &Controls::shaderSignedZeroInfNanPreserveFloat32},
                           {"RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat64-09563",
                            "RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat64-09564", "%number = OpTypeFloat 64\n",
                            "OpCapability Float64\n", &Controls::shaderSignedZeroInfNanPreserveFloat64}};
  std::vector<StageCase> cases;
  for (const Row& row : kRows) {
    const std::string number = row.type[0] != 0 ? "%number" : "%float";
    const auto without = With<Controls>([row](Controls& controls) { controls.*row.property = VK_FALSE; });
    const std::string capabilities =
        absl::StrCat("OpCapability FloatControls2\n", row.capability, "OpExtension \"SPV_KHR_float_controls2\"\n");
    // None of the needed bits, and all of them.
    const StageText mode = {.capabilities = capabilities,
                            .modes = absl::StrCat("OpExecutionMode %main LocalSize 1 1 1\nOpExecutionModeId %main "
                                                  "FPFastMathDefault ",
                                                  number, " %bits\n"),
                            .globals = absl::StrCat(row.type, "%bits = OpConstant %uint 6\n")};
    const StageText decoration = {.capabilities = capabilities,
                                  .decorations = "OpDecorate %sum FPFastMathMode NSZ|NotInf\n",
                                  .globals = absl::StrCat(row.type, "%one = OpConstant ", number, " 1\n"),
                                  .body = absl::StrCat("%sum = OpFAdd ", number, " %one %one\n")};
    cases.push_back({.id = row.mode, .shader = mode, .configure = without});
    cases.push_back(
        {.id = row.mode, .shader = mode, .from = "OpConstant %uint 6", .to = "OpConstant %uint 7", .always = without});
    cases.push_back({.id = row.decoration, .shader = decoration, .configure = without});
    cases.push_back({.id = row.decoration,
                     .shader = decoration,
                     .from = "NSZ|NotInf",
                     .to = "NSZ|NotInf|NotNaN",
                     .always = without});
  }
  return cases;
}

// Devices of the portability subset.
std::vector<StageCase> PortabilityCases() {
  const auto evaluation = [](const std::string& modes) {
    return StageText{.model = "TessellationEvaluation", .modes = modes};
  };
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-shaderSampleRateInterpolationFunctions-06325",
       .shader = {.model = "Fragment", .capabilities = "OpCapability InterpolationFunction\n"},
       .disabled = {"shaderSampleRateInterpolationFunctions"}},
      {.id = "RuntimeSpirv-tessellationShader-06326",
       .shader = evaluation("OpExecutionMode %main Isolines\nOpExecutionMode %main SpacingEqual\n"
                            "OpExecutionMode %main VertexOrderCcw\n"),
       .disabled = {"tessellationIsolines"}},
      {.id = "RuntimeSpirv-tessellationShader-06327",
       .shader = evaluation("OpExecutionMode %main PointMode\n"),
       .disabled = {"tessellationPointMode"}},
  };
  for (StageCase& row : cases) {
    row.extensions = {"VK_KHR_portability_subset"};
    row.feature_structs = {"VkPhysicalDevicePortabilitySubsetFeaturesKHR"};
    row.always = [](test::MockConfig& config) { config.disabled_extensions.clear(); };
  }
  return cases;
}

// VK_AMDX_shader_enqueue.
std::vector<StageCase> EnqueueCases() {
  using Properties = VkPhysicalDeviceShaderEnqueuePropertiesAMDX;
  const std::string enqueue = "OpCapability ShaderEnqueueAMDX\n";
  const std::string extension = "OpExtension \"SPV_AMDX_shader_enqueue\"\n";
  const StageText payload = {.capabilities = enqueue + extension,
                             .interface = "%payload",
                             .decorations =
                                 "OpDecorate %Payload Block\nOpMemberDecorate %Payload 0 Offset 0\n"
                                 "OpDecorateId %payloads PayloadNodeNameAMDX %name\n",
                             .globals =
                                 "%name = OpConstantStringAMDX \"node\"\n%Payload = OpTypeStruct %v4float\n"
                                 "%payloads = OpTypeNodePayloadArrayAMDX %Payload\n"
                                 "%payload_pointer = OpTypePointer NodePayloadAMDX %payloads\n"
                                 "%part_pointer = OpTypePointer NodePayloadAMDX %v4float\n"
                                 "%payload = OpVariable %payload_pointer NodePayloadAMDX\n",
                             .body =
                                 "%at = OpAccessChain %part_pointer %payload %u0 %u0\n"
                                 "%value = OpLoad %v4float %at\n"};
  StageText two = payload;
  two.interface += " %second";
  two.globals += "%second = OpVariable %payload_pointer NodePayloadAMDX\n";
  two.body += "%place = OpAccessChain %part_pointer %second %u0 %u0\n%more = OpLoad %v4float %place\n";
  // Beside a compute shader, so that the capability is allowed.
  StageText vertex = payload;
  vertex.model = "Vertex";
  vertex.interface += "\nOpEntryPoint GLCompute %other \"other\"";
  vertex.modes = "OpExecutionMode %other LocalSize 1 1 1\n";
  vertex.globals += "%other = OpFunction %void None %function\n%other_entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  std::vector<StageCase> cases = {
      {.id = "RuntimeSpirv-NodePayloadAMDX-09192", .shader = vertex, .from = vertex.body, .to = ""},
      {.id = "RuntimeSpirv-ShaderEnqueueAMDX-09191",
       .shader = {.model = "Vertex", .capabilities = enqueue + extension},
       .from = enqueue,
       .to = ""},
      {.id = "RuntimeSpirv-maxExecutionGraphShaderPayloadSize-09193",
       .shader = payload,
       .configure =
           With<Properties>([](Properties& properties) { properties.maxExecutionGraphShaderPayloadSize = 15; }),
       .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR},
      {.id = "RuntimeSpirv-maxExecutionGraphShaderPayloadSize-09195",
       .shader = two,
       .configure =
           With<Properties>([](Properties& properties) { properties.maxExecutionGraphShaderPayloadSize = 31; }),
       .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR},
  };
  for (StageCase& row : cases) {
    row.extensions = {"VK_AMDX_shader_enqueue"};
    row.feature_structs = {"VkPhysicalDeviceShaderEnqueueFeaturesAMDX"};
  }
  return cases;
}

class Enqueue : public StageTest {};

TEST_F(Enqueue, ComputePipelines) {
  extensions.push_back("VK_AMDX_shader_enqueue");
  feature_structs.emplace_back("VkPhysicalDeviceShaderEnqueueFeaturesAMDX");
  MakeDevice();
  const std::string text =
      Text({.capabilities = "OpCapability ShaderEnqueueAMDX\nOpExtension \"SPV_AMDX_shader_enqueue\"\n"});
  Make("GLCompute", text, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
  ExpectNothing();
  Make("GLCompute", text);
  ExpectMessage("VUID-VkComputePipelineCreateInfo-flags-09178");
}

std::vector<StageCase> CoverageCases() {
  using Properties = VkPhysicalDeviceConservativeRasterizationPropertiesEXT;
  const auto set = [](VkBool32 value) {
    return With<Properties>(
        [value](Properties& properties) { properties.conservativeRasterizationPostDepthCoverage = value; });
  };
  return {{.id = "FullyCoveredEXT-conservativeRasterizationPostDepthCoverage-04235",
           .shader = {.model = "Fragment",
                      .capabilities = "OpCapability FragmentFullyCoveredEXT\nOpCapability SampleMaskPostDepthCoverage\n"
                                      "OpExtension \"SPV_EXT_fragment_fully_covered\"\n"
                                      "OpExtension \"SPV_KHR_post_depth_coverage\"\n",
                      .interface = "%covered",
                      .modes = "OpExecutionMode %main PostDepthCoverage\n",
                      .decorations = "OpDecorate %covered BuiltIn FullyCoveredEXT\n",
                      .globals = "%covered_pointer = OpTypePointer Input %bool\n"
                                 "%covered = OpVariable %covered_pointer Input\n"},
           .configure = set(VK_FALSE),
           .extensions = {VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME, VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME},
           .always = set(VK_TRUE)}};
}

INSTANTIATE_TEST_SUITE_P(Coverage, ModeCaseTest, ::testing::ValuesIn(CoverageCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Captures, ModeCaseTest, ::testing::ValuesIn(CaptureCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Streams, ModeCaseTest, ::testing::ValuesIn(StreamCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Meshes, ModeCaseTest, ::testing::ValuesIn(MeshCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Derivatives, ModeCaseTest, ::testing::ValuesIn(DerivativeCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(FastMath, ModeCaseTest, ::testing::ValuesIn(FastMathCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Portability, ModeCaseTest, ::testing::ValuesIn(PortabilityCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Enqueues, ModeCaseTest, ::testing::ValuesIn(EnqueueCases()), NameOfCase);

}  // namespace
}  // namespace assay::core
