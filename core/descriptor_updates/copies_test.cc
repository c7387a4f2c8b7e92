// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between descriptor sets. A test changes one thing of a correct copy.

#include <string_view>

#include "core/set_layouts/set_layout_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr auto kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr auto kImage = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr auto kBytes = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
constexpr auto kMutable = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;

class DescriptorCopies : public SetLayoutTest {
 protected:
  void SetUp() override { MakeDevice(); }
  VkDescriptorSet Make(const SetLayoutParts& parts, VkDescriptorPoolCreateFlags pool_flags = 0) {
    const VkDescriptorSetLayout layout = MakeLayout(parts);
    const VkDescriptorPoolSize sizes[] = {{kMutable, 64}, {kBuffer, 64}, {kUniform, 64},
                                          {kImage, 64},   {kBytes, 256}, {VK_DESCRIPTOR_TYPE_SAMPLER, 64}};
    const VkDescriptorType types[] = {kBuffer, kUniform};
    const VkMutableDescriptorTypeListEXT list = {2, types};
    const auto pool_types = test::Of<VkMutableDescriptorTypeCreateInfoEXT>(1, &list);
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, &pool_types, 4};
    const VkDescriptorPoolCreateInfo pool_info = {
        .pNext = &blocks, .flags = pool_flags, .maxSets = 1, .poolSizeCount = 6, .pPoolSizes = sizes};
    const auto pool = MakeFrom(pool_info, vk.CreateDescriptorPool, vk.DestroyDescriptorPool);
    const auto info = test::Of<VkDescriptorSetAllocateInfo>(pool, 1, &layout);
    VkDescriptorSet set = VK_NULL_HANDLE;
    EXPECT_EQ(vk.AllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
    ExpectNothing();
    return set;
  }

  // `rule` is empty for a correct copy, which is of one descriptor by default.
  void ExpectOf(std::string_view rule, VkDescriptorSet source, VkDescriptorSet target, VkCopyDescriptorSet copy) {
    SCOPED_TRACE(rule);
    copy.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET;
    copy.srcSet = source;
    copy.dstSet = target;
    if (copy.descriptorCount == 0) copy.descriptorCount = 1;
    ExpectNothing();
    vk.UpdateDescriptorSets(device, 0, nullptr, 1, &copy);
    ExpectAlone("VkCopyDescriptorSet", rule);
  }
  static VkDescriptorSetLayoutBinding Of(uint32_t number, VkDescriptorType type, uint32_t count) {
    return {number, type, count, VK_SHADER_STAGE_ALL, nullptr};
  }
};

TEST_F(DescriptorCopies, NegativeDescriptorsOfTheSets) {
  const SetLayoutParts parts = {.bindings = {Of(0, kBuffer, 4), Of(1, kBuffer, 2), Of(3, kImage, 2)}};
  const VkDescriptorSet source = Make(parts), target = Make(parts);
  // Into the next binding.
  ExpectOf("", source, target, {.srcArrayElement = 2, .dstArrayElement = 3, .descriptorCount = 3});
  ExpectOf("", source, target, {.srcBinding = 3, .srcArrayElement = 1, .dstBinding = 3});
  ExpectOf("srcBinding-00345", source, target, {.srcBinding = 2});
  ExpectOf("dstBinding-00347", source, target, {.dstBinding = 2});
  ExpectOf("srcArrayElement-00346", source, target, {.srcBinding = 3, .srcArrayElement = 2, .dstBinding = 3});
  ExpectOf("dstArrayElement-00348", source, target, {.srcBinding = 3, .dstBinding = 3, .dstArrayElement = 2});
  ExpectOf("dstBinding-02632", source, target, {.srcBinding = 3, .dstBinding = 0});
}

TEST_F(DescriptorCopies, NegativeOverlapInOneSet) {
  const VkDescriptorSet set = Make({.bindings = {Of(0, kBuffer, 4), Of(1, kBuffer, 4)}});
  ExpectOf("", set, set, {.srcArrayElement = 0, .dstArrayElement = 2, .descriptorCount = 2});
  ExpectOf("", set, set, {.srcBinding = 0, .dstBinding = 1, .descriptorCount = 4});
  ExpectOf("srcSet-00349", set, set, {.srcArrayElement = 0, .dstArrayElement = 1, .descriptorCount = 2});
  // The source continues in binding 1.
  ExpectOf("srcSet-00349", set, set, {.srcBinding = 0, .srcArrayElement = 3, .dstBinding = 1, .descriptorCount = 2});
}

TEST_F(DescriptorCopies, NegativeInlineUniformBlocks) {
  const SetLayoutParts parts = {.bindings = {Of(0, kBytes, 32)}};
  const VkDescriptorSet source = Make(parts), target = Make(parts);
  ExpectOf("", source, target, {.srcArrayElement = 8, .dstArrayElement = 4, .descriptorCount = 16});
  ExpectOf("srcBinding-02223", source, target, {.srcArrayElement = 6, .dstArrayElement = 4, .descriptorCount = 16});
  ExpectOf("dstBinding-02224", source, target, {.srcArrayElement = 8, .dstArrayElement = 6, .descriptorCount = 16});
  ExpectOf("srcBinding-02225", source, target, {.srcArrayElement = 8, .dstArrayElement = 4, .descriptorCount = 6});
  ExpectOf("", source, source, {.srcArrayElement = 0, .dstArrayElement = 16, .descriptorCount = 16});
  ExpectOf("srcSet-00349", source, source, {.srcArrayElement = 0, .dstArrayElement = 8, .descriptorCount = 16});
}

TEST_F(DescriptorCopies, NegativeUpdateAfterBind) {
  constexpr auto kLayout = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  constexpr auto kPool = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorSet plain = Make({}), after = Make({.flags = kLayout}, kPool), pool_alone = Make({}, kPool);
  const VkDescriptorSet host = Make({.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT},
                                    VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT);
  ExpectOf("", plain, Make({}), {});
  ExpectOf("", after, Make({.flags = kLayout}, kPool), {});
  ExpectOf("", host, after, {});
  ExpectOf("", host, plain, {});
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
  ExpectOf("", plain, other, {});
  ExpectOf("dstBinding-02753", plain, immutable, {});
}

TEST_F(DescriptorCopies, NegativeMutableDescriptors) {
  const SetLayoutParts parts = {.bindings = {Of(0, kMutable, 2)}, .mutable_types = {{kBuffer, kUniform}}};
  const VkDescriptorSet source = Make(parts), same = Make(parts);
  const VkDescriptorSet target = Make({.bindings = {Of(0, kUniform, 2)}});
  const test::Buffer buffer = MakeBuffer(64);
  WriteBuffer(source, 0, kUniform, buffer, 0, VK_WHOLE_SIZE, 0);
  WriteBuffer(source, 0, kBuffer, buffer, 0, VK_WHOLE_SIZE, 1);
  ExpectOf("", source, same, {.descriptorCount = 2});
  ExpectOf("", source, target, {});
  ExpectOf("srcSet-04613", source, target, {.srcArrayElement = 1});
  ExpectOf("srcSet-04613", source, target, {.descriptorCount = 2});
  ExpectOf("dstSet-04612", Make({.bindings = {Of(0, kImage, 1)}}), same, {});
  WriteImage(same, 0, kImage, MakeView(MakeImage(VK_FORMAT_R8_UNORM, 4, 4)), VK_IMAGE_LAYOUT_GENERAL);
  ExpectMessage("VUID-VkWriteDescriptorSet-dstSet-04611");
}

}  // namespace
}  // namespace assay::core
