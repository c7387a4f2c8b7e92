// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/walk/array_walk.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/walk/load_store.h"

namespace assay::vk {
namespace {

using ::testing::ElementsAre;

struct Inner {
  uint32_t value;
};

struct Outer {
  uint32_t count;
  const Inner* inner;
  uint32_t after;
};

struct Parameters {
  uint32_t count;
  const Outer* outer;
  uint32_t last;
};

struct Op {
  enum Code { kNote, kArray, kNext, kEnd } code;
  // The offset of the number, or of the pointer; the offset of the length.
  size_t offset = 0;
  size_t length = 0;
  size_t stride = 0;
  size_t steps = 0;
};

constexpr Op kOps[] = {
    {.code = Op::kArray, .offset = offsetof(Parameters, outer), .length = offsetof(Parameters, count), .steps = 5},
    {.code = Op::kArray, .offset = offsetof(Outer, inner), .length = offsetof(Outer, count), .steps = 2},
    {.code = Op::kNote, .offset = offsetof(Inner, value)},
    {.code = Op::kNext, .stride = sizeof(Inner)},
    {.code = Op::kNote, .offset = offsetof(Outer, after)},
    {.code = Op::kNext, .stride = sizeof(Outer)},
    {.code = Op::kNote, .offset = offsetof(Parameters, last)},
    {.code = Op::kEnd},
};

// The numbers in the order of the walk.
std::vector<uint32_t> Walk(const Parameters& parameters) {
  std::vector<uint32_t> numbers;
  std::array<ArrayFrame<Op>, 2> frames;
  ArrayWalk<Op> arrays(frames.data());
  const char* base = reinterpret_cast<const char*>(&parameters);
  for (const Op* op = kOps;; ++op) {
    switch (op->code) {
      case Op::kNote:
        numbers.push_back(Load<uint32_t>(base, op->offset));
        break;
      case Op::kArray: {
        const auto count = Load<uint32_t>(base, op->length);
        if (count == 0) {
          op += op->steps;
          break;
        }
        arrays.Enter(op, base, Load<const char*>(base, op->offset), count);
        break;
      }
      case Op::kNext:
        arrays.Next(op, base);
        break;
      case Op::kEnd:
        return numbers;
    }
  }
}

TEST(ArrayWalk, ElementsInOrderAndThenWhatFollows) {
  const std::array<Inner, 2> first = {{{1}, {2}}};
  const std::array<Inner, 1> third = {{{5}}};
  const std::array<Outer, 3> outer = {{{2, first.data(), 3}, {0, nullptr, 4}, {1, third.data(), 6}}};
  EXPECT_THAT(Walk({3, outer.data(), 7}), ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

TEST(ArrayWalk, StepsOfAnEmptyArrayAreLeftOut) { EXPECT_THAT(Walk({0, nullptr, 7}), ElementsAre(7)); }

}  // namespace
}  // namespace assay::vk
