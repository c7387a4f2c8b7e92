// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Writes to descriptors. A test changes one thing of a correct write, and pushes the same, too.

#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Binding;

constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr auto kSampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;

class DescriptorWrites : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.device_extensions = {VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME}}; }
  void SetUp() override {
    driver().config().limits.maxUniformBufferRange = 1 << 16;
    driver().config().limits.maxStorageBufferRange = 1 << 20;
    ValidationTest::SetUp();
    VkPhysicalDeviceProperties properties;
    vk.GetPhysicalDeviceProperties(physical_device, &properties);
    limits_ = properties.limits;
    commands_ = MakeCommandBuffer();
    Begin(commands_);
  }
  void MakeSets(const std::vector<Binding>& bindings) {
    Use(MakeSetLayout(bindings), MakeSetLayout(bindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT));
  }
  void Use(VkDescriptorSetLayout plain, VkDescriptorSetLayout pushed) {
    set_ = MakeSet(plain);
    layout_ = MakePipelineLayout({pushed});
  }
  VkWriteDescriptorSet Of(VkDescriptorType type, uint32_t binding = 0, uint32_t element = 0) const {
    return {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set_,
            .dstBinding = binding,
            .dstArrayElement = element,
            .descriptorCount = 1,
            .descriptorType = type};
  }
  // What a write points to is in members.
  VkWriteDescriptorSet Buffers(VkDescriptorType type, uint32_t binding = 0, uint32_t element = 0) const {
    VkWriteDescriptorSet write = Of(type, binding, element);
    write.pBufferInfo = buffers_.data();
    write.descriptorCount = static_cast<uint32_t>(buffers_.size());
    return write;
  }
  VkWriteDescriptorSet Image(VkDescriptorType type) const {
    VkWriteDescriptorSet write = Of(type);
    write.pImageInfo = &image_;
    return write;
  }
  void Run(const VkWriteDescriptorSet& write) { vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr); }
  void Push(const VkWriteDescriptorSet& write) {
    vk.CmdPushDescriptorSet(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &write);
  }
  void PushNew(const VkWriteDescriptorSet& write) {
    const VkPushDescriptorSetInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO,
                                          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                          .layout = layout_,
                                          .descriptorWriteCount = 1,
                                          .pDescriptorWrites = &write};
    vk.CmdPushDescriptorSet2(commands_, &info);
  }
  void ExpectSilence(const VkWriteDescriptorSet& write) {
    Run(write);
    Push(write);
    PushNew(write);
    ExpectNothing();
  }
  void ExpectOf(const std::string& id, const VkWriteDescriptorSet& write) {
    ExpectNothing();
    Run(write);
    ExpectMessage(id);
    Push(write);
    ExpectMessage(id);
    PushNew(write);
    ExpectMessage(id);
    ExpectNothing();
  }
  void ExpectWrong(const std::string& rule, const VkWriteDescriptorSet& write) {
    ExpectOf("VUID-VkWriteDescriptorSet-" + rule, write);
  }

  VkPhysicalDeviceLimits limits_ = {};
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorBufferInfo> buffers_;
  VkDescriptorImageInfo image_ = {};
};

TEST_F(DescriptorWrites, NegativeBinding) {
  MakeSets({{.binding = 0, .count = 2}, {.binding = 2}, {.binding = 3, .count = 0}, {.binding = 4, .type = kUniform}});
  const test::Buffer buffer = MakeBuffer(64);
  buffers_ = {{buffer, 0, VK_WHOLE_SIZE}};
  ExpectSilence(Buffers(kStorage, 0, 1));
  ExpectSilence(Buffers(kUniform, 4));
  ExpectWrong("dstBinding-00315", Buffers(kStorage, 5));
  ExpectWrong("dstBinding-00316", Buffers(kStorage, 1));
  ExpectWrong("dstBinding-00316", Buffers(kStorage, 3));
  ExpectWrong("descriptorType-00319", Buffers(kUniform, 2));
  ExpectWrong("dstArrayElement-00321", Buffers(kUniform, 4, 1));
  VkWriteDescriptorSet without = Buffers(kStorage);
  without.pBufferInfo = nullptr;
  ExpectWrong("descriptorType-00324", without);
}

