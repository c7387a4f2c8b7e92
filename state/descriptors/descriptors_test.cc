// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/descriptors/descriptors.h"

#include <fstream>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::state {
namespace {

constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

Ref<DescriptorSetLayout> MakeLayout(const std::vector<VkDescriptorSetLayoutBinding>& bindings,
                                    const void* next = nullptr) {
  const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, next, 0,
                                                static_cast<uint32_t>(bindings.size()), bindings.data()};
  return MakeRef<DescriptorSetLayout>(1, info);
}

VkDescriptorBufferInfo BufferInfo(uint64_t handle) { return {reinterpret_cast<VkBuffer>(handle), handle * 16, 4}; }

VkWriteDescriptorSet Write(uint32_t binding, uint32_t element, const std::vector<VkDescriptorBufferInfo>& infos) {
  return {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
          .dstBinding = binding,
          .dstArrayElement = element,
          .descriptorCount = static_cast<uint32_t>(infos.size()),
          .descriptorType = kStorage,
          .pBufferInfo = infos.data()};
}

std::vector<uint64_t> Resources(const DescriptorContents& contents) {
  std::vector<uint64_t> resources;
  for (const Descriptor& descriptor : contents.descriptors()) resources.push_back(descriptor.resource);
  return resources;
}
using Handles = std::vector<uint64_t>;

TEST(DescriptorSetLayout, FindsBindingsByNumber) {
  const auto layout = MakeLayout(
      {{7, kStorage, 2}, {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 3}, {3, kStorage, 0}, {9, kStorage, 1}});
  EXPECT_EQ(layout->DescriptorCount(), 6u);
  EXPECT_EQ(layout->dynamic_count(), 3u);
  EXPECT_EQ(layout->Find(0)->first, 0u);
  EXPECT_EQ(layout->Find(7)->first, 3u);
  EXPECT_EQ(layout->Find(9)->first, 5u);
  EXPECT_EQ(layout->Find(1), nullptr);
  EXPECT_EQ(layout->Find(8), nullptr);
  EXPECT_EQ(layout->Find(~0u), nullptr);
}
TEST(DescriptorSetLayout, FlagsGoWithTheirBindings) {
  const VkDescriptorBindingFlags flags[] = {VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT,
                                            VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT};
  VkDescriptorSetLayoutBindingFlagsCreateInfo next = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
                                                      nullptr, 2, flags};
  const auto layout = MakeLayout({{5, kStorage, 1}, {2, kStorage, 1}}, &next);
  EXPECT_EQ(layout->Find(5)->flags, flags[0]);
  EXPECT_EQ(layout->Find(2)->flags, flags[1]);
  next.pBindingFlags = nullptr;
  EXPECT_EQ(MakeLayout({{5, kStorage, 1}}, &next)->Find(5)->flags, 0u);
}
TEST(DescriptorSetLayout, VariableCount) {
  const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
  VkDescriptorSetLayoutBindingFlagsCreateInfo next = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
                                                      nullptr, 1, &flags};
  const auto layout = MakeLayout({{0, kStorage, 1000}}, &next);
  EXPECT_EQ(layout->DescriptorCount(), 1000u);
  EXPECT_EQ(layout->DescriptorCount(10), 10u);
  EXPECT_EQ(layout->DescriptorCount(~0u), 1000u);
  EXPECT_EQ(MakeLayout({{0, kStorage, 1000}})->DescriptorCount(10), 1000u);
}
TEST(DescriptorSetLayout, BadInput) {
  const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .bindingCount = 3};
  EXPECT_EQ(MakeRef<DescriptorSetLayout>(1, info)->DescriptorCount(), 0u);
  const auto huge = MakeLayout({{0, kStorage, ~0u}, {1, kStorage, ~0u}, {1, kStorage, 1}});
  EXPECT_EQ(huge->DescriptorCount(), DescriptorSetLayout::kMaxDescriptors);
  DescriptorContents contents(huge);
  contents.Write(Write(1, 5, {BufferInfo(1)}));
  EXPECT_EQ(contents.Find(*huge->Find(1)), nullptr);
}

