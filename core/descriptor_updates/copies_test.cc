// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between descriptor sets. A test changes one thing of a correct copy.

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr auto kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr auto kImage = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr auto kBytes = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
constexpr auto kMutable = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;

struct SetOptions {
  std::vector<VkDescriptorSetLayoutBinding> bindings = {};
  VkDescriptorSetLayoutCreateFlags flags = 0;
  VkDescriptorPoolCreateFlags pool_flags = 0;
};

class DescriptorCopies : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {"VK_EXT_mutable_descriptor_type"}, .features = &inline_};
  }
  VkDescriptorSet Make(const SetOptions& options) {
    const VkDescriptorType types[] = {kBuffer, kUniform};
    const VkMutableDescriptorTypeListEXT list = {2, types};
    std::vector<VkMutableDescriptorTypeListEXT> of_bindings;
    of_bindings.reserve(options.bindings.size());
    for (const auto& binding : options.bindings)
      of_bindings.push_back(binding.descriptorType == kMutable ? list : VkMutableDescriptorTypeListEXT{});
    const VkMutableDescriptorTypeCreateInfoEXT mutable_types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = static_cast<uint32_t>(of_bindings.size()),
        .pMutableDescriptorTypeLists = of_bindings.data()};
    const VkDescriptorSetLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                         .pNext = &mutable_types,
                                                         .flags = options.flags,
                                                         .bindingCount = static_cast<uint32_t>(options.bindings.size()),
                                                         .pBindings = options.bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorSetLayout(device, &layout_info, nullptr, &layout), VK_SUCCESS);
    Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });

    const VkDescriptorPoolSize sizes[] = {
        {kBuffer, 64}, {kUniform, 64}, {kImage, 64}, {kBytes, 256}, {VK_DESCRIPTOR_TYPE_SAMPLER, 64}, {kMutable, 64}};
    const VkMutableDescriptorTypeListEXT pool_lists[] = {{}, {}, {}, {}, {}, list};
    const VkMutableDescriptorTypeCreateInfoEXT pool_types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 6,
        .pMutableDescriptorTypeLists = pool_lists};
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .pNext = &pool_types,
        .maxInlineUniformBlockBindings = 4};
    const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .pNext = &blocks,
                                                  .flags = options.pool_flags,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 6,
                                                  .pPoolSizes = sizes};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
    Defer(pool, [=, this] { vk.DestroyDescriptorPool(device, pool, nullptr); });
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    EXPECT_EQ(vk.AllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
    ExpectNothing();
    return set;
  }

  // {srcBinding, srcArrayElement, dstBinding, dstArrayElement, descriptorCount}.
  struct Where {
    uint32_t source = 0;
    uint32_t from = 0;
    uint32_t target = 0;
    uint32_t to = 0;
    uint32_t count = 1;
  };
  void Copy(VkDescriptorSet source, VkDescriptorSet target, const Where& where) {
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = source,
                                      .srcBinding = where.source,
                                      .srcArrayElement = where.from,
                                      .dstSet = target,
                                      .dstBinding = where.target,
                                      .dstArrayElement = where.to,
                                      .descriptorCount = where.count};
    vk.UpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  }
  void ExpectSilence(VkDescriptorSet source, VkDescriptorSet target, const Where& where) {
    Copy(source, target, where);
    ExpectNothing();
  }
  void ExpectOf(std::string_view rule, VkDescriptorSet source, VkDescriptorSet target, const Where& where) {
    ExpectNothing();
    Copy(source, target, where);
    ExpectMessage(absl::StrCat("VUID-VkCopyDescriptorSet-", rule));
    ExpectNothing();
  }
  static VkDescriptorSetLayoutBinding Of(uint32_t number, VkDescriptorType type, uint32_t count) {
    return {number, type, count, VK_SHADER_STAGE_ALL, nullptr};
  }

  VkPhysicalDeviceInlineUniformBlockFeatures inline_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES,
      .pNext = &mutable_,
      .inlineUniformBlock = VK_TRUE};
  VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
      .mutableDescriptorType = VK_TRUE};
};

TEST_F(DescriptorCopies, NegativeDescriptorsOfTheSets) {
  const SetOptions options = {.bindings = {Of(0, kBuffer, 4), Of(1, kBuffer, 2), Of(3, kImage, 2)}};
  const VkDescriptorSet source = Make(options), target = Make(options);
  // Into the next binding.
  ExpectSilence(source, target, {.from = 2, .to = 3, .count = 3});
  ExpectSilence(source, target, {.source = 3, .from = 1, .target = 3});
  ExpectOf("srcBinding-00345", source, target, {.source = 2});
  ExpectOf("dstBinding-00347", source, target, {.target = 2});
  ExpectOf("srcArrayElement-00346", source, target, {.source = 3, .from = 2, .target = 3});
  ExpectOf("dstArrayElement-00348", source, target, {.source = 3, .target = 3, .to = 2});
  ExpectOf("dstBinding-02632", source, target, {.source = 3, .target = 0});
}

