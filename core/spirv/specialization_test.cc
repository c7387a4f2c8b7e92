// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What specialization makes of modules, through the whole layer.

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// A compute shader with an array of a specialized length; it reads the element INDEX of a copy.
constexpr std::string_view kSpecialized = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main" %array
  OpExecutionMode %main LocalSize 1 1 1
  OpDecorate %length SpecId 0
  %void = OpTypeVoid
  %function = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %length = OpSpecConstant %uint DEFAULT
  %type = OpTypeArray %uint %length
  %pointer = OpTypePointer Private %type
  %array = OpVariable %pointer Private
  %main = OpFunction %void None %function
  %entry = OpLabel
  %copy = OpLoad %type %array
  %element = OpCompositeExtract %uint %copy INDEX
  OpReturn
  OpFunctionEnd
)";

class Specializations : public test::ValidationTest {
 protected:
  void SetUp() override {
    objects_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT;
    objects_.shaderObject = VK_TRUE;
    Create({.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}, .features = &objects_});
    layout_ = MakePipelineLayout({});
  }

  static std::vector<uint32_t> WordsOf(const char* length, const char* index) {
    return test::AssembleSpirv(absl::StrReplaceAll(kSpecialized, {{"DEFAULT", length}, {"INDEX", index}}));
  }
  void MakePipeline(VkShaderModule module, uint32_t length, const void* chain = nullptr) {
    const Info info(length);
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = chain,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &info.info},
        .layout = layout_};
    VkPipeline made = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline, nullptr, &made);
    vk.DestroyPipeline(device, made, nullptr);
  }
  void MakeObject(const std::vector<uint32_t>& words, uint32_t length) {
    const Info info(length);
    const VkShaderCreateInfoEXT object = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                          .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                          .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                          .codeSize = words.size() * sizeof(uint32_t),
                                          .pCode = words.data(),
                                          .pName = "main",
                                          .pSpecializationInfo = &info.info};
    VkShaderEXT shader = VK_NULL_HANDLE;
    vk.CreateShadersEXT(device, 1, &object, nullptr, &shader);
    vk.DestroyShaderEXT(device, shader, nullptr);
  }

 private:
  struct Info {
    explicit Info(uint32_t length) : value(length) {}
    uint32_t value;
    VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = sizeof(uint32_t)};
    VkSpecializationInfo info = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(uint32_t), .pData = &value};
  };
  VkPhysicalDeviceShaderObjectFeaturesEXT objects_ = {};
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

TEST_F(Specializations, OfStages) {
  const VkShaderModule module = MakeShader(WordsOf("4", "0"));
  MakePipeline(module, 4);
  MakePipeline(module, 2);
  ExpectNothing();
  // An array without elements; it is no better the second time.
  for (int i = 0; i < 2; ++i) {
    MakePipeline(module, 0);
    ExpectMessage("VUID-VkPipelineShaderStageCreateInfo-pSpecializationInfo-06849");
    ExpectNothing();
  }
}

TEST_F(Specializations, OfInlineModules) {
  const std::vector<uint32_t> words = WordsOf("4", "0");
  const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = words.size() * sizeof(uint32_t),
                                           .pCode = words.data()};
  MakePipeline(VK_NULL_HANDLE, 2, &module);
  ExpectNothing();
  MakePipeline(VK_NULL_HANDLE, 0, &module);
  ExpectMessage("VUID-VkPipelineShaderStageCreateInfo-pSpecializationInfo-06849");
}

TEST_F(Specializations, OfShaderObjects) {
  const std::vector<uint32_t> words = WordsOf("4", "0");
  MakeObject(words, 2);
  ExpectNothing();
  MakeObject(words, 0);
  ExpectMessage("VUID-VkShaderCreateInfoEXT-pCode-08460");
  ExpectNothing();
}

TEST_F(Specializations, MayLeaveABranchOut) {
  MakePipeline(MakeShader(WordsOf("4", "3")), 2);
  ExpectNothing();
}

TEST_F(Specializations, OfInvalidModulesAreNotJudged) {
  std::vector<uint32_t> words = test::AssembleSpirv(absl::StrReplaceAll(
      kSpecialized, {{"DEFAULT", "4"}, {"INDEX", "0"}, {"CompositeExtract %uint", "CompositeExtract %void"}}));
  MakeObject(words, 0);
  ExpectMessage("VUID-VkShaderCreateInfoEXT-pCode-08737");
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
