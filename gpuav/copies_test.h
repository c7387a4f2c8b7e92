// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_COPIES_TEST_H_
#define ASSAY_GPUAV_COPIES_TEST_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// What is copied before commands, over the mock driver. That executes nothing, so that the test copies what the driver
// was to copy.
class CopiesTest : public test::ValidationTest {
 protected:
  using CommandId = vk::CommandId;

  static constexpr CommandId kBarrier = CommandId::kCmdPipelineBarrier;
  static constexpr CommandId kCopy = CommandId::kCmdCopyBuffer;
  static constexpr CommandId kToImage = CommandId::kCmdCopyBufferToImage;
  static constexpr CommandId kBuild = CommandId::kCmdBuildAccelerationStructuresIndirectKHR;

  test::DeviceOptions Options() override {
    return {.settings = {{"gpuav_enable", true},
                         {"validate_sync", false},
                         {"validate_core", false},
                         {"stateless_param", false},
                         {"object_lifetime", false}}};
  }

  void SetUp() override {
    driver().SetObserver([this](CommandId id, const void* parameters) { Note(id, parameters); });
    ValidationTest::SetUp();
  }

  // Mapped for good.
  std::byte* BytesOf(const test::Buffer& buffer) {
    void*& mapped = mapped_[buffer];
    if (mapped == nullptr) {
      EXPECT_EQ(vk.MapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
    }
    return static_cast<std::byte*>(mapped);
  }
  template <class T>
  void Write(const test::Buffer& buffer, size_t offset, const std::vector<T>& values) {
    std::memcpy(BytesOf(buffer) + offset, values.data(), values.size() * sizeof(T));
  }

  // Notes what goes down.
  void Watch(const std::function<void()>& record) {
    ids_.clear();
    copies_.clear();
    stages_.clear();
    is_recording_ = true;
    record();
    is_recording_ = false;
  }
  // Records, and executes our copies.
  void Run(const std::function<void(VkCommandBuffer)>& commands, uint32_t family = 0) {
    VkCommandBuffer recorded = VK_NULL_HANDLE;
    Watch([&] { recorded = Record(commands, family); });
    driver().config().hold_work = true;
    EXPECT_EQ(Submit(Queue(family), {recorded}), VK_SUCCESS);
    for (const CopiedPiece& piece : copies_) std::memcpy(At(piece.to), At(piece.from), piece.size);
    EXPECT_EQ(vk.QueueWaitIdle(Queue(family)), VK_SUCCESS);
  }

  struct Place {
    VkBuffer buffer;
    VkDeviceSize offset;
  };
  struct CopiedPiece {
    Place from;
    Place to;
    VkDeviceSize size;
  };
  // The barriers, copies and commands that were recorded.
  std::vector<CommandId> ids_;
  std::vector<CopiedPiece> copies_;
  // Of the barriers.
  std::vector<VkPipelineStageFlags> stages_;

 private:
  static std::byte* At(VkDeviceMemory memory, VkDeviceSize offset) {
    return test::MockDriver::MappedBytes(memory) + offset;
  }
  std::byte* At(const Place& place) {
    return At(memory_.at(place.buffer).first, memory_.at(place.buffer).second + place.offset);
  }

  void Note(CommandId id, const void* parameters) {
    if (id == vk::BindBufferMemory::kId) {
      const auto& call = *static_cast<const vk::BindBufferMemory*>(parameters);
      memory_[call.buffer] = {call.memory, call.memoryOffset};
    }
    if (!is_recording_) return;
    if (id == kBarrier) {
      const auto& call = *static_cast<const vk::CmdPipelineBarrier*>(parameters);
      stages_.insert(stages_.end(), {call.srcStageMask, call.dstStageMask});
    }
    if (id == kCopy) {
      const auto& call = *static_cast<const vk::CmdCopyBuffer*>(parameters);
      for (uint32_t i = 0; i < call.regionCount; ++i) {
        const VkBufferCopy& region = call.pRegions[i];
        copies_.push_back({{call.srcBuffer, region.srcOffset}, {call.dstBuffer, region.dstOffset}, region.size});
      }
    }
    if (id == kBarrier || id == kCopy || id == kToImage || id == kBuild) ids_.push_back(id);
  }

  std::map<VkBuffer, std::pair<VkDeviceMemory, VkDeviceSize>> memory_;
  std::map<VkBuffer, void*> mapped_;
  // Submissions have commands of ours, too.
  bool is_recording_ = false;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_COPIES_TEST_H_
