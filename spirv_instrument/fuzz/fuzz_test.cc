// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/fuzz.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/fuzz/configuration.h"
#include "spirv_instrument/fuzz/seed.h"
#include "spirv_instrument/fuzz/shader_test.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument::fuzz {
namespace {

// All passes are left out.
constexpr uint32_t kNoPass = 0x200003ff;
constexpr uint32_t kDescriptorSet0 = 1u << 25;

TEST(Fuzz, ValidModuleStaysValid) { EXPECT_EQ(Try(Shader()).verdict, Verdict::kValid); }

TEST(Fuzz, ModuleWithoutPassesIsNotChanged) {
  Input input = Shader();
  input.configuration = kNoPass;
  EXPECT_EQ(Try(input).verdict, Verdict::kUnchanged);
}

TEST(Fuzz, NoRoomIsNoFailure) {
  Input input = Shader();
  input.configuration = kDescriptorSet0;
  EXPECT_EQ(Try(input).verdict, Verdict::kRefused);
}

TEST(Fuzz, WordsThatAreNoModuleAreRefused) {
  EXPECT_EQ(Try({}).verdict, Verdict::kRefused);
  EXPECT_EQ(Try({0, {1, 2, 3}}).verdict, Verdict::kRefused);
}

// The passes do not mind that the store's value is a pointer; the validator does.
TEST(Fuzz, InvalidModuleMayBecomeAnything) {
  std::string text(kShader);
  const std::string store = "OpStore %element %sum";
  text.replace(text.find(store), store.size(), "OpStore %element %element");
  EXPECT_EQ(Try(Shader(text)).verdict, Verdict::kInvalid);
}

TEST(Fuzz, BytesHaveConfigurationAndModule) {
  Input input = Shader();
  input.configuration = 0x12345;
  std::vector<uint8_t> bytes = BytesOf(input);
  EXPECT_EQ(InputOf(bytes).configuration, 0x12345u);
  EXPECT_EQ(InputOf(bytes).words, input.words);
  // A module by itself.
  bytes.erase(bytes.begin(), bytes.begin() + 4);
  EXPECT_EQ(InputOf(bytes).configuration, 0u);
  EXPECT_EQ(InputOf(bytes).words, input.words);
  // One of the other byte order.
  for (auto at = bytes.begin(); at != bytes.end(); at += 4) std::reverse(at, at + 4);
  EXPECT_EQ(InputOf(bytes).words.size(), input.words.size());
  EXPECT_EQ(InputOf(std::vector<uint8_t>{1, 2, 3}).words.size(), 0u);
}

TEST(Configuration, IsAllPassesWithoutBits) {
  const InstrumentConfig config = ConfigurationOf(0);
  EXPECT_EQ(MakePasses(config.passes).size(), PassNames().size());
  EXPECT_EQ(config.frame.steps.host, HostDecides::kAll);
  EXPECT_TRUE(config.frame.steps.hoisted);
  EXPECT_EQ(config.frame.runtime.reach, Reach::kDescriptorSet);
}

TEST(Configuration, BitsAreAsTheHeaderSays) {
  EXPECT_TRUE(MakePasses(ConfigurationOf(kNoPass).passes).empty());
  EXPECT_FALSE(ConfigurationOf(1u << 1).passes.buffer_bounds.has_value());
  EXPECT_FALSE(ConfigurationOf(1u << 13).frame.steps.hoisted);
  EXPECT_EQ(ConfigurationOf(1u << 14).frame.steps.host, HostDecides::kCertain);
  EXPECT_EQ(ConfigurationOf(3u << 14).frame.steps.host, HostDecides::kNothing);
  EXPECT_EQ(ConfigurationOf(1u << 16).frame.runtime.reach, Reach::kPushConstant);
  EXPECT_EQ(ConfigurationOf(1u << 17).frame.runtime.reach, Reach::kSpecializationConstant);
  EXPECT_EQ(ConfigurationOf(3u << 18).frame.runtime.push_constant_offset, 4096u);
  EXPECT_TRUE(ConfigurationOf(1u << 20).frame.is_report_only);
  EXPECT_EQ(ConfigurationOf(1u << 21).frame.max_checks, 3u);
  EXPECT_TRUE(ConfigurationOf(1u << 27).frame.reports_at_end);
}

TEST(Seed, AssemblyHasConfigurationAndTarget) {
  Input input = Shader();
  input.configuration = 0xabc;
  const absl::StatusOr<std::string> text = AssemblyOf(input, "two\nlines");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_TRUE(text->starts_with("; two\n; lines\n; target: spv1.3\n; configuration: 0xabc\n")) << *text;
  const absl::StatusOr<Input> again = InputOfAssembly(*text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->configuration, 0xabcu);
  // But for the generator.
  std::vector<uint32_t> words = again->words;
  words[2] = input.words[2];
  EXPECT_EQ(words, input.words);
}

TEST(Seed, MistakesAreErrors) {
  EXPECT_FALSE(InputOfAssembly("; configuration: many\n").ok());
  EXPECT_FALSE(InputOfAssembly("; target: vulkan0.9\n").ok());
  EXPECT_FALSE(InputOfAssembly("OpNothing\n").ok());
  EXPECT_FALSE(ReadInput("/nowhere.spvasm").ok());
}

}  // namespace
}  // namespace assay::spirv_instrument::fuzz
