// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to images, texel buffers and samplers.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "state/shader/reflection_test.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  // Constant indices, also the same one in several chains.
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
  // An index that is not constant may be any.
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %p1 = OpAccessChain %p_tex %tex %c1
    %pu = OpAccessChain %p_u %u %c0
    %i = OpLoad %uint %pu
    %pi = OpAccessChain %p_tex %tex %i
    %t1 = OpLoad %t_tex %p1
    %ti = OpLoad %t_tex %pi
    %x = OpImageFetch %v4float %t1 %icoord
    %y = OpImageFetch %v4float %ti %icoord)"),
              ElementsAre(Read(1, 2, Kind::kUniformBuffer),
                          WithUnknown(Of(Read(3, 0, Kind::kSampledImage, 4), {{1, true, false}}), {0, true, false})));
}

TEST(Reflection, ElementsOfAnArrayParameter) {
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
              ElementsAre(WithUnknown(Read(3, 0, Kind::kSampledImage, 4), {0, true, false})));
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
                          Atomic(Both(3, 5, Kind::kStorageTexelBuffer))));
  EXPECT_THAT(ImageDescriptorsOf(R"(
    %o = OpLoad %t_sto %sto
    %x = OpImageRead %v4float %o %icoord)"),
              ElementsAre(Read(3, 3, Kind::kStorageImage)));
}

TEST(Reflection, TracksHandleParameters) {
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

}  // namespace
}  // namespace assay::state
