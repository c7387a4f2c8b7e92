// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors that are updated until the command buffer is submitted, and that the shader need not access: those of
// arrays whose index it computes, and partially bound ones.

#include <thread>
#include <vector>

#include "syncval/queues/late_access_test.h"
#include "syncval/shaders/descriptor_array.h"

namespace assay::syncval {
namespace {

class SyncLateArray : public SyncLateAccess {
 protected:
  static constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

  void SetUp() override {
    SyncLateAccess::SetUp();
    large_ = MakeBuffer(1024);
  }
  // A shader that writes one of two buffers, by an index from a push constant.
  Compute MakeArray(VkDescriptorBindingFlags more = 0) {
    return MakeLateCompute(MakeLateLayout(1, 2, kLate | more), MakeShader(k_descriptor_array));
  }
  VkCommandBuffer FillAndDispatch(const Compute& compute) {
    return Record([&](VkCommandBuffer c) {
      Fill(c, large_);
      Dispatch(c, compute);
    });
  }

  test::Buffer large_;
};
class NegativeSyncLateArray : public SyncLateArray {};
class PositiveSyncLateArray : public SyncLateArray {};

TEST_F(NegativeSyncLateArray, EveryElementConflicts) {
  const Compute compute = MakeArray();
  VkCommandBuffer c = FillAndDispatch(compute);
  WriteBuffer(compute.set, 0, kType, large_, 0, 256, 0);
  WriteBuffer(compute.set, 0, kType, large_, 256, 256, 1);
  Submit(Queue(), {c});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncLateArray, OneElementDoesNot) {
  const Compute compute = MakeArray();
  VkCommandBuffer c = FillAndDispatch(compute);
  WriteBuffer(compute.set, 0, kType, large_, 0, 256, 0);
  WriteBuffer(compute.set, 0, kType, other_, 0, VK_WHOLE_SIZE, 1);
  Submit(Queue(), {c});
}
// Which element was written is unknown, so that later commands are not compared with any.
TEST_F(PositiveSyncLateArray, BeforeAnotherCommand) {
  const Compute compute = MakeArray();
  VkCommandBuffer c = Record([&](VkCommandBuffer commands) {
    Dispatch(commands, compute);
    Fill(commands, large_);
  });
  WriteBuffer(compute.set, 0, kType, large_, 0, 256, 0);
  WriteBuffer(compute.set, 0, kType, large_, 256, 256, 1);
  Submit(Queue(), {c});
}
TEST_F(PositiveSyncLateArray, UnwrittenElement) {
  const Compute compute = MakeArray();
  VkCommandBuffer c = FillAndDispatch(compute);
  WriteBuffer(compute.set, 0, kType, large_, 0, 256, 0);
  Submit(Queue(), {c});
}
TEST_F(PositiveSyncLateArray, DestroyedElement) {
  const Compute compute = MakeArray();
  const test::Buffer destroyed = MakeBuffer(64);
  VkCommandBuffer c = FillAndDispatch(compute);
  WriteBuffer(compute.set, 0, kType, large_, 0, 256, 0);
  WriteBuffer(compute.set, 0, kType, destroyed, 0, VK_WHOLE_SIZE, 1);
  DestroyNow(destroyed);
  Submit(Queue(), {c});
}
TEST_F(PositiveSyncLateArray, PartiallyBound) {
  const Compute writer = MakeWriter(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
  VkCommandBuffer c = FillAndDispatch(writer);
  WriteStorage(writer, 0, large_);
  Submit(Queue(), {c});
}

// Accesses that may not happen count.
class SyncLateArrayHeuristic : public SyncLateArray {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncLateArray::Options();
    options.settings.emplace_back("syncval_shader_accesses_heuristic", true);
    return options;
  }
};
TEST_F(SyncLateArrayHeuristic, PartiallyBound) {
  const Compute writer = MakeWriter(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
  VkCommandBuffer c = FillAndDispatch(writer);
  WriteStorage(writer, 0, large_);
  Submit(Queue(), {c});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(SyncLateArrayHeuristic, AnyElementConflicts) {
  const Compute compute = MakeArray(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
  VkCommandBuffer c = FillAndDispatch(compute);
  WriteBuffer(compute.set, 0, kType, large_, 256, 256, 1);
  Submit(Queue(), {c});
  ExpectMessage(kWriteAfterWrite);
}
// Another thread updates a descriptor that the shader does not access, and destroys what it referred to.
TEST_F(SyncLateArrayHeuristic, UpdatedMeanwhile) {
  const Compute compute =
      MakeArray(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT);
  WriteBuffer(compute.set, 0, kType, buffer_, 0, VK_WHOLE_SIZE, 0);
  VkCommandBuffer c = Record([&](VkCommandBuffer commands) {
    Barrier(commands, kWriteToWrite);
    Dispatch(commands, compute);
  });
  VkQueue queue = Queue();
  std::vector<test::Buffer> unused(64);
  for (test::Buffer& buffer : unused) buffer = MakeBuffer(64);
  std::thread updater([&] {
    for (const test::Buffer& buffer : unused) {
      WriteBuffer(compute.set, 0, kType, buffer, 0, VK_WHOLE_SIZE, 1);
      DestroyNow(buffer);
    }
  });
  const VkCommandBufferSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = c};
  const VkSubmitInfo2 submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &info};
  for (int i = 0; i < 64; ++i) EXPECT_EQ(vk.QueueSubmit2(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  updater.join();
}

}  // namespace
}  // namespace assay::syncval
