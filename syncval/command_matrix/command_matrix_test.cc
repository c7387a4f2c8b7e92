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

// Every command after every other on the same target, with what can be between them.
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

  // Compares all pairs. Some bytes that a command reads are looked at only while it is recorded. Of each the exact
  // dependency, none and all but one bit are tried, and, if `has_forms`, others.
  void CompareAll(CommandSetting& setting, bool has_forms) {
    for (const Command& first : first_) {
      if (first.is_of_some) continue;
      for (const Command& second : second_) {
        if (!second.is_of_some || setting.is_recorded_together()) ComparePair(setting, first, second, has_forms);
      }
    }
    EXPECT_EQ(mismatches_, 0u);
    EXPECT_GT(hazards_, cases_ / 4);
    EXPECT_LT(hazards_, cases_);
    std::cout << setting.name() << ": " << first_.size() << " commands, " << cases_ << " cases, " << hazards_
              << " of them hazards\n";
  }

  Commands first_, second_;

 private:
  void ComparePair(CommandSetting& setting, const Command& first, const Command& second, bool has_forms) {
    setting.Use(first, second);
    const auto compare = [&](const Case& c) { Compare(setting, first, second, c); };
    if (has_forms)
      return ForEachVariant(setting, Specification(), *first.kind, *second.kind, matrix::Extent::kBits, compare);
    compare(setting.Nothing(*first.kind, *second.kind));
    const Case exact = setting.Exact(*first.kind, *second.kind);
    compare(exact);
    matrix::ForEachWithoutOneBit(exact, compare);
  }
  void Compare(CommandSetting& setting, const Command& first, const Command& second, const Case& c) {
    const HazardKind expected = Specification().Of(c), found = setting.Find(c);
    ++cases_;
    hazards_ += expected != HazardKind::kNone;
    if (expected == found || ++mismatches_ > 20) return;
    ADD_FAILURE() << setting.name() << ": " << first.name << ", then " << second.name << ": " << ToWords(c)
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
  OneCommandBuffer setting(*this);
  CompareAll(setting, true);
}
TEST_F(BufferMatrix, FirstGeneration) {
  FirstGeneration setting(*this);
  CompareAll(setting, false);
}
TEST_F(BufferMatrix, ByEvent) {
  ByEvent setting(*this);
  CompareAll(setting, false);
}
TEST_F(BufferMatrix, TwoCommandBuffers) {
  TwoCommandBuffers setting(*this, true);
  CompareAll(setting, false);
}
TEST_F(BufferMatrix, TwoSubmissions) {
  TwoCommandBuffers setting(*this, false);
  CompareAll(setting, false);
}
TEST_F(BufferMatrix, TwoQueues) {
  TwoQueues setting(*this);
  CompareAll(setting, false);
}

class ImageMatrix : public CommandMatrixTest, public testing::WithParamInterface<Memory> {
 protected:
  void SetUp() override {
    CommandMatrixTest::SetUp();
    MakeTarget(GetParam());
  }
};

TEST_P(ImageMatrix, OneCommandBuffer) {
  OneCommandBuffer setting(*this);
  CompareAll(setting, true);
}
TEST_P(ImageMatrix, FirstGeneration) {
  FirstGeneration setting(*this);
  CompareAll(setting, false);
}
TEST_P(ImageMatrix, ByEvent) {
  ByEvent setting(*this);
  CompareAll(setting, false);
}
TEST_P(ImageMatrix, TwoCommandBuffers) {
  TwoCommandBuffers setting(*this, true);
  CompareAll(setting, false);
}
TEST_P(ImageMatrix, TwoSubmissions) {
  TwoCommandBuffers setting(*this, false);
  CompareAll(setting, false);
}
TEST_P(ImageMatrix, TwoQueues) {
  TwoQueues setting(*this);
  CompareAll(setting, false);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageMatrix, testing::Values(Memory::kColorImage, Memory::kDepthImage),
                         [](const testing::TestParamInfo<Memory>& target) {
                           return target.param == Memory::kColorImage ? "Color" : "Depth";
                         });

}  // namespace
}  // namespace assay::syncval::command_matrix
