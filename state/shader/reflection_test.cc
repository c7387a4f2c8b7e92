// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/reflection.h"

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"

namespace assay::state {
namespace {

using Kind = ReflectedDescriptor::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr VkShaderStageFlagBits kCompute = VK_SHADER_STAGE_COMPUTE_BIT;

// What the shaders of these tests differ in, in the order of a module.
struct Shader {
  std::string_view capabilities = "";
  std::string_view extensions = "";
  std::string_view decorations = "";
  std::string_view globals = "";
  // Besides main.
  std::string_view functions = "";
  // Of main.
  std::string_view body = "";
  // Variables of the entry point besides %a, %b and %u.
  std::string_view interface = "";
};

constexpr std::string_view kDecorations = R"(
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

// Storage buffers %a and %b and the uniform buffer %u, which are no access by being there.
constexpr std::string_view kGlobals = R"(
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

constexpr std::string_view kUniformDecorations = R"(
  OpDecorate %UBlock Block
  OpMemberDecorate %UBlock 0 Offset 0
)";

std::string Text(const Shader& shader) {
  return absl::StrCat("OpCapability Shader\n", shader.capabilities, "\n", shader.extensions,
                      "\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
                      "OpEntryPoint GLCompute %main \"main\" %a %b %u ",
                      shader.interface, "\nOpExecutionMode %main LocalSize 8 4 2\n", kDecorations, kUniformDecorations,
                      shader.decorations, "\n", kGlobals, shader.globals, "\n", shader.functions,
                      "\n%main = OpFunction %void None %fn\n%entry = OpLabel\n", shader.body,
                      "\nOpReturn\nOpFunctionEnd\n");
}

std::vector<uint32_t> Assemble(const std::string& text, bool validate = true) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
    ADD_FAILURE() << position.line << ": " << message;
  });
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << text;
  EXPECT_TRUE(!validate || tools.Validate(words)) << text;
  return words;
}

std::vector<ReflectedDescriptor> DescriptorsOf(const Shader& shader, bool validate = true) {
  const EntryPointInterface result = ReflectEntryPoint(Assemble(Text(shader), validate), "main", kCompute);
  EXPECT_TRUE(result.found);
  return result.descriptors;
}

ReflectedDescriptor Read(uint32_t set, uint32_t binding, Kind kind, uint32_t array_size = 1) {
  return {.set = set, .binding = binding, .is_read = true, .is_written = false, .kind = kind, .array_size = array_size};
}

ReflectedDescriptor Written(uint32_t set, uint32_t binding, Kind kind, uint32_t array_size = 1) {
  return {.set = set, .binding = binding, .is_read = false, .is_written = true, .kind = kind, .array_size = array_size};
}

ReflectedDescriptor Both(uint32_t set, uint32_t binding, Kind kind, uint32_t array_size = 1) {
  return {.set = set, .binding = binding, .is_read = true, .is_written = true, .kind = kind, .array_size = array_size};
}

// The elements of its array that the shader names.
ReflectedDescriptor Of(ReflectedDescriptor descriptor, std::vector<ReflectedDescriptor::Element> elements) {
  descriptor.elements = std::move(elements);
  return descriptor;
}

TEST(Reflection, DeclaredIsNotUsed) { EXPECT_THAT(DescriptorsOf({}), IsEmpty()); }

TEST(Reflection, LoadReadsAndStoreWrites) {
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pu = OpAccessChain %p_u %u %c0
    %x = OpLoad %uint %pu
    %pa = OpAccessChain %p_sb %a %c1 %x
    OpStore %pa %x
    %pb = OpInBoundsAccessChain %p_sb %b %c0
    %y = OpLoad %uint %pb
    OpStore %pb %y)"}),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer), Both(0, 1, Kind::kStorageBuffer),
                          Read(1, 2, Kind::kUniformBuffer)));
}

TEST(Reflection, PointingAndArrayLengthAreNoAccess) {
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %length = OpArrayLength %uint %b 1)"}),
              IsEmpty());
}

TEST(Reflection, AtomicsReadAndWriteEachItsOwnWay) {
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicLoad %uint %pa %c1 %c0)"}),
              ElementsAre(Read(0, 0, Kind::kStorageBuffer)));
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    OpAtomicStore %pa %c1 %c0 %c4)"}),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer)));
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicIAdd %uint %pa %c1 %c0 %c4)"}),
              ElementsAre(Both(0, 0, Kind::kStorageBuffer)));
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicCompareExchange %uint %pa %c1 %c0 %c0 %c4 %c1)"}),
              ElementsAre(Both(0, 0, Kind::kStorageBuffer)));
}

