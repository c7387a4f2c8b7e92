// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_TEXT_TEST_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_TEXT_TEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

// Shaders in parts.
namespace assay::core {

// A variable outside of functions, which the entry point lists. NAME_pointer is its type.
struct StageVariable {
  std::string name;
  std::string storage;
  // What it points to.
  std::string type;
  // Without the name, and with a comma between them: "Location 0, Flat".
  std::string decorations = {};
  // The id of a constant, if any.
  std::string initializer = {};
};

struct StageText {
  std::string model = "GLCompute";
  std::string capabilities = {};
  // After the variables below.
  std::string interface = {};
  // Behind the globals.
  std::vector<StageVariable> variables = {};
  // Besides those that every shader of the model has.
  std::string modes = {};
  std::string decorations = {};
  std::string globals = {};
  std::string body = {};
};

// A line for each of the items, which have a comma between them.
inline std::string Lines(std::string_view beginning, std::string_view items, std::string_view end = "") {
  std::string text;
  for (std::string_view item : absl::StrSplit(items, ", ", absl::SkipEmpty())) {
    absl::StrAppend(&text, beginning, item, end, "\n");
  }
  return text;
}
inline std::string Extensions(std::string_view names) { return Lines("OpExtension \"", names, "\""); }
inline std::string Capabilities(std::string_view names, std::string_view extensions = "") {
  return Lines("OpCapability ", names) + Extensions(extensions);
}
// Execution modes of the entry point: "Triangles, Invocations 1".
inline std::string Modes(std::string_view modes) { return Lines("OpExecutionMode %main ", modes); }
inline std::string Decorate(std::string_view id, std::string_view decorations) {
  return Lines(absl::StrCat("OpDecorate ", id, " "), decorations);
}
// Of a member of a structure: "%block 0".
inline std::string DecorateMember(std::string_view member, std::string_view decorations) {
  return Lines(absl::StrCat("OpMemberDecorate ", member, " "), decorations);
}

// A block whose first member is at its beginning.
inline std::string DecorateBlock(const std::string& type) {
  return Decorate(type, "Block") + DecorateMember(type + " 0", "Offset 0");
}

// Memory models, which stand behind capabilities.
inline constexpr char kVulkanModel[] = "OpMemoryModel Logical Vulkan\n";
inline constexpr char kAddressModel[] = "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n";

inline std::string ModesOf(const std::string& model) {
  if (model == "GLCompute" || model == "TaskEXT") return Modes("LocalSize 1 1 1");
  if (model == "Fragment") return Modes("OriginUpperLeft");
  if (model == "MeshEXT" || model == "MeshNV") {
    return Modes("LocalSize 1 1 1, OutputTrianglesEXT, OutputVertices 3, OutputPrimitivesEXT 1");
  }
  if (model == "Geometry") return Modes("Triangles, Invocations 1, OutputTriangleStrip, OutputVertices 3");
  if (model == "TessellationControl") return Modes("OutputVertices 3");
  if (model == "TessellationEvaluation") return Modes("Triangles, SpacingEqual, VertexOrderCcw");
  return "";
}

inline std::string CapabilitiesOf(const std::string& model) {
  if (model == "MeshEXT" || model == "TaskEXT") return Capabilities("MeshShadingEXT", "SPV_EXT_mesh_shader");
  if (model == "MeshNV") return Capabilities("MeshShadingNV", "SPV_NV_mesh_shader");
  if (model == "Geometry") return Capabilities("Geometry");
  if (model.starts_with("Tessellation")) return Capabilities("Tessellation");
  if (model.ends_with("KHR")) return Capabilities("RayTracingKHR", "SPV_KHR_ray_tracing");
  return "";
}

// The lines of a preamble, capabilities first, as SPIR-V orders them.
inline std::string Preamble(std::string_view text) {
  std::string capabilities;
  std::string others;
  for (std::string_view line : absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    absl::StrAppend(line.find("OpCapability") != std::string_view::npos ? &capabilities : &others, line, "\n");
  }
  return capabilities + others;
}

// What ends the shader of a body. A task shader must emit tasks.
inline std::string EndOf(const StageText& shader) {
  if (shader.body.find("OpEmitMeshTasksEXT") != std::string::npos) return "";
  if (absl::StripTrailingAsciiWhitespace(shader.body).ends_with("OpReturn")) return "\n";
  return shader.model == "TaskEXT" ? "\nOpEmitMeshTasksEXT %u1 %u1 %u1\n" : "\nOpReturn\n";
}

inline std::string Text(const StageText& shader) {
  const bool has_model = shader.capabilities.find("OpMemoryModel") != std::string::npos;
  bool has_modes = false;
  for (const char* mode : {"LocalSize", "OutputVertices", "Isolines"}) {
    has_modes |= shader.modes.find(mode) != std::string::npos;
  }
  std::string interface, decorations, variables;
  for (const auto& [name, storage, type, decorated, initializer] : shader.variables) {
    absl::StrAppend(&interface, name, " ");
    absl::StrAppend(&decorations, Decorate(name, decorated));
    absl::StrAppend(&variables, name, "_pointer = OpTypePointer ", storage, " ", type, "\n", name, " = OpVariable ",
                    name, "_pointer ", storage, " ", initializer, "\n");
  }
  return absl::StrCat(
      Preamble(absl::StrCat("OpCapability Shader\n", CapabilitiesOf(shader.model), shader.capabilities)),
      has_model ? "" : "OpMemoryModel Logical GLSL450", "\nOpEntryPoint ", shader.model, " %main \"main\" ", interface,
      shader.interface, "\n", has_modes ? "" : ModesOf(shader.model), shader.modes, "\n", decorations,
      shader.decorations, R"(
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %bool = OpTypeBool
    %true = OpConstantTrue %bool
    %uint = OpTypeInt 32 0
    %int = OpTypeInt 32 1
    %float = OpTypeFloat 32
    %v2float = OpTypeVector %float 2
    %v3float = OpTypeVector %float 3
    %v4float = OpTypeVector %float 4
    %v2int = OpTypeVector %int 2
    %v2uint = OpTypeVector %uint 2
    %v3uint = OpTypeVector %uint 3
    %v4uint = OpTypeVector %uint 4
    %i0 = OpConstant %int 0
    %i1 = OpConstant %int 1
    %u0 = OpConstant %uint 0
    %u1 = OpConstant %uint 1
    %u2 = OpConstant %uint 2
    %u3 = OpConstant %uint 3
    %u4 = OpConstant %uint 4
    %u5 = OpConstant %uint 5
    %f0 = OpConstant %float 0
    %f1 = OpConstant %float 1
  )",
      shader.globals, "\n", variables, "\n%main = OpFunction %void None %function\n%entry = OpLabel\n", shader.body,
      EndOf(shader), "OpFunctionEnd\n");
}

