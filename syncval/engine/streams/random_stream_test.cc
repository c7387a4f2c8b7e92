// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/streams/random_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/engine.h"
#include "syncval/engine/streams/compare_stream.h"
#include "syncval/engine/streams/shrink_stream.h"

namespace assay::syncval {
namespace {

void ExpectAgreement(uint64_t seed, const Stream& stream) {
  const std::string disagreement = FindDisagreement<Mutation::kNone>(stream);
  if (disagreement.empty()) return;
  const Stream small = ShrinkStream(stream, [](const Stream& candidate) {
    return !FindDisagreement<Mutation::kNone>(WithCompleteRenderPasses(candidate)).empty();
  });
  FAIL() << "Seed " << seed << ", " << disagreement << "\nShrunk, " << FindDisagreement<Mutation::kNone>(small) << "\n"
         << ToCode(small);
}

// Runs the stream over resources that may share memory, over one resource, and over several that share none.
void ExpectAgreementWithRegions(uint64_t seed, const Stream& stream) {
  ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
  for (uint64_t region_bytes : {1, 4, 12}) {
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
  }
}

class RandomStreamTest : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomStreamTest, EngineAgreesWithModel) {
  constexpr uint64_t kStreams = 2500;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    ASSERT_NO_FATAL_FAILURE(ExpectAgreementWithRegions(seed, RandomStream(seed, 8, 60)));
  }
}

// The streams are so long that states fall far behind the barrier log.
TEST_P(RandomStreamTest, EngineAgreesWithModelInLongStreams) {
  constexpr uint64_t kStreams = 25;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    ASSERT_NO_FATAL_FAILURE(ExpectAgreementWithRegions(seed, RandomStream(~seed, 200, 400)));
  }
}

TEST_P(RandomStreamTest, EngineAgreesWithModelInRenderPasses) {
  constexpr uint64_t kStreams = 1000;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    ASSERT_NO_FATAL_FAILURE(ExpectAgreementWithRegions(seed, RandomStreamOfSubpasses(seed, 8, 60)));
  }
}

TEST_P(RandomStreamTest, EngineAgreesWithModelInManySubpasses) {
  constexpr uint64_t kStreams = 100;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    ASSERT_NO_FATAL_FAILURE(ExpectAgreementWithRegions(seed, RandomStreamOfManySubpasses(seed)));
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RandomStreamTest, testing::Range(uint64_t{0}, uint64_t{8}));

// What a shrunk stream prints is the stream.
TEST(RandomStreams, PrintRegions) {
  const Stream stream = {{.accesses = {{.range = {4, 8}, .index = vk::kSyncCopyTransferWrite}},
                          .barriers = {{.global = false, .range = {4, 8}}}}};
  EXPECT_EQ(ToCode(stream).find(".region"), std::string::npos);
  const std::string code = ToCode(WithRegions(stream, 4));
  ASSERT_NE(code.find(".region = 2"), std::string::npos);
  EXPECT_NE(code.find(".region = 2"), code.rfind(".region = 2"));
}

// The streams test little unless each outcome is frequent.
TEST(RandomStreams, HaveEveryOutcome) {
  uint32_t accesses[4] = {};
  uint32_t transitions[4] = {};
  for (uint64_t seed = 0; seed < 200; ++seed) {
    AccessContext context;
    BarrierCache cache;
    uint32_t position = 0;
    for (const StreamCommand& command : RandomStream(seed, 8, 60)) {
      const Tag tag{position++};
      for (const Access& access : command.accesses) {
        Hazard hazard;
        context.DetectHazard(access, tag, hazard);
        ++accesses[static_cast<size_t>(hazard.kind)];
      }
      for (const Access& access : command.accesses) context.Update(access, tag);
      for (const StreamBarrier& barrier : command.barriers) {
        if (!barrier.layout_transition) continue;
        Hazard hazard;
        context.DetectLayoutTransition(barrier.range, cache.Get(barrier.flags, kStreamQueue), hazard);
        ++transitions[static_cast<size_t>(hazard.kind)];
      }
      ApplyStreamBarriers(command.barriers, tag, cache, context);
    }
  }
  for (const uint32_t count : accesses) EXPECT_GT(count, 300u);
  for (const HazardKind kind : {HazardKind::kNone, HazardKind::kWriteAfterRead, HazardKind::kWriteAfterWrite}) {
    EXPECT_GT(transitions[static_cast<size_t>(kind)], 40u);
  }
  RecordProperty("clean_accesses", static_cast<int>(accesses[0]));
}

