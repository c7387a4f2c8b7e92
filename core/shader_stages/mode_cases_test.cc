// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Transform feedback, mesh and task shaders, execution modes and capabilities.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

using Feedback = VkPhysicalDeviceTransformFeedbackPropertiesEXT;

std::vector<StageCase> CaptureCases() {
  // Two vectors: at byte 16 of buffer 0, and a member of a block at byte 0 of buffer 1.
  const StageText captured = {
      .model = "Vertex",
      .capabilities = Capabilities("TransformFeedback"),
      .variables = {{"%one", "Output", "%v4float", "Location 0, XfbBuffer 0, XfbStride 48, Offset 16"},
                    {"%block", "Output", "%Captured", "Location 1"}},
      .modes = Modes("Xfb"),
      .decorations =
          Decorate("%Captured", "Block") + DecorateMember("%Captured 0", "Offset 0, XfbBuffer 1, XfbStride 16"),
      .globals = "%Captured = OpTypeStruct %v4float\n"};
  return {
      OnDevice("Offset-06308", captured, Set(&Feedback::maxTransformFeedbackBufferDataSize, 31)),
      OnDevice("XfbBuffer-06309", captured, Set(&Feedback::maxTransformFeedbackStreamDataSize, 47)),
      OnDevice("XfbStride-06313", captured, Set(&Feedback::maxTransformFeedbackBufferDataStride, 47)),
  };
}

std::vector<StageCase> StreamCases() {
  const auto emitting = [](const std::string& output, const std::string& body) {
    return StageText{.model = "Geometry",
                     .capabilities = Capabilities("GeometryStreams"),
                     .modes = Modes("Triangles, Invocations 1, " + output + ", OutputVertices 3"),
                     .body = body};
  };
  const std::string zero = "OpEmitStreamVertex %u0\n", one = "OpEmitStreamVertex %u1\n";
  const StageText two_streams = emitting("OutputLineStrip", zero + one);
  const StageText output = {.model = "Geometry",
                            .capabilities = Capabilities("GeometryStreams"),
                            .variables = {{"%out", "Output", "%v4float", "Location 0, Stream 4"}}};
  const Change points_only = Set(&Feedback::transformFeedbackStreamsLinesTriangles, VK_FALSE);
  const char* const lines = "transformFeedbackStreamsLinesTriangles-06311";
  return {
      {"OpEmitStreamVertex-06310", emitting("OutputPoints", "OpEmitStreamVertex %u4\n"), "Vertex %u4", "Vertex %u3"},
      {"OpEmitStreamVertex-06310", emitting("OutputPoints", "OpEndStreamPrimitive %u4\n"), "Primitive %u4",
       "Primitive %u3"},
      {"Stream-06312", output, "Stream 4", "Stream 3"},
      OnDevice(lines, two_streams, points_only),
      Always(points_only, {lines, two_streams, "OutputLineStrip", "OutputPoints"}),
      Always(points_only, {lines, two_streams, zero + one, one + one}),
  };
}

std::vector<StageCase> MeshCases() {
  using Mesh = VkPhysicalDeviceMeshShaderPropertiesEXT;
  using MeshNv = VkPhysicalDeviceMeshShaderPropertiesNV;
  const std::string call = "OpSetMeshOutputsEXT %u3 %u1\n";
  const StageText mesh = {.model = "MeshEXT", .body = call + call};
  const StageText task = {.model = "TaskEXT", .body = "OpReturn\n"};
  const StageText points = {.model = "MeshEXT",
                            .modes = Modes("LocalSize 1 1 1, OutputPoints, OutputVertices 3, OutputPrimitivesEXT 1"),
                            .body = call};
  const StageText memory = {
      .model = "MeshEXT",
      .variables = {{"%out", "Output", "%vectors", "Location 0"}, {"%payload", "TaskPayloadWorkgroupEXT", "%v4float"}},
      .globals =
          "%vectors = OpTypeArray %v4float %u3\n%vector_pointer = OpTypePointer Output %v4float\n"
          "%white = OpConstantComposite %v4float %f1 %f1 %f1 %f1\n",
      .body = call +
              "%to = OpAccessChain %vector_pointer %out %u0\nOpStore %to %white\n%read = OpLoad %v4float %payload\n"};
  const StageText old = {
      .model = "MeshNV",
      .modes = Modes("LocalSize 1 1 1, OutputTrianglesEXT, OutputVertices 3, OutputPrimitivesEXT 2")};
  return Extended({VK_NV_MESH_SHADER_EXTENSION_NAME},
                  {
                      OnDevice("MeshNV-07113", old, Set(&MeshNv::maxMeshOutputVertices, 2)),
                      OnDevice("MeshNV-07114", old, Set(&MeshNv::maxMeshOutputPrimitives, 1)),
                      {"MeshEXT-07118", mesh, call + call, call},
                      Without("MeshEXT-09218", points, {"maintenance5"}),
                      Always(Disable("maintenance5"), {"MeshEXT-09218", points, call, "OpSetMeshOutputsEXT %u3 %u0\n"}),
                      {"TaskEXT-07117", task, "OpReturn", "OpEmitMeshTasksEXT %u1 %u1 %u1"},
                      OnDevice("maxMeshOutputMemorySize-08756", memory, Set(&Mesh::maxMeshOutputMemorySize, 47)),
                      OnDevice("maxMeshPayloadAndOutputMemorySize-08757", memory,
                               Set(&Mesh::maxMeshPayloadAndOutputMemorySize, 63)),
                  });
}