TEST(DescriptorContents, WritesElements) {
  DescriptorContents contents(MakeLayout({{0, kStorage, 2}, {1, kStorage, 3}}));
  contents.Write(Write(1, 1, {BufferInfo(7), BufferInfo(8)}));
  EXPECT_EQ(Resources(contents), (Handles{0, 0, 0, 7, 8}));
  EXPECT_EQ(contents.descriptors()[3].offset, 7u * 16);
  EXPECT_EQ(contents.descriptors()[3].range, 4u);
  EXPECT_EQ(contents.descriptors()[0].kind, Descriptor::Kind::kUnwritten);
}
TEST(DescriptorContents, RunsOverIntoTheNextBindings) {
  DescriptorContents contents(MakeLayout({{0, kStorage, 2}, {1, kStorage, 0}, {4, kStorage, 3}}));
  contents.Write(Write(0, 1, {BufferInfo(1), BufferInfo(2), BufferInfo(3)}));
  EXPECT_EQ(Resources(contents), (Handles{0, 1, 2, 3, 0}));
}
TEST(DescriptorContents, LeavesOutWhatIsOutside) {
  DescriptorContents contents(MakeLayout({{0, kStorage, 2}}));
  contents.Write(Write(0, 1, {BufferInfo(1), BufferInfo(2), BufferInfo(3)}));
  contents.Write(Write(1, 0, {BufferInfo(4)}));
  contents.Write(Write(0, ~0u, {BufferInfo(5)}));
  EXPECT_EQ(Resources(contents), (Handles{0, 1}));
  VkWriteDescriptorSet nothing = Write(0, 0, {});
  nothing.descriptorCount = 2;
  nothing.pBufferInfo = nullptr;
  for (int type = VK_DESCRIPTOR_TYPE_SAMPLER; type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT; ++type) {
    nothing.descriptorType = static_cast<VkDescriptorType>(type);
    contents.Write(nothing);
  }
}
TEST(DescriptorContents, KindsAreThoseOfTheWrite) {
  DescriptorContents contents(MakeLayout({{0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                          {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1},
                                          {2, VK_DESCRIPTOR_TYPE_SAMPLER, 1},
                                          {3, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64}}));
  ASSERT_EQ(contents.descriptors().size(), 4u);
  const VkDescriptorImageInfo image = {VK_NULL_HANDLE, reinterpret_cast<VkImageView>(uint64_t{5}),
                                       VK_IMAGE_LAYOUT_GENERAL};
  const VkBufferView view = reinterpret_cast<VkBufferView>(uint64_t{6});
  contents.Write({.dstBinding = 0,
                  .descriptorCount = 1,
                  .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                  .pImageInfo = &image});
  contents.Write({.dstBinding = 1,
                  .descriptorCount = 1,
                  .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                  .pTexelBufferView = &view});
  contents.Write(
      {.dstBinding = 2, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER, .pImageInfo = &image});
  contents.Write({.dstBinding = 3, .descriptorCount = 64, .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK});
  EXPECT_EQ(contents.descriptors()[0].kind, Descriptor::Kind::kImage);
  EXPECT_EQ(contents.descriptors()[1].kind, Descriptor::Kind::kTexelBuffer);
  EXPECT_EQ(contents.descriptors()[2].kind, Descriptor::Kind::kSampler);
  EXPECT_EQ(Resources(contents), (Handles{5, 6, 0, 0}));
}
TEST(DescriptorContents, Samplers) {
  DescriptorContents contents(
      MakeLayout({{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}, {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1}}));
  const VkDescriptorImageInfo image = {reinterpret_cast<VkSampler>(uint64_t{9}),
                                       reinterpret_cast<VkImageView>(uint64_t{5}), VK_IMAGE_LAYOUT_GENERAL};
  for (const VkDescriptorType type : {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER}) {
    contents.Write({.dstBinding = type == VK_DESCRIPTOR_TYPE_SAMPLER ? 1u : 0u,
                    .descriptorCount = 1,
                    .descriptorType = type,
                    .pImageInfo = &image});
  }
  EXPECT_EQ(contents.descriptors()[0].sampler, 9u);
  EXPECT_EQ(Resources(contents), (Handles{5, 9}));
}

TEST(DescriptorContents, ElementsOfBindings) {
  const VkDescriptorBindingFlags flags[] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT |
                                                   VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                                   VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT};
  const VkDescriptorSetLayoutBindingFlagsCreateInfo next = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 2, flags};
  const auto layout = MakeLayout({{0, kStorage, 2}, {1, kStorage, 100}}, &next);
  DescriptorContents contents(layout, 3);
  contents.Write(Write(1, 2, {BufferInfo(7)}));
  const DescriptorSetLayout::Binding &fixed = *layout->Find(0), &variable = *layout->Find(1);
  EXPECT_EQ(contents.Find(variable, 2)->resource, 7u);
  EXPECT_EQ(contents.Find(variable, 1)->kind, Descriptor::Kind::kUnwritten);
  // The set has no more than 3.
  EXPECT_EQ(contents.Find(variable, 3), nullptr);
  // That would be the next binding's.
  EXPECT_EQ(contents.Find(fixed, 2), nullptr);
  EXPECT_EQ(contents.Find(fixed, ~0u), nullptr);
  EXPECT_TRUE(variable.is_update_after_bind());
  EXPECT_TRUE(variable.is_partially_bound());
  EXPECT_FALSE(fixed.is_update_after_bind());
}
TEST(DescriptorContents, AccelerationStructures) {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
  DescriptorContents contents(MakeLayout({{0, kType, 3}, {1, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, 1}}));
  const VkAccelerationStructureKHR handles[] = {reinterpret_cast<VkAccelerationStructureKHR>(uint64_t{5}),
                                                reinterpret_cast<VkAccelerationStructureKHR>(uint64_t{6})};
  const VkAccelerationStructureNV other = reinterpret_cast<VkAccelerationStructureNV>(uint64_t{7});
  const VkWriteDescriptorSetAccelerationStructureKHR structures = {
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR, nullptr, 2, handles};
  const VkWriteDescriptorSetAccelerationStructureNV structures_nv = {
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV, nullptr, 1, &other};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .pNext = &structures,
                                .dstArrayElement = 1,
                                .descriptorCount = 2,
                                .descriptorType = kType};
  contents.Write(write);
  write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
           .pNext = &structures_nv,
           .dstBinding = 1,
           .descriptorCount = 1,
           .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV};
  contents.Write(write);
  EXPECT_EQ(Resources(contents), (Handles{0, 5, 6, 7}));
  EXPECT_EQ(contents.descriptors()[1].kind, Descriptor::Kind::kAccelerationStructure);
  // From a template they come by themselves.
  const VkDescriptorUpdateTemplateEntry entry = {0, 0, 2, kType, 0, 8};
  contents.Write({&entry, 1}, handles);
  EXPECT_EQ(Resources(contents), (Handles{5, 6, 6, 7}));
  // Without the structure, and with one that is too short.
  write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .descriptorCount = 3, .descriptorType = kType};
  contents.Write(write);
  write.pNext = &structures_nv;
  contents.Write(write);
  EXPECT_EQ(Resources(contents), (Handles{7, 6, 6, 7}));
}
TEST(DescriptorContents, InlineUniformBlocks) {
  DescriptorContents contents(MakeLayout({{0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64}, {1, kStorage, 1}}));
  contents.Write({.dstBinding = 0,
                  .dstArrayElement = 16,
                  .descriptorCount = 32,
                  .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK});
  EXPECT_EQ(contents.descriptors()[0].kind, Descriptor::Kind::kInlineUniformBlock);
  EXPECT_EQ(contents.descriptors()[1].kind, Descriptor::Kind::kUnwritten);
  // A binding that is none.
  contents.Write({.dstBinding = 1, .descriptorCount = 4, .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK});
  EXPECT_EQ(contents.descriptors()[1].kind, Descriptor::Kind::kUnwritten);
  DescriptorContents other(MakeLayout({{0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64}}));
  const uint64_t bytes[8] = {};
  const VkDescriptorUpdateTemplateEntry entry = {0, 0, 64, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 0, 0};
  other.Write({&entry, 1}, bytes);
  EXPECT_EQ(other.descriptors()[0].kind, Descriptor::Kind::kInlineUniformBlock);
}
TEST(DescriptorContents, MutableOnesAreWhatWasWritten) {
  DescriptorContents contents(MakeLayout({{0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 2}}));
  contents.Write(Write(0, 0, {BufferInfo(1)}));
  const VkDescriptorImageInfo image = {VK_NULL_HANDLE, reinterpret_cast<VkImageView>(uint64_t{5}),
                                       VK_IMAGE_LAYOUT_GENERAL};
  contents.Write({.dstBinding = 0,
                  .dstArrayElement = 1,
                  .descriptorCount = 1,
                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                  .pImageInfo = &image});
  EXPECT_EQ(contents.descriptors()[0].type, kStorage);
  EXPECT_EQ(contents.descriptors()[1].kind, Descriptor::Kind::kImage);
  EXPECT_EQ(contents.descriptors()[1].type, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  EXPECT_EQ(contents.descriptors()[1].layout, VK_IMAGE_LAYOUT_GENERAL);
  // What it was before leaves nothing behind.
  contents.Copy({.srcBinding = 0, .srcArrayElement = 1, .dstBinding = 0, .descriptorCount = 1}, contents);
  EXPECT_EQ(contents.descriptors()[0].range, 0u);
  EXPECT_EQ(contents.descriptors()[0].resource, 5u);
}
TEST(DescriptorSetLayout, ImmutableSamplers) {
  const VkSampler sampler = reinterpret_cast<VkSampler>(uint64_t{1});
  const auto layout = MakeLayout({{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, &sampler},
                                  {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, nullptr},
                                  {2, kStorage, 1, 0, &sampler}});
  EXPECT_TRUE(layout->Find(0)->has_immutable_samplers);
  EXPECT_FALSE(layout->Find(1)->has_immutable_samplers);
  // There it is ignored.
  EXPECT_FALSE(layout->Find(2)->has_immutable_samplers);
}
TEST(DescriptorSetLayout, KnownImmutableSamplers) {
  const VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                      .reductionMode = VK_SAMPLER_REDUCTION_MODE_MAX};
  const auto sampler = MakeRef<Sampler>(
      7, VkSamplerCreateInfo{
             .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &reduction, .magFilter = VK_FILTER_LINEAR});
  EXPECT_EQ(sampler->create_info.pNext, nullptr);
  EXPECT_EQ(sampler->create_info.magFilter, VK_FILTER_LINEAR);
  EXPECT_EQ(sampler->reduction_mode, VK_SAMPLER_REDUCTION_MODE_MAX);
  EXPECT_FALSE(sampler->is_converting);
  const VkSampler handles[] = {reinterpret_cast<VkSampler>(uint64_t{7}), reinterpret_cast<VkSampler>(uint64_t{8})};
  const VkDescriptorSetLayoutBinding bindings[] = {
      {4, VK_DESCRIPTOR_TYPE_SAMPLER, 2, 0, handles},
      {2, kStorage, 1, 0, handles},
      {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, nullptr},
  };
  const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 3, .pBindings = bindings};
  DescriptorSetLayout layout(1, info);
  layout.SetImmutableSamplers(info, [&](VkSampler handle) { return handle == handles[0] ? sampler : Ref<Sampler>(); });
  ASSERT_EQ(layout.Find(4)->immutable_samplers.size(), 2u);
  EXPECT_EQ(layout.Find(4)->immutable_samplers[0].get(), sampler.get());
  EXPECT_FALSE(layout.Find(4)->immutable_samplers[1]);
  EXPECT_TRUE(layout.Find(2)->immutable_samplers.empty());
  EXPECT_TRUE(layout.Find(1)->immutable_samplers.empty());
}

