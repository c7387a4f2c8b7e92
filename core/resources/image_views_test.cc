// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

constexpr VkFormat kRgba = VK_FORMAT_R8G8B8A8_UNORM;
// Without features, and with none that usages need.
constexpr VkFormat kNothing = VK_FORMAT_R8G8B8A8_SNORM;
constexpr VkFormat kLittle = VK_FORMAT_R8G8B8A8_SRGB;
constexpr VkFormat kPlanes = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
constexpr VkImageCreateFlags kMutable = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
constexpr VkImageCreateFlags kBlocks = kMutable | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
constexpr VkImageUsageFlags kSampled = VK_IMAGE_USAGE_SAMPLED_BIT;
constexpr VkImageUsageFlags kColor = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kRate = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
constexpr VkImageUsageFlags kMap = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
constexpr VkImageUsageFlags kInvocations = VK_IMAGE_USAGE_INVOCATION_MASK_BIT_HUAWEI;
constexpr VkImageUsageFlags kDeltas = VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
constexpr VkImageViewType kArray = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
constexpr VkImageViewType kRow = VK_IMAGE_VIEW_TYPE_1D_ARRAY;
constexpr VkImageViewType kCube = VK_IMAGE_VIEW_TYPE_CUBE;
constexpr VkImageViewType k3d = VK_IMAGE_VIEW_TYPE_3D;

// An image, and a view of it.
struct View {
  VkImageCreateInfo image = PlainImage();
  VkImageViewCreateInfo view = {
      .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = kRgba, .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};

  VkImageSubresourceRange& range() { return view.subresourceRange; }
  void Set(VkFormat format, VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT) {
    image.format = view.format = format;
    range().aspectMask = aspects;
  }
  // A view of that type of an image with so many layers.
  void SetLayers(VkImageViewType type, uint32_t layers, uint32_t of_view) {
    view.viewType = type;
    image.arrayLayers = layers;
    range().layerCount = of_view;
  }
  void SetCube(VkImageViewType type, uint32_t layers, uint32_t of_view) {
    SetLayers(type, layers, of_view);
    image.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  }
  // Slices of an image that is eight texels deep.
  void Set3d(VkImageCreateFlags flags, VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D) {
    image.imageType = VK_IMAGE_TYPE_3D;
    image.extent.depth = 8;
    image.flags = flags;
    view.viewType = type;
  }
  void SetFormats(VkFormat of_image, VkFormat of_view, VkImageCreateFlags flags = kMutable) {
    image.format = of_image;
    image.flags = flags;
    view.format = of_view;
  }
  // A view of that format, with blocks of an image as texels.
  void SetBlocks(VkFormat of_view) { SetFormats(VK_FORMAT_BC1_RGB_UNORM_BLOCK, of_view, kBlocks); }
  // A view of the second plane.
  void SetPlane(VkFormat of_view) {
    SetFormats(kPlanes, of_view);
    range().aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT;
  }
  // What usages need is not there for the view.
  void SetLittle(VkImageUsageFlags usage) {
    SetFormats(kRgba, kLittle);
    image.usage = usage;
  }
  void SetLevels(uint32_t of_image, uint32_t of_view) {
    image.mipLevels = of_image;
    range().levelCount = of_view;
  }
};
using V = View&;
constexpr VkImageCreateFlags kSlices = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;

class ImageViewTest : public ResourceTest {
 protected:
  void SetUp() override {
    SetFeatures(kNothing, 0);
    SetFeatures(kLittle, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT);
    ChangeProperties<VkPhysicalDeviceImageProcessingPropertiesQCOM>(
        [](auto& p) { p.maxWeightFilterDimension = {8, 8}, p.maxWeightFilterPhases = 64; });
    ChangeProperties<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>(
        [](auto& p) { p.layeredShadingRateAttachments = VK_FALSE; });
    ChangeProperties<VkPhysicalDeviceFragmentDensityMap2PropertiesEXT>([](auto& p) { p.maxSubsampledArrayLayers = 2; });
    ChangeProperties<VkPhysicalDeviceMaintenance6Properties>(
        [](auto& p) { p.blockTexelViewCompatibleMultipleLayers = VK_FALSE; });
  }

