// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where SPIR-V is judged, in which environment, and what a message says. The rules themselves: cases/ and builtins/.

#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr std::string_view kValidity = "VUID-VkShaderModuleCreateInfo-pCode-08737";

// A compute shader; BODY and TYPES are replaced.
constexpr std::string_view kShader = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main" %data
  OpExecutionMode %main LocalSize 1 1 1
  %file = OpString "fill.comp"
  OpDecorate %block Block
  OpMemberDecorate %block 0 Offset 0
  OpMemberDecorate %block 1 Offset OFFSET
  OpDecorate %data DescriptorSet 0
  OpDecorate %data Binding 0
  %void = OpTypeVoid
  %function = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %v3float = OpTypeVector %float 3
  %one = OpConstant %uint SALT
  %block = OpTypeStruct %float %v3float
  %pointer = OpTypePointer StorageBuffer %block
  %data = OpVariable %pointer StorageBuffer
  %main = OpFunction %void None %function
  %entry = OpLabel
  OpLine %file 7 3
  %sum = OpIAdd %TYPE %one %one
  OpReturn
  OpFunctionEnd
)";

struct Shader {
  std::string type = "uint";
  std::string offset = "16";
  uint32_t salt = 1;
};
std::vector<uint32_t> Words(const Shader& shader = {}) {
  return test::AssembleSpirv(absl::StrReplaceAll(
      kShader, {{"TYPE", shader.type}, {"OFFSET", shader.offset}, {"SALT", absl::StrCat(shader.salt)}}));
}
const Shader kWrongType = {.type = "float"};
// The vector crosses a multiple of 16 bytes.
const Shader kScalarLayout = {.offset = "8"};

class SpirvRulesTest : public test::ValidationTest {
 protected:
  void SetUp() override {}

  VkShaderModule Make(const std::vector<uint32_t>& words, const void* next = nullptr) {
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .pNext = next,
                                           .codeSize = words.size() * sizeof(uint32_t),
                                           .pCode = words.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    vk.CreateShaderModule(device, &info, nullptr, &module);
    vk.DestroyShaderModule(device, module, nullptr);
    return module;
  }
};

TEST_F(SpirvRulesTest, TheMessageNamesInstructionAndLine) {
  Create();
  Make(Words());
  ExpectNothing();
  Make(Words(kWrongType));
  const test::Message message = ExpectMessage(kValidity);
  EXPECT_NE(message.text.find("is not valid SPIR-V for Vulkan: Expected int scalar or vector type as Result Type: "
                              "IAdd. The instruction is \"%13 = OpIAdd %float %uint_1 %uint_1\" (fill.comp:7)."),
            std::string::npos)
      << message.text;
  // It is no better the second time.
  Make(Words(kWrongType));
  ExpectMessage(kValidity);
}

TEST_F(SpirvRulesTest, WordsThatAreNoSpirv) {
  Create();
  Make({1, 2, 3, 4, 5, 6});
  ExpectMessage("VUID-VkShaderModuleCreateInfo-pCode-07912");
  std::vector<uint32_t> words = Words();
  words.pop_back();
  words.push_back(0xffff0038);
  Make(words);
  ExpectMessage("VUID-VkShaderModuleCreateInfo-pCode-08736");
}

TEST_F(SpirvRulesTest, GlslWithItsExtension) {
  Create({.device_extensions = {VK_NV_GLSL_SHADER_EXTENSION_NAME}});
  const std::string text = "#version 450\nvoid main() {}\n";
  std::vector<uint32_t> words((text.size() + 3) / sizeof(uint32_t));
  text.copy(reinterpret_cast<char*>(words.data()), text.size());
  Make(words);
  ExpectNothing();
  Make(Words(kWrongType));
  ExpectMessage(kValidity);
}