TEST(Reflection, CopyMemoryReadsTheSecondAndWritesTheFirst) {
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %pu = OpAccessChain %p_u %u %c0
    OpCopyMemory %pa %pu)"}),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer), Read(1, 2, Kind::kUniformBuffer)));
}

TEST(Reflection, OnlyReachableFunctionsCount) {
  constexpr std::string_view kFunctions = R"(
    %reached = OpFunction %void None %fn
    %l1 = OpLabel
    %pa = OpAccessChain %p_sb %a %c0
    OpStore %pa %c1
    %r2 = OpFunctionCall %void %deeper
    OpReturn
    OpFunctionEnd
    %unreached = OpFunction %void None %fn
    %l2 = OpLabel
    %pb = OpAccessChain %p_sb %b %c0
    OpStore %pb %c1
    OpReturn
    OpFunctionEnd
    %deeper = OpFunction %void None %fn
    %l3 = OpLabel
    %pu = OpAccessChain %p_u %u %c0
    %x = OpLoad %uint %pu
    OpReturn
    OpFunctionEnd)";
  EXPECT_THAT(DescriptorsOf({.functions = kFunctions, .body = "%r1 = OpFunctionCall %void %reached"}),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer), Read(1, 2, Kind::kUniformBuffer)));
}

constexpr std::string_view kVariablePointers = "OpCapability VariablePointers";

TEST(Reflection, FollowsPointerParametersAndResults) {
  constexpr std::string_view kGlobals = R"(
    %fn_store = OpTypeFunction %void %p_sb
    %fn_choose = OpTypeFunction %p_sb %p_sb)";
  constexpr std::string_view kFunctions = R"(
    %store = OpFunction %void None %fn_store
    %p = OpFunctionParameter %p_sb
    %l1 = OpLabel
    OpStore %p %c1
    OpReturn
    OpFunctionEnd
    %choose = OpFunction %p_sb None %fn_choose
    %q = OpFunctionParameter %p_sb
    %l2 = OpLabel
    OpReturnValue %q
    OpFunctionEnd)";
  EXPECT_THAT(
      DescriptorsOf({.capabilities = kVariablePointers, .globals = kGlobals, .functions = kFunctions, .body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %r = OpFunctionCall %void %store %pa
    %pb = OpAccessChain %p_sb %b %c0
    %pc = OpFunctionCall %p_sb %choose %pb
    %x = OpLoad %uint %pc)"}),
      ElementsAre(Written(0, 0, Kind::kStorageBuffer), Read(0, 1, Kind::kStorageBuffer)));
}

TEST(Reflection, FollowsSelectPhiCopyAndPtrAccessChain) {
  constexpr Shader kSelect = {
      .capabilities = kVariablePointers, .decorations = "OpDecorate %p_sb ArrayStride 4", .body = R"(
    %pa = OpAccessChain %p_sb %a %c1 %c0
    %pb = OpAccessChain %p_sb %b %c1 %c0
    %p = OpSelect %p_sb %true %pa %pb
    %q = OpPtrAccessChain %p_sb %p %c1
    %r = OpCopyObject %p_sb %q
    OpStore %r %c1)"};
  EXPECT_THAT(DescriptorsOf(kSelect),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer), Written(0, 1, Kind::kStorageBuffer)));
  constexpr Shader kPhi = {
      .capabilities = kVariablePointers, .decorations = "OpDecorate %p_sb ArrayStride 4", .body = R"(
    %pa = OpAccessChain %p_sb %a %c1 %c0
    OpBranch %loop
    %loop = OpLabel
    %p = OpPhi %p_sb %pa %entry %next %continue
    OpLoopMerge %end %continue None
    OpBranchConditional %true %continue %end
    %continue = OpLabel
    %next = OpPtrAccessChain %p_sb %p %c1
    OpBranch %loop
    %end = OpLabel
    %x = OpLoad %uint %p)"};
  EXPECT_THAT(DescriptorsOf(kPhi), ElementsAre(Read(0, 0, Kind::kStorageBuffer)));
}

