// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/command_matrix/command_matrix.h"
#include "syncval/command_matrix/command_scenario.h"
#include "syncval/engine/matrix/case_variants.h"

// Every command after every other on the same target, with every form of dependency between them.
namespace assay::syncval::command_matrix {
namespace {

enum class Memory { kBuffer, kColorImage, kDepthImage };

class CommandMatrixTest : public CommandMatrix {
 protected:
  void MakeTarget(Memory kind) {
    if (kind == Memory::kBuffer) {
      target.buffer = MakeBuffer(1024);
    } else {
      const VkFormat format = kind == Memory::kColorImage ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_D32_SFLOAT;
      target.image = MakeImage(format, kSide, kSide, 0, 2);
      target.view = MakeLevelView(target.image);
    }
    for (Commands* commands : {&first_, &second_})
      *commands = kind == Memory::kBuffer ? AllBufferCommands() : AllImageCommands();
  }

  // Checks all pairs, except for those whose first command is a possible read. Tries each with the exact dependency,
  // with none and with all but one bit, and, if `has_forms`, others.
  void CompareAll(CommandScenario& scenario, bool has_forms) {
    for (const Command& first : first_) {
      if (first.is_possible_read) continue;
      for (const Command& second : second_) {
        if (!second.is_possible_read || scenario.is_recorded_together())
          ComparePair(scenario, first, second, has_forms);
      }
    }
    EXPECT_EQ(mismatches_, 0u);
    EXPECT_GT(hazards_, cases_ / 4);
    EXPECT_LT(hazards_, cases_);
    std::cout << scenario.name() << ": " << first_.size() << " commands, " << cases_ << " cases, " << hazards_
              << " of them hazards\n";
  }

  Commands first_, second_;

 private:
  void ComparePair(CommandScenario& scenario, const Command& first, const Command& second, bool has_forms) {
    scenario.SetCommands(first, second);
    const auto compare = [&](const Case& c) { Compare(scenario, first, second, c); };
    if (has_forms)
      return ForEachVariant(scenario, Specification(), *first.kind, *second.kind, matrix::VariantSet::kBits, compare);
    compare(scenario.UnsynchronizedCase(*first.kind, *second.kind));
    const Case exact = scenario.MinimalCase(*first.kind, *second.kind);
    compare(exact);
    matrix::ForEachWithoutOneBit(exact, compare);
  }
  void Compare(CommandScenario& scenario, const Command& first, const Command& second, const Case& c) {
    const HazardKind expected = Specification().Of(c), found = scenario.DetectHazard(c);
    ++cases_;
    hazards_ += expected != HazardKind::kNone;
    if (expected == found || ++mismatches_ > 20) return;
    ADD_FAILURE() << scenario.name() << ": " << first.name << ", then " << second.name << ": " << ToString(c)
                  << ": expected " << static_cast<int>(expected) << ", found " << static_cast<int>(found);
  }

  size_t cases_ = 0;
  size_t hazards_ = 0;
  size_t mismatches_ = 0;
};

// There are no fewer than there were.
TEST_F(CommandMatrixTest, Kinds) {
  std::set<std::string> kinds;
  size_t commands = 0;
  for (const Memory kind : {Memory::kBuffer, Memory::kColorImage, Memory::kDepthImage}) {
    target = {};
    MakeTarget(kind);
    commands += first_.size();
    for (const Command& command : first_) kinds.insert(command.kind->name);
  }
  EXPECT_GE(commands, 150u);
  EXPECT_GE(kinds.size(), 75u);
  std::cout << commands << " commands, " << kinds.size() << " of " << Specification().kinds().size() << " kinds\n";
}

class BufferMatrix : public CommandMatrixTest {
 protected:
  void SetUp() override {
    CommandMatrixTest::SetUp();
    MakeTarget(Memory::kBuffer);
  }
};

TEST_F(BufferMatrix, OneCommandBuffer) {
  OneCommandBuffer scenario(*this);
  CompareAll(scenario, true);
}
TEST_F(BufferMatrix, Sync1) {
  Sync1 scenario(*this);
  CompareAll(scenario, false);
}
TEST_F(BufferMatrix, ByEvent) {
  ByEvent scenario(*this);
  CompareAll(scenario, false);
}
TEST_F(BufferMatrix, TwoCommandBuffers) {
  TwoCommandBuffers scenario(*this, true);
  CompareAll(scenario, false);
}
TEST_F(BufferMatrix, TwoSubmissions) {
  TwoCommandBuffers scenario(*this, false);
  CompareAll(scenario, false);
}
TEST_F(BufferMatrix, TwoQueues) {
  TwoQueues scenario(*this);
  CompareAll(scenario, false);
}

class ImageMatrix : public CommandMatrixTest, public testing::WithParamInterface<Memory> {
 protected:
  void SetUp() override {
    CommandMatrixTest::SetUp();
    MakeTarget(GetParam());
  }
};

TEST_P(ImageMatrix, OneCommandBuffer) {
  OneCommandBuffer scenario(*this);
  CompareAll(scenario, true);
}
TEST_P(ImageMatrix, Sync1) {
  Sync1 scenario(*this);
  CompareAll(scenario, false);
}
TEST_P(ImageMatrix, ByEvent) {
  ByEvent scenario(*this);
  CompareAll(scenario, false);
}
TEST_P(ImageMatrix, TwoCommandBuffers) {
  TwoCommandBuffers scenario(*this, true);
  CompareAll(scenario, false);
}
TEST_P(ImageMatrix, TwoSubmissions) {
  TwoCommandBuffers scenario(*this, false);
  CompareAll(scenario, false);
}
TEST_P(ImageMatrix, TwoQueues) {
  TwoQueues scenario(*this);
  CompareAll(scenario, false);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageMatrix, testing::Values(Memory::kColorImage, Memory::kDepthImage),
                         [](const testing::TestParamInfo<Memory>& target) {
                           return target.param == Memory::kColorImage ? "Color" : "Depth";
                         });

}  // namespace
}  // namespace assay::syncval::command_matrix
