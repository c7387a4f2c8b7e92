// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What shaders find of descriptors in descriptor buffers, over the mock driver. Shaders do not run here.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gpuav/driver_test.h"
#include "gtest/gtest.h"
#include "spirv_instrument/runtime/descriptor_buffers.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "spirv_instrument/runtime/layout.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

namespace si = spirv_instrument;
using si::DescriptorType;
using ::testing::Each;
using ::testing::ElementsAre;

using Words = std::vector<uint32_t>;
using Quad = std::array<uint32_t, 4>;

constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr VkDescriptorType kImage = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                      VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                      VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr uint32_t kBytes = 16;

class DescriptorBuffersTest : public GpuavDriverTest {
 protected:
  void SetUp() override {
    driver().config().adjust_properties = [](VkBaseOutStructure* structure) {
      if (structure->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT) return;
      auto& properties = *reinterpret_cast<VkPhysicalDeviceDescriptorBufferPropertiesEXT*>(structure);
      properties.combinedImageSamplerDescriptorSingleArray = VK_FALSE;
      properties.samplerDescriptorSize = properties.combinedImageSamplerDescriptorSize = kBytes;
      properties.sampledImageDescriptorSize = properties.storageImageDescriptorSize = kBytes;
      properties.uniformTexelBufferDescriptorSize = properties.robustUniformTexelBufferDescriptorSize = kBytes;
      properties.storageTexelBufferDescriptorSize = properties.robustStorageTexelBufferDescriptorSize = kBytes;
      properties.uniformBufferDescriptorSize = properties.robustUniformBufferDescriptorSize = kBytes;
      properties.storageBufferDescriptorSize = properties.robustStorageBufferDescriptorSize = kBytes;
      properties.inputAttachmentDescriptorSize = properties.accelerationStructureDescriptorSize = kBytes;
    };
    driver().SetObserver([this](vk::CommandId id, const void* parameters) { Watch(id, parameters); });
    Create(Options());
  }
  test::DeviceOptions Options() override {
    addresses_.pNext = &descriptor_buffer_;
    addresses_.bufferDeviceAddress = VK_TRUE;
    descriptor_buffer_.descriptorBuffer = VK_TRUE;
    return {.device_extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME},
            .settings = {{"gpuav_enable", true}, {"validate_sync", false}},
            .core_features = false,
            .features = &addresses_};
  }

  VkDeviceAddress AddressOf(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }

  // ---- The driver returns these words.
  void Get(VkDescriptorType type, const VkDescriptorDataEXT& data, const Words& words) {
    const VkDescriptorGetInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type, .data = data};
    Words received(words.size(), 0xdeadbeef);
    returned_ = words;
    // What the observer writes stays.
    driver().FailNext<vk::GetDescriptorEXT>(VK_SUCCESS);
    vk.GetDescriptorEXT(device, &info, words.size() * sizeof(uint32_t), received.data());
    EXPECT_EQ(received, words);
  }
  void GetBuffer(VkDeviceAddress address, VkDeviceSize range, const Words& words, VkDescriptorType type = kStorage,
                 VkFormat format = VK_FORMAT_UNDEFINED) {
    const VkDescriptorAddressInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT, .address = address, .range = range, .format = format};
    Get(type, {.pStorageBuffer = &info}, words);
  }
  void GetImage(VkImageView view, const Words& words) {
    const VkDescriptorImageInfo info = {.imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    Get(kImage, {.pSampledImage = &info}, words);
  }

  // ---- What shaders find.
  absl::Span<const uint32_t> WordsAt(VkDeviceAddress address) {
    if (probe_.handle == VK_NULL_HANDLE) {
      probe_ = MakeBuffer(64, kUsage);
      probe_index_ = sizes_.size() - 1;
    }
    VkDeviceAddress begin = AddressOf(probe_);
    for (size_t i = probe_index_ + 1; i < sizes_.size(); ++i) begin += BytesBetween(i - 1);
    for (size_t i = sizes_.size(); i-- > 0;) {
      if (address >= begin && address < begin + sizes_[i]) {
        const std::byte* const bytes = driver().MappedBytes(memory_[i]);
        EXPECT_NE(bytes, nullptr);
        return {reinterpret_cast<const uint32_t*>(bytes + (address - begin)), (begin + sizes_[i] - address) / 4};
      }
      if (i > 0) begin -= BytesBetween(i - 1);
    }
    ADD_FAILURE() << "there is no buffer at " << address;
    return {};
  }
  static VkDeviceAddress Join(absl::Span<const uint32_t> words) { return uint64_t{words[1]} << 32 | words[0]; }
  static absl::Span<const uint32_t> QuadOf(absl::Span<const uint32_t> words, size_t quad) {
    return words.subspan(quad * 4, 4);
  }
  // The action block of a dispatch with a set in this buffer.
  absl::Span<const uint32_t> ActionWith(VkDescriptorSetLayout set, const test::Buffer& buffer, VkDeviceSize offset) {
    const VkPipelineLayout layout = MakePipelineLayout({set, set});
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = MakeWriter(),
                                                        .pName = "main"},
                                              .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
    Record([&](VkCommandBuffer commands) {
      const VkDescriptorBufferBindingInfoEXT binding = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                        .address = AddressOf(buffer),
                                                        .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT};
      const uint32_t index = 0;
      vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorBuffersEXT(commands, 1, &binding);
      vk.CmdSetDescriptorBufferOffsetsEXT(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &index, &offset);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
    return WordsAt(pushed_);
  }
  // The table of known descriptors, as any action finds it.
  VkDeviceAddress TableAddress() {
    if (place_ == 0) {
      const VkDescriptorSetLayout set =
          MakeSetLayout({{0, kStorage}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
      const auto action = ActionWith(set, MakeBuffer(4096, kUsage), 0);
      place_ = Join(QuadOf(action, si::kCountsQuad).subspan(si::kKnownDescriptorsWord));
    }
    return Join(WordsAt(place_));
  }
  Quad Find(DescriptorType type, const Words& words) {
    const auto found = si::FindKnownDescriptor(WordsAt(TableAddress()), si::KeyOfDescriptor(type, words));
    return {found[0], found[1], found[2], found[3]};
  }
  Quad FindBuffer(const Words& words) { return Find(DescriptorType::kStorageBuffer, words); }
  Quad FindImage(const Words& words) { return Find(DescriptorType::kSampledImage, words); }
  static Quad BufferOf(uint64_t size) {
    Quad quad = {};
    si::EncodeDescriptor({.type = DescriptorType::kStorageBuffer, .is_written = true, .size = size},
                         absl::MakeSpan(quad));
    return quad;
  }
  static bool IsDestroyed(const Quad& quad) { return (quad[0] & si::kDescriptorIsDestroyed) != 0; }
  static bool IsLive(const Quad& quad) {
    return (quad[0] & (si::kDescriptorIsDestroyed | si::kDescriptorIsWritten)) == si::kDescriptorIsWritten;
  }

  VkPhysicalDeviceBufferDeviceAddressFeatures addresses_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};

 private:
  // The mock driver gives addresses in the order in which buffers are made.
  VkDeviceSize BytesBetween(size_t i) const { return (sizes_[i] + 255) / 256 * 256 + 256; }

  void Watch(vk::CommandId id, const void* parameters) {
    if (id == vk::CommandId::kCreateBuffer) {
      sizes_.push_back(static_cast<const vk::CreateBuffer*>(parameters)->pCreateInfo->size);
    } else if (id == vk::CommandId::kBindBufferMemory) {
      memory_[sizes_.size() - 1] = static_cast<const vk::BindBufferMemory*>(parameters)->memory;
    } else if (id == vk::CommandId::kCmdPushConstants) {
      std::memcpy(&pushed_, static_cast<const vk::CmdPushConstants*>(parameters)->pValues, sizeof(pushed_));
    } else if (id == vk::CommandId::kGetDescriptorEXT) {
      const auto& call = *static_cast<const vk::GetDescriptorEXT*>(parameters);
      std::memcpy(call.pDescriptor, returned_.data(), call.dataSize);
    }
  }

  // Of all buffers in the order in which they were made, and the memory of each.
  std::vector<VkDeviceSize> sizes_;
  std::map<size_t, VkDeviceMemory> memory_;
  test::Buffer probe_;
  size_t probe_index_ = 0;
  VkDeviceAddress pushed_ = 0;
  VkDeviceAddress place_ = 0;
  Words returned_;
};

TEST_F(DescriptorBuffersTest, ActionsLeadToPlacesAndLayouts) {
  const VkDescriptorSetLayout set = MakeSetLayout({{0, kStorage, 3},
                                                   {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                                                   {3, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
                                                   {4, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2}},
                                                  VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  const test::Buffer buffer = MakeBuffer(16384, kUsage);
  const auto action = ActionWith(set, buffer, 512);
  const auto tables = WordsAt(Join(QuadOf(action, si::kTablesAndErrorsQuad)));
  const auto sets = action.subspan(si::kFirstSetQuad * size_t{4}, 2);
  const auto place = QuadOf(tables, sets[0]);
  EXPECT_EQ(Join(place), AddressOf(buffer) + 512);
  EXPECT_EQ(place[si::kPlaceRoomWord], 16384u - 512);
  const auto layout = tables.subspan(size_t{place[si::kPlaceLayoutWord]} * 4, 24);
  // The mock driver has binding i at 64 * i. Images and samplers of combined ones are apart.
  EXPECT_THAT(layout, ElementsAre(5, 0, 0, 0,           //
                                  0, 3, kBytes, 8,      //
                                  0, 0xffffffff, 0, 0,  //
                                  128, 1, kBytes, 7,    //
                                  192, 1, kBytes, 5,    //
                                  0, 2, 0, 0));
  // No offset was set for it.
  EXPECT_EQ(sets[1], 0u);
}

TEST_F(DescriptorBuffersTest, BuffersAreKnownByTheirBytes) {
  const VkDeviceAddress address = AddressOf(MakeBuffer(256, kUsage));
  const Words words = {1, 2, 3, 4};
  EXPECT_THAT(FindBuffer(words), Each(0u));
  GetBuffer(address, 64, words);
  EXPECT_EQ(FindBuffer(words), BufferOf(64));
  EXPECT_THAT(Find(DescriptorType::kUniformBuffer, words), Each(0u));
  EXPECT_THAT(FindBuffer({1, 2, 3, 5}), Each(0u));
  // Of several ranges, the largest counts.
  GetBuffer(address, 128, words);
  GetBuffer(address, 32, words);
  EXPECT_EQ(FindBuffer(words), BufferOf(128));
  GetBuffer(address, 128, words, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_FORMAT_R32G32_UINT);
  EXPECT_EQ(Find(DescriptorType::kUniformTexelBuffer, words)[si::kDescriptorSizeWord], 16u);
}

TEST_F(DescriptorBuffersTest, BufferThatIsDestroyed) {
  const test::Buffer first = MakeBuffer(256, kUsage);
  const VkDeviceAddress address = AddressOf(first);
  GetBuffer(address + 64, 64, {1, 2, 3, 4});
  GetBuffer(address + 128, 64, {5, 6, 7, 8});
  DestroyNow(first);
  EXPECT_TRUE(IsDestroyed(FindBuffer({1, 2, 3, 4})));
  EXPECT_TRUE(IsDestroyed(FindBuffer({5, 6, 7, 8})));
  EXPECT_EQ(FindBuffer({1, 2, 3, 4})[si::kDescriptorSizeWord], 0u);
  // The bytes stand for another buffer now.
  GetBuffer(AddressOf(MakeBuffer(256, kUsage)), 32, {1, 2, 3, 4});
  EXPECT_EQ(FindBuffer({1, 2, 3, 4}), BufferOf(32));
  EXPECT_TRUE(IsDestroyed(FindBuffer({5, 6, 7, 8})));
}

TEST_F(DescriptorBuffersTest, ViewsMayShareTheirBytes) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 64, 32);
  const test::Image other = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  const VkImageView views[] = {MakeView(image), MakeView(image), MakeView(other)};
  for (VkImageView view : {views[0], views[1], views[0]}) GetImage(view, {1, 2, 3, 4});
  GetImage(views[2], {5, 6, 7, 8});
  EXPECT_EQ(FindImage({1, 2, 3, 4})[si::kDescriptorExtentWord], 64u | 32u << 16);
  DestroyNow(views[0]);
  EXPECT_TRUE(IsLive(FindImage({1, 2, 3, 4})));
  DestroyNow(views[1]);
  EXPECT_TRUE(IsDestroyed(FindImage({1, 2, 3, 4})));
  EXPECT_TRUE(IsLive(FindImage({5, 6, 7, 8})));
  const VkImageView again = MakeView(other);
  GetImage(again, {1, 2, 3, 4});
  EXPECT_EQ(FindImage({1, 2, 3, 4})[si::kDescriptorExtentWord], 16u | 16u << 16);
}

TEST_F(DescriptorBuffersTest, NullDescriptors) {
  GetBuffer(0, VK_WHOLE_SIZE, {1, 2, 3, 4});
  const Quad quad = FindBuffer({1, 2, 3, 4});
  EXPECT_TRUE(IsLive(quad));
  EXPECT_NE(quad[0] & si::kDescriptorIsNull, 0u);
  EXPECT_EQ(quad[si::kDescriptorSizeWord], 0xffffffff);
  messages.Take();
  // The bytes of a null descriptor and of another one say nothing.
  GetBuffer(AddressOf(MakeBuffer(64, kUsage)), 64, {1, 2, 3, 4});
  EXPECT_EQ(FindBuffer({1, 2, 3, 4})[0], si::kDescriptorIsWritten | si::kUnknownDescriptorType << 8);
}

TEST_F(DescriptorBuffersTest, TableGrows) {
  const VkDeviceAddress address = AddressOf(MakeBuffer(65536, kUsage));
  GetBuffer(address, 1, {0, 0, 0, 0});
  const VkDeviceAddress first = TableAddress();
  constexpr uint32_t kCount = 2000;
  for (uint32_t i = 1; i < kCount; ++i) GetBuffer(address, i + 1, {0, i, 0, 0});
  EXPECT_NE(TableAddress(), first);
  for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(FindBuffer({0, i, 0, 0}), BufferOf(i + 1)) << i;
  EXPECT_THAT(FindBuffer({0, kCount, 0, 0}), Each(0u));
}

// The table does not grow for ever. What is left out stands for no resource that exists.
TEST_F(DescriptorBuffersTest, DestroyedImagesMakeRoom) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 64, 32);
  GetImage(MakeView(image), {7, 7, 7, 7});
  const test::Buffer buffer = MakeBuffer(64, kUsage);
  GetBuffer(AddressOf(buffer), 64, {7, 7, 7, 7});
  DestroyNow(buffer);
  for (uint32_t i = 0; i < 2000; ++i) {
    const VkImageView view = MakeView(image);
    GetImage(view, {i, 0, 0, 0});
    DestroyNow(view);
    EXPECT_TRUE(IsDestroyed(FindImage({i, 0, 0, 0})));
  }
  EXPECT_THAT(FindImage({0, 0, 0, 0}), Each(0u));
  EXPECT_TRUE(IsLive(FindImage({7, 7, 7, 7})));
  EXPECT_TRUE(IsDestroyed(FindBuffer({7, 7, 7, 7})));
  EXPECT_EQ(WordsAt(TableAddress())[si::kSlotBitsWord], 9u);
}

