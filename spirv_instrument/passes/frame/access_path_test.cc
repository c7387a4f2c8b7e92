// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/access_path.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/type_layout.h"

namespace assay::spirv_instrument {
namespace {

// %block = { %uint at 0; %element[] at 16 } with %element = { vec3 at 0; row-major mat2x3 at 16 }, 48 bytes apart.
constexpr std::string_view kTypes = R"(
    OpCapability Shader
    OpCapability PhysicalStorageBufferAddresses
    OpCapability RuntimeDescriptorArray
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    OpDecorate %buffer DescriptorSet 2
    OpDecorate %buffer Binding 3
    OpDecorate %buffers DescriptorSet 0
    OpDecorate %buffers Binding 1
    OpDecorate %images DescriptorSet 1
    OpDecorate %images Binding 0
    OpDecorate %elements ArrayStride 48
    OpMemberDecorate %block 0 Offset 0
    OpMemberDecorate %block 1 Offset 16
    OpMemberDecorate %element 0 Offset 0
    OpMemberDecorate %element 1 Offset 16
    OpMemberDecorate %element 1 RowMajor
    OpMemberDecorate %element 1 MatrixStride 8
    OpDecorate %address ArrayStride 64
    OpDecorate %ptr_strided ArrayStride 48
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %uint = OpTypeInt 32 0
    %int = OpTypeInt 32 1
    %vec2 = OpTypeVector %float 2
    %vec3 = OpTypeVector %float 3
    %mat2x3 = OpTypeMatrix %vec3 2
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %two = OpConstant %uint 2
    %four = OpConstant %uint 4
    %minus = OpConstant %int -1
    %large = OpConstant %uint 0xffffffff
    %ushort = OpTypeInt 16 0
    %narrow = OpConstant %ushort 0xffff
    %element = OpTypeStruct %vec3 %mat2x3
    %elements = OpTypeRuntimeArray %element
    %block = OpTypeStruct %uint %elements
    %pair = OpTypeArray %block %two
    %quads = OpTypeArray %pair %four
    %ptr_block = OpTypePointer StorageBuffer %block
    %ptr_quads = OpTypePointer StorageBuffer %quads
    %ptr_uint = OpTypePointer StorageBuffer %uint
    %ptr_float = OpTypePointer StorageBuffer %float
    %ptr_vec3 = OpTypePointer StorageBuffer %vec3
    %ptr_element = OpTypePointer StorageBuffer %element
    %ptr_strided = OpTypePointer StorageBuffer %element
    %address = OpTypePointer PhysicalStorageBuffer %block
    %address_uint = OpTypePointer PhysicalStorageBuffer %uint
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %sampler = OpTypeSampler
    %sampled = OpTypeSampledImage %image
    %image_array = OpTypeRuntimeArray %image
    %ptr_images = OpTypePointer UniformConstant %image_array
    %ptr_image = OpTypePointer UniformConstant %image
    %buffer = OpVariable %ptr_block StorageBuffer
    %buffers = OpVariable %ptr_quads StorageBuffer
    %images = OpVariable %ptr_images UniformConstant
    %fn_index = OpTypeFunction %void %uint %address
    %fn_pointer = OpTypeFunction %void %ptr_block
)";

// %i is an index, %base an address; %100 is asked for.
std::string Function(std::string_view body) {
  return absl::StrCat(kTypes, R"(
    %f = OpFunction %void None %fn_index
    %i = OpFunctionParameter %uint
    %base = OpFunctionParameter %address
    %entry = OpLabel
    )",
                      body, R"(
    OpReturn
    OpFunctionEnd)");
}

class AccessPathTest : public testing::Test {
 protected:
  AccessPath FindIn(const std::string& text) {
    module_.emplace(ReadAssembly(text));
    layouts_.emplace(*module_);
    paths_.emplace(*module_, *layouts_);
    return paths_->Find(Id{100});
  }
  AccessPath Find(std::string_view body) { return FindIn(Function(body)); }

  std::optional<Module> module_;
  std::optional<TypeLayouts> layouts_;
  std::optional<AccessPaths> paths_;
};

TEST_F(AccessPathTest, AMemberOfABlock) {
  const AccessPath path = Find("%100 = OpAccessChain %ptr_uint %buffer %zero");
  EXPECT_EQ(path.root, AccessPath::Root::kBuffer);
  EXPECT_EQ(path.storage, spv::StorageClass::StorageBuffer);
  EXPECT_EQ(path.descriptor.set, 2u);
  EXPECT_EQ(path.descriptor.binding, 3u);
  EXPECT_EQ(path.descriptor.length, 1u);
  EXPECT_TRUE(path.descriptor.terms.empty());
  EXPECT_EQ(path.offset, 0u);
  EXPECT_TRUE(path.terms.empty());
  EXPECT_EQ(paths_->ExtentOf(path), 4u);
}

