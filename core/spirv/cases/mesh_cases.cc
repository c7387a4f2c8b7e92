// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// The model with a space, so that the capabilities here are all that the text has: those that it adds to a mesh shader
// end with an extension.
const char* const kModel = "MeshEXT ";

// A mesh shader with an output, indices, an array of its workgroup and ViewIndex.
StageText Mesh(const std::string& body) {
  return {.model = kModel,
          .capabilities =
              "OpCapability MeshShadingEXT\nOpCapability MultiView\n"
              "OpExtension \"SPV_EXT_mesh_shader\"\n",
          .interface = "%colors %indices %view %shared",
          .modes =
              "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputTrianglesEXT\n"
              "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 2\n",
          .decorations =
              "OpDecorate %colors Location 0\nOpDecorate %indices BuiltIn PrimitiveTriangleIndicesEXT\n"
              "OpDecorate %view BuiltIn ViewIndex\n",
          .globals = R"(
            %v3uint = OpTypeVector %uint 3
            %color_array = OpTypeArray %float %u3
            %index_array = OpTypeArray %v3uint %u2
            %shared_array = OpTypeArray %uint %u4
            %color_array_pointer = OpTypePointer Output %color_array
            %color_pointer = OpTypePointer Output %float
            %index_array_pointer = OpTypePointer Output %index_array
            %index_pointer = OpTypePointer Output %v3uint
            %shared_array_pointer = OpTypePointer Workgroup %shared_array
            %shared_pointer = OpTypePointer Workgroup %uint
            %view_pointer = OpTypePointer Input %uint
            %local_pointer = OpTypePointer Function %uint
            %local_color_pointer = OpTypePointer Function %float
            %colors = OpVariable %color_array_pointer Output
            %indices = OpVariable %index_array_pointer Output
            %shared = OpVariable %shared_array_pointer Workgroup
            %view = OpVariable %view_pointer Input
          )",
          .body = body};
}

std::vector<SpirvCase> OutputCases() {
  const std::string set = "OpSetMeshOutputsEXT %u3 %u1\n";
  const std::string color = "%color = OpAccessChain %color_pointer %colors %u0\n";
  const std::string write = "OpStore %color %f1\n";
  // In one of two branches only, nothing is set before.
  const std::string branches =
      "OpSelectionMerge %merge None\nOpBranchConditional %true %left %right\n%left = OpLabel\n" + set +
      "OpBranch %merge\n%right = OpLabel\n" + color + write + "OpBranch %merge\n%merge = OpLabel\n";
  const std::string call = "%call = OpFunctionCall %void %setter\n";
  const std::string setter =
      "OpReturn\nOpFunctionEnd\n%setter = OpFunction %void None %function\n%setter_entry = OpLabel\n" + set;
  const std::string copy =
      "%local = OpVariable %local_color_pointer Function\n" + set + color + "OpCopyMemory %local %color\n";
  return {
      {"StandaloneSpirv-MeshEXT-07106", Mesh(color + write + call + setter), write + call, call + write},
      {"StandaloneSpirv-MeshEXT-07107", Mesh(copy), "%local %color", "%color %local"},
      {"StandaloneSpirv-MeshEXT-07106", Mesh(color + write + set), color + write + set, color + set + write},
      {"StandaloneSpirv-MeshEXT-07106", Mesh(branches), color + write, color},
      {"StandaloneSpirv-MeshEXT-07107", Mesh(set + color + "%1 = OpLoad %float %color\n"), "%1 = OpLoad %float %color",
       "OpStore %color %f0"},
  };
}

std::vector<SpirvCase> ViewIndexCases() {
  const std::string load = "%index = OpLoad %uint %view\n%number = OpIAdd %uint %index %u1\n";
  const std::string set = "OpSetMeshOutputsEXT %u3 %u1\n";
  const std::string local = "%local = OpVariable %local_pointer Function\n" + load +
                            "OpStore %local %number\n%again = OpLoad %uint %local\nOpSetMeshOutputsEXT %again %u1\n";
  const std::string triangle =
      "%triangle = OpAccessChain %index_pointer %indices %u0\n"
      "%corners = OpCompositeConstruct %v3uint %u0 %u1 %number\nOpStore %triangle %corners\n";
  return {
      {"StandaloneSpirv-MeshEXT-07108", Mesh(load + "OpSetMeshOutputsEXT %number %u1\n"), "EXT %number", "EXT %u3"},
      {"StandaloneSpirv-MeshEXT-07108", Mesh(local), "OpStore %local %number", "OpStore %local %u3"},
      {"StandaloneSpirv-MeshEXT-07109",
       Mesh(load + set + "%triangle = OpAccessChain %index_pointer %indices %number\n"), "%indices %number",
       "%indices %u1"},
      {"StandaloneSpirv-MeshEXT-07110", Mesh(load + set + triangle), "%u1 %number\n", "%u1 %u2\n"},
      {"StandaloneSpirv-MeshEXT-07111", Mesh(load + set + "%element = OpAccessChain %shared_pointer %shared %number\n"),
       "%shared %number", "%shared %u1"},
  };
}

}  // namespace

std::vector<SpirvCase> MeshCases() {
  std::vector<SpirvCase> cases = OutputCases();
  for (const SpirvCase& row : ViewIndexCases()) cases.push_back(row);
  return cases;
}

}  // namespace assay::core
