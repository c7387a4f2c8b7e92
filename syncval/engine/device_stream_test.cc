// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/device_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/compare_device_stream.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/shrink_device_stream.h"

namespace assay::syncval {
namespace {

void ExpectAgreement(uint64_t seed, const DeviceStream& stream) {
  const auto fails = [](const DeviceStream& candidate) {
    return !FindDeviceDisagreement<Fault::kNone>(candidate).empty();
  };
  const std::string disagreement = FindDeviceDisagreement<Fault::kNone>(stream);
  if (disagreement.empty()) return;
  const DeviceStream small = ShrinkDeviceStream(stream, fails);
  FAIL() << "Seed " << seed << ", " << disagreement << "\nShrunk, " << FindDeviceDisagreement<Fault::kNone>(small)
         << "\n"
         << ToCode(small);
}

class DeviceStreamTest : public testing::TestWithParam<uint64_t> {};

TEST_P(DeviceStreamTest, OneQueue) {
  constexpr uint64_t kStreams = 600;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(seed, {});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

TEST_P(DeviceStreamTest, SeveralQueues) {
  constexpr uint64_t kStreams = 600;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream =
        RandomDeviceStream(~seed, {.commands = 6, .steps = 10, .queues = 2 + static_cast<uint32_t>(seed % 2)});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

TEST_P(DeviceStreamTest, Events) {
  constexpr uint64_t kStreams = 400;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(
        ~seed, {.commands = 8, .steps = 6, .queues = 1 + static_cast<uint32_t>(seed % 2), .with_events = true});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, 4)));
  }
}

TEST_P(DeviceStreamTest, RenderPasses) {
  constexpr uint64_t kStreams = 400;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(
        seed ^ 0x5555,
        {.commands = 8, .steps = 6, .queues = 1 + static_cast<uint32_t>(seed % 3), .with_render_passes = true});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Part, DeviceStreamTest, testing::Range(uint64_t{0}, uint64_t{8}));

// The streams are worth something only if they have all outcomes in good number.
TEST(DeviceStreams, HaveEveryOutcome) {
  std::map<HazardKind, size_t> counts;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    DeviceComparison<Fault::kNone> comparison(
        RandomDeviceStream(seed, {.commands = 6, .steps = 10, .queues = 3, .with_events = seed % 2 == 0}));
    EXPECT_EQ(comparison.Run(), "");
    for (const auto& [kind, count] : comparison.counts()) counts[kind] += count;
  }
  for (const HazardKind kind :
       {HazardKind::kReadAfterWrite, HazardKind::kWriteAfterRead, HazardKind::kWriteAfterWrite,
        HazardKind::kReadRacingWrite, HazardKind::kWriteRacingRead, HazardKind::kWriteRacingWrite}) {
    EXPECT_GT(counts[kind], 200u) << static_cast<int>(kind);
  }
}

// ---- Suggestions

using Suggested = DeviceComparison<Fault::kNone>::Suggested;
using Conflict = ReferenceModel::Conflict;

// Between all commands and the one that a suggestion is for.
constexpr Tag kBefore{1'000'000};

// What the suggestions for hazards of streams do in the model.
class SuggestionCheck {
 public:
  void operator()(const Suggested& suggested, const ReferenceModel& model, ReferenceModel::Where where) {
    suggested_ = &suggested;
    model_ = &model;
    where_ = where;
    const Suggestion& suggestion = suggested.suggestion;
    const bool is_race = IsRace(suggested.hazard.hazard.kind);
    ++counts_[suggestion.where];
    with_semaphores_ += !suggestion.semaphores.empty();
    of_transitions_ += suggested.hazard.transition != nullptr;
    before_ = ConflictsWith(model, {});
    SCOPED_TRACE(Words());
    ASSERT_FALSE(before_.empty());
    if (suggestion.where == Suggestion::Where::kSetEventLater) return CheckNoMaskHelps();
    const std::vector<Conflict> left = Apply(suggestion.flags, suggestion.semaphores);
    if (is_race) {
      EXPECT_FALSE(Contains(left, Prior()));
    } else {
      EXPECT_TRUE(left.empty());
    }
    for (const Suggestion::Semaphore& semaphore : suggestion.semaphores) CheckSemaphore(semaphore);
    CheckFlags(is_race);
  }

