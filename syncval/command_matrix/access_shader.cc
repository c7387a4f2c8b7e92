// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/command_matrix/access_shader.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::syncval::command_matrix {
namespace {

// What SPIR-V requires of an entry point of the stage.
struct Model {
  std::string_view name;
  std::string_view capabilities;
  std::string_view extension;
  std::string_view modes;
  // The last instruction of main.
  std::string_view end = "OpReturn\n";
};

Model ModelOf(VkShaderStageFlagBits stage) {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
      return {"Vertex"};
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return {"TessellationControl", "OpCapability Tessellation\n", "", "OpExecutionMode %main OutputVertices 3\n"};
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return {"TessellationEvaluation", "OpCapability Tessellation\n", "",
              "OpExecutionMode %main Triangles\n"
              "OpExecutionMode %main SpacingEqual\n"
              "OpExecutionMode %main VertexOrderCcw\n"};
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return {"Geometry", "OpCapability Geometry\n", "",
              "OpExecutionMode %main Triangles\n"
              "OpExecutionMode %main Invocations 1\n"
              "OpExecutionMode %main OutputTriangleStrip\n"
              "OpExecutionMode %main OutputVertices 3\n"};
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return {"Fragment", "", "", "OpExecutionMode %main OriginUpperLeft\n"};
    case VK_SHADER_STAGE_COMPUTE_BIT:
      return {"GLCompute", "", "", "OpExecutionMode %main LocalSize 1 1 1\n"};
    case VK_SHADER_STAGE_TASK_BIT_EXT:
      return {"TaskEXT", "OpCapability MeshShadingEXT\n", "OpExtension \"SPV_EXT_mesh_shader\"\n",
              "OpExecutionMode %main LocalSize 1 1 1\n", "OpEmitMeshTasksEXT %one %one %one\n"};
    case VK_SHADER_STAGE_MESH_BIT_EXT:
      return {"MeshEXT", "OpCapability MeshShadingEXT\n", "OpExtension \"SPV_EXT_mesh_shader\"\n",
              "OpExecutionMode %main LocalSize 1 1 1\n"
              "OpExecutionMode %main OutputVertices 3\n"
              "OpExecutionMode %main OutputPrimitivesEXT 1\n"
              "OpExecutionMode %main OutputTrianglesEXT\n"};
    case VK_SHADER_STAGE_RAYGEN_BIT_KHR:
      return {"RayGenerationKHR", "OpCapability RayTracingKHR\n", "OpExtension \"SPV_KHR_ray_tracing\"\n"};
    default:
      ADD_FAILURE() << "no such stage: " << stage;
      return {};
  }
}

std::vector<uint32_t> Assemble(const Model& model, const DescriptorAccess& access, std::string_view modes = "") {
  const bool has_target = !access.declaration.empty();
  return test::AssembleSpirv(absl::StrCat(
      "OpCapability Shader\n", model.capabilities, access.capabilities, model.extension,
      "OpMemoryModel Logical GLSL450\n"
      "OpEntryPoint ",
      model.name, " %main \"main\"", has_target ? " %target\n" : "\n", model.modes, modes,
      has_target ? "OpDecorate %target DescriptorSet 0\n"
                   "OpDecorate %target Binding 0\n"
                 : "",
      access.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT ? "OpDecorate %target InputAttachmentIndex 0\n" : "",
      "OpMemberDecorate %block 1 Offset 16\n"
      "OpDecorate %words ArrayStride 16\n"
      "OpDecorate %block Block\n"
      "OpMemberDecorate %block 0 Offset 0\n"
      "%void = OpTypeVoid\n"
      "%function = OpTypeFunction %void\n"
      "%uint = OpTypeInt 32 0\n"
      "%int = OpTypeInt 32 1\n"
      "%float = OpTypeFloat 32\n"
      "%vec3 = OpTypeVector %float 3\n"
      "%vec4 = OpTypeVector %float 4\n"
      "%ivec2 = OpTypeVector %int 2\n"
      "%zero = OpConstant %uint 0\n"
      "%one = OpConstant %uint 1\n"
      "%many = OpConstant %uint 4096\n"
      "%place = OpConstant %int 0\n"
      "%texel = OpConstantComposite %ivec2 %place %place\n"
      "%fzero = OpConstant %float 0\n"
      "%point = OpConstantComposite %vec3 %fzero %fzero %fzero\n"
      "%color = OpConstantComposite %vec4 %fzero %fzero %fzero %fzero\n"
      // As long as any buffer here: an access is cut to its block.
      "%words = OpTypeArray %uint %many\n"
      "%block = OpTypeStruct %uint %words\n",
      access.declaration,
      "%main = OpFunction %void None %function\n"
      "%entry = OpLabel\n",
      access.instructions, model.end, "OpFunctionEnd\n"));
}

constexpr std::string_view kUniform =
    "%block_pointer = OpTypePointer Uniform %block\n"
    "%member_pointer = OpTypePointer Uniform %uint\n"
    "%target = OpVariable %block_pointer Uniform\n";
constexpr std::string_view kStorage =
    "%block_pointer = OpTypePointer StorageBuffer %block\n"
    "%member_pointer = OpTypePointer StorageBuffer %uint\n"
    "%target = OpVariable %block_pointer StorageBuffer\n";
constexpr std::string_view kLoad =
    "%member = OpAccessChain %member_pointer %target %zero\n"
    "%value = OpLoad %uint %member\n";
constexpr std::string_view kStore =
    "%member = OpAccessChain %member_pointer %target %zero\n"
    "OpStore %member %zero\n";

