// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

using Info = VkSamplerCreateInfo;
using Conversion = VkSamplerYcbcrConversionCreateInfo;

constexpr VkFormat kPlanes = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
// Can only be sampled at midpoints, at cosited samples, not at all; has fewer than eight bits.
constexpr VkFormat kMidpoint = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
constexpr VkFormat kCosited = VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM;
constexpr VkFormat kNothing = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkFormat kSmall = VK_FORMAT_R5G6B5_UNORM_PACK16;
constexpr VkSamplerAddressMode kEdge = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
constexpr VkSamplerAddressMode kBorder = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
constexpr VkBorderColor kWhite = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
constexpr VkSamplerCreateFlags kProcesses = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM;

class SamplerTest : public ResourceTest {
 protected:
  void SetUp() override {
    SetFeatures(kMidpoint, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT);
    SetFeatures(kCosited, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT);
    SetFeatures(kNothing, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT);
    for (const VkFormat format : {kSmall, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8A8_UINT})
      SetFeatures(format, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT);
    ChangeProperties<VkPhysicalDeviceImageProcessing2PropertiesQCOM>([](auto& p) { p.maxBlockMatchWindow = {8, 8}; });
  }

  void RunSamplers(const std::vector<Case<Info>>& cases) {
    const Info correct = {.addressModeU = kEdge, .addressModeV = kEdge, .addressModeW = kEdge};
    Run("VkSamplerCreateInfo", correct, cases, vk.CreateSampler, vk.DestroySampler);
  }
  void RunConversions(const std::vector<Case<Conversion>>& cases) {
    const Conversion correct = {.format = kPlanes, .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709};
    Run("VkSamplerYcbcrConversionCreateInfo", correct, cases, vk.CreateSamplerYcbcrConversion,
        vk.DestroySamplerYcbcrConversion);
  }
  void Convert(Info& i, VkFormat format) {
    constexpr auto kMidway = VK_CHROMA_LOCATION_MIDPOINT;
    Chain<VkSamplerYcbcrConversionInfo>(i).conversion =
        MakeConversion({.format = format, .xChromaOffset = kMidway, .yChromaOffset = kMidway});
  }
  void Reduce(Info& i) { Chain<VkSamplerReductionModeCreateInfo>(i).reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN; }
  void SetColor(Info& i, VkBorderColor color, VkFormat format) {
    i.borderColor = color;
    Chain<VkSamplerCustomBorderColorCreateInfoEXT>(i).format = format;
  }
  void Degamma(Conversion& c, VkBool32 y, VkBool32 cb_cr) {
    Chain<VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM>(c, {.enableYDegamma = y, .enableCbCrDegamma = cb_cr});
  }
};

TEST_F(SamplerTest, Samplers) {
  Start({VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME});
  RunSamplers({
      {"", [&](Info& i) { Convert(i, kMidpoint); }},
      {"addressModeU-01646", [&](Info& i) { Convert(i, kPlanes), i.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT; }},
      {"minFilter-01645", [&](Info& i) { Convert(i, kMidpoint), i.minFilter = VK_FILTER_LINEAR; }},
      {"", [&](Info& i) { Convert(i, kPlanes), i.minFilter = VK_FILTER_LINEAR; }},
      {"None-01647", [&](Info& i) { Convert(i, kPlanes), Reduce(i); }},
      {"addressModeU-01078", [](Info& i) { i.addressModeU = kBorder, i.borderColor = static_cast<VkBorderColor>(77); }},
      {"borderColor-04011", [](Info& i) { i.borderColor = VK_BORDER_COLOR_INT_CUSTOM_EXT; }},
      {"VkSamplerCustomBorderColorCreateInfoEXT-format-07605",
       [&](Info& i) { SetColor(i, VK_BORDER_COLOR_INT_CUSTOM_EXT, VK_FORMAT_R8_UNORM); }},
      {"", [&](Info& i) { SetColor(i, VK_BORDER_COLOR_INT_CUSTOM_EXT, VK_FORMAT_R8_UINT); }},
      {"", [&](Info& i) { SetColor(i, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, VK_FORMAT_R8_UNORM); }},
      {"compareEnable-01080", [](Info& i) { i.compareEnable = VK_TRUE, i.compareOp = static_cast<VkCompareOp>(77); }},
      {"flags-06964", [](Info& i) { i.flags = kProcesses, i.minFilter = i.magFilter = VK_FILTER_LINEAR; }},
      {"flags-06966", [](Info& i) { i.flags = kProcesses, i.maxLod = 1; }},
      {"flags-06967", [](Info& i) { i.flags = kProcesses, i.addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT; }},
      {"flags-06968", [](Info& i) { i.flags = kProcesses, i.addressModeU = kBorder, i.borderColor = kWhite; }},
      {"VkSamplerBlockMatchWindowCreateInfoQCOM-WindowExtent-09210",
       [&](Info& i) { Chain<VkSamplerBlockMatchWindowCreateInfoQCOM>(i).windowExtent = {8, 9}; }},
  });
}

