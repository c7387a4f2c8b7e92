// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/validate_module.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/tool/module_file.h"

namespace assay::spirv_instrument {
namespace {

std::vector<uint32_t> ShaderThatEndsWith(std::string_view end) {
  constexpr std::string_view kShader = R"(; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main"
OpExecutionMode %4 LocalSize 1 1 1
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%4 = OpFunction %2 None %3
%50 = OpLabel
)";
  const absl::StatusOr<std::vector<uint32_t>> words = ParseModule("a.spvasm", std::string(kShader) + std::string(end));
  EXPECT_TRUE(words.ok()) << words.status();
  return words.ok() ? *words : std::vector<uint32_t>();
}

TEST(ValidateModule, AcceptsAShaderInEitherByteOrder) {
  std::vector<uint32_t> words = ShaderThatEndsWith("OpReturn\nOpFunctionEnd\n");
  EXPECT_TRUE(ValidateModule(words).ok()) << ValidateModule(words);
  for (uint32_t& word : words) word = __builtin_bswap32(word);
  EXPECT_TRUE(ValidateModule(words).ok()) << ValidateModule(words);
}

TEST(ValidateModule, SaysWhatIsNotValid) {
  const absl::Status status = ValidateModule(ShaderThatEndsWith("OpFunctionEnd\n"));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message().substr(0, 12), "instruction ");
}

}  // namespace
}  // namespace assay::spirv_instrument