  void RunViews(const std::vector<Case<View>>& cases) {
    Run("VkImageViewCreateInfo", View(), cases, [this](View info) {
      const bool is_sparse = (info.image.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
      info.view.image = is_sparse ? MakeUnboundImage(info.image) : MakeImage(info.image).handle;
      CreateOnce(vk.CreateImageView, vk.DestroyImageView, info.view);
    });
  }
  void SetUsage(V v, VkImageUsageFlags usage) { Chain<VkImageViewUsageCreateInfo>(v.view).usage = usage; }
  void SetStencil(V v, VkImageAspectFlags aspects) {
    v.Set(VK_FORMAT_D24_UNORM_S8_UINT, aspects);
    Chain<VkImageStencilUsageCreateInfo>(v.image).stencilUsage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  }
  void SetSlices(V v, uint32_t offset, uint32_t count, VkImageViewType type = k3d) {
    v.Set3d(VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT, type);
    Chain<VkImageViewSlicedCreateInfoEXT>(v.view, {.sliceOffset = offset, .sliceCount = count});
  }
  // An image with four layers, as wide as that.
  VkImageViewSampleWeightCreateInfoQCOM& SetWeights(V v, VkImageViewType type, uint32_t width = 16) {
    v.SetLayers(type, 4, type == kRow ? 2 : 4);
    if (type == kRow) v.image.imageType = VK_IMAGE_TYPE_1D;
    v.image.extent = {width, type == kRow ? 1 : width, 1};
    v.image.usage = VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM;
    return Chain<VkImageViewSampleWeightCreateInfoQCOM>(v.view, {.filterSize = {4, 4}, .numPhases = 4});
  }
};

TEST_F(ImageViewTest, TypesAndRanges) {
  Start();
  RunViews({
      {"image-06728", [](V v) { v.Set3d(0); }},
      {"image-06723", [](V v) { v.Set3d(VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT, kArray); }},
      {"", [](V v) { v.Set3d(VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT); }},
      {"", [](V v) { v.Set3d(0, k3d); }},
      {"VkImageViewSlicedCreateInfoEXT-viewType-07909", [&](V v) { SetSlices(v, 0, 1, VK_IMAGE_VIEW_TYPE_2D); }},
      {"VkImageViewSlicedCreateInfoEXT-image-07869", [&](V v) { SetSlices(v, 0, 1), v.image = View().image; }},
      {"subResourceRange-01021", [](V v) { v.view.viewType = VK_IMAGE_VIEW_TYPE_1D; }},
      {"image-01003", [](V v) { v.SetLayers(kCube, 6, 6); }},
      {"", [](V v) { v.SetCube(kCube, 6, 6); }},
      {"image-04972", [](V v) { v.SetLayers(kCube, 6, 6), v.image.samples = VK_SAMPLE_COUNT_4_BIT; }},
      {"image-02086",
       [&](V v) {
         v.SetCube(kCube, 6, 6), v.Set(VK_FORMAT_R8_UINT), v.image.usage = kRate | kSampled, SetUsage(v, kSampled);
       }},
      {"subresourceRange-01478", [](V v) { v.range().baseMipLevel = 1; }},
      {"subresourceRange-01718", [](V v) { v.range().levelCount = 2; }},
      {"image-04970", [](V v) { v.Set3d(kSlices), v.SetLevels(2, 2); }},
      {"image-02571", [](V v) { v.image.usage = kMap, v.SetLevels(2, VK_REMAINING_MIP_LEVELS); }},
      {"image-02724",
       [](V v) { v.Set3d(kSlices), v.image.mipLevels = 2, v.range() = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 4, 1}; }},
      {"image-06724", [](V v) { v.range().baseArrayLayer = 1; }},
      {"subresourceRange-02725", [](V v) { v.Set3d(kSlices, kArray), v.range().layerCount = 9; }},
      {"", [](V v) { v.Set3d(kSlices, kArray), v.range().layerCount = 8; }},
      {"subresourceRange-06725", [](V v) { v.SetLayers(kArray, 2, 3); }},
      {"imageViewType-04973", [](V v) { v.SetLayers(VK_IMAGE_VIEW_TYPE_2D, 2, 2); }},
      {"imageViewType-04974", [](V v) { v.SetLayers(VK_IMAGE_VIEW_TYPE_2D, 2, VK_REMAINING_ARRAY_LAYERS); }},
      {"viewType-02962", [](V v) { v.SetCube(kCube, 8, VK_REMAINING_ARRAY_LAYERS); }},
      {"viewType-02963", [](V v) { v.SetCube(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 8, VK_REMAINING_ARRAY_LAYERS); }},
      {"image-03569", [](V v) { v.SetLayers(kArray, 3, 3), v.image.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT; }},
      {"VkImageViewSlicedCreateInfoEXT-None-07870", [&](V v) { SetSlices(v, 0, 1), v.SetLevels(2, 2); }},
      {"VkImageViewSlicedCreateInfoEXT-sliceOffset-07867", [&](V v) { SetSlices(v, 8, 1); }},
      {"VkImageViewSlicedCreateInfoEXT-sliceCount-07868", [&](V v) { SetSlices(v, 7, 2); }},
      {"", [&](V v) { SetSlices(v, 7, VK_REMAINING_3D_SLICES_EXT); }},
      {"VkImageViewMinLodCreateInfoEXT-minLod-06456",
       [&](V v) { Chain<VkImageViewMinLodCreateInfoEXT>(v.view).minLod = 1; }},
      {"subresourceRange-09594", [](V v) { v.range().aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT; }},
      {"subresourceRange-07818",
       [](V v) { v.Set(kPlanes, VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT); }},
  });
}