// Suggestions.

bool IsSolved(ReferenceModel model, const BarrierFlags& flags, const std::vector<Access>& accesses) {
  model.RecordBarriers({{.flags = flags}}, Tag{1'000'000});
  return std::ranges::none_of(accesses, [&](const Access& access) { return bool{model.DetectAccess(access)}; });
}

bool IsTransitionSolved(const ReferenceModel& model, const BarrierFlags& flags, ReferenceModel::ModelBarrier barrier) {
  barrier.flags.src_stages |= flags.src_stages;
  barrier.flags.src_access |= flags.src_access;
  return !model.DetectTransition(barrier);
}

// Calls visit with each way to leave one bit out of flags.
template <typename Visit>
void ForEachWithoutOneBit(const BarrierFlags& flags, Visit visit) {
  for (uint64_t BarrierFlags::* member :
       {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages, &BarrierFlags::dst_access}) {
    for (uint64_t rest = flags.*member; rest != 0; rest &= rest - 1) {
      BarrierFlags fewer = flags;
      fewer.*member &= ~(rest & (~rest + 1));
      visit(fewer);
    }
  }
}

// Marks the barriers that a suggestion is for. No stage has this bit.
constexpr VkPipelineStageFlags2 kToBeReplaced = VkPipelineStageFlags2{1} << 63;

struct SuggestionCounts {
  int before = 0;
  int to_transition = 0;
  int to_prior_transition = 0;
};

// Reads and writes of any kind. A barrier may name them without a stage.
constexpr VkAccessFlags2 kAnyStage = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

ReferenceModel RunModel(const Stream& stream, size_t commands) {
  ReferenceModel model(kStreamQueue);
  for (uint32_t i = 0; i < commands; ++i) {
    model.RecordAccesses(stream[i].accesses, Tag{i});
    model.RecordBarriers(ToModel(stream[i].barriers), Tag{i});
  }
  return model;
}

// A barrier after every access that a barrier can be ordered after.
constexpr BarrierFlags kEverything = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT, kAnyStage,
                                      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT, kAnyStage};

// Checks a suggestion for earlier layout transitions, byte by byte. The command conflicts with these transitions, and
// no barrier is ordered after them. The bits added to their barriers must solve the conflicts, and fewer bits must not.
void CheckAdditionToPriorTransition(const Stream& stream, uint32_t command, const BarrierFlags& flags) {
  const ReferenceModel model = RunModel(stream, command);
  Stream wider = stream;
  std::vector<Access> solved;
  bool has_access_without_stage = false;
  for (const Access& access : stream[command].accesses) {
    for (uint64_t address = access.range.begin; address < access.range.end; ++address) {
      const Access byte = {.range = {address, address + 1}, .index = access.index, .ordering = access.ordering};
      const Hazard hazard = model.DetectAccess(byte);
      if (!hazard || hazard.prior_access != vk::kSyncImageLayoutTransition) continue;
      if (IsSolved(model, kEverything, {byte})) continue;
      solved.push_back(byte);
      for (StreamBarrier& barrier : wider[hazard.prior_tag.value].barriers) {
        if (!barrier.layout_transition) continue;
        has_access_without_stage |= (barrier.flags.dst_access & ~kAnyStage) != 0;
        barrier.flags.dst_stages |= kToBeReplaced;
      }
    }
  }
  EXPECT_FALSE(solved.empty());
  const auto solves = [&](Stream changed, const BarrierFlags& added) {
    for (StreamCommand& each : changed) {
      for (StreamBarrier& barrier : each.barriers) {
        if ((barrier.flags.dst_stages & kToBeReplaced) == 0) continue;
        barrier.flags.dst_stages = (barrier.flags.dst_stages & ~kToBeReplaced) | added.dst_stages;
        barrier.flags.dst_access |= added.dst_access;
      }
    }
    const ReferenceModel changed_model = RunModel(changed, command);
    return std::ranges::none_of(solved, [&](const Access& byte) { return bool{changed_model.DetectAccess(byte)}; });
  };
  EXPECT_TRUE(solves(wider, flags));
  // A barrier that names single kinds of access without a stage is not valid. The suggestion may repeat these kinds.
  if (has_access_without_stage) return;
  ForEachWithoutOneBit(flags, [&](const BarrierFlags& fewer) { EXPECT_FALSE(solves(wider, fewer)); });
}

