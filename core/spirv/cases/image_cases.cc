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
                    %texel = OpConstantComposite %v4float %f0 %f0 %f0 %f0
                    %i1 = OpConstant %int 1
                    %offset = OpConstantComposite %v2int %i1 %i1
                    %texel_pointer = OpTypePointer Image %uint)" +
                     "\n",
          .body =
              "%loaded = OpLoad %image %texture\n%sampler_value = OpLoad %sampler %sampler_variable\n"
              "%number = OpLoad %uint %number_variable\n" +
              std::string(is_sampled ? "%both = OpSampledImage %sampled %loaded %sampler_value\n" : "") + body};
}

// An instruction of SPV_QCOM_image_processing2 on two textures. The last one lacks `decoration`.
SpirvCase Processed(const char* id, const std::string& capability, const std::string& operation,
                    const std::string& decoration, const std::string& more = "") {
  const std::string decorate = "OpDecorate %other " + decoration + "\n";
  return {id,
          {.model = "Fragment",
           .capabilities = "OpCapability " + capability +
                           "\nOpExtension \"SPV_QCOM_image_processing\"\nOpExtension \"SPV_QCOM_image_processing2\"\n",
           .interface = "%texture %other",
           .decorations = "OpDecorate %texture DescriptorSet 0\nOpDecorate %texture Binding 0\n"
                          "OpDecorate %other DescriptorSet 0\nOpDecorate %other Binding 1\n" +
                          more + "; of the other\n",
           .globals = R"(%v2uint = OpTypeVector %uint 2
                    %place = OpConstantComposite %v2float %f0 %f0
                    %corner = OpConstantComposite %v2uint %u1 %u1
                    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
                    %sampled = OpTypeSampledImage %image
                    %pointer = OpTypePointer UniformConstant %sampled
                    %texture = OpVariable %pointer UniformConstant
                    %other = OpVariable %pointer UniformConstant)" +
                      std::string("\n"),
           .body = "%of = OpLoad %sampled %texture\n%by = OpLoad %sampled %other\n%texel = " + operation + "\n"},
          "; of the other\n",
          decorate};
}

std::vector<SpirvCase> ProcessedCases() {
  const std::string matched = "OpDecorate %texture BlockMatchTextureQCOM\n";
  const std::string samplers = "OpDecorate %texture BlockMatchSamplerQCOM\nOpDecorate %other BlockMatchSamplerQCOM\n";
  const std::string operands = " %v4float %of %corner %by %corner %corner";
  return {
      Processed("RuntimeSpirv-OpImageWeightedSampleQCOM-06981", "TextureSampleWeightedQCOM",
                "OpImageSampleWeightedQCOM %v4float %of %place %by", "WeightTextureQCOM"),
      Processed("RuntimeSpirv-OpImageBlockMatchSSDQCOM-06984", "TextureBlockMatchQCOM",
                "OpImageBlockMatchSADQCOM" + operands, "BlockMatchTextureQCOM", matched),
      Processed("RuntimeSpirv-OpImageBlockMatchWindow-09221", "TextureBlockMatch2QCOM",
                "OpImageBlockMatchWindowSSDQCOM" + operands, "BlockMatchTextureQCOM", matched + samplers),
      Processed("RuntimeSpirv-OpImageBlockMatchWindow-09221", "TextureBlockMatch2QCOM",
                "OpImageBlockMatchGatherSADQCOM" + operands, "BlockMatchTextureQCOM", matched + samplers),
  };
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
  std::vector<SpirvCase> cases = ProcessedCases();
  const std::vector<SpirvCase> others = {
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
      {"StandaloneSpirv-Offset-04865",
       Image("%float 2D 0 0 0 2 Rgba32f", "%1 = OpImageRead %v4float %loaded %point ConstOffset %offset\n", false),
       " ConstOffset %offset", ""},
      {"StandaloneSpirv-Offset-04865",
       Image("%float 2D 0 0 0 2 Rgba32f", "OpImageWrite %loaded %point %texel ConstOffset %offset\n", false),
       " ConstOffset %offset", ""},
      {"StandaloneSpirv-OpTypeImage-06924", stored, "OpStore %local %sampler_value", ""},
      {"RuntimeSpirv-Offset-10213",
       Image("%float 2D 0 0 0 1 Unknown", fetch, false),
       "Offset %offset",
       "ConstOffset %offset",
       {"maintenance8"}},
  };
  cases.insert(cases.end(), others.begin(), others.end());
  return cases;
}

}  // namespace assay::core
