// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Immutable samplers of instructions of VK_QCOM_image_processing, through the whole layer.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

// A fragment shader that compares the textures of bindings 0 and 1 with the samplers of bindings 2 and 3.
std::string MatchingShader(const std::string& operation) {
  const bool is_first = operation == "SSD" || operation == "SAD";
  return absl::StrCat("OpCapability Shader\nOpCapability TextureBlockMatch", is_first ? "" : "2", R"(QCOM
    OpExtension "SPV_QCOM_image_processing"
    OpExtension "SPV_QCOM_image_processing2"
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %target %reference %target_sampler %reference_sampler
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %target DescriptorSet 0
    OpDecorate %target Binding 0
    OpDecorate %target BlockMatchTextureQCOM
    OpDecorate %reference DescriptorSet 0
    OpDecorate %reference Binding 1
    OpDecorate %reference BlockMatchTextureQCOM
    OpDecorate %target_sampler DescriptorSet 0
    OpDecorate %target_sampler Binding 2
    OpDecorate %target_sampler BlockMatchSamplerQCOM
    OpDecorate %reference_sampler DescriptorSet 0
    OpDecorate %reference_sampler Binding 3
    OpDecorate %reference_sampler BlockMatchSamplerQCOM
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %v2uint = OpTypeVector %uint 2
    %v4float = OpTypeVector %float 4
    %one = OpConstant %uint 1
    %corner = OpConstantComposite %v2uint %one %one
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %sampler = OpTypeSampler
    %sampled = OpTypeSampledImage %image
    %image_pointer = OpTypePointer UniformConstant %image
    %sampler_pointer = OpTypePointer UniformConstant %sampler
    %target = OpVariable %image_pointer UniformConstant
    %reference = OpVariable %image_pointer UniformConstant
    %target_sampler = OpVariable %sampler_pointer UniformConstant
    %reference_sampler = OpVariable %sampler_pointer UniformConstant
    %main = OpFunction %void None %function
    %entry = OpLabel
    %target_image = OpLoad %image %target
    %by = OpLoad %sampler %target_sampler
    %one_texture = OpSampledImage %sampled %target_image %by
    %reference_image = OpLoad %image %reference
    %other_by = OpLoad %sampler %reference_sampler
    %other_texture = OpSampledImage %sampled %reference_image %other_by
    %difference = OpImageBlockMatch)",
                      operation, R"(QCOM %v4float %one_texture %corner %other_texture %corner %corner
    OpReturn
    OpFunctionEnd
  )");
}

struct Sampling {
  VkBool32 is_unnormalized = VK_TRUE;
  bool has_window = true;
  VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
};

class BlockMatchSamplers : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME, VK_QCOM_IMAGE_PROCESSING_2_EXTENSION_NAME},
            .features = &first_};
  }

  VkSampler Make(const Sampling& sampling) {
    const VkSamplerBlockMatchWindowCreateInfoQCOM window = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BLOCK_MATCH_WINDOW_CREATE_INFO_QCOM,
        .windowExtent = {1, 1},
        .windowCompareMode = VK_BLOCK_MATCH_WINDOW_COMPARE_MODE_MIN_QCOM};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = sampling.has_window ? &window : nullptr,
                                      .flags = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM,
                                      .addressModeU = sampling.mode,
                                      .addressModeV = sampling.mode,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .unnormalizedCoordinates = sampling.is_unnormalized};
    VkSampler sampler = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateSampler(device, &info, nullptr, &sampler), VK_SUCCESS);
    Defer(sampler, [=, this] { vk.DestroySampler(device, sampler, nullptr); });
    return sampler;
  }

  // Makes a pipeline with immutable samplers for the operation, or with none.
  void MakePipeline(const std::string& operation, VkSampler target, VkSampler reference) {
    const auto binding = [](uint32_t number, VkDescriptorType type, const VkSampler* sampler) {
      return VkDescriptorSetLayoutBinding{number, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT,
                                          sampler != nullptr && *sampler != VK_NULL_HANDLE ? sampler : nullptr};
    };
    const VkDescriptorSetLayoutBinding bindings[] = {binding(0, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, nullptr),
                                                     binding(1, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, nullptr),
                                                     binding(2, VK_DESCRIPTOR_TYPE_SAMPLER, &target),
                                                     binding(3, VK_DESCRIPTOR_TYPE_SAMPLER, &reference)};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 4, .pBindings = bindings};
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
    ASSERT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &set), VK_SUCCESS);
    const VkPipelineLayout layout = MakePipelineLayout({set});
    // The pipeline layout outlives it.
    vk.DestroyDescriptorSetLayout(device, set, nullptr);
    MakeGraphicsPipeline(layout, {.fragment = MakeShader(test::AssembleSpirv(MatchingShader(operation)))});
  }
  void ExpectRule(const char* rule) {
    ExpectMessage(absl::StrCat("VUID-RuntimeSpirv-", rule));
    ExpectNothing();
  }

  VkPhysicalDeviceImageProcessing2FeaturesQCOM second_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_2_FEATURES_QCOM, .textureBlockMatch2 = VK_TRUE};
  VkPhysicalDeviceImageProcessingFeaturesQCOM first_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM,
      .pNext = &second_,
      .textureBlockMatch = VK_TRUE};
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
  const Sampling border = {.mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
  MakePipeline("SSD", Make({}), Make(border));
  ExpectRule("OpImageBlockMatchSSDQCOM-06985");
  MakePipeline("GatherSAD", Make({}), Make(border));
  ExpectRule("OpImageBlockMatchWindow-09222");
}

TEST_F(BlockMatchSamplers, MustHaveUnnormalizedCoordinates) {
  const Sampling normalized = {.is_unnormalized = VK_FALSE};
  MakePipeline("SAD", Make(normalized), Make(normalized));
  ExpectRule("OpImageBlockMatchSSDQCOM-06986");
  MakePipeline("WindowSAD", VK_NULL_HANDLE, Make(normalized));
  ExpectRule("OpImageBlockMatchWindow-09223");
}

TEST_F(BlockMatchSamplers, NeedAWindow) {
  const Sampling without = {.has_window = false};
  MakePipeline("WindowSSD", Make(without), Make(without));
  ExpectRule("pNext-09226");
  MakePipeline("GatherSSD", Make(without), Make(without));
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