std::vector<StageCase> DerivativeCases() {
  const StageText task = {
      .model = "TaskEXT",
      .capabilities = Capabilities("ComputeDerivativeGroupLinearKHR", "SPV_KHR_compute_shader_derivatives"),
      .modes = Modes("LocalSize 4 1 1, DerivativeGroupLinearKHR")};
  const Change change =
      Set(&VkPhysicalDeviceComputeShaderDerivativesPropertiesKHR::meshAndTaskShaderDerivatives, VK_FALSE);
  return Extended({VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME},
                  {OnDevice("meshAndTaskShaderDerivatives-10153", task, change)});
}

// Modes and decorations of fast math, for floats of each width.
std::vector<StageCase> FastMathCases() {
  using Controls = VkPhysicalDeviceFloatControlsProperties;
  // The numbers of the rules of modes and of decorations.
  struct Row {
    const char* mode;
    const char* decoration;
    const char* width;
    VkBool32 Controls::* property;
  };
  constexpr Row kRows[] = {{"09559", "09560", "16", &Controls::shaderSignedZeroInfNanPreserveFloat16},
                           {"09561", "09562", "32", &Controls::shaderSignedZeroInfNanPreserveFloat32},
                           {"09563", "09564", "64", &Controls::shaderSignedZeroInfNanPreserveFloat64}};
  std::vector<StageCase> cases;
  for (const Row& row : kRows) {
    // Floats of 32 bits need no type and no capability.
    const std::string width = row.width;
    const bool is_float = width == "32";
    const std::string number = is_float ? "%float" : "%number";
    const std::string type = is_float ? "" : "%number = OpTypeFloat " + width + "\n";
    const std::string capabilities =
        Capabilities(is_float ? "FloatControls2" : "FloatControls2, Float" + width, "SPV_KHR_float_controls2");
    const std::string id = absl::StrCat("shaderSignedZeroInfNanPreserveFloat", width, "-");
    const Change without = Set(row.property, VK_FALSE);
    // None of the needed bits, and all of them.
    const StageText mode = {.capabilities = capabilities,
                            .modes = absl::StrCat(Modes("LocalSize 1 1 1"),
                                                  "OpExecutionModeId %main FPFastMathDefault ", number, " %bits\n"),
                            .globals = type + "%bits = OpConstant %uint 6\n"};
    const StageText decoration = {.capabilities = capabilities,
                                  .decorations = Decorate("%sum", "FPFastMathMode NSZ|NotInf"),
                                  .globals = absl::StrCat(type, "%one = OpConstant ", number, " 1\n"),
                                  .body = absl::StrCat("%sum = OpFAdd ", number, " %one %one\n")};
    cases.push_back(OnDevice(id + row.mode, mode, without));
    cases.push_back(Always(without, {id + row.mode, mode, "OpConstant %uint 6", "OpConstant %uint 7"}));
    cases.push_back(OnDevice(id + row.decoration, decoration, without));
    cases.push_back(Always(without, {id + row.decoration, decoration, "NSZ|NotInf", "NSZ|NotInf|NotNaN"}));
  }
  return cases;
}

// Devices of the portability subset.
std::vector<StageCase> PortabilityCases() {
  const auto evaluation = [](const char* modes) {
    return StageText{.model = "TessellationEvaluation", .modes = Modes(modes)};
  };
  const StageText interpolation = {.model = "Fragment", .capabilities = Capabilities("InterpolationFunction")};
  std::vector<StageCase> cases =
      Extended({"VK_KHR_portability_subset"},
               {Without("shaderSampleRateInterpolationFunctions-06325", interpolation,
                        {"shaderSampleRateInterpolationFunctions"}),
                Without("tessellationShader-06326", evaluation("Isolines, SpacingEqual, VertexOrderCcw"),
                        {"tessellationIsolines"}),
                Without("tessellationShader-06327", evaluation("PointMode"), {"tessellationPointMode"})});
  for (StageCase& row : cases) row.always = [](test::MockConfig& config) { config.disabled_extensions.clear(); };
  return cases;
}

