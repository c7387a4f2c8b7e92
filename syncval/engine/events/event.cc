// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/events/event.h"

namespace assay::syncval {

void EventTable::Reset(uint64_t event) {
  std::erase_if(events_, [event](const Event& known) { return known.event == event; });
}

const EventTable::Event* EventTable::Find(uint64_t event) const {
  const auto found = std::ranges::find(events_, event, &Event::event);
  return found != events_.end() ? &*found : nullptr;
}

VkPipelineStageFlags2 EventTable::Event::StagesFor(const SyncAccessMask& scope) const {
  VkPipelineStageFlags2 result = 0;
  for (size_t i = 0; i < accesses.size(); ++i) {
    if (accesses[i].Empty() || accesses[i].Intersects(scope)) result |= stages[i];
  }
  return result;
}

void EventTable::MoveTagsDown(uint32_t by) {
  for (Event& event : events_) event.tag.value -= std::min(event.tag.value, by);
}

void EventTable::Clear() {
  events_.clear();
  free_ = kAllEventStages;
}

VkPipelineStageFlags2 EventTable::TakeStage() {
  const VkPipelineStageFlags2 stage = free_ & (~free_ + 1);
  free_ &= ~stage;
  return stage;
}

}  // namespace assay::syncval
