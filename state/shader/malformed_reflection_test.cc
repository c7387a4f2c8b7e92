// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modules that are not valid SPIR-V.

#include <random>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "state/shader/reflection_test.h"

namespace assay::state {
namespace {

using ::testing::IsEmpty;

TEST(MalformedReflection, NoModule) {
  EXPECT_FALSE(ReflectEntryPoint({}, "main", kCompute).found);
  EXPECT_FALSE(ReflectEntryPoint({0x07230203, 0x10000, 0, 10}, "main", kCompute).found);
  EXPECT_FALSE(ReflectEntryPoint({0x07230203, 0x10000, 0, 10, 0, 0}, "main", kCompute).found);
  EXPECT_FALSE(ReflectEntryPoint({0x07230203, 0x10000, 0, 0xFFFFFFFF, 0}, "main", kCompute).found);
}

// Vulkan, "Vulkan Environment for SPIR-V": words are in host endianness.
TEST(MalformedReflection, OtherByteOrder) {
  std::vector<uint32_t> words = Assemble(Text({.body = "%p = OpAccessChain %p_sb %a %c0\nOpStore %p %c1"}));
  ASSERT_TRUE(ReflectEntryPoint(words, "main", kCompute).found);
  for (uint32_t& word : words) word = __builtin_bswap32(word);
  EXPECT_FALSE(ReflectEntryPoint(words, "main", kCompute).found);
}

TEST(MalformedReflection, UnknownInstruction) {
  std::vector<uint32_t> words = Assemble(Text({.body = "%p = OpAccessChain %p_sb %a %c0\nOpStore %p %c1"}));
  ASSERT_TRUE(ReflectEntryPoint(words, "main", kCompute).found);
  // OpReturn, which OpFunctionEnd follows.
  words[words.size() - 2] = 1u << 16 | 0xFFFE;
  EXPECT_FALSE(ReflectEntryPoint(words, "main", kCompute).found);
}

TEST(MalformedReflection, RecursionAndCyclesEnd) {
  const std::string text = Text({.functions = R"(
    %f = OpFunction %void None %fn
    %l1 = OpLabel
    %r1 = OpFunctionCall %void %f
    %r2 = OpFunctionCall %void %main
    OpReturn
    OpFunctionEnd)",
                                 .body = R"(
    %r3 = OpFunctionCall %void %f
    %p = OpAccessChain %p_sb %q %c0
    %q = OpCopyObject %p_sb %p
    OpStore %q %c1)"});
  EXPECT_TRUE(ReflectEntryPoint(Assemble(text, /*validate=*/false), "main", kCompute).found);
}

TEST(MalformedReflection, TypesInThemselvesAreNoDescriptors) {
  EXPECT_THAT(
      DescriptorsOf({.decorations = "OpDecorate %loop DescriptorSet 0\nOpDecorate %loop Binding 8",
                     .globals = "%t_loop = OpTypeArray %t_loop %length\n%length = OpSpecConstantOp %uint IAdd %length "
                                "%length\n%p_loop = OpTypePointer StorageBuffer %t_loop\n"
                                "%loop = OpVariable %p_loop StorageBuffer",
                     .body = "%x = OpLoad %t_loop %loop"},
                    /*validate=*/false),
      IsEmpty());
}

TEST(MalformedReflection, ManyVariablesBehindManyPointersEnd) {
  std::string decorations;
  std::string globals;
  std::string body = "%p0 = OpCopyObject %p_sb_block %a\n";
  for (int i = 0; i < 5000; ++i) {
    absl::StrAppend(&decorations, "OpDecorate %v", i, " DescriptorSet 0\nOpDecorate %v", i, " Binding ", i, "\n");
    absl::StrAppend(&globals, "%v", i, " = OpVariable %p_sb_block StorageBuffer\n");
    absl::StrAppend(&body, "%p", i + 1, " = OpSelect %p_sb_block %true %p", i, " %v", i, "\n");
  }
  for (int i = 5000; i < 20000; ++i) absl::StrAppend(&body, "%p", i + 1, " = OpCopyObject %p_sb_block %p", i, "\n");
  const std::string text = Text({.decorations = decorations, .globals = globals, .body = body});
  EXPECT_FALSE(ReflectEntryPoint(Assemble(text, /*validate=*/false), "main", kCompute).found);
}

TEST(MalformedReflection, OperandsOutOfRange) {
  std::vector<uint32_t> words = Assemble(Text({.body = "%p = OpAccessChain %p_sb %a %c0\nOpStore %p %c1"}));
  ASSERT_TRUE(ReflectEntryPoint(words, "main", kCompute).found);
  // The pointer of the OpStore, which OpReturn and OpFunctionEnd follow, and the base of the OpAccessChain before it.
  for (size_t from_end : {4, 7}) {
    uint32_t& word = words[words.size() - from_end];
    const uint32_t original = std::exchange(word, 0x7FFFFFFF);
    EXPECT_FALSE(ReflectEntryPoint(words, "main", kCompute).found) << from_end;
    word = original;
  }
}

TEST(MalformedReflection, TruncatedAnywhere) {
  const std::vector<uint32_t> words = Assemble(std::string(kTwoEntryPoints), /*validate=*/false);
  for (size_t size = 0; size < words.size(); ++size) {
    // A copy, so that a sanitizer sees where it ends.
    const std::vector<uint32_t> part(words.data(), words.data() + size);
    ReflectEntryPoint(part, "main", VK_SHADER_STAGE_FRAGMENT_BIT);
  }
}

TEST(MalformedReflection, FlippedWords) {
  const std::vector<std::vector<uint32_t>> modules = {
      Assemble(std::string(kTwoEntryPoints), /*validate=*/false),
      Assemble(Text({.capabilities = kVariablePointers, .decorations = "OpDecorate %p_sb ArrayStride 4", .body = R"(
        %pa = OpAccessChain %p_sb %a %c1 %c0
        %pb = OpAccessChain %p_sb %b %c1 %c0
        %p = OpSelect %p_sb %true %pa %pb
        %q = OpPtrAccessChain %p_sb %p %c1
        %x = OpAtomicIAdd %uint %q %c1 %c0 %c4
        OpStore %q %x)"})),
  };
  std::mt19937 random(1);
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint32_t> words = modules[i % modules.size()];
    for (uint32_t flips = 1 + random() % 4; flips > 0; --flips) {
      // Sparing the bound, for which memory is set aside.
      uint32_t& word = words[4 + random() % (words.size() - 4)];
      switch (random() % 4) {
        case 0:
          word = random();
          break;
        case 1:
          word = random() % words.size();
          break;
        case 2:
          word ^= 1u << (random() % 32);
          break;
        default:
          word = words[random() % words.size()];
          break;
      }
    }
    const auto stage = i % 2 == 0 ? VK_SHADER_STAGE_FRAGMENT_BIT : kCompute;
    const EntryPointInterface result = ReflectEntryPoint(words, "main", stage);
    found += result.found ? 1 : 0;
    EXPECT_TRUE(result.found || result.descriptors.empty());
    for (const ReflectedDescriptor& descriptor : result.descriptors)
      EXPECT_TRUE(descriptor.is_read || descriptor.is_written);
  }
  // Module::Read does not refuse all of them.
  EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace assay::state
