// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/matrix/expectation.h"
#include "syncval/engine/matrix/registry_sync.h"
#include "syncval/engine/matrix/scenario.h"
#include "syncval/engine/matrix/submission_scenarios.h"
#include "syncval/engine/matrix/subpass_scenario.h"
#include "syncval/engine/matrix/case_variants.h"

// Every two kinds of access with every variant of what can be between them, in every setting.
namespace assay::syncval::matrix {
namespace {

const Expectation& Specification() {
  static const Expectation* const expectation = new Expectation(ReadRegistrySync());
  return *expectation;
}

// Where the engine and the specification differ.
class Mismatches {
 public:
  void Compare(Setting& setting, const Expectation& expectation, const Case& c) {
    ++cases_;
    const HazardKind expected = expectation.Of(c);
    const HazardKind found = setting.Find(c);
    ++outcomes_[static_cast<size_t>(expected)];
    if (expected == found) return;
    if (++count_ <= 10) {
      ADD_FAILURE() << setting.name() << ": " << ToWords(c) << ": expected " << static_cast<int>(expected) << ", found "
                    << static_cast<int>(found);
    }
  }
  size_t cases() const { return cases_; }
  size_t count() const { return count_; }
  size_t CasesOf(HazardKind kind) const { return outcomes_[static_cast<size_t>(kind)]; }

 private:
  size_t cases_ = 0;
  size_t count_ = 0;
  std::array<size_t, 7> outcomes_ = {};
};

// Compares all cases of a setting.
Mismatches CompareAll(Setting& setting, Extent extent) {
  const Expectation& expectation = Specification();
  Mismatches mismatches;
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      ForEachVariant(setting, expectation, first, second, extent,
                     [&](const Case& c) { mismatches.Compare(setting, expectation, c); });
    }
  }
  EXPECT_EQ(mismatches.count(), 0u);
  testing::Test::RecordProperty("cases", std::to_string(mismatches.cases()));
  std::cout << setting.name() << ": " << mismatches.cases() << " cases, "
            << mismatches.cases() - mismatches.CasesOf(HazardKind::kNone) << " of them hazards\n";
  return mismatches;
}

// That the exact dependencies are: with them there is no hazard, and without any one of their bits there is one.
void ExpectExact(const Setting& setting) {
  const Expectation& expectation = Specification();
  size_t exact_count = 0;
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      if (!setting.Has(first) || !setting.Has(second)) continue;
      const Case exact = setting.Exact(first, second);
      if (expectation.Of(exact) != HazardKind::kNone) {
        // Nothing orders these.
        EXPECT_TRUE((first.stage == 0 && !first.is_transition) || (second.stage == 0 && !second.is_transition))
            << ToWords(exact);
        continue;
      }
      exact_count += expectation.Of(setting.Nothing(first, second)) != HazardKind::kNone;
      ForEachWithoutOneBit(exact,
                           [&](const Case& c) { EXPECT_NE(expectation.Of(c), HazardKind::kNone) << ToWords(c); });
    }
  }
  EXPECT_GT(exact_count, 3000u);
}

// ---- The rows

TEST(Matrix, KindsAreThoseOfTheEngine) {
  const std::vector<vk::SyncAccessIndex> indices = IndicesOf(Specification().kinds());
  const std::set<vk::SyncAccessIndex> distinct(indices.begin(), indices.end());
  EXPECT_FALSE(distinct.contains(vk::kSyncNone));
  EXPECT_EQ(distinct.size(), indices.size());
  EXPECT_EQ(indices.size(), vk::kSyncAccessCount - 1u);
  EXPECT_GE(indices.size(), 75u);
}

// ---- The settings

TEST(Matrix, OneCommandBuffer) {
  OneCommandBuffer setting(Specification());
  ExpectExact(setting);
  CompareAll(setting, Extent::kEveryFlag);
}

// What is pending in a region, and what is in the map.
TEST(Matrix, OneCommandBufferInRegions) {
  OneCommandBuffer setting(Specification(), 7);
  CompareAll(setting, Extent::kBits);
}

TEST(Matrix, TwoCommandBuffers) {
  for (const End end : {End::kAfterFirstAccess, End::kAfterFirstDependency, End::kAfterEach}) {
    TwoCommandBuffers setting(Specification(), end);
    ExpectExact(setting);
    CompareAll(setting, Extent::kBits);
  }
}

