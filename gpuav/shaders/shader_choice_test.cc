// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/shader_choice.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<uint32_t> WordsWithSource() {
  return test::AssembleSpirv(R"(
    OpCapability Shader
    %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %other = OpString "no file"
    %file = OpString "engine/blur.comp"
    %include = OpString "engine/common.glsl"
    OpSource GLSL 450 %file
    %void = OpTypeVoid
    %type = OpTypeFunction %void
    %source = OpExtInst %void %set DebugSource %include
    %main = OpFunction %void None %type
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)");
}

TEST(SourceFilesOfTest, AreThoseOfSources) {
  EXPECT_THAT(SourceFilesOf(WordsWithSource()), ElementsAre("engine/blur.comp", "engine/common.glsl"));
}

TEST(SourceFilesOfTest, OfBrokenWordsAreThoseBefore) {
  std::vector<uint32_t> words = WordsWithSource();
  for (size_t size = words.size(); size-- > 0;) {
    words.resize(size);
    SourceFilesOf(words);
  }
  words = WordsWithSource();
  words[5] = 0;
  EXPECT_THAT(SourceFilesOf(words), IsEmpty());
}

TEST(ShaderChoiceTest, NoPatternsChooseAll) {
  EXPECT_TRUE(ShaderChoice("").Chooses("", "main", {}));
  EXPECT_TRUE(ShaderChoice(" , ").Chooses("", "main", {}));
}

TEST(ShaderChoiceTest, NamesMatch) {
  const ShaderChoice choice("blur*, shadow_?");
  EXPECT_TRUE(choice.Chooses("blur pass", "main", {}));
  EXPECT_TRUE(choice.Chooses("", "shadow_2", {}));
  EXPECT_FALSE(choice.Chooses("shadow_22", "main", {}));
  EXPECT_FALSE(choice.Chooses("", "main", {}));
}

TEST(ShaderChoiceTest, SourceFilesMatch) {
  const std::vector<uint32_t> words = WordsWithSource();
  EXPECT_TRUE(ShaderChoice("blur.comp").Chooses("", "main", words));
  EXPECT_TRUE(ShaderChoice("engine/*.glsl").Chooses("", "main", words));
  EXPECT_FALSE(ShaderChoice("no file").Chooses("", "main", words));
}

}  // namespace
}  // namespace assay::gpuav