TEST(Reflection, FollowsPointersThroughLocalVariables) {
  EXPECT_THAT(DescriptorsOf({.capabilities = kVariablePointers,
                             .globals = "%p_p = OpTypePointer Function %p_sb %p_priv = OpTypePointer Private %p_sb\n"
                                        "%fn_fill = OpTypeFunction %void %p_p",
                             .functions = R"(
    %fill = OpFunction %void None %fn_fill
    %target = OpFunctionParameter %p_p
    %l1 = OpLabel
    %pb = OpAccessChain %p_sb %b %c0
    OpStore %target %pb
    OpReturn
    OpFunctionEnd)",
                             .body = R"(
    %local = OpVariable %p_p Function
    %filled = OpVariable %p_p Function
    %pa = OpAccessChain %p_sb %a %c0
    OpStore %local %pa
    %p = OpLoad %p_sb %local
    OpStore %p %c1
    %r = OpFunctionCall %void %fill %filled
    %q = OpLoad %p_sb %filled
    %x = OpLoad %uint %q)"}),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer), Read(0, 1, Kind::kStorageBuffer)));
}

TEST(Reflection, StoringALoadedStructInALocalVariableIsNoWrite) {
  EXPECT_THAT(DescriptorsOf({.globals = "%p_f = OpTypePointer Function %UBlock\n"
                                        "%p_fu = OpTypePointer Function %uint",
                             .body = R"(
    %local = OpVariable %p_f Function
    %x = OpLoad %UBlock %u
    OpStore %local %x
    %m = OpAccessChain %p_fu %local %c0
    OpStore %m %c4)"}),
              ElementsAre(Read(1, 2, Kind::kUniformBuffer)));
}

TEST(Reflection, ExtendedInstructionsWriteThroughPointers) {
  EXPECT_THAT(
      DescriptorsOf({.decorations = "OpDecorate %FBlock Block\nOpMemberDecorate %FBlock 0 Offset 0\n"
                                    "OpDecorate %f DescriptorSet 2\nOpDecorate %f Binding 0",
                     .globals = "%FBlock = OpTypeStruct %float\n%p_fb = OpTypePointer StorageBuffer %FBlock\n"
                                "%p_f = OpTypePointer StorageBuffer %float\n%f = OpVariable %p_fb StorageBuffer",
                     .body = R"(
    %p = OpAccessChain %p_f %f %c0
    %x = OpExtInst %float %glsl Modf %f0 %p)",
                     .interface = "%f"}),
      ElementsAre(Written(2, 0, Kind::kStorageBuffer)));
}

// An array of images, a sampler, a combined image sampler, a storage image and two texel buffers.
constexpr std::string_view kImageDecorations = R"(
  OpDecorate %tex DescriptorSet 3
  OpDecorate %tex Binding 0
  OpDecorate %smp DescriptorSet 3
  OpDecorate %smp Binding 1
  OpDecorate %comb DescriptorSet 3
  OpDecorate %comb Binding 2
  OpDecorate %sto DescriptorSet 3
  OpDecorate %sto Binding 3
  OpDecorate %utb DescriptorSet 3
  OpDecorate %utb Binding 4
  OpDecorate %stb DescriptorSet 3
  OpDecorate %stb Binding 5
)";

constexpr std::string_view kImageGlobals = R"(
  %t_tex = OpTypeImage %float 2D 0 0 0 1 Unknown
  %t_smp = OpTypeSampler
  %t_comb = OpTypeSampledImage %t_tex
  %t_sto = OpTypeImage %float 2D 0 0 0 2 Rgba32f
  %t_utb = OpTypeImage %float Buffer 0 0 0 1 Unknown
  %t_stb = OpTypeImage %uint Buffer 0 0 0 2 R32ui
  %texels = OpTypeArray %t_tex %c4
  %p_tex = OpTypePointer UniformConstant %t_tex
  %p_texels = OpTypePointer UniformConstant %texels
  %p_smp = OpTypePointer UniformConstant %t_smp
  %p_comb = OpTypePointer UniformConstant %t_comb
  %p_sto = OpTypePointer UniformConstant %t_sto
  %p_utb = OpTypePointer UniformConstant %t_utb
  %p_stb = OpTypePointer UniformConstant %t_stb
  %p_image = OpTypePointer Image %uint
  %tex = OpVariable %p_texels UniformConstant
  %smp = OpVariable %p_smp UniformConstant
  %comb = OpVariable %p_comb UniformConstant
  %sto = OpVariable %p_sto UniformConstant
  %utb = OpVariable %p_utb UniformConstant
  %stb = OpVariable %p_stb UniformConstant
)";

