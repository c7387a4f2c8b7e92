// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/shader_interface.h"
#include "core/shader_stages/stage_text_test.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/module.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr uint32_t kFetches = kAccessesImage | kIsNotSampled;
constexpr std::string_view kAccess =
    "%loaded = OpLoad %type %image\n%value = OpImageFetch %v4float %loaded %at Lod %u0\n";

// The bits of ResourceAccess of the only image of a fragment shader. `body` follows the entry label of main(); there
// are %condition, which is not constant, and what `functions` defines.
uint32_t AccessesOf(std::string_view body, std::string_view functions = "") {
  const std::string text = Text({
      .model = "Fragment",
      .variables = {{"%image", "UniformConstant", "%type", "DescriptorSet 0, Binding 0"},
                    {"%input", "Input", "%uint", "Location 0, Flat"}},
      .globals = "%type = OpTypeImage %float 2D 0 0 0 1 Unknown\n%at = OpConstantNull %v2uint\n",
      .body = absl::StrCat("%read = OpLoad %uint %input\n%condition = OpIEqual %bool %read %u0\n", body),
  });
  const auto module = spirv_instrument::Module::Read(test::AssembleSpirv(absl::StrCat(text, functions)));
  EXPECT_TRUE(module.ok());
  const ShaderInterface interface = ReadShaderInterface(*module, "main", VK_SHADER_STAGE_FRAGMENT_BIT);
  EXPECT_EQ(interface.resources.size(), 1u);
  return interface.resources.at(0).accesses;
}

// A selection without else.
std::string If(std::string_view body, std::string_view end = "OpBranch %behind") {
  return absl::StrCat("OpSelectionMerge %behind None\nOpBranchConditional %condition %then %behind\n%then = OpLabel\n",
                      body, end, "\n%behind = OpLabel\n");
}
std::string FunctionOf(std::string_view body) {
  return absl::StrCat("%called = OpFunction %void None %function\n%called_entry = OpLabel\n", body,
                      "OpReturn\nOpFunctionEnd\n");
}
constexpr std::string_view kCall = "%result = OpFunctionCall %void %called\n";

TEST(CertainAccesses, StraightLine) { EXPECT_EQ(AccessesOf(kAccess), kFetches); }
TEST(CertainAccesses, AfterSelection) { EXPECT_EQ(AccessesOf(absl::StrCat(If(""), kAccess)), kFetches); }
TEST(CertainAccesses, InSelection) { EXPECT_EQ(AccessesOf(If(kAccess)), 0u); }
TEST(CertainAccesses, AfterReturn) { EXPECT_EQ(AccessesOf(absl::StrCat(If("", "OpReturn"), kAccess)), 0u); }
TEST(CertainAccesses, AfterKill) { EXPECT_EQ(AccessesOf(absl::StrCat(If("", "OpKill"), kAccess)), 0u); }
TEST(CertainAccesses, BeforeKill) { EXPECT_EQ(AccessesOf(absl::StrCat(kAccess, If("", "OpKill"))), kFetches); }
TEST(CertainAccesses, InLoop) {
  const auto loop = [](std::string_view header, std::string_view body, std::string_view behind) {
    return absl::StrCat("OpBranch %header\n%header = OpLabel\n", header,
                        "OpLoopMerge %behind %continue None\nOpBranchConditional %condition %body %behind\n",
                        "%body = OpLabel\n", body, "OpBranch %continue\n%continue = OpLabel\nOpBranch %header\n",
                        "%behind = OpLabel\n", behind);
  };
  EXPECT_EQ(AccessesOf(loop(kAccess, "", "")), kFetches);
  EXPECT_EQ(AccessesOf(loop("", kAccess, "")), 0u);
  EXPECT_EQ(AccessesOf(loop("", "", kAccess)), kFetches);
}
TEST(CertainAccesses, InFunction) {
  EXPECT_EQ(AccessesOf(kCall, FunctionOf(kAccess)), kFetches);
  EXPECT_EQ(AccessesOf(If(kCall), FunctionOf(kAccess)), 0u);
  EXPECT_EQ(AccessesOf(kCall, FunctionOf(If(kAccess))), 0u);
}
// The function returns before the access in some invocations, and the caller goes on.
TEST(CertainAccesses, AfterFunctionThatReturnsEarly) {
  EXPECT_EQ(AccessesOf(absl::StrCat(kCall, kAccess), FunctionOf(If("", "OpReturn"))), kFetches);
}
TEST(CertainAccesses, AfterFunctionThatMayKill) {
  EXPECT_EQ(AccessesOf(absl::StrCat(kCall, kAccess), FunctionOf(If("", "OpKill"))), 0u);
}

}  // namespace
}  // namespace assay::core
