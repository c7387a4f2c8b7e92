// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/debug_printf.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/block_counts.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/run_passes.h"

namespace assay::spirv_instrument {
namespace {

// A compute shader with these statements. %format is "%d"; %name is a string; values are named by their types.
std::vector<uint32_t> Shader(std::string_view statements) {
  return Assemble(std::string(R"(
    OpCapability Shader
    OpCapability Int8
    OpCapability Int16
    OpCapability Int64
    OpCapability Float16
    OpCapability Float64
    OpCapability PhysicalStorageBufferAddresses
    OpExtension "SPV_KHR_non_semantic_info"
    %print = OpExtInstImport "NonSemantic.DebugPrintf"
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %format = OpString "%d"
    %name = OpString "name"
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %type_bool = OpTypeBool
    %type_i8 = OpTypeInt 8 1
    %type_u16 = OpTypeInt 16 0
    %type_i32 = OpTypeInt 32 1
    %type_u32 = OpTypeInt 32 0
    %type_i64 = OpTypeInt 64 1
    %type_f16 = OpTypeFloat 16
    %type_f32 = OpTypeFloat 32
    %type_f64 = OpTypeFloat 64
    %type_bool2 = OpTypeVector %type_bool 2
    %type_i8v4 = OpTypeVector %type_i8 4
    %type_i64v3 = OpTypeVector %type_i64 3
    %type_f16v2 = OpTypeVector %type_f16 2
    %type_f32v4 = OpTypeVector %type_f32 4
    %type_f64v2 = OpTypeVector %type_f64 2
    %type_matrix = OpTypeMatrix %type_f32v4 2
    %type_pointer = OpTypePointer PhysicalStorageBuffer %type_u32
    %bool = OpUndef %type_bool
    %i8 = OpUndef %type_i8
    %u16 = OpUndef %type_u16
    %i32 = OpUndef %type_i32
    %u32 = OpUndef %type_u32
    %i64 = OpUndef %type_i64
    %f16 = OpUndef %type_f16
    %f32 = OpUndef %type_f32
    %f64 = OpUndef %type_f64
    %bool2 = OpUndef %type_bool2
    %i8v4 = OpUndef %type_i8v4
    %i64v3 = OpUndef %type_i64v3
    %f16v2 = OpUndef %type_f16v2
    %f32v4 = OpUndef %type_f32v4
    %f64v2 = OpUndef %type_f64v2
    %matrix = OpUndef %type_matrix
    %main = OpFunction %void None %function
    %entry = OpLabel
    %pointer = OpConvertUToPtr %type_pointer %i64
  )") + std::string(statements) +
                      "OpReturn\nOpFunctionEnd\n",
                  SPV_ENV_VULKAN_1_3);
}

Module ApplyPasses(const std::vector<uint32_t>& words, const std::vector<Pass*>& passes,
                   const FrameConfig& frame = {}) {
  absl::StatusOr<Instrumented> result = RunPasses(words, frame, passes);
  EXPECT_TRUE(result.ok()) << result.status();
  absl::StatusOr<Module> module = Module::Read(result.ok() ? result->words : words);
  EXPECT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(ValidationErrors(*module), "");
  return *std::move(module);
}

Module Apply(const std::vector<uint32_t>& words, const DebugPrintfConfig& config = {}, const FrameConfig& frame = {}) {
  const std::unique_ptr<Pass> pass = MakeDebugPrintf(config);
  return ApplyPasses(words, {pass.get()}, frame);
}

// The calls of the function with this name, in order.
std::vector<Instruction> Calls(const Module& module, std::string_view name) {
  const Decorations names(module);
  std::vector<Instruction> calls;
  for (const Instruction instruction : module.instructions()) {
    if (instruction.op() != spv::Op::OpFunctionCall) continue;
    const std::string_view callee = names.NameOf(instruction.id(0));
    if (callee.substr(0, callee.find('(')) == name) calls.push_back(instruction);
  }
  return calls;
}

// The value of a call's argument, which is a constant.
uint32_t Argument(const Module& module, Instruction call, size_t argument) {
  const Instruction constant = module.Find(call.id(argument + 1));
  EXPECT_EQ(constant.op(), spv::Op::OpConstant);
  return constant.literal(0);
}

size_t CountOf(const Module& module, spv::Op op) {
  size_t count = 0;
  for (const Instruction instruction : module.instructions()) count += instruction.op() == op ? 1 : 0;
  return count;
}

TEST(DebugPrintf, APrintBecomesCalls) {
  const std::vector<uint32_t> words = Shader("%a = OpExtInst %void %print 1 %format %u32\n");
  const Module module = Apply(words);
  EXPECT_EQ(CountOf(module, spv::Op::OpExtInst), 0u);
  const std::vector<Instruction> begin = Calls(module, "BeginPrint");
  const std::vector<Instruction> write = Calls(module, "WritePrintWords");
  const std::vector<Instruction> end = Calls(module, "EndPrint");
  ASSERT_EQ(begin.size(), 1u);
  ASSERT_EQ(write.size(), 1u);
  ASSERT_EQ(end.size(), 1u);
  // The record is handed on.
  EXPECT_EQ(write[0].id(1), begin[0].result_id());
  EXPECT_EQ(end[0].id(1), begin[0].result_id());
  // One word and three of padding.
  EXPECT_EQ(Argument(module, begin[0], 1), 4u);
  EXPECT_EQ(Argument(module, end[0], 1), 4u);
  EXPECT_EQ(Argument(module, write[0], 1), 0u);
  EXPECT_EQ(Argument(module, write[0], 3), 0u);
}

TEST(DebugPrintf, TheRecordNamesTheInstruction) {
  const std::vector<uint32_t> words = Shader("%a = OpExtInst %void %print 1 %format %u32\n");
  const absl::StatusOr<Module> original = Module::Read(words);
  ASSERT_TRUE(original.ok());
  uint32_t position = 0;
  for (const Instruction instruction : original->instructions()) {
    if (instruction.op() == spv::Op::OpExtInst) position = instruction.index();
  }
  const Module module = Apply(words);
  EXPECT_EQ(Argument(module, Calls(module, "BeginPrint")[0], 0), position);
}

TEST(DebugPrintf, WordsFollowTheTypes) {
  const struct {
    std::string_view arguments;
    uint32_t words;
  } kRows[] = {
      {"", 0},
      {"%bool", 1},
      {"%i8", 1},
      {"%u16", 1},
      {"%i32", 1},
      {"%i64", 2},
      {"%f16", 1},
      {"%f32", 1},
      {"%f64", 2},
      {"%bool2", 2},
      {"%i8v4", 4},
      {"%i64v3", 6},
      {"%f16v2", 2},
      {"%f32v4", 4},
      {"%f64v2", 4},
      {"%pointer", 2},
      {"%name", 0},
      {"%matrix", 0},
      {"%f32v4 %name %i64v3 %u16", 11},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.arguments);
    const Module module = Apply(Shader("%a = OpExtInst %void %print 1 %format " + std::string(row.arguments) + "\n"));
    const uint32_t padded = (row.words + 3) / 4 * 4;
    const std::vector<Instruction> begin = Calls(module, "BeginPrint");
    const std::vector<Instruction> write = Calls(module, "WritePrintWords");
    ASSERT_EQ(begin.size(), 1u);
    EXPECT_EQ(Argument(module, begin[0], 1), padded);
    ASSERT_EQ(write.size(), padded / 4);
    for (size_t i = 0; i < write.size(); ++i) EXPECT_EQ(Argument(module, write[i], 1), 4 * i);
    // Behind the last word is padding, and nothing else is a constant.
    const uint32_t last = write.empty() ? 0 : row.words - 4 * (static_cast<uint32_t>(write.size()) - 1);
    for (size_t i = 0; !write.empty() && i < 4; ++i) {
      EXPECT_EQ(module.Find(write.back().id(i + 3)).op() == spv::Op::OpConstant, i >= last);
    }
  }
}

TEST(DebugPrintf, EachWayToTheMemoryIsValid) {
  const std::vector<uint32_t> words = Shader("%a = OpExtInst %void %print 1 %format %f64v2 %pointer\n");
  for (const Reach reach : {Reach::kDescriptorSet, Reach::kPushConstant, Reach::kSpecializationConstant}) {
    FrameConfig frame;
    frame.runtime.reach = reach;
    EXPECT_EQ(Calls(Apply(words, {}, frame), "BeginPrint").size(), 1u);
  }
}

TEST(DebugPrintf, WrongFormatsCanBeRemoved) {
  const std::vector<uint32_t> words = Shader(R"(
    %a = OpExtInst %void %print 1 %format %f32
    %b = OpExtInst %void %print 1 %format %i32
  )");
  EXPECT_EQ(Calls(Apply(words), "BeginPrint").size(), 2u);
  const Module module = Apply(words, {.prints_wrong_formats = false});
  EXPECT_EQ(Calls(module, "BeginPrint").size(), 1u);
  EXPECT_EQ(CountOf(module, spv::Op::OpExtInst), 0u);
}

TEST(DebugPrintf, WithoutPrintsNothingChanges) {
  const std::vector<uint32_t> words = Shader("");
  const std::unique_ptr<Pass> pass = MakeDebugPrintf({});
  Pass* const passes[] = {pass.get()};
  const absl::StatusOr<Instrumented> result = RunPasses(words, {}, passes);
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->is_changed);
  EXPECT_EQ(result->words, words);
}

TEST(DebugPrintf, ABlockThatBeginsWithAPrintIsCountedToo) {
  const std::vector<uint32_t> words = Shader(R"(
    OpBranch %next
    %next = OpLabel
    %a = OpExtInst %void %print 1 %format %u32
  )");
  const std::unique_ptr<Pass> counts = MakeBlockCounts({});
  const std::unique_ptr<Pass> prints = MakeDebugPrintf({});
  const Module module = ApplyPasses(words, {counts.get(), prints.get()});
  EXPECT_EQ(Calls(module, "CountBlock").size(), 2u);
  EXPECT_EQ(Calls(module, "BeginPrint").size(), 1u);
}

}  // namespace
}  // namespace assay::spirv_instrument