TEST_F(SpirvRulesTest, ShaderObjects) {
  VkPhysicalDeviceShaderObjectFeaturesEXT feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};
  Create({.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}, .features = &feature});
  const VkDescriptorSetLayout layout = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
  const auto make = [&](const std::vector<uint32_t>& words) {
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = words.size() * sizeof(uint32_t),
                                        .pCode = words.data(),
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &layout};
    VkShaderEXT shader = VK_NULL_HANDLE;
    vk.CreateShadersEXT(device, 1, &info, nullptr, &shader);
    vk.DestroyShaderEXT(device, shader, nullptr);
  };
  make(Words());
  ExpectNothing();
  make(Words(kWrongType));
  ExpectMessage("VUID-VkShaderCreateInfoEXT-pCode-08737");
  make({1, 2, 3, 4, 5, 6});
  ExpectMessage("VUID-VkShaderCreateInfoEXT-pCode-08736");
}

TEST_F(SpirvRulesTest, ModulesInStages) {
  Create();
  const VkPipelineLayout layout = MakePipelineLayout({MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}})});
  for (const Shader& shader : {Shader(), kWrongType}) {
    const std::vector<uint32_t> words = Words(shader);
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = words.size() * sizeof(uint32_t),
                                             .pCode = words.data()};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .pNext = &module,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .pName = "main"},
                                              .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
    if (shader.type != "uint") ExpectMessage(kValidity);
    ExpectNothing();
  }
}

TEST_F(SpirvRulesTest, ScalarLayoutNeedsItsFeature) {
  driver().config().disabled_features.insert("scalarBlockLayout");
  Create();
  Make(Words(kScalarLayout));
  ExpectMessage(kValidity);
}

TEST_F(SpirvRulesTest, ScalarLayoutWithItsFeature) {
  Create();
  Make(Words(kScalarLayout));
  ExpectNothing();
}

TEST_F(SpirvRulesTest, VersionsThatTheDeviceDoesNotHave) {
  Create({.api_version = VK_API_VERSION_1_1});
  std::vector<uint32_t> words = Words();
  words[1] = 0x00010300;
  Make(words);
  ExpectMessage(kValidity);
  words = test::AssembleSpirv(absl::StrReplaceAll(
      kShader, {{"TYPE", "uint"}, {"OFFSET", "16"}, {"SALT", "1"}, {"\"main\" %data", "\"main\""}}));
  words[1] = 0x00010300;
  Make(words);
  ExpectNothing();
  words[1] = 0x00010400;
  Make(words);
  ExpectMessage(kValidity);
}

// A mesh shader of triangles beside a vertex shader, which has no such mode. SPIRV-Tools asks both for it.
TEST_F(SpirvRulesTest, MeshShaderBesideAnother) {
  VkPhysicalDeviceMeshShaderFeaturesEXT feature = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                   .meshShader = VK_TRUE};
  Create({.device_extensions = {VK_EXT_MESH_SHADER_EXTENSION_NAME}, .features = &feature});
  Make(test::AssembleSpirv(R"(
    OpCapability Shader
    OpCapability MeshShadingEXT
    OpExtension "SPV_EXT_mesh_shader"
    OpMemoryModel Logical GLSL450
    OpEntryPoint MeshEXT %mesh "mesh" %indices
    OpEntryPoint Vertex %vertex "vertex"
    OpExecutionMode %mesh LocalSize 1 1 1
    OpExecutionMode %mesh OutputVertices 3
    OpExecutionMode %mesh OutputPrimitivesEXT 1
    OpExecutionMode %mesh OutputTrianglesEXT
    OpDecorate %indices BuiltIn PrimitiveTriangleIndicesEXT
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %one = OpConstant %uint 1
    %zero = OpConstant %uint 0
    %three = OpConstant %uint 3
    %v3uint = OpTypeVector %uint 3
    %array = OpTypeArray %v3uint %one
    %pointer = OpTypePointer Output %array
    %element = OpTypePointer Output %v3uint
    %triangle = OpConstantComposite %v3uint %zero %zero %zero
    %indices = OpVariable %pointer Output
    %mesh = OpFunction %void None %function
    %a = OpLabel
    OpSetMeshOutputsEXT %three %one
    %at = OpAccessChain %element %indices %zero
    OpStore %at %triangle
    OpReturn
    OpFunctionEnd
    %vertex = OpFunction %void None %function
    %b = OpLabel
    OpReturn
    OpFunctionEnd)"));
  ExpectNothing();
}