TEST_F(AccessPathTest, AnElementOfARuntimeArray) {
  const AccessPath path = Find("%100 = OpAccessChain %ptr_element %buffer %one %i");
  EXPECT_EQ(path.offset, 16u);
  ASSERT_EQ(path.terms.size(), 1u);
  EXPECT_EQ(path.terms[0].stride, 48u);
  EXPECT_EQ(path.terms[0].length, 0u);
  EXPECT_TRUE(path.terms[0].is_of_runtime_array);
  // A vector of 12 bytes; then three rows of 8 bytes.
  EXPECT_EQ(paths_->ExtentOf(path), 40u);
}

TEST_F(AccessPathTest, ChainsOfChainsAreOne) {
  const AccessPath path = Find(R"(
    %element_i = OpAccessChain %ptr_element %buffer %one %two
    %copy = OpCopyObject %ptr_element %element_i
    %100 = OpInBoundsAccessChain %ptr_vec3 %copy %zero)");
  EXPECT_EQ(path.offset, 16u + 2 * 48);
  EXPECT_EQ(paths_->ExtentOf(path), 12u);
}

TEST_F(AccessPathTest, AColumnOfARowMajorMatrixIsSpread) {
  const AccessPath path = Find("%100 = OpAccessChain %ptr_vec3 %buffer %one %zero %one %one");
  // The second column begins one component further.
  EXPECT_EQ(path.offset, 16u + 16 + 4);
  EXPECT_EQ(path.component_stride, 8u);
  EXPECT_EQ(paths_->ExtentOf(path), 20u);
}

TEST_F(AccessPathTest, AComponentOfARowMajorMatrix) {
  const AccessPath path = Find("%100 = OpAccessChain %ptr_float %buffer %one %zero %one %i %two");
  EXPECT_EQ(path.offset, 16u + 16 + 2 * 8);
  ASSERT_EQ(path.terms.size(), 1u);
  EXPECT_EQ(path.terms[0].stride, 4u);
  EXPECT_EQ(path.terms[0].length, 2u);
  EXPECT_EQ(paths_->ExtentOf(path), 4u);
}

TEST_F(AccessPathTest, ANegativeConstantIsATerm) {
  const AccessPath path = Find("%100 = OpAccessChain %ptr_element %buffer %one %minus");
  EXPECT_EQ(path.offset, 16u);
  EXPECT_EQ(path.terms.size(), 1u);
}

// SPIR-V, "OpAccessChain": an index is signed, whatever its type. It does not come to 65535 elements.
TEST_F(AccessPathTest, ANarrowConstantMayBeNegative) {
  const AccessPath path = Find("%100 = OpAccessChain %ptr_element %buffer %one %narrow");
  EXPECT_EQ(path.offset, 16u);
  EXPECT_EQ(path.terms.size(), 1u);
}

TEST_F(AccessPathTest, ArraysOfArraysOfDescriptorsAreOneArray) {
  const AccessPath path = Find("%100 = OpAccessChain %ptr_uint %buffers %i %one %zero");
  EXPECT_EQ(path.descriptor.length, 8u);
  EXPECT_EQ(path.descriptor.index, 1u);
  ASSERT_EQ(path.descriptor.terms.size(), 1u);
  EXPECT_EQ(path.descriptor.terms[0].stride, 2u);
  EXPECT_EQ(path.offset, 0u);
  EXPECT_TRUE(path.terms.empty());
}

TEST_F(AccessPathTest, AnAddress) {
  const AccessPath path = Find("%100 = OpAccessChain %address_uint %base %zero");
  EXPECT_EQ(path.root, AccessPath::Root::kAddress);
  EXPECT_EQ(module_->Find(path.base).op(), spv::Op::OpFunctionParameter);
  EXPECT_EQ(paths_->ExtentOf(path), 4u);
}

TEST_F(AccessPathTest, AnElementBehindAnAddress) {
  const AccessPath path = Find("%100 = OpPtrAccessChain %address_uint %base %i %zero");
  ASSERT_EQ(path.terms.size(), 1u);
  EXPECT_EQ(path.terms[0].stride, 64u);
  EXPECT_EQ(path.root, AccessPath::Root::kAddress);
}

TEST_F(AccessPathTest, AChoiceOfBuffersIsNotKnown) {
  const AccessPath path = Find(R"(
    %bool = OpUndef %uint
    %choice = OpSelect %ptr_block %bool %buffer %buffer
    %100 = OpAccessChain %ptr_uint %choice %zero)");
  EXPECT_EQ(path.root, AccessPath::Root::kUnknown);
  EXPECT_EQ(path.why_unknown, Outcome::kChoiceOfPointers);
}

TEST_F(AccessPathTest, APointerFromMemoryIsNotKnown) {
  const AccessPath path = Find(R"(
    %holder = OpUndef %ptr_block
    %100 = OpAccessChain %ptr_uint %holder %zero)");
  EXPECT_EQ(path.root, AccessPath::Root::kUnknown);
  EXPECT_EQ(path.why_unknown, Outcome::kUnknownPointer);
}

