// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_TEST_CALLS_H_
#define ASSAY_CORE_TEST_CASES_TEST_CALLS_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/masks/masks.h"
#include "core/test_cases/sync_device.h"

// Test-only: valid calls, and members of them that tests set to make them wrong.
namespace assay::core {

struct CallMembers {
  // A bit for each kind of barrier.
  enum Kind : int { kMemory = 1, kBuffer = 2, kImage = 4 };
  int kinds = kImage;
  SyncScope src = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT};
  SyncScope dst = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT};
  // The mask of commands with one mask, and of semaphore waits.
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  bool stages_are_signaled = false;
  VkDependencyFlags flags = 0;
  VkBufferCreateInfo buffer_info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, 1024,
                                    VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkImageCreateInfo image_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .extent = {64, 64, 1},
                                  .mipLevels = 4,
                                  .arrayLayers = 6,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = ~VkImageUsageFlags{0}};
  bool is_bound = true;
  // Of barriers: those of the source, and those of the destination.
  std::pair<uint32_t, uint32_t> families = {VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED};
  std::pair<VkImageLayout, VkImageLayout> layouts = {VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL};
  // The offset and the size.
  std::pair<VkDeviceSize, VkDeviceSize> bytes = {0, VK_WHOLE_SIZE};
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

  uint32_t family = SyncDevice::kEverything;
  RecordingPlace place = RecordingPlace::kOutside;

  // Submissions. Without queue_family, the queue is of the command buffer's family.
  uint32_t queue_family = ~uint32_t{0};
  VkDeviceQueueCreateFlags queue_flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
  VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  VkCommandPoolCreateFlags pool_flags = 0;
  bool is_executable = true;
  bool is_protected = false;
  bool has_timeline_info = true;
  uint32_t wait_value_count = 1;
  uint32_t signal_value_count = 1;
  // Values of a semaphore whose initial value is 5.
  VkSemaphoreType semaphore_type = VK_SEMAPHORE_TYPE_TIMELINE;
  uint64_t wait_value = 6;
  uint64_t signal_value = 7;
  VkEventCreateFlags event_flags = 0;

  uint32_t src_subpass = 0;
  uint32_t dst_subpass = 1;
  uint32_t view_mask = 0;
  int32_t view_offset = 0;
};

class TestCalls : private CallMembers {
 public:
  TestCalls(SyncDevice& device, const CallMembers& members) : CallMembers(members), device_(device) {}

  // The call that has the structure, or is the command.
  void Run(std::string_view owner);

 private:
  VkCommandBuffer Recording();
  // A memory barrier of any kind. Those of sync1 have no stages.
  template <class B>
  B Barrier();
  void RunSync1(std::string_view owner);
  void RunSync2(std::string_view owner);
  void RunStage(std::string_view owner);
  void RunSubmit(std::string_view owner);
  void RunHost(std::string_view owner);
  void RunRenderPass(std::string_view owner);

  SyncDevice& device_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_TEST_CALLS_H_
