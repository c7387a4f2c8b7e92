// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/words/glsl_version.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

TEST(GlslVersion, Right) {
  for (const std::string_view code :
       {"#version 450\nvoid main() {}\n", "\n  # version 140",
        "// a\\\n comment\n/* and\n another */ #version 460 core\n", "// a\\\r\n comment\r\n#version 450\r\n",
        "\xef\xbb\xbf#version 310 es\n", "#version 320 es", "#version 450\0garbage", "#version VERSION\n"}) {
    EXPECT_EQ(WrongGlslVersion(code), "") << code;
  }
}

TEST(GlslVersion, Wrong) {
  for (const std::string_view code : {"void main() {}", "", "// #version 450\nvoid main() {}", "/* #version 450",
                                      "#extension GL_EXT_nonuniform_qualifier : enable\n#version 450\n"}) {
    EXPECT_EQ(WrongGlslVersion(code), "is neither SPIR-V nor GLSL for Vulkan, which begins with #version.") << code;
  }
  EXPECT_EQ(WrongGlslVersion("#version 130\n"), "is GLSL of version 130; GL_KHR_vulkan_glsl needs 140.");
  EXPECT_EQ(WrongGlslVersion("#version 300 es\n"), "is GLSL of version 300 es; GL_KHR_vulkan_glsl needs 310 es.");
}

class GlslModules : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.device_extensions = {VK_NV_GLSL_SHADER_EXTENSION_NAME}}; }

  void MakeModule(std::string_view code) {
    std::vector<uint32_t> words((code.size() + 3) / 4);
    std::memcpy(words.data(), code.data(), code.size());
    MakeFrom(VkShaderModuleCreateInfo{.codeSize = code.size(), .pCode = words.data()}, vk.CreateShaderModule,
             vk.DestroyShaderModule);
  }
};

TEST_F(GlslModules, AreOfVulkan) {
  MakeModule("#version 450\nvoid main() {}\n");
  ExpectNothing();
  MakeModule("void main() {}\n");
  ExpectMessage("VUID-VkShaderModuleCreateInfo-pCode-01379");
}

}  // namespace
}  // namespace assay::core
