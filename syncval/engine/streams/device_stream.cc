// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/streams/device_stream.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "syncval/engine/streams/stream_generator.h"

namespace assay::syncval {
namespace {

// Lets some commands execute buffers that execute none themselves.
void AddSecondaries(Random& random, DeviceStream& stream) {
  const size_t secondaries = stream.buffers.size() / 2;
  for (size_t i = secondaries; i < stream.buffers.size(); ++i) {
    for (StreamCommand& command : stream.buffers[i]) {
      if (secondaries == 0 || !random.OneIn(8)) continue;
      command = {};
      for (size_t n = 1 + random.Below(2); n > 0; --n) {
        command.executes.push_back(static_cast<uint32_t>(random.Below(secondaries)));
      }
    }
  }
}

// Turns some commands with barriers into waits for events. Most have a set with the same barriers somewhere before, and
// some have a reset. A set or wait without a partner is for the waits and sets in other buffers.
void AddEvents(Random& random, DeviceStream& stream) {
  for (Stream& buffer : stream.buffers) {
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (buffer[i].barriers.empty() || !random.OneIn(2)) continue;
      buffer[i].event = random.OneIn(6) ? StreamEvent::kSet : StreamEvent::kWait;
      buffer[i].event_number = static_cast<uint32_t>(random.Below(3));
      if (buffer[i].event == StreamEvent::kSet || random.OneIn(5)) continue;
      StreamCommand set = buffer[i];
      set.event = StreamEvent::kSet;
      buffer.insert(buffer.begin() + static_cast<ptrdiff_t>(random.Below(i + 1)), set);
      ++i;
      if (random.OneIn(6)) {
        const StreamCommand reset{.event = StreamEvent::kReset, .event_number = set.event_number};
        buffer.insert(buffer.begin() + static_cast<ptrdiff_t>(random.Below(i + 1)), reset);
        ++i;
      }
    }
  }
}

void AddRenderPasses(StreamGenerator& generator, DeviceStream& stream) {
  const size_t secondaries = stream.buffers.size() / 2;
  stream.inside_buffers = static_cast<uint32_t>(secondaries + 1) / 2;
  for (size_t i = secondaries; i < stream.buffers.size(); ++i)
    stream.buffers[i] = generator.WithRenderPasses(stream.buffers[i]);
}

VkPipelineStageFlags2 SemaphoreStages(Random& random) {
  if (random.OneIn(2)) return VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  if (random.OneIn(3)) return random.Of(kWideStages);
  return vk::SyncStageAccesses()[random.Of(kStreamKinds)].stage |
         vk::SyncStageAccesses()[random.Of(kStreamKinds)].stage;
}

// A batch's signal has the number of its step. Most waits are for a recent signal.
DeviceStep MakeBatch(Random& random, const DeviceStream& stream, uint32_t queues) {
  const auto number = static_cast<uint32_t>(stream.steps.size());
  DeviceStep step{.queue = static_cast<uint32_t>(random.Below(queues))};
  for (size_t n = random.OneIn(3) ? 2 : 1; n > 0; --n) {
    step.buffers.push_back(stream.inside_buffers +
                           static_cast<uint32_t>(random.Below(stream.buffers.size() - stream.inside_buffers)));
  }
  if (queues == 1 && !random.OneIn(4)) return step;
  for (size_t n = random.Below(3); n > 0 && number != 0; --n) {
    const auto back = static_cast<uint32_t>(1 + random.Below(std::min<uint64_t>(number, random.OneIn(3) ? 6 : 2)));
    step.waits.push_back({number - back, SemaphoreStages(random)});
  }
  if (!random.OneIn(4)) step.signals.push_back({number, SemaphoreStages(random)});
  return step;
}

}  // namespace

DeviceStream RandomDeviceStream(uint64_t seed, const DeviceStreamSize& size) {
  StreamGenerator generator(seed);
  Random& random = generator.random();
  DeviceStream stream;
  for (uint32_t i = 0; i < size.buffers; ++i) stream.buffers.push_back(generator.Make(1, size.commands));
  AddSecondaries(random, stream);
  if (size.with_events) AddEvents(random, stream);
  stream.has_sync1_events = size.with_sync1_events;
  if (size.with_render_passes) AddRenderPasses(generator, stream);
  for (uint32_t i = 0; i < size.steps; ++i) {
    if (i != 0 && size.queues > 1 && random.OneIn(8)) {
      stream.steps.push_back({.is_host_wait = true, .waited_for = static_cast<uint32_t>(random.Below(i))});
    } else {
      stream.steps.push_back(MakeBatch(random, stream, size.queues));
    }
  }
  return stream;
}

