// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_REFLECTION_TEST_H_
#define ASSAY_STATE_SHADER_REFLECTION_TEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "state/shader/reflection.h"

// Shaders for the tests of reflection: assembly text with parts to fill in, and the descriptors to expect of it.
namespace assay::state {

using Kind = ReflectedDescriptor::Kind;

inline constexpr VkShaderStageFlagBits kCompute = VK_SHADER_STAGE_COMPUTE_BIT;

// The parts of a compute shader in which tests differ, in the order of a SPIR-V module.
struct ShaderText {
  std::string_view capabilities;
  std::string_view extensions;
  std::string_view decorations;
  std::string_view globals;
  // Besides main.
  std::string_view functions;
  // Of main.
  std::string_view body;
  // Variables of the entry point besides %a, %b and %u.
  std::string_view interface;
};

inline constexpr std::string_view kDecorations = R"(
  OpDecorate %Block Block
  OpMemberDecorate %Block 0 Offset 0
  OpMemberDecorate %Block 1 Offset 16
  OpDecorate %array ArrayStride 4
  OpDecorate %a DescriptorSet 0
  OpDecorate %a Binding 0
  OpDecorate %b DescriptorSet 0
  OpDecorate %b Binding 1
  OpDecorate %u DescriptorSet 1
  OpDecorate %u Binding 2
)";

// Declares storage buffers %a and %b and the uniform buffer %u. A declaration alone is no access.
inline constexpr std::string_view kGlobals = R"(
  %void = OpTypeVoid
  %fn = OpTypeFunction %void
  %bool = OpTypeBool
  %true = OpConstantTrue %bool
  %uint = OpTypeInt 32 0
  %int = OpTypeInt 32 1
  %float = OpTypeFloat 32
  %v2float = OpTypeVector %float 2
  %v4float = OpTypeVector %float 4
  %v2int = OpTypeVector %int 2
  %v2uint = OpTypeVector %uint 2
  %v3uint = OpTypeVector %uint 3
  %c0 = OpConstant %uint 0
  %c1 = OpConstant %uint 1
  %c4 = OpConstant %uint 4
  %f0 = OpConstant %float 0
  %coord = OpConstantNull %v2float
  %icoord = OpConstantNull %v2int
  %texel = OpConstantNull %v4float
  %array = OpTypeRuntimeArray %uint
  %Block = OpTypeStruct %uint %array
  %p_sb_block = OpTypePointer StorageBuffer %Block
  %p_sb = OpTypePointer StorageBuffer %uint
  %a = OpVariable %p_sb_block StorageBuffer
  %b = OpVariable %p_sb_block StorageBuffer
  %UBlock = OpTypeStruct %uint
  %p_u_block = OpTypePointer Uniform %UBlock
  %p_u = OpTypePointer Uniform %uint
  %u = OpVariable %p_u_block Uniform
)";

inline constexpr std::string_view kUniformDecorations = R"(
  OpDecorate %UBlock Block
  OpMemberDecorate %UBlock 0 Offset 0
)";

inline constexpr std::string_view kVariablePointers = "OpCapability VariablePointers";

// The whole module as assembly text.
inline std::string Text(const ShaderText& shader) {
  return absl::StrCat("OpCapability Shader\n", shader.capabilities, "\n", shader.extensions,
                      "\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
                      "OpEntryPoint GLCompute %main \"main\" %a %b %u ",
                      shader.interface, "\nOpExecutionMode %main LocalSize 8 4 2\n", kDecorations, kUniformDecorations,
                      shader.decorations, "\n", kGlobals, shader.globals, "\n", shader.functions,
                      "\n%main = OpFunction %void None %fn\n%entry = OpLabel\n", shader.body,
                      "\nOpReturn\nOpFunctionEnd\n");
}

// The words of a module; `validate` expects it to be valid SPIR-V for Vulkan 1.3.
inline std::vector<uint32_t> Assemble(const std::string& text, bool validate = true) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
    ADD_FAILURE() << position.line << ": " << message;
  });
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << text;
  EXPECT_TRUE(!validate || tools.Validate(words)) << text;
  return words;
}

