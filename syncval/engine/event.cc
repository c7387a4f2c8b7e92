// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/event.h"

namespace assay::syncval {

void EventTable::Reset(uint64_t event) {
  std::erase_if(events_, [event](const Event& known) { return known.event == event; });
}

const EventTable::Event* EventTable::Find(uint64_t event) const {
  const auto found = std::ranges::find(events_, event, &Event::event);
  return found != events_.end() ? &*found : nullptr;
}

void EventTable::Clear() {
  events_.clear();
  free_ = kAllEventStages;
}

void EventTable::MoveTagsDown(uint32_t by) {
  for (Event& event : events_) event.set_at.value -= std::min(event.set_at.value, by);
}

VkPipelineStageFlags2 EventTable::TakeStage() {
  const VkPipelineStageFlags2 stage = free_ & (~free_ + 1);
  free_ &= ~stage;
  return stage;
}

}  // namespace assay::syncval
