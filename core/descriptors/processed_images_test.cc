// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Images that shaders process with VK_QCOM_image_processing, and images with a sampler Y′CBCR conversion, for every
// command that runs shaders, through the whole layer.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_test.h"

namespace assay::core {
namespace {

// Without the features of the extension, and with all of them: with one component, and with four.
constexpr VkFormat kPoor = VK_FORMAT_R8_SNORM;
constexpr VkFormat kRich = VK_FORMAT_R8_UNORM;
constexpr VkFormat kRichColor = VK_FORMAT_B8G8R8A8_UNORM;

// An instruction, with the decorations of its two images and their samplers, and the descriptor types of the images.
struct Operation {
  std::string_view name;
  std::string_view operands;
  std::string_view first = {};
  std::string_view second = {};
  std::string_view sampler = {};
  VkDescriptorType first_type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  VkDescriptorType second_type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  bool has_array = false;
};
constexpr Operation Matching(std::string_view name) {
  return {name,
          "%one %at %other %at %block",
          "BlockMatchTextureQCOM",
          "BlockMatchTextureQCOM",
          "BlockMatchSamplerQCOM",
          VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM,
          VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM};
}
constexpr Operation kWeighted = {.name = "OpImageSampleWeightedQCOM",
                                 .operands = "%one %null2 %other",
                                 .second = "WeightTextureQCOM",
                                 .second_type = VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM,
                                 .has_array = true};
constexpr Operation kBox = {.name = "OpImageBoxFilterQCOM", .operands = "%one %null2 %null2"};

class ProcessedImages : public BoundTest {
 protected:
  void SetUp() override {
    constexpr VkFormatFeatureFlags2 kAll =
        VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_WEIGHT_SAMPLED_IMAGE_BIT_QCOM |
        VK_FORMAT_FEATURE_2_WEIGHT_IMAGE_BIT_QCOM | VK_FORMAT_FEATURE_2_BOX_FILTER_SAMPLED_BIT_QCOM |
        VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM;
    driver().config().formats[kRich] = {.optimalTilingFeatures = kAll};
    driver().config().formats[kRichColor] = {.optimalTilingFeatures = kAll};
    Start({.extensions = {"VK_QCOM_image_processing", "VK_QCOM_image_processing2"}});
  }

  // The images are bindings 0 and 1, their samplers bindings 2 and 3.
  void Use(const Operation& operation) {
    operation_ = operation;
    ShaderAddition shader = ShaderWith({});
    shader.capabilities =
        Capabilities("TextureSampleWeightedQCOM, TextureBoxFilterQCOM, TextureBlockMatchQCOM, TextureBlockMatch2QCOM",
                     "SPV_QCOM_image_processing, SPV_QCOM_image_processing2");
    const std::string other = operation.has_array ? "%array" : "%type";
    shader.globals = {Descriptor("%image", "%type", 0, operation.first),
                      Descriptor("%second", other, 1, operation.second),
                      Descriptor("%sampler", "%sampler_type", 2, operation.sampler),
                      Descriptor("%second_sampler", "%sampler_type", 3, operation.sampler)};
    absl::StrAppend(&shader.declarations, "%block = OpConstantComposite %place %device %device\n",
                    "%array = OpTypeImage %scalar 2D 0 1 0 1 Unknown\n%sampled_array = OpTypeSampledImage %array\n",
                    "%sampled = OpTypeSampledImage %type\n%sampler_type = OpTypeSampler\n");
    absl::StrAppend(&shader.body, "%by = OpLoad %sampler_type %sampler\n%one = OpSampledImage %sampled %loaded %by\n",
                    "%second_loaded = OpLoad ", other, " %second\n%other_by = OpLoad %sampler_type %second_sampler\n",
                    "%other = OpSampledImage ", operation.has_array ? "%sampled_array" : "%sampled",
                    " %second_loaded %other_by\n%value = ", operation.name, " %v4 ", operation.operands, "\n");
    BoundTest::Use(shader, {{0, operation.first_type},
                            {1, operation.second_type},
                            {2, VK_DESCRIPTOR_TYPE_SAMPLER},
                            {3, VK_DESCRIPTOR_TYPE_SAMPLER}});
  }
  VkDescriptorSet SetOf(VkFormat first, VkFormat second,
                        VkSamplerCreateFlags flags = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM) {
    const VkDescriptorSet set = MakeSet(set_layout_);
    const auto write = [&](uint32_t binding, VkDescriptorType type, VkFormat format) {
      const ViewOptions options = {
          .format = format,
          .type = binding == 1 && operation_.has_array ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM |
                   VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM};
      WriteImage(set, binding, type, MakeViewOf(options), VK_IMAGE_LAYOUT_GENERAL);
    };
    write(0, operation_.first_type, first);
    write(1, operation_.second_type, second);
    const VkSampler sampler =
        MakeSampler(Clamped({.flags = flags, .unnormalizedCoordinates = !operation_.sampler.empty()}));
    for (const uint32_t binding : {2u, 3u})
      WriteImage(set, binding, VK_DESCRIPTOR_TYPE_SAMPLER, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED, sampler);
    messages.Take();
    return set;
  }

