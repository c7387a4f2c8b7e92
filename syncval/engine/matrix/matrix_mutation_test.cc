// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>

#include "gtest/gtest.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/matrix/expectation.h"
#include "syncval/engine/matrix/registry_sync.h"
#include "syncval/engine/matrix/scenario.h"
#include "syncval/engine/matrix/submission_scenarios.h"
#include "syncval/engine/matrix/subpass_scenario.h"
#include "syncval/engine/matrix/case_variants.h"

// That the matrix finds mistakes of an engine.
namespace assay::syncval::matrix {
namespace {

const Expectation& Specification() {
  static const Expectation* const expectation = new Expectation(ReadRegistrySync());
  return *expectation;
}

size_t CountMismatches(Setting& setting) {
  const Expectation& expectation = Specification();
  size_t count = 0;
  for (const Kind& first : expectation.kinds()) {
    for (const Kind& second : expectation.kinds()) {
      ForEachVariant(setting, expectation, first, second, Extent::kBits,
                     [&](const Case& c) { count += setting.Find(c) != expectation.Of(c); });
    }
  }
  return count;
}

TEST(MatrixFault, ChainIgnoresExecutionScope) {
  OneCommandBuffer<Fault::kChainIgnoresExecutionScope> setting(Specification());
  EXPECT_GT(CountMismatches(setting), 1000u);
}

TEST(MatrixFault, BarriersOfOneCommandChain) {
  OneCommandBuffer<Fault::kBarriersOfOneCommandChain> setting(Specification());
  EXPECT_GT(CountMismatches(setting), 1000u);
}

TEST(MatrixFault, SubpassBarrierCoversAll) {
  TwoSubpasses<Fault::kSubpassBarrierCoversAll> setting(Specification(), 0);
  EXPECT_GT(CountMismatches(setting), 100u);
}

TEST(MatrixFault, SignalCoversEverything) {
  TwoQueues<Fault::kSignalCoversEverything> setting(Specification());
  EXPECT_GT(CountMismatches(setting), 1000u);
}

}  // namespace
}  // namespace assay::syncval::matrix
