// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to the memory of buffers and acceleration structures.

#include "state/shader/reflection_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(Reflection, AtomicsReadWriteOrBoth) {
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicLoad %uint %pa %c1 %c0)"}),
              ElementsAre(Atomic(Read(0, 0, Kind::kStorageBuffer))));
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    OpAtomicStore %pa %c1 %c0 %c4)"}),
              ElementsAre(Atomic(Written(0, 0, Kind::kStorageBuffer))));
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicIAdd %uint %pa %c1 %c0 %c4)"}),
              ElementsAre(Atomic(Both(0, 0, Kind::kStorageBuffer))));
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicCompareExchange %uint %pa %c1 %c0 %c0 %c4 %c1)"}),
              ElementsAre(Atomic(Both(0, 0, Kind::kStorageBuffer))));
}

// An access that is not atomic, and an atomic one whose scope is the workgroup: nothing orders them with another
// command's.
TEST(Reflection, NotAllAtomic) {
  EXPECT_THAT(DescriptorsOf({.body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicIAdd %uint %pa %c1 %c0 %c4
    %pb = OpAccessChain %p_sb %a %c1 %c0
    OpStore %pb %x)"}),
              ElementsAre(Both(0, 0, Kind::kStorageBuffer)));
  EXPECT_THAT(DescriptorsOf({.globals = "%workgroup = OpConstant %uint 2", .body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %x = OpAtomicIAdd %uint %pa %workgroup %c0 %c4
    %pb = OpAccessChain %p_sb %b %c0
    %y = OpAtomicIAdd %uint %pb %c1 %c0 %c4)"}),
              ElementsAre(Both(0, 0, Kind::kStorageBuffer), Atomic(Both(0, 1, Kind::kStorageBuffer))));
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
      ElementsAre(Sized(Written(2, 0, Kind::kStorageBuffer), 4)));
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
              ElementsAre(Of(Sized(Written(0, 3, Kind::kStorageBuffer, 6), 4), {{0, false, true}})));
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

}  // namespace
}  // namespace assay::state
