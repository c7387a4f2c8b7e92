// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/handle_table.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;

class HandleTableTest : public ::testing::Test {
 protected:
  // The table only compares these.
  Instance* const instance_ = reinterpret_cast<Instance*>(0x1000);
  Device* const device_ = reinterpret_cast<Device*>(0x2000);

  Slot* Add(VkObjectType type, uint64_t driver_handle, Slot* parent = nullptr,
            HandleKind handle_kind = HandleKind::kWrapped) {
    return table_.Add(type, driver_handle, instance_, device_, handle_kind, parent);
  }
  Slot* AddBuffer(uint64_t driver_handle) { return Add(VK_OBJECT_TYPE_BUFFER, driver_handle); }

  std::vector<uint64_t> ChildrenOf(const Slot* parent) {
    std::vector<uint64_t> children;
    for (uint32_t i = parent->first_child; i != HandleTable::kNone; i = table_.AtIndex(i)->next_sibling) {
      children.push_back(table_.AtIndex(i)->driver_handle);
    }
    std::sort(children.begin(), children.end());
    return children;
  }

  // As many as there is room for. The first gets a name. Returns their number.
  size_t RemoveChildren(Slot* parent) {
    std::array<HandleTable::Child, HandleTable::kMaxTaken> children;
    std::array<std::string, HandleTable::kMaxTaken> names = {"first of many"};
    const size_t count = table_.TakeChildren(*parent, absl::MakeSpan(children));
    table_.Remove(absl::MakeConstSpan(children).first(count), CommandId::kResetDescriptorPool, absl::MakeSpan(names));
    return count;
  }

  HandleTable table_;
};

TEST_F(HandleTableTest, UnwrapsHandles) {
  const Slot* slot = AddBuffer(42);
  EXPECT_NE(slot->application_handle, 42u);
  EXPECT_TRUE(HandleTable::LooksWrapped(slot->application_handle));
  EXPECT_EQ(table_.FindWrapped(slot->application_handle), slot);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_BUFFER, slot->application_handle), slot);
  EXPECT_EQ(table_.ToDriver(slot->application_handle), 42u);
  EXPECT_EQ(slot->type, VK_OBJECT_TYPE_BUFFER);
  EXPECT_EQ(slot->device, device_);
  EXPECT_TRUE(slot->alive);
}

TEST_F(HandleTableTest, DistinguishesEqualDriverHandles) {
  const Slot* first = AddBuffer(42);
  const Slot* second = AddBuffer(42);
  EXPECT_NE(first->application_handle, second->application_handle);
}

TEST_F(HandleTableTest, DoesNotFindObjectsOfAnotherType) {
  const Slot* slot = AddBuffer(42);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_IMAGE, slot->application_handle), nullptr);
}

TEST_F(HandleTableTest, PassesForeignHandlesUnchanged) {
  AddBuffer(42);
  for (uint64_t foreign : {uint64_t{0}, uint64_t{42}, uint64_t{0x7fff12345678}, ~uint64_t{0}}) {
    EXPECT_EQ(table_.FindWrapped(foreign), nullptr) << std::hex << foreign;
    EXPECT_EQ(table_.ToDriver(foreign), foreign);
    DestroyedObject destroyed;
    EXPECT_FALSE(table_.FindDestroyed(foreign, &destroyed));
  }
}

// The driver would take it for an address.
TEST_F(HandleTableTest, PassesNullForAHandleOfNoObject) {
  AddBuffer(42);
  for (uint64_t foreign : {uint64_t{0xA5} << 56, uint64_t{0xA500000100000001} + 5, uint64_t{0xA5ffffffffffffff}}) {
    EXPECT_EQ(table_.FindWrapped(foreign), nullptr) << std::hex << foreign;
    EXPECT_EQ(table_.ToDriver(foreign), 0u);
    DestroyedObject destroyed;
    EXPECT_FALSE(table_.FindDestroyed(foreign, &destroyed));
  }
}

TEST_F(HandleTableTest, RecognisesAStaleHandle) {
  Slot* slot = AddBuffer(42);
  const uint64_t handle = slot->application_handle;
  DestroyedObject destroyed;
  EXPECT_FALSE(table_.FindDestroyed(handle, &destroyed));
  table_.Remove(slot, CommandId::kDestroyBuffer, "staging");
  EXPECT_EQ(table_.FindWrapped(handle), nullptr);
  EXPECT_EQ(table_.ToDriver(handle), 0u);
  EXPECT_TRUE(HandleTable::LooksWrapped(handle));
  ASSERT_TRUE(table_.FindDestroyed(handle, &destroyed));
  EXPECT_EQ(destroyed.type, VK_OBJECT_TYPE_BUFFER);
  EXPECT_EQ(destroyed.name, "staging");
  EXPECT_EQ(destroyed.destroyed_by, CommandId::kDestroyBuffer);
}

