// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/undoable_map.h"

#include <map>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// New values are 100.
class UndoableMapTest : public ::testing::Test {
 protected:
  static void Initialize(int& value) { value = 100; }
  int& Change(int key) { return map_.Change(key, Initialize); }
  template <class F>
  void ChangeForGood(int key, const F& change) {
    map_.ChangeForGood(key, Initialize, change);
  }
  std::map<int, int> All() const {
    std::map<int, int> all;
    map_.ForEach([&](int key, int value) { all[key] = value; });
    return all;
  }
  UndoableMap<int, int> map_;
};

TEST_F(UndoableMapTest, UndoesChanges) {
  map_.Begin();
  EXPECT_EQ(Change(1)++, 100);
  map_.Begin();
  EXPECT_EQ(Change(1)++, 101);
  EXPECT_EQ(Change(1)++, 102);
  EXPECT_EQ(Change(2)++, 100);
  EXPECT_THAT(All(), ElementsAre(Pair(1, 103), Pair(2, 101)));
  map_.Undo();
  EXPECT_THAT(All(), ElementsAre(Pair(1, 101)));
  EXPECT_EQ(map_.Find(2), nullptr);
  // There is nothing more to undo.
  map_.Undo();
  EXPECT_THAT(All(), ElementsAre(Pair(1, 101)));
  // The same changes can be undone once more.
  EXPECT_EQ(Change(1)++, 101);
  EXPECT_EQ(Change(2)++, 100);
  map_.Undo();
  EXPECT_THAT(All(), ElementsAre(Pair(1, 101)));
}

TEST_F(UndoableMapTest, KeepsChangesForGood) {
  const auto add = [](int& value) { value += 10; };
  map_.Begin();
  Change(1) = 1;
  map_.Begin();
  ChangeForGood(1, add);
  Change(1) = 2;
  ChangeForGood(1, add);
  // New in a change that is undone, and in one that is not.
  Change(2) = 2;
  ChangeForGood(2, add);
  ChangeForGood(3, add);
  Change(3) = 2;
  ChangeForGood(4, add);
  EXPECT_THAT(All(), ElementsAre(Pair(1, 12), Pair(2, 12), Pair(3, 2), Pair(4, 110)));
  map_.Undo();
  EXPECT_THAT(All(), ElementsAre(Pair(1, 21), Pair(2, 110), Pair(3, 110), Pair(4, 110)));
}

TEST_F(UndoableMapTest, DoesNotBringBackWhatWasRemoved) {
  map_.Begin();
  Change(1) = 1;
  Change(2) = 1;
  map_.Begin();
  Change(1) = 2;
  Change(2) = 2;
  Change(3) = 2;
  for (int key : {1, 2, 3, 4}) map_.Remove(key);
  // The key of another object now.
  Change(2) = 3;
  ChangeForGood(3, [](int& value) { value = 4; });
  map_.Undo();
  EXPECT_THAT(All(), ElementsAre(Pair(3, 4)));
}

TEST_F(UndoableMapTest, ForgetsWhatWasBefore) {
  map_.Begin();
  Change(1) = 1;
  map_.Begin();
  Change(1) = 2;
  map_.ChangeAllForGood([](int& value) { value = 0; });
  map_.Undo();
  EXPECT_THAT(All(), ElementsAre(Pair(1, 0)));
  map_.Remove(1);
  EXPECT_THAT(All(), IsEmpty());
}

}  // namespace
}  // namespace assay::core