TEST(DescriptorContents, Copies) {
  const auto layout = MakeLayout({{0, kStorage, 2}, {1, kStorage, 2}});
  DescriptorContents source(layout), target(layout);
  source.Write(Write(0, 0, {BufferInfo(1), BufferInfo(2), BufferInfo(3), BufferInfo(4)}));
  VkCopyDescriptorSet copy = {
      .srcBinding = 0, .srcArrayElement = 1, .dstBinding = 1, .dstArrayElement = 0, .descriptorCount = 2};
  target.Copy(copy, source);
  EXPECT_EQ(Resources(target), (Handles{0, 0, 2, 3}));
  // Within itself.
  copy = {.srcBinding = 0, .dstBinding = 0, .dstArrayElement = 1, .descriptorCount = 3};
  source.Copy(copy, source);
  EXPECT_EQ(Resources(source), (Handles{1, 1, 2, 3}));
}
TEST(DescriptorContents, CopiesOutside) {
  const auto layout = MakeLayout({{0, kStorage, 2}});
  DescriptorContents source(layout), target(layout);
  source.Write(Write(0, 0, {BufferInfo(1), BufferInfo(2)}));
  target.Copy({.srcBinding = 0, .srcArrayElement = 1, .dstBinding = 0, .descriptorCount = 100}, source);
  EXPECT_EQ(Resources(target), (Handles{2, 0}));
  target.Copy({.srcBinding = 0, .srcArrayElement = ~0u, .dstBinding = 0, .descriptorCount = ~0u}, source);
  target.Copy({.srcBinding = 9, .dstBinding = 0, .descriptorCount = 1}, source);
  target.Copy({.srcBinding = 0, .dstBinding = 9, .descriptorCount = 1}, source);
  EXPECT_EQ(Resources(target), (Handles{2, 0}));
}

