// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A function behind main(), which ends with what the text of a shader ends with.
std::string Another(const std::string& head, const std::string& body = "") {
  return "OpReturn\nOpFunctionEnd\n%other = " + head + "\n%other_entry = OpLabel\n" + body;
}

std::vector<SpirvCase> MeshLimitCases() {
  const std::string size = "LocalSize 1 1 1, OutputTrianglesEXT, ";
  const StageText vertices = {.model = "MeshEXT", .modes = Modes(size + "OutputVertices 0, OutputPrimitivesEXT 1")};
  const StageText primitives = {.model = "MeshEXT", .modes = Modes(size + "OutputVertices 3, OutputPrimitivesEXT 0")};
  return {{"MeshEXT-07330", vertices, "OutputVertices 0", "OutputVertices 1"},
          {"MeshEXT-07331", primitives, "OutputPrimitivesEXT 0", "OutputPrimitivesEXT 1"}};
}

std::vector<SpirvCase> FunctionCases() {
  const StageText parameter = {.interface = "\nOpEntryPoint GLCompute %other \"other\"",
                               .modes = Modes("LocalSize 1 1 1") + "OpExecutionMode %other LocalSize 1 1 1\n",
                               .globals = "%takes = OpTypeFunction %void %uint\n",
                               .body = Another("OpFunction %void None %takes\n%parameter = OpFunctionParameter %uint")};
  const StageText cycle = {.body =
                               "%call = OpFunctionCall %void %other\n" +
                               Another("OpFunction %void None %function", "%again = OpFunctionCall %void %other\n")};
  return {{"None-04633", parameter, "None %takes\n%parameter = OpFunctionParameter %uint", "None %function"},
          {"None-04634", cycle, "%again = OpFunctionCall %void %other\n", ""}};
}

std::vector<SpirvCase> ModeCases() {
  const StageText origin = {.interface = "\nOpEntryPoint Fragment %other \"other\"",
                            .modes = "OpExecutionMode %other OriginLowerLeft\n",
                            .body = Another("OpFunction %void None %function")};
  const StageText centers = {.model = "Fragment", .modes = Modes("PixelCenterInteger")};
  const StageText size = {.model = "Vertex",
                          .interface = "\nOpEntryPoint GLCompute %other \"other\"",
                          .modes = "; no mode\n",
                          .body = Another("OpFunction %void None %function")};
  return {{"OriginLowerLeft-04653", origin, "OriginLowerLeft", "OriginUpperLeft"},
          {"PixelCenterInteger-04654", centers, "OpExecutionMode %main PixelCenterInteger", ""},
          {"LocalSize-06426", size, "; no mode", "OpExecutionMode %other LocalSize 1 1 1"}};
}

// A compute shader of a certain size whose invocations are grouped for derivatives.
StageText Grouped(const std::string& owner, const std::string& grouping, const std::string& size) {
  return {.capabilities = Capabilities("ComputeDerivativeGroupQuadsKHR, ComputeDerivativeGroupLinearKHR",
                                       "SPV_" + owner + "_compute_shader_derivatives"),
          .modes = Modes(size + ", DerivativeGroup" + grouping + "KHR")};
}

std::vector<SpirvCase> WorkgroupCases() {
  // The size is in constants.
  StageText ids = Grouped("KHR", "Quads", "LocalSize 1 1 1");
  ids.modes = "OpExecutionModeId %main LocalSizeId %u2 %u3 %u1\n" + Modes("DerivativeGroupQuadsKHR");
  const StageText object = With(Grouped("KHR", "Linear", "LocalSize 4 1 1"),
                                {.decorations = "OpDecorate %size BuiltIn WorkgroupSize\n",
                                 .globals = "%size = OpConstantComposite %v3uint %u5 %u1 %u1\n"});
  return {{"DerivativeGroupQuadsNV-04684", Grouped("NV", "Quads", "LocalSize 4 3 1"), "4 3 1", "4 2 1"},
          {"DerivativeGroupLinearNV-04778", Grouped("NV", "Linear", "LocalSize 2 3 1"), "2 3 1", "2 3 2"},
          {"DerivativeGroupQuadsKHR-10151", Grouped("KHR", "Quads", "LocalSize 3 4 1"), "3 4 1", "2 4 1"},
          {"DerivativeGroupLinearKHR-10152", Grouped("KHR", "Linear", "LocalSize 3 3 1"), "3 3 1", "3 4 1"},
          {"DerivativeGroupQuadsKHR-10151", ids, "%u2 %u3", "%u2 %u2"},
          {"DerivativeGroupLinearKHR-10152", object, "%u5 %u1 %u1", "%u4 %u1 %u1"},
          // Specialization may change it.
          {"DerivativeGroupLinearKHR-10152", object, "%size = OpConstantComposite", "%size = OpSpecConstantComposite"}};
}

std::vector<SpirvCase> ListCases() {
  const StageText listed = {
      .interface = "%first %second",
      .decorations = DecorateBlock("%block"),
      .globals =
          "%block = OpTypeStruct %uint\n%pointer = OpTypePointer PushConstant %block\n"
          "%first = OpVariable %pointer PushConstant\n%second = OpVariable %pointer PushConstant\n"};
  StageText used = listed;
  used.interface = "";
  used.body = "%1 = OpLoad %block %first\n%2 = OpLoad %block %second\n";
  const StageText both = {
      .model = "Vertex",
      .capabilities = Capabilities("MeshShadingEXT, MeshShadingNV", "SPV_EXT_mesh_shader, SPV_NV_mesh_shader"),
      .interface = "\nOpEntryPoint TaskNV %other \"other\"\nOpEntryPoint TaskEXT %third \"third\"",
      .modes = "OpExecutionMode %other LocalSize 1 1 1\nOpExecutionMode %third LocalSize 1 1 1\n",
      .body = Another("OpFunction %void None %function") +
              "OpReturn\nOpFunctionEnd\n%third = OpFunction %void None %function\n%third_entry = OpLabel\n"};
  return {{"OpVariable-06673", listed, "%first %second", "%first"},
          // Before SPIR-V 1.4, interfaces do not list push constants.
          {"OpEntryPoint-06674", used, "%block %second", "%block %first", {}, 0, 0x00010300},
          {"MeshEXT-07102", both, "OpEntryPoint TaskNV", "OpEntryPoint TaskEXT"}};
}

}  // namespace

std::vector<SpirvCase> EntryPointCases() {
  return Joined({FunctionCases(), ModeCases(), MeshLimitCases(), WorkgroupCases(), ListCases()});
}

}  // namespace assay::core
