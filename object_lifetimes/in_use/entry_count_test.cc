// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The tables of Submissions do not grow with the number of frames.

#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"
#include "object_lifetimes/in_use/submissions.h"
#include "object_lifetimes/test_cases/test_objects.h"

namespace assay::object_lifetimes {
namespace {

class EntryCount : public ::testing::Test {
 protected:
  template <class H>
  H Get(bool other = false) const {
    return reinterpret_cast<H>(objects_.Handle(vk::kObjectTypeOf<H>, other));
  }
  void MakeTimeline(VkSemaphore semaphore) {
    VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE,
                                      0};
    const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    submissions_.AfterCall(vk::CreateSemaphore{Get<VkDevice>(), &info, nullptr, &semaphore}, VK_SUCCESS);
  }
  void Submit(VkSemaphore semaphore, uint64_t value, VkResult result) {
    const VkSemaphoreSubmitInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
                                          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .signalSemaphoreInfoCount = 1, .pSignalSemaphoreInfos = &signal};
    const vk::QueueSubmit2 call = {Get<VkQueue>(), 1, &info, Get<VkFence>()};
    submissions_.BeforeCall(call);
    submissions_.AfterCall(call, result);
  }
  void WaitAndReset() {
    const auto fence = Get<VkFence>();
    submissions_.AfterCall(vk::GetFenceStatus{Get<VkDevice>(), fence}, VK_SUCCESS);
    submissions_.AfterCall(vk::ResetFences{Get<VkDevice>(), 1, &fence}, VK_SUCCESS);
  }

  TestObjects objects_;
  Submissions submissions_{objects_.device()};
};

// The application waits for fences and never asks for the value of the timeline semaphore.
TEST_F(EntryCount, OfFramesThatSignalATimelineSemaphore) {
  const auto semaphore = Get<VkSemaphore>();
  MakeTimeline(semaphore);
  size_t after_one = 0;
  for (uint64_t frame = 1; frame <= 100; ++frame) {
    Submit(semaphore, frame, VK_SUCCESS);
    WaitAndReset();
    if (frame == 1) after_one = submissions_.EntryCount();
  }
  EXPECT_EQ(submissions_.EntryCount(), after_one);
}

TEST_F(EntryCount, OfSubmissionsThatFail) {
  const auto semaphore = Get<VkSemaphore>();
  MakeTimeline(semaphore);
  Submit(semaphore, 1, VK_SUCCESS);
  WaitAndReset();
  const size_t before = submissions_.EntryCount();
  for (int i = 0; i < 10; ++i) Submit(semaphore, 2, VK_ERROR_OUT_OF_HOST_MEMORY);
  WaitAndReset();
  EXPECT_LE(submissions_.EntryCount(), before);
}

}  // namespace
}  // namespace assay::object_lifetimes
