// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/images/image_operands.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

// Of %100, an image of %101. Ids of operands are numbers.
std::string Shader(std::string_view body, std::string_view image = "2D 0 0 0 1 Unknown") {
  std::string globals = R"(
    %float = OpTypeFloat 32
    %v4 = OpTypeVector %float 4
    %v2uint = OpTypeVector %uint 2
    %110 = OpConstantComposite %v2uint %zero %one
    %111 = OpConstant %uint 111
    %112 = OpConstant %uint 112
    %113 = OpConstantComposite %v2uint %one %one
    %114 = OpConstant %float 1
    %101 = OpTypeImage %float )";
  globals += image;
  globals += R"(
    %ptr_image = OpTypePointer UniformConstant %101
    %102 = OpVariable %ptr_image UniformConstant
    %ptr_texel = OpTypePointer Image %uint
  )";
  std::string text = "%entry = OpLabel\n%100 = OpLoad %101 %102\n";
  text += body;
  text += "\nOpReturn\n";
  return ComputeShader(text, globals);
}

Instruction FindFirst(const Module& module, spv::Op op) {
  for (Instruction instruction : module.instructions()) {
    if (instruction.op() == op) return instruction;
  }
  return {};
}

TEST(ImageAccess, TakesOperandsInTheOrderOfTheMask) {
  const Module module =
      ReadAssembly(Shader("%t = OpImageFetch %v4 %100 %110 Lod|ConstOffset|Sample|NonPrivateTexel %111 %113 %112"));
  const ImageAccess access = ReadImageAccess(module, FindFirst(module, spv::Op::OpImageFetch));
  EXPECT_EQ(access.kind, ImageAccess::Kind::kTexel);
  EXPECT_EQ(access.image, Id{100});
  EXPECT_EQ(access.pointer, kNoId);
  EXPECT_EQ(access.coordinate, Id{110});
  EXPECT_EQ(access.level, Id{111});
  EXPECT_EQ(access.constant_offset, Id{113});
  EXPECT_EQ(access.sample, Id{112});
  EXPECT_EQ(access.offset, kNoId);
}

TEST(ImageAccess, HasTwoIdsForGrad) {
  const Module module =
      ReadAssembly(Shader("%t = OpImageSampleExplicitLod %v4 %100 %110 Grad|Offset|MinLod %111 %112 %113 %114"));
  const ImageAccess access = ReadImageAccess(module, FindFirst(module, spv::Op::OpImageSampleExplicitLod));
  EXPECT_EQ(access.kind, ImageAccess::Kind::kSample);
  EXPECT_FALSE(access.is_implicit);
  EXPECT_EQ(access.level, kNoId);
  EXPECT_EQ(access.offset, Id{113});
}

TEST(ImageAccess, HasNoOperandsWithoutMask) {
  const Module module = ReadAssembly(Shader("OpImageWrite %100 %110 %114"));
  const ImageAccess access = ReadImageAccess(module, FindFirst(module, spv::Op::OpImageWrite));
  EXPECT_EQ(access.kind, ImageAccess::Kind::kTexel);
  EXPECT_EQ(access.coordinate, Id{110});
  EXPECT_EQ(access.level, kNoId);
  EXPECT_EQ(access.sample, kNoId);
}

TEST(ImageAccess, HasTheMaskOfAWriteBehindTheTexel) {
  const Module module = ReadAssembly(Shader("OpImageWrite %100 %110 %114 Sample %111"));
  EXPECT_EQ(ReadImageAccess(module, FindFirst(module, spv::Op::OpImageWrite)).sample, Id{111});
}

TEST(ImageAccess, GoesFromAnAtomicToItsTexelPointer) {
  const Module module = ReadAssembly(Shader(R"(
    %t = OpImageTexelPointer %ptr_texel %102 %110 %111
    %old = OpAtomicIAdd %uint %t %one %zero %one
    %element = OpAccessChain %ptr_uint %buffer %zero %zero
    %other = OpAtomicLoad %uint %element %one %zero)"));
  const ImageAccess access = ReadImageAccess(module, FindFirst(module, spv::Op::OpAtomicIAdd));
  EXPECT_EQ(access.kind, ImageAccess::Kind::kTexelPointer);
  EXPECT_EQ(access.pointer, Id{102});
  EXPECT_EQ(access.image, kNoId);
  EXPECT_EQ(access.coordinate, Id{110});
  EXPECT_EQ(access.sample, Id{111});
  EXPECT_EQ(ReadImageAccess(module, FindFirst(module, spv::Op::OpAtomicLoad)).kind, ImageAccess::Kind::kNone);
  EXPECT_EQ(ReadImageAccess(module, FindFirst(module, spv::Op::OpReturn)).kind, ImageAccess::Kind::kNone);
}

TEST(ImageType, CountsCoordinates) {
  struct {
    std::string_view text;
    uint32_t plane_components;
    bool has_layer;
  } cases[] = {
      {"1D 0 0 0 1 Unknown", 1, false}, {"1D 0 1 0 1 Unknown", 1, true}, {"2D 0 0 0 1 Unknown", 2, false},
      {"2D 0 1 0 1 Unknown", 2, true},  {"2D 0 1 1 1 Unknown", 2, true}, {"3D 0 0 0 1 Unknown", 3, false},
      {"Cube 0 0 0 2 Rgba8", 2, true},  {"Cube 0 1 0 2 Rgba8", 2, true}, {"Buffer 0 0 0 1 Unknown", 1, false},
  };
  for (const auto& [text, plane_components, has_layer] : cases) {
    const Module module = ReadAssembly(Shader("", text));
    const ImageType type = ReadImageType(module, module.TypeOf(Id{102}));
    EXPECT_EQ(type.plane_components(), plane_components) << text;
    EXPECT_EQ(type.has_layer(), has_layer) << text;
    EXPECT_EQ(ReadImageType(module, module.TypeOf(Id{100})).dim, type.dim) << text;
  }
}

TEST(ImageType, IsNoneForOtherTypes) {
  const Module module = ReadAssembly(Shader(""));
  EXPECT_EQ(ReadImageType(module, module.TypeOf(Id{111})).dim, spv::Dim::Max);
  EXPECT_EQ(ReadImageType(module, Instruction()).dim, spv::Dim::Max);
}

}  // namespace
}  // namespace assay::spirv_instrument