TEST_F(SamplerTest, WithoutFeatures) {
  Start({VK_EXT_FILTER_CUBIC_EXTENSION_NAME}, {"samplerMipLodBias"}, {"VK_KHR_portability_subset"});
  RunSamplers({
      {"magFilter-07911", [&](Info& i) { i.magFilter = VK_FILTER_CUBIC_IMG, Reduce(i); }},
      {"samplerMipLodBias-04467", [](Info& i) { i.mipLodBias = 1; }},
  });
  Start({VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME}, {"samplerFilterMinmax", "ycbcrDegamma"});
  RunSamplers({{"pNext-06726", [&](Info& i) { Reduce(i); }}});
  RunConversions({
      {"pNext-09207", [&](Conversion& c) { Degamma(c, VK_TRUE, VK_FALSE); }},
      {"pNext-09208", [&](Conversion& c) { Degamma(c, VK_FALSE, VK_TRUE); }},
  });
}

TEST_F(SamplerTest, Totals) {
  driver().config().limits.maxSamplerAllocationCount = 2;
  ChangeProperties<VkPhysicalDeviceCustomBorderColorPropertiesEXT>([](auto& p) { p.maxCustomBorderColorSamplers = 1; });
  ChangeProperties<VkPhysicalDeviceDescriptorBufferPropertiesEXT>(
      [](auto& p) { p.samplerDescriptorBufferAddressSpaceSize = p.resourceDescriptorBufferAddressSpaceSize = 100; });
  Start();
  Info info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  SetColor(info, VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, VK_FORMAT_R8_UNORM);
  VkSampler first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
  vk.CreateSampler(device, &info, nullptr, &first);
  ExpectNothing();
  vk.CreateSampler(device, &info, nullptr, &second);
  ExpectMessage("VUID-VkSamplerCreateInfo-None-04012");
  MakeSampler();
  ExpectMessage("VUID-vkCreateSampler-maxSamplerAllocationCount-04110");
  for (const VkSampler sampler : {first, second}) vk.DestroySampler(device, sampler, nullptr);
  MakeSampler();
  const auto make = [&](VkBufferUsageFlags usage) { return MakeUnboundBuffer({.size = 60, .usage = usage}); };
  DestroyNow(make(VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT));
  for (const auto usage :
       {VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT, VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT})
    make(usage);
  ExpectNothing();
  make(VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT);
  ExpectMessage("VUID-VkBufferCreateInfo-usage-08097");
  make(VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT);
  ExpectMessage("VUID-VkBufferCreateInfo-usage-08098");
}

TEST_F(SamplerTest, Conversions) {
  Start({VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME});
  RunConversions({
      {"format-01904", [&](Conversion& c) { Chain<VkExternalFormatANDROID>(c).externalFormat = 1; }},
      {"format-04061", [](Conversion& c) { c.format = VK_FORMAT_R8G8B8A8_UINT; }},
      {"format-04061", [](Conversion& c) { c.format = VK_FORMAT_UNDEFINED; }},
      {"format-01650", [](Conversion& c) { c.format = kNothing; }},
      {"pNext-09209", [&](Conversion& c) { Degamma(c, VK_TRUE, VK_TRUE), c.format = kSmall; }},
      {"xChromaOffset-01651", [](Conversion& c) { c.format = kMidpoint; }},
      {"xChromaOffset-01652",
       [](Conversion& c) { c.format = kCosited, c.xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT; }},
      {"", [](Conversion& c) { c.format = kCosited, c.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT; }},
      {"components-02581", [](Conversion& c) { c.components.g = VK_COMPONENT_SWIZZLE_B; }},
      {"components-02582", [](Conversion& c) { c.components.a = VK_COMPONENT_SWIZZLE_B; }},
      {"components-02583", [](Conversion& c) { c.components.r = VK_COMPONENT_SWIZZLE_G; }},
      {"components-02584", [](Conversion& c) { c.components = {VK_COMPONENT_SWIZZLE_B, {}, VK_COMPONENT_SWIZZLE_G}; }},
      {"components-02585", [](Conversion& c) { c.components.r = VK_COMPONENT_SWIZZLE_B; }},
      {"", [](Conversion& c) { c.components = {VK_COMPONENT_SWIZZLE_B, {}, VK_COMPONENT_SWIZZLE_R}; }},
      {"ycbcrModel-01655", [](Conversion& c) { c.format = VK_FORMAT_R8G8_UNORM; }},
      {"ycbcrRange-02748", [](Conversion& c) { c.format = kSmall, c.ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW; }},
      {"forceExplicitReconstruction-01656", [](Conversion& c) { c.forceExplicitReconstruction = VK_TRUE; }},
      {"chromaFilter-01657", [](Conversion& c) { c.format = kCosited, c.chromaFilter = VK_FILTER_LINEAR; }},
  });
}

}  // namespace
}  // namespace assay::core
