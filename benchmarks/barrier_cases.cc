// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Barriers.

#include <array>
#include <cstdint>
#include <vector>

#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

// Barriers with something to order: copies were recorded before, and what they wrote is read after.
class AfterCopies : public RecordingCase {
 public:
  explicit AfterCopies(test::TestDevice& device)
      : RecordingCase(device), sources_(device, kBufferSize), destinations_(device, kBufferSize) {}

  void RecordFirst() override {
    for (uint32_t i = 0; i < 4 * kBuffers; ++i) {
      VkBufferCopy region = {i * kCopySize, i * kCopySize, kCopySize};
      vk.CmdCopyBuffer(commands_, sources_[i], destinations_[i], 1, &region);
    }
  }
  void RecordLast() override {
    if (!broken_) Read();
  }
  bool MakeHazard() override {
    Read();
    broken_ = true;
    return true;
  }

 protected:
  // To where nothing has been read or written.
  void Read() {
    VkBufferCopy region = {0, kBufferSize - kCopySize, kCopySize};
    vk.CmdCopyBuffer(commands_, destinations_[0], sources_[0], 1, &region);
  }

  bool broken_ = false;
  BufferRing sources_;
  BufferRing destinations_;
};

class GlobalBarrier : public AfterCopies {
 public:
  using AfterCopies::AfterCopies;

  void Run() override {
    VkMemoryBarrier barrier = CopyToCopyBarrier();
    for (uint32_t i = 0; i < kCommands; ++i) {
      vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                            0, nullptr, 0, nullptr);
    }
  }
  bool MakeInvalidCall() override {
    VkMemoryBarrier barrier = CopyToCopyBarrier();
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
                          nullptr, 0, nullptr);
    return true;
  }
  bool MakeInvalidUse() override {
    VkMemoryBarrier barrier = CopyToCopyBarrier();
    barrier.dstAccessMask = VK_ACCESS_INDEX_READ_BIT;
    vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
                          nullptr, 0, nullptr);
    return true;
  }
};

class BufferBarrier : public AfterCopies {
 public:
  using AfterCopies::AfterCopies;

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) Record(destinations_[i]);
  }
  bool MakeInvalidCall() override {
    Record(VK_NULL_HANDLE);
    return true;
  }
  bool MakeInvalidUse() override {
    Record(destinations_[0], kBufferSize);
    return true;
  }

 private:
  void Record(VkBuffer buffer, VkDeviceSize offset = 0) {
    VkBufferMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = buffer,
        .offset = offset,
        .size = VK_WHOLE_SIZE,
    };
    vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1,
                          &barrier, 0, nullptr);
  }
};

// To transfer destination and back, in turns.
class ImageBarrier : public RecordingCase {
 public:
  explicit ImageBarrier(test::TestDevice& device) : RecordingCase(device) {
    for (VkImage& image : images_) image = device.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 256, 256);
  }

  void RecordFirst() override { Transition(kBuffers, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED); }
  void Run() override { Transition(kCommands, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL); }
  bool MakeHazard() override {
    // The transitions make copies wait for them, but not clears. Transitions themselves wait for one another.
    VkClearColorValue color = {};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vk.CmdClearColorImage(commands_, images_[0], VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    return true;
  }
  bool MakeInvalidCall() override {
    images_[0] = VK_NULL_HANDLE;
    Transition(1, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    return true;
  }
  // From a layout that the image is not in.
  bool MakeInvalidUse() override {
    Transition(1, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    return true;
  }

 private:
  // Each round over the images goes from one layout to the other, and the next round back; from UNDEFINED it is to
  // GENERAL.
  void Transition(uint32_t count, VkImageLayout from, VkImageLayout to) {
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    for (uint32_t i = 0; i < count; ++i) {
      bool back = i / kBuffers % 2 == 1;
      barrier.oldLayout = back ? to : from;
      barrier.newLayout = from == VK_IMAGE_LAYOUT_UNDEFINED ? VK_IMAGE_LAYOUT_GENERAL : back ? from : to;
      barrier.image = images_[i % kBuffers];
      vk.CmdPipelineBarrier2(commands_, &info);
    }
  }

  std::array<VkImage, kBuffers> images_;
};

// Whole buffers copied round and round, a barrier before each copy; the two count as one.
class CopyAndBarrier : public RecordingCase {
 public:
  explicit CopyAndBarrier(test::TestDevice& device) : RecordingCase(device), buffers_(device, kBufferSize) {}

  void Run() override {
    VkMemoryBarrier barrier = CopyToCopyBarrier();
    VkBufferCopy region = {0, 0, kBufferSize};
    for (uint32_t i = 0; i < kCommands; ++i) {
      vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                            0, nullptr, 0, nullptr);
      vk.CmdCopyBuffer(commands_, buffers_[i], buffers_[i + 1], 1, &region);
    }
  }
  bool MakeHazard() override {
    VkBufferCopy region = {0, 0, kBufferSize};
    for (uint32_t i = 0; i < 2; ++i) vk.CmdCopyBuffer(commands_, buffers_[i], buffers_[i + 1], 1, &region);
    return true;
  }
  bool MakeInvalidCall() override {
    VkBufferCopy region = {0, 0, kBufferSize};
    vk.CmdCopyBuffer(commands_, VK_NULL_HANDLE, buffers_[0], 1, &region);
    return true;
  }

 private:
  BufferRing buffers_;
};

}  // namespace

std::vector<CaseInfo> BarrierCases() {
  return {
      {"barrier", kCommands, &Make<GlobalBarrier>},
      {"buffer_barrier", kCommands, &Make<BufferBarrier>},
      {"image_barrier2", kCommands, &Make<ImageBarrier>},
      {"copy_and_barrier", kCommands, &Make<CopyAndBarrier>},
  };
}

}  // namespace assay::benchmarks