std::vector<ReflectedDescriptor> ImageDescriptorsOf(std::string_view body, std::string_view functions = "") {
  return DescriptorsOf({.capabilities = "OpCapability ImageBuffer OpCapability SampledBuffer OpCapability ImageQuery",
                        .decorations = kImageDecorations,
                        .globals = kImageGlobals,
                        .functions = functions,
                        .body = body,
                        .interface = "%tex %smp %comb %sto %utb %stb"});
}

TEST(Reflection, SamplingReadsImageAndSampler) {
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %pt = OpAccessChain %p_tex %tex %c1
    %t = OpLoad %t_tex %pt
    %s = OpLoad %t_smp %smp
    %st = OpSampledImage %t_comb %t %s
    %x = OpImageSampleExplicitLod %v4float %st %coord Lod %f0)"),
              ElementsAre(Of(Read(3, 0, Kind::kSampledImage, 4), {{1, true, false}}), Read(3, 1, Kind::kSampler)));
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %st = OpLoad %t_comb %comb
    %x = OpImageGather %v4float %st %coord %c0)"),
              ElementsAre(Read(3, 2, Kind::kSampledImage)));
}

TEST(Reflection, FetchThroughOpImageLeavesTheSamplerAlone) {
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %pt = OpAccessChain %p_tex %tex %c1
    %t = OpLoad %t_tex %pt
    %s = OpLoad %t_smp %smp
    %st = OpSampledImage %t_comb %t %s
    %i = OpImage %t_tex %st
    %x = OpImageFetch %v4float %i %icoord)"),
              ElementsAre(Of(Read(3, 0, Kind::kSampledImage, 4), {{1, true, false}})));
}

TEST(Reflection, ElementsNamedByConstants) {
  // Each for itself, and by several chains.
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %p3 = OpAccessChain %p_tex %tex %c4
    %p1 = OpAccessChain %p_tex %tex %c1
    %p1b = OpInBoundsAccessChain %p_tex %tex %c1
    %p0 = OpAccessChain %p_tex %tex %c0
    %t3 = OpLoad %t_tex %p3
    %t1 = OpLoad %t_tex %p1
    %t0 = OpLoad %t_tex %p0
    %x = OpImageFetch %v4float %t3 %icoord
    %y = OpImageFetch %v4float %t1 %icoord
    %z = OpImageQueryLevels %uint %t0)"),
              ElementsAre(Of(Read(3, 0, Kind::kSampledImage, 4), {{1, true, false}, {4, true, false}})));
  // One that is not named may be any.
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %p1 = OpAccessChain %p_tex %tex %c1
    %pu = OpAccessChain %p_u %u %c0
    %i = OpLoad %uint %pu
    %pi = OpAccessChain %p_tex %tex %i
    %t1 = OpLoad %t_tex %p1
    %ti = OpLoad %t_tex %pi
    %x = OpImageFetch %v4float %t1 %icoord
    %y = OpImageFetch %v4float %ti %icoord)"),
              ElementsAre(Read(1, 2, Kind::kUniformBuffer), Read(3, 0, Kind::kSampledImage, 4)));
}
TEST(Reflection, ElementsOfAnArrayThatIsHandedOn) {
  constexpr std::string_view kFunctions = R"(
    %fn_take = OpTypeFunction %void %p_texels
    %take = OpFunction %void None %fn_take
    %p = OpFunctionParameter %p_texels
    %l1 = OpLabel
    %pt = OpAccessChain %p_tex %p %c1
    %t = OpLoad %t_tex %pt
    %x = OpImageFetch %v4float %t %icoord
    OpReturn
    OpFunctionEnd)";
  EXPECT_THAT(ImageDescriptorsOf("%r = OpFunctionCall %void %take %tex", kFunctions),
              ElementsAre(Read(3, 0, Kind::kSampledImage, 4)));
}