TEST_F(DescriptorCopies, NegativeOverlapInOneSet) {
  const VkDescriptorSet set = Make({.bindings = {Of(0, kBuffer, 4), Of(1, kBuffer, 4)}});
  ExpectSilence(set, set, {.from = 0, .to = 2, .count = 2});
  ExpectSilence(set, set, {.source = 0, .target = 1, .count = 4});
  ExpectOf("srcSet-00349", set, set, {.from = 0, .to = 1, .count = 2});
  // The source continues in binding 1.
  ExpectOf("srcSet-00349", set, set, {.source = 0, .from = 3, .target = 1, .count = 2});
}

TEST_F(DescriptorCopies, NegativeInlineUniformBlocks) {
  const SetOptions options = {.bindings = {Of(0, kBytes, 32)}};
  const VkDescriptorSet source = Make(options), target = Make(options);
  ExpectSilence(source, target, {.from = 8, .to = 4, .count = 16});
  ExpectOf("srcBinding-02223", source, target, {.from = 6, .to = 4, .count = 16});
  ExpectOf("dstBinding-02224", source, target, {.from = 8, .to = 6, .count = 16});
  ExpectOf("srcBinding-02225", source, target, {.from = 8, .to = 4, .count = 6});
  ExpectSilence(source, source, {.from = 0, .to = 16, .count = 16});
  ExpectOf("srcSet-00349", source, source, {.from = 0, .to = 8, .count = 16});
}

TEST_F(DescriptorCopies, NegativeUpdateAfterBind) {
  const std::vector<VkDescriptorSetLayoutBinding> bindings = {Of(0, kBuffer, 1)};
  constexpr auto kLayout = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  constexpr auto kPool = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorSet plain = Make({.bindings = bindings});
  const VkDescriptorSet after = Make({.bindings = bindings, .flags = kLayout, .pool_flags = kPool});
  const VkDescriptorSet pool_alone = Make({.bindings = bindings, .pool_flags = kPool});
  const VkDescriptorSet host = Make({.bindings = bindings,
                                     .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT,
                                     .pool_flags = VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT});
  ExpectSilence(plain, Make({.bindings = bindings}), {});
  ExpectSilence(after, Make({.bindings = bindings, .flags = kLayout, .pool_flags = kPool}), {});
  ExpectSilence(host, after, {});
  ExpectSilence(host, plain, {});
  ExpectOf("srcSet-01918", after, plain, {});
  ExpectOf("srcSet-04885", plain, after, {});
  ExpectOf("srcSet-01920", pool_alone, plain, {});
  ExpectOf("srcSet-04887", plain, pool_alone, {});
}

TEST_F(DescriptorCopies, NegativeImmutableSamplers) {
  const VkSampler sampler = MakeSampler();
  VkDescriptorSetLayoutBinding binding = Of(0, VK_DESCRIPTOR_TYPE_SAMPLER, 1);
  const VkDescriptorSet plain = Make({.bindings = {binding}}), other = Make({.bindings = {binding}});
  binding.pImmutableSamplers = &sampler;
  const VkDescriptorSet immutable = Make({.bindings = {binding}});
  ExpectSilence(plain, other, {});
  ExpectOf("dstBinding-02753", plain, immutable, {});
}

TEST_F(DescriptorCopies, NegativeMutableDescriptors) {
  const VkDescriptorSet source = Make({.bindings = {Of(0, kMutable, 2)}});
  const VkDescriptorSet target = Make({.bindings = {Of(0, kUniform, 2)}});
  const VkDescriptorSet same = Make({.bindings = {Of(0, kMutable, 2)}});
  const test::Buffer buffer = MakeBuffer(64);
  WriteBuffer(source, 0, kUniform, buffer, 0, VK_WHOLE_SIZE, 0);
  WriteBuffer(source, 0, kBuffer, buffer, 0, VK_WHOLE_SIZE, 1);
  ExpectSilence(source, same, {.count = 2});
  ExpectSilence(source, target, {});
  ExpectOf("srcSet-04613", source, target, {.from = 1});
  ExpectOf("srcSet-04613", source, target, {.count = 2});
  ExpectOf("dstSet-04612", Make({.bindings = {Of(0, kImage, 1)}}), same, {});
  WriteImage(same, 0, kImage, MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4)), VK_IMAGE_LAYOUT_GENERAL);
  ExpectMessage("VUID-VkWriteDescriptorSet-dstSet-04611");
}

}  // namespace
}  // namespace assay::core
