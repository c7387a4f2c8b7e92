// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines that have their descriptors in descriptor buffers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/descriptor_buffer_test.h"
#include "testing/gpu/shaders/address_comp.h"
#include "testing/gpu/shaders/read_array_comp.h"
#include "testing/gpu/shaders/read_texels_comp.h"
#include "testing/gpu/shaders/write_at_comp.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kAddress[] = "UNASSIGNED-Device address out of bounds";
constexpr char kInvalid[] = "VUID-vkCmdDispatch-None-08116";
constexpr char kIndex[] = "VUID-vkCmdDispatch-None-10068";
constexpr char kTexels[] = "UNASSIGNED-Descriptor Texel Buffer texel out of bounds";

TEST_F(DescriptorBufferGpuavTest, RangeOfABuffer) {
  const VkDescriptorSetLayout set = MakeWriterSet();
  const VkPipelineLayout layout = device_.MakePipelineLayout({set});
  const VkCommandBuffer commands =
      RecordWith(MakePipelineWith(layout, device_.MakeShader(k_write_at_comp)), layout, {MakeWritten(set)});
  SetIndex(15);
  SubmitAndWait(commands);
  EXPECT_EQ(static_cast<const uint32_t*>(Map(data_))[15], 7u);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kStorageBounds).text,
              HasSubstr("byte 67 of descriptor set 0, binding 1, of which the range has 64 bytes."));
}

// Whoever writes the descriptors.
TEST_F(DescriptorBufferGpuavTest, DescriptorsThatACommandCopies) {
  const VkDescriptorSetLayout set = MakeWriterSet();
  const VkPipelineLayout layout = device_.MakePipelineLayout({set});
  const VkPipeline pipeline = MakePipelineWith(layout, device_.MakeShader(k_write_at_comp));
  const Buffer source = MakeWritten(set, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const Buffer target = MakeDescriptors(set, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer command_buffer) {
    const VkBufferCopy region = {.size = source.size};
    device_.vk.CmdCopyBuffer(command_buffer, source, target, 1, &region);
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                      .dstAccessMask = VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT};
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
    device_.vk.CmdPipelineBarrier2(command_buffer, &dependency);
    device_.vk.CmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    BindSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, {target});
    device_.vk.CmdDispatch(command_buffer, 1, 1, 1);
  });
  SetIndex(15);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  log_.Expect(kStorageBounds);
}

class DescriptorArrayGpuavTest : public DescriptorBufferGpuavTest {
 protected:
  // For read_array.comp.
  void MakeArray(VkDescriptorSetLayout array) {
    const VkDescriptorSetLayout output = MakeLayoutWith({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
    const VkPipelineLayout layout = device_.MakePipelineLayout({array, output});
    array_ = array;
    descriptors_ = MakeDescriptors(array);
    const Buffer result = MakeDescriptors(output);
    PutBuffer(result, output, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, device_.MakeBuffer(16, kData));
    PutBuffer(descriptors_, array, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
    // What takes the place of bad ones has to be there.
    PutElement(0, data_);
    commands_ =
        RecordWith(MakePipelineWith(layout, device_.MakeShader(k_read_array_comp)), layout, {descriptors_, result});
  }
  void PutElement(uint32_t index, const Buffer& buffer) {
    PutBuffer(descriptors_, array_, 1, index, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer);
  }
  void RunAt(uint32_t index) {
    SetIndex(index);
    SubmitAndWait(commands_);
  }

  VkDescriptorSetLayout array_ = VK_NULL_HANDLE;
  Buffer descriptors_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(DescriptorArrayGpuavTest, DescriptorsOfAnArray) {
  MakeArray(MakeLayoutWith({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}}));
  RunAt(0);
  log_.ExpectNothing();
  RunAt(2);
  EXPECT_THAT(log_.Expect(kInvalid).text,
              HasSubstr("A shader uses descriptor set 0, binding 1, index 2, of which the bytes in the descriptor "
                        "buffer are none that vkGetDescriptorEXT has returned for this type"));
  const Buffer other = device_.MakeBuffer(16, kData);
  PutElement(2, other);
  RunAt(2);
  log_.ExpectNothing();
  RunAt(4);
  EXPECT_THAT(log_.Expect(kIndex).text,
              HasSubstr("the descriptor with the index 4 of descriptor set 0, binding 1, which has 4."));
  const VkDeviceAddress address = AddressOf(other);
  device_.DestroyNow(other);
  RunAt(2);
  EXPECT_THAT(log_.Expect(kInvalid).text, HasSubstr("an object that was destroyed."));
  RunAt(0);
  log_.ExpectNothing();
  // Another buffer takes its place.
  const VkBuffer again =
      device_.MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = other.size, .usage = kData});
  ASSERT_EQ(device_.vk.BindBufferMemory(device_.device, again, other.memory, 0), VK_SUCCESS);
  if (AddressOf(again) != address) return;
  RunAt(2);
  log_.ExpectNothing();
}

// Of more contents than are kept, unknown ones are not reported.
TEST_F(DescriptorArrayGpuavTest, MoreContentsThanAreKept) {
  MakeArray(MakeLayoutWith({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}}));
  const Buffer other = device_.MakeBuffer(16, kData);
  PutElement(1, other);
  constexpr VkDeviceSize kOffsets = 256;
  constexpr VkDeviceSize kRanges = 1025;
  const Buffer large = device_.MakeBuffer(256 * kOffsets + 16 * kRanges, kData);
  const VkDeviceAddress begin = AddressOf(large);
  std::vector<std::byte> last;
  for (VkDeviceSize i = 0; i < kOffsets * kRanges; ++i) {
    const VkDescriptorAddressInfoEXT address = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                                .address = begin + 256 * (i % kOffsets),
                                                .range = 16 * (i / kOffsets + 1)};
    last = Get(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {.pStorageBuffer = &address});
  }
  Put(descriptors_, array_, 1, 2, last);
  RunAt(2);
  RunAt(1);
  log_.ExpectNothing();
  device_.DestroyNow(other);
  RunAt(1);
  log_.Expect(kInvalid);
}

