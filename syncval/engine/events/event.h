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

#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/stage_set.h"
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
class EventTable {
 public:
  struct Event {
    // The caller's.
    uint64_t event = 0;
    // Where it was set.
    Tag tag;
    // One for each dependency of the set, in order; the last represents all further ones.
    std::vector<VkPipelineStageFlags2> stages;
    // The first access scope of each, as far as they have a stage of their own.
    std::vector<SyncAccessMask> accesses;

    // The stage for dependency `number` of a wait that names the same dependencies.
    VkPipelineStageFlags2 StageOf(size_t number) const { return stages[std::min(number, stages.size() - 1)]; }
    // The stages of those dependencies of the set whose first access scope is empty or meets this one.
    VkPipelineStageFlags2 StagesFor(const SyncAccessMask& scope) const;
  };

  // Sets an event with a dependency for each of these first access scopes. release(stages) takes stages out of all
  // states before they are assigned anew.
  template <typename Release>
  const Event& Set(uint64_t event, Tag tag, std::vector<SyncAccessMask> accesses, Release&& release);
  void Reset(uint64_t event);
  // Forgets the events whose tag is_over(Tag): nothing tracked is before them any more.
  template <typename IsOver>
  void Forget(IsOver&& is_over) {
    std::erase_if(events_, [&](const Event& known) { return is_over(known.tag); });
  }
  void MoveTagsDown(uint32_t by);
  size_t size() const { return events_.size(); }
  // Null if the event is not set here.
  const Event* Find(uint64_t event) const;
  void Clear();

 private:
  VkPipelineStageFlags2 TakeStage();

  std::vector<Event> events_;
  // The stages that have not been assigned since the last release.
  VkPipelineStageFlags2 free_ = kAllEventStages;
};

template <typename Release>
const EventTable::Event& EventTable::Set(uint64_t event, Tag tag, std::vector<SyncAccessMask> accesses,
                                         Release&& release) {
  Reset(event);
  if (accesses.empty()) accesses.emplace_back();
  const size_t dependencies = accesses.size();
  Event& added = events_.emplace_back(Event{.event = event, .tag = tag, .accesses = std::move(accesses)});
  for (size_t i = 0; i < dependencies; ++i) {
    if (free_ == 0) {
      VkPipelineStageFlags2 assigned = 0;
      for (const Event& other : events_) {
        for (const VkPipelineStageFlags2 stage : other.stages) assigned |= stage;
      }
      free_ = kAllEventStages & ~assigned;
      release(free_);
    }
    if (free_ == 0) {
      // Too many events at once: they share a stage, and a wait for one orders what is before any of those.
      added.stages.push_back(VkPipelineStageFlags2{1} << kFirstEventStage);
    } else {
      added.stages.push_back(TakeStage());
    }
  }
  return added;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_EVENTS_EVENT_H_