inline std::vector<ReflectedDescriptor> DescriptorsOf(const ShaderText& shader, bool validate = true) {
  const EntryPointInterface result = ReflectEntryPoint(Assemble(Text(shader), validate), "main", kCompute);
  EXPECT_TRUE(result.found);
  return result.descriptors;
}

// Descriptors that a shader reads, writes, or both.
inline ReflectedDescriptor Read(uint32_t set, uint32_t binding, Kind kind, uint32_t array_size = 1) {
  return {.set = set,
          .binding = binding,
          .is_read = true,
          .is_written = false,
          .kind = kind,
          .array_size = array_size,
          // That of %u.
          .block_size = kind == Kind::kUniformBuffer ? uint64_t{4} : 0};
}

inline ReflectedDescriptor Written(uint32_t set, uint32_t binding, Kind kind, uint32_t array_size = 1) {
  return {.set = set, .binding = binding, .is_read = false, .is_written = true, .kind = kind, .array_size = array_size};
}

inline ReflectedDescriptor Both(uint32_t set, uint32_t binding, Kind kind, uint32_t array_size = 1) {
  return {.set = set, .binding = binding, .is_read = true, .is_written = true, .kind = kind, .array_size = array_size};
}

// A descriptor that the shader accesses by atomics alone.
inline ReflectedDescriptor Atomic(ReflectedDescriptor descriptor) {
  descriptor.is_atomic = true;
  return descriptor;
}

// A block of a fixed size in bytes.
inline ReflectedDescriptor Sized(ReflectedDescriptor descriptor, uint64_t size) {
  descriptor.block_size = size;
  return descriptor;
}

// An array of which the shader computes an index.
inline ReflectedDescriptor WithUnknown(ReflectedDescriptor descriptor, const ReflectedDescriptor::Element& element) {
  descriptor.unknown_element = element;
  return descriptor;
}

// A descriptor with the elements of its array that the shader names.
inline ReflectedDescriptor Of(ReflectedDescriptor descriptor, std::vector<ReflectedDescriptor::Element> elements) {
  descriptor.elements = std::move(elements);
  return descriptor;
}

// Entry points of two stages with the same name, and one with a LocalSize.
inline constexpr std::string_view kTwoEntryPoints = R"(
  OpCapability Shader
  OpCapability InputAttachment
  OpMemoryModel Logical GLSL450
  OpEntryPoint Fragment %frag "main"
  OpEntryPoint GLCompute %comp "main"
  OpEntryPoint GLCompute %sized "sized"
  OpExecutionMode %frag OriginUpperLeft
  OpExecutionModeId %comp LocalSizeId %n %two %one
  OpExecutionMode %sized LocalSize 3 5 7
  OpDecorate %v DescriptorSet 0
  OpDecorate %v Binding 1
  OpDecorate %v InputAttachmentIndex 0
  %void = OpTypeVoid
  %fn = OpTypeFunction %void
  %float = OpTypeFloat 32
  %v4float = OpTypeVector %float 4
  %int = OpTypeInt 32 1
  %uint = OpTypeInt 32 0
  %n = OpSpecConstant %uint 64
  %one = OpConstant %uint 1
  %two = OpConstant %uint 2
  %v2int = OpTypeVector %int 2
  %zero = OpConstantNull %v2int
  %image = OpTypeImage %float SubpassData 0 0 0 2 Unknown
  %p_image = OpTypePointer UniformConstant %image
  %v = OpVariable %p_image UniformConstant
  %frag = OpFunction %void None %fn
  %l1 = OpLabel
  %i = OpLoad %image %v
  %x = OpImageRead %v4float %i %zero
  OpReturn
  OpFunctionEnd
  %comp = OpFunction %void None %fn
  %l2 = OpLabel
  OpReturn
  OpFunctionEnd
  %sized = OpFunction %void None %fn
  %l3 = OpLabel
  OpReturn
  OpFunctionEnd)";

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_REFLECTION_TEST_H_
