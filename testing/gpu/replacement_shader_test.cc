// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The shader that replaces bad references, alone: what it makes of instances, and of the ranges of indirect builds, for
// which no driver of the tests has a command.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gpuav/builds/layout.h"
#include "gpuav/builds/reference_buckets.h"
#include "gpuav/builds/replace_references_spirv.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr uint32_t kCount = 40;
constexpr size_t kInstanceWords = sizeof(VkAccelerationStructureInstanceKHR) / sizeof(uint32_t);
constexpr size_t kReferenceWord = kInstanceWords - 2;
constexpr uint32_t kBuckets = 8;

class ReplacementShaderTest : public GpuavTest {
 protected:
  void SetUp() override {
    // The shader itself is not instrumented.
    Create({.settings = {{"gpuav_shader_instrumentation", false}}});
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, gpuav::kPushedOffset, 8};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    ASSERT_EQ(device_.vk.CreatePipelineLayout(device_.device, &info, nullptr, &push_layout_), VK_SUCCESS);
    const VkPipelineLayout layout = push_layout_;
    device_.Defer(layout, [this, layout] { device_.vk.DestroyPipelineLayout(device_.device, layout, nullptr); });
    pipeline_ = device_.MakeComputePipeline(layout, device_.MakeShader(kReplaceReferences));
    for (Buffer* buffer : {&source_, &target_}) *buffer = MakeAddressed(kCount * kInstanceWords * sizeof(uint32_t));
    for (Buffer* buffer : {&parameters_, &table_, &range_, &target_range_}) *buffer = MakeAddressed(1024);
    bucket_memory_ = MakeAddressed(kBuckets * gpuav::ReferenceBuckets::kSlots * sizeof(uint64_t));
    buckets_ = gpuav::ReferenceBuckets(
        {static_cast<uint64_t*>(Map(bucket_memory_)), kBuckets * gpuav::ReferenceBuckets::kSlots});
    std::iota(WordsOf(source_), WordsOf(source_) + kCount * kInstanceWords, 1u);
    for (uint32_t i = 0; i < kCount; ++i) SetReference(i, 0);
    // The second array of buckets.
    uint32_t* const table = WordsOf(table_);
    std::fill_n(table, 1024 / sizeof(uint32_t), 0u);
    table[gpuav::kCurrentBucketsWord] = 1;
    constexpr size_t kSecond = (size_t{gpuav::kFirstBucketsQuad} + 1) * 4;
    SetAddress(table + kSecond, AddressOf(bucket_memory_));
    table[kSecond + gpuav::kBucketMaskWord] = kBuckets - 1;
    uint32_t* const words = WordsOf(parameters_);
    std::fill_n(words, gpuav::kParameterQuads * 4, 0u);
    SetAddress(words + gpuav::kSourceWord, AddressOf(source_));
    SetAddress(words + gpuav::kTargetWord, AddressOf(target_));
    SetAddress(words + gpuav::kTableWord, AddressOf(table_));
    words[gpuav::kMostWord] = kCount;
    words[gpuav::kRoomWord] = static_cast<uint32_t>(source_.size);
  }

  Buffer MakeAddressed(VkDeviceSize size) {
    return device_.MakeBuffer(size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  }
  VkDeviceAddress AddressOf(const Buffer& buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return device_.vk.GetBufferDeviceAddress(device_.device, &info);
  }
  uint32_t* WordsOf(const Buffer& buffer) { return static_cast<uint32_t*>(Map(buffer)); }
  static void SetAddress(uint32_t* words, uint64_t address) { std::memcpy(words, &address, sizeof(address)); }
  void SetReference(uint32_t instance, uint64_t reference) {
    SetAddress(WordsOf(source_) + instance * kInstanceWords + kReferenceWord, reference);
  }
  // References of the first instances.
  std::vector<uint64_t> References(uint32_t count) {
    std::vector<uint64_t> references(count);
    for (uint32_t i = 0; i < count; ++i) {
      std::memcpy(&references[i], WordsOf(target_) + i * kInstanceWords + kReferenceWord, sizeof(uint64_t));
    }
    return references;
  }
  void UseRange(const std::array<uint32_t, 4>& words) {
    SetAddress(WordsOf(parameters_) + gpuav::kRangeWord, AddressOf(range_) + 4);
    SetAddress(WordsOf(parameters_) + gpuav::kTargetRangeWord, AddressOf(target_range_));
    std::ranges::copy(words, WordsOf(range_) + 1);
  }
  void Run() {
    std::fill_n(WordsOf(target_), kCount * kInstanceWords, 0xffffffffu);
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      const VkDeviceAddress address = AddressOf(parameters_);
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
      device_.vk.CmdPushConstants(commands, push_layout_, VK_SHADER_STAGE_COMPUTE_BIT, gpuav::kPushedOffset, 8,
                                  &address);
      device_.vk.CmdDispatch(commands, (kCount - 1) / gpuav::kInstancesOfGroup + 1, 1, 1);
    }));
  }

  VkPipelineLayout push_layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  Buffer source_, target_, parameters_, table_, range_, target_range_, bucket_memory_;
  gpuav::ReferenceBuckets buckets_;
};

