// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_TEST_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_TEST_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_text_test.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "testing/shaders.h"
#include "vk/struct_traits.h"

// Devices that have nearly all features for shaders in parts.
namespace assay::core {

using test::Typed;

// An id that a test has without "VUID-", and without the owner that most of its rules have. It may be empty.
inline std::string VuidOf(std::string_view owner, std::string_view id) {
  if (id.empty()) return "";
  return std::ranges::count(id, '-') > 1 ? absl::StrCat("VUID-", id) : absl::StrCat("VUID-", owner, "-", id);
}

// The name of a test with a row that has an id.
inline constexpr auto kNameOfCase = [](const auto& info) {
  return absl::StrCat(info.index, "_", absl::StrReplaceAll(info.param.Vuid(), {{"VUID-", ""}, {"-", "_"}}));
};

// Changes the driver.
using Change = std::function<void(test::MockConfig&)>;

// Sets members of limits or of a structure of properties, after what was set before.
template <class T>
Change With(std::function<void(T&)> change) {
  return [change = std::move(change)](test::MockConfig& config) {
    if constexpr (std::is_same_v<T, VkPhysicalDeviceLimits>) {
      change(config.limits);
    } else {
      config.adjust_properties = [change, before = config.adjust_properties](VkBaseOutStructure* properties) {
        if (before) before(properties);
        if (properties->sType == vk::kStructureTypeOf<T>) change(*reinterpret_cast<T*>(properties));
      };
    }
  };
}
template <class T, class V>
Change Set(V T::* member, std::type_identity_t<V> value) {
  return With<T>([=](T& properties) { properties.*member = value; });
}
template <class T, class V, size_t N>
Change Set(V (T::*member)[N], size_t i, std::type_identity_t<V> value) {
  return With<T>([=](T& properties) { (properties.*member)[i] = value; });
}
inline Change Disable(const char* feature) {
  return [=](test::MockConfig& config) { config.disabled_features.insert(feature); };
}

// Of capabilities that the device does not have.
inline constexpr char kModuleCapability[] = "VUID-VkShaderModuleCreateInfo-pCode-08740";
inline constexpr char kObjectCapability[] = "VUID-VkShaderCreateInfoEXT-pCode-08740";

// Shaders that do nothing.
inline const StageText kVertex = {.model = "Vertex"};
inline const StageText kControl = {.model = "TessellationControl"};
inline const StageText kEvaluation = {.model = "TessellationEvaluation"};
inline const StageText kFragment = {.model = "Fragment"};
inline const StageText kTask = {.model = "TaskEXT"};
inline const StageText kMesh = {.model = "MeshEXT"};

// A value for the constant 0 of 32 bits.
struct Specialization {
  explicit Specialization(uint32_t number) : value(number) {}
  Specialization(const Specialization&) = delete;
  uint32_t value;
  VkSpecializationMapEntry entry = {0, 0, sizeof(uint32_t)};
  VkSpecializationInfo info = {1, &entry, sizeof(uint32_t), &value};
};

class StageTest : public test::ValidationTest {
 protected:
  void SetUp() override { MakeDevice(); }

  // With every feature of the extensions that the driver's configuration does not disable, instead of the device
  // before.
  void MakeDevice() {
    Destroy();
    set_layout_ = VK_NULL_HANDLE;
    layout_ = VK_NULL_HANDLE;
    test::DeviceOptions options = features_.EnableOnly(extensions, driver().config().disabled_features);
    options.settings = settings;
    Create(options);
  }

  void MakeDeviceWith(const std::vector<const char*>& more_extensions) {
    extensions.insert(extensions.end(), more_extensions.begin(), more_extensions.end());
    MakeDevice();
  }
  void MakeDeviceWithout(const std::string& feature) {
    driver().config().disabled_features.insert(feature);
    MakeDevice();
  }
  // Expects one message, or none if the id is empty.
  void ExpectStage(std::string_view id, std::source_location where = std::source_location::current()) {
    ExpectAlone(VuidOf("VkPipelineShaderStageCreateInfo", id), where);
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

  // For a chain. The words must live as long as it.
  static VkShaderModuleCreateInfo ModuleInfo(const std::vector<uint32_t>& words, const void* next = nullptr) {
    return {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, next, 0, words.size() * sizeof(uint32_t), words.data()};
  }
  VkPipelineShaderStageCreateInfo Stage(const std::string& model, VkShaderModule module) {
    return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, StageOf(model), module, "main"};
  }
  void MakeCompute(const VkPipelineShaderStageCreateInfo& stage, VkPipelineCreateFlags flags = 0) {
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .flags = flags, .stage = stage, .layout = Layout()};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  // The same with a value for the constant 0.
  void MakeSpecialized(VkPipelineShaderStageCreateInfo stage, uint32_t value) {
    const Specialization of(value);
    stage.pSpecializationInfo = &of.info;
    MakeCompute(stage);
  }
  void MakeRayTracing(const VkPipelineShaderStageCreateInfo& stage, VkPipelineCreateFlags flags = 0) {
    constexpr uint32_t kNone = VK_SHADER_UNUSED_KHR;
    const auto group = test::Of<VkRayTracingShaderGroupCreateInfoKHR>(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 0u,
                                                                      kNone, kNone, kNone);
    // An intersection shader is for a group of its own, which a library need not have.
    const bool is_general = stage.stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR;
    const auto interface = Typed(VkRayTracingPipelineInterfaceCreateInfoKHR{.maxPipelineRayPayloadSize = 16,
                                                                            .maxPipelineRayHitAttributeSize = 8});
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

  // Expects one message, or none if the id is empty, of a pipeline or a shader object of this stage.
  void Expect(std::string_view id, const StageText& shader,
              std::source_location where = std::source_location::current()) {
    Make(shader.model, Text(shader));
    ExpectAlone(VuidOf("RuntimeSpirv", id), where);
  }

  // Set 0: an array of four storage buffers, a storage image, a combined image sampler, an acceleration structure, an
  // input attachment, a uniform buffer, an array of two input attachments.
  VkPipelineLayout Layout() {
    if (layout_ != VK_NULL_HANDLE) return layout_;
    set_layout_ = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4},
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

 private:
  test::ExtensionFeatures features_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPushConstantRange push_constants_ = {VK_SHADER_STAGE_ALL, 0, 16};
};

// All rows of the tables.
template <class Row>
std::vector<Row> Joined(std::initializer_list<std::vector<Row>> tables) {
  std::vector<Row> rows;
  for (const auto& table : tables) rows.insert(rows.end(), table.begin(), table.end());
  return rows;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_TEST_H_
