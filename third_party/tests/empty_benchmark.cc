// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmark/benchmark.h"

namespace {

void BM_Empty(benchmark::State& state) {
  for (auto _ : state) {
  }
}
BENCHMARK(BM_Empty);

}  // namespace
