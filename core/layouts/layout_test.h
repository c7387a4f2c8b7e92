// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_
#define ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_

#include <cstdint>

#include "testing/fixture.h"
#include "vk/vulkan.h"

// Test-only: the fixture of the tests of image layouts.
namespace assay::core {

using test::Of, test::Typed;

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

  void Barrier(VkCommandBuffer c, const test::Image& of, VkImageLayout from, VkImageLayout to) {
    PipelineBarrier(c, BarrierOf(of, from, to, of.Range()));
  }
  test::Image MakeColor(uint32_t levels = 1, uint32_t layers = 1) {
    return MakeImage(kFormat, 64, 64, 0, levels, layers);
  }
  // With four samples.
  test::Image MakeSamples(VkFormat format, VkImageUsageFlags usage) {
    VkImageCreateInfo info = test::ImageInfo(format, 64, usage);
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    return MakeImage(info);
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