TEST_F(ReplacementShaderTest, CopiesAllWords) {
  Run();
  const absl::Span<const uint32_t> source = absl::MakeConstSpan(WordsOf(source_), kCount * kInstanceWords);
  EXPECT_EQ(absl::MakeConstSpan(WordsOf(target_), source.size()), source);
}

// As many as there is room for, so that they are in both buckets of theirs.
TEST_F(ReplacementShaderTest, FindsWhatTheHostHasInserted) {
  std::vector<uint64_t> references;
  for (uint64_t address = 0x7f00000100; references.size() < kCount; address += 0x100000f00) {
    if (buckets_.Insert(address)) references.push_back(address);
  }
  references[3] += 0x100;
  references[17] += 0x100000000;
  references[20] = 0xdead0000;
  for (uint32_t i = 0; i < kCount; ++i) SetReference(i, references[i]);
  Run();
  for (const size_t bad : {3, 17, 20}) references[bad] = 0;
  EXPECT_EQ(References(kCount), references);
}

TEST_F(ReplacementShaderTest, ReplacesNothingWhileAnythingMayBeLive) {
  SetReference(5, 0xdead0000);
  WordsOf(table_)[gpuav::kUnknownWord] = 1;
  Run();
  EXPECT_EQ(References(6)[5], 0xdead0000u);
}

TEST_F(ReplacementShaderTest, IndirectRange) {
  buckets_.Insert(0x1000);
  for (const uint32_t i : {2u, 3u, 4u}) SetReference(i, i == 3 ? 0x2000 : 0x1000);
  UseRange({3, 2 * sizeof(VkAccelerationStructureInstanceKHR), 8, 9});
  Run();
  EXPECT_THAT(References(4), ElementsAre(0x1000, 0, 0x1000, ~uint64_t{0}));
  EXPECT_EQ(WordsOf(target_)[0], 2 * kInstanceWords + 1);
  EXPECT_THAT(absl::MakeConstSpan(WordsOf(target_range_), 4), ElementsAre(3, 0, 8, 9));
}

// The build would read behind the copy.
TEST_F(ReplacementShaderTest, RangeOfTooManyInstances) {
  UseRange({kCount + 1, 0, 0, 0});
  Run();
  EXPECT_THAT(absl::MakeConstSpan(WordsOf(target_range_), 4), ElementsAre(kCount, 0, 0, 0));
}

// Instances behind the end of their buffer are inactive.
TEST_F(ReplacementShaderTest, RangeBehindTheEnd) {
  UseRange({2, (kCount - 1) * sizeof(VkAccelerationStructureInstanceKHR), 0, 0});
  Run();
  EXPECT_EQ(WordsOf(target_)[0], (kCount - 1) * kInstanceWords + 1);
  EXPECT_THAT(absl::MakeConstSpan(WordsOf(target_) + kInstanceWords, kInstanceWords), Each(0u));
  UseRange({2, 0xfffffff0, 0, 0});
  Run();
  EXPECT_THAT(absl::MakeConstSpan(WordsOf(target_), 2 * kInstanceWords), Each(0u));
}

}  // namespace
}  // namespace assay::test
