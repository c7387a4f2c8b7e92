// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_
#define ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_

#include <cstdint>
#include <utility>

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
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_MEMORY_WRITE_BIT, kAny = VK_ACCESS_2_MEMORY_READ_BIT | kWrite;
  return Of<VkImageMemoryBarrier2>(kAll, kWrite, kAll, kAny, from, to, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED,
                                   image, range);
}

class LayoutRulesTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }
  void SetUp() override {
    ValidationTest::SetUp();
    image = MakeColor();
    commands = MakeCommandBuffer();
    Begin(commands);
  }
  void TearDown() override {
    if (commands != VK_NULL_HANDLE) End(commands);
    ValidationTest::TearDown();
  }

  void Barrier(VkCommandBuffer c, const test::Image& of, VkImageLayout from, VkImageLayout to) {
    PipelineBarrier(c, BarrierOf(of, from, to, of.Range()));
  }
  void Barrier(const test::Image& of, VkImageLayout from, VkImageLayout to) { Barrier(commands, of, from, to); }
  // Of one aspect of the image.
  void AspectBarrier(VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to) {
    PipelineBarrier(commands, BarrierOf(image, from, to, {aspect, 0, 1, 0, 1}));
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
  void Run(VkCommandBuffer recorded) {
    Submit(Queue(), {recorded});
    vk.QueueWaitIdle(Queue());
  }
  void RunCommands() {
    End(commands);
    Run(std::exchange(commands, VK_NULL_HANDLE));
  }

  // A color image.
  test::Image image;
  // Is being recorded, until RunCommands() or the end of the test.
  VkCommandBuffer commands = VK_NULL_HANDLE;
};
class NegativeLayout : public LayoutRulesTest {};
class PositiveLayout : public LayoutRulesTest {};

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_LAYOUT_TEST_H_
