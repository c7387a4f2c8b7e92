// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_ASSEMBLY_TEST_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_ASSEMBLY_TEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv_instrument/ir/module.h"

// Modules as assembly text, for tests.
namespace assay::spirv_instrument {

// The words of a module. Ids that are numbers keep them. An error fails the test.
inline std::vector<uint32_t> Assemble(std::string_view text, spv_target_env environment = SPV_ENV_UNIVERSAL_1_6) {
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
    ADD_FAILURE() << "line " << at.line + 1 << ": " << message;
  });
  std::vector<uint32_t> words;
  tools.Assemble(text.data(), text.size(), &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS);
  return words;
}

inline Module ReadAssembly(std::string_view text, spv_target_env environment = SPV_ENV_UNIVERSAL_1_6) {
  absl::StatusOr<Module> module = Module::Read(Assemble(text, environment));
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

// An instruction a line, ids as numbers, without blanks at the beginning of lines.
inline std::string Disassemble(const std::vector<uint32_t>& words) {
  std::string text;
  spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_6).Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER);
  return text;
}

inline std::string Disassemble(const Module& module) {
  const absl::StatusOr<std::vector<uint32_t>> words = module.Write();
  EXPECT_TRUE(words.ok()) << words.status();
  return words.ok() ? Disassemble(*words) : "";
}

// What SPIRV-Tools' validator says of a module; "" if it is valid.
inline std::string ValidationErrors(const Module& module, spv_target_env environment = SPV_ENV_VULKAN_1_3) {
  const absl::StatusOr<std::vector<uint32_t>> words = module.Write();
  if (!words.ok()) return words.status().ToString();
  std::string errors;
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* message) {
    errors += message;
    errors += "\n";
  });
  return tools.Validate(*words) ? "" : errors;
}

// A compute shader: declarations, and functions behind them. %main has `body`.
inline std::string ComputeShader(std::string_view body, std::string_view globals = "",
                                 std::string_view decorations = "") {
  std::string text = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %buffer
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %array ArrayStride 4
    OpDecorate %Block Block
    OpMemberDecorate %Block 0 Offset 0
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
  )";
  text += decorations;
  text += R"(
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %true = OpConstantTrue %bool
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %ten = OpConstant %uint 10
    %array = OpTypeRuntimeArray %uint
    %Block = OpTypeStruct %array
    %ptr_Block = OpTypePointer StorageBuffer %Block
    %ptr_uint = OpTypePointer StorageBuffer %uint
    %buffer = OpVariable %ptr_Block StorageBuffer
  )";
  text += globals;
  text += R"(
    %main = OpFunction %void None %fn
  )";
  text += body;
  text += R"(
    OpFunctionEnd
  )";
  return text;
}

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_ASSEMBLY_TEST_H_
