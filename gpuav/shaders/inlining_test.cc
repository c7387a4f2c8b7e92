// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/inlining.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv_instrument/passes/instrument.h"
#include "testing/shaders.h"

namespace assay::gpuav {
namespace {

constexpr char kCallsHelper[] = R"(
    %none = OpFunctionCall %void %helper
    OpReturn)";
constexpr char kReturnsEarly[] = R"(
    %place = OpAccessChain %to_uint %data %zero %zero
    %value = OpLoad %uint %place
    %is_over = OpIEqual %bool %value %zero
    OpSelectionMerge %more None
    OpBranchConditional %is_over %leave %more
    %leave = OpLabel
    OpReturn
    %more = OpLabel
    %none = OpFunctionCall %void %helper
    OpReturn)";

// The entry point calls a function that writes an element of a runtime array, at an index that it loads.
std::vector<uint32_t> Writer(const std::string& body = kCallsHelper) {
  return test::AssembleSpirv(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %data
    OpExecutionMode %main LocalSize 1 1 1
    OpName %helper "helper"
    OpDecorate %array ArrayStride 4
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %data DescriptorSet 0
    OpDecorate %data Binding 0
    %void = OpTypeVoid
    %type = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %array = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %array
    %to_block = OpTypePointer StorageBuffer %block
    %to_uint = OpTypePointer StorageBuffer %uint
    %data = OpVariable %to_block StorageBuffer
    %main = OpFunction %void Pure %type
    %main_entry = OpLabel)" + body +
                             R"(
    OpFunctionEnd
    %helper = OpFunction %void None %type
    %entry = OpLabel
    %first = OpAccessChain %to_uint %data %zero %zero
    %index = OpLoad %uint %first
    %element = OpAccessChain %to_uint %data %zero %index
    OpStore %element %index
    OpReturn
    OpFunctionEnd)");
}

InstrumentedWords Instrumented(const std::vector<uint32_t>& words) {
  spirv_instrument::InstrumentConfig config;
  config.frame.steps.host = spirv_instrument::HostDecides::kNothing;
  config.passes.buffer_bounds.emplace();
  auto made = spirv_instrument::Instrument(words, config);
  EXPECT_TRUE(made.ok());
  return {.words = made->words, .shader_id_word = made->shader_id_word};
}

std::string TextOf(const std::vector<uint32_t>& words) {
  const spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  EXPECT_TRUE(tools.Validate(words));
  std::string text;
  EXPECT_TRUE(tools.Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));
  return text;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(InlineTest, FunctionsOfOursAreGoneAndThoseOfTheApplicationStay) {
  const std::vector<uint32_t> words = Writer();
  const InstrumentedWords instrumented = Instrumented(words);
  EXPECT_GT(Count(TextOf(instrumented.words), "OpFunctionCall"), 1u);
  const std::optional<InstrumentedWords> inlined = Inline(instrumented, words[3]);
  ASSERT_TRUE(inlined.has_value());
  const std::string text = TextOf(inlined->words);
  EXPECT_EQ(Count(text, "OpFunctionCall"), 1u);
  EXPECT_EQ(Count(text, "OpFunctionEnd"), 2u);
  // What the application says of its functions is as it was.
  EXPECT_EQ(Count(text, " Pure "), 1u);
  EXPECT_EQ(Count(text, "DontInline"), 0u);
}

// Its blocks, too: what debug information says of a function has to be in the first one.
TEST(InlineTest, ApplicationMayReturnFromSeveralPlaces) {
  const std::vector<uint32_t> words = Writer(kReturnsEarly);
  const std::optional<InstrumentedWords> inlined = Inline(Instrumented(words), words[3]);
  ASSERT_TRUE(inlined.has_value());
  const std::string text = TextOf(inlined->words);
  EXPECT_EQ(Count(text, "OpFunctionEnd"), 2u);
  EXPECT_EQ(Count(text, "OpReturn\n"), 3u);
}

TEST(InlineTest, ShaderIdIsFoundAgain) {
  const std::vector<uint32_t> words = Writer();
  const InstrumentedWords instrumented = Instrumented(words);
  const std::optional<InstrumentedWords> inlined = Inline(instrumented, words[3]);
  ASSERT_TRUE(inlined.has_value());
  constexpr uint32_t kId = 0x12345678;
  const std::vector<uint32_t> with_id = inlined->WithId(kId);
  EXPECT_EQ(std::ranges::count(with_id, kId), 1);
  TextOf(with_id);
}

TEST(InlineTest, WhatIsNoModuleStaysAsItIs) {
  InstrumentedWords broken = Instrumented(Writer());
  // The first instruction has more words than there are.
  broken.words[5] |= 0xffff0000;
  EXPECT_FALSE(Inline(broken, 1).has_value());
}

TEST(InlineTest, VeryLargeShadersStayAsTheyAre) {
  InstrumentedWords large = Instrumented(Writer());
  large.words.resize((1u << 15) + 1, 1u << 16);
  EXPECT_FALSE(Inline(large, 1).has_value());
}

}  // namespace
}  // namespace assay::gpuav
