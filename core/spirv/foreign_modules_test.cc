// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modules for OpenGL and OpenCL: what they have that Vulkan does not.

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

// A compute shader.
std::string Text(std::string_view capability, std::string_view addressing, std::string_view decoration,
                 std::string_view image) {
  return absl::StrCat("OpCapability Shader\nOpCapability ", capability, "\nOpMemoryModel ", addressing, R"( GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
)",
                      decoration, R"(
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%function = OpTypeFunction %void
%pointer = OpTypePointer Input %uint
%variable = OpVariable %pointer Input
%image = OpTypeImage %float )",
                      image, R"(
%main = OpFunction %void None %function
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
}
constexpr std::string_view kImage = "2D 0 0 0 1 Unknown";

class ForeignModules : public test::ValidationTest {
 protected:
  // Each module has a capability of its own, and breaks that rule, if any.
  void Expect(const std::string& id, const std::string& text,
              std::source_location where = std::source_location::current()) {
    MakeShader(text);
    std::vector<std::string> ids = {"VUID-VkShaderModuleCreateInfo-pCode-08739"};
    if (!id.empty()) ids.push_back(id);
    ExpectMessages(ids, where);
  }
};

TEST_F(ForeignModules, AddressingModels) {
  Expect("VUID-StandaloneSpirv-None-04635", Text("Addresses", "Physical64", "", kImage));
  Expect("", Text("Addresses", "Logical", "", kImage));
}

TEST_F(ForeignModules, RectangleTextures) {
  Expect("VUID-StandaloneSpirv-OpTypeImage-09638", Text("SampledRect", "Logical", "", "Rect 0 0 0 1 Unknown"));
  Expect("", Text("SampledRect", "Logical", "", kImage));
}

TEST_F(ForeignModules, BuiltIns) {
  const auto built_in = [](const char* name) {
    return Text("Kernel", "Logical", absl::StrCat("OpDecorate %variable BuiltIn ", name), kImage);
  };
  for (const char* name : {"WorkDim", "GlobalSize", "SubgroupMaxSize"}) {
    SCOPED_TRACE(name);
    Expect("VUID-StandaloneSpirv-BuiltIn-04668", built_in(name));
  }
  Expect("", built_in("LocalInvocationIndex"));
}

// An extension that nobody knows may allow all of it.
TEST_F(ForeignModules, UnknownExtension) {
  std::string text = Text("Addresses", "Physical64", "", kImage);
  text.insert(text.find("OpMemoryModel"), "OpExtension \"SPV_NOBODY_knows\"\n");
  Expect("", text);
}

}  // namespace
}  // namespace assay::core
