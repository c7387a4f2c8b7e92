// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the views and samplers that are written to descriptors must be, and structures in the chain of a write.

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

constexpr auto kCombined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
constexpr auto kSampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
constexpr auto kAttachment = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
constexpr auto kWeights = VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM;
constexpr auto kBlocks = VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM;
constexpr auto kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkFormat kColor = VK_FORMAT_B8G8R8A8_UNORM, kDepth = VK_FORMAT_D24_UNORM_S8_UINT;

struct ViewFacts {
  VkImageType image_type = VK_IMAGE_TYPE_2D;
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = kColor;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageCreateFlags flags = 0;
  VkImageUsageFlags usage = 0;
  VkComponentSwizzle red = VK_COMPONENT_SWIZZLE_IDENTITY;
  bool converts = false;
};

class ImageWrites : public ResourceTest {
 protected:
  void Start(const std::set<std::string>& without = {}, const std::vector<const char*>& more = {}) {
    ResourceTest::Start({}, without, more);
    conversion_.conversion = MakeConversion({.format = kColor});
    sampler_ = MakeSampler();
  }
  VkImageView View(const ViewFacts& of) {
    const bool is_color = of.format == kColor;
    const VkImageUsageFlags all = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
                                  (is_color ? VkImageUsageFlags{VK_IMAGE_USAGE_STORAGE_BIT} : 0);
    VkImageCreateInfo image = test::ImageInfo(of.format, 4, of.usage != 0 ? of.usage : all);
    image.flags = of.flags;
    image.imageType = of.image_type;
    return MakeView({.pNext = of.converts ? &conversion_ : nullptr,
                     .image = MakeImage(image),
                     .viewType = of.type,
                     .format = of.format,
                     .components = {of.red},
                     .subresourceRange = {of.aspects, 0, 1, 0, 1}});
  }
  VkSampler Sampler(bool converts, VkBool32 compares = VK_FALSE) {
    return MakeSampler({.pNext = converts ? &conversion_ : nullptr,
                        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .compareEnable = compares});
  }
  VkDescriptorSet SetOf(VkDescriptorType type, const VkSampler* immutable = nullptr) {
    const VkShaderStageFlags stages = type == kAttachment ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_ALL;
    return MakeSet(MakeSetLayout({{0, type, 4, stages, immutable}}));
  }
  // `id` is what follows "VUID-Vk"; empty for a write that is right.
  void Expect(std::string_view id) {
    SCOPED_TRACE(id);
    ExpectAlone(id.empty() ? "" : absl::StrCat("VUID-Vk", id));
  }
  void Write(std::string_view id, VkDescriptorType type, VkImageView view, VkImageLayout layout = kGeneral,
             const VkSampler* immutable = nullptr) {
    const VkDescriptorSet set = SetOf(type, immutable);
    ExpectNothing();
    WriteImage(set, 0, type, view, layout, immutable == nullptr ? sampler_ : VK_NULL_HANDLE);
    Expect(id);
  }
  void WriteChained(std::string_view id, VkDescriptorType type, uint32_t count, const void* next) {
    const auto write = test::Typed(
        VkWriteDescriptorSet{.pNext = next, .dstSet = SetOf(type), .descriptorCount = count, .descriptorType = type});
    ExpectNothing();
    const SkipCalls skip(*this);
    vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
    Expect(id);
  }

  VkSamplerYcbcrConversionInfo conversion_ = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, nullptr, {}};
  VkSampler sampler_ = VK_NULL_HANDLE;
};

TEST_F(ImageWrites, Views) {
  Start();
  const ViewFacts slice = {.image_type = VK_IMAGE_TYPE_3D, .flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT};
  ViewFacts other = slice;
  other.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
  const VkImageView plain = View({}), swizzled = View({.red = VK_COMPONENT_SWIZZLE_ONE});
  for (const auto type : {kCombined, kSampled, kStorage, kAttachment}) Write("", type, plain);
  for (const auto type : {kStorage, kAttachment}) Write("WriteDescriptorSet-descriptorType-00336", type, swizzled);
  Write("", kSampled, swizzled);
  for (const auto type : {kCombined, kSampled, kStorage}) Write("", type, View(slice));
  Write("DescriptorImageInfo-imageView-07795", kAttachment, View(slice));
  Write("DescriptorImageInfo-imageView-07796", kSampled, View(other));
  other.type = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  Write("DescriptorImageInfo-imageView-06712", kSampled, View(other));
  Write("WriteDescriptorSet-descriptorType-06942", kWeights, plain);
  Write("WriteDescriptorSet-descriptorType-06943", kBlocks, plain);
  Write("", kBlocks, View({.usage = VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM}));
}

