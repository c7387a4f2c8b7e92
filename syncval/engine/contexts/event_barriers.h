// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_EVENT_BARRIERS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_EVENT_BARRIERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/replay/replay_plan.h"

namespace assay::syncval {

// The barriers that a command does at the set of an event, or at the wait for it. See "Events" in engine.h.
struct EventBarriers {
  std::vector<Barrier> barriers;
  // These point to barriers.
  std::vector<const Barrier*> globals;
  // As many as the command's.
  std::vector<RangeBarrier> ranges;
};

// Calls visit(Barrier) on each dependency, in the order in which they are given. The parts of an image are one.
template <typename Visit>
void ForEachDependency(const EventCommand& command, Visit&& visit) {
  for (const Barrier* barrier : command.globals) visit(*barrier);
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    if (i == 0 || command.ranges[i].barrier != command.ranges[i - 1].barrier) visit(*command.ranges[i].barrier);
  }
}

// The dependencies of a set, as EventTable has them.
inline std::vector<EventTable::Dependency> DependenciesOf(const EventCommand& command) {
  std::vector<EventTable::Dependency> dependencies;
  ForEachDependency(command, [&](const Barrier& dependency) {
    dependencies.push_back({.src = dependency.src, .is_everywhere = dependencies.size() < command.globals.size()});
  });
  size_t next = command.globals.size();
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    if (i == 0 || command.ranges[i].barrier != command.ranges[i - 1].barrier) ++next;
    dependencies[next - 1].ranges.push_back(command.ranges[i].range);
  }
  return dependencies;
}

// make(Barrier, its number) returns the barrier of one side for a dependency of the command.
template <typename Make>
EventBarriers MakeEventBarriers(const EventCommand& command, Make&& make) {
  EventBarriers event_barriers;
  ForEachDependency(command, [&](const Barrier& dependency) {
    event_barriers.barriers.push_back(make(dependency, event_barriers.barriers.size()));
  });
  for (size_t i = 0; i < command.globals.size(); ++i) event_barriers.globals.push_back(&event_barriers.barriers[i]);
  size_t next = command.globals.size();
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    RangeBarrier range = command.ranges[i];
    const bool is_new = i == 0 || range.barrier != command.ranges[i - 1].barrier;
    range.barrier = is_new ? &event_barriers.barriers[next++] : event_barriers.ranges.back().barrier;
    event_barriers.ranges.push_back(range);
  }
  return event_barriers;
}

// The barriers of the set of an event, which has these stages. Layouts change at the wait.
inline EventBarriers MakeSetBarriers(const EventTable::Event& set, const EventCommand& command) {
  EventBarriers event_barriers = MakeEventBarriers(command, [&](const Barrier& dependency, size_t number) {
    return Barrier{dependency.src, {StageSet(set.StageOf(number)), {}}};
  });
  for (RangeBarrier& range : event_barriers.ranges) range.layout_transition = false;
  return event_barriers;
}

// The barriers of a wait for events. Their first scopes are the stages of those that the table has.
template <Mutation kMutation>
EventBarriers MakeWaitBarriers(const EventTable& table, absl::Span<const uint64_t> events,
                               const EventCommand& command) {
  return MakeEventBarriers(command, [&](const Barrier& dependency, size_t number) {
    VkPipelineStageFlags2 stages = 0;
    for (const uint64_t event : events) {
      const EventTable::Event* const set = table.Find(event);
      if (set == nullptr) continue;
      stages |= command.matches_by_access ? set->StagesFor(dependency.src.accesses.outside) : set->StageOf(number);
    }
    if (kMutation == Mutation::kEventCoversLaterWork && stages != 0) return dependency;
    return Barrier{{StageSet(stages), {}}, dependency.dst, dependency.flags};
  });
}

// Extends the second scopes of a wait in a subpass: they are all that is later, in the subpass and after it.
inline void ExtendIntoSubpass(EventBarriers& event_barriers) {
  for (Barrier& barrier : event_barriers.barriers) {
    const BarrierScope inside = barrier.dst.Inside();
    barrier.id = 0;
    barrier.dst.stages |= inside.stages;
    barrier.dst.accesses |= inside.accesses;
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_EVENT_BARRIERS_H_
