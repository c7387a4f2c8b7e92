// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "benchmark/benchmark.h"
#include "syncval/engine/engine.h"

// The cost of recording, by kind of command buffer. Each iteration records one command buffer into the same context;
// the counter per_command is the time for one command.
namespace assay::syncval {
namespace {

constexpr VkQueueFlags kQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr BarrierFlags kCopyToCopy = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                      VK_PIPELINE_STAGE_2_COPY_BIT,
                                      VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT};
constexpr Range kSource = {0x10000, 0x20000};
constexpr Range kTarget = {0x40000, 0x50000};

void Copy(AccessContext& context, const Range& source, const Range& target, Tag tag, Hazard& hazard) {
  context.DetectAndUpdate({source, vk::kSyncCopyTransferRead}, tag, hazard);
  context.DetectAndUpdate({target, vk::kSyncCopyTransferWrite}, tag, hazard);
}

void SetPerCommand(benchmark::State& state, int64_t commands) {
  state.counters["per_command"] = benchmark::Counter(static_cast<double>(commands * state.iterations()),
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// The same copy again and again; each conflicts with the one before.
void BM_RepeatedCopy(benchmark::State& state) {
  AccessContext context;
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    for (uint32_t i = 0; i < 500; ++i) Copy(context, kSource, kTarget, Tag{i}, hazard);
    benchmark::DoNotOptimize(hazard);
  }
  SetPerCommand(state, 500);
}
BENCHMARK(BM_RepeatedCopy);

void BM_RepeatedCopyTwoPhases(benchmark::State& state) {
  AccessContext context;
  for (auto _ : state) {
    context.Reset();
    for (uint32_t i = 0; i < 500; ++i) {
      const Access read{kSource, vk::kSyncCopyTransferRead};
      const Access write{kTarget, vk::kSyncCopyTransferWrite};
      Hazard hazard;
      context.DetectHazard(read, Tag{i}, hazard);
      context.DetectHazard(write, Tag{i}, hazard);
      benchmark::DoNotOptimize(hazard);
      context.Update(read, Tag{i});
      context.Update(write, Tag{i});
    }
  }
  SetPerCommand(state, 500);
}
BENCHMARK(BM_RepeatedCopyTwoPhases);

void BM_CopyAndGlobalBarrier(benchmark::State& state) {
  AccessContext context;
  BarrierCache cache;
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    for (uint32_t i = 0; i < 500; ++i) {
      Copy(context, kSource, kTarget, Tag{2 * i}, hazard);
      context.ApplyGlobal(cache.Get(kCopyToCopy, kQueue));
    }
    if (hazard) state.SkipWithError("hazard");
  }
  SetPerCommand(state, 1000);
}
BENCHMARK(BM_CopyAndGlobalBarrier);

void BM_CopyAndBufferBarrier(benchmark::State& state) {
  AccessContext context;
  BarrierCache cache;
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    for (uint32_t i = 0; i < 500; ++i) {
      Copy(context, kSource, kTarget, Tag{2 * i}, hazard);
      context.ApplyRange(kTarget, cache.Get(kCopyToCopy, kQueue));
    }
    if (hazard) state.SkipWithError("hazard");
  }
  SetPerCommand(state, 1000);
}
BENCHMARK(BM_CopyAndBufferBarrier);

void BM_GlobalBarrier(benchmark::State& state) {
  AccessContext context;
  BarrierCache cache;
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    Copy(context, kSource, kTarget, Tag{0}, hazard);
    for (uint32_t i = 0; i < 500; ++i) context.ApplyGlobal(cache.Get(kCopyToCopy, kQueue));
  }
  SetPerCommand(state, 500);
}
BENCHMARK(BM_GlobalBarrier);

void BM_BufferBarrier(benchmark::State& state) {
  AccessContext context;
  BarrierCache cache;
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    Copy(context, kSource, kTarget, Tag{0}, hazard);
    for (uint32_t i = 0; i < 500; ++i) context.ApplyRange(kTarget, cache.Get(kCopyToCopy, kQueue));
  }
  SetPerCommand(state, 500);
}
BENCHMARK(BM_BufferBarrier);

void BM_LayoutTransition(benchmark::State& state) {
  AccessContext context;
  BarrierCache cache;
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    for (uint32_t i = 0; i < 500; ++i) {
      const RangeBarrier barrier{kTarget, &cache.Get(kCopyToCopy, kQueue), true};
      context.DetectLayoutTransition(barrier.range, *barrier.barrier, hazard);
      context.ApplyAll({}, {&barrier, 1}, Tag{i});
    }
    if (hazard) state.SkipWithError("hazard");
  }
  SetPerCommand(state, 500);
}
BENCHMARK(BM_LayoutTransition);

