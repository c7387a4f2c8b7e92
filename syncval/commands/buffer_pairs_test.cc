// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Every way to access a buffer after every other.

#include "syncval/fixture/sync_test.h"
#include "syncval/shaders/storage_texel_buffer_read.h"
#include "syncval/shaders/storage_texel_buffer_write.h"
#include "syncval/shaders/uniform_buffer.h"
#include "syncval/shaders/uniform_texel_buffer.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

constexpr VkDeviceSize kSize = 256;

class SyncBufferPairs : public SyncTest {
 protected:
  // Accesses to the bytes [offset, offset + kSize).
  std::vector<TargetAccess> Transfers(VkBuffer target, VkDeviceSize offset);
  std::vector<TargetAccess> Transfers2(VkBuffer target, VkDeviceSize offset);
  std::vector<TargetAccess> Dispatches(VkBuffer target, VkDeviceSize offset);

  VkBufferView MakeBufferView(VkBuffer buffer, VkDeviceSize offset) {
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = buffer,
                                   .format = VK_FORMAT_R32_UINT,
                                   .offset = offset,
                                   .range = kSize};
    VkBufferView view = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateBufferView(device, &info, nullptr, &view), VK_SUCCESS);
    Defer(view, [=, this] { vk.DestroyBufferView(device, view, nullptr); });
    return view;
  }
  TargetAccess TexelAccess(std::string name, bool reads, std::span<const uint32_t> shader, VkDescriptorType type,
                           VkBuffer target, VkDeviceSize offset);
  TargetAccess StorageAccess(std::string name, std::vector<uint32_t> reads, std::vector<uint32_t> writes,
                             VkBuffer target, VkDeviceSize offset);
};

// Each command has fresh resources on its other side, so two commands share only the target.
std::vector<TargetAccess> SyncBufferPairs::Transfers(VkBuffer target, VkDeviceSize offset) {
  VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 32);
  return {
      {"CopyBuffer from", true, false,
       [=, this](VkCommandBuffer c) { Copy(c, target, MakeBuffer(kSize), {offset, 0, kSize}); }},
      {"CopyBuffer to", false, true,
       [=, this](VkCommandBuffer c) { Copy(c, MakeBuffer(kSize), target, {0, offset, kSize}); }},
      {"FillBuffer", false, true, [=, this](VkCommandBuffer c) { Fill(c, target, offset, kSize); }},
      {"UpdateBuffer", false, true,
       [=, this](VkCommandBuffer c) {
         const std::vector<uint8_t> data(kSize);
         vk.CmdUpdateBuffer(c, target, offset, kSize, data.data());
       }},
      {"CopyBufferToImage", true, false,
       [=, this](VkCommandBuffer c) {
         Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
         VkBufferImageCopy region = {
             .bufferOffset = offset, .imageSubresource = image.Layers(), .imageExtent = {8, 8, 1}};
         vk.CmdCopyBufferToImage(c, target, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
       }},
      {"CopyImageToBuffer", false, true,
       [=, this](VkCommandBuffer c) {
         Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
         VkBufferImageCopy region = {
             .bufferOffset = offset, .imageSubresource = image.Layers(), .imageExtent = {8, 8, 1}};
         vk.CmdCopyImageToBuffer(c, image, VK_IMAGE_LAYOUT_GENERAL, target, 1, &region);
       }},
      {"CopyQueryPoolResults", false, true,
       [=, this](VkCommandBuffer c) {
         vk.CmdCopyQueryPoolResults(c, queries, 0, 32, target, offset, 8, VK_QUERY_RESULT_64_BIT);
       }},
  };
}

std::vector<TargetAccess> SyncBufferPairs::Transfers2(VkBuffer target, VkDeviceSize offset) {
  const auto copy = [this](VkCommandBuffer c, VkBuffer source, VkBuffer destination, VkDeviceSize from,
                           VkDeviceSize to) {
    VkBufferCopy2 region = {VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, from, to, kSize};
    VkCopyBufferInfo2 info = {VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, source, destination, 1, &region};
    vk.CmdCopyBuffer2(c, &info);
  };
  return {
      {"CopyBuffer2 from", true, false,
       [=, this](VkCommandBuffer c) { copy(c, target, MakeBuffer(kSize), offset, 0); }},
      {"CopyBuffer2 to", false, true, [=, this](VkCommandBuffer c) { copy(c, MakeBuffer(kSize), target, 0, offset); }},
      {"CopyBufferToImage2", true, false,
       [=, this](VkCommandBuffer c) {
         Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
         VkBufferImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                      .bufferOffset = offset,
                                      .imageSubresource = image.Layers(),
                                      .imageExtent = {8, 8, 1}};
         VkCopyBufferToImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                          .srcBuffer = target,
                                          .dstImage = image,
                                          .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &region};
         vk.CmdCopyBufferToImage2(c, &info);
       }},
      {"CopyImageToBuffer2", false, true,
       [=, this](VkCommandBuffer c) {
         Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
         VkBufferImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                      .bufferOffset = offset,
                                      .imageSubresource = image.Layers(),
                                      .imageExtent = {8, 8, 1}};
         VkCopyImageToBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                          .srcImage = image,
                                          .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .dstBuffer = target,
                                          .regionCount = 1,
                                          .pRegions = &region};
         vk.CmdCopyImageToBuffer2(c, &info);
       }},
  };
}

