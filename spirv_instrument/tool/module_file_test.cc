// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/module_file.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kShader = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main"
OpExecutionMode %4 LocalSize 1 1 1
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%4 = OpFunction %2 None %3
%50 = OpLabel
OpReturn
OpFunctionEnd
)";

std::vector<uint32_t> Words(std::string_view content) {
  absl::StatusOr<std::vector<uint32_t>> words = ParseModule("test", content);
  EXPECT_TRUE(words.ok()) << words.status();
  return words.ok() ? *words : std::vector<uint32_t>();
}

std::string Bytes(const std::vector<uint32_t>& words) {
  return std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
}

TEST(ParseModule, TextKeepsItsIds) {
  const std::vector<uint32_t> words = Words(kShader);
  ASSERT_GT(words.size(), 5u);
  EXPECT_EQ(words[0], 0x07230203u);
  EXPECT_EQ(words[1], 0x00010600u);
  // The bound is behind the largest id.
  EXPECT_EQ(words[3], 51u);
}

TEST(ParseModule, TextMaySayItsVersion) {
  EXPECT_EQ(Words("; SPIR-V\n; Version: 1.3\n" + std::string(kShader))[1], 0x00010300u);
  EXPECT_EQ(Words("; SPIR-V\n; Version: 1.9\n" + std::string(kShader))[1], 0x00010600u);
}

TEST(ParseModule, WordsAreTakenInEitherOrder) {
  const std::vector<uint32_t> words = Words(kShader);
  EXPECT_EQ(Words(Bytes(words)), words);
  std::vector<uint32_t> swapped = words;
  for (uint32_t& word : swapped) word = __builtin_bswap32(word);
  EXPECT_EQ(Words(Bytes(swapped)), swapped);
}

TEST(ParseModule, ErrorsInTextNameThePlace) {
  const absl::StatusOr<std::vector<uint32_t>> words = ParseModule("a.spvasm", "OpCapability Shader\nOpNonsense\n");
  EXPECT_EQ(words.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(words.status().message().substr(0, 12), "a.spvasm:2:1");
}

TEST(ParseModule, WordsHaveFourBytes) {
  const std::string bytes = Bytes(Words(kShader)) + "x";
  EXPECT_EQ(ParseModule("a.spv", bytes).status().message(),
            "a.spv: the file has " + std::to_string(bytes.size()) + " bytes, and words have four");
}

TEST(ReadModule, ReadsWhatWasWritten) {
  const std::string path = testing::TempDir() + "/module.spv";
  const std::vector<uint32_t> words = Words(kShader);
  ASSERT_TRUE(WriteModule(path, words).ok());
  const absl::StatusOr<std::vector<uint32_t>> read = ReadModule(path);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, words);
  std::remove(path.c_str());
}

TEST(ReadModule, AFileThatIsNotThereIsNamed) {
  EXPECT_EQ(ReadModule("/none/such.spv").status(), absl::NotFoundError("/none/such.spv: the file cannot be read"));
  EXPECT_EQ(WriteModule("/none/such.spv", {}), absl::UnavailableError("/none/such.spv: the file cannot be written"));
}

TEST(DisassembleModule, IsReadAsTheSameModule) {
  const std::vector<uint32_t> words = Words(kShader);
  const absl::StatusOr<std::string> text = DisassembleModule(words);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("OpEntryPoint GLCompute"), std::string::npos);
  // Ids have names there, so that numbers may change; nothing else does.
  EXPECT_EQ(Words(*text).size(), words.size());
}

TEST(DisassembleModule, RefusesWhatIsNoModule) {
  EXPECT_EQ(DisassembleModule({0x07230203, 0x00010600}).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace assay::spirv_instrument