void CheckSuggestion(AccessContext& context, const ReferenceModel& model, const Stream& stream, uint32_t command,
                     SuggestionCounts& counts) {
  const std::vector<Access>& accesses = stream[command].accesses;
  const Suggestion suggestion = context.SuggestBarrier(accesses, Tag{command});
  if (suggestion.kind == Suggestion::Kind::kAddToPriorTransition) {
    ++counts.to_prior_transition;
    CheckAdditionToPriorTransition(stream, command, suggestion.flags);
    return;
  }
  ++counts.before;
  EXPECT_TRUE(IsSolved(model, suggestion.flags, accesses));
  ForEachWithoutOneBit(suggestion.flags,
                       [&](const BarrierFlags& fewer) { EXPECT_FALSE(IsSolved(model, fewer, accesses)); });
}

void CheckTransitionSuggestion(AccessContext& context, const ReferenceModel& model,
                               const ReferenceModel::ModelBarrier& barrier, SuggestionCounts& counts) {
  ++counts.to_transition;
  const Suggestion suggestion = context.SuggestForLayoutTransition({barrier.range}, barrier.flags, kStreamQueue);
  EXPECT_EQ(suggestion.kind, Suggestion::Kind::kAddToTransition);
  EXPECT_TRUE(IsTransitionSolved(model, suggestion.flags, barrier));
  ForEachWithoutOneBit(suggestion.flags,
                       [&](const BarrierFlags& fewer) { EXPECT_FALSE(IsTransitionSolved(model, fewer, barrier)); });
}

void CheckSuggestions(const Stream& stream, SuggestionCounts& counts) {
  AccessContext context;
  BarrierCache cache;
  ReferenceModel model(kStreamQueue);
  for (uint32_t i = 0; i < stream.size(); ++i) {
    const Tag tag{i};
    const std::vector<Access>& accesses = stream[i].accesses;
    Hazard hazard;
    for (const Access& access : accesses) context.DetectHazard(access, tag, hazard);
    if (hazard) CheckSuggestion(context, model, stream, i, counts);
    for (const Access& access : accesses) context.Update(access, tag);
    model.RecordAccesses(accesses, tag);
    const std::vector<ReferenceModel::ModelBarrier> barriers = ToModel(stream[i].barriers);
    for (const ReferenceModel::ModelBarrier& barrier : barriers) {
      if (barrier.layout_transition && model.DetectTransition(barrier)) {
        CheckTransitionSuggestion(context, model, barrier, counts);
      }
    }
    ApplyStreamBarriers(stream[i].barriers, tag, cache, context);
    model.RecordBarriers(barriers, tag);
  }
}

TEST(RandomStreamSuggestions, SolveTheHazardAndAreMinimal) {
  SuggestionCounts counts;
  for (uint64_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    CheckSuggestions(RandomStream(seed, 8, 40), counts);
  }
  EXPECT_GT(counts.before, 1000);
  EXPECT_GT(counts.to_transition, 100);
  EXPECT_GT(counts.to_prior_transition, 10);
}

}  // namespace
}  // namespace assay::syncval
