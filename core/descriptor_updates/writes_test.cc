// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Writes to descriptors. A test changes one thing of a correct write, and pushes the same, too.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Binding;

constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr auto kSampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr uint32_t kMostUniformBytes = 1 << 16, kMostStorageBytes = 1 << 20;

class DescriptorWrites : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.device_extensions = {VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME}}; }
  void SetUp() override {
    driver().config().limits.maxUniformBufferRange = kMostUniformBytes;
    driver().config().limits.maxStorageBufferRange = kMostStorageBytes;
    ValidationTest::SetUp();
    Begin(commands_ = MakeCommandBuffer());
  }
  void MakeSets(const std::vector<Binding>& bindings) {
    set_ = MakeSet(MakeSetLayout(bindings));
    layout_ = MakePipelineLayout({MakeSetLayout(bindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT)});
  }
  VkWriteDescriptorSet Of(VkDescriptorType type, uint32_t binding = 0, const VkDescriptorImageInfo* images = nullptr,
                          const VkBufferView* views = nullptr) const {
    return {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set_,
            .dstBinding = binding,
            .descriptorCount = 1,
            .descriptorType = type,
            .pImageInfo = images,
            .pTexelBufferView = views};
  }
  // Those of the test.
  VkWriteDescriptorSet Buffers(VkDescriptorType type, uint32_t binding = 0, uint32_t element = 0) const {
    VkWriteDescriptorSet write = Of(type, binding);
    write.dstArrayElement = element;
    write.descriptorCount = static_cast<uint32_t>(buffers_.size());
    write.pBufferInfo = buffers_.data();
    return write;
  }
  VkWriteDescriptorSet Texels(VkDescriptorType type, const VkBufferView& view, uint32_t binding = 0) const {
    return Of(type, binding, nullptr, &view);
  }
  void Run(const VkWriteDescriptorSet& write) { vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr); }
  void Push(const VkWriteDescriptorSet& write) {
    vk.CmdPushDescriptorSet(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &write);
  }
  void PushNew(const VkWriteDescriptorSet& write) {
    const auto info = test::Of<VkPushDescriptorSetInfo>(VK_SHADER_STAGE_COMPUTE_BIT, layout_, 0, 1, &write);
    vk.CmdPushDescriptorSet2(commands_, &info);
  }
  // What follows "VUID-Vk" in the id, by each of the commands; empty for a correct write.
  void ExpectOf(const std::string& id, const VkWriteDescriptorSet& write) {
    SCOPED_TRACE(id);
    ExpectNothing();
    for (const auto run : {&DescriptorWrites::Run, &DescriptorWrites::Push, &DescriptorWrites::PushNew}) {
      (this->*run)(write);
      ExpectAlone(id.empty() ? "" : "VUID-Vk" + id);
    }
  }
  void ExpectSilence(const VkWriteDescriptorSet& write) { ExpectOf("", write); }
  void ExpectWrong(const std::string& rule, const VkWriteDescriptorSet& write) {
    ExpectOf("WriteDescriptorSet-" + rule, write);
  }

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
  ExpectWrong("descriptorType-00324", Of(kStorage));
  MakeSets({});
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
  MakeSets({{.binding = 0, .type = kCombined},
            {.binding = 1, .type = kCombined, .immutable_samplers = &sampler},
            {.binding = 2, .type = VK_DESCRIPTOR_TYPE_SAMPLER, .immutable_samplers = &sampler}});
  const VkImageView view = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
  const std::vector<VkDescriptorImageInfo> images(2, {sampler, view, VK_IMAGE_LAYOUT_GENERAL});
  VkWriteDescriptorSet write = Of(kCombined, 0, images.data());
  ExpectSilence(write);
  write.descriptorCount = 2;
  ExpectWrong("descriptorCount-00318", write);
  write = Of(VK_DESCRIPTOR_TYPE_SAMPLER, 2, images.data());
  Run(write);
  ExpectMessage("VUID-VkWriteDescriptorSet-descriptorType-02752");
  // So that a shader uses the immutable one.
  Push(write);
  PushNew(write);
  ExpectNothing();
}

