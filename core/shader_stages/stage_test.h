// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_TEST_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_TEST_H_

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"
#include "vk/feature_info.h"

// Shaders in parts, and devices that have nearly all features for them.
namespace assay::core {

struct StageText {
  std::string model = "GLCompute";
  std::string capabilities = {};
  std::string interface = {};
  // Besides those that every shader of the model has.
  std::string modes = {};
  std::string decorations = {};
  std::string globals = {};
  std::string body = {};
};

inline std::string ModesOf(const std::string& model) {
  if (model == "GLCompute" || model == "TaskEXT") return "OpExecutionMode %main LocalSize 1 1 1\n";
  if (model == "Fragment") return "OpExecutionMode %main OriginUpperLeft\n";
  if (model == "MeshEXT" || model == "MeshNV") {
    return "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputTrianglesEXT\n"
           "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n";
  }
  if (model == "Geometry") {
    return "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
           "OpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3\n";
  }
  if (model == "TessellationControl") return "OpExecutionMode %main OutputVertices 3\n";
  if (model == "TessellationEvaluation") {
    return "OpExecutionMode %main Triangles\nOpExecutionMode %main SpacingEqual\n"
           "OpExecutionMode %main VertexOrderCcw\n";
  }
  return "";
}

inline std::string CapabilitiesOf(const std::string& model) {
  if (model == "MeshEXT" || model == "TaskEXT") {
    return "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n";
  }
  if (model == "MeshNV") return "OpCapability MeshShadingNV\nOpExtension \"SPV_NV_mesh_shader\"\n";
  if (model == "Geometry") return "OpCapability Geometry\n";
  if (model.starts_with("Tessellation")) return "OpCapability Tessellation\n";
  if (model.ends_with("KHR")) return "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n";
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
  return absl::StrCat(
      Preamble(absl::StrCat("OpCapability Shader\n", CapabilitiesOf(shader.model), shader.capabilities)),
      has_model ? "" : "OpMemoryModel Logical GLSL450", "\nOpEntryPoint ", shader.model, " %main \"main\" ",
      shader.interface, "\n", has_modes ? "" : ModesOf(shader.model), shader.modes, "\n", shader.decorations, R"(
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
    %v4uint = OpTypeVector %uint 4
    %u0 = OpConstant %uint 0
    %u1 = OpConstant %uint 1
    %u2 = OpConstant %uint 2
    %u3 = OpConstant %uint 3
    %u4 = OpConstant %uint 4
    %u5 = OpConstant %uint 5
    %f0 = OpConstant %float 0
    %f1 = OpConstant %float 1
  )",
      shader.globals, "\n%main = OpFunction %void None %function\n%entry = OpLabel\n", shader.body, EndOf(shader),
      "OpFunctionEnd\n");
}

// The features of structures, as VkDeviceCreateInfo's chain.
class FeatureStructs {
 public:
  void* Add(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      uint32_t size = 0;
      VkStructureType type = VK_STRUCTURE_TYPE_MAX_ENUM;
      for (const vk::FeatureInfo& feature : vk::Features()) {
        if (feature.struct_name != name) continue;
        size = std::max(size, feature.offset + 8);
        type = feature.structure_type;
      }
      EXPECT_NE(size, 0u) << name;
      structs_.push_back(std::make_unique<uint64_t[]>(size / sizeof(uint64_t) + 2));
      auto* base = reinterpret_cast<VkBaseOutStructure*>(structs_.back().get());
      *base = {type, static_cast<VkBaseOutStructure*>(first_)};
      first_ = base;
    }
    return first_;
  }

 private:
  std::vector<std::unique_ptr<uint64_t[]>> structs_;
  void* first_ = nullptr;
};

class StageTest : public test::ValidationTest {
 protected:
  void SetUp() override {}

