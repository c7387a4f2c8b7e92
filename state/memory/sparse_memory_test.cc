// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory/sparse_memory.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "state/memory/buffer.h"
#include "state/memory/device_memory.h"

namespace assay::state {
namespace {

constexpr VkMemoryAllocateInfo kInfo = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 4096, 0};
constexpr VkBufferCreateInfo kAliased = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_ALIASED_BIT,
    .size = 4096};

class SparseMemoryTest : public testing::Test {
 protected:
  AddressSpace space_;
  Ref<DeviceMemory> memory_ = MakeRef<DeviceMemory>(1, kInfo, 0, space_);
};

TEST_F(SparseMemoryTest, AgreesWithAnArrayOfBytes) {
  constexpr uint64_t kBytes = 64;
  std::mt19937 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  SparseMemory sparse;
  std::vector<uint64_t> model(kBytes, 0);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t begin = below(kBytes), end = begin + 1 + below(kBytes - begin);
    const uint64_t offset = below(128);
    DeviceMemory* const memory = below(4) != 0 ? memory_.get() : nullptr;
    sparse.Bind({begin, end}, memory, offset);
    for (uint64_t at = begin; at < end; ++at) {
      model[at] = memory != nullptr ? memory->address + offset + (at - begin) : 0;
    }
    const uint64_t first = below(kBytes), last = first + 1 + below(kBytes - first);
    ByteRanges expected;
    bool has_all = true;
    for (uint64_t at = first; at < last; ++at) {
      has_all &= model[at] != 0;
      if (model[at] == 0) continue;
      if (!expected.empty() && expected.back().end == model[at]) {
        ++expected.back().end;
      } else {
        expected.push_back({model[at], model[at] + 1});
      }
    }
    ByteRanges found;
    sparse.AppendBytes({first, last}, found);
    ASSERT_EQ(found, expected) << i;
    ASSERT_EQ(sparse.HasAll({first, last}), has_all) << i;
  }
}

TEST_F(SparseMemoryTest, BindingsEndWithTheMemory) {
  SparseMemory sparse;
  sparse.Bind({0, 4096}, memory_.get(), 4000);
  EXPECT_TRUE(sparse.HasAll({0, 96}));
  EXPECT_FALSE(sparse.HasAll({0, 97}));
  sparse.Bind({0, 4096}, memory_.get(), ~uint64_t{0});
  EXPECT_FALSE(sparse.HasAll({0, 1}));
}

TEST_F(SparseMemoryTest, ChangesHaveTimes) {
  SparseMemory a, b;
  a.Bind({0, 16}, memory_.get(), 0);
  const uint64_t time = SparseMemory::Now();
  EXPECT_LE(a.last_change(), time);
  b.Bind({0, 16}, memory_.get(), 0);
  EXPECT_LE(a.last_change(), time);
  EXPECT_GT(b.last_change(), time);
}

// When a piece is unbound, the memory drops it: a buffer that is bound there later shares nothing.
TEST_F(SparseMemoryTest, MarksBuffersThatShareMemory) {
  const VkBufferCreateInfo ordinary = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 256};
  auto sparse = MakeRef<Buffer>(2, kAliased);
  sparse->sparse->Bind({0, 1024}, memory_.get(), 1024);
  sparse->sparse->Bind({256, 512}, nullptr, 0);
  const auto shares = [&](uint64_t offset) {
    auto buffer = MakeRef<Buffer>(3, ordinary);
    buffer->BindTo(*memory_, memory_->address + offset);
    return buffer->shares_memory();
  };
  EXPECT_TRUE(shares(1024));
  EXPECT_FALSE(shares(1280));
  EXPECT_TRUE(shares(1536));
  EXPECT_FALSE(shares(2048));
  sparse = Ref<Buffer>();
  EXPECT_FALSE(shares(1024));
}

}  // namespace
}  // namespace assay::state
