// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modules for OpenGL and OpenCL: what they have that Vulkan does not.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

const char* const kUnknownCapability = "VUID-VkShaderModuleCreateInfo-pCode-08739";

class ForeignModules : public test::ValidationTest {};

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

TEST_F(ForeignModules, AddressingModels) {
  MakeShader(test::AssembleSpirv(Text("Addresses", "Physical64", "", kImage)));
  ExpectMessages({kUnknownCapability, "VUID-StandaloneSpirv-None-04635"});
  MakeShader(test::AssembleSpirv(Text("Addresses", "Logical", "", kImage)));
  ExpectMessages({kUnknownCapability});
}

TEST_F(ForeignModules, RectangleTextures) {
  MakeShader(test::AssembleSpirv(Text("SampledRect", "Logical", "", "Rect 0 0 0 1 Unknown")));
  ExpectMessages({kUnknownCapability, "VUID-StandaloneSpirv-OpTypeImage-09638"});
  MakeShader(test::AssembleSpirv(Text("SampledRect", "Logical", "", kImage)));
  ExpectMessages({kUnknownCapability});
}

TEST_F(ForeignModules, BuiltIns) {
  for (const std::string_view built_in : {"WorkDim", "GlobalSize", "SubgroupMaxSize"}) {
    MakeShader(test::AssembleSpirv(
        Text("Kernel", "Logical", absl::StrCat("OpDecorate %variable BuiltIn ", built_in), kImage)));
    ExpectMessages({kUnknownCapability, "VUID-StandaloneSpirv-BuiltIn-04668"});
  }
  MakeShader(
      test::AssembleSpirv(Text("Kernel", "Logical", "OpDecorate %variable BuiltIn LocalInvocationIndex", kImage)));
  ExpectMessages({kUnknownCapability});
}

// An extension that nobody knows may allow all of it.
TEST_F(ForeignModules, UnknownExtension) {
  std::string text = Text("Addresses", "Physical64", "", kImage);
  text.insert(text.find("OpMemoryModel"), "OpExtension \"SPV_NOBODY_knows\"\n");
  MakeShader(test::AssembleSpirv(text));
  ExpectMessages({kUnknownCapability});
}

}  // namespace
}  // namespace assay::core
