// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

using Info = VkImageCreateInfo;
using I = Info&;

constexpr VkFormat kPlanes = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
// Can be neither copied by the host nor disjoint, and nothing.
constexpr VkFormat kLittle = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
constexpr VkFormat kNothing = VK_FORMAT_R8G8B8A8_SNORM;
constexpr VkImageUsageFlags kSampled = VK_IMAGE_USAGE_SAMPLED_BIT;
constexpr VkImageUsageFlags kDepth = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kInput = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kTransient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kMap = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
constexpr VkImageUsageFlags kEmphasis = VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR;
constexpr auto kFour = VK_SAMPLE_COUNT_4_BIT;
constexpr auto kAndroid = VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID;
constexpr auto kQnx = VK_EXTERNAL_MEMORY_HANDLE_TYPE_SCREEN_BUFFER_BIT_QNX;
constexpr auto kFd = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

class ImageTest : public ResourceTest {
 protected:
  void SetUp() override {
    driver().config().formats[kLittle] = {VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3, nullptr, 1, 1};
    SetFeatures(kNothing, 0);
    driver().config().limits.maxFramebufferWidth = driver().config().limits.maxFramebufferHeight = 4096;
    ChangeProperties<VkPhysicalDeviceFragmentDensityMapPropertiesEXT>(
        [](auto& p) { p.minFragmentDensityTexelSize = {8, 8}; });
    ChangeProperties<VkPhysicalDeviceImageAlignmentControlPropertiesMESA>(
        [](auto& p) { p.supportedImageAlignmentMask = 256; });
    ChangeProperties<VkImageFormatProperties2>([](auto& p) { p.imageFormatProperties.maxMipLevels = 13; });
    ChangeProperties<VkExternalImageFormatProperties>(
        [this](auto& p) { p.externalMemoryProperties.compatibleHandleTypes = compatible_types_; });
  }

  void RunImages(const std::vector<Case<Info>>& cases) {
    Run("VkImageCreateInfo", PlainImage(), cases, vk.CreateImage, vk.DestroyImage);
  }
  void SetMemory(I i, VkExternalMemoryHandleTypeFlags types) {
    Chain<VkExternalMemoryImageCreateInfo>(i).handleTypes = types;
  }
  // A depth/stencil format with both usages.
  void SetStencil(I i, VkImageUsageFlags usage, VkImageUsageFlags of_stencil) {
    i.format = VK_FORMAT_D24_UNORM_S8_UINT;
    i.usage = usage;
    Chain<VkImageStencilUsageCreateInfo>(i).stencilUsage = of_stencil;
  }
  void SetViews(I i, VkFormat format, VkFormat of_views) {
    i.format = format;
    i.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    SetViewFormats(i, {of_views});
  }
  void SetModifiers(I i) {
    static constexpr uint64_t kModifier = 1;
    i.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    Chain<VkImageDrmFormatModifierListCreateInfoEXT>(i,
                                                     {.drmFormatModifierCount = 1, .pDrmFormatModifiers = &kModifier});
  }
  void SetModifier(I i, const VkSubresourceLayout& layout = {}) {
    i.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    Chain<VkImageDrmFormatModifierExplicitCreateInfoEXT>(
        i, {.drmFormatModifierPlaneCount = 1, .pPlaneLayouts = Keep(layout)});
  }
  void SetPlanes(I i, uint32_t planes) {
    static VkImageCompressionFixedRateFlagsEXT rates[3] = {1, 1, 1};
    Chain<VkImageCompressionControlEXT>(i, {{}, nullptr, VK_IMAGE_COMPRESSION_FIXED_RATE_EXPLICIT_EXT, planes, rates});
  }
  template <class External>
  void SetExternal(I i) {
    i.format = VK_FORMAT_UNDEFINED;
    Chain<External>(i).externalFormat = 1;
  }

  VkExternalMemoryHandleTypeFlags compatible_types_ = ~0U;
};

