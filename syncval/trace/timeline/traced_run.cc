// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/traced_run.h"

#include <algorithm>

namespace assay::syncval::trace {
namespace {

uint64_t SizeOf(const Timeline& timeline) { return timeline.commands() + timeline.batches().size(); }

}  // namespace

Timeline* TracedRun::Find(DeviceNumber number) {
  const auto found = std::ranges::find(live_, number, &Device::number);
  return found != live_.end() ? &found->timeline : nullptr;
}

void TracedRun::End(DeviceNumber number) {
  const auto found = std::ranges::find(live_, number, &Device::number);
  if (found == live_.end()) return;
  const uint32_t limit = found->timeline.limit();
  if (!found->timeline.batches().empty() || ended_.empty()) {
    ended_.splice(ended_.end(), live_, found);
  } else {
    live_.erase(found);
  }
  uint64_t size = 0;
  for (const Device& device : ended_) size += SizeOf(device.timeline);
  while (ended_.size() > 1 && (size > limit || ended_.front().timeline.batches().empty())) {
    size -= SizeOf(ended_.front().timeline);
    ended_.pop_front();
  }
}

std::vector<const Timeline*> TracedRun::timelines() const {
  std::vector<const Timeline*> timelines;
  for (const Device& device : ended_) timelines.push_back(&device.timeline);
  for (const Device& device : live_) timelines.push_back(&device.timeline);
  return timelines;
}

}  // namespace assay::syncval::trace