  // Every feature of the structures that the driver's configuration does not disable.
  void MakeDevice() {
    test::DeviceOptions options = {
        .device_extensions = extensions, .settings = settings, .features = features_.Add(feature_structs)};
    CreateInstance(options);
    VkPhysicalDeviceFeatures2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, options.features, {}};
    vk.GetPhysicalDeviceFeatures2(physical_device, &all);
    CreateDevice(options);
  }

  static VkShaderStageFlagBits StageOf(const std::string& model) {
    static const std::map<std::string, VkShaderStageFlagBits> kStages = {
        {"Vertex", VK_SHADER_STAGE_VERTEX_BIT},
        {"TessellationControl", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
        {"TessellationEvaluation", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
        {"Geometry", VK_SHADER_STAGE_GEOMETRY_BIT},
        {"Fragment", VK_SHADER_STAGE_FRAGMENT_BIT},
        {"GLCompute", VK_SHADER_STAGE_COMPUTE_BIT},
        {"TaskEXT", VK_SHADER_STAGE_TASK_BIT_EXT},
        {"MeshEXT", VK_SHADER_STAGE_MESH_BIT_EXT},
        {"MeshNV", VK_SHADER_STAGE_MESH_BIT_EXT},
        {"RayGenerationKHR", VK_SHADER_STAGE_RAYGEN_BIT_KHR},
        {"IntersectionKHR", VK_SHADER_STAGE_INTERSECTION_BIT_KHR}};
    return kStages.at(model);
  }

  VkPipelineShaderStageCreateInfo Stage(const std::string& model, VkShaderModule module) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = StageOf(model),
            .module = module,
            .pName = "main"};
  }
  void MakeCompute(const VkPipelineShaderStageCreateInfo& stage, VkPipelineCreateFlags flags = 0) {
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .flags = flags, .stage = stage, .layout = Layout()};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  void MakeRayTracing(const VkPipelineShaderStageCreateInfo& stage, VkPipelineCreateFlags flags = 0) {
    const VkRayTracingShaderGroupCreateInfoKHR group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .generalShader = 0,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    // An intersection shader is for a group of its own, which a library need not have.
    const bool is_general = stage.stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR;
    const VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
        .maxPipelineRayPayloadSize = 16,
        .maxPipelineRayHitAttributeSize = 8};
    const VkRayTracingPipelineCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .flags = flags | (is_general ? 0 : VkPipelineCreateFlags{VK_PIPELINE_CREATE_LIBRARY_BIT_KHR}),
        .stageCount = 1,
        .pStages = &stage,
        .groupCount = is_general ? 1u : 0u,
        .pGroups = &group,
        .pLibraryInterface = is_general ? nullptr : &interface,
        .layout = Layout()};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  static VkShaderCreateInfoEXT Object(const std::string& model, const std::vector<uint32_t>& words) {
    return {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
            .stage = StageOf(model),
            .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
            .codeSize = words.size() * sizeof(uint32_t),
            .pCode = words.data(),
            .pName = "main"};
  }
  // With a layout that has what the shaders here use.
  void MakeObjects(std::vector<VkShaderCreateInfoEXT> infos) {
    if (set_layout_ == VK_NULL_HANDLE) Layout();
    for (VkShaderCreateInfoEXT& info : infos) {
      info.setLayoutCount = 1;
      info.pSetLayouts = &set_layout_;
      if (info.pPushConstantRanges != nullptr) continue;
      info.pushConstantRangeCount = 1;
      info.pPushConstantRanges = &push_constants_;
    }
    std::vector<VkShaderEXT> shaders(infos.size());
    vk.CreateShadersEXT(device, static_cast<uint32_t>(infos.size()), infos.data(), nullptr, shaders.data());
    for (VkShaderEXT shader : shaders) vk.DestroyShaderEXT(device, shader, nullptr);
  }
  // A pipeline or a shader object of the stage. The flags are those of a pipeline.
  void Make(const std::string& model, const std::string& text, VkPipelineCreateFlags flags = 0) {
    const std::vector<uint32_t> words = test::AssembleSpirv(text);
    if (model == "GLCompute") {
      MakeCompute(Stage(model, MakeShader(words)), flags);
    } else if (model.ends_with("KHR")) {
      MakeRayTracing(Stage(model, MakeShader(words)), flags);
    } else {
      MakeObjects({Object(model, words)});
    }
  }

  // Set 0: a storage buffer, a storage image, a combined image sampler, an acceleration structure, an input attachment,
  // a uniform buffer, an array of two input attachments.
  VkPipelineLayout Layout() {
    if (layout_ != VK_NULL_HANDLE) return layout_;
    set_layout_ = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                 {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                                 {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                 {3, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR},
                                 {4, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, VK_SHADER_STAGE_FRAGMENT_BIT},
                                 {5, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                                 {6, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 2, VK_SHADER_STAGE_FRAGMENT_BIT}});
    return layout_ = MakePipelineLayout({set_layout_}, 16);
  }

  std::vector<const char*> extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                         VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                         VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                         VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                         VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                                         VK_KHR_RAY_QUERY_EXTENSION_NAME,
                                         VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                         VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
                                         VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
                                         VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME,
                                         VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME,
                                         VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_8_EXTENSION_NAME,
                                         VK_AMD_SHADER_EARLY_AND_LATE_FRAGMENT_TESTS_EXTENSION_NAME,
                                         VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME,
                                         VK_NV_RAY_TRACING_MOTION_BLUR_EXTENSION_NAME,
                                         VK_NV_RAY_TRACING_INVOCATION_REORDER_EXTENSION_NAME,
                                         VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME};
  // Of the layer.
  std::vector<std::pair<std::string, bool>> settings = {};
  std::vector<std::string> feature_structs = {"VkPhysicalDeviceShaderObjectFeaturesEXT",
                                              "VkPhysicalDeviceMeshShaderFeaturesEXT",
                                              "VkPhysicalDeviceAccelerationStructureFeaturesKHR",
                                              "VkPhysicalDeviceRayTracingPipelineFeaturesKHR",
                                              "VkPhysicalDeviceRayQueryFeaturesKHR",
                                              "VkPhysicalDeviceShaderClockFeaturesKHR",
                                              "VkPhysicalDeviceShaderAtomicFloatFeaturesEXT",
                                              "VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT",
                                              "VkPhysicalDeviceTransformFeedbackFeaturesEXT",
                                              "VkPhysicalDeviceMaintenance8FeaturesKHR",
                                              "VkPhysicalDeviceShaderEarlyAndLateFragmentTestsFeaturesAMD",
                                              "VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR",
                                              "VkPhysicalDeviceRayTracingMotionBlurFeaturesNV",
                                              "VkPhysicalDeviceRayTracingInvocationReorderFeaturesNV",
                                              "VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT"};

 private:
  FeatureStructs features_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPushConstantRange push_constants_ = {VK_SHADER_STAGE_ALL, 0, 16};
};

// A shader that breaks a rule, on the device that the case makes. It is correct on a device that has everything, with
// `from` replaced by `to` if there is something to replace.
struct StageCase {
  const char* id;
  StageText shader;
  std::string from = {};
  std::string to = {};
  std::vector<const char*> disabled = {};
  std::function<void(test::MockConfig&)> configure = {};
  // What else is reported, since one thing breaks several rules.
  std::vector<std::string> also = {};
  // Of both devices, besides those that every test has.
  std::vector<const char*> extensions = {};
  std::vector<std::string> feature_structs = {};
  std::function<void(test::MockConfig&)> always = {};
  // Of both pipelines.
  VkPipelineCreateFlags flags = 0;
};

inline void PrintTo(const StageCase& row, std::ostream* out) { *out << row.id; }

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_TEST_H_
