// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A compute shader with an image of that type, sampler and number, which are loaded.
StageText Image(const std::string& operands, const std::string& body, bool is_sampled = true) {
  return {.capabilities =
              "OpCapability ImageQuery\nOpCapability Image1D\nOpCapability Sampled1D\n"
              "OpCapability ImageGatherExtended\n",
          .interface = "%texture %sampler_variable %number_variable",
          .decorations =
              "OpDecorate %texture DescriptorSet 0\nOpDecorate %texture Binding 0\n"
              "OpDecorate %sampler_variable DescriptorSet 0\nOpDecorate %sampler_variable Binding 1\n",
          .globals = "%v2uint = OpTypeVector %uint 2\n%v2int = OpTypeVector %int 2\n%image = OpTypeImage " + operands +
                     "\n%sampler = OpTypeSampler\n" + (is_sampled ? "%sampled = OpTypeSampledImage %image\n" : "") +
                     R"(%pointer = OpTypePointer UniformConstant %image
                    %sampler_pointer = OpTypePointer UniformConstant %sampler
                    %texture = OpVariable %pointer UniformConstant
                    %sampler_variable = OpVariable %sampler_pointer UniformConstant
                    %number_pointer = OpTypePointer Private %uint
                    %number_variable = OpVariable %number_pointer Private
                    %point = OpConstantComposite %v2uint %u0 %u0
                    %place = OpConstantComposite %v2float %f0 %f0
                    %place3 = OpConstantComposite %v3float %f0 %f0 %f0
                    %i1 = OpConstant %int 1
                    %offset = OpConstantComposite %v2int %i1 %i1
                    %texel_pointer = OpTypePointer Image %uint)" +
                     "\n",
          .body =
              "%loaded = OpLoad %image %texture\n%sampler_value = OpLoad %sampler %sampler_variable\n"
              "%number = OpLoad %uint %number_variable\n" +
              std::string(is_sampled ? "%both = OpSampledImage %sampled %loaded %sampler_value\n" : "") + body};
}

}  // namespace

std::vector<SpirvCase> ImageCases() {
  const std::string texel = "%1 = OpImageTexelPointer %texel_pointer %texture %point %u0\n";
  const std::string depth = "%1 = OpImageSampleDrefExplicitLod %float %both %place3 %f0 Lod %f0\n";
  const std::string read = "%1 = OpImageRead %v2float %loaded %point\n";
  const std::string fetch = "%1 = OpImageFetch %v4float %loaded %point Offset %offset\n";
  StageText stored = Image("%float 2D 0 0 0 1 Unknown", "", false);
  stored.globals += "%local_pointer = OpTypePointer Function %sampler\n";
  stored.body = "%local = OpVariable %local_pointer Function\n" + stored.body + "OpStore %local %sampler_value\n";
  return {
      {"StandaloneSpirv-OpImageTexelPointer-04658", Image("%uint 2D 0 0 0 2 Rgba32ui", texel, false), "Rgba32ui",
       "R32ui"},
      {"StandaloneSpirv-OpImageQuerySizeLod-04659",
       Image("%float 2D 0 0 0 2 Rgba32f", "%1 = OpImageQuerySizeLod %v2uint %loaded %u0\n", false), "0 0 0 2",
       "0 0 0 1"},
      {"StandaloneSpirv-OpImageQuerySizeLod-04659",
       Image("%float 2D 0 0 0 2 Rgba32f", "%1 = OpImageQueryLevels %uint %loaded\n", false), "0 0 0 2", "0 0 0 1"},
      {"StandaloneSpirv-OpImageGather-04664",
       Image("%float 2D 0 0 0 1 Unknown", "%1 = OpImageGather %v4float %both %place %number\n"), "%place %number",
       "%place %u1"},
      {"StandaloneSpirv-OpImage-04777", Image("%float 3D 0 0 0 1 Unknown", depth), "%float 3D", "%float 2D"},
      {"StandaloneSpirv-OpImage-04777",
       Image("%float 1D 0 0 0 1 Unknown", "%1 = OpImageDrefGather %v4float %both %place %f0\n"), "%float 1D",
       "%float 2D"},
      {"StandaloneSpirv-Result-04780", Image("%float 2D 0 0 0 2 Rgba32f", read, false), "OpImageRead %v2float",
       "OpImageRead %v4float"},
      {"StandaloneSpirv-OpTypeImage-06924", stored, "OpStore %local %sampler_value", ""},
      {"RuntimeSpirv-Offset-10213",
       Image("%float 2D 0 0 0 1 Unknown", fetch, false),
       "Offset %offset",
       "ConstOffset %offset",
       {"maintenance8"}},
  };
}

}  // namespace assay::core