TEST_F(HandleTableTest, RecognisesAStaleHandleOfAReusedSlot) {
  Slot* slot = AddBuffer(42);
  const uint64_t stale = slot->application_handle;
  table_.Remove(slot, CommandId::kDestroyBuffer);
  std::set<uint64_t> seen = {stale};
  bool used_again = false;
  for (int i = 0; i < 20000; ++i) {
    Slot* next = AddBuffer(7);
    EXPECT_TRUE(seen.insert(next->application_handle).second);
    EXPECT_EQ(table_.FindWrapped(stale), nullptr);
    DestroyedObject destroyed;
    // Recorded until another object of the slot is destroyed, and never mistaken for that one.
    EXPECT_EQ(table_.FindDestroyed(stale, &destroyed), !used_again);
    if (!used_again) {
      EXPECT_EQ(destroyed.destroyed_by, CommandId::kDestroyBuffer);
    }
    used_again |= next == slot;
    table_.Remove(next, CommandId::kDestroyImage);
  }
  EXPECT_TRUE(used_again);
}

TEST_F(HandleTableTest, DoesNotGrowWithTheNumberOfRemovedObjects) {
  uint32_t highest = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    Slot* slot = AddBuffer(1);
    highest = std::max(highest, slot->index);
    table_.Remove(slot, CommandId::kDestroyBuffer);
  }
  EXPECT_LT(highest, 8192u);
}

