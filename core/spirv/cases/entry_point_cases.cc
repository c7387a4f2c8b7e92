// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A block in push constants for each of these names.
std::string PushConstants(const std::vector<std::string>& names) {
  std::string text = "%block = OpTypeStruct %uint\n%pointer = OpTypePointer PushConstant %block\n";
  for (const std::string& name : names) text += name + " = OpVariable %pointer PushConstant\n";
  return text;
}
const char* const kPushConstantLayout = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n";

// A function behind main(), which ends with what the text of a shader ends with.
std::string Another(const std::string& head, const std::string& body = "") {
  return "OpReturn\nOpFunctionEnd\n%other = " + head + "\n%other_entry = OpLabel\n" + body;
}

std::vector<SpirvCase> MeshLimitCases() {
  const std::string modes =
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputTrianglesEXT\n"
      "OpExecutionMode %main OutputVertices 0\nOpExecutionMode %main OutputPrimitivesEXT 1\n";
  const std::string primitives =
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputTrianglesEXT\n"
      "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 0\n";
  return {
      {"StandaloneSpirv-MeshEXT-07330", {.model = "MeshEXT", .modes = modes}, "OutputVertices 0", "OutputVertices 1"},
      {"StandaloneSpirv-MeshEXT-07331",
       {.model = "MeshEXT", .modes = primitives},
       "OutputPrimitivesEXT 0",
       "OutputPrimitivesEXT 1"}};
}

std::vector<SpirvCase> FunctionCases() {
  const StageText parameter = {
      .interface = "\nOpEntryPoint GLCompute %other \"other\"",
      .modes = "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %other LocalSize 1 1 1\n",
      .globals = "%takes = OpTypeFunction %void %uint\n",
      .body = Another("OpFunction %void None %takes\n%parameter = OpFunctionParameter %uint")};
  const StageText cycle = {.body =
                               "%call = OpFunctionCall %void %other\n" +
                               Another("OpFunction %void None %function", "%again = OpFunctionCall %void %other\n")};
  return {{"StandaloneSpirv-None-04633", parameter, "None %takes\n%parameter = OpFunctionParameter %uint",
           "None %function"},
          {"StandaloneSpirv-None-04634", cycle, "%again = OpFunctionCall %void %other\n", ""}};
}

std::vector<SpirvCase> ModeCases() {
  const StageText origin = {.interface = "\nOpEntryPoint Fragment %other \"other\"",
                            .modes = "OpExecutionMode %other OriginLowerLeft\n",
                            .body = Another("OpFunction %void None %function")};
  const StageText centers = {.model = "Fragment", .modes = "OpExecutionMode %main PixelCenterInteger\n"};
  const StageText size = {.model = "Vertex",
                          .interface = "\nOpEntryPoint GLCompute %other \"other\"",
                          .modes = "; no mode\n",
                          .body = Another("OpFunction %void None %function")};
  return {{"StandaloneSpirv-OriginLowerLeft-04653", origin, "OriginLowerLeft", "OriginUpperLeft"},
          {"StandaloneSpirv-PixelCenterInteger-04654", centers, "OpExecutionMode %main PixelCenterInteger", ""},
          {"StandaloneSpirv-LocalSize-06426", size, "; no mode", "OpExecutionMode %other LocalSize 1 1 1"}};
}

}  // namespace

std::vector<SpirvCase> EntryPointCases() {
  std::vector<SpirvCase> cases = FunctionCases();
  for (const SpirvCase& row : ModeCases()) cases.push_back(row);
  for (const SpirvCase& row : MeshLimitCases()) cases.push_back(row);

  const StageText listed = {.interface = "%first %second",
                            .decorations = kPushConstantLayout,
                            .globals = PushConstants({"%first", "%second"})};
  cases.push_back({"StandaloneSpirv-OpVariable-06673", listed, "%first %second", "%first"});
  const StageText used = {.decorations = kPushConstantLayout,
                          .globals = PushConstants({"%first", "%second"}),
                          .body = "%1 = OpLoad %block %first\n%2 = OpLoad %block %second\n"};
  // Before SPIR-V 1.4, interfaces do not list push constants.
  cases.push_back({"StandaloneSpirv-OpEntryPoint-06674", used, "%block %second", "%block %first", {}, 0, 0x00010300});

  const StageText both = {.model = "Vertex",
                          .capabilities =
                              "OpCapability MeshShadingEXT\nOpCapability MeshShadingNV\n"
                              "OpExtension \"SPV_EXT_mesh_shader\"\nOpExtension \"SPV_NV_mesh_shader\"\n",
                          .interface = "\nOpEntryPoint TaskNV %other \"other\"\nOpEntryPoint TaskEXT %third \"third\"",
                          .modes = "OpExecutionMode %other LocalSize 1 1 1\nOpExecutionMode %third LocalSize 1 1 1\n",
                          .body = Another("OpFunction %void None %function") +
                                  "OpReturn\nOpFunctionEnd\n%third = OpFunction %void None %function\n"
                                  "%third_entry = OpLabel\n"};
  cases.push_back({"StandaloneSpirv-MeshEXT-07102", both, "OpEntryPoint TaskNV", "OpEntryPoint TaskEXT"});
  return cases;
}

}  // namespace assay::core