// It has as many descriptors as the buffer has room for, and no more than the layout says.
TEST_F(DescriptorArrayGpuavTest, VariableCount) {
  constexpr uint32_t kMost = 1000;
  const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, kStages, nullptr},
                                                   {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kMost, kStages, nullptr}};
  const VkDescriptorBindingFlags flags[] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
  const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = 2,
      .pBindingFlags = flags};
  const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .pNext = &flags_info,
                                                .flags = kForBuffers,
                                                .bindingCount = 2,
                                                .pBindings = bindings};
  VkDescriptorSetLayout array = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateDescriptorSetLayout(device_.device, &info, nullptr, &array), VK_SUCCESS);
  device_.Defer(array, [this, array] { device_.vk.DestroyDescriptorSetLayout(device_.device, array, nullptr); });
  MakeArray(array);
  VkDeviceSize offset = 0;
  device_.vk.GetDescriptorSetLayoutBindingOffsetEXT(device_.device, array, 1, &offset);
  const auto room = static_cast<uint32_t>((descriptors_.size - offset) / BytesOf(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
  const uint32_t count = std::min(room, kMost);
  PutElement(count - 1, data_);
  RunAt(count - 1);
  log_.ExpectNothing();
  RunAt(count);
  log_.Expect(kIndex);
}

TEST_F(DescriptorBufferGpuavTest, TexelsAndImages) {
  const VkDescriptorSetLayout set = MakeLayoutWith({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                                                    {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
                                                    {2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                                                    {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
  const VkPipelineLayout layout = device_.MakePipelineLayout({set});
  const Buffer descriptors = MakeDescriptors(set);
  const Image image = device_.MakeImage(VK_FORMAT_R32_UINT, 4, 4, VK_IMAGE_USAGE_STORAGE_BIT);
  const VkImageView view = device_.MakeView(image);
  const VkDescriptorImageInfo image_info = {.imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
  PutBuffer(descriptors, set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
  Put(descriptors, set, 1, 0, GetBuffer(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, data_, VK_FORMAT_R32_UINT));
  Put(descriptors, set, 2, 0, Get(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, {.pStorageImage = &image_info}));
  PutBuffer(descriptors, set, 3, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, device_.MakeBuffer(16, kData));
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .dstAccessMask = VK_ACCESS_SHADER_READ_BIT,
                                          .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = image.Range()};
    device_.vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                  0, nullptr, 0, nullptr, 1, &barrier);
  }));
  const VkCommandBuffer commands =
      RecordWith(MakePipelineWith(layout, device_.MakeShader(k_read_texels_comp)), layout, {descriptors});
  SetIndex(15);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kTexels).text, HasSubstr("texel 16 of descriptor set 0, binding 1, which has 16."));
  SetIndex(0);
  device_.DestroyNow(view);
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kInvalid).text, HasSubstr("descriptor set 0, binding 2, which refers to an object that was"));
  // The same descriptor may be returned again.
  const VkImageView second = device_.MakeView(image);
  const VkDescriptorImageInfo second_info = {.imageView = second, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
  Put(descriptors, set, 2, 0, Get(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, {.pStorageImage = &second_info}));
  SubmitAndWait(commands);
  log_.ExpectNothing();
}

// What needs no descriptors.
TEST_F(DescriptorBufferGpuavTest, DeviceAddresses) {
  const VkDescriptorSetLayout set = MakeLayoutWith({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
  const VkPipelineLayout layout = device_.MakePipelineLayout({set}, 8);
  const VkPipeline pipeline = MakePipelineWith(layout, device_.MakeShader(k_address_comp));
  const Buffer target =
      device_.MakeBuffer(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  const VkDeviceAddress address = AddressOf(target);
  const auto run = [&](VkDeviceAddress where) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      device_.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 8, &where);
      device_.vk.CmdDispatch(commands, 1, 1, 1);
    }));
  };
  run(address + 252);
  EXPECT_EQ(static_cast<const uint32_t*>(Map(target))[63], 7u);
  log_.ExpectNothing();
  run(address + 256);
  log_.Expect(kAddress);
}

}  // namespace
}  // namespace assay::test