TEST_F(DescriptorWrites, NegativeLayoutWithoutBindings) {
  MakeSets({});
  buffers_ = {{MakeBuffer(64), 0, VK_WHOLE_SIZE}};
  ExpectWrong("dstBinding-10009", Buffers(kStorage));
}

TEST_F(DescriptorWrites, NegativeConsecutiveBindings) {
  MakeSets({{.binding = 0, .count = 2},
            {.binding = 1, .count = 0},
            {.binding = 2},
            {.binding = 3, .stages = VK_SHADER_STAGE_COMPUTE_BIT},
            {.binding = 4, .type = kUniform, .stages = VK_SHADER_STAGE_COMPUTE_BIT}});
  const test::Buffer buffer = MakeBuffer(64);
  const auto count = [&](size_t number) { buffers_.assign(number, {buffer, 0, VK_WHOLE_SIZE}); };
  count(3);
  ExpectSilence(Buffers(kStorage));
  count(4);
  ExpectWrong("descriptorCount-00317", Buffers(kStorage));
  count(2);
  ExpectWrong("descriptorCount-00317", Buffers(kStorage, 3));
}

TEST_F(DescriptorWrites, NegativeConsecutiveImmutableSamplers) {
  const VkSampler sampler = MakeSampler();
  constexpr auto kCombined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const auto make = [&](VkDescriptorSetLayoutCreateFlags flags) {
    const VkDescriptorSetLayoutBinding bindings[] = {{0, kCombined, 1, VK_SHADER_STAGE_ALL, nullptr},
                                                     {1, kCombined, 1, VK_SHADER_STAGE_ALL, &sampler},
                                                     {2, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &sampler}};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .flags = flags,
                                                  .bindingCount = 3,
                                                  .pBindings = bindings};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
    Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  };
  Use(make(0), make(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT));
  const VkImageView view = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
  const std::vector<VkDescriptorImageInfo> images(2, {sampler, view, VK_IMAGE_LAYOUT_GENERAL});
  VkWriteDescriptorSet write = Of(kCombined);
  write.pImageInfo = images.data();
  ExpectSilence(write);
  write.descriptorCount = 2;
  ExpectWrong("descriptorCount-00318", write);
  write = Of(VK_DESCRIPTOR_TYPE_SAMPLER, 2);
  write.pImageInfo = images.data();
  Run(write);
  ExpectMessage("VUID-VkWriteDescriptorSet-descriptorType-02752");
  // So that a shader uses the immutable one.
  Push(write);
  PushNew(write);
  ExpectNothing();
}

TEST_F(DescriptorWrites, NegativeBuffers) {
  MakeSets({{.binding = 0}, {.binding = 1, .type = kUniform}});
  const VkDeviceSize size = VkDeviceSize{limits_.maxStorageBufferRange} + 16;
  const test::Buffer both = MakeBuffer(4096);
  const test::Buffer storage = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const test::Buffer uniform = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const test::Buffer large = MakeBuffer(size);
  const VkBuffer unbound = MakeUnboundBuffer(
      {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT});
  const auto expect = [&](const std::string& id, VkDescriptorType type, const VkDescriptorBufferInfo& info) {
    buffers_ = {info};
    const VkWriteDescriptorSet write = Buffers(type, type == kStorage ? 0 : 1);
    if (id.empty()) return ExpectSilence(write);
    ExpectOf("VUID-" + id, write);
  };
  expect("", kStorage, {storage, 1024, 3072});
  expect("", kUniform, {uniform, 1024, VK_WHOLE_SIZE});
  expect("VkWriteDescriptorSet-descriptorType-00330", kUniform, {storage, 0, VK_WHOLE_SIZE});
  expect("VkWriteDescriptorSet-descriptorType-00331", kStorage, {uniform, 0, VK_WHOLE_SIZE});
  expect("VkWriteDescriptorSet-descriptorType-00327", kUniform, {both, 1, 16});
  expect("VkWriteDescriptorSet-descriptorType-00328", kStorage, {both, 1, 16});
  expect("VkDescriptorBufferInfo-offset-00340", kStorage, {both, 4096, VK_WHOLE_SIZE});
  expect("VkDescriptorBufferInfo-range-00342", kStorage, {both, 1024, 3073});
  expect("VkDescriptorBufferInfo-range-00341", kStorage, {both, 1024, 0});
  expect("VkDescriptorBufferInfo-buffer-02998", kStorage, {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE});
  expect("VkWriteDescriptorSet-descriptorType-00329", kStorage, {unbound, 0, VK_WHOLE_SIZE});
  expect("", kUniform, {large, 0, limits_.maxUniformBufferRange});
  expect("VkWriteDescriptorSet-descriptorType-00332", kUniform, {large, 0, limits_.maxUniformBufferRange + 1});
  expect("VkWriteDescriptorSet-descriptorType-00332", kUniform, {large, 0, VK_WHOLE_SIZE});
  expect("VkWriteDescriptorSet-descriptorType-00333", kStorage, {large, 0, VK_WHOLE_SIZE});
}

