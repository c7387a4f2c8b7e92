// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_DEVICE_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_DEVICE_STREAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "syncval/engine/streams/random_stream.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// A signal or wait of a semaphore, limited to stages. Each signal has a number of its own: that of a binary semaphore
// is waited for once, a value of a timeline semaphore any number of times. A wait for what has not been signalled is
// none.
struct StreamSemaphore {
  uint32_t signal = 0;
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
};

// Either a batch that is submitted or a wait of the host for an earlier one.
struct DeviceStep {
  uint32_t queue = 0;
  std::vector<StreamSemaphore> waits;
  std::vector<uint32_t> buffers;
  std::vector<StreamSemaphore> signals;
  bool is_host_wait = false;
  // The step that the host waits for.
  uint32_t waited_for = 0;
};

// A device in little, for tests. A buffer's secondaries come before it.
struct DeviceStream {
  // The first of which are of secondaries that are executed in subpasses.
  std::vector<Stream> buffers;
  uint32_t inside_buffers = 0;
  std::vector<DeviceStep> steps;
  // Events are set by vkCmdSetEvent, which says stages alone, and waited for by vkCmdWaitEvents.
  bool has_sync1_events = false;
};

struct DeviceStreamSize {
  uint32_t buffers = 4;
  uint32_t commands = 10;
  uint32_t steps = 8;
  uint32_t queues = 1;
  bool with_events = false;
  bool with_sync1_events = false;
  bool with_render_passes = false;
};
DeviceStream RandomDeviceStream(uint64_t seed, const DeviceStreamSize& size);
// Of a stream of any kind, by its seed.
DeviceStreamSize SizeOfStream(uint64_t seed);

// As WithCompleteRenderPasses of each buffer, which executes in subpasses what is to be executed there.
DeviceStream WithCompleteRenderPasses(DeviceStream stream);

// As WithRegions of each buffer.
DeviceStream WithRegions(const DeviceStream& stream, uint64_t region_bytes);

// The same with the barriers of each event's first set or wait at all of its sets and waits: they must be alike. In
// sync1 they have the same first stages, and the barriers of all bytes: there are two events.
DeviceStream WithEqualEvents(DeviceStream stream);

// How many tags a buffer takes, those of its secondaries included.
uint32_t TagCount(const DeviceStream& stream, uint32_t buffer);

std::string ToCode(const DeviceStream& stream);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_DEVICE_STREAM_H_