TEST_F(HandleTableTest, HoldsMoreObjectsThanAChunk) {
  std::vector<Slot*> slots;
  for (uint64_t i = 1; i <= 20'000; ++i) slots.push_back(AddBuffer(i));
  for (uint64_t i = 1; i <= slots.size(); ++i) ASSERT_EQ(table_.ToDriver(slots[i - 1]->application_handle), i);
  EXPECT_EQ(table_.SlotsOf(instance_, device_).size(), slots.size());
}

TEST_F(HandleTableTest, ListsChildren) {
  Slot* pool = Add(VK_OBJECT_TYPE_DESCRIPTOR_POOL, 1);
  Slot* other_pool = Add(VK_OBJECT_TYPE_DESCRIPTOR_POOL, 2);
  std::vector<Slot*> sets;
  for (uint64_t i = 10; i < 14; ++i) sets.push_back(Add(VK_OBJECT_TYPE_DESCRIPTOR_SET, i, pool));
  Add(VK_OBJECT_TYPE_DESCRIPTOR_SET, 20, other_pool);
  EXPECT_EQ(ChildrenOf(pool), (std::vector<uint64_t>{10, 11, 12, 13}));
  // Removes the child in the middle, at the end, at the beginning, and the last one.
  table_.Remove(sets[1], CommandId::kFreeDescriptorSets);
  EXPECT_EQ(ChildrenOf(pool), (std::vector<uint64_t>{10, 12, 13}));
  table_.Remove(sets[0], CommandId::kFreeDescriptorSets);
  EXPECT_EQ(ChildrenOf(pool), (std::vector<uint64_t>{12, 13}));
  table_.Remove(sets[3], CommandId::kFreeDescriptorSets);
  EXPECT_EQ(ChildrenOf(pool), (std::vector<uint64_t>{12}));
  table_.Remove(sets[2], CommandId::kFreeDescriptorSets);
  EXPECT_EQ(pool->first_child, HandleTable::kNone);
  EXPECT_EQ(ChildrenOf(other_pool), (std::vector<uint64_t>{20}));
}

TEST_F(HandleTableTest, RemovesManyChildrenAtOnce) {
  Slot* const pool = Add(VK_OBJECT_TYPE_DESCRIPTOR_POOL, 1);
  Slot* const other_pool = Add(VK_OBJECT_TYPE_DESCRIPTOR_POOL, 2);
  Add(VK_OBJECT_TYPE_DESCRIPTOR_SET, 3, other_pool);
  std::vector<Slot*> sets;
  std::vector<uint64_t> handles;
  const auto add = [&](uint64_t first, uint64_t count) {
    for (uint64_t i = first; i < first + count; ++i) {
      sets.push_back(Add(VK_OBJECT_TYPE_DESCRIPTOR_SET, i, pool));
      handles.push_back(sets.back()->application_handle);
    }
  };
  add(100, 150);
  // Another thread uses other slots.
  std::thread([&] { add(300, 50); }).join();
  sets[7]->dispatch_data = std::make_unique<SlotData>();
  // Two rounds take as many as there is room for, and the list of the others remains.
  EXPECT_EQ(RemoveChildren(pool), HandleTable::kMaxTaken);
  EXPECT_EQ(ChildrenOf(pool).size(), sets.size() - HandleTable::kMaxTaken);
  table_.Remove(sets[0], CommandId::kFreeDescriptorSets);
  EXPECT_EQ(ChildrenOf(pool).size(), sets.size() - HandleTable::kMaxTaken - 1);
  size_t removed = 0;
  while (const size_t count = RemoveChildren(pool)) removed += count;
  EXPECT_EQ(removed, sets.size() - HandleTable::kMaxTaken - 1);
  EXPECT_EQ(pool->first_child, HandleTable::kNone);
  EXPECT_EQ(ChildrenOf(other_pool), (std::vector<uint64_t>{3}));
  EXPECT_EQ(sets[7]->dispatch_data, nullptr);
  for (size_t i = 0; i < handles.size(); ++i) {
    EXPECT_EQ(table_.FindWrapped(handles[i]), nullptr);
    DestroyedObject destroyed;
    ASSERT_TRUE(table_.FindDestroyed(handles[i], &destroyed));
    EXPECT_EQ(destroyed.type, VK_OBJECT_TYPE_DESCRIPTOR_SET);
    EXPECT_EQ(destroyed.destroyed_by, i == 0 ? CommandId::kFreeDescriptorSets : CommandId::kResetDescriptorPool);
  }
  // The list begins with the child that was added last.
  DestroyedObject destroyed;
  ASSERT_TRUE(table_.FindDestroyed(handles.back(), &destroyed));
  EXPECT_EQ(destroyed.name, "first of many");
}

// An application that frees a set while it resets the pool.
TEST_F(HandleTableTest, RemovesATakenChildOnce) {
  Slot* const pool = Add(VK_OBJECT_TYPE_DESCRIPTOR_POOL, 1);
  Slot* const set = Add(VK_OBJECT_TYPE_DESCRIPTOR_SET, 2, pool);
  const uint64_t handle = set->application_handle;
  HandleTable::Child child;
  ASSERT_EQ(table_.TakeChildren(*pool, {&child, 1}), 1u);
  EXPECT_TRUE(table_.Remove(set, CommandId::kFreeDescriptorSets));
  std::string name;
  table_.Remove({&child, 1}, CommandId::kResetDescriptorPool, {&name, 1});
  DestroyedObject destroyed;
  ASSERT_TRUE(table_.FindDestroyed(handle, &destroyed));
  EXPECT_EQ(destroyed.destroyed_by, CommandId::kFreeDescriptorSets);
}

TEST_F(HandleTableTest, ListsTheSlotsOfAnOwner) {
  const Slot* device = Add(VK_OBJECT_TYPE_DEVICE, 1, nullptr, HandleKind::kDispatchable);
  const Slot* surface = table_.Add(VK_OBJECT_TYPE_SURFACE_KHR, 2, instance_, nullptr, HandleKind::kWrapped);
  Slot* buffer = AddBuffer(3);
  EXPECT_EQ(table_.SlotsOf(instance_, nullptr), (std::vector<Slot*>{const_cast<Slot*>(surface)}));
  EXPECT_EQ(table_.SlotsOf(instance_, device_).size(), 2u);
  EXPECT_EQ(table_.DevicesOf(instance_), (std::vector<Slot*>{const_cast<Slot*>(device)}));
  EXPECT_EQ(table_.FindAnyOfType(VK_OBJECT_TYPE_BUFFER), buffer);
  table_.Remove(buffer, CommandId::kDestroyBuffer);
  EXPECT_EQ(table_.FindAnyOfType(VK_OBJECT_TYPE_BUFFER), nullptr);
  EXPECT_EQ(table_.SlotsOf(instance_, device_).size(), 1u);
}

TEST_F(HandleTableTest, DestroysSlotDataWithTheObject) {
  struct Data : SlotData {
    explicit Data(bool& ended) : ended(ended) {}
    ~Data() override { ended = true; }
    bool& ended;
  };
  bool ended = false;
  Slot* slot = AddBuffer(42);
  slot->dispatch_data = std::make_unique<Data>(ended);
  table_.Remove(slot, CommandId::kDestroyBuffer);
  EXPECT_TRUE(ended);
}

// With the setting unique_handles=false.
TEST_F(HandleTableTest, FindsDriverHandlesThatTheApplicationHolds) {
  Slot* buffer = Add(VK_OBJECT_TYPE_BUFFER, 42, nullptr, HandleKind::kUnwrapped);
  Slot* image = Add(VK_OBJECT_TYPE_IMAGE, 42, nullptr, HandleKind::kUnwrapped);
  EXPECT_EQ(buffer->application_handle, 42u);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_BUFFER, 42), buffer);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_IMAGE, 42), image);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_EVENT, 42), nullptr);
  EXPECT_EQ(table_.FindWrapped(42), nullptr);
  EXPECT_EQ(table_.ToDriver(42), 42u);
  table_.Remove(buffer, CommandId::kDestroyBuffer);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_BUFFER, 42), nullptr);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_IMAGE, 42), image);
}