TEST(Matrix, TwoCommandBuffersInRegions) {
  for (const End end : {End::kAfterFirstAccess, End::kAfterFirstDependency, End::kAfterEach}) {
    TwoCommandBuffers setting(Specification(), end, 7);
    CompareAll(setting, Extent::kBits);
  }
}

TEST(Matrix, TwoQueues) {
  TwoQueues setting(Specification());
  ExpectExact(setting);
  const Mismatches result = CompareAll(setting, Extent::kEveryFlag);
  for (const HazardKind kind :
       {HazardKind::kReadRacingWrite, HazardKind::kWriteRacingRead, HazardKind::kWriteRacingWrite}) {
    EXPECT_GT(result.CasesOf(kind), 1000u);
  }
}

TEST(Matrix, TwoQueuesInRegions) {
  TwoQueues setting(Specification(), 7);
  CompareAll(setting, Extent::kBits);
}

TEST(Matrix, TwoSubpasses) {
  for (const uint32_t src : {SubpassGraph::kExternal, uint32_t{0}}) {
    TwoSubpasses setting(Specification(), src);
    ExpectExact(setting);
    CompareAll(setting, Extent::kEveryFlag);
  }
}

TEST(Matrix, TwoSubpassesInRegions) {
  for (const uint32_t src : {SubpassGraph::kExternal, uint32_t{0}}) {
    TwoSubpasses setting(Specification(), src, 7);
    CompareAll(setting, Extent::kBits);
  }
}

// A layout transition between the two accesses: the first is in hazard with it as with a second access, the second as
// with a first.
TEST(Matrix, TransitionBetween) {
  const Expectation& expectation = Specification();
  OneCommandBuffer setting(expectation);
  const Kind& transition = *std::ranges::find(expectation.kinds(), true, &Kind::is_transition);
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      if (first.is_transition || second.is_transition) continue;
      const Case exact = OfOnePlace(first, second, {{first.stage, first.access, second.stage, second.access}});
      const auto check = [&](const Case& c) {
        Case before = c, after = c;
        before.second = after.first = &transition;
        const auto [found_before, found_after] = setting.FindTransitionBetween(c);
        EXPECT_EQ(found_before, expectation.Of(before)) << ToWords(before);
        EXPECT_EQ(found_after, expectation.Of(after)) << ToWords(after);
      };
      check(exact);
      ForEachWithoutOneBit(exact, check);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// ---- Implicit order

// "Rasterization Order": the accesses of attachments by draws of one render pass instance, and input attachment reads.
bool IsInRasterizationOrder(OrderingRule rule, const Kind& kind) {
  const bool color = rule == OrderingRule::kColorAttachment || rule == OrderingRule::kRaster;
  const bool depth_stencil = rule == OrderingRule::kDepthStencilAttachment || rule == OrderingRule::kRaster;
  const auto is = [&kind](const char* access) { return kind.name.find(access) != std::string::npos; };
  if (is("FRAGMENT_SHADING_RATE")) return false;
  return (color && is("/COLOR_ATTACHMENT_")) || (depth_stencil && is("/DEPTH_STENCIL_ATTACHMENT_")) ||
         ((color || depth_stencil) && is("/INPUT_ATTACHMENT_READ"));
}

TEST(Matrix, AttachmentOrder) {
  const Expectation& expectation = Specification();
  OneCommandBuffer setting(expectation);
  for (const OrderingRule rule :
       {OrderingRule::kColorAttachment, OrderingRule::kDepthStencilAttachment, OrderingRule::kRaster}) {
    size_t ordered_count = 0;
    for (const Kind& first : expectation.kinds()) {
      for (const Kind& second : expectation.kinds()) {
        if (first.is_transition || second.is_transition) continue;
        const bool is_ordered = IsInRasterizationOrder(rule, first) && IsInRasterizationOrder(rule, second);
        ordered_count += is_ordered;
        const Case c = setting.Nothing(first, second);
        EXPECT_EQ(setting.FindOrdered(c, rule), is_ordered ? HazardKind::kNone : expectation.Of(c))
            << ToWords(c) << " by rule " << static_cast<int>(rule);
      }
    }
    EXPECT_GT(ordered_count, 10u);
  }
}

}  // namespace
}  // namespace assay::syncval::matrix