DeviceStreamSize SizeOfStream(uint64_t seed) {
  return {.buffers = 2 + static_cast<uint32_t>(seed % 4),
          .commands = 4 + static_cast<uint32_t>(seed % 11),
          .steps = 4 + static_cast<uint32_t>(seed % 9),
          .queues = 1 + static_cast<uint32_t>(seed % 3),
          .with_events = seed % 2 == 0,
          .with_sync1_events = seed % 8 == 0,
          .with_render_passes = seed % 5 < 3};
}

DeviceStream WithCompleteRenderPasses(DeviceStream stream) {
  for (size_t i = 0; i < stream.buffers.size(); ++i) {
    Stream& buffer = stream.buffers[i];
    buffer = WithCompleteRenderPasses(buffer);
    bool is_inside = i < stream.inside_buffers;
    const auto is_outside_only = [](const StreamCommand& command) {
      return command.event == StreamEvent::kSet || command.event == StreamEvent::kReset;
    };
    if (is_inside) std::erase_if(buffer, is_outside_only);
    for (StreamCommand& command : buffer) {
      if (command.subpass != StreamSubpass::kNone) is_inside = command.subpass != StreamSubpass::kEnd;
      std::erase_if(command.executes,
                    [&](uint32_t executed) { return (executed < stream.inside_buffers) != is_inside; });
      if (i >= stream.inside_buffers) continue;
      for (StreamBarrier& barrier : command.barriers) barrier.layout_transition = false;
    }
  }
  return stream;
}

DeviceStream WithRegions(const DeviceStream& stream, uint64_t region_bytes) {
  DeviceStream result = stream;
  for (Stream& buffer : result.buffers) buffer = WithRegions(buffer, region_bytes);
  return result;
}

namespace {

void MakeSync1Event(StreamCommand& command) {
  command.is_sync1_event = true;
  VkPipelineStageFlags2 stages = 0;
  for (const StreamBarrier& barrier : command.barriers) stages |= barrier.flags.src_stages;
  for (StreamBarrier& barrier : command.barriers) {
    barrier.flags.src_stages = stages;
    barrier.global = !barrier.layout_transition;
    barrier.range = {0, kStreamBytes};
    barrier.region = 0;
  }
}

}  // namespace

DeviceStream WithEqualEvents(DeviceStream stream) {
  std::map<uint32_t, std::vector<StreamBarrier>> barriers;
  for (Stream& buffer : stream.buffers) {
    for (StreamCommand& command : buffer) {
      if (command.event != StreamEvent::kSet && command.event != StreamEvent::kWait) continue;
      if (stream.has_sync1_events) command.event_number %= 2;
      command.barriers = barriers.emplace(command.event_number, command.barriers).first->second;
      if (stream.has_sync1_events) MakeSync1Event(command);
    }
  }
  return stream;
}

uint32_t TagCount(const DeviceStream& stream, uint32_t buffer) {
  uint32_t count = 0;
  for (const StreamCommand& command : stream.buffers[buffer]) {
    ++count;
    for (const uint32_t secondary : command.executes) count += TagCount(stream, secondary);
  }
  return count;
}

std::string ToCode(const DeviceStream& stream) {
  std::ostringstream out;
  const auto write = [&out](const char* name, const std::vector<StreamSemaphore>& semaphores) {
    out << ", ." << name << " = {";
    for (const StreamSemaphore& semaphore : semaphores) {
      out << "{" << semaphore.signal << ", 0x" << std::hex << semaphore.stages << std::dec << "u}, ";
    }
    out << "}";
  };
  out << "const DeviceStream stream = {\n.buffers = {\n";
  for (const Stream& buffer : stream.buffers) out << CommandsToCode(buffer) << ",\n";
  out << "},\n.inside_buffers = " << stream.inside_buffers << ",\n.steps = {\n";
  for (const DeviceStep& step : stream.steps) {
    if (step.is_host_wait) {
      out << "    {.is_host_wait = true, .waited_for = " << step.waited_for << "},\n";
      continue;
    }
    out << "    {.queue = " << step.queue;
    write("waits", step.waits);
    out << ", .buffers = {";
    for (const uint32_t buffer : step.buffers) out << buffer << ", ";
    out << "}";
    write("signals", step.signals);
    out << "},\n";
  }
  out << "},\n.has_sync1_events = " << stream.has_sync1_events
      << "};\nEXPECT_EQ(FindDeviceDisagreement<Mutation::kNone>(stream), \"\");\n";
  return out.str();
}

}  // namespace assay::syncval