TEST_F(DescriptorBuffersTest, ImageThatIsDestroyedBeforeItsViews) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 64, 32);
  GetImage(MakeView(image), {1, 2, 3, 4});
  DestroyNow(image);
  // The view is there still.
  messages.Take();
  EXPECT_TRUE(IsDestroyed(FindImage({1, 2, 3, 4})));
}

// Bytes are not known for sure where one was asked for others than a descriptor has.
TEST_F(DescriptorBuffersTest, OtherSizesMakeUnknownOnesGood) {
  const VkDeviceAddress address = AddressOf(MakeBuffer(64, kUsage));
  GetBuffer(address, 64, {1, 2, 3, 4});
  GetBuffer(address, 64, {1, 2, 3, 4, 5, 6});
  ExpectMessage("VUID-vkGetDescriptorEXT-dataSize-08125");
  EXPECT_EQ(FindBuffer({1, 2, 3, 4}), BufferOf(64));
  EXPECT_TRUE(IsLive(FindBuffer({1, 2, 3, 5})));
  EXPECT_EQ(FindBuffer({1, 2, 3, 5})[si::kDescriptorSizeWord], 0xffffffff);
}

class ReplayedDescriptorsTest : public DescriptorBuffersTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DescriptorBuffersTest::Options();
    descriptor_buffer_.descriptorBufferCaptureReplay = VK_TRUE;
    return options;
  }
};

TEST_F(ReplayedDescriptorsTest, UnknownOnesMayBeOfAnotherRun) {
  EXPECT_TRUE(IsLive(FindBuffer({1, 2, 3, 5})));
  const test::Buffer buffer = MakeBuffer(64, kUsage);
  GetBuffer(AddressOf(buffer), 64, {1, 2, 3, 5});
  EXPECT_EQ(FindBuffer({1, 2, 3, 5}), BufferOf(64));
  DestroyNow(buffer);
  EXPECT_TRUE(IsDestroyed(FindBuffer({1, 2, 3, 5})));
}

}  // namespace
}  // namespace assay::gpuav
