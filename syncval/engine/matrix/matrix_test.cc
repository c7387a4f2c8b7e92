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
#include "syncval/engine/matrix/case_variants.h"
#include "syncval/engine/matrix/expectation.h"
#include "syncval/engine/matrix/registry_sync.h"
#include "syncval/engine/matrix/scenario.h"
#include "syncval/engine/matrix/submission_scenarios.h"
#include "syncval/engine/matrix/subpass_scenario.h"

// Every two kinds of access, with every variant of the dependencies between them, in every scenario.
namespace assay::syncval::matrix {
namespace {

const Expectation& Specification() {
  static const Expectation* const expectation = new Expectation(ReadRegistrySync());
  return *expectation;
}

// The cases in which the engine and the specification differ.
class Mismatches {
 public:
  void Compare(Scenario& scenario, const Expectation& expectation, const Case& c) {
    ++cases_;
    const HazardKind expected = expectation.Of(c);
    const HazardKind found = scenario.DetectHazard(c);
    ++outcomes_[static_cast<size_t>(expected)];
    if (expected == found) return;
    if (++count_ <= 10) {
      ADD_FAILURE() << scenario.name() << ": " << ToString(c) << ": expected " << static_cast<int>(expected)
                    << ", found " << static_cast<int>(found);
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

// Compares all cases of a scenario.
Mismatches CompareAll(Scenario& scenario, VariantSet extent) {
  const Expectation& expectation = Specification();
  Mismatches mismatches;
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      ForEachVariant(scenario, expectation, first, second, extent,
                     [&](const Case& c) { mismatches.Compare(scenario, expectation, c); });
    }
  }
  EXPECT_EQ(mismatches.count(), 0u);
  testing::Test::RecordProperty("cases", std::to_string(mismatches.cases()));
  std::cout << scenario.name() << ": " << mismatches.cases() << " cases, "
            << mismatches.cases() - mismatches.CasesOf(HazardKind::kNone) << " of them hazards\n";
  return mismatches;
}

// Expects the exact dependencies to be exact. With them there is no hazard, and without any one of their bits there is
// one.
void ExpectExact(const Scenario& scenario) {
  const Expectation& expectation = Specification();
  size_t exact_count = 0;
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      if (!scenario.Has(first) || !scenario.Has(second)) continue;
      const Case exact = scenario.MinimalCase(first, second);
      if (expectation.Of(exact) != HazardKind::kNone) {
        // Nothing can order these accesses.
        EXPECT_TRUE((first.stage == 0 && !first.is_transition) || (second.stage == 0 && !second.is_transition))
            << ToString(exact);
        continue;
      }
      exact_count += expectation.Of(scenario.UnsynchronizedCase(first, second)) != HazardKind::kNone;
      ForEachWithoutOneBit(exact,
                           [&](const Case& c) { EXPECT_NE(expectation.Of(c), HazardKind::kNone) << ToString(c); });
    }
  }
  EXPECT_GT(exact_count, 3000u);
}

// The rows of the matrix.

TEST(Matrix, KindsAreThoseOfTheEngine) {
  const std::vector<vk::SyncAccessIndex> indices = IndicesOf(Specification().kinds());
  const std::set<vk::SyncAccessIndex> distinct(indices.begin(), indices.end());
  EXPECT_FALSE(distinct.contains(vk::kSyncNone));
  EXPECT_EQ(distinct.size(), indices.size());
  EXPECT_EQ(indices.size(), vk::kSyncAccessCount - 1u);
  EXPECT_GE(indices.size(), 75u);
}

// The scenarios.

TEST(Matrix, OneCommandBuffer) {
  OneCommandBuffer scenario(Specification());
  ExpectExact(scenario);
  CompareAll(scenario, VariantSet::kEveryFlag);
}

// Covers both the pending accesses of a region and those in the map.
TEST(Matrix, OneCommandBufferInRegions) {
  OneCommandBuffer scenario(Specification(), 7);
  CompareAll(scenario, VariantSet::kBits);
}

TEST(Matrix, TwoCommandBuffers) {
  for (const End end : {End::kAfterFirstAccess, End::kAfterFirstDependency, End::kAfterEach}) {
    TwoCommandBuffers scenario(Specification(), end);
    ExpectExact(scenario);
    CompareAll(scenario, VariantSet::kBits);
  }
}

TEST(Matrix, TwoCommandBuffersInRegions) {
  for (const End end : {End::kAfterFirstAccess, End::kAfterFirstDependency, End::kAfterEach}) {
    TwoCommandBuffers scenario(Specification(), end, 7);
    CompareAll(scenario, VariantSet::kBits);
  }
}

TEST(Matrix, TwoQueues) {
  TwoQueues scenario(Specification());
  ExpectExact(scenario);
  const Mismatches result = CompareAll(scenario, VariantSet::kEveryFlag);
  for (const HazardKind kind :
       {HazardKind::kReadRacingWrite, HazardKind::kWriteRacingRead, HazardKind::kWriteRacingWrite}) {
    EXPECT_GT(result.CasesOf(kind), 1000u);
  }
}

TEST(Matrix, TwoQueuesInRegions) {
  TwoQueues scenario(Specification(), 7);
  CompareAll(scenario, VariantSet::kBits);
}

TEST(Matrix, TwoSubpasses) {
  for (const uint32_t src : {SubpassGraph::kExternal, uint32_t{0}}) {
    TwoSubpasses scenario(Specification(), src);
    ExpectExact(scenario);
    CompareAll(scenario, VariantSet::kEveryFlag);
  }
}

TEST(Matrix, TwoSubpassesInRegions) {
  for (const uint32_t src : {SubpassGraph::kExternal, uint32_t{0}}) {
    TwoSubpasses scenario(Specification(), src, 7);
    CompareAll(scenario, VariantSet::kBits);
  }
}

// A layout transition between the two accesses. It may have a hazard with the first access, and the second access may
// have one with it.
TEST(Matrix, TransitionBetween) {
  const Expectation& expectation = Specification();
  OneCommandBuffer scenario(expectation);
  const Kind& transition = *std::ranges::find(expectation.kinds(), true, &Kind::is_transition);
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      if (first.is_transition || second.is_transition) continue;
      const Case exact = CaseAtOnePlace(first, second, {{first.stage, first.access, second.stage, second.access}});
      const auto check = [&](const Case& c) {
        Case before = c, after = c;
        before.second = after.first = &transition;
        const auto [found_before, found_after] = scenario.DetectTransitionBetween(c);
        EXPECT_EQ(found_before, expectation.Of(before)) << ToString(before);
        EXPECT_EQ(found_after, expectation.Of(after)) << ToString(after);
      };
      check(exact);
      ForEachWithoutOneBit(exact, check);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Implicit order.

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
  OneCommandBuffer scenario(expectation);
  for (const OrderingRule rule :
       {OrderingRule::kColorAttachment, OrderingRule::kDepthStencilAttachment, OrderingRule::kRaster}) {
    size_t ordered_count = 0;
    for (const Kind& first : expectation.kinds()) {
      for (const Kind& second : expectation.kinds()) {
        if (first.is_transition || second.is_transition) continue;
        const bool is_ordered = IsInRasterizationOrder(rule, first) && IsInRasterizationOrder(rule, second);
        ordered_count += is_ordered;
        const Case c = scenario.UnsynchronizedCase(first, second);
        EXPECT_EQ(scenario.DetectHazardByRule(c, rule), is_ordered ? HazardKind::kNone : expectation.Of(c))
            << ToString(c) << " by rule " << static_cast<int>(rule);
      }
    }
    EXPECT_GT(ordered_count, 10u);
  }
}

// Atomics alone do not race with each other, in whatever stages. Everything else with an atomic is as without.
TEST(Matrix, Atomics) {
  const Expectation& expectation = Specification();
  OneCommandBuffer scenario(expectation);
  size_t atomic_count = 0;
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      if (first.is_transition || second.is_transition) continue;
      const Case c = scenario.UnsynchronizedCase(first, second);
      const HazardKind plain = expectation.Of(c);
      atomic_count += plain != HazardKind::kNone;
      EXPECT_EQ(scenario.DetectHazardByRule(c, OrderingRule::kAtomic), HazardKind::kNone) << ToString(c);
      EXPECT_EQ(scenario.DetectHazardByRules(c, OrderingRule::kAtomic, OrderingRule::kNone), plain) << ToString(c);
      EXPECT_EQ(scenario.DetectHazardByRules(c, OrderingRule::kNone, OrderingRule::kAtomic), plain) << ToString(c);
    }
  }
  EXPECT_GT(atomic_count, 100u);
}

}  // namespace
}  // namespace assay::syncval::matrix
