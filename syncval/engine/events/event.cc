// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/events/event.h"

namespace assay::syncval {

void EventTable::Reset(uint64_t event) {
  std::erase(shared_, event);
  std::erase_if(events_, [event](const Event& known) { return known.event == event; });
}

const EventTable::Event* EventTable::Find(uint64_t event) const {
  const auto found = std::ranges::find(events_, event, &Event::event);
  return found != events_.end() ? &*found : nullptr;
}

EventTable::Event* EventTable::FindToChange(uint64_t event) {
  const auto found = std::ranges::find(events_, event, &Event::event);
  return found != events_.end() ? &*found : nullptr;
}

VkPipelineStageFlags2 EventTable::Event::StagesFor(const SyncAccessMask& scope) const {
  VkPipelineStageFlags2 result = 0;
  for (size_t i = 0; i < dependencies.size(); ++i) {
    const SyncAccessMask& accesses = dependencies[i].src.accesses.outside;
    if (accesses.Empty() || accesses.Intersects(scope)) result |= StageOf(i);
  }
  return result;
}

void EventTable::MoveTagsDown(uint32_t by) {
  for (Event& event : events_) event.tag.value -= std::min(event.tag.value, by);
}

void EventTable::Clear() {
  events_.clear();
  free_ = kAllEventStages;
  has_dropped_ = false;
  shared_.clear();
}

void EventTable::DropStagesOf(uint64_t event, Tag tag) {
  Event* const known = FindToChange(event);
  if (known == nullptr || known->tag != tag) return;
  known->DropStages();
  has_dropped_ = true;
}

}  // namespace assay::syncval
