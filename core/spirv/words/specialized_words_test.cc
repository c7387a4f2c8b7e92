// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/words/specialized_words.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_text_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

const std::string kSpecIds = Decorate("%number", "SpecId 3") + Decorate("%flag", "SpecId 4") +
                             Decorate("%narrow", "SpecId 5") + Decorate("%wide", "SpecId 6");
// The names come first, so that ids are the same without the decorations.
const std::string kModule = Text({.capabilities = Capabilities("Int16, Int64"),
                                  .decorations = R"(
  OpName %number "number"
  OpName %flag "flag"
  OpName %narrow "narrow"
  OpName %wide "wide"
)" + kSpecIds,
                                  .globals = R"(
  %short = OpTypeInt 16 1
  %long = OpTypeInt 64 0
  %number = OpSpecConstant %uint 1
  %flag = OpSpecConstantFalse %bool
  %narrow = OpSpecConstant %short 2
  %wide = OpSpecConstant %long 3
  %plain = OpSpecConstantComposite %v2uint %number %number
  %sum = OpSpecConstantOp %uint IAdd %number %number
  %mixed = OpSpecConstantComposite %v2uint %number %sum
)"});

// The module of kModule with these constants.
std::vector<uint32_t> Expected(const std::string& number, const std::string& flag, const std::string& narrow,
                               const std::string& wide) {
  return test::AssembleSpirv(
      absl::StrReplaceAll(kModule, {{kSpecIds, ""},
                                    {"OpSpecConstant %uint 1", "OpConstant %uint " + number},
                                    {"OpSpecConstantFalse", "OpConstant" + flag},
                                    {"OpSpecConstant %short 2", "OpConstant %short " + narrow},
                                    {"OpSpecConstant %long 3", "OpConstant %long " + wide},
                                    {"%plain = OpSpecConstantComposite", "%plain = OpConstantComposite"}}));
}

TEST(SpecializedWords, HaveTheValues) {
  const std::vector<uint32_t> words = test::AssembleSpirv(kModule);
  EXPECT_EQ(SpecializedWords(words, {{3, 7}, {4, 1}, {5, 0xfffe}, {6, 4294967301u}, {9, 1}}),
            Expected("7", "True", "-2", "4294967301"));
  EXPECT_EQ(SpecializedWords(words, {{4, 256}}), Expected("1", "True", "2", "3"));
  EXPECT_EQ(SpecializedWords(words, {{5, 1}}), Expected("1", "False", "1", "3"));
}

TEST(SpecializedWords, AreNoneIfNothingChanges) {
  const std::vector<uint32_t> words = test::AssembleSpirv(kModule);
  EXPECT_TRUE(SpecializedWords(words, {}).empty());
  EXPECT_TRUE(SpecializedWords(words, {{3, 1}, {4, 0}, {5, 2}, {6, 3}, {9, 1}}).empty());
}

TEST(SpecializedWords, AreNoneForWhatIsNotUnderstood) {
  std::vector<uint32_t> words = test::AssembleSpirv(kModule);
  EXPECT_TRUE(SpecializedWords({}, {{3, 7}}).empty());
  for (uint32_t& word : words) word = __builtin_bswap32(word);
  EXPECT_TRUE(SpecializedWords(words, {{3, 7}}).empty());
  const std::vector<uint32_t> grouped = test::AssembleSpirv(absl::StrReplaceAll(
      kModule, {{"OpDecorate %number SpecId 3",
                 "OpDecorate %group SpecId 3\n%group = OpDecorationGroup\nOpGroupDecorate %group %number"}}));
  EXPECT_TRUE(SpecializedWords(grouped, {{3, 7}}).empty());
}

}  // namespace
}  // namespace assay::core
