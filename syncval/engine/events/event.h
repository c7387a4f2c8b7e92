// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_EVENTS_EVENT_H_
#define ASSAY_SYNCVAL_ENGINE_EVENTS_EVENT_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/ranges/types.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// Stages that no command has. Each represents the second scope of the set of an event and the first scope of the wait
// for it. The accesses ordered before such a stage are those in the first scope when the event was set.
inline constexpr uint32_t kEventStageCount = 16;
inline constexpr uint32_t kFirstEventStage = 48;
inline constexpr VkPipelineStageFlags2 kAllEventStages = ((uint64_t{1} << kEventStageCount) - 1) << kFirstEventStage;

// The same inside subpasses, for the first scope of a dependency when its first subpass ended.
inline constexpr VkPipelineStageFlags2 kDependencyStages = kAllEventStages;

// The stages that commands have.
constexpr VkPipelineStageFlags2 CommandStages(const StageSet& stages, bool is_inside) {
  return is_inside ? stages.inside & ~kDependencyStages : stages.outside & ~(kAllEventStages | kEverythingLater);
}

// Translates the event stages of one context to those of another.
class EventStageMap {
 public:
  void Clear() { to_ = {}; }
  void Replace(VkPipelineStageFlags2 from, VkPipelineStageFlags2 to) { to_[Number(from)] = to; }
  void Remove(VkPipelineStageFlags2 to) {
    for (VkPipelineStageFlags2& stages : to_) stages &= ~to;
  }
  StageSet Map(StageSet stages) const {
    stages.outside = Map(stages.outside);
    return stages;
  }
  // Real stages stay as they are.
  VkPipelineStageFlags2 Map(VkPipelineStageFlags2 stages) const {
    VkPipelineStageFlags2 result = stages & ~kAllEventStages;
    for (uint64_t rest = stages & kAllEventStages; rest != 0; rest &= rest - 1) {
      result |= to_[Number(rest & (~rest + 1))];
    }
    return result;
  }

 private:
  static size_t Number(VkPipelineStageFlags2 stage) {
    return static_cast<size_t>(std::countr_zero(stage)) - kFirstEventStage;
  }

  std::array<VkPipelineStageFlags2, kEventStageCount> to_ = {};
};

// The events that are set in a context, and the stages that they have.
//
// There are few stages. When none is left, the event that was set first loses its stages. What was in its first scopes
// is found anew when it is waited for (MakeResident): accesses before the set that are in a first scope, of themselves
// or by a chain. Chains may have grown since the set, so that too much may be ordered. Events of one wait then share
// stages. That loses nothing, since the wait has all of them in its first scope.
class EventTable {
 public:
  // One dependency of a set: its first scope, and what its memory dependency covers.
  struct Dependency {
    BarrierScope src;
    bool is_everywhere = false;
    std::vector<Range> ranges;
  };
  struct Event {
    // The caller's.
    uint64_t event = 0;
    // Where it was set.
    Tag tag;
    // Of the set, in order.
    std::vector<Dependency> dependencies;
    // One for each dependency; the last represents all further ones. 0 if the event has lost its stages.
    std::vector<VkPipelineStageFlags2> stages;

    size_t NumberOfStage(size_t dependency) const { return std::min(dependency, stages.size() - 1); }
    // The stage for dependency `number` of a wait that names the same dependencies.
    VkPipelineStageFlags2 StageOf(size_t number) const { return stages[NumberOfStage(number)]; }
    // The stages of those dependencies of the set whose first access scope is empty or meets this one.
    VkPipelineStageFlags2 StagesFor(const SyncAccessMask& scope) const;
    bool has_stages() const { return stages.front() != 0; }
    void DropStages() { std::ranges::fill(stages, 0); }
  };

  // Sets an event. release(stages) takes stages out of all states before they are assigned anew.
  template <typename Release>
  const Event& Set(uint64_t event, Tag tag, std::vector<Dependency> dependencies, Release&& release);
  void Reset(uint64_t event);
  // Gives these events stages, as far as they are set, before they are waited for together. mark(stage, event, number)
  // adds a stage to what was in the first scope of the dependencies that it is of, when the event was set. by_access:
  // as EventCommand::matches_by_access of the wait.
  template <typename Release, typename Mark>
  void MakeResident(absl::Span<const uint64_t> events, bool by_access, Release&& release, Mark&& mark);
  // An event that another context has set with this tag has lost its stages there, so that it must not keep those that
  // it has here.
  void DropStagesOf(uint64_t event, Tag tag);
  // Calls visit(Event) on those that have lost their stages, or have stages only for the last wait.
  template <typename Visit>
  void ForEachDropped(Visit&& visit) const {
    if (!has_dropped_) return;
    for (const Event& known : events_) {
      if (!known.has_stages() || std::ranges::find(shared_, known.event) != shared_.end()) visit(known);
    }
  }
  // Forgets the events whose tag is_over(Tag): nothing tracked is before them any more.
  template <typename IsOver>
  void Forget(IsOver&& is_over) {
    std::erase_if(events_, [&](const Event& known) { return is_over(known.tag); });
  }
  void MoveTagsDown(uint32_t by);
  size_t size() const { return events_.size(); }
  // In the order in which they were set.
  absl::Span<const Event> events() const { return events_; }
  // Null if the event is not set here.
  const Event* Find(uint64_t event) const;
  void Clear();

