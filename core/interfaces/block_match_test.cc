// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Immutable samplers of instructions of VK_QCOM_image_processing, through the whole layer.

#include "core/shader_stages/stage_text_test.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

// Of descriptor set 0.
StageVariable Resource(const char* name, const char* type, std::string_view decorations) {
  return {name, "UniformConstant", type, absl::StrCat("DescriptorSet 0, ", decorations)};
}

// A fragment shader that compares the textures of bindings 0 and 1 with the samplers of bindings 2 and 3.
std::string MatchingShader(const std::string& operation) {
  const bool is_first = operation == "SSD" || operation == "SAD";
  return Text({.model = "Fragment",
               .capabilities = Capabilities(is_first ? "TextureBlockMatchQCOM" : "TextureBlockMatch2QCOM",
                                            "SPV_QCOM_image_processing, SPV_QCOM_image_processing2"),
               .variables = {Resource("%target", "%image", "Binding 0, BlockMatchTextureQCOM"),
                             Resource("%reference", "%image", "Binding 1, BlockMatchTextureQCOM"),
                             Resource("%target_sampler", "%sampler", "Binding 2, BlockMatchSamplerQCOM"),
                             Resource("%reference_sampler", "%sampler", "Binding 3, BlockMatchSamplerQCOM")},
               .globals = R"(
    %corner = OpConstantComposite %v2uint %u1 %u1
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %sampler = OpTypeSampler
    %sampled = OpTypeSampledImage %image
  )",
               .body = absl::StrCat(R"(
    %target_image = OpLoad %image %target
    %by = OpLoad %sampler %target_sampler
    %one_texture = OpSampledImage %sampled %target_image %by
    %reference_image = OpLoad %image %reference
    %other_by = OpLoad %sampler %reference_sampler
    %other_texture = OpSampledImage %sampled %reference_image %other_by
    %difference = OpImageBlockMatch)",
                                    operation, "QCOM %v4float %one_texture %corner %other_texture %corner %corner\n")});
}

struct Sampling {
  VkBool32 is_unnormalized = VK_TRUE;
  bool has_window = true;
  VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
};

class BlockMatchSamplers : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return features_.EnableOnly({VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME, VK_QCOM_IMAGE_PROCESSING_2_EXTENSION_NAME});
  }

  VkSampler Make(const Sampling& sampling) {
    const auto window = test::Of<VkSamplerBlockMatchWindowCreateInfoQCOM>(VkExtent2D{1, 1},
                                                                          VK_BLOCK_MATCH_WINDOW_COMPARE_MODE_MIN_QCOM);
    return MakeSampler({.pNext = sampling.has_window ? &window : nullptr,
                        .flags = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM,
                        .addressModeU = sampling.mode,
                        .addressModeV = sampling.mode,
                        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .unnormalizedCoordinates = sampling.is_unnormalized});
  }

  // Makes a pipeline with immutable samplers for the operation, or with none.
  void MakePipeline(const std::string& operation, VkSampler target, VkSampler reference) {
    const auto binding = [](uint32_t number, VkDescriptorType type, const VkSampler& sampler) {
      return test::Binding{number, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT,
                           sampler != VK_NULL_HANDLE ? &sampler : nullptr};
    };
    const VkSampler none = VK_NULL_HANDLE;
    const VkDescriptorSetLayout set = MakeSetLayout({binding(0, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, none),
                                                     binding(1, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, none),
                                                     binding(2, VK_DESCRIPTOR_TYPE_SAMPLER, target),
                                                     binding(3, VK_DESCRIPTOR_TYPE_SAMPLER, reference)});
    const VkPipelineLayout layout = MakePipelineLayout({set});
    // The pipeline layout outlives it.
    DestroyNow(set);
    MakeGraphicsPipeline(layout, {.fragment = MakeShader(MatchingShader(operation))});
  }
  void Expect(const std::string& rule, const std::string& operation, VkSampler target, VkSampler reference) {
    MakePipeline(operation, target, reference);
    ExpectMessages({"VUID-RuntimeSpirv-" + rule});
  }

  test::ExtensionFeatures features_;
};

TEST_F(BlockMatchSamplers, Correct) {
  for (const char* operation : {"SSD", "SAD", "WindowSSD", "WindowSAD", "GatherSSD", "GatherSAD"}) {
    MakePipeline(operation, Make({}), Make({}));
    MakePipeline(operation, VK_NULL_HANDLE, VK_NULL_HANDLE);
    MakePipeline(operation, Make({}), VK_NULL_HANDLE);
  }
  MakePipeline("SSD", Make({.has_window = false}), Make({.has_window = false}));
  ExpectNothing();
}

TEST_F(BlockMatchSamplers, MustBeIdentical) {
  const VkSampler other = Make({.mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER});
  Expect("OpImageBlockMatchSSDQCOM-06985", "SSD", Make({}), other);
  Expect("OpImageBlockMatchWindow-09222", "GatherSAD", Make({}), other);
}

TEST_F(BlockMatchSamplers, MustHaveUnnormalizedCoordinates) {
  const VkSampler normalized = Make({.is_unnormalized = VK_FALSE});
  Expect("OpImageBlockMatchSSDQCOM-06986", "SAD", normalized, Make({.is_unnormalized = VK_FALSE}));
  Expect("OpImageBlockMatchWindow-09223", "WindowSAD", VK_NULL_HANDLE, normalized);
}

TEST_F(BlockMatchSamplers, NeedAWindow) {
  const VkSampler without = Make({.has_window = false}), other = Make({.has_window = false});
  Expect("pNext-09226", "WindowSSD", without, other);
  MakePipeline("GatherSSD", without, other);
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
