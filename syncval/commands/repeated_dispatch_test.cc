// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Dispatches that come again in a recording: their accesses are copied from the log (LoggedAccesses). They are those of
// this recording, with these sets, offsets and pipeline.

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "syncval/fixture/sync_test.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr Masks kWriteToWrite = {kCompute, kStorageWrite, kCompute, kStorageWrite};

bool Contains(const test::Message& message, const std::string& part) {
  return message.text.find(part) != std::string::npos;
}

// Two sets for a shader that writes the buffer of binding 0.
class SyncRepeatedDispatch : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    for (Buffer* buffer : {&a_, &b_, &other_}) *buffer = MakeBuffer(64);
    first_ = MakeStorageCompute({}, {0});
    WriteStorage(first_, 0, a_);
    second_ = first_;
    second_.set = MakeSet(first_.set_layout);
    WriteStorage(second_, 0, b_);
  }

  Buffer a_, b_, other_;
  // Of a_ and of b_.
  Compute first_, second_;
};
class NegativeSyncRepeatedDispatch : public SyncRepeatedDispatch {};
class PositiveSyncRepeatedDispatch : public SyncRepeatedDispatch {};

// Each of these is three commands.
TEST_F(NegativeSyncRepeatedDispatch, TwoSetsInTurn) {
  VkCommandBuffer c = Begun();
  Dispatch(c, first_);
  Dispatch(c, second_);
  ExpectNothing();
  Dispatch(c, first_);
  const test::Message of_first = ExpectMessage(kWriteAfterWrite);
  EXPECT_TRUE(Contains(of_first, "vkCmdDispatch(): command 9 writes")) << of_first.text;
  EXPECT_TRUE(Contains(of_first, "through the descriptor at set 0, binding 0")) << of_first.text;
  EXPECT_TRUE(Contains(of_first, "command 3, vkCmdDispatch()")) << of_first.text;
  Dispatch(c, second_);
  const test::Message of_second = ExpectMessage(kWriteAfterWrite);
  EXPECT_TRUE(Contains(of_second, "vkCmdDispatch(): command 12 writes")) << of_second.text;
  EXPECT_TRUE(Contains(of_second, "command 6, vkCmdDispatch()")) << of_second.text;
}
TEST_F(PositiveSyncRepeatedDispatch, TwoSetsInTurn) {
  VkCommandBuffer c = Begun();
  for (int i = 0; i < 8; ++i) {
    Dispatch(c, first_);
    Dispatch(c, second_);
    Barrier(c, kWriteToWrite);
  }
}

// What a skipped command added to the log is gone, whatever comes in its place.
TEST_F(NegativeSyncRepeatedDispatch, AfterASkippedOne) {
  VkCommandBuffer c = Begun();
  Fill(c, a_);
  {
    SkipCalls skip(*this);
    Dispatch(c, first_);
    ExpectMessage(kWriteAfterWrite);
  }
  Fill(c, b_);
  ExpectNothing();
  Dispatch(c, first_);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_TRUE(Contains(message, "through the descriptor at set 0, binding 0")) << message.text;
  EXPECT_TRUE(Contains(message, "command 1, vkCmdFillBuffer()")) << message.text;
}
TEST_F(NegativeSyncRepeatedDispatch, AfterASkippedCopyOfIt) {
  VkCommandBuffer c = Begun();
  Dispatch(c, first_);
  {
    SkipCalls skip(*this);
    Dispatch(c, first_);
    ExpectMessage(kWriteAfterWrite);
  }
  Dispatch(c, second_);
  ExpectNothing();
  Dispatch(c, first_);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_TRUE(Contains(message, "command 3, vkCmdDispatch()")) << message.text;
  Barrier(c, kWriteToWrite);
  Dispatch(c, first_);
  Dispatch(c, second_);
  ExpectNothing();
}