TEST_F(ImageViewTest, Formats) {
  Start();
  RunViews({
      {"image-01762", [](V v) { v.SetFormats(kRgba, VK_FORMAT_R8G8B8A8_UINT, 0); }},
      {"", [](V v) { v.SetFormats(kRgba, VK_FORMAT_R8G8B8A8_UINT); }},
      {"image-01761", [](V v) { v.SetFormats(kRgba, VK_FORMAT_R16G16B16A16_UNORM); }},
      {"image-01583", [](V v) { v.SetBlocks(VK_FORMAT_R32G32B32A32_UINT); }},
      {"", [](V v) { v.SetBlocks(VK_FORMAT_R32G32_UINT); }},
      {"image-07072", [](V v) { v.SetBlocks(VK_FORMAT_R32G32_UINT), v.SetLevels(2, 2); }},
      {"image-09487", [](V v) { v.SetBlocks(VK_FORMAT_R32G32_UINT), v.SetLayers(kArray, 2, 2); }},
      {"image-01586", [](V v) { v.SetPlane(VK_FORMAT_R8_UNORM); }},
      {"", [](V v) { v.SetPlane(VK_FORMAT_R8G8_UNORM); }},
      {"pNext-01585", [&](V v) { v.SetFormats(kRgba, VK_FORMAT_R8G8B8A8_UINT), SetViewFormats(v.image, {kRgba}); }},
      {"image-02087", [](V v) { v.image.usage = kRate; }},
      {"invocationMask-04993", [](V v) { v.image.usage = kInvocations, v.image.tiling = VK_IMAGE_TILING_LINEAR; }},
      {"format-06415", [](V v) { v.Set(kPlanes); }},
      {"VkImageViewASTCDecodeModeEXT-format-04084",
       [&](V v) { Chain<VkImageViewASTCDecodeModeEXT>(v.view).decodeMode = VK_FORMAT_R16G16B16A16_SFLOAT; }},
      {"image-04441", [](V v) { v.image.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT; }},
      {"flags-04116", [](V v) { v.image.usage = kMap, v.image.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT; }},
      {"pNext-02662", [&](V v) { SetUsage(v, kSampled | kColor); }},
      {"pNext-02663", [&](V v) { SetStencil(v, VK_IMAGE_ASPECT_STENCIL_BIT), SetUsage(v, kSampled); }},
      {"pNext-02664",
       [&](V v) { SetStencil(v, VK_IMAGE_ASPECT_DEPTH_BIT), SetUsage(v, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT); }},
      {"", [&](V v) { SetStencil(v, VK_IMAGE_ASPECT_STENCIL_BIT); }},
      {"pNext-06787", [&](V v) { ExportMetal(v.view); }},
      {"None-02273", [](V v) { v.SetFormats(kRgba, kNothing); }},
      {"usage-02274", [](V v) { v.SetLittle(kSampled); }},
      {"usage-02275", [](V v) { v.SetLittle(VK_IMAGE_USAGE_STORAGE_BIT); }},
      {"usage-08931", [](V v) { v.SetLittle(kColor); }},
      {"usage-08932", [](V v) { v.SetLittle(VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT); }},
      {"usage-02277", [](V v) { v.SetLittle(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT); }},
  });
}