// One thread updates an element of a binding that may be updated after it is bound, another reads it.
TEST(DescriptorContents, ReadsDuringUpdates) {
  const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorSetLayoutBindingFlagsCreateInfo next = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 1, &flags};
  const auto layout = MakeLayout({{0, kStorage, 2}}, &next);
  ASSERT_TRUE(layout->has_update_after_bind());
  DescriptorContents contents(layout), source(layout);
  source.Write(Write(0, 1, {BufferInfo(1000)}));
  std::thread updater([&] {
    for (uint64_t i = 1; i < 1000; ++i) {
      contents.Write(Write(0, 1, {BufferInfo(i)}));
      contents.Copy({.srcBinding = 0, .dstBinding = 0, .dstArrayElement = 1, .descriptorCount = 1}, contents);
    }
    contents.Copy({.srcBinding = 0, .srcArrayElement = 1, .dstBinding = 0, .dstArrayElement = 1, .descriptorCount = 1},
                  source);
  });
  for (int i = 0; i < 1000; ++i) {
    const Descriptor read = contents.Read(*layout->Find(0), 1);
    EXPECT_EQ(read.offset, read.resource * 16);
  }
  updater.join();
  EXPECT_EQ(contents.Read(*layout->Find(0), 1).resource, 1000u);
  EXPECT_EQ(contents.Read(*layout->Find(0), 2).kind, Descriptor::Kind::kUnwritten);
}
TEST(DescriptorSetLayout, WithoutUpdateAfterBind) {
  const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
  const VkDescriptorSetLayoutBindingFlagsCreateInfo next = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 1, &flags};
  EXPECT_FALSE(MakeLayout({{0, kStorage, 2}}, &next)->has_update_after_bind());
}