TargetAccess SyncBufferPairs::TexelAccess(std::string name, bool reads, std::span<const uint32_t> shader,
                                          VkDescriptorType type, VkBuffer target, VkDeviceSize offset) {
  const VkBufferView view = MakeBufferView(target, offset);
  const std::vector<uint32_t> words(shader.begin(), shader.end());
  return {name, reads, !reads, [=, this](VkCommandBuffer c) {
            Compute compute = MakeCompute(words, {{0, type}, {1}});
            VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = compute.set,
                                          .descriptorCount = 1,
                                          .descriptorType = type,
                                          .pTexelBufferView = &view};
            vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
            WriteStorage(compute, 1, MakeBuffer(kSize));
            Dispatch(c, compute);
          }};
}

TargetAccess SyncBufferPairs::StorageAccess(std::string name, std::vector<uint32_t> reads, std::vector<uint32_t> writes,
                                            VkBuffer target, VkDeviceSize offset) {
  const Compute compute = MakeStorageCompute(reads, writes);
  return {name, !reads.empty(), !writes.empty(), [=, this](VkCommandBuffer c) {
            WriteStorage(compute, 0, target, offset, kSize);
            Dispatch(c, compute);
          }};
}

std::vector<TargetAccess> SyncBufferPairs::Dispatches(VkBuffer target, VkDeviceSize offset) {
  return {
      StorageAccess("storage buffer, read", {0}, {}, target, offset),
      StorageAccess("storage buffer, written", {}, {0}, target, offset),
      StorageAccess("storage buffer, both", {0}, {0}, target, offset),
      TexelAccess("uniform texel buffer", true, k_uniform_texel_buffer, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, target,
                  offset),
      TexelAccess("storage texel buffer, read", true, k_storage_texel_buffer_read,
                  VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, target, offset),
      TexelAccess("storage texel buffer, written", false, k_storage_texel_buffer_write,
                  VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, target, offset),
      {"uniform buffer", true, false,
       [=, this](VkCommandBuffer c) {
         Compute compute = MakeCompute(k_uniform_buffer, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, {1}});
         WriteBuffer(compute.set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, target, offset, kSize);
         WriteStorage(compute, 1, MakeBuffer(kSize));
         Dispatch(c, compute);
       }},
      {"DispatchIndirect", true, false,
       [=, this](VkCommandBuffer c) {
         Compute compute = MakeStorageCompute({}, {0});
         WriteStorage(compute, 0, MakeBuffer(kSize));
         vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
         vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1, &compute.set, 0, nullptr);
         vk.CmdDispatchIndirect(c, target, offset);
       }},
  };
}

class NegativeSyncBufferPairs : public SyncBufferPairs {};
class PositiveSyncBufferPairs : public SyncBufferPairs {};

TEST_F(NegativeSyncBufferPairs, Transfers) {
  Buffer target = MakeBuffer(1024);
  CheckAllPairs(Transfers(target, 256));
}
TEST_F(NegativeSyncBufferPairs, Sync2Transfers) {
  Buffer target = MakeBuffer(1024);
  CheckAllPairs(Transfers2(target, 256));
}
TEST_F(NegativeSyncBufferPairs, Dispatches) {
  Buffer target = MakeBuffer(1024);
  CheckAllPairs(Dispatches(target, 256));
}
TEST_F(NegativeSyncBufferPairs, TransfersAndDispatches) {
  Buffer target = MakeBuffer(1024);
  std::vector<TargetAccess> accesses = {Transfers(target, 256)[0], Transfers(target, 256)[1],
                                        Transfers(target, 256)[2]};
  for (const TargetAccess& access : Dispatches(target, 256)) accesses.push_back(access);
  CheckAllPairs(accesses);
}

TEST_F(PositiveSyncBufferPairs, NeighbouringBytes) {
  Buffer target = MakeBuffer(1024);
  std::vector<TargetAccess> first = Transfers(target, 0), second = Transfers2(target, kSize);
  for (const TargetAccess& access : Dispatches(target, 0)) first.push_back(access);
  for (const TargetAccess& access : Dispatches(target, kSize)) second.push_back(access);
  CheckIndependent(first, second);
  CheckIndependent(second, first);
}

}  // namespace
}  // namespace assay::syncval