TEST(Reflection, ImageQueriesAreNoAccess) {
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %st = OpLoad %t_comb %comb
    %i = OpImage %t_tex %st
    %x = OpImageQuerySizeLod %v2uint %i %c0
    %y = OpImageQueryLevels %uint %i
    %o = OpLoad %t_sto %sto
    %z = OpImageQuerySize %v2uint %o)"),
              IsEmpty());
}

TEST(Reflection, StorageImagesAndTexelBuffers) {
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %o = OpLoad %t_sto %sto
    OpImageWrite %o %icoord %texel
    %ub = OpLoad %t_utb %utb
    %x = OpImageFetch %v4float %ub %c0
    %p = OpImageTexelPointer %p_image %stb %c0 %c0
    %y = OpAtomicIAdd %uint %p %c1 %c0 %c1)"),
              ElementsAre(Written(3, 3, Kind::kStorageImage), Read(3, 4, Kind::kUniformTexelBuffer),
                          Both(3, 5, Kind::kStorageTexelBuffer)));
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %o = OpLoad %t_sto %sto
    %x = OpImageRead %v4float %o %icoord)"),
              ElementsAre(Read(3, 3, Kind::kStorageImage)));
}

TEST(Reflection, FollowsHandleParameters) {
  constexpr std::string_view kFunctions = R"(
    %store = OpFunction %void None %fn_store
    %p = OpFunctionParameter %p_sto
    %l1 = OpLabel
    %i = OpLoad %t_sto %p
    OpImageWrite %i %icoord %texel
    OpReturn
    OpFunctionEnd)";
  EXPECT_THAT(
      DescriptorsOf({.decorations = "OpDecorate %sto DescriptorSet 0\nOpDecorate %sto Binding 7",
                     .globals = "%t_sto = OpTypeImage %float 2D 0 0 0 2 Rgba32f\n"
                                "%p_sto = OpTypePointer UniformConstant %t_sto\n"
                                "%sto = OpVariable %p_sto UniformConstant\n%fn_store = OpTypeFunction %void %p_sto",
                     .functions = kFunctions,
                     .body = "%r = OpFunctionCall %void %store %sto",
                     .interface = "%sto"}),
      ElementsAre(Written(0, 7, Kind::kStorageImage)));
}

TEST(Reflection, BufferBlockIsAStorageBuffer) {
  constexpr std::string_view kText = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %B BufferBlock
    OpMemberDecorate %B 0 Offset 0
    OpDecorate %v DescriptorSet 0
    OpDecorate %v Binding 3
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %c0 = OpConstant %uint 0
    %three = OpSpecConstant %uint 3
    %six = OpSpecConstantOp %uint IAdd %three %three
    %B = OpTypeStruct %uint
    %Bs = OpTypeArray %B %six
    %p_B = OpTypePointer Uniform %Bs
    %p_uint = OpTypePointer Uniform %uint
    %v = OpVariable %p_B Uniform
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %p = OpAccessChain %p_uint %v %c0 %c0
    OpStore %p %c0
    OpReturn
    OpFunctionEnd)";
  const std::vector<uint32_t> words = Assemble(std::string(kText), /*validate=*/false);
  EXPECT_THAT(ReflectEntryPoint(words, "main", kCompute).descriptors,
              ElementsAre(Of(Written(0, 3, Kind::kStorageBuffer, 6), {{0, false, true}})));
}

// An array of %size buffers, of which the %element is read, in workgroups of %element; 1 and 2 are specialization
// constants of which each is used.
constexpr std::string_view kSpecialized = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionModeId %main LocalSizeId %element %c1 %wide
    OpDecorate %B Block
    OpMemberDecorate %B 0 Offset 0
    OpDecorate %v DescriptorSet 0
    OpDecorate %v Binding 3
    OpDecorate %size SpecId 1
    OpDecorate %element SpecId 2
    OpDecorate %wide SpecId 9
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %c0 = OpConstant %uint 0
    %c1 = OpConstant %uint 1
    %size = OpSpecConstant %uint 4
    %element = OpSpecConstant %uint 3
    %wide = OpSpecConstant %uint 7
    %twice = OpSpecConstantOp %uint IMul %size %size
    %B = OpTypeStruct %uint
    %Bs = OpTypeArray %B %twice
    %p_B = OpTypePointer StorageBuffer %Bs
    %p_uint = OpTypePointer StorageBuffer %uint
    %v = OpVariable %p_B StorageBuffer
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %p = OpAccessChain %p_uint %v %element %c0
    %x = OpLoad %uint %p
    OpReturn
    OpFunctionEnd)";