// %ptr_strided has elements of 48 bytes.
TEST_F(AccessPathTest, AnElementInFrontOfAPointerIntoABuffer) {
  const AccessPath path = Find(R"(
    %third = OpAccessChain %ptr_strided %buffer %one %two
    %100 = OpPtrAccessChain %ptr_strided %third %minus)");
  EXPECT_EQ(path.offset, 16u + 48);
  EXPECT_TRUE(path.terms.empty());
}

TEST_F(AccessPathTest, AnElementThatMayBeInFrontIsSigned) {
  const AccessPath dynamic = Find(R"(
    %third = OpAccessChain %ptr_strided %buffer %one %two
    %100 = OpPtrAccessChain %ptr_strided %third %i)");
  EXPECT_EQ(dynamic.offset, 16u + 2 * 48);
  ASSERT_EQ(dynamic.terms.size(), 1u);
  EXPECT_TRUE(dynamic.terms[0].is_signed);
  EXPECT_EQ(dynamic.terms[0].stride, 48u);
  const AccessPath constant = Find(R"(
    %some = OpAccessChain %ptr_strided %buffer %one %i
    %100 = OpPtrAccessChain %ptr_strided %some %minus)");
  ASSERT_EQ(constant.terms.size(), 2u);
  EXPECT_FALSE(constant.terms[0].is_signed);
  EXPECT_TRUE(constant.terms[1].is_signed);
}

// SPIR-V, "OpAccessChain": a large number of 32 bits is negative.
TEST_F(AccessPathTest, AConstantIndexBehindAnAddressIsSigned) {
  const AccessPath path = Find("%100 = OpPtrAccessChain %address_uint %base %large %zero");
  EXPECT_EQ(path.offset, 0u);
  ASSERT_EQ(path.terms.size(), 1u);
  const AccessPath narrow = Find("%100 = OpPtrAccessChain %address_uint %base %narrow %zero");
  EXPECT_EQ(narrow.offset, 0u);
  EXPECT_EQ(narrow.terms.size(), 1u);
}

// %g has a pointer parameter, which both calls give the same.
std::string TwoCalls(std::string_view argument) {
  return absl::StrCat(kTypes, R"(
    %g = OpFunction %void None %fn_pointer
    %p = OpFunctionParameter %ptr_block
    %g_entry = OpLabel
    %100 = OpAccessChain %ptr_uint %p %zero
    OpReturn
    OpFunctionEnd
    %f = OpFunction %void None %fn_index
    %i = OpFunctionParameter %uint
    %base = OpFunctionParameter %address
    %entry = OpLabel
    %other = OpAccessChain %ptr_block %buffers %one %one
    %dynamic = OpAccessChain %ptr_block %buffers %one %i
    %call = OpFunctionCall %void %g )",
                      argument, R"(
    %again = OpFunctionCall %void %g )",
                      argument, R"(
    OpReturn
    OpFunctionEnd)");
}

TEST_F(AccessPathTest, AParameterThatAllCallsGiveTheSame) {
  EXPECT_EQ(FindIn(TwoCalls("%buffer")).descriptor.binding, 3u);
  EXPECT_EQ(FindIn(TwoCalls("%other")).descriptor.index, 3u);
}

TEST_F(AccessPathTest, AnIndexOfTheCallerMeansNothingHere) {
  EXPECT_EQ(FindIn(TwoCalls("%dynamic")).root, AccessPath::Root::kUnknown);
}

TEST_F(AccessPathTest, CallsThatDiffer) {
  std::string text = TwoCalls("%buffer");
  const size_t last = text.rfind("%buffer");
  text.replace(last, 7, "%other");
  EXPECT_EQ(FindIn(text).root, AccessPath::Root::kUnknown);
  EXPECT_EQ(paths_->Find(Id{100}).why_unknown, Outcome::kDifferentArguments);
}

TEST_F(AccessPathTest, TheDescriptorOfAnImage) {
  Find(R"(
    %where = OpAccessChain %ptr_image %images %i
    %loaded = OpLoad %image %where
    %made = OpUndef %sampler
    %100 = OpSampledImage %sampled %loaded %made)");
  const DescriptorPath path = paths_->FindDescriptor(Id{100});
  ASSERT_TRUE(path);
  EXPECT_EQ(path.set, 1u);
  EXPECT_EQ(path.length, 0u);
  EXPECT_EQ(path.terms.size(), 1u);
  EXPECT_FALSE(paths_->FindSampler(Id{100}));
}

// Invalid, but it can be read.
TEST_F(AccessPathTest, AChainOfItselfEnds) {
  EXPECT_EQ(Find("%100 = OpAccessChain %ptr_uint %100 %zero").root, AccessPath::Root::kUnknown);
}

}  // namespace
}  // namespace assay::spirv_instrument
