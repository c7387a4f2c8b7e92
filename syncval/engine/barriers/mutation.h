// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_MUTATION_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_MUTATION_H_

#include <cstdint>

namespace assay::syncval {

// A mistake built into an instance of the engine at compile time, by which mutation_test shows that random streams
// would find it. Code outside tests uses kNone, for which nothing of this is left.
enum class Mutation : uint8_t {
  kNone,
  // A barrier carries every available write on, whether its source scope is ordered after the write's dependency chain
  // or not.
  kChainIgnoresExecutionScope,
  // The barriers of one command form dependency chains with one another.
  kBarriersOfOneCommandChain,
  // A read keeps the barriers of the read of the same kind that it replaces.
  kReadKeepsOldBarriers,
  // A barrier noted in the log is forgotten when it lies more than a few barriers back.
  kLogSkipsOldBarriers,
  // What a command buffer read is left as its first reads were, not as its last.
  kReplayDropsLastReads,
  // A semaphore has all in its first scope that its queue knows, whatever its stages and of whatever queue.
  kSignalCoversEverything,
  // A wait for a semaphore orders nothing before what happens in no stage, whatever its stages.
  kWaitCoversStagesAlone,
  // An access after the set of an event is in its first scope.
  kEventCoversLaterWork,
  // What was in order before one subpass is in order before all that follow.
  kSubpassKeepsOrder,
  // A barrier in a subpass has in its first scope what was before the subpass.
  kSubpassBarrierCoversAll,
  // The first scope of a dependency counts for later dependencies that have its stage.
  kDependencyDoesNotEnd,
  // A read in a subpass replaces those of its kind that were before the subpass.
  kSubpassReadReplacesOthers,
  // An atomic read replaces a plain one, and the reverse.
  kAtomicReadReplacesOthers,
  // A command is atomic if its last write is.
  kLastWriteIsAtomic,
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_MUTATION_H_
