// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_
#define ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_

#include <cstdint>

#include "testing/fixture.h"
#include "vk/vulkan.h"

// Test-only: the fixture of the tests of image layouts.
namespace assay::core {

inline constexpr char kRule[] = "VUID-VkImageMemoryBarrier2-oldLayout-01197";
inline constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED, kGeneral = VK_IMAGE_LAYOUT_GENERAL;
inline constexpr VkImageLayout kSource = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
inline constexpr VkImageLayout kTarget = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
inline constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
inline constexpr VkImageLayout kPresent = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
inline constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

inline VkImageMemoryBarrier2 BarrierOf(VkImage image, VkImageLayout from, VkImageLayout to,
                                       VkImageSubresourceRange range) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
          .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
          .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
          .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
          .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
          .oldLayout = from,
          .newLayout = to,
          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .image = image,
          .subresourceRange = range};
}

class LayoutRulesTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }
  void SetUp() override {
    ValidationTest::SetUp();
    image = MakeColor();
  }

  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  }
  void HostSignal(VkSemaphore timeline, uint64_t value) {
    const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, value};
    vk.SignalSemaphore(device, &info);
  }
  void Barrier(VkCommandBuffer c, const test::Image& of, VkImageLayout from, VkImageLayout to) {
    PipelineBarrier(c, BarrierOf(of, from, to, of.Range()));
  }
  test::Image MakeColor(uint32_t levels = 1, uint32_t layers = 1) {
    return MakeImage(kFormat, 64, 64, 0, levels, layers);
  }
  // With four samples.
  test::Image MakeSamples(VkFormat format, VkImageUsageFlags usage) {
    return MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                      .imageType = VK_IMAGE_TYPE_2D,
                      .format = format,
                      .extent = {64, 64, 1},
                      .mipLevels = 1,
                      .arrayLayers = 1,
                      .samples = VK_SAMPLE_COUNT_4_BIT,
                      .usage = usage});
  }
  VkCommandBuffer Transition(const test::Image& of, VkImageLayout from, VkImageLayout to) {
    return Record([&](VkCommandBuffer c) { Barrier(c, of, from, to); });
  }
  void Run(VkCommandBuffer commands) {
    Submit(Queue(), {commands});
    vk.QueueWaitIdle(Queue());
  }

  // A color image.
  test::Image image;
};
class NegativeLayout : public LayoutRulesTest {};
class PositiveLayout : public LayoutRulesTest {};

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_
