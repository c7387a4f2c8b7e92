// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/shaders.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"

namespace assay::test {
namespace {

// The names of a list of variables, each with a space before it: " %in0 %in1".
std::string Names(std::string_view prefix, const std::set<uint32_t>& numbers) {
  std::string names;
  for (uint32_t number : numbers) absl::StrAppend(&names, " %", prefix, number);
  return names;
}

std::set<uint32_t> UpTo(uint32_t end) {
  std::set<uint32_t> numbers;
  for (uint32_t i = 0; i < end; ++i) numbers.insert(i);
  return numbers;
}

std::string Header(std::string_view model, const std::string& interface) {
  return absl::StrCat(
      "OpCapability Shader\n"
      "OpMemoryModel Logical GLSL450\n"
      "OpEntryPoint ",
      model, " %main \"main\"", interface, "\n");
}

constexpr std::string_view kFunctionTypes =
    "%void = OpTypeVoid\n"
    "%function = OpTypeFunction %void\n";
constexpr std::string_view kBegin =
    "%main = OpFunction %void None %function\n"
    "%entry = OpLabel\n";
constexpr std::string_view kEnd =
    "OpReturn\n"
    "OpFunctionEnd\n";

}  // namespace

std::vector<uint32_t> AssembleSpirv(std::string_view text) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
    ADD_FAILURE() << "line " << position.line + 1 << ": " << message;
  });
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text.data(), text.size(), &words));
  return words;
}

std::string ComputeShader(const StorageAccesses& accesses) {
  std::set<uint32_t> bindings(accesses.reads.begin(), accesses.reads.end());
  bindings.insert(accesses.writes.begin(), accesses.writes.end());
  std::string text = Header("GLCompute", Names("buffer", bindings));
  absl::StrAppend(&text,
                  "OpExecutionMode %main LocalSize 1 1 1\n"
                  "OpMemberDecorate %block 0 Offset 0\n"
                  "OpMemberDecorate %block 1 Offset 4\n"
                  "OpDecorate %words ArrayStride 4\n"
                  "OpDecorate %block Block\n");
  for (uint32_t binding : bindings) {
    absl::StrAppend(&text, "OpDecorate %buffer", binding, " DescriptorSet 0\n", "OpDecorate %buffer", binding,
                    " Binding ", binding, "\n");
  }
  absl::StrAppend(&text, kFunctionTypes,
                  "%uint = OpTypeInt 32 0\n"
                  "%zero = OpConstant %uint 0\n"
                  "%words = OpTypeRuntimeArray %uint\n"
                  "%block = OpTypeStruct %uint %words\n"
                  "%block_pointer = OpTypePointer StorageBuffer %block\n"
                  "%uint_pointer = OpTypePointer StorageBuffer %uint\n");
  for (uint32_t binding : bindings) {
    absl::StrAppend(&text, "%buffer", binding, " = OpVariable %block_pointer StorageBuffer\n");
  }
  absl::StrAppend(&text, kBegin);
  std::string sum = "%zero";
  for (uint32_t binding : accesses.reads) {
    absl::StrAppend(&text, "%from", binding, " = OpAccessChain %uint_pointer %buffer", binding, " %zero\n");
    absl::StrAppend(&text, "%value", binding, " = OpLoad %uint %from", binding, "\n");
    absl::StrAppend(&text, "%sum", binding, " = OpIAdd %uint ", sum, " %value", binding, "\n");
    sum = absl::StrCat("%sum", binding);
  }
  for (uint32_t binding : accesses.writes) {
    absl::StrAppend(&text, "%to", binding, " = OpAccessChain %uint_pointer %buffer", binding, " %zero\n");
    absl::StrAppend(&text, "OpStore %to", binding, " ", sum, "\n");
  }
  return absl::StrCat(text, kEnd);
}

std::string VertexShader(uint32_t attributes) {
  std::string text = Header("Vertex", absl::StrCat(" %position", Names("in", UpTo(attributes))));
  absl::StrAppend(&text, "OpDecorate %position BuiltIn Position\n");
  for (uint32_t i = 0; i < attributes; ++i) absl::StrAppend(&text, "OpDecorate %in", i, " Location ", i, "\n");
  absl::StrAppend(&text, kFunctionTypes,
                  "%float = OpTypeFloat 32\n"
                  "%vec4 = OpTypeVector %float 4\n"
                  "%input = OpTypePointer Input %vec4\n"
                  "%output = OpTypePointer Output %vec4\n"
                  "%zero = OpConstant %float 0\n"
                  "%sum = OpConstantComposite %vec4 %zero %zero %zero %zero\n"
                  "%position = OpVariable %output Output\n");
  for (uint32_t i = 0; i < attributes; ++i) absl::StrAppend(&text, "%in", i, " = OpVariable %input Input\n");
  absl::StrAppend(&text, kBegin);
  std::string sum = "%sum";
  for (uint32_t i = 0; i < attributes; ++i) {
    absl::StrAppend(&text, "%value", i, " = OpLoad %vec4 %in", i, "\n");
    absl::StrAppend(&text, "%sum", i, " = OpFAdd %vec4 ", sum, " %value", i, "\n");
    sum = absl::StrCat("%sum", i);
  }
  return absl::StrCat(text, "OpStore %position ", sum, "\n", kEnd);
}

std::string FragmentShader(uint32_t attachments) {
  std::string text = Header("Fragment", Names("out", UpTo(attachments)));
  absl::StrAppend(&text, "OpExecutionMode %main OriginUpperLeft\n");
  for (uint32_t i = 0; i < attachments; ++i) absl::StrAppend(&text, "OpDecorate %out", i, " Location ", i, "\n");
  absl::StrAppend(&text, kFunctionTypes,
                  "%float = OpTypeFloat 32\n"
                  "%vec4 = OpTypeVector %float 4\n"
                  "%output = OpTypePointer Output %vec4\n"
                  "%one = OpConstant %float 1\n"
                  "%white = OpConstantComposite %vec4 %one %one %one %one\n");
  for (uint32_t i = 0; i < attachments; ++i) absl::StrAppend(&text, "%out", i, " = OpVariable %output Output\n");
  absl::StrAppend(&text, kBegin);
  for (uint32_t i = 0; i < attachments; ++i) absl::StrAppend(&text, "OpStore %out", i, " %white\n");
  return absl::StrCat(text, kEnd);
}

}  // namespace assay::test