TEST_F(ImageViewTest, Weights) {
  Start();
  const auto array = [&](V v) -> auto& { return SetWeights(v, kArray); };
  RunViews({
      {"", [&](V v) { SetWeights(v, kRow); }},
      {"", array},
      {"pNext-06950", [&](V v) { SetWeights(v, kRow), v.image.imageType = VK_IMAGE_TYPE_2D; }},
      {"pNext-06953",
       [&](V v) { array(v).filterSize.height = 1, v.image.extent.height = 1, v.image.imageType = VK_IMAGE_TYPE_1D; }},
      {"pNext-06954", [&](V v) { array(v).numPhases = 16; }},
      {"pNext-06946", [&](V v) { array(v), v.view.components.r = VK_COMPONENT_SWIZZLE_R; }},
      {"pNext-06945", [&](V v) { array(v), v.image.usage = kSampled; }},
      {"VkImageViewSampleWeightCreateInfoQCOM-filterSize-06958", [&](V v) { array(v).filterSize.width = 9; }},
      {"VkImageViewSampleWeightCreateInfoQCOM-filterSize-06959", [&](V v) { array(v).filterSize.height = 9; }},
      {"VkImageViewSampleWeightCreateInfoQCOM-filterCenter-06960", [&](V v) { array(v).filterCenter.x = 4; }},
      {"VkImageViewSampleWeightCreateInfoQCOM-filterCenter-06961", [&](V v) { array(v).filterCenter.y = 4; }},
      {"VkImageViewSampleWeightCreateInfoQCOM-numPhases-06962", [&](V v) { array(v).numPhases = 2; }},
      {"pNext-06952", [&](V v) { SetWeights(v, kRow, 15); }},
      {"pNext-06955", [&](V v) { array(v), v.image.extent.width = 3; }},
      {"pNext-06956", [&](V v) { array(v), v.image.extent.height = 3; }},
  });
}

TEST_F(ImageViewTest, Video) {
  Start();
  constexpr VkImageUsageFlags kDecodeDst = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR;
  constexpr VkImageUsageFlags kDecodeDpb = VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
  constexpr VkImageUsageFlags kEncodeSrc = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
  const auto set = [&](V v, VkImageUsageFlags usage, VkFormat format, VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D) {
    v.SetFormats(kRgba, format, kMutable);
    if (type == kCube) v.SetCube(kCube, 6, 6);
    v.image.usage = usage;
    if ((usage & (kDeltas | VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)) != 0) return SetEncoder(v.image);
    v.image.flags |= VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
  };
  RunViews({
      {"", [&](V v) { set(v, kDecodeDst | kDecodeDpb | kEncodeSrc, kRgba); }},
      {"image-04817", [&](V v) { set(v, kDecodeDst, kRgba, kCube); }},
      {"image-04818", [&](V v) { set(v, kEncodeSrc, kRgba, kCube); }},
      {"image-10261", [&](V v) { set(v, kDeltas, kRgba, kCube); }},
      {"image-08335", [&](V v) { set(v, VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR | kSampled, kRgba); }},
      {"image-08338", [&](V v) { set(v, VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR | kSampled, kRgba); }},
      {"image-08333", [&](V v) { set(v, kDecodeDst, kLittle); }},
      {"image-08334", [&](V v) { set(v, kDecodeDst | kDecodeDpb, kLittle), SetUsage(v, kDecodeDpb); }},
      {"image-08336", [&](V v) { set(v, kEncodeSrc, kLittle); }},
      {"usage-10259", [&](V v) { set(v, kDeltas, kLittle); }},
      {"usage-10260", [&](V v) { set(v, VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR, kLittle); }},
  });
}

