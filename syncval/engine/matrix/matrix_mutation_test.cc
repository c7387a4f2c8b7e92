// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>

#include "gtest/gtest.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/matrix/case_variants.h"
#include "syncval/engine/matrix/expectation.h"
#include "syncval/engine/matrix/registry_sync.h"
#include "syncval/engine/matrix/scenario.h"
#include "syncval/engine/matrix/submission_scenarios.h"
#include "syncval/engine/matrix/subpass_scenario.h"

// The matrix finds mistakes of an engine.
namespace assay::syncval::matrix {
namespace {

const Expectation& Specification() {
  static const Expectation* const expectation = new Expectation(ReadRegistrySync());
  return *expectation;
}

size_t CountMismatches(Scenario& scenario) {
  const Expectation& expectation = Specification();
  size_t count = 0;
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      ForEachVariant(scenario, expectation, first, second, VariantSet::kBits,
                     [&](const Case& c) { count += scenario.DetectHazard(c) != expectation.Of(c); });
    }
  }
  return count;
}

TEST(MatrixMutation, ChainIgnoresExecutionScope) {
  OneCommandBuffer<Mutation::kChainIgnoresExecutionScope> scenario(Specification());
  EXPECT_GT(CountMismatches(scenario), 1000u);
}

TEST(MatrixMutation, BarriersOfOneCommandChain) {
  OneCommandBuffer<Mutation::kBarriersOfOneCommandChain> scenario(Specification());
  EXPECT_GT(CountMismatches(scenario), 1000u);
}

TEST(MatrixMutation, SubpassBarrierCoversAll) {
  TwoSubpasses<Mutation::kSubpassBarrierCoversAll> scenario(Specification(), 0);
  EXPECT_GT(CountMismatches(scenario), 100u);
}

TEST(MatrixMutation, SignalCoversEverything) {
  TwoQueues<Mutation::kSignalCoversEverything> scenario(Specification());
  EXPECT_GT(CountMismatches(scenario), 1000u);
}

}  // namespace
}  // namespace assay::syncval::matrix