 private:
  // Of one event. An event with more distinct dependencies orders too much.
  static constexpr size_t kMaxStages = 12;

  Event* FindToChange(uint64_t event);
  // A stage that no event has; 0 if all are of these events.
  template <typename Release>
  VkPipelineStageFlags2 TakeStage(absl::Span<const uint64_t> keep, Release&& release);
  // Makes the stages free that no event has.
  template <typename Release>
  void FindFreeStages(Release&& release);

  // In the order in which they were set.
  std::vector<Event> events_;
  // The stages that have not been assigned since the last release.
  VkPipelineStageFlags2 free_ = kAllEventStages;
  // Whether an event has lost its stages.
  bool has_dropped_ = false;
  // The events of the last wait, if they share stages.
  std::vector<uint64_t> shared_;
};

template <typename Release>
void EventTable::FindFreeStages(Release&& release) {
  VkPipelineStageFlags2 assigned = 0;
  for (const Event& event : events_) {
    for (const VkPipelineStageFlags2 stage : event.stages) assigned |= stage;
  }
  free_ = kAllEventStages & ~assigned;
  if (free_ != 0) release(free_);
}

template <typename Release>
VkPipelineStageFlags2 EventTable::TakeStage(absl::Span<const uint64_t> keep, Release&& release) {
  if (free_ == 0) FindFreeStages(release);
  if (free_ == 0) {
    const auto first = std::ranges::find_if(events_, [&](const Event& event) {
      return !event.stages.empty() && event.has_stages() && std::ranges::find(keep, event.event) == keep.end();
    });
    if (first == events_.end()) return 0;
    first->DropStages();
    has_dropped_ = true;
    FindFreeStages(release);
  }
  const VkPipelineStageFlags2 stage = free_ & (~free_ + 1);
  free_ &= ~stage;
  return stage;
}

template <typename Release>
const EventTable::Event& EventTable::Set(uint64_t event, Tag tag, std::vector<Dependency> dependencies,
                                         Release&& release) {
  Reset(event);
  if (dependencies.empty()) dependencies.emplace_back();
  Event& added = events_.emplace_back(Event{.event = event, .tag = tag, .dependencies = std::move(dependencies)});
  const size_t count = std::min(added.dependencies.size(), kMaxStages);
  for (size_t i = 0; i < count; ++i) added.stages.push_back(TakeStage({&event, 1}, release));
  return added;
}

template <typename Release, typename Mark>
void EventTable::MakeResident(absl::Span<const uint64_t> events, bool by_access, Release&& release, Mark&& mark) {
  if (!has_dropped_ || std::ranges::equal(shared_, events)) return;
  for (const uint64_t event : std::exchange(shared_, {})) {
    if (Event* const known = FindToChange(event)) known->DropStages();
  }
  const auto has_stages = [this](uint64_t event) {
    const Event* const known = Find(event);
    return known == nullptr || known->has_stages();
  };
  if (std::ranges::all_of(events, has_stages)) return;
  shared_.assign(events.begin(), events.end());
  for (const uint64_t event : events) {
    if (Event* const known = FindToChange(event)) known->DropStages();
  }
  // The stages for this wait: by first access scope if that is what a wait names, else by number.
  struct Shared {
    size_t number;
    SyncAccessMask accesses;
    VkPipelineStageFlags2 stage;
  };
  std::vector<Shared> stages;
  for (const uint64_t event : events) {
    Event* const known = FindToChange(event);
    if (known == nullptr || known->has_stages()) continue;
    for (size_t i = 0; i < known->stages.size(); ++i) {
      const SyncAccessMask& accesses = known->dependencies[i].src.accesses.outside;
      const auto found = std::ranges::find_if(
          stages, [&](const Shared& shared) { return by_access ? shared.accesses == accesses : shared.number == i; });
      VkPipelineStageFlags2 stage = found != stages.end() ? found->stage : TakeStage(events, release);
      if (stage == 0) stage = stages.back().stage;
      if (found == stages.end()) stages.push_back({i, accesses, stage});
      known->stages[i] = stage;
      mark(stage, std::as_const(*known), i);
    }
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_EVENTS_EVENT_H_
