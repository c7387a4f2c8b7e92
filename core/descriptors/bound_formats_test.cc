// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Features and components of the formats of images and texel buffers that shaders access, for every command that runs
// shaders, through the whole layer.

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/descriptors/bound_test.h"

namespace assay::core {
namespace {

// Without most features.
constexpr VkFormat kPoor = VK_FORMAT_R8G8B8A8_SNORM;
constexpr std::string_view kUnsigned = "OpTypeInt 32 0", kUnsigned64 = "OpTypeInt 64 0";

class BoundFormats : public BoundTest {
 protected:
  void StartWith(const StartOptions& options) {
    driver().config().formats[kPoor] = {
        .optimalTilingFeatures = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT,
        .bufferFeatures = VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT};
    driver().config().formats[VK_FORMAT_R32_UINT] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT,
                                                     .bufferFeatures = VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT};
    Start(options);
  }
  VkDescriptorSet Storage(VkFormat format, VkImageCreateFlags flags = 0) {
    return SetWith(MakeViewOf({.format = format, .usage = VK_IMAGE_USAGE_STORAGE_BIT, .flags = flags}));
  }
  VkDescriptorSet Texels(VkFormat format, VkBufferCreateFlags flags = 0) {
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .flags = flags,
                                       .size = 1024,
                                       .usage = VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    const bool is_sparse = (flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) != 0;
    const VkBufferViewCreateInfo info = {.buffer = is_sparse ? MakeUnboundBuffer(buffer) : MakeBuffer(buffer).handle,
                                         .format = format,
                                         .range = VK_WHOLE_SIZE};
    const VkBufferView view = MakeFrom(info, vk.CreateBufferView, vk.DestroyBufferView);
    return SetWith({.pTexelBufferView = &view});
  }
  void UseStorage(std::string_view body, std::string_view format = "Unknown") {
    Use({.type = absl::StrCat("%scalar 2D 0 0 0 2 ", format), .body = body, .capabilities = kCapabilities},
        VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  }
  // Of 32-bit floats or, with another scalar, of integers.
  void UseTexels(std::string_view body, std::string_view format = "Unknown",
                 std::string_view scalar = "OpTypeFloat 32") {
    Use({.type = absl::StrCat(scalar == kUnsigned ? "%uint" : "%scalar", " Buffer 0 0 0 2 ", format),
         .scalar = scalar,
         .body = body,
         .capabilities = kCapabilities + (scalar == kUnsigned64 ? kCapabilitiesOf64Bits : "")},
        VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER);
  }

  static inline const std::string kCapabilities =
      Capabilities("StorageImageReadWithoutFormat, StorageImageWriteWithoutFormat, ImageBuffer");
};

constexpr std::string_view kRead = "%value = OpImageRead %v4 %loaded %at";
constexpr std::string_view kWrite = "OpImageWrite %loaded %at %null4";
constexpr std::string_view kReadTexel = "%value = OpImageRead %v4 %loaded %zero";
constexpr std::string_view kWriteTexel = "OpImageWrite %loaded %zero %null4";

TEST_F(BoundFormats, ImagesWithoutFormat) {
  StartWith({});
  UseStorage(kRead);
  ExpectRuleOfEach(Storage(kPoor), "OpTypeImage-07028", Storage(VK_FORMAT_R8G8B8A8_UNORM));
  ExpectTextsOfDispatch(Storage(kPoor), "OpTypeImage-07028", {"as a storage image without format that it reads, but"});
  UseStorage(kWrite);
  ExpectRuleOfEach(Storage(kPoor), "OpTypeImage-07027", Storage(VK_FORMAT_R8G8B8A8_UNORM));
  UseStorage(kWrite, "Rgba8Snorm");
  ExpectSilenceOfEach(Storage(kPoor));
}
TEST_F(BoundFormats, TexelBuffersWithoutFormat) {
  StartWith({});
  UseTexels(kReadTexel);
  ExpectRuleOfEach(Texels(kPoor), "OpTypeImage-07030", Texels(VK_FORMAT_R8G8B8A8_UNORM));
  UseTexels(kWriteTexel);
  ExpectRuleOfEach(Texels(kPoor), "OpTypeImage-07029", Texels(VK_FORMAT_R8G8B8A8_UNORM));
  UseTexels(kWriteTexel, "Rgba8Snorm");
  ExpectSilenceOfEach(Texels(kPoor));
}

TEST_F(BoundFormats, Components) {
  StartWith({.extensions = {"VK_KHR_maintenance5"}});
  UseStorage("OpImageWrite %loaded %at %null2");
  ExpectRuleOfEach(Storage(VK_FORMAT_R8G8B8A8_UNORM), "OpImageWrite-08795");
  ExpectRuleOfEach(Storage(VK_FORMAT_A8_UNORM), "OpImageWrite-08796", Storage(VK_FORMAT_R8G8_UNORM));
  UseStorage(kWrite);
  ExpectSilenceOfEach(Storage(VK_FORMAT_A8_UNORM));
  UseTexels("OpImageWrite %loaded %zero %null2");
  ExpectRuleOfEach(Texels(VK_FORMAT_R8G8B8A8_UNORM), "OpImageWrite-04469", Texels(VK_FORMAT_R8G8_UNORM));
}

TEST_F(BoundFormats, DepthComparison) {
  StartWith({});
  Use({.type = "%scalar 2D 1 0 0 1 Unknown",
       .is_combined = true,
       .body = "%value = OpImageSampleDrefExplicitLod %scalar %loaded %null2 %null1 Lod %null1"},
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  const VkSampler sampler = MakeSampler({.compareEnable = VK_TRUE});
  ExpectRuleOfEach(SetWith(MakeViewOf({}), sampler), "None-06479",
                   SetWith(MakeViewOf({.format = VK_FORMAT_D16_UNORM, .aspects = VK_IMAGE_ASPECT_DEPTH_BIT}), sampler));
}
constexpr VkBufferCreateFlags kSparse = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT;

TEST_F(BoundFormats, AtomicsOfTexelBuffers) {
  StartWith({.without = {"sparseImageInt64Atomics"}, .extensions = {"VK_EXT_shader_image_atomic_int64"}});
  UseTexels(AtomicOf("%uint"), "R32ui", kUnsigned);
  ExpectRuleOfEach(Texels(VK_FORMAT_R32_UINT), "None-07888", Texels(VK_FORMAT_R32_SINT));
  UseTexels(AtomicOf("%scalar"), "R64ui", kUnsigned64);
  ExpectRuleOfEach(Texels(VK_FORMAT_R64_UINT, kSparse), "sparseImageInt64Atomics-04475", Texels(VK_FORMAT_R64_UINT));
}
TEST_F(BoundFormats, WidthsOfTexelBuffers) {
  StartWith({.extensions = {"VK_EXT_shader_image_atomic_int64"}});
  UseTexels(kReadTexel, "R32ui", kUnsigned);
  ExpectRuleOfEach(Texels(VK_FORMAT_R64_UINT), "SampledType-04472");
  UseTexels(kReadTexel, "R64ui", kUnsigned64);
  ExpectRuleOfEach(Texels(VK_FORMAT_R32_UINT), "SampledType-04473", Texels(VK_FORMAT_R64_UINT));
}

class ProtectedBuffers : public BoundFormats {
 protected:
  void SetUp() override {
    ChangeProperties<VkPhysicalDeviceProtectedMemoryProperties>(
        [](auto& properties) { properties.protectedNoFault = VK_FALSE; });
  }
  // For the commands that may write in protected command buffers. Of draws, the stages before rasterization do not.
  void ExpectInProtected(VkDescriptorSet set, std::string_view rule) {
    RecordEach("commandBuffer-02712", [&] {
      BindPlain();
      BindSet(set);
      const bool may_write = rule == "commandBuffer-02713" && call_->point == DrawRecording::kCompute;
      ExpectRule(may_write ? "" : rule);
    });
  }
};

TEST_F(ProtectedBuffers, InUnprotectedCommandBuffers) {
  StartWith({});
  UseTexels(kReadTexel);
  ExpectRuleOfEach(Texels(VK_FORMAT_R8G8B8A8_UNORM, VK_BUFFER_CREATE_PROTECTED_BIT), "commandBuffer-02707");
}
TEST_F(ProtectedBuffers, WritesOfUnprotectedResources) {
  StartWith({.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT});
  UseTexels(kWriteTexel);
  ExpectInProtected(Texels(VK_FORMAT_R8G8B8A8_UNORM), "commandBuffer-02712");
  ExpectInProtected(Texels(VK_FORMAT_R8G8B8A8_UNORM, VK_BUFFER_CREATE_PROTECTED_BIT), "commandBuffer-02713");
  UseStorage(kWrite);
  ExpectInProtected(Storage(VK_FORMAT_R8G8B8A8_UNORM), "commandBuffer-02712");
  ExpectInProtected(Storage(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_CREATE_PROTECTED_BIT), "commandBuffer-02713");
  UseStorage(kRead);
  ExpectInProtected(Storage(VK_FORMAT_R8G8B8A8_UNORM), "");
}

}  // namespace
}  // namespace assay::core
