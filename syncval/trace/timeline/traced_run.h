// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_TRACED_RUN_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_TRACED_RUN_H_

#include <cstdint>
#include <list>
#include <utility>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

// A device that is traced, by a number that no other device of its run has. Numbers begin with 1.
using DeviceNumber = uint32_t;

// The devices of a process, those that ended and those that live. What they keep together is bounded, too: beyond the
// limit of the device that ended last, those that ended first are left out. So are devices that submitted nothing,
// which programs create to query properties.
class TracedRun {
 public:
  struct Device {
    DeviceNumber number = 0;
    Timeline timeline;
  };

  void Begin(DeviceNumber number, Timeline timeline) { live_.push_back({number, std::move(timeline)}); }
  // Null when no such device lives.
  Timeline* Find(DeviceNumber number);
  // The device is gone. Its timeline remains.
  void End(DeviceNumber number);

  // In the order in which they ended.
  const std::list<Device>& ended() const { return ended_; }
  // In the order in which they began.
  const std::list<Device>& live() const { return live_; }
  // Of the devices that ended, then of those that live: as outputs show them.
  std::vector<const Timeline*> timelines() const;

 private:
  std::list<Device> ended_;
  std::list<Device> live_;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_TRACED_RUN_H_