TEST(Reflection, SpecializationConstants) {
  const std::vector<uint32_t> words = Assemble(std::string(kSpecialized), /*validate=*/false);
  EXPECT_THAT(ReflectEntryPoint(words, "main", kCompute).descriptors,
              ElementsAre(Of(Read(0, 3, Kind::kStorageBuffer, 16), {{3, true, false}})));
  const struct {
    uint32_t size = 5;
    uint64_t wide = 11;
    uint8_t element = 2;
  } data;
  const VkSpecializationMapEntry entries[] = {{1, 0, 4}, {9, 8, 8}, {2, 16, 1}, {77, 0, 4}, {1, 23, 4}, {1, 99, 4}};
  const VkSpecializationInfo info = {6, entries, sizeof(data), &data};
  const EntryPointInterface interface = ReflectEntryPoint(words, "main", kCompute, &info);
  EXPECT_THAT(interface.descriptors, ElementsAre(Of(Read(0, 3, Kind::kStorageBuffer, 25), {{2, true, false}})));
  EXPECT_THAT(interface.local_size, ElementsAre(2, 1, 11));
  const VkSpecializationInfo bad = {6, nullptr, sizeof(data), nullptr};
  EXPECT_THAT(ReflectEntryPoint(words, "main", kCompute, &bad).local_size, ElementsAre(3, 1, 7));
}

// Inputs: a mat3 from 2, a dvec3 from 6, a float at 9, a built-in. Outputs: an array of 2 from 1, one at 40.
constexpr std::string_view kLocations = R"(
    OpCapability Shader
    OpCapability Float64
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "vertex" %m %d %f %vertex %out
    OpEntryPoint Fragment %main "fragment shader" %m %array %far
    OpExecutionMode %main DepthReplacing
    OpExecutionMode %main EarlyFragmentTests
    OpDecorate %m Location 2
    OpDecorate %d Location 6
    OpDecorate %f Location 9
    OpDecorate %vertex BuiltIn VertexIndex
    OpDecorate %out Location 0
    OpDecorate %array Location 1
    OpDecorate %far Location 40
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %c2 = OpConstant %uint 2
    %float = OpTypeFloat 32
    %double = OpTypeFloat 64
    %v3float = OpTypeVector %float 3
    %v3double = OpTypeVector %double 3
    %mat3 = OpTypeMatrix %v3float 3
    %floats = OpTypeArray %float %c2
    %p_mat3 = OpTypePointer Input %mat3
    %p_v3double = OpTypePointer Input %v3double
    %p_float = OpTypePointer Input %float
    %p_uint = OpTypePointer Input %uint
    %p_out = OpTypePointer Output %float
    %p_array = OpTypePointer Output %floats
    %m = OpVariable %p_mat3 Input
    %d = OpVariable %p_v3double Input
    %f = OpVariable %p_float Input
    %vertex = OpVariable %p_uint Input
    %out = OpVariable %p_out Output
    %array = OpVariable %p_array Output
    %far = OpVariable %p_out Output
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)";

// A block's member goes to buffer 3, a variable to buffer 1.
constexpr std::string_view kTransformFeedback = R"(
    OpCapability Shader
    OpCapability TransformFeedback
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "xfb" %out %block
    OpEntryPoint Vertex %plain "plain" %out %block
    OpExecutionMode %main Xfb
    OpDecorate %out Location 0
    OpDecorate %out XfbBuffer 1
    OpDecorate %B Block
    OpMemberDecorate %B 0 XfbBuffer 3
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %B = OpTypeStruct %float
    %p_out = OpTypePointer Output %float
    %p_B = OpTypePointer Output %B
    %out = OpVariable %p_out Output
    %block = OpVariable %p_B Output
    %main = OpFunction %void None %fn
    %l1 = OpLabel
    OpReturn
    OpFunctionEnd
    %plain = OpFunction %void None %fn
    %l2 = OpLabel
    OpReturn
    OpFunctionEnd)";

TEST(Reflection, TransformFeedbackBuffers) {
  const std::vector<uint32_t> words = Assemble(std::string(kTransformFeedback), /*validate=*/false);
  EXPECT_EQ(ReflectEntryPoint(words, "xfb", VK_SHADER_STAGE_VERTEX_BIT).transform_feedback_buffers, 0b1010u);
  EXPECT_EQ(ReflectEntryPoint(words, "plain", VK_SHADER_STAGE_VERTEX_BIT).transform_feedback_buffers, 0u);
}