// A vertex shader with four distances of each kind.
inline StageText Distances() {
  return {.model = "Vertex",
          .capabilities = Capabilities("ClipDistance, CullDistance"),
          .variables = {{"%clip", "Output", "%floats", "BuiltIn ClipDistance"},
                        {"%cull", "Output", "%floats", "BuiltIn CullDistance"}},
          .globals = "%floats = OpTypeArray %float %u4\n"};
}

// A fragment shader with a depth of its own.
inline StageText WithDepth() {
  return {.model = "Fragment",
          .variables = {{"%depth", "Output", "%float", "BuiltIn FragDepth"}},
          .modes = Modes("DepthReplacing")};
}

// The shader with a buffer at set 0, or push constants: one member of the type, which %member_pointer points to.
inline StageText WithBuffer(const std::string& type, StageText text, const std::string& storage = "StorageBuffer",
                            const std::string& bound = "DescriptorSet 0, Binding 0") {
  text.variables.push_back({"%buffer", storage, "%Block", bound});
  text.decorations += DecorateBlock("%Block");
  absl::StrAppend(&text.globals, "%Block = OpTypeStruct ", type, "\n%member_pointer = OpTypePointer ", storage, " ",
                  type, "\n");
  return text;
}

// A fragment shader that reads an input attachment of set 0.
inline StageText ReadingInput(const std::string& decorations, const std::string& place = "%i0 %i0") {
  return {.model = "Fragment",
          .capabilities = Capabilities("InputAttachment"),
          .variables = {{"%input", "UniformConstant", "%image", "DescriptorSet 0, " + decorations}},
          .globals = absl::StrCat("%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
                                  "%place = OpConstantComposite %v2int ",
                                  place, "\n"),
          .body = "%loaded = OpLoad %image %input\n%texel = OpImageRead %v4float %loaded %place\n"};
}

// The shader with an output that it stores to if an input is small.
inline StageText Branching(StageText shader, std::string_view store) {
  const bool is_fragment = shader.model == "Fragment";
  shader.variables.push_back({"%in", "Input", "%v4float", is_fragment ? "BuiltIn FragCoord" : "Location 0"});
  shader.body = absl::StrCat(
      "%place = OpLoad %v4float %in\n%x = OpCompositeExtract %float %place 0\n%is_small = OpFOrdLessThan %bool %x %f1\n"
      "OpSelectionMerge %after None\nOpBranchConditional %is_small %then %after\n%then = OpLabel\n",
      store, "OpBranch %after\n%after = OpLabel\n");
  return shader;
}

// A fragment shader with an instruction of VK_QCOM_image_processing on %of and other operands. %by is another texture.
inline StageText Processing(std::string_view capability, const std::string& decorations, std::string_view instruction,
                            std::string_view operands, const std::string& type_of_other = "%sampled") {
  return {.model = "Fragment",
          .capabilities = Capabilities(capability, "SPV_QCOM_image_processing, SPV_QCOM_image_processing2"),
          .variables = {{"%texture", "UniformConstant", "%sampled", "DescriptorSet 0, Binding 2"},
                        {"%other", "UniformConstant", type_of_other, "DescriptorSet 0, Binding 2"}},
          .decorations = decorations,
          .globals = R"(
            %half = OpConstant %float 0.5
            %place = OpConstantComposite %v2float %f0 %f0
            %box = OpConstantComposite %v2float %f1 %half
            %corner = OpConstantComposite %v2uint %u1 %u1
            %block = OpConstantComposite %v2uint %u4 %u4
            %image = OpTypeImage %float 2D 0 0 0 1 Unknown
            %sampled = OpTypeSampledImage %image
            %image3d = OpTypeImage %float 3D 0 0 0 1 Unknown
            %sampled3d = OpTypeSampledImage %image3d
          )",
          .body = absl::StrCat("%of = OpLoad %sampled %texture\n%by = OpLoad ", type_of_other,
                               " %other\n%texel = ", instruction, " %v4float %of ", operands, "\n")};
}
// Both textures are decorated.
inline std::string DecorateTextures(std::string_view decoration, std::string_view first = "%texture") {
  return Decorate(first, decoration) + Decorate("%other", decoration);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_TEXT_TEST_H_