// VK_AMDX_shader_enqueue.
std::vector<StageCase> EnqueueCases() {
  using Properties = VkPhysicalDeviceShaderEnqueuePropertiesAMDX;
  const std::string enqueue = Capabilities("ShaderEnqueueAMDX");
  const std::string capabilities = enqueue + Extensions("SPV_AMDX_shader_enqueue");
  const std::string payloads =
      "%name = OpConstantStringAMDX \"node\"\n%Payload = OpTypeStruct %v4float\n"
      "%payloads = OpTypeNodePayloadArrayAMDX %Payload\n%part_pointer = OpTypePointer NodePayloadAMDX %v4float\n";
  const StageText payload = {
      .capabilities = capabilities,
      .variables = {{"%payload", "NodePayloadAMDX", "%payloads"}},
      .decorations = DecorateBlock("%Payload") + "OpDecorateId %payloads PayloadNodeNameAMDX %name\n",
      .globals = payloads,
      .body = "%at = OpAccessChain %part_pointer %payload %u0 %u0\n%value = OpLoad %v4float %at\n"};
  StageText two = payload;
  two.variables.push_back({"%second", "NodePayloadAMDX", "%payloads"});
  two.body += "%place = OpAccessChain %part_pointer %second %u0 %u0\n%more = OpLoad %v4float %place\n";
  // Beside a compute shader, so that the capability is allowed.
  StageText vertex = payload;
  vertex.model = "Vertex";
  vertex.interface = "\nOpEntryPoint GLCompute %other \"other\"";
  vertex.modes = "OpExecutionMode %other LocalSize 1 1 1\n";
  const std::string read = vertex.body;
  vertex.body += "OpReturn\nOpFunctionEnd\n%other = OpFunction %void None %function\n%other_entry = OpLabel\n";
  const StageText unused = {.model = "Vertex", .capabilities = capabilities};
  StageCase size = OnDevice("maxExecutionGraphShaderPayloadSize-09193", payload,
                            Set(&Properties::maxExecutionGraphShaderPayloadSize, 15));
  StageCase sum = OnDevice("maxExecutionGraphShaderPayloadSize-09195", two,
                           Set(&Properties::maxExecutionGraphShaderPayloadSize, 31));
  size.flags = sum.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  return Extended(
      {"VK_AMDX_shader_enqueue"},
      {{"NodePayloadAMDX-09192", vertex, read, ""}, {"ShaderEnqueueAMDX-09191", unused, enqueue, ""}, size, sum});
}

class Enqueue : public StageTest {};

TEST_F(Enqueue, ComputePipelines) {
  MakeDeviceWith({"VK_AMDX_shader_enqueue"});
  const std::string text = Text({.capabilities = Capabilities("ShaderEnqueueAMDX", "SPV_AMDX_shader_enqueue")});
  Make("GLCompute", text, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
  ExpectNothing();
  Make("GLCompute", text);
  ExpectMessage("VUID-VkComputePipelineCreateInfo-flags-09178");
}

std::vector<StageCase> CoverageCases() {
  const StageText shader = {.model = "Fragment",
                            .capabilities = Capabilities("FragmentFullyCoveredEXT, SampleMaskPostDepthCoverage",
                                                         "SPV_EXT_fragment_fully_covered, SPV_KHR_post_depth_coverage"),
                            .variables = {{"%covered", "Input", "%bool", "BuiltIn FullyCoveredEXT"}},
                            .modes = Modes("PostDepthCoverage")};
  const auto set = [](VkBool32 value) {
    return Set(&VkPhysicalDeviceConservativeRasterizationPropertiesEXT::conservativeRasterizationPostDepthCoverage,
               value);
  };
  return Extended({VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME, VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME},
                  {Always(set(VK_TRUE), OnDevice("FullyCoveredEXT-conservativeRasterizationPostDepthCoverage-04235",
                                                 shader, set(VK_FALSE)))});
}

INSTANTIATE_TEST_SUITE_P(All, StageCaseTest,
                         CasesOf({CoverageCases(), CaptureCases(), StreamCases(), MeshCases(), DerivativeCases(),
                                  FastMathCases(), PortabilityCases(), EnqueueCases()}),
                         kNameOfCase);

}  // namespace
}  // namespace assay::core