TEST_F(HandleTableTest, KeepsTheNewObjectOfARepeatedDriverHandle) {
  Slot* first = Add(VK_OBJECT_TYPE_SAMPLER, 42, nullptr, HandleKind::kUnwrapped);
  Slot* second = Add(VK_OBJECT_TYPE_SAMPLER, 42, nullptr, HandleKind::kUnwrapped);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_SAMPLER, 42), second);
  table_.Remove(first, CommandId::kDestroySampler);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_SAMPLER, 42), second);
}

// A driver may return one handle for several equal objects.
TEST_F(HandleTableTest, FindsTheOtherObjectOfARepeatedDriverHandle) {
  Slot* first = Add(VK_OBJECT_TYPE_SAMPLER, 42, nullptr, HandleKind::kUnwrapped);
  Slot* second = Add(VK_OBJECT_TYPE_SAMPLER, 42, nullptr, HandleKind::kUnwrapped);
  table_.Remove(second, CommandId::kDestroySampler);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_SAMPLER, 42), first);
  table_.Remove(first, CommandId::kDestroySampler);
  EXPECT_EQ(table_.Find(VK_OBJECT_TYPE_SAMPLER, 42), nullptr);
}

TEST_F(HandleTableTest, RemovesAnObjectOnce) {
  Slot* slot = AddBuffer(42);
  const uint64_t handle = slot->application_handle;
  EXPECT_FALSE(table_.Remove(slot, CommandId::kDestroyBuffer, "", handle + 1));
  EXPECT_TRUE(table_.Remove(slot, CommandId::kDestroyBuffer, "first", handle));
  EXPECT_FALSE(table_.Remove(slot, CommandId::kDestroyImage, "second", handle));
  EXPECT_FALSE(table_.Remove(slot, CommandId::kDestroyImage, "second"));
  DestroyedObject destroyed;
  ASSERT_TRUE(table_.FindDestroyed(handle, &destroyed));
  EXPECT_EQ(destroyed.name, "first");
}

// Applications must not do this.
TEST_F(HandleTableTest, StaysIntactWhenThreadsRemoveTheSameObjects) {
  Slot* const pool = Add(VK_OBJECT_TYPE_DESCRIPTOR_POOL, 1);
  for (int round = 0; round < 50; ++round) {
    std::vector<Slot*> sets;
    for (uint64_t i = 1; i <= 200; ++i) sets.push_back(Add(VK_OBJECT_TYPE_DESCRIPTOR_SET, i, pool));
    std::atomic<int> removed = 0;
    const auto remove = [&] {
      for (Slot* set : sets) removed += table_.Remove(set, CommandId::kFreeDescriptorSets);
    };
    std::thread other(remove);
    remove();
    other.join();
    EXPECT_EQ(removed, 200);
    EXPECT_EQ(pool->first_child, HandleTable::kNone);
  }
  // A slot that was freed twice would hold two objects.
  std::set<uint32_t> indices;
  for (uint64_t i = 1; i <= 20'000; ++i) EXPECT_TRUE(indices.insert(AddBuffer(i)->index).second);
}

TEST_F(HandleTableTest, ServesThreadsThatEachUseTheirOwnObjects) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (uint64_t i = 1; i < 5000; ++i) {
        const uint64_t driver_handle = (thread << 32) + i;
        Slot* slot = AddBuffer(driver_handle);
        ASSERT_EQ(table_.ToDriver(slot->application_handle), driver_handle);
        table_.Remove(slot, CommandId::kDestroyBuffer);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(table_.SlotsOf(instance_, device_).empty());
}

}  // namespace
}  // namespace assay::dispatch
