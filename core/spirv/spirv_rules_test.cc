// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where SPIR-V is judged, in which environment, and what a message says. The rules themselves: cases/ and builtins/.

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr std::string_view kValidity = "VkShaderModuleCreateInfo-pCode-08737";

struct Shader {
  std::string type = "uint";
  std::string offset = "16";
  uint32_t salt = 1;
  std::string interface = "%data";
  uint32_t version = 0x00010600;
};
// A compute shader with a storage buffer.
std::vector<uint32_t> Words(const Shader& shader = {}) {
  std::vector<uint32_t> words = test::AssembleSpirv(
      Text({.interface = shader.interface,
            .modes = "%file = OpString \"fill.comp\"\n",
            .decorations = DecorateBlock("%block") + DecorateMember("%block 1", "Offset " + shader.offset) +
                           Decorate("%data", "DescriptorSet 0, Binding 0"),
            .globals = absl::StrCat("%salt = OpConstant %uint ", shader.salt, R"(
              %block = OpTypeStruct %float %v3float
              %pointer = OpTypePointer StorageBuffer %block
              %data = OpVariable %pointer StorageBuffer
            )"),
            .body = "OpLine %file 7 3\n%sum = OpIAdd %" + shader.type + " %u1 %u1\n"}));
  words[1] = shader.version;
  return words;
}
const Shader kWrongType = {.type = "float"};
// The vector crosses a multiple of 16 bytes.
const Shader kScalarLayout = {.offset = "8"};

class SpirvRulesTest : public StageTest {
 protected:
  void SetUp() override {}
  void Make(const std::vector<uint32_t>& words, const void* next = nullptr) {
    CreateOnce(vk.CreateShaderModule, vk.DestroyShaderModule, ModuleInfo(words, next));
  }
  // Makes a module; the id comes without "VUID-", and is empty if nothing is reported.
  void Expect(std::string_view id, const std::vector<uint32_t>& words,
              std::source_location where = std::source_location::current()) {
    Make(words);
    ExpectStage(id, where);
  }
};

TEST_F(SpirvRulesTest, TheMessageNamesInstructionAndLine) {
  Create();
  Expect("", Words());
  Make(Words(kWrongType));
  const test::Message message = ExpectMessage(absl::StrCat("VUID-", kValidity));
  EXPECT_NE(message.text.find("is not valid SPIR-V for Vulkan: Expected int scalar or vector type as Result Type: "
                              "IAdd. The instruction is \"%32 = OpIAdd %float %uint_1 %uint_1\" (fill.comp:7)."),
            std::string::npos)
      << message.text;
  // It is no better the second time.
  Expect(kValidity, Words(kWrongType));
}

TEST_F(SpirvRulesTest, WordsThatAreNoSpirv) {
  Create();
  Expect("VkShaderModuleCreateInfo-pCode-07912", {1, 2, 3, 4, 5, 6});
  std::vector<uint32_t> words = Words();
  words.pop_back();
  words.push_back(0xffff0038);
  Expect("VkShaderModuleCreateInfo-pCode-08736", words);
}

TEST_F(SpirvRulesTest, GlslWithItsExtension) {
  Create({.device_extensions = {VK_NV_GLSL_SHADER_EXTENSION_NAME}});
  const std::string text = "#version 450\nvoid main() {}\n";
  std::vector<uint32_t> words((text.size() + 3) / sizeof(uint32_t));
  text.copy(reinterpret_cast<char*>(words.data()), text.size());
  Expect("", words);
  Expect(kValidity, Words(kWrongType));
}

TEST_F(SpirvRulesTest, ShaderObjects) {
  MakeDevice();
  MakeObjects({Object("GLCompute", Words())});
  ExpectNothing();
  MakeObjects({Object("GLCompute", Words(kWrongType))});
  ExpectMessage("VUID-VkShaderCreateInfoEXT-pCode-08737");
  MakeObjects({Object("GLCompute", {1, 2, 3, 4, 5, 6})});
  ExpectMessage("VUID-VkShaderCreateInfoEXT-pCode-08736");
}

TEST_F(SpirvRulesTest, ModulesInStages) {
  MakeDevice();
  VkPipelineShaderStageCreateInfo stage = Stage("GLCompute", VK_NULL_HANDLE);
  for (const Shader& shader : {Shader(), kWrongType}) {
    const std::vector<uint32_t> words = Words(shader);
    const VkShaderModuleCreateInfo module = ModuleInfo(words);
    stage.pNext = &module;
    MakeCompute(stage);
    ExpectStage(shader.type == "uint" ? "" : kValidity);
  }
}