TEST_F(ImageTest, Kinds) {
  Start();
  RunImages({
      {"flags-02557", [](I i) { i.usage = kMap, i.imageType = VK_IMAGE_TYPE_3D; }},
      {"format-06412", [](I i) { i.format = kPlanes, i.imageType = VK_IMAGE_TYPE_3D; }},
      {"format-06410", [](I i) { i.format = kPlanes, i.mipLevels = 2; }},
      {"format-06411", [](I i) { i.format = kPlanes, i.samples = kFour; }},
      {"format-09583", [](I i) { i.format = VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG, i.extent.width = 24; }},
      {"format-09584", [](I i) { i.format = VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG, i.extent.height = 24; }},
      {"samples-02257", [](I i) { i.samples = kFour, i.mipLevels = 2; }},
      {"flags-02051", [](I i) { i.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV, i.format = VK_FORMAT_D16_UNORM; }},
      {"imageCreateFormatFeatures-02260", [](I i) { i.flags = VK_IMAGE_CREATE_DISJOINT_BIT, i.format = kLittle; }},
      {"imageCreateFormatFeatures-09048", [](I i) { i.usage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT, i.format = kLittle; }},
      {"VkDedicatedAllocationImageCreateInfoNV-dedicatedAllocation-00994",
       [&](I i) {
         i.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT,
         Chain<VkDedicatedAllocationImageCreateInfoNV>(i).dedicatedAllocation = VK_TRUE;
       }},
      {"sharingMode-00941", [&](I i) { SetFamilies(i, 0, nullptr); }},
      {"sharingMode-01420", [&](I i) { SetFamilies(i, 1, families_); }},
      {"sharingMode-01420", [&](I i) { SetFamilies(i, 7, families_); }},
      {"", [&](I i) { SetFamilies(i, 0, families_); }},
      {"pNext-01975", [](I i) { i.format = VK_FORMAT_UNDEFINED; }},
      {"usage-04815", [](I i) { i.usage = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR; }},
      {"usage-04816", [](I i) { i.usage = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR; }},
      {"usage-10254", [](I i) { i.usage = kEmphasis; }},
      {"", [&](I i) { i.usage = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | kEmphasis, SetEncoder(i); }},
      {"VkImageStencilUsageCreateInfo-stencilUsage-02539",
       [&](I i) { SetStencil(i, kTransient | kInput, kTransient | kInput | kSampled); }},
      {"format-02795", [&](I i) { SetStencil(i, kDepth, kInput); }},
      {"format-02796", [&](I i) { SetStencil(i, kInput, kDepth); }},
      {"format-02797", [&](I i) { SetStencil(i, kTransient | kInput, kInput); }},
      {"format-02798", [&](I i) { SetStencil(i, kInput, kTransient | kInput); }},
      {"", [&](I i) { SetStencil(i, kTransient | kDepth, kTransient | kDepth); }},
      {"Format-02536", [&](I i) { SetStencil(i, kSampled, kInput), i.extent.width = 4097; }},
      {"format-02537", [&](I i) { SetStencil(i, kSampled, kInput), i.extent.height = 4097; }},
  });
}

TEST_F(ImageTest, Chains) {
  Start();
  RunImages({
      {"VkImageFormatListCreateInfo-viewFormatCount-09540", [&](I i) { SetViews(i, i.format, VK_FORMAT_UNDEFINED); }},
      {"pNext-06722", [&](I i) { SetViews(i, i.format, VK_FORMAT_R16G16B16A16_UINT); }},
      {"", [&](I i) { SetViews(i, i.format, VK_FORMAT_R8G8B8A8_UINT); }},
      {"pNext-10062", [&](I i) { SetViews(i, kPlanes, VK_FORMAT_R8G8B8A8_UINT); }},
      {"", [&](I i) { SetViews(i, kPlanes, VK_FORMAT_R8G8_UNORM); }},
      {"pNext-02393", [&](I i) { SetMemory(i, kAndroid), i.imageType = VK_IMAGE_TYPE_3D; }},
      {"pNext-08951", [&](I i) { SetMemory(i, kQnx), i.imageType = VK_IMAGE_TYPE_3D; }},
      {"pNext-02394", [&](I i) { SetMemory(i, kAndroid), i.mipLevels = 4; }},
      {"pNext-08952", [&](I i) { SetMemory(i, kQnx), i.mipLevels = 4; }},
      {"", [&](I i) { SetMemory(i, kAndroid | kQnx), i.mipLevels = 5; }},
      {"pNext-01443", [&](I i) { SetMemory(i, kFd), i.initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED; }},
      {"pNext-00988", [&](I i) { SetMemory(i, kFd), Chain<VkExternalMemoryImageCreateInfoNV>(i); }},
      {"pNext-09653", [&](I i) { Chain<VkImageAlignmentControlCreateInfoMESA>(i), i.tiling = VK_IMAGE_TILING_LINEAR; }},
      {"pNext-09654", [&](I i) { Chain<VkImageAlignmentControlCreateInfoMESA>(i), SetMemory(i, kFd); }},
      {"VkImageAlignmentControlCreateInfoMESA-maximumRequestedAlignment-09656",
       [&](I i) { Chain<VkImageAlignmentControlCreateInfoMESA>(i).maximumRequestedAlignment = 128; }},
      {"pNext-06743", [&](I i) { i.format = kPlanes, SetPlanes(i, 1); }},
      {"pNext-06744", [&](I i) { SetPlanes(i, 2); }},
      {"pNext-06746", [&](I i) { SetPlanes(i, 1), SetModifier(i); }},
      {"pNext-06783", [&](I i) { ExportMetal(i); }},
      {"pNext-06784", [&](I i) { Chain<VkImportMetalTextureInfoEXT>(i).plane = VK_IMAGE_ASPECT_COLOR_BIT; }},
      {"pNext-06785", [&](I i) { Chain<VkImportMetalTextureInfoEXT>(i).plane = VK_IMAGE_ASPECT_PLANE_1_BIT; }},
      {"pNext-06786",
       [&](I i) { i.format = kPlanes, Chain<VkImportMetalTextureInfoEXT>(i).plane = VK_IMAGE_ASPECT_PLANE_2_BIT; }},
      {"", [&](I i) { SetModifier(i); }},
      {"", [&](I i) { SetModifiers(i); }},
      {"pNext-02262", [&](I i) { SetModifiers(i), i.tiling = VK_IMAGE_TILING_LINEAR; }},
      {"tiling-02261", [](I i) { i.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT; }},
      {"tiling-02353", [&](I i) { SetModifiers(i), i.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT; }},
      {"VkImageDrmFormatModifierExplicitCreateInfoEXT-size-02267", [&](I i) { SetModifier(i, {.size = 1}); }},
      {"VkImageDrmFormatModifierExplicitCreateInfoEXT-arrayPitch-02268",
       [&](I i) { SetModifier(i, {.arrayPitch = 1}); }},
      {"VkImageDrmFormatModifierExplicitCreateInfoEXT-depthPitch-02269",
       [&](I i) { SetModifier(i, {.depthPitch = 1}); }},
  });
}