  Operation operation_;
};

TEST_F(ProcessedImages, Weighted) {
  Use(kWeighted);
  ExpectRuleOfEach(SetOf(kPoor, kRich), "OpImageWeightedSampleQCOM-06971", SetOf(kRich, kRich));
  ExpectRuleOfEach(SetOf(kRich, kPoor), "OpImageWeightedSampleQCOM-06972");
}
TEST_F(ProcessedImages, BoxFiltered) {
  Use(kBox);
  ExpectRuleOfEach(SetOf(kPoor, kRich), "OpImageBoxFilterQCOM-06973", SetOf(kRich, kPoor));
  ExpectRuleOfEach(SetOf(kRich, kRich, 0), "OpImageWeightedSampleQCOM-06977");
}
TEST_F(ProcessedImages, Sampled) {
  Use({.name = "OpImageSampleExplicitLod", .operands = "%one %null2 Lod %null1"});
  ExpectRuleOfEach(SetOf(kPoor, kPoor), "OpImageWeightedSampleQCOM-06978", SetOf(kPoor, kPoor, 0));
}
TEST_F(ProcessedImages, Matched) {
  Use(Matching("OpImageBlockMatchSSDQCOM"));
  ExpectRuleOfEach(SetOf(kPoor, kRich), "OpImageBlockMatchSSDQCOM-06974", SetOf(kRichColor, kRichColor));
  Use(Matching("OpImageBlockMatchSADQCOM"));
  ExpectRuleOfEach(SetOf(kRich, kPoor), "OpImageBlockMatchSADQCOM-06975");
}
TEST_F(ProcessedImages, MatchedInWindows) {
  for (const std::string_view name : {"OpImageBlockMatchWindowSSDQCOM", "OpImageBlockMatchGatherSADQCOM"}) {
    Use(Matching(name));
    ExpectSilenceOfEach(SetOf(kRich, kRich));
    ExpectRuleOfEach(SetOf(kPoor, kRich), "OpImageBlockMatchWindow-09215");
    ExpectRuleOfEach(SetOf(kRich, kRichColor), "OpImageBlockMatchWindow-09216");
  }
}

class ConvertedImages : public BoundTest {
 protected:
  // Binds a view with a conversion, and then one without.
  void Expect(std::string_view body, std::string_view rule) {
    driver().config().formats[VK_FORMAT_B8G8R8A8_UNORM] = {.optimalTilingFeatures =
                                                               VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT |
                                                               VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT};
    Start();
    const VkSamplerYcbcrConversionCreateInfo info = {.format = VK_FORMAT_B8G8R8A8_UNORM,
                                                     .xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
                                                     .yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT};
    const auto conversion = MakeFrom(info, vk.CreateSamplerYcbcrConversion, vk.DestroySamplerYcbcrConversion);
    const auto chain = Of<VkSamplerYcbcrConversionInfo>(conversion);
    for (const bool converts : {true, false}) {
      const VkSampler sampler = MakeSampler(Clamped({.pNext = converts ? &chain : nullptr}));
      Use({.is_combined = true, .body = body}, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &sampler);
      const VkImageView view = MakeViewOf({.format = VK_FORMAT_B8G8R8A8_UNORM, .chain = converts ? &chain : nullptr});
      ExpectRuleOfEach(SetWith(view), converts ? rule : "");
    }
  }
};

TEST_F(ConvertedImages, AreSampled) { Expect("%value = OpImageGather %v4 %loaded %null2 %zero", "None-06550"); }
TEST_F(ConvertedImages, HaveNoOffsets) {
  Expect("%value = OpImageSampleExplicitLod %v4 %loaded %null2 Lod|ConstOffset %null1 %at", "ConstOffset-06551");
}

}  // namespace
}  // namespace assay::core