TEST_F(SpirvRulesTest, ScalarLayoutNeedsItsFeature) {
  MakeDevice();
  Expect("", Words(kScalarLayout));
  MakeDeviceWithout("scalarBlockLayout");
  Expect(kValidity, Words(kScalarLayout));
}

TEST_F(SpirvRulesTest, VersionsThatTheDeviceDoesNotHave) {
  Create({.api_version = VK_API_VERSION_1_1});
  Expect(kValidity, Words({.version = 0x00010300}));
  Expect("", Words({.interface = "", .version = 0x00010300}));
  Expect(kValidity, Words({.interface = "", .version = 0x00010400}));
}

// A mesh shader of triangles beside a vertex shader, which has no such mode. SPIRV-Tools asks both for it.
TEST_F(SpirvRulesTest, MeshShaderBesideAnother) {
  MakeDevice();
  Expect("",
         test::AssembleSpirv(Text(
             {.model = "MeshEXT",
              .interface = "\nOpEntryPoint Vertex %vertex \"vertex\"",
              .variables = {{"%indices", "Output", "%array", "BuiltIn PrimitiveTriangleIndicesEXT"}},
              .globals = "%array = OpTypeArray %v3uint %u1\n%element = OpTypePointer Output %v3uint\n"
                         "%triangle = OpConstantComposite %v3uint %u0 %u0 %u0\n",
              .body = "OpSetMeshOutputsEXT %u3 %u1\n%at = OpAccessChain %element %indices %u0\nOpStore %at %triangle\n"
                      "OpReturn\nOpFunctionEnd\n%vertex = OpFunction %void None %function\n%b = OpLabel\n"})));
}

// What is newer than the layer cannot be judged.
TEST_F(SpirvRulesTest, NewerSpirv) {
  Create();
  Expect("", Words({.type = "float", .version = 0x00010700}));
}

TEST_F(SpirvRulesTest, NothingIsJudgedOnOtherDevices) {
  const test::DeviceOptions devices[] = {{.device_extensions = {"VK_KHR_of_tomorrow"}},
                                         {.settings = {{"debug_disable_spirv_val", true}}},
                                         {.settings = {{"check_shaders", false}}}};
  for (const test::DeviceOptions& options : devices) {
    SCOPED_TRACE(options.settings.empty() ? "VK_KHR_of_tomorrow" : options.settings[0].first);
    Create(options);
    Expect("", Words(kWrongType));
    Destroy();
  }
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
    const void* const bytes = data.empty() ? nullptr : data.data();
    return MakeFrom(VkValidationCacheCreateInfoEXT{.initialDataSize = data.size(), .pInitialData = bytes},
                    vk.CreateValidationCacheEXT, vk.DestroyValidationCacheEXT);
  }
  std::vector<char> Data(VkValidationCacheEXT cache) {
    size_t size = 0;
    EXPECT_EQ(vk.GetValidationCacheDataEXT(device, cache, &size, nullptr), VK_SUCCESS);
    std::vector<char> data(size);
    EXPECT_EQ(vk.GetValidationCacheDataEXT(device, cache, &size, data.data()), VK_SUCCESS);
    return data;
  }
  void MakeWith(VkValidationCacheEXT cache, const Shader& shader) {
    const auto info = test::Of<VkShaderModuleValidationCacheCreateInfoEXT>(cache);
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
    ExpectStage(kValidity);
    EXPECT_EQ(Data(cache), data);
    // It is for a later run.
    const VkValidationCacheEXT later = MakeCache(data);
    MakeWith(later, {});
    EXPECT_EQ(Data(later), data);
    Destroy();
  }
}

TEST_F(ValidationCacheTest, IsSharedByThreads) {
  MakeDevice(false);
  const VkValidationCacheEXT cache = MakeCache();
  const auto make_all = [&] {
    for (uint32_t i = 0; i < 50; ++i) MakeWith(cache, {.salt = i});
  };
  std::thread other(make_all);
  make_all();
  other.join();
  ExpectNothing();
  const VkValidationCacheEXT one = MakeCache();
  MakeWith(one, {});
  const size_t first = Data(one).size();
  MakeWith(one, {.salt = 2});
  const size_t key = Data(one).size() - first;
  EXPECT_GT(key, 0u);
  EXPECT_EQ(Data(cache).size(), first + 49 * key);
}

}  // namespace
}  // namespace assay::core
