// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INTERPRETER_TEST_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INTERPRETER_TEST_H_

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/model/interpreter/interpreter.h"

// Shaders in assembly, and what they run on, for tests of the interpreter.
namespace assay::spirv_instrument::model {

// What all shaders here begin with: `data` is an array of two blocks of uint[] at binding 0, `out` one such block at
// binding 1, `push` a structure of an address of such a block and a uint, `texels` an r32ui image at binding 2.
inline constexpr char kDeclarations[] = R"(
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main "main" %id %data %out %push %texels %shared
OpExecutionMode %main LocalSize 2 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
OpDecorate %texels DescriptorSet 0
OpDecorate %texels Binding 2
OpDecorate %uints ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %push_block Block
OpMemberDecorate %push_block 0 Offset 0
OpMemberDecorate %push_block 1 Offset 8
OpMemberDecorate %push_block 2 Offset 16
OpMemberDecorate %push_block 2 MatrixStride 16
OpMemberDecorate %push_block 2 RowMajor
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%float2 = OpTypeVector %float 2
%float3 = OpTypeVector %float 3
%float2x3 = OpTypeMatrix %float3 2
%uint2 = OpTypeVector %uint 2
%uint3 = OpTypeVector %uint 3
%uint4 = OpTypeVector %uint 4
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%3 = OpConstant %uint 3
%7 = OpConstant %uint 7
%100 = OpConstant %uint 100
%264 = OpConstant %uint 264
%minus1 = OpConstant %int -1
%main_type = OpTypeFunction %void
%function_type = OpTypeFunction %uint %uint
%uints = OpTypeRuntimeArray %uint
%block = OpTypeStruct %uints
%blocks = OpTypeArray %block %2
%block_pointer = OpTypePointer PhysicalStorageBuffer %block
%push_block = OpTypeStruct %block_pointer %uint %float2x3
%image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%array2 = OpTypeArray %uint %2
%to_id = OpTypePointer Input %uint3
%to_blocks = OpTypePointer StorageBuffer %blocks
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%to_push = OpTypePointer PushConstant %push_block
%to_push_uint = OpTypePointer PushConstant %uint
%to_push_address = OpTypePointer PushConstant %block_pointer
%to_push_float = OpTypePointer PushConstant %float
%to_push_column = OpTypePointer PushConstant %float3
%to_address_uint = OpTypePointer PhysicalStorageBuffer %uint
%to_image = OpTypePointer UniformConstant %image
%to_shared = OpTypePointer Workgroup %array2
%to_shared_uint = OpTypePointer Workgroup %uint
%to_texel = OpTypePointer Image %uint
%id = OpVariable %to_id Input
%data = OpVariable %to_blocks StorageBuffer
%out = OpVariable %to_block StorageBuffer
%push = OpVariable %to_push PushConstant
%texels = OpVariable %to_image UniformConstant
%shared = OpVariable %to_shared Workgroup
)";

// Loads the number of the invocation into %i.
inline constexpr char kMain[] = R"(
%main = OpFunction %void None %main_type
%entry = OpLabel
%ids = OpLoad %uint3 %id
%i = OpCompositeExtract %uint %ids 0
)";

inline std::vector<uint32_t> Assemble(const std::string& body) {
  std::string error;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.SetMessageConsumer(
      [&error](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
        absl::StrAppend(&error, position.line, ": ", message, "\n");
      });
  std::vector<uint32_t> words;
  const std::string text = absl::StrCat(kDeclarations, kMain, body);
  EXPECT_TRUE(tools.Assemble(text.data(), text.size(), &words)) << error;
  EXPECT_TRUE(tools.Validate(words)) << error;
  return words;
}

inline std::vector<uint8_t> Bytes(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

// One workgroup of two invocations. data[0] is 10, 11, 12, 13; data[1] is the second half of "second": 22, 23. `out`
// has eight zeros. The address is that of "target", which is 30, 31, 32.
inline corpus::Setup MakeSetup() {
  corpus::Setup setup;
  setup.buffers = {{"first", 16, {Bytes({10, 11, 12, 13}), {}}},
                   {"second", 16, {Bytes({20, 21, 22, 23}), {}}},
                   {"out", 32, {}},
                   {"target", 12, {Bytes({30, 31, 32}), {}}}};
  setup.images = {
      {.name = "texels", .format = VK_FORMAT_R32_UINT, .extent = {2, 2, 1}, .contents = {Bytes({40, 41, 42, 43}), {}}}};
  setup.bindings = {
      {.binding = 0, .count = 2, .elements = {{.resource = "first"}, {.resource = "second", .offset = 8, .range = 8}}},
      {.binding = 1, .elements = {{.resource = "out"}}},
      {.binding = 2, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .elements = {{.resource = "texels"}}}};
  // A row-major matrix of two columns and three rows: (1 2), (3 4), (5 6).
  setup.push_constants = {std::vector<uint8_t>(64), {{0, "target", 0}}};
  const uint32_t seven = 7;
  std::memcpy(setup.push_constants.bytes.data() + 8, &seven, sizeof(seven));
  const float rows[] = {1, 2, 0, 0, 3, 4, 0, 0, 5, 6};
  std::memcpy(setup.push_constants.bytes.data() + 16, rows, sizeof(rows));
  return setup;
}

struct Outcome {
  std::vector<uint32_t> out;
  // Kind, and the result id or, without, opcode of the instruction.
  std::set<Fault> faults;
  std::map<Fault, std::set<Fault>> earlier;
  std::vector<uint32_t> words;
};

inline std::vector<uint32_t> Words(const std::vector<uint8_t>& bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

inline Outcome Execute(const std::string& body, const corpus::Setup& setup = MakeSetup()) {
  Outcome outcome = {.words = Assemble(absl::StrCat(body, "OpReturn\nOpFunctionEnd\n"))};
  const absl::StatusOr<Interpretation> result = Interpret(outcome.words, setup);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return outcome;
  for (const Interpretation::Contents& contents : result->buffers) {
    if (contents.name == "out") outcome.out = Words(contents.bytes);
  }
  outcome.faults = result->faults;
  outcome.earlier = result->earlier;
  return outcome;
}

// The position of the first instruction with this opcode after as many others of it.
inline uint32_t Position(const Outcome& outcome, spv::Op op, int skipped = 0) {
  const absl::StatusOr<Module> module = Module::Read(outcome.words);
  if (!module.ok()) return 0;
  for (Instruction instruction : module->instructions()) {
    if (instruction.op() == op && skipped-- == 0) return instruction.index();
  }
  return 0;
}

// Stores %value at out[%i].
inline constexpr char kStoreValue[] = R"(
%at = OpAccessChain %to_uint %out %0 %i
OpStore %at %value
)";

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INTERPRETER_TEST_H_