  int Count(Suggestion::Where where) { return counts_[where]; }
  int with_semaphores() const { return with_semaphores_; }
  int of_transitions() const { return of_transitions_; }
  int exceptions() const { return exceptions_; }

 private:
  static bool Contains(const std::vector<Conflict>& conflicts, const Conflict& conflict) {
    return std::ranges::find(conflicts, conflict) != conflicts.end();
  }
  // The prior access that the hazard names.
  Conflict Prior() const {
    const Hazard& hazard = suggested_->hazard.hazard;
    return {hazard.prior_queue, hazard.prior_tag, hazard.prior_access};
  }

  // With bits added to the first scope of the layout transition, if it is one.
  std::vector<Conflict> ConflictsWith(const ReferenceModel& model, const BarrierFlags& addition) const {
    const ReplayHazard& hazard = suggested_->hazard;
    if (hazard.transition == nullptr) return model.ConflictsOf(hazard.access, where_);
    ReferenceModel::ModelBarrier barrier = suggested_->barrier;
    barrier.flags.src_stages |= addition.src_stages;
    barrier.flags.src_access |= addition.src_access;
    const std::optional<uint32_t> event =
        !hazard.events.empty() ? std::optional(static_cast<uint32_t>(hazard.events.front())) : std::nullopt;
    return model.ConflictsOfTransition(hazard.access.range.begin, barrier, event, where_);
  }

  std::vector<Conflict> Apply(const BarrierFlags& flags, absl::Span<const Suggestion::Semaphore> semaphores) const {
    ReferenceModel model = *model_;
    for (const Suggestion::Semaphore& semaphore : semaphores) {
      model.RecordSemaphore({semaphore.queue, Tag{semaphore.after.value + 1}}, semaphore.signal_stages,
                            {where_.queue, kBefore}, semaphore.wait_stages);
    }
    switch (suggested_->suggestion.where) {
      case Suggestion::Where::kAddToTransition:
        return ConflictsWith(model, flags);
      case Suggestion::Where::kAddToPriorTransition:
        for (const Conflict& conflict : before_) model.AddToTransition(conflict, Address(), flags);
        return ConflictsWith(model, {});
      default:
        if (flags != BarrierFlags()) model.RecordBarriers({{.flags = flags}}, Tag{kBefore.value + 1}, where_);
        return ConflictsWith(model, {});
    }
  }

