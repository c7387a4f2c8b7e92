// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A compute shader with an image of that type, sampler and number, which are loaded.
StageText Image(const std::string& operands, const std::string& body, bool is_sampled = true) {
  return {.capabilities = Capabilities("ImageQuery, Image1D, Sampled1D, ImageGatherExtended"),
          .variables = {{"%texture", "UniformConstant", "%image", "DescriptorSet 0, Binding 0"},
                        {"%sampler_variable", "UniformConstant", "%sampler", "DescriptorSet 0, Binding 1"},
                        {"%number_variable", "Private", "%uint"}},
          .globals = "%image = OpTypeImage " + operands + "\n%sampler = OpTypeSampler\n" +
                     (is_sampled ? "%sampled = OpTypeSampledImage %image" : "") + R"(
                    %point = OpConstantComposite %v2uint %u0 %u0
                    %place = OpConstantComposite %v2float %f0 %f0
                    %place3 = OpConstantComposite %v3float %f0 %f0 %f0
                    %texel = OpConstantComposite %v4float %f0 %f0 %f0 %f0
                    %offset = OpConstantComposite %v2int %i1 %i1
                    %texel_pointer = OpTypePointer Image %uint
                  )",
          .body =
              "%loaded = OpLoad %image %texture\n%sampler_value = OpLoad %sampler %sampler_variable\n"
              "%number = OpLoad %uint %number_variable\n" +
              std::string(is_sampled ? "%both = OpSampledImage %sampled %loaded %sampler_value\n" : "") + body};
}

// An instruction whose second texture lacks `decoration`.
SpirvCase Processed(const char* id, const char* capability, const char* instruction, const char* operands,
                    const char* decoration, const std::string& others = "") {
  return {id, Processing(capability, others + "; of the other\n", instruction, operands), "; of the other\n",
          Decorate("%other", decoration)};
}

std::vector<SpirvCase> ProcessedCases() {
  const std::string matched = Decorate("%texture", "BlockMatchTextureQCOM");
  const std::string all_but_one = matched + DecorateTextures("BlockMatchSamplerQCOM");
  const char* const window = "RuntimeSpirv-OpImageBlockMatchWindow-09221";
  const char* const operands = "%corner %by %corner %corner";
  return {Processed("RuntimeSpirv-OpImageWeightedSampleQCOM-06981", "TextureSampleWeightedQCOM",
                    "OpImageSampleWeightedQCOM", "%place %by", "WeightTextureQCOM"),
          Processed("RuntimeSpirv-OpImageBlockMatchSSDQCOM-06984", "TextureBlockMatchQCOM", "OpImageBlockMatchSADQCOM",
                    operands, "BlockMatchTextureQCOM", matched),
          Processed(window, "TextureBlockMatch2QCOM", "OpImageBlockMatchWindowSSDQCOM", operands,
                    "BlockMatchTextureQCOM", all_but_one),
          Processed(window, "TextureBlockMatch2QCOM", "OpImageBlockMatchGatherSADQCOM", operands,
                    "BlockMatchTextureQCOM", all_but_one)};
}

}  // namespace

std::vector<SpirvCase> ImageCases() {
  const std::string texel = "%1 = OpImageTexelPointer %texel_pointer %texture %point %u0\n";
  const std::string depth = "%1 = OpImageSampleDrefExplicitLod %float %both %place3 %f0 Lod %f0\n";
  const std::string read = "%1 = OpImageRead %v2float %loaded %point\n";
  const std::string sampled = "%float 2D 0 0 0 1 Unknown", storage = "%float 2D 0 0 0 2 Rgba32f";
  const StageText fetch = Image(sampled, "%1 = OpImageFetch %v4float %loaded %point Offset %offset\n", false);
  const auto stored_image = [&](const std::string& body) { return Image(storage, body, false); };
  StageText stored = Image(sampled, "", false);
  stored.globals += "%local_pointer = OpTypePointer Function %sampler\n";
  stored.body = "%local = OpVariable %local_pointer Function\n" + stored.body + "OpStore %local %sampler_value\n";
  const std::vector<SpirvCase> others = {
      {"OpImageTexelPointer-04658", Image("%uint 2D 0 0 0 2 Rgba32ui", texel, false), "Rgba32ui", "R32ui"},
      {"OpImageQuerySizeLod-04659", stored_image("%1 = OpImageQuerySizeLod %v2uint %loaded %u0\n"), "0 0 0 2",
       "0 0 0 1"},
      {"OpImageQuerySizeLod-04659", stored_image("%1 = OpImageQueryLevels %uint %loaded\n"), "0 0 0 2", "0 0 0 1"},
      {"OpImageGather-04664", Image(sampled, "%1 = OpImageGather %v4float %both %place %number\n"), "%place %number",
       "%place %u1"},
      {"OpImage-04777", Image("%float 3D 0 0 0 1 Unknown", depth), "%float 3D", "%float 2D"},
      {"OpImage-04777", Image("%float 1D 0 0 0 1 Unknown", "%1 = OpImageDrefGather %v4float %both %place %f0\n"),
       "%float 1D", "%float 2D"},
      {"Result-04780", stored_image(read), "OpImageRead %v2float", "OpImageRead %v4float"},
      {"Offset-04865", stored_image("%1 = OpImageRead %v4float %loaded %point ConstOffset %offset\n"),
       " ConstOffset %offset", ""},
      {"Offset-04865", stored_image("OpImageWrite %loaded %point %texel ConstOffset %offset\n"), " ConstOffset %offset",
       ""},
      {"OpTypeImage-06924", stored, "OpStore %local %sampler_value", ""},
      {"RuntimeSpirv-Offset-10213", fetch, "Offset %offset", "ConstOffset %offset", {"maintenance8"}}};
  return Joined({ProcessedCases(), others});
}

}  // namespace assay::core