TEST_F(DescriptorWrites, NegativeBuffers) {
  MakeSets({{.binding = 0}, {.binding = 1, .type = kUniform}});
  const test::Buffer both = MakeBuffer(4096);
  const test::Buffer storage = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const test::Buffer uniform = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const test::Buffer large = MakeBuffer(VkDeviceSize{kMostStorageBytes} + 16);
  const VkBuffer unbound = MakeUnboundBuffer({.size = 64, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT});
  const auto expect = [&](const std::string& id, VkDescriptorType type, const VkDescriptorBufferInfo& info) {
    buffers_ = {info};
    ExpectOf(id, Buffers(type, type == kStorage ? 0 : 1));
  };
  expect("", kStorage, {storage, 1024, 3072});
  expect("", kUniform, {uniform, 1024, VK_WHOLE_SIZE});
  expect("WriteDescriptorSet-descriptorType-00330", kUniform, {storage, 0, VK_WHOLE_SIZE});
  expect("WriteDescriptorSet-descriptorType-00331", kStorage, {uniform, 0, VK_WHOLE_SIZE});
  expect("WriteDescriptorSet-descriptorType-00327", kUniform, {both, 1, 16});
  expect("WriteDescriptorSet-descriptorType-00328", kStorage, {both, 1, 16});
  expect("DescriptorBufferInfo-offset-00340", kStorage, {both, 4096, VK_WHOLE_SIZE});
  expect("DescriptorBufferInfo-range-00342", kStorage, {both, 1024, 3073});
  expect("DescriptorBufferInfo-range-00341", kStorage, {both, 1024, 0});
  expect("DescriptorBufferInfo-buffer-02998", kStorage, {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE});
  expect("WriteDescriptorSet-descriptorType-00329", kStorage, {unbound, 0, VK_WHOLE_SIZE});
  expect("", kUniform, {large, 0, kMostUniformBytes});
  expect("WriteDescriptorSet-descriptorType-00332", kUniform, {large, 0, kMostUniformBytes + 1});
  expect("WriteDescriptorSet-descriptorType-00332", kUniform, {large, 0, VK_WHOLE_SIZE});
  expect("WriteDescriptorSet-descriptorType-00333", kStorage, {large, 0, VK_WHOLE_SIZE});
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
    MakeSets({{.type = one.type, .stages = VK_SHADER_STAGE_FRAGMENT_BIT}});
    image_ = {VK_NULL_HANDLE, view(one.usage), VK_IMAGE_LAYOUT_GENERAL};
    ExpectSilence(Of(one.type, 0, &image_));
    image_.imageView = view(0);
    ExpectWrong(one.rule, Of(one.type, 0, &image_));
    image_.imageView = VK_NULL_HANDLE;
    ExpectWrong(is_attachment ? "descriptorType-07683" : "descriptorType-02997", Of(one.type, 0, &image_));
  }
}

TEST_F(DescriptorWrites, NegativeBufferViews) {
  const auto view_of = [&](VkBufferUsageFlags usage) {
    return MakeFrom({.buffer = MakeBuffer(64, usage), .format = VK_FORMAT_R8G8B8A8_UNORM, .range = VK_WHOLE_SIZE},
                    vk.CreateBufferView, vk.DestroyBufferView);
  };
  const VkBufferView uniform = view_of(VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  const VkBufferView storage = view_of(VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT), none = VK_NULL_HANDLE;
  MakeSets({{.binding = 0, .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
            {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER}});
  ExpectSilence(Texels(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, uniform));
  ExpectWrong("descriptorType-02995", Texels(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, none));
  ExpectWrong("descriptorType-08765", Texels(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, storage));
  ExpectWrong("descriptorType-08766", Texels(VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, uniform, 1));
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
