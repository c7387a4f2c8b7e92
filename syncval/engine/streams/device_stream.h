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

// A semaphore signal or wait, limited to stages. Each signal has its own number. The signal of a binary semaphore has
// one wait. A value of a timeline semaphore has any number of waits. A wait for a signal that does not exist yet does
// nothing.
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

// A small device for tests. The secondaries of a buffer come before it.
struct DeviceStream {
  // The first `inside_buffers` buffers are secondaries that subpasses execute.
  std::vector<Stream> buffers;
  uint32_t inside_buffers = 0;
  std::vector<DeviceStep> steps;
  // Whether events are set by vkCmdSetEvent, which names only stages, and waited for by vkCmdWaitEvents.
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
// The size of the stream with this seed. Among the seeds there are streams of every kind.
DeviceStreamSize SizeOfStream(uint64_t seed);

// Applies WithCompleteRenderPasses() to each buffer. Subpasses then execute exactly the buffers that are for subpasses.
DeviceStream WithCompleteRenderPasses(DeviceStream stream);

// Applies WithRegions() to each buffer.
DeviceStream WithRegions(const DeviceStream& stream, uint64_t region_bytes);

// Gives all sets and waits of an event the same barriers, those of the first set or wait, since they must be alike.
// With sync1 events there are two events. Their barriers have the same first stages and cover all bytes.
DeviceStream WithEqualEvents(DeviceStream stream);

// How many tags a buffer takes, those of its secondaries included.
uint32_t TagCount(const DeviceStream& stream, uint32_t buffer);

std::string ToCode(const DeviceStream& stream);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_DEVICE_STREAM_H_