// What is newer than the layer cannot be judged.
TEST_F(SpirvRulesTest, NewerSpirv) {
  Create();
  std::vector<uint32_t> words = Words(kWrongType);
  words[1] = 0x00010700;
  Make(words);
  ExpectNothing();
}

TEST_F(SpirvRulesTest, NewerExtension) {
  Create({.device_extensions = {"VK_KHR_of_tomorrow"}});
  Make(Words(kWrongType));
  ExpectNothing();
}

TEST_F(SpirvRulesTest, Settings) {
  Create({.settings = {{"debug_disable_spirv_val", true}}});
  Make(Words(kWrongType));
  ExpectNothing();
}

TEST_F(SpirvRulesTest, ShadersAreNotChecked) {
  Create({.settings = {{"check_shaders", false}}});
  Make(Words(kWrongType));
  ExpectNothing();
}

class ValidationCacheTest : public SpirvRulesTest {
 protected:
  void MakeDevice(bool caches) {
    // The layer has it then.
    driver().config().disabled_extensions.insert(VK_EXT_VALIDATION_CACHE_EXTENSION_NAME);
    Create({.device_extensions = {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME},
            .settings = {{"check_shaders_caching", caches}}});
  }
  VkValidationCacheEXT MakeCache(const std::vector<char>& data = {}) {
    const VkValidationCacheCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT,
                                                 .initialDataSize = data.size(),
                                                 .pInitialData = data.empty() ? nullptr : data.data()};
    VkValidationCacheEXT cache = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateValidationCacheEXT(device, &info, nullptr, &cache), VK_SUCCESS);
    return cache;
  }
  std::vector<char> Data(VkValidationCacheEXT cache) {
    size_t size = 0;
    EXPECT_EQ(vk.GetValidationCacheDataEXT(device, cache, &size, nullptr), VK_SUCCESS);
    std::vector<char> data(size);
    EXPECT_EQ(vk.GetValidationCacheDataEXT(device, cache, &size, data.data()), VK_SUCCESS);
    return data;
  }
  void MakeWith(VkValidationCacheEXT cache, const Shader& shader) {
    const VkShaderModuleValidationCacheCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT, .validationCache = cache};
    Make(Words(shader), &info);
  }
};

TEST_F(ValidationCacheTest, HasTheModulesThatAreValid) {
  for (bool caches : {false, true}) {
    MakeDevice(caches);
    const VkValidationCacheEXT cache = MakeCache();
    const size_t empty = Data(cache).size();
    MakeWith(cache, {});
    const size_t one = Data(cache).size();
    EXPECT_GT(one, empty);
    MakeWith(cache, {});
    EXPECT_EQ(Data(cache).size(), one);
    MakeWith(cache, {.salt = 2});
    const std::vector<char> data = Data(cache);
    EXPECT_GT(data.size(), one);
    ExpectNothing();
    MakeWith(cache, kWrongType);
    ExpectMessage(kValidity);
    EXPECT_EQ(Data(cache), data);
    // It is for a later run.
    const VkValidationCacheEXT later = MakeCache(data);
    MakeWith(later, {});
    EXPECT_EQ(Data(later), data);
    vk.DestroyValidationCacheEXT(device, cache, nullptr);
    vk.DestroyValidationCacheEXT(device, later, nullptr);
    Destroy();
  }
}

TEST_F(ValidationCacheTest, IsSharedByThreads) {
  MakeDevice(false);
  const VkValidationCacheEXT cache = MakeCache();
  std::vector<std::thread> threads;
  threads.reserve(2);
  for (uint32_t t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (uint32_t i = 0; i < 50; ++i) MakeWith(cache, {.salt = i});
    });
  }
  for (std::thread& thread : threads) thread.join();
  ExpectNothing();
  const VkValidationCacheEXT one = MakeCache();
  MakeWith(one, {});
  const size_t first = Data(one).size();
  MakeWith(one, {.salt = 2});
  const size_t key = Data(one).size() - first;
  EXPECT_GT(key, 0u);
  EXPECT_EQ(Data(cache).size(), first + 49 * key);
  vk.DestroyValidationCacheEXT(device, cache, nullptr);
  vk.DestroyValidationCacheEXT(device, one, nullptr);
}

}  // namespace
}  // namespace assay::core
