// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Declarations of an entry point besides descriptors: locations, execution modes, the size of a workgroup.

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "state/shader/reflection_test.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Reads the element %element of an array of %size buffers, in workgroups of size %element. Both are specialization
// constants, with the ids 1 and 2.
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
              ElementsAre(Of(Sized(Read(0, 3, Kind::kStorageBuffer, 16), 4), {{3, true, false}})));
  const struct {
    uint32_t size = 5;
    uint64_t wide = 11;
    uint8_t element = 2;
  } data;
  const VkSpecializationMapEntry entries[] = {{1, 0, 4}, {9, 8, 8}, {2, 16, 1}, {77, 0, 4}, {1, 23, 4}, {1, 99, 4}};
  const VkSpecializationInfo info = {6, entries, sizeof(data), &data};
  const EntryPointInterface interface = ReflectEntryPoint(words, "main", kCompute, &info);
  EXPECT_THAT(interface.descriptors,
              ElementsAre(Of(Sized(Read(0, 3, Kind::kStorageBuffer, 25), 4), {{2, true, false}})));
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
    OpExecutionMode %main PixelInterlockOrderedEXT
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

TEST(Reflection, LocationsAndExecutionModes) {
  const std::vector<uint32_t> words = Assemble(std::string(kLocations), /*validate=*/false);
  const EntryPointInterface vertex = ReflectEntryPoint(words, "vertex", VK_SHADER_STAGE_VERTEX_BIT);
  EXPECT_EQ(vertex.input_locations, 0b10'1101'1100u);
  EXPECT_EQ(vertex.output_locations, 0u);
  EXPECT_FALSE(vertex.writes_depth);
  EXPECT_FALSE(vertex.has_fragment_interlock);
  const EntryPointInterface fragment = ReflectEntryPoint(words, "fragment shader", VK_SHADER_STAGE_FRAGMENT_BIT);
  EXPECT_EQ(fragment.input_locations, 0u);
  EXPECT_EQ(fragment.output_locations, 0b110u);
  EXPECT_TRUE(fragment.writes_depth);
  EXPECT_TRUE(fragment.early_fragment_tests);
  EXPECT_TRUE(fragment.has_fragment_interlock);
  EXPECT_FALSE(fragment.writes_stencil);
}

// A fragment shader of one variable, with a decoration, a pointer type, and how its function ends.
EntryPointInterface ReflectFragment(std::string_view decoration, std::string_view storage, std::string_view end) {
  const std::string text = absl::StrCat(
      "OpCapability Shader\n"
      "OpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Fragment %main \"main\" %value\n"
      "OpExecutionMode %main OriginUpperLeft\n"
      "OpDecorate %value ",
      decoration,
      "\n"
      "%void = OpTypeVoid\n"
      "%fn = OpTypeFunction %void\n"
      "%float = OpTypeFloat 32\n"
      "%pointer = OpTypePointer ",
      storage,
      " %float\n"
      "%value = OpVariable %pointer ",
      storage,
      "\n"
      "%main = OpFunction %void None %fn\n"
      "%entry = OpLabel\n",
      end, "\nOpFunctionEnd\n");
  return ReflectEntryPoint(Assemble(text, /*validate=*/false), "main", VK_SHADER_STAGE_FRAGMENT_BIT);
}

TEST(Reflection, DiscardedFragments) {
  EXPECT_FALSE(ReflectFragment("Location 0", "Output", "OpReturn").may_discard_fragments);
  EXPECT_TRUE(ReflectFragment("Location 0", "Output", "OpKill").may_discard_fragments);
  EXPECT_TRUE(ReflectFragment("Location 0", "Output", "OpTerminateInvocation").may_discard_fragments);
  EXPECT_TRUE(ReflectFragment("BuiltIn SampleMask", "Output", "OpReturn").may_discard_fragments);
}
TEST(Reflection, PushConstants) {
  EXPECT_FALSE(ReflectFragment("Location 0", "Output", "OpReturn").has_push_constants);
  EXPECT_TRUE(ReflectFragment("Aliased", "PushConstant", "OpReturn").has_push_constants);
}

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
  const ShaderText shader = {.decorations = "OpDecorate %size BuiltIn WorkgroupSize",
                             .globals =
                                 "%sx = OpSpecConstant %uint 32\n%size = OpSpecConstantComposite %v3uint %sx %c4 "
                                 "%c1"};
  EXPECT_THAT(ReflectEntryPoint(Assemble(Text(shader)), "main", kCompute).local_size, ElementsAre(32, 4, 1));
  EXPECT_THAT(ReflectEntryPoint(Assemble(Text({})), "main", kCompute).local_size, ElementsAre(8, 4, 2));
}

}  // namespace
}  // namespace assay::state