constexpr std::string_view kUniformTexels =
    "%image = OpTypeImage %float Buffer 0 0 0 1 Unknown\n"
    "%pointer = OpTypePointer UniformConstant %image\n"
    "%target = OpVariable %pointer UniformConstant\n";
constexpr std::string_view kStorageTexels =
    "%image = OpTypeImage %float Buffer 0 0 0 2 R32f\n"
    "%pointer = OpTypePointer UniformConstant %image\n"
    "%target = OpVariable %pointer UniformConstant\n";
constexpr std::string_view kSampledImage =
    "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
    "%pointer = OpTypePointer UniformConstant %image\n"
    "%target = OpVariable %pointer UniformConstant\n";
constexpr std::string_view kStorageImage =
    "%image = OpTypeImage %float 2D 0 0 0 2 Rgba8\n"
    "%pointer = OpTypePointer UniformConstant %image\n"
    "%target = OpVariable %pointer UniformConstant\n";
constexpr std::string_view kInputAttachment =
    "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
    "%pointer = OpTypePointer UniformConstant %image\n"
    "%target = OpVariable %pointer UniformConstant\n";
constexpr std::string_view kFetchElement =
    "%loaded = OpLoad %image %target\n"
    "%value = OpImageFetch %vec4 %loaded %place\n";
constexpr std::string_view kReadElement =
    "%loaded = OpLoad %image %target\n"
    "%value = OpImageRead %vec4 %loaded %place\n";
constexpr std::string_view kWriteElement =
    "%loaded = OpLoad %image %target\n"
    "OpImageWrite %loaded %place %color\n";
constexpr std::string_view kFetchTexel =
    "%loaded = OpLoad %image %target\n"
    "%value = OpImageFetch %vec4 %loaded %texel\n";
constexpr std::string_view kReadTexel =
    "%loaded = OpLoad %image %target\n"
    "%value = OpImageRead %vec4 %loaded %texel\n";
constexpr std::string_view kWriteTexel =
    "%loaded = OpLoad %image %target\n"
    "OpImageWrite %loaded %texel %color\n";

constexpr std::string_view kStructure =
    "%structure = OpTypeAccelerationStructureKHR\n"
    "%pointer = OpTypePointer UniformConstant %structure\n"
    "%target = OpVariable %pointer UniformConstant\n"
    "%query = OpTypeRayQueryKHR\n"
    "%query_pointer = OpTypePointer Private %query\n"
    "%ray = OpVariable %query_pointer Private\n";
constexpr std::string_view kTraverse =
    "%loaded = OpLoad %structure %target\n"
    "OpRayQueryInitializeKHR %ray %loaded %zero %zero %point %fzero %point %fzero\n";

}  // namespace

const std::vector<ShaderStage>& ShaderStages() {
  static const auto* const stages = new std::vector<ShaderStage>{
      {"vertex", VK_SHADER_STAGE_VERTEX_BIT, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT},
      {"tessellation control", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
       VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT},
      {"tessellation evaluation", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
       VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT},
      {"geometry", VK_SHADER_STAGE_GEOMETRY_BIT, VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT},
      {"fragment", VK_SHADER_STAGE_FRAGMENT_BIT, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT},
      {"compute", VK_SHADER_STAGE_COMPUTE_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT},
      {"task", VK_SHADER_STAGE_TASK_BIT_EXT, VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT},
      {"mesh", VK_SHADER_STAGE_MESH_BIT_EXT, VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT},
      {"ray generation", VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR},
  };
  return *stages;
}

const std::vector<DescriptorAccess>& BufferDescriptorAccesses() {
  static const auto* const accesses = new std::vector<DescriptorAccess>{
      {"uniform buffer", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_ACCESS_2_UNIFORM_READ_BIT, kUniform, kLoad},
      {"storage buffer, read", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, kStorage, kLoad},
      {"storage buffer, written", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, kStorage,
       kStore},
      {"uniform texel buffer", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
       kUniformTexels, kFetchElement, "OpCapability SampledBuffer\n"},
      {"storage texel buffer, read", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
       kStorageTexels, kReadElement, "OpCapability ImageBuffer\n"},
      {"storage texel buffer, written", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
       kStorageTexels, kWriteElement, "OpCapability ImageBuffer\n"},
      {"acceleration structure", VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
       VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR, kStructure, kTraverse,
       "OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"\n"},
  };
  return *accesses;
}

const std::vector<DescriptorAccess>& ImageDescriptorAccesses() {
  static const auto* const accesses = new std::vector<DescriptorAccess>{
      {"sampled image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, kSampledImage,
       kFetchTexel},
      {"storage image, read", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, kStorageImage,
       kReadTexel},
      {"storage image, written", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, kStorageImage,
       kWriteTexel},
      {"input attachment", VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, kInputAttachment,
       kReadTexel, "OpCapability InputAttachment\n", VK_SHADER_STAGE_FRAGMENT_BIT},
  };
  return *accesses;
}

std::vector<uint32_t> AccessShader(VkShaderStageFlagBits stage, const DescriptorAccess& access) {
  return Assemble(ModelOf(stage), access);
}

std::vector<uint32_t> EmptyShader(VkShaderStageFlagBits stage) { return Assemble(ModelOf(stage), {}); }

std::vector<uint32_t> EarlyTestsShader() {
  return Assemble(ModelOf(VK_SHADER_STAGE_FRAGMENT_BIT), {}, "OpExecutionMode %main EarlyFragmentTests\n");
}

}  // namespace assay::syncval::command_matrix