// Each copy to a range of its own, with a global barrier after each, twice over: in the second half every range is as
// many barriers behind as there are ranges.
void BM_DistinctRangesAndGlobalBarriers(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  AccessContext context;
  BarrierCache cache;
  const BarrierFlags flags[] = {kCopyToCopy,
                                {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_WRITE_BIT,
                                 VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT},
                                {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                 VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, VK_ACCESS_2_MEMORY_READ_BIT}};
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    for (uint32_t i = 0; i < 2 * count; ++i) {
      const uint64_t begin = 0x100000 + uint64_t{i * 7919u % count} * 0x100;
      Copy(context, kSource, {begin, begin + 0x80}, Tag{2 * i}, hazard);
      context.ApplyGlobal(cache.Get(flags[i % 3], kQueue));
    }
    benchmark::DoNotOptimize(hazard);
  }
  SetPerCommand(state, int64_t{4} * count);
}
BENCHMARK(BM_DistinctRangesAndGlobalBarriers)->Arg(100)->Arg(1000)->Arg(10000);

// As above, with a barrier over the whole buffer after every hundredth copy.
void BM_DistinctRangesAndBufferBarriers(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  AccessContext context;
  BarrierCache cache;
  const Range buffer{0x100000, 0x100000 + uint64_t{count} * 0x100};
  for (auto _ : state) {
    context.Reset();
    Hazard hazard;
    for (uint32_t i = 0; i < 2 * count; ++i) {
      const uint64_t begin = 0x100000 + uint64_t{i * 7919u % count} * 0x100;
      Copy(context, kSource, {begin, begin + 0x80}, Tag{2 * i}, hazard);
      if (i % 100 == 99) context.ApplyRange(buffer, cache.Get(kCopyToCopy, kQueue));
    }
    benchmark::DoNotOptimize(hazard);
  }
  SetPerCommand(state, int64_t{2} * count);
}
BENCHMARK(BM_DistinctRangesAndBufferBarriers)->Arg(1000)->Arg(10000);

// Replay: the cost of submitting a recorded command buffer of 500 copies, by what the copies have in common.

enum class Copies { kSame, kApart, kInRegions };

void RecordCopies(AccessContext& context, Copies copies, bool with_barriers) {
  BarrierCache cache;
  Hazard hazard;
  for (uint32_t i = 0; i < 500; ++i) {
    const uint64_t offset = copies == Copies::kSame ? 0 : uint64_t{i} * 0x200;
    const uint64_t source_region = copies == Copies::kInRegions ? 0x100000 : 0;
    const uint64_t target_region = copies == Copies::kInRegions ? 0x200000 : 0;
    context.DetectAndUpdate({{0x100000 + offset, 0x100100 + offset}, vk::kSyncCopyTransferRead, {}, source_region},
                            Tag{2 * i}, hazard);
    context.DetectAndUpdate({{0x200000 + offset, 0x200100 + offset}, vk::kSyncCopyTransferWrite, {}, target_region},
                            Tag{2 * i}, hazard);
    if (with_barriers) context.ApplyGlobal(cache.Get(kCopyToCopy, kQueue));
  }
}

void CountHazard(const ReplayHazard& hazard) {
  Tag tag = hazard.tag;
  benchmark::DoNotOptimize(tag);
}

// Onto an empty queue, as when the device was waited for; or again and again onto the same.
void BM_Replay(benchmark::State& state, Copies copies, bool with_barriers, bool again) {
  AccessContext recorded;
  RecordCopies(recorded, copies, with_barriers);
  AccessContext queue;
  queue.DisableJournal();
  uint32_t base = 0;
  for (auto _ : state) {
    if (!again) queue.Reset();
    queue.Replay(recorded, Tag{base += 1000}, CountHazard);
    if (base > 3'000'000'000) state.SkipWithError("out of tags");
  }
}
BENCHMARK_CAPTURE(BM_Replay, same, Copies::kSame, false, false);
BENCHMARK_CAPTURE(BM_Replay, same_with_barriers, Copies::kSame, true, false);
BENCHMARK_CAPTURE(BM_Replay, same_with_barriers_again, Copies::kSame, true, true);
BENCHMARK_CAPTURE(BM_Replay, apart, Copies::kApart, false, false);
BENCHMARK_CAPTURE(BM_Replay, apart_with_barriers_again, Copies::kApart, true, true);
BENCHMARK_CAPTURE(BM_Replay, in_regions, Copies::kInRegions, false, false);
BENCHMARK_CAPTURE(BM_Replay, in_regions_with_barriers, Copies::kInRegions, true, false);
BENCHMARK_CAPTURE(BM_Replay, in_regions_with_barriers_again, Copies::kInRegions, true, true);

// Recording, the first replay included.
void BM_RecordAndReplay(benchmark::State& state, Copies copies, bool with_replay) {
  AccessContext recorded;
  AccessContext queue;
  queue.DisableJournal();
  for (auto _ : state) {
    recorded.Reset();
    RecordCopies(recorded, copies, true);
    if (!with_replay) continue;
    queue.Reset();
    queue.Replay(recorded, Tag{0}, CountHazard);
  }
}
BENCHMARK_CAPTURE(BM_RecordAndReplay, record_same, Copies::kSame, false);
BENCHMARK_CAPTURE(BM_RecordAndReplay, same, Copies::kSame, true);
BENCHMARK_CAPTURE(BM_RecordAndReplay, record_in_regions, Copies::kInRegions, false);
BENCHMARK_CAPTURE(BM_RecordAndReplay, in_regions, Copies::kInRegions, true);

}  // namespace
}  // namespace assay::syncval