TEST(DescriptorContents, Template) {
  struct Data {
    uint32_t padding[4];
    VkDescriptorBufferInfo infos[3];
  } data = {{}, {BufferInfo(1), BufferInfo(2), BufferInfo(3)}};
  DescriptorContents contents(MakeLayout({{0, kStorage, 2}, {1, kStorage, 2}}));
  const VkDescriptorUpdateTemplateEntry entries[] = {
      {0, 1, 2, kStorage, offsetof(Data, infos), sizeof(VkDescriptorBufferInfo)},
      {1, 1, 5, kStorage, offsetof(Data, infos) + 2 * sizeof(VkDescriptorBufferInfo), sizeof(VkDescriptorBufferInfo)},
      {5, 0, 1, kStorage, 0, 0},
  };
  contents.Write(entries, &data);
  EXPECT_EQ(Resources(contents), (Handles{0, 1, 2, 3}));
  contents.Write(entries, nullptr);
  EXPECT_EQ(Resources(contents), (Handles{0, 1, 2, 3}));
}

// Of the process, in bytes.
uint64_t ResidentMemory() {
  uint64_t total = 0;
  uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * 4096;
}

// 40 MiB if they were made.
TEST(DescriptorContents, UnwrittenDescriptorsTakeNoMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "A sanitizer's memory counts.";
#endif
  const auto layout = MakeLayout({{0, kStorage, DescriptorSetLayout::kMaxDescriptors}});
  const uint64_t before = ResidentMemory();
  DescriptorContents contents(layout);
  contents.Write(Write(0, 500'000, {BufferInfo(7)}));
  EXPECT_LT(ResidentMemory(), before + (uint64_t{1} << 20));
  EXPECT_EQ(contents.descriptors()[500'000].resource, 7u);
  EXPECT_EQ(contents.descriptors()[499'999].kind, Descriptor::Kind::kUnwritten);
  EXPECT_EQ(contents.descriptors()[500'001].type, VK_DESCRIPTOR_TYPE_SAMPLER);
  EXPECT_EQ(contents.descriptors().size(), DescriptorSetLayout::kMaxDescriptors);
}

}  // namespace
}  // namespace assay::state