TEST_F(DescriptorWrites, NegativeImages) {
  const auto view = [&](VkImageUsageFlags usage) {
    return MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, usage | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
  };
  const struct {
    VkDescriptorType type;
    VkImageUsageFlags usage;
    const char* rule;
  } cases[] = {{kSampled, VK_IMAGE_USAGE_SAMPLED_BIT, "descriptorType-00337"},
               {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_USAGE_STORAGE_BIT, "descriptorType-00339"},
               {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, "descriptorType-00338"}};
  for (const auto& one : cases) {
    const bool is_attachment = one.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    MakeSets({{.type = one.type,
               .stages = static_cast<VkShaderStageFlags>(is_attachment ? VK_SHADER_STAGE_FRAGMENT_BIT
                                                                       : VK_SHADER_STAGE_ALL)}});
    image_ = {VK_NULL_HANDLE, view(one.usage), VK_IMAGE_LAYOUT_GENERAL};
    ExpectSilence(Image(one.type));
    image_.imageView = view(0);
    ExpectWrong(one.rule, Image(one.type));
    image_.imageView = VK_NULL_HANDLE;
    ExpectWrong(is_attachment ? "descriptorType-07683" : "descriptorType-02997", Image(one.type));
  }
}

TEST_F(DescriptorWrites, NegativeNullBufferView) {
  constexpr auto kTexels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  MakeSets({{.type = kTexels}});
  const VkBufferView none = VK_NULL_HANDLE;
  VkWriteDescriptorSet write = Of(kTexels);
  write.pTexelBufferView = &none;
  ExpectWrong("descriptorType-02995", write);
}

TEST_F(DescriptorWrites, NegativeBufferViewUsage) {
  const auto view_of = [&](VkBufferUsageFlags usage) {
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = MakeBuffer(64, usage),
                                         .format = VK_FORMAT_R8G8B8A8_UNORM,
                                         .range = VK_WHOLE_SIZE};
    VkBufferView view = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateBufferView(device, &info, nullptr, &view), VK_SUCCESS);
    Defer(view, [=, this] { vk.DestroyBufferView(device, view, nullptr); });
    return view;
  };
  const VkBufferView uniform = view_of(VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  const VkBufferView storage = view_of(VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  MakeSets({{.binding = 0, .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
            {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER}});
  VkWriteDescriptorSet write = Of(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER);
  write.pTexelBufferView = &uniform;
  ExpectSilence(write);
  write.pTexelBufferView = &storage;
  ExpectWrong("descriptorType-08765", write);
  write = Of(VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1);
  write.pTexelBufferView = &uniform;
  ExpectWrong("descriptorType-08766", write);
}

TEST_F(DescriptorWrites, NegativeWithoutImages) {
  MakeSets({{.binding = 0, .type = kSampled}, {.binding = 1, .type = VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM}});
  messages.Take();
  Run(Of(kSampled));
  ExpectMessage("VUID-vkUpdateDescriptorSets-pDescriptorWrites-06493");
  Run(Of(VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, 1));
  ExpectMessage("VUID-vkUpdateDescriptorSets-pDescriptorWrites-06941");
}

}  // namespace
}  // namespace assay::core