TEST(Reflection, LocationsAndExecutionModes) {
  const std::vector<uint32_t> words = Assemble(std::string(kLocations), /*validate=*/false);
  const EntryPointInterface vertex = ReflectEntryPoint(words, "vertex", VK_SHADER_STAGE_VERTEX_BIT);
  EXPECT_EQ(vertex.input_locations, 0b10'1101'1100u);
  EXPECT_EQ(vertex.output_locations, 0u);
  EXPECT_FALSE(vertex.writes_depth);
  const EntryPointInterface fragment = ReflectEntryPoint(words, "fragment shader", VK_SHADER_STAGE_FRAGMENT_BIT);
  EXPECT_EQ(fragment.input_locations, 0u);
  EXPECT_EQ(fragment.output_locations, 0b110u);
  EXPECT_TRUE(fragment.writes_depth);
  EXPECT_TRUE(fragment.early_fragment_tests);
  EXPECT_FALSE(fragment.writes_stencil);
}

TEST(Reflection, AliasedVariablesMerge) {
  EXPECT_THAT(DescriptorsOf({.capabilities = "OpCapability RuntimeDescriptorArray",
                             .decorations = "OpDecorate %alias DescriptorSet 0\nOpDecorate %alias Binding 1",
                             .globals = "%blocks = OpTypeRuntimeArray %Block\n"
                                        "%p_blocks = OpTypePointer StorageBuffer %blocks\n"
                                        "%alias = OpVariable %p_blocks StorageBuffer",
                             .body = R"(
    %pa = OpAccessChain %p_sb %alias %c4 %c0
    OpStore %pa %c1
    %pb = OpAccessChain %p_sb %b %c0
    %x = OpLoad %uint %pb)",
                             .interface = "%alias"}),
              ElementsAre(Of(Both(0, 1, Kind::kStorageBuffer, 0), {{0, true, false}, {4, false, true}})));
}

TEST(Reflection, AliasedImageAndSamplerAreACombinedImage) {
  EXPECT_THAT(DescriptorsOf({.decorations = "OpDecorate %smp DescriptorSet 0\nOpDecorate %smp Binding 9\n"
                                            "OpDecorate %tex DescriptorSet 0\nOpDecorate %tex Binding 9",
                             .globals = R"(
    %t_smp = OpTypeSampler
    %t_tex = OpTypeImage %float 2D 0 0 0 1 Unknown
    %t_comb = OpTypeSampledImage %t_tex
    %p_smp = OpTypePointer UniformConstant %t_smp
    %p_tex = OpTypePointer UniformConstant %t_tex
    %smp = OpVariable %p_smp UniformConstant
    %tex = OpVariable %p_tex UniformConstant)",
                             .body = R"(
    %t = OpLoad %t_tex %tex
    %s = OpLoad %t_smp %smp
    %st = OpSampledImage %t_comb %t %s
    %x = OpImageSampleExplicitLod %v4float %st %coord Lod %f0)",
                             .interface = "%smp %tex"}),
              ElementsAre(Read(0, 9, Kind::kSampledImage)));
}

TEST(Reflection, AccelerationStructuresAreReadByTraversal) {
  constexpr std::string_view kGlobals = R"(
    %t_as = OpTypeAccelerationStructureKHR
    %t_rq = OpTypeRayQueryKHR
    %p_as = OpTypePointer UniformConstant %t_as
    %p_rq = OpTypePointer Private %t_rq
    %v3float = OpTypeVector %float 3
    %zero = OpConstantNull %v3float
    %as = OpVariable %p_as UniformConstant
    %rq = OpVariable %p_rq Private)";
  EXPECT_THAT(DescriptorsOf({.capabilities = "OpCapability RayQueryKHR",
                             .extensions = "OpExtension \"SPV_KHR_ray_query\"",
                             .decorations = "OpDecorate %as DescriptorSet 5\nOpDecorate %as Binding 6",
                             .globals = kGlobals,
                             .body = R"(
    %s = OpLoad %t_as %as
    OpRayQueryInitializeKHR %rq %s %c0 %c0 %zero %f0 %zero %f0)",
                             .interface = "%as %rq"}),
              ElementsAre(Read(5, 6, Kind::kAccelerationStructure)));
}