TEST_F(ImageWrites, Layouts) {
  Start();
  const VkImageView color = View({}), depth = View({.format = kDepth, .aspects = VK_IMAGE_ASPECT_DEPTH_BIT});
  const VkImageView both = View({.format = kDepth, .aspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT});
  constexpr auto kRead = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  constexpr auto kTarget = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  for (const auto type : {kCombined, kSampled, kAttachment}) Write("", type, depth, kRead);
  Write("", kStorage, color, VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ);
  Write("DescriptorImageInfo-imageView-01976", kSampled, both, kRead);
  Write("DescriptorImageInfo-imageLayout-09425", kSampled, depth, kTarget);
  Write("DescriptorImageInfo-imageLayout-09426", kSampled, color, kRead);
  Write("WriteDescriptorSet-descriptorType-04149", kSampled, color, kTarget);
  Write("WriteDescriptorSet-descriptorType-04150", kCombined, color, kTarget);
  Write("WriteDescriptorSet-descriptorType-04151", kAttachment, color, kTarget);
  Write("WriteDescriptorSet-descriptorType-04152", kStorage, color, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

TEST_F(ImageWrites, Conversions) {
  Start();
  const VkImageView plain = View({}), converting = View({.usage = VK_IMAGE_USAGE_SAMPLED_BIT, .converts = true});
  const VkSampler converter = Sampler(true), other = Sampler(false);
  const VkSampler converters[] = {converter, converter, converter, converter}, others[] = {other, other, other, other};
  Write("", kCombined, converting, kGeneral, converters);
  Write("", kCombined, plain, kGeneral, others);
  Write("WriteDescriptorSet-descriptorType-01946", kSampled, converting);
  Write("WriteDescriptorSet-descriptorType-02738", kCombined, converting);
  Write("WriteDescriptorSet-descriptorType-02738", kCombined, converting, kGeneral, others);
  Write("WriteDescriptorSet-descriptorType-01948", kCombined, plain, kGeneral, converters);
  Write("WriteDescriptorSet-descriptorType-09506", kCombined, VK_NULL_HANDLE, kGeneral, converters);
  Write("", kCombined, VK_NULL_HANDLE, kGeneral, others);
}

TEST_F(ImageWrites, Nulls) {
  Start();
  sampler_ = VK_NULL_HANDLE;
  Write("", kSampled, View({}));
  for (const auto type : {kCombined, VK_DESCRIPTOR_TYPE_SAMPLER})
    Write("WriteDescriptorSet-descriptorType-00325", type, View({}));
  constexpr auto kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const VkDescriptorSet set = SetOf(kBuffer);
  WriteBuffer(set, 0, kBuffer, VK_NULL_HANDLE);
  Expect("");
  WriteBuffer(set, 0, kBuffer, VK_NULL_HANDLE, 64);
  Expect("DescriptorBufferInfo-buffer-02999");
}

TEST_F(ImageWrites, Features) {
  Start({"image2DViewOf3D", "sampler2DViewOf3D", "mutableComparisonSamplers"}, {"VK_KHR_portability_subset"});
  const VkImageView slice = View({.image_type = VK_IMAGE_TYPE_3D, .flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT});
  const VkImageView plain = View({});
  messages.Take();
  Write("DescriptorImageInfo-descriptorType-06713", kStorage, slice);
  Write("DescriptorImageInfo-descriptorType-06714", kSampled, slice);
  sampler_ = Sampler(false, VK_TRUE);
  Write("DescriptorImageInfo-mutableComparisonSamplers-04450", VK_DESCRIPTOR_TYPE_SAMPLER, plain);
}

TEST_F(ImageWrites, Chained) {
  Start();
  const char bytes[8] = {};
  auto block = test::Of<VkWriteDescriptorSetInlineUniformBlock>(4, bytes);
  WriteChained("", VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 4, &block);
  WriteChained("WriteDescriptorSet-descriptorType-02221", VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 4, nullptr);
  block.dataSize = 8;
  WriteChained("WriteDescriptorSet-descriptorType-02221", VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 4, &block);

  constexpr auto kStructure = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
  const test::Buffer memory = MakeBuffer(4096, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
  const VkAccelerationStructureKHR structure =
      MakeFrom({.buffer = memory, .size = 256, .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR},
               vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
  const VkAccelerationStructureKHR none = VK_NULL_HANDLE;
  auto written = test::Of<VkWriteDescriptorSetAccelerationStructureKHR>(1, &none);
  WriteChained("", kStructure, 1, &written);
  WriteChained("WriteDescriptorSet-descriptorType-02382", kStructure, 2, &written);
  written.pAccelerationStructures = &structure;
  WriteChained("WriteDescriptorSetAccelerationStructureKHR-pAccelerationStructures-03579", kStructure, 1, &written);
  const VkDeviceAddress address = 0;
  auto partitioned = test::Of<VkWriteDescriptorSetPartitionedAccelerationStructureNV>(1, &address);
  WriteChained("WriteDescriptorSetPartitionedAccelerationStructureNV-accelerationStructureCount-10511",
               VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV, 2, &partitioned);
}

TEST_F(ImageWrites, ChainedOfVendor) {
  Start({"nullDescriptor"});
  constexpr auto kStructure = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV;
  const auto info = test::Of<VkAccelerationStructureInfoNV>(VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_NV);
  VkAccelerationStructureNV structure =
      MakeFrom({.info = info}, vk.CreateAccelerationStructureNV, vk.DestroyAccelerationStructureNV);
  auto written = test::Of<VkWriteDescriptorSetAccelerationStructureNV>(1, &structure);
  WriteChained("WriteDescriptorSet-descriptorType-03817", kStructure, 2, &written);
  WriteChained("WriteDescriptorSetAccelerationStructureNV-pAccelerationStructures-03748", kStructure, 1, &written);
  structure = VK_NULL_HANDLE;
  WriteChained("WriteDescriptorSetAccelerationStructureNV-pAccelerationStructures-03749", kStructure, 1, &written);
}

}  // namespace
}  // namespace assay::core
