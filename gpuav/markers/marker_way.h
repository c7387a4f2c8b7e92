// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_MARKERS_MARKER_WAY_H_
#define ASSAY_GPUAV_MARKERS_MARKER_WAY_H_

#include <cstdint>

#include "dispatch/dispatch.h"

namespace assay::gpuav {

// The ways of marking, the best first.
enum class MarkerWay : uint8_t {
  // vkCmdWriteBufferMarkerAMD, before and after each action command.
  kBufferMarkers,
  // vkCmdSetCheckpointNV: the driver keeps the last one of each queue.
  kCheckpoints,
  // vkCmdFillBuffer, at the begin and the end of a command buffer.
  kFills,
  // gpuav_markers is off.
  kNone,
};

// Whether the settings ask for markers.
bool WantsMarkers(const dispatch::Settings& settings);

MarkerWay MarkerWayOf(const dispatch::Device& device);

// The extension that a device has to enable for the best way that it has; null for none.
const char* MarkerExtensionOf(const dispatch::PhysicalDevice& physical_device);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_MARKERS_MARKER_WAY_H_
