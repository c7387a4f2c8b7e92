// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/dispatchable_table.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

// Addresses as malloc() gives them to drivers.
const void* Address(uint64_t i) { return reinterpret_cast<const void*>(0x7f0000000000 + i * 64); }

// The table does not look into slots.
Slot* SlotAt(uint64_t i) { return reinterpret_cast<Slot*>(0x1000 + i * 128); }

TEST(DispatchableTableTest, FindsAddedHandles) {
  DispatchableTable table;
  table.Add(Address(1), SlotAt(1));
  EXPECT_EQ(table.Find(Address(1)), SlotAt(1));
  EXPECT_EQ(table.Find(Address(2)), nullptr);
  table.Add(Address(1), SlotAt(2));
  EXPECT_EQ(table.Find(Address(1)), SlotAt(2));
  table.Remove(Address(1), SlotAt(2));
  EXPECT_EQ(table.Find(Address(1)), nullptr);
}

TEST(DispatchableTableTest, DoesNotFindNullOrUnknownHandles) {
  DispatchableTable table;
  for (uint64_t i = 0; i < 400; ++i) table.Add(Address(i), SlotAt(i));
  for (uint64_t i = 0; i < 400; i += 2) table.Remove(Address(i), SlotAt(i));
  EXPECT_EQ(table.Find(nullptr), nullptr);
  for (uintptr_t nonsense = 1; nonsense < 64; ++nonsense) {
    EXPECT_EQ(table.Find(reinterpret_cast<const void*>(nonsense)), nullptr) << nonsense;
  }
  EXPECT_EQ(table.Find(reinterpret_cast<const void*>(~uintptr_t{0})), nullptr);
}

// The driver destroys an object and gives its address to another thread's object, before the first thread removes the
// handle.
TEST(DispatchableTableTest, KeepsTheSuccessorAtAnAddress) {
  DispatchableTable table;
  table.Add(Address(1), SlotAt(1));
  table.Add(Address(1), SlotAt(2));
  table.Remove(Address(1), SlotAt(1));
  EXPECT_EQ(table.Find(Address(1)), SlotAt(2));
}

TEST(DispatchableTableTest, IgnoresTheRemovalOfUnknownHandles) {
  DispatchableTable table;
  table.Add(Address(1), SlotAt(1));
  table.Remove(Address(2), SlotAt(2));
  table.Remove(Address(1), SlotAt(2));
  EXPECT_EQ(table.Find(Address(1)), SlotAt(1));
}

TEST(DispatchableTableTest, Grows) {
  DispatchableTable table;
  for (uint64_t i = 0; i < 50'000; ++i) table.Add(Address(i), SlotAt(i));
  for (uint64_t i = 0; i < 50'000; ++i) ASSERT_EQ(table.Find(Address(i)), SlotAt(i));
  EXPECT_GE(table.bucket_count(), 100'000u);
}

TEST(DispatchableTableTest, DoesNotGrowWithTheNumberOfRemovedObjects) {
  DispatchableTable table;
  std::mt19937_64 random(1);
  std::deque<uint64_t> alive;
  for (uint64_t i = 0; i < 300; ++i) {
    alive.push_back(random() % (1u << 30));
    table.Add(Address(alive.back()), SlotAt(i));
  }
  for (uint64_t i = 0; i < 1'000'000; ++i) {
    table.Remove(Address(alive.front()), table.Find(Address(alive.front())));
    alive.pop_front();
    alive.push_back(random() % (1u << 30));
    table.Add(Address(alive.back()), SlotAt(i));
  }
  EXPECT_LE(table.bucket_count(), 4096u);
  for (uint64_t address : alive) ASSERT_NE(table.Find(Address(address)), nullptr);
}

// Also the test to run with --config=tsan.
TEST(DispatchableTableTest, IsReadWhileOthersAddAndRemove) {
  DispatchableTable table;
  for (uint64_t i = 0; i < 100; ++i) table.Add(Address(i), SlotAt(i));
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      while (!done.load(std::memory_order_relaxed)) {
        for (uint64_t i = 0; i < 100; ++i) ASSERT_EQ(table.Find(Address(i)), SlotAt(i));
        ASSERT_EQ(table.Find(Address(1 << 20)), nullptr);
      }
    });
  }
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<uint64_t> added;
    for (int i = 0; i < 1000; ++i) {
      added.push_back(200 + random() % 100'000);
      table.Add(Address(added.back()), SlotAt(added.back()));
    }
    for (uint64_t i : added) table.Remove(Address(i), SlotAt(i));
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace assay::dispatch