TEST_F(ImageTest, ExternalFormats) {
  Start({}, {"externalFormatResolve"});
  const auto set_android = [&](I i) { SetExternal<VkExternalFormatANDROID>(i); };
  const auto set_qnx = [&](I i) { SetExternal<VkExternalFormatQNX>(i); };
  const auto make_mutable = [](I i) { i.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT; };
  const auto use_as = [](I i, VkImageUsageFlags usage) { i.usage = usage; };
  const auto make_linear = [](I i) { i.tiling = VK_IMAGE_TILING_LINEAR; };
  RunImages({
      {"", set_android},
      {"", set_qnx},
      {"pNext-01974", [&](I i) { set_android(i), i.format = VK_FORMAT_R8_UNORM; }},
      {"pNext-02396", [&](I i) { set_android(i), make_mutable(i); }},
      {"pNext-08953", [&](I i) { set_qnx(i), make_mutable(i); }},
      {"pNext-02397", [&](I i) { set_android(i), use_as(i, VK_IMAGE_USAGE_STORAGE_BIT); }},
      {"pNext-09457", [&](I i) { set_android(i), use_as(i, kInput); }},
      {"pNext-08954", [&](I i) { set_qnx(i), use_as(i, kInput); }},
      {"pNext-02398", [&](I i) { set_android(i), make_linear(i); }},
      {"pNext-08955", [&](I i) { set_qnx(i), make_linear(i); }},
  });
}

TEST_F(ImageTest, WithoutFeatures) {
  Start({},
        {"fragmentDensityMapOffset", "shaderStorageImageMultisample", "videoEncodeAV1", "imageView2DOn3DImage",
         "multisampleArrayImage"},
        {"VK_KHR_portability_subset"});
  RunImages({
      {"", [](I i) { i.usage = kMap, i.extent = {512, 512, 1}; }},
      {"fragmentDensityMapOffset-06514", [](I i) { i.usage = kMap, i.extent.width = 513; }},
      {"fragmentDensityMapOffset-06515", [](I i) { i.usage = kMap, i.extent.height = 513; }},
      {"format-02538", [&](I i) { SetStencil(i, kSampled, VK_IMAGE_USAGE_STORAGE_BIT), i.samples = kFour; }},
      {"pNext-10250", [&](I i) { SetAv1Encoder(i); }},
      {"imageView2DOn3DImage-04459",
       [](I i) { i.imageType = VK_IMAGE_TYPE_3D, i.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT; }},
      {"multisampleArrayImage-04460", [](I i) { i.samples = kFour, i.arrayLayers = 2; }},
  });
}

TEST_F(ImageTest, Support) {
  Start();
  compatible_types_ = kFd;
  RunImages({
      {"imageCreateMaxMipLevels-02251", [](I i) { i.format = kNothing; }},
      {"extent-02252", [](I i) { i.extent.width = 16385; }},
      {"extent-02253", [](I i) { i.extent.height = 16385; }},
      {"extent-02254", [](I i) { i.imageType = VK_IMAGE_TYPE_3D, i.extent.depth = 2049; }},
      {"mipLevels-02255", [](I i) { i.extent.width = 8192, i.mipLevels = 14; }},
      {"arrayLayers-02256", [](I i) { i.arrayLayers = 2049; }},
      {"samples-02258", [](I i) { i.samples = VK_SAMPLE_COUNT_64_BIT; }},
      {"", [](I i) { i.samples = kFour; }},
      {"pNext-00990", [&](I i) { SetMemory(i, kFd | VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT); }},
      {"", [&](I i) { SetMemory(i, kFd); }},
      {"VkImageDrmFormatModifierListCreateInfoEXT-pDrmFormatModifiers-02263",
       [&](I i) { SetModifiers(i), i.format = kNothing; }},
      {"VkImageDrmFormatModifierExplicitCreateInfoEXT-drmFormatModifier-02264",
       [&](I i) { SetModifier(i), i.format = kNothing; }},
  });
}

}  // namespace
}  // namespace assay::core
