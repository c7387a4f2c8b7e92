// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Adds to a counter of 64 bits, low word first.
void CountBlock(const uint counter, const uint executions) {
  if (executions == 0u) return;
  const uint before = atomicAdd(COUNTS.words[2u * counter], executions);
  if (before + executions < before) atomicAdd(COUNTS.words[2u * counter + 1u], 1u);
}
