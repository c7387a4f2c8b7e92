// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_SKIPPED_SUBMISSION_TEST_H_
#define ASSAY_CORE_RECORDING_SKIPPED_SUBMISSION_TEST_H_

#include <functional>
#include <string_view>

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Test-only: submissions that are recorded and have no effect, since a callback skips them or the driver fails them.
namespace assay::core {

// Base is a fixture, derived from test::ValidationTest. Synchronization validation is on. It reports what it finds
// after the other validators recorded the submission, so a skip undoes what they recorded.
template <class Base>
class SkippedSubmission : public Base {
 protected:
  using Commands = std::function<void(VkCommandBuffer)>;
  using SubmitOptions = test::TestDevice::SubmitOptions;

  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", true}}}; }
  void SetUp() override {
    Base::SetUp();
    for (test::Buffer* buffer : {&a_, &b_, &c_}) *buffer = this->MakeBuffer(64);
    PrepareHazard();
  }

  // Submits a copy. Skip() submits another copy that lacks a barrier after it. Must be called again when a wait for the
  // queue has ordered the two.
  void PrepareHazard() {
    this->Submit(this->Queue(), {this->Record([&](VkCommandBuffer c) { Copy(c, a_, b_); })});
  }
  // Submits commands after a copy that lacks a barrier, which a callback skips.
  void Skip(const Commands& commands, const SubmitOptions& options = {}) {
    const VkCommandBuffer recorded = this->Record([&](VkCommandBuffer c) { Copy(c, b_, c_), commands(c); });
    SubmitSkipped(recorded, "SYNC-HAZARD-READ-AFTER-WRITE", options);
  }
  // Submits what has one mistake. A callback skips the submission.
  void SubmitSkipped(VkCommandBuffer commands, std::string_view id, const SubmitOptions& options = {}) {
    test::ValidationTest::SkipCalls skip(*this);
    EXPECT_EQ(this->Submit(this->Queue(), {commands}, options), VK_ERROR_VALIDATION_FAILED_EXT);
    this->ExpectMessage(id);
  }
  // Submits commands, which the driver fails.
  void Fail(const Commands& commands) {
    const VkCommandBuffer recorded = this->Record(commands);
    this->driver().template FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(this->Submit(this->Queue(), {recorded}), VK_ERROR_OUT_OF_HOST_MEMORY);
  }

 private:
  void Copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to) {
    const VkBufferCopy region = {0, 0, 64};
    this->vk.CmdCopyBuffer(commands, from, to, 1, &region);
  }

  test::Buffer a_, b_, c_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_SKIPPED_SUBMISSION_TEST_H_