  // Each is for what one command did at one stage, and by itself puts that in order.
  void CheckSemaphore(const Suggestion::Semaphore& semaphore) const {
    const auto is_prior = [&](const Conflict& conflict) {
      const VkPipelineStageFlags2 stage = vk::SyncStageAccesses()[conflict.index].stage;
      return conflict.queue == semaphore.queue && conflict.tag == semaphore.after &&
             semaphore.signal_stages == (stage != 0 ? stage : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    };
    const auto count = [&](const Suggestion::Semaphore& changed) {
      return std::ranges::count_if(Apply(suggested_->suggestion.flags, {&changed, 1}), is_prior);
    };
    const auto all = std::ranges::count_if(before_, is_prior);
    EXPECT_GT(all, 0);
    EXPECT_LT(count(semaphore), all);
    for (uint64_t Suggestion::Semaphore::*member :
         {&Suggestion::Semaphore::signal_stages, &Suggestion::Semaphore::wait_stages}) {
      for (uint64_t rest = semaphore.*member; rest != 0; rest &= rest - 1) {
        Suggestion::Semaphore fewer = semaphore;
        fewer.*member &= ~(rest & (~rest + 1));
        EXPECT_EQ(count(fewer), all);
      }
    }
  }

  void CheckFlags(bool is_race) {
    const Suggestion& suggestion = suggested_->suggestion;
    // Access without a stage that does it, which is not valid, may make a bit of the suggestion one that was there.
    if (suggestion.where == Suggestion::Where::kAddToPriorTransition) {
      ReferenceModel model = *model_;
      for (const Conflict& conflict : before_) {
        if (model.AddToTransition(conflict, Address(), {}).dst_access != 0) return;
      }
    }
    for (uint64_t BarrierFlags::*member :
         {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages, &BarrierFlags::dst_access}) {
      for (uint64_t rest = suggestion.flags.*member; rest != 0; rest &= rest - 1) {
        BarrierFlags fewer = suggestion.flags;
        fewer.*member &= ~(rest & (~rest + 1));
        const std::vector<Conflict> left = Apply(fewer, suggestion.semaphores);
        if (left.empty() && MayBeException()) {
          ++exceptions_;
        } else {
          EXPECT_TRUE(is_race ? Contains(left, Prior()) : !left.empty());
        }
      }
    }
  }

  // Where there may be chains that suggestion.h tells of as not regarded.
  bool MayBeException() const {
    const Suggestion& suggestion = suggested_->suggestion;
    return !suggested_->hazard.events.empty() || suggestion.where == Suggestion::Where::kAddToPriorTransition ||
           (suggestion.where == Suggestion::Where::kBefore && !suggestion.semaphores.empty());
  }

  // Of what the own queue did.
  void CheckNoMaskHelps() const {
    EXPECT_FALSE(suggested_->hazard.events.empty());
    if (std::ranges::any_of(before_, [&](const Conflict& conflict) { return conflict.queue != where_.queue; })) return;
    constexpr BarrierFlags kEverything = {~VkPipelineStageFlags2{0}, ~VkAccessFlags2{0}, 0, 0};
    EXPECT_FALSE(ConflictsWith(*model_, kEverything).empty());
  }

  std::string Words() const {
    const auto name = [](vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index].name; };
    const Suggestion& suggestion = suggested_->suggestion;
    std::ostringstream out;
    out << "Hazard " << static_cast<int>(suggested_->hazard.hazard.kind) << " of "
        << name(suggested_->hazard.access.index) << " at " << suggested_->tag.value << ", queue "
        << static_cast<int>(where_.queue);
    for (const Conflict& prior : before_) {
      out << ", after " << name(prior.index) << " at " << prior.tag.value << ", queue "
          << static_cast<int>(prior.queue);
    }
    const BarrierFlags& flags = suggestion.flags;
    out << std::hex << ": " << static_cast<int>(suggestion.where) << " {" << flags.src_stages << ", "
        << flags.src_access << ", " << flags.dst_stages << ", " << flags.dst_access << "}";
    for (const Suggestion::Semaphore& semaphore : suggestion.semaphores) {
      out << " semaphore from " << static_cast<int>(semaphore.queue) << " {" << semaphore.signal_stages << ", "
          << semaphore.wait_stages << "}";
    }
    const BarrierFlags& own = suggested_->barrier.flags;
    out << " for {" << own.src_stages << ", " << own.src_access << ", " << own.dst_stages << ", " << own.dst_access
        << "}" << (!suggested_->hazard.events.empty() ? " of an event" : "");
    return out.str();
  }
  uint64_t Address() const { return suggested_->hazard.access.range.begin; }

  std::map<Suggestion::Where, int> counts_;
  int with_semaphores_ = 0;
  int of_transitions_ = 0;
  int exceptions_ = 0;
  // Of the suggestion that is checked.
  const Suggested* suggested_ = nullptr;
  const ReferenceModel* model_ = nullptr;
  ReferenceModel::Where where_;
  std::vector<Conflict> before_;
};

TEST(DeviceStreamSuggestions, SolveTheHazardAndAreMinimal) {
  SuggestionCheck check;
  for (uint64_t seed = 0; seed < 1500 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const uint32_t queues = 1 + static_cast<uint32_t>(seed % 3);
    DeviceComparison<Fault::kNone> comparison(
        RandomDeviceStream(seed, {.commands = 6, .queues = queues, .with_events = seed % 2 == 0}));
    comparison.CheckSuggestions(std::ref(check));
    EXPECT_EQ(comparison.Run(), "");
  }
  EXPECT_GT(check.Count(Suggestion::Where::kBefore), 1000);
  EXPECT_GT(check.Count(Suggestion::Where::kAddToTransition), 100);
  EXPECT_GT(check.Count(Suggestion::Where::kAddToPriorTransition), 10);
  EXPECT_GT(check.Count(Suggestion::Where::kSemaphores), 100);
  EXPECT_GT(check.Count(Suggestion::Where::kSetEventLater), 10);
  EXPECT_GT(check.with_semaphores(), check.Count(Suggestion::Where::kSemaphores));
  EXPECT_GT(check.of_transitions(), 200);
  EXPECT_LT(check.exceptions(), 20);
  RecordProperty("exceptions", check.exceptions());
}

}  // namespace
}  // namespace assay::syncval
