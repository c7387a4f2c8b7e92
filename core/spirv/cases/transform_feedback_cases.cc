// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// How an output is captured.
std::string Capture(const std::string& variable, int buffer, int stride, int offset) {
  const auto decorate = [&](const std::string& decoration, int value) {
    return "OpDecorate " + variable + " " + decoration + " " + std::to_string(value) + "\n";
  };
  return decorate("XfbBuffer", buffer) + decorate("XfbStride", stride) + decorate("Offset", offset);
}

// A vertex shader with two outputs, of the type and of float.
StageText Outputs(const std::string& type, const std::string& decorations, const std::string& types = "") {
  return {.model = "Vertex",
          .capabilities =
              "OpCapability TransformFeedback\nOpCapability Float64\nOpCapability Float16\n"
              "OpCapability StorageInputOutput16\nOpExtension \"SPV_KHR_16bit_storage\"\n",
          .interface = "%first %second",
          .modes = "OpExecutionMode %main Xfb\n",
          .decorations = "OpDecorate %first Location 0\nOpDecorate %second Location 4\n" + decorations,
          .globals = types + "%first_pointer = OpTypePointer Output " + type +
                     "\n%second_pointer = OpTypePointer Output %float\n%first = OpVariable %first_pointer Output\n"
                     "%second = OpVariable %second_pointer Output\n"};
}

// The same with a block whose members are floats and doubles.
StageText Block(const std::string& members, const std::string& decorations) {
  return Outputs("%block",
                 "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 1\n"
                 "OpMemberDecorate %block 1 Location 2\n" +
                     decorations,
                 "%double = OpTypeFloat 64\n%block = OpTypeStruct " + members + "\n");
}

std::vector<SpirvCase> OffsetCases() {
  const std::string doubles = "%double = OpTypeFloat 64\n";
  const std::string halves = "%half = OpTypeFloat 16\n";
  const std::string no_buffer = "OpDecorate %first Offset 0\nOpDecorate %first XfbStride 16\n";
  StageText first_member = Block("%float %double",
                                 "OpDecorate %first XfbBuffer 0\nOpDecorate %first XfbStride 32\n"
                                 "OpMemberDecorate %block 0 Offset 4\nOpMemberDecorate %block 1 Offset 16\n");
  first_member.decorations.erase(first_member.decorations.find("OpDecorate %first Location 0\n"), 29);
  return {
      {"StandaloneSpirv-Offset-04687", Outputs("%double", Capture("%first", 0, 32, 4), doubles), "Offset 4",
       "Offset 8"},
      {"StandaloneSpirv-Offset-04690", first_member, "Offset 4", "Offset 8"},
      {"StandaloneSpirv-Offset-04691", Outputs("%float", Capture("%first", 0, 32, 2)), "Offset 2", "Offset 4"},
      {"StandaloneSpirv-Offset-04692", Outputs("%half", Capture("%first", 0, 32, 0), halves), "Output %half",
       "Output %float"},
      {"StandaloneSpirv-Offset-04716", Outputs("%float", no_buffer), "OpDecorate %first Offset 0",
       "OpDecorate %first Offset 0\nOpDecorate %first XfbBuffer 0"},
  };
}

std::vector<SpirvCase> BufferCases() {
  StageText blocks = Block("%float %float",
                           "OpDecorate %first XfbStride 32\nOpMemberDecorate %block 0 XfbBuffer 0\n"
                           "OpMemberDecorate %block 1 XfbBuffer 1\nOpMemberDecorate %block 0 Offset 0\n"
                           "OpMemberDecorate %block 1 Offset 4\n");
  blocks.decorations.erase(blocks.decorations.find("OpDecorate %first Location 0\n"), 29);
  StageText streams = Outputs("%float", Capture("%first", 0, 32, 0) + Capture("%second", 0, 32, 4) +
                                            "OpDecorate %first Stream 1\nOpDecorate %second Stream 0\n");
  streams.model = "Geometry";
  streams.modes =
      "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
      "OpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices 3\n"
      "OpExecutionMode %main Xfb\n";
  streams.capabilities = "OpCapability TransformFeedback\nOpCapability GeometryStreams\n";
  return {
      {"StandaloneSpirv-XfbBuffer-04693", Outputs("%float", Capture("%first", 0, 32, 0) + Capture("%second", 0, 16, 4)),
       "XfbStride 16", "XfbStride 32"},
      {"StandaloneSpirv-Stream-04694", streams, "%second Stream 0", "%second Stream 1"},
      {"StandaloneSpirv-XfbBuffer-04696",
       Outputs("%v4float", Capture("%first", 0, 32, 0) + Capture("%second", 0, 32, 12)), "Offset 12", "Offset 16"},
      {"StandaloneSpirv-XfbBuffer-04697", blocks, "%block 1 XfbBuffer 1", "%block 1 XfbBuffer 0"},
  };
}

}  // namespace

std::vector<SpirvCase> TransformFeedbackCases() {
  std::vector<SpirvCase> cases = OffsetCases();
  for (const SpirvCase& row : BufferCases()) cases.push_back(row);
  return cases;
}

}  // namespace assay::core