TEST(Reflection, CooperativeMatricesLoadAndStore) {
  constexpr std::string_view kGlobals = R"(
    %c3 = OpConstant %uint 3
    %c16 = OpConstant %uint 16
    %mat = OpTypeCooperativeMatrixKHR %uint %c3 %c16 %c16 %c0)";
  EXPECT_THAT(DescriptorsOf({.capabilities = "OpCapability CooperativeMatrixKHR OpCapability VulkanMemoryModel",
                             .extensions = "OpExtension \"SPV_KHR_cooperative_matrix\"",
                             .globals = kGlobals,
                             .body = R"(
    %pa = OpAccessChain %p_sb %a %c1 %c0
    %pb = OpAccessChain %p_sb %b %c1 %c0
    %m = OpCooperativeMatrixLoadKHR %mat %pa %c0 %c16
    OpCooperativeMatrixStoreKHR %pb %m %c0 %c16)"},
                            /*validate=*/false),
              ElementsAre(Read(0, 0, Kind::kStorageBuffer), Written(0, 1, Kind::kStorageBuffer)));
}

constexpr std::string_view kTwoEntryPoints = R"(
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

TEST(Reflection, EntryPointIsChosenByNameAndStage) {
  const std::vector<uint32_t> words = Assemble(std::string(kTwoEntryPoints), /*validate=*/false);
  const EntryPointInterface fragment = ReflectEntryPoint(words, "main", VK_SHADER_STAGE_FRAGMENT_BIT);
  EXPECT_TRUE(fragment.found);
  ReflectedDescriptor input = Read(0, 1, Kind::kInputAttachment);
  input.input_attachment_index = 0;
  EXPECT_THAT(fragment.descriptors, ElementsAre(input));
  EXPECT_THAT(fragment.local_size, ElementsAre(1, 1, 1));
  const EntryPointInterface compute = ReflectEntryPoint(words, "main", kCompute);
  EXPECT_TRUE(compute.found);
  EXPECT_THAT(compute.descriptors, IsEmpty());
  EXPECT_THAT(compute.local_size, ElementsAre(64, 2, 1));
  EXPECT_THAT(ReflectEntryPoint(words, "sized", kCompute).local_size, ElementsAre(3, 5, 7));
  EXPECT_FALSE(ReflectEntryPoint(words, "main", VK_SHADER_STAGE_VERTEX_BIT).found);
  EXPECT_FALSE(ReflectEntryPoint(words, "mai", kCompute).found);
  EXPECT_FALSE(ReflectEntryPoint(words, "", kCompute).found);
}

TEST(Reflection, WorkgroupSizeConstantOverridesLocalSize) {
  const Shader shader = {.decorations = "OpDecorate %size BuiltIn WorkgroupSize",
                         .globals =
                             "%sx = OpSpecConstant %uint 32\n%size = OpSpecConstantComposite %v3uint %sx %c4 "
                             "%c1"};
  EXPECT_THAT(ReflectEntryPoint(Assemble(Text(shader)), "main", kCompute).local_size, ElementsAre(32, 4, 1));
  EXPECT_THAT(ReflectEntryPoint(Assemble(Text({})), "main", kCompute).local_size, ElementsAre(8, 4, 2));
}

TEST(MalformedReflection, NoModule) {
  EXPECT_FALSE(ReflectEntryPoint({}, "main", kCompute).found);
  EXPECT_FALSE(ReflectEntryPoint({0x07230203, 0x10000, 0, 10}, "main", kCompute).found);
  EXPECT_FALSE(ReflectEntryPoint({0x07230203, 0x10000, 0, 10, 0, 0}, "main", kCompute).found);
  EXPECT_FALSE(ReflectEntryPoint({0x07230203, 0x10000, 0, 0xFFFFFFFF, 0}, "main", kCompute).found);
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
    const std::vector<uint32_t> part(words.begin(), words.begin() + size);
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
    EXPECT_TRUE(result.found || result.descriptors.empty());
    for (const ReflectedDescriptor& descriptor : result.descriptors)
      EXPECT_TRUE(descriptor.is_read || descriptor.is_written);
  }
}

}  // namespace
}  // namespace assay::state
