// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// How an output is captured.
std::string Capture(const std::string& variable, int buffer, int stride, int offset) {
  return Decorate(variable, absl::StrCat("XfbBuffer ", buffer, ", XfbStride ", stride, ", Offset ", offset));
}

// A vertex shader with two outputs, of the type and of float.
StageText Outputs(const std::string& type, const std::string& decorations, const std::string& types = "") {
  return {.model = "Vertex",
          .capabilities =
              Capabilities("TransformFeedback, Float64, Float16, StorageInputOutput16", "SPV_KHR_16bit_storage"),
          .variables = {{"%first", "Output", type, "Location 0"}, {"%second", "Output", "%float", "Location 4"}},
          .modes = Modes("Xfb"),
          .decorations = decorations,
          .globals = types};
}

// The same with a block whose two members are floats and doubles, and have locations and these decorations.
StageText Block(const std::string& members, const std::string& decorations, const std::string& first,
                const std::string& second) {
  StageText text = Outputs("%block",
                           Decorate("%block", "Block") + DecorateMember("%block 0", "Location 1, " + first) +
                               DecorateMember("%block 1", "Location 2, " + second),
                           "%double = OpTypeFloat 64\n%block = OpTypeStruct " + members + "\n");
  text.variables[0].decorations = decorations;
  return text;
}

std::vector<SpirvCase> OffsetCases() {
  const std::string doubles = "%double = OpTypeFloat 64\n";
  const std::string halves = "%half = OpTypeFloat 16\n";
  const std::string no_buffer = Decorate("%first", "Offset 0, XfbStride 16");
  const StageText first_member = Block("%float %double", "XfbBuffer 0, XfbStride 32", "Offset 4", "Offset 16");
  return {{"Offset-04687", Outputs("%double", Capture("%first", 0, 32, 4), doubles), "Offset 4", "Offset 8"},
          {"Offset-04690", first_member, "Offset 4", "Offset 8"},
          {"Offset-04691", Outputs("%float", Capture("%first", 0, 32, 2)), "Offset 2", "Offset 4"},
          {"Offset-04692", Outputs("%half", Capture("%first", 0, 32, 0), halves), "Output %half", "Output %float"},
          {"Offset-04716", Outputs("%float", no_buffer), "OpDecorate %first Offset 0",
           "OpDecorate %first Offset 0\nOpDecorate %first XfbBuffer 0"}};
}

std::vector<SpirvCase> BufferCases() {
  const StageText blocks = Block("%float %float", "XfbStride 32", "XfbBuffer 0, Offset 0", "XfbBuffer 1, Offset 4");
  StageText streams = Outputs("%float", Capture("%first", 0, 32, 0) + Capture("%second", 0, 32, 4) +
                                            Decorate("%first", "Stream 1") + Decorate("%second", "Stream 0"));
  streams.model = "Geometry";
  streams.modes = Modes("Triangles, Invocations 1, OutputPoints, OutputVertices 3, Xfb");
  streams.capabilities = Capabilities("TransformFeedback, GeometryStreams");
  return {{"XfbBuffer-04693", Outputs("%float", Capture("%first", 0, 32, 0) + Capture("%second", 0, 16, 4)),
           "XfbStride 16", "XfbStride 32"},
          {"Stream-04694", streams, "%second Stream 0", "%second Stream 1"},
          {"XfbBuffer-04696", Outputs("%v4float", Capture("%first", 0, 32, 0) + Capture("%second", 0, 32, 12)),
           "Offset 12", "Offset 16"},
          {"XfbBuffer-04697", blocks, "%block 1 XfbBuffer 1", "%block 1 XfbBuffer 0"}};
}

}  // namespace

std::vector<SpirvCase> TransformFeedbackCases() { return Joined({OffsetCases(), BufferCases()}); }

}  // namespace assay::core