// A set is updated between two recordings.
TEST_F(NegativeSyncRepeatedDispatch, RecordedAgainWithAnotherBuffer) {
  VkCommandBuffer c = MakeCommandBuffer();
  Begin(c);
  Dispatch(c, first_);
  Dispatch(c, second_);
  End(c);
  WriteStorage(first_, 0, other_);
  Begin(c);
  Fill(c, a_);
  Dispatch(c, first_);
  ExpectNothing();
  Fill(c, other_);
  ExpectMessage(kWriteAfterWrite);
  End(c);
  WriteStorage(first_, 0, a_);
  vk.ResetCommandBuffer(c, 0);
  Begin(c);
  Fill(c, a_);
  Dispatch(c, first_);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncRepeatedDispatch, DynamicOffsets) {
  constexpr VkDescriptorType kDynamic = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  Buffer buffer = MakeBuffer(512);
  Compute compute = first_;
  compute.set_layout = MakeSetLayout({{0, kDynamic}});
  compute.layout = MakePipelineLayout({compute.set_layout});
  compute.pipeline = MakeComputePipeline(compute.layout, MakeShader(test::ComputeShader({.reads = {}, .writes = {0}})));
  compute.set = MakeSet(compute.set_layout);
  WriteBuffer(compute.set, 0, kDynamic, buffer, 0, 256);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute, {0});
  Dispatch(c, compute, {256});
  Barrier(c, {kCompute, kStorageWrite, kCompute | kClear, kStorageWrite | kWrite});
  Fill(c, buffer, 256, 256);
  Dispatch(c, compute, {0});
  ExpectNothing();
  Dispatch(c, compute, {256});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_TRUE(Contains(message, "vkCmdFillBuffer()")) << message.text;
}

// Each pipeline has its own accesses to the buffer of the set.
TEST_F(NegativeSyncRepeatedDispatch, TwoPipelinesWithOneSet) {
  Compute reader = first_;
  reader.pipeline = MakeComputePipeline(first_.layout, MakeShader(test::ComputeShader({.reads = {0}, .writes = {}})));
  VkCommandBuffer c = Begun();
  Dispatch(c, first_);
  Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageRead | kStorageWrite});
  Dispatch(c, reader);
  Dispatch(c, reader);
  ExpectNothing();
  Dispatch(c, first_);
  ExpectMessage(kWriteAfterRead);
  Dispatch(c, reader);
  ExpectMessage(kReadAfterWrite);
}

// So many accesses that the log grows while they are copied.
TEST_F(NegativeSyncRepeatedDispatch, ManyAccesses) {
  constexpr uint32_t kBindings = 12;
  std::vector<uint32_t> bindings(kBindings);
  for (uint32_t i = 0; i < kBindings; ++i) bindings[i] = i;
  const Compute compute = MakeStorageCompute({}, bindings);
  for (const uint32_t binding : bindings) WriteStorage(compute, binding, MakeBuffer(64));
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  ExpectNothing();
  Dispatch(c, compute);
  const std::vector<test::Message> found = ExpectMessages(std::vector<std::string>(kBindings, kWriteAfterWrite));
  for (const uint32_t binding : bindings) {
    const std::string place = "through the descriptor at set 0, binding " + std::to_string(binding) + " (";
    EXPECT_EQ(std::ranges::count_if(found, [&](const test::Message& message) { return Contains(message, place); }), 1)
        << place;
  }
  Barrier(c, kWriteToWrite);
  for (int i = 0; i < 20; ++i) {
    Dispatch(c, compute);
    Barrier(c, kWriteToWrite);
  }
  ExpectNothing();
}

TEST_F(PositiveSyncRepeatedDispatch, MemoryDoesNotGrow) {
  VkCommandBuffer c = MakeCommandBuffer();
  const auto record = [&](int rounds) {
    for (int round = 0; round < rounds; ++round) {
      Begin(c);
      for (int i = 0; i < 20; ++i) {
        Dispatch(c, first_);
        Dispatch(c, second_);
        Barrier(c, kWriteToWrite);
      }
      End(c);
    }
  };
  record(100);
  const size_t before = mallinfo2().uordblks;
  record(1000);
  EXPECT_LT(mallinfo2().uordblks, before + 100'000);
}

}  // namespace
}  // namespace assay::syncval
