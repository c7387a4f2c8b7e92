// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What vkGetDescriptorEXT makes descriptors of. A test changes one thing of a correct call.

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

constexpr size_t kSize = 32;
constexpr auto kCombined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
constexpr auto kSampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kTexels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;

class DescriptorData : public ResourceTest {
 protected:
  void Start(bool may_be_null) {
    driver().config().limits.maxTexelBufferElements = 100;
    using Limits = VkPhysicalDeviceDescriptorBufferPropertiesEXT;
    ChangeProperties<Limits>([](Limits& limits) {
      for (const auto size : {&Limits::combinedImageSamplerDescriptorSize, &Limits::sampledImageDescriptorSize,
                              &Limits::storageImageDescriptorSize, &Limits::inputAttachmentDescriptorSize,
                              &Limits::accelerationStructureDescriptorSize, &Limits::uniformTexelBufferDescriptorSize,
                              &Limits::storageTexelBufferDescriptorSize, &Limits::uniformBufferDescriptorSize,
                              &Limits::storageBufferDescriptorSize}) {
        limits.*size = kSize;
      }
    });
    std::set<std::string> without;
    if (!may_be_null) without = {"nullDescriptor"};
    ResourceTest::Start({}, without, {VK_NV_RAY_TRACING_EXTENSION_NAME});
    address_.address =
        AddressOf(MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    messages.Take();
    image_ = {MakeSampler(), MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4)), VK_IMAGE_LAYOUT_GENERAL};
  }
  void Get(std::string_view id, VkDescriptorType type, const VkDescriptorDataEXT& data, size_t size = kSize) {
    SCOPED_TRACE(id);
    const VkDescriptorGetInfoEXT info = {VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, nullptr, type, data};
    char bytes[4 * kSize];
    const SkipCalls skip(*this);
    vk.GetDescriptorEXT(device, &info, size, bytes);
    ExpectAlone(id.empty() ? "" : absl::StrCat("VUID-", id));
  }
  void GetImage(std::string_view id, VkDescriptorType type, size_t size = kSize) {
    Get(id, type, {.pSampledImage = &image_}, size);
  }
  void GetBuffer(std::string_view id, VkDescriptorType type) { Get(id, type, {.pStorageBuffer = &address_}); }

  VkDescriptorImageInfo image_ = {};
  VkDescriptorAddressInfoEXT address_ = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT, .range = 256, .format = VK_FORMAT_R8G8B8A8_UNORM};
};

// The types, and the numbers of the rules of unknown objects and of null ones.
struct Rule {
  VkDescriptorType type;
  const char* of_unknown;
  const char* of_null;
  bool is_image = false;
};
constexpr Rule kRules[] = {{VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, "21", nullptr, true},
                           {kSampled, "22", "35", true},
                           {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, "23", "36", true},
                           {kCombined, "20", "34", true},
                           {kTexels, "24", "37"},
                           {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, "25", "38"},
                           {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, "26", "39"},
                           {kStorage, "27", "40"},
                           {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, nullptr, "41"},
                           {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, nullptr, "42"}};

TEST_F(DescriptorData, Valid) {
  Start(true);
  const VkDescriptorImageInfo image = image_;
  const VkDescriptorAddressInfoEXT buffer = address_;
  for (const Rule& rule : kRules) {
    if (rule.of_unknown == nullptr) continue;
    VkDescriptorDataEXT data = {.pSampledImage = &image_};
    if (!rule.is_image) data.pStorageBuffer = &address_;
    image_ = image;
    address_ = buffer;
    Get("", rule.type, data);
    image_.imageView = reinterpret_cast<VkImageView>(uint64_t{0x7777});
    address_.address += 4096;
    Get(absl::StrCat("VkDescriptorGetInfoEXT-type-080", rule.of_unknown), rule.type, data);
  }
  image_ = {VK_NULL_HANDLE, image.imageView, VK_IMAGE_LAYOUT_GENERAL};
  GetImage("VkDescriptorGetInfoEXT-type-08019", kCombined);
  address_ = buffer;
  address_.range = 404;
  GetBuffer("VkDescriptorGetInfoEXT-type-09427", kTexels);
  GetBuffer("VkDescriptorGetInfoEXT-type-09428", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER);
  address_.range = 4097;
  GetBuffer("VkDescriptorAddressInfoEXT-range-08045", kStorage);
  address_ = buffer;
  address_.format = VK_FORMAT_UNDEFINED;
  GetBuffer("VkDescriptorAddressInfoEXT-None-09508", kTexels);
}

TEST_F(DescriptorData, Sizes) {
  Start(true);
  GetImage("vkGetDescriptorEXT-dataSize-08125", kSampled, kSize / 2);
  GetImage("vkGetDescriptorEXT-dataSize-08125", kCombined, kSize / 2);
  image_.imageView = VK_NULL_HANDLE;
  GetImage("", kCombined);
  GetImage("vkGetDescriptorEXT-pDescriptorInfo-09507", kCombined, 3 * kSize);
  const auto conversion = test::Of<VkSamplerYcbcrConversionInfo>(MakeConversion({.format = VK_FORMAT_B8G8R8A8_UNORM}));
  const test::Image image = MakeImage(VK_FORMAT_B8G8R8A8_UNORM, 4, 4, VK_IMAGE_USAGE_SAMPLED_BIT);
  image_.imageView = MakeView(image, VK_FORMAT_B8G8R8A8_UNORM, image.Range(), VK_IMAGE_VIEW_TYPE_2D, &conversion);
  GetImage("", kCombined, 2 * kSize);
  GetImage("vkGetDescriptorEXT-descriptorType-09469", kCombined, kSize + 4);
}

TEST_F(DescriptorData, Nulls) {
  for (const bool may_be_null : {true, false}) {
    Start(may_be_null);
    image_.imageView = VK_NULL_HANDLE;
    for (const Rule& rule : kRules) {
      if (rule.of_null == nullptr) continue;
      Get(may_be_null ? "" : absl::StrCat("VkDescriptorDataEXT-type-080", rule.of_null), rule.type,
          rule.type == kCombined ? VkDescriptorDataEXT{.pCombinedImageSampler = &image_} : VkDescriptorDataEXT{});
    }
  }
}

}  // namespace
}  // namespace assay::core
