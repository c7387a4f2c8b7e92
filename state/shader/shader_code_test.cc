// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/shader_code.h"

#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::state {
namespace {

constexpr VkShaderStageFlagBits kCompute = VK_SHADER_STAGE_COMPUTE_BIT;

// A compute shader "main" in workgroups of %n by 1 by 1, %n being the specialization constant 5 with the value 4.
std::vector<uint32_t> SpecializedShader() {
  return test::AssembleSpirv(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionModeId %main LocalSizeId %n %one %one
    OpDecorate %n SpecId 5
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %one = OpConstant %uint 1
    %n = OpSpecConstant %uint 4
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)");
}

std::vector<uint32_t> PlainShader(uint32_t binding = 0) {
  return test::AssembleSpirv(test::ComputeShader({.reads = {binding}}));
}

// Reflects "main" with one specialization constant.
std::shared_ptr<const EntryPointInterface> Specialized(ShaderCode& code, uint32_t id, uint32_t value) {
  const VkSpecializationMapEntry entry = {id, 0, sizeof(value)};
  const VkSpecializationInfo info = {1, &entry, sizeof(value), &value};
  return code.Reflect("main", kCompute, &info);
}

TEST(ShaderCode, IsReadOnceForAll) {
  ShaderCode code(PlainShader());
  const auto module = code.Read();
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(code.Read(), module);
  EXPECT_TRUE(code.Reflect("main", kCompute, nullptr)->found);
  EXPECT_EQ(code.Read(), module);
  // The last ones are kept, though nobody else does.
  const std::weak_ptr<const spirv_instrument::Module> kept = module;
  EXPECT_GT(kept.use_count(), 1);
  ShaderCode broken(std::vector<uint32_t>{1, 2, 3});
  EXPECT_EQ(broken.Read(), nullptr);
}

TEST(ShaderCode, ManyModulesAreNotKept) {
  std::weak_ptr<const spirv_instrument::Module> first;
  for (uint32_t i = 0; i < 100; ++i) {
    ShaderCode code(PlainShader(i));
    if (i == 0) first = code.Read();
    EXPECT_NE(code.Read(), nullptr);
  }
  EXPECT_TRUE(first.expired());
}

TEST(ShaderCode, ReflectsOnceForEachEntryPointAndStage) {
  ShaderCode code(PlainShader());
  const auto reflected = code.Reflect("main", kCompute, nullptr);
  EXPECT_TRUE(reflected->found);
  EXPECT_EQ(reflected->descriptors.size(), 1u);
  EXPECT_EQ(code.Reflect("main", kCompute, nullptr), reflected);
  EXPECT_FALSE(code.Reflect("other", kCompute, nullptr)->found);
  EXPECT_FALSE(code.Reflect("main", VK_SHADER_STAGE_VERTEX_BIT, nullptr)->found);
  EXPECT_EQ(code.Reflect("main", kCompute, nullptr), reflected);
}

TEST(ShaderCode, ReflectsOnceForEachSpecialization) {
  ShaderCode code(SpecializedShader());
  const auto by_default = code.Reflect("main", kCompute, nullptr);
  EXPECT_EQ(by_default->local_size[0], 4u);
  const auto eight = Specialized(code, 5, 8);
  EXPECT_EQ(eight->local_size[0], 8u);
  EXPECT_EQ(Specialized(code, 5, 16)->local_size[0], 16u);
  EXPECT_EQ(Specialized(code, 5, 8), eight);
  EXPECT_EQ(code.Reflect("main", kCompute, nullptr), by_default);
}

TEST(ShaderCode, ConstantsThatTheModuleDoesNotHaveAreIgnored) {
  ShaderCode specialized(SpecializedShader());
  EXPECT_EQ(Specialized(specialized, 6, 8), specialized.Reflect("main", kCompute, nullptr));
  ShaderCode plain(PlainShader());
  EXPECT_EQ(Specialized(plain, 5, 8), plain.Reflect("main", kCompute, nullptr));
}

// A reflection that the code does not keep is made again.
TEST(ShaderCode, KeepsABoundedNumberOfReflections) {
  ShaderCode code(SpecializedShader());
  const std::weak_ptr<const EntryPointInterface> first = Specialized(code, 5, 1);
  EXPECT_FALSE(first.expired());
  for (uint32_t i = 2; i < 1000; ++i) {
    EXPECT_EQ(Specialized(code, 5, i)->local_size[0], i);
  }
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(Specialized(code, 5, 1)->local_size[0], 1u);
}

TEST(ShaderCode, InvalidWords) {
  const std::vector<std::vector<uint32_t>> invalid = {
      {},
      {1, 2, 3},
      {0x07230203, 0x10000, 0, 9, 0, 0},
      {0x07230203, 0x10000, 0, 9, 0, 5u << 16},
      // OpCapability and OpDecorate without their last operands.
      {0x07230203, 0x10000, 0, 9, 0, 1u << 16 | 17},
      {0x07230203, 0x10000, 0, 9, 0, 3u << 16 | 71, 1, 1},
  };
  for (const std::vector<uint32_t>& words : invalid) {
    ShaderCode code(words);
    EXPECT_FALSE(code.accesses_device_addresses());
    EXPECT_FALSE(Specialized(code, 5, 8)->found);
  }
}

TEST(ShaderCode, DeviceAddresses) {
  const auto shader = [](std::string_view capability, std::string_view memory) {
    return test::AssembleSpirv(
        absl::StrCat("OpCapability Shader\n", capability, "\nOpMemoryModel ", memory, " GLSL450"));
  };
  EXPECT_FALSE(ShaderCode(shader("", "Logical")).accesses_device_addresses());
  EXPECT_TRUE(ShaderCode(shader("OpCapability PhysicalStorageBufferAddresses", "PhysicalStorageBuffer64"))
                  .accesses_device_addresses());
  // Reflect() has read the module then.
  ShaderCode reflected(shader("OpCapability PhysicalStorageBufferAddresses", "PhysicalStorageBuffer64"));
  EXPECT_FALSE(reflected.Reflect("main", kCompute, nullptr)->found);
  EXPECT_TRUE(reflected.accesses_device_addresses());
}

TEST(ShaderCode, ThreadsGetTheSameReflection) {
  ShaderCode code(SpecializedShader());
  constexpr uint32_t kThreads = 4;
  constexpr uint32_t kValues = 32;
  std::vector<std::vector<std::shared_ptr<const EntryPointInterface>>> results(kThreads);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&code, &result] {
      for (uint32_t i = 1; i <= kValues; ++i) {
        result.push_back(Specialized(code, 5, i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t i = 0; i < kValues; ++i) EXPECT_EQ(results[0][i]->local_size[0], i + 1);
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

TEST(ShaderCodes, ShareEqualContent) {
  ShaderCodes codes;
  const std::vector<uint32_t> first = PlainShader(0);
  const std::vector<uint32_t> second = PlainShader(1);
  const auto code = codes.Get(first);
  EXPECT_EQ(codes.Get(std::vector<uint32_t>(first)), code);
  EXPECT_NE(codes.Get(second), code);
  EXPECT_NE(codes.Get(std::vector<uint32_t>()), code);
  EXPECT_EQ(codes.Get(std::vector<uint32_t>()), codes.Get(std::vector<uint32_t>()));
}

// The module is destroyed when the pipeline is made, and made again for the next one.
TEST(ShaderCodes, CodeWithoutUsersIsKeptForAWhile) {
  ShaderCodes codes;
  const std::vector<uint32_t> words = PlainShader();
  const std::weak_ptr<ShaderCode> code = codes.Get(words);
  EXPECT_FALSE(code.expired());
  EXPECT_EQ(codes.Get(words), code.lock());
  for (uint32_t i = 0; i < 1000; ++i) codes.Get(std::vector<uint32_t>{i});
  EXPECT_TRUE(code.expired());
}

TEST(ShaderCodes, CodeInUseIsFoundHoweverMuchCameSince) {
  ShaderCodes codes;
  const std::vector<uint32_t> words = PlainShader();
  const std::shared_ptr<ShaderCode> code = codes.Get(words);
  for (uint32_t i = 0; i < 1000; ++i) codes.Get(std::vector<uint32_t>{i});
  EXPECT_EQ(codes.Get(words), code);
}

TEST(ShaderCodes, LargeCodeIsNotKept) {
  ShaderCodes codes;
  const std::weak_ptr<ShaderCode> small = codes.Get(PlainShader());
  const std::weak_ptr<ShaderCode> large = codes.Get(std::vector<uint32_t>((1 << 20) + 1, 7));
  EXPECT_FALSE(small.expired());
  EXPECT_TRUE(large.expired());
}

TEST(ShaderCodes, CodeWithoutUsersIsBoundedInSize) {
  ShaderCodes codes;
  const std::weak_ptr<ShaderCode> first = codes.Get(std::vector<uint32_t>(1 << 19, 7));
  const std::weak_ptr<ShaderCode> second = codes.Get(std::vector<uint32_t>(1 << 19, 8));
  EXPECT_FALSE(first.expired());
  const std::weak_ptr<ShaderCode> third = codes.Get(std::vector<uint32_t>(1 << 19, 9));
  EXPECT_TRUE(first.expired());
  EXPECT_FALSE(second.expired());
  EXPECT_FALSE(third.expired());
}

}  // namespace
}  // namespace assay::state