TEST_F(ImageViewTest, Conversions) {
  Start();
  const auto convert = [&](V v, VkFormat format) {
    v.Set(kPlanes);
    Chain<VkSamplerYcbcrConversionInfo>(v.view).conversion = MakeConversion({.format = format});
  };
  RunViews({
      {"", [&](V v) { convert(v, kPlanes); }},
      {"pNext-06658", [&](V v) { convert(v, VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM); }},
      {"pNext-01970", [&](V v) { convert(v, kPlanes), v.view.components.r = VK_COMPONENT_SWIZZLE_G; }},
  });
}

// Android's and QNX's have the same rules.
TEST_F(ImageViewTest, ExternalFormats) {
  const auto run = [&]<class External>(External, const char* of_format, const char* of_conversion,
                                       const char* of_components) {
    const auto set = [&](V v, uint64_t of_conversion) {
      v.Set(VK_FORMAT_UNDEFINED);
      Chain<External>(v.image).externalFormat = 1;
      VkSamplerYcbcrConversionCreateInfo info = {.ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709};
      Chain<External>(info).externalFormat = of_conversion;
      Chain<VkSamplerYcbcrConversionInfo>(v.view).conversion = MakeConversion(info);
    };
    RunViews({
        {"", [&](V v) { set(v, 1); }},
        {of_format, [&](V v) { set(v, 1), v.view.format = kRgba; }},
        {of_conversion, [&](V v) { set(v, 2); }},
        {of_components, [&](V v) { set(v, 1), v.view.components.r = VK_COMPONENT_SWIZZLE_G; }},
    });
  };
  Start({"VK_QNX_external_memory_screen_buffer"});
  run(VkExternalFormatANDROID{}, "image-02399", "image-02400", "image-02401");
  Start({"VK_ANDROID_external_memory_android_hardware_buffer"});
  run(VkExternalFormatQNX{}, "image-08957", "image-08958", "image-08959");
}

TEST_F(ImageViewTest, Portability) {
  Start({}, {"imageViewFormatReinterpretation", "imageViewFormatSwizzle"}, {"VK_KHR_portability_subset"});
  RunViews({
      {"imageViewFormatReinterpretation-04466", [](V v) { v.SetFormats(kRgba, VK_FORMAT_R32_UINT); }},
      {"", [](V v) { v.SetFormats(kRgba, VK_FORMAT_R8G8B8A8_UINT); }},
      {"imageViewFormatSwizzle-04465", [](V v) { v.view.components.r = VK_COMPONENT_SWIZZLE_G; }},
  });
}

// Without shadingRateImage, attachments may have shading rates.
TEST_F(ImageViewTest, WithoutFeatures) {
  Start({"VK_NV_shading_rate_image"}, {"minLod"});
  SetFeatures(VK_FORMAT_R8_UINT, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT);
  RunViews({
      {"VkImageViewMinLodCreateInfoEXT-minLod-06455",
       [&](V v) { Chain<VkImageViewMinLodCreateInfoEXT>(v.view).minLod = 1, v.SetLevels(2, 2); }},
      {"usage-04550", [](V v) { v.Set(VK_FORMAT_R8_UINT), v.image.usage = kRate; }},
      {"usage-04551", [](V v) { v.SetLayers(kArray, 2, 2), v.image.usage = kRate; }},
  });
}

}  // namespace
}  // namespace assay::core
