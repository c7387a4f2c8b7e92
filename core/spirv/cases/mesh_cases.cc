// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A mesh shader with an output, indices, an array of its workgroup and ViewIndex.
StageText Mesh(const std::string& body) {
  return {.model = "MeshEXT",
          .capabilities = Capabilities("MultiView"),
          .variables = {{"%colors", "Output", "%color_array", "Location 0"},
                        {"%indices", "Output", "%index_array", "BuiltIn PrimitiveTriangleIndicesEXT"},
                        {"%view", "Input", "%uint", "BuiltIn ViewIndex"},
                        {"%shared", "Workgroup", "%shared_array"}},
          .modes = Modes("LocalSize 1 1 1, OutputTrianglesEXT, OutputVertices 3, OutputPrimitivesEXT 2"),
          .globals = R"(
            %color_array = OpTypeArray %float %u3
            %index_array = OpTypeArray %v3uint %u2
            %shared_array = OpTypeArray %uint %u4
            %color_pointer = OpTypePointer Output %float
            %index_pointer = OpTypePointer Output %v3uint
            %word_pointer = OpTypePointer Workgroup %uint
            %local_pointer = OpTypePointer Function %uint
            %local_color_pointer = OpTypePointer Function %float
          )",
          .body = body};
}

const std::string kSet = "OpSetMeshOutputsEXT %u3 %u1\n";

std::vector<SpirvCase> OutputCases() {
  const std::string color = "%color = OpAccessChain %color_pointer %colors %u0\n";
  const std::string write = "OpStore %color %f1\n";
  // In one of two branches only, nothing is set before.
  const std::string branches =
      "OpSelectionMerge %merge None\nOpBranchConditional %true %left %right\n%left = OpLabel\n" + kSet +
      "OpBranch %merge\n%right = OpLabel\n" + color + write + "OpBranch %merge\n%merge = OpLabel\n";
  const std::string call = "%call = OpFunctionCall %void %setter\n";
  const std::string setter =
      "OpReturn\nOpFunctionEnd\n%setter = OpFunction %void None %function\n%setter_entry = OpLabel\n" + kSet;
  const std::string copy =
      "%local = OpVariable %local_color_pointer Function\n" + kSet + color + "OpCopyMemory %local %color\n";
  return {{"MeshEXT-07106", Mesh(color + write + call + setter), write + call, call + write},
          {"MeshEXT-07107", Mesh(copy), "%local %color", "%color %local"},
          {"MeshEXT-07106", Mesh(color + write + kSet), color + write + kSet, color + kSet + write},
          {"MeshEXT-07106", Mesh(branches), color + write, color},
          {"MeshEXT-07107", Mesh(kSet + color + "%1 = OpLoad %float %color\n"), "%1 = OpLoad %float %color",
           "OpStore %color %f0"}};
}

std::vector<SpirvCase> ViewIndexCases() {
  const std::string load = "%index = OpLoad %uint %view\n%number = OpIAdd %uint %index %u1\n";
  const std::string local = "%local = OpVariable %local_pointer Function\n" + load +
                            "OpStore %local %number\n%again = OpLoad %uint %local\nOpSetMeshOutputsEXT %again %u1\n";
  const std::string triangle =
      "%triangle = OpAccessChain %index_pointer %indices %u0\n"
      "%corners = OpCompositeConstruct %v3uint %u0 %u1 %number\nOpStore %triangle %corners\n";
  return {{"MeshEXT-07108", Mesh(load + "OpSetMeshOutputsEXT %number %u1\n"), "EXT %number", "EXT %u3"},
          {"MeshEXT-07108", Mesh(local), "OpStore %local %number", "OpStore %local %u3"},
          {"MeshEXT-07109", Mesh(load + kSet + "%triangle = OpAccessChain %index_pointer %indices %number\n"),
           "%indices %number", "%indices %u1"},
          {"MeshEXT-07110", Mesh(load + kSet + triangle), "%u1 %number\n", "%u1 %u2\n"},
          {"MeshEXT-07111", Mesh(load + kSet + "%element = OpAccessChain %word_pointer %shared %number\n"),
           "%shared %number", "%shared %u1"}};
}

}  // namespace

std::vector<SpirvCase> MeshCases() { return Joined({OutputCases(), ViewIndexCases()}); }

}  // namespace assay::core
