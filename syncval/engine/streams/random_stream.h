// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_RANDOM_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_RANDOM_STREAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "syncval/engine/accesses/access.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/subpasses/subpass_graph.h"

namespace assay::syncval {

// A barrier of a small command buffer for tests.
struct StreamBarrier {
  BarrierFlags flags;
  bool global = true;
  Range range;
  bool layout_transition = false;
  // The same as Access::region.
  uint64_t region = 0;
};
// An automatic layout transition. It is after the first scopes of some dependencies, and before the second scopes of
// others.
struct StreamTransition {
  Range range;
  uint64_t region = 0;
  // Indices into the dependencies of the instance.
  std::vector<uint32_t> after;
  std::vector<uint32_t> before;
};
enum class StreamSubpass : uint8_t { kNone, kBegin, kNext, kEnd };
enum class StreamEvent : uint8_t { kNone, kSet, kReset, kWait };

// One of four things: accesses, barriers (alone or with an event), the execution of secondary command buffers, or a
// step of a render pass instance.
struct StreamCommand {
  std::vector<Access> accesses;
  std::vector<StreamBarrier> barriers;
  // Indices into DeviceStream::buffers.
  std::vector<uint32_t> executes;
  StreamEvent event = StreamEvent::kNone;
  uint32_t event_number = 0;
  bool is_sync1_event = false;
  StreamSubpass subpass = StreamSubpass::kNone;
  std::vector<StreamTransition> transitions;
  // For kBegin.
  uint32_t subpasses = 1;
  std::vector<SubpassGraph::Dependency> dependencies;
};
// A command's tag is its position.
using Stream = std::vector<StreamCommand>;

inline constexpr VkQueueFlags kStreamQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

// The same stream for the same seed, on every platform. It has between min and max commands on few bytes. Most barriers
// match its accesses.
Stream RandomStream(uint64_t seed, uint32_t min_commands, uint32_t max_commands);

// The same with render pass instances here and there.
Stream RandomStreamOfSubpasses(uint64_t seed, uint32_t min_commands, uint32_t max_commands);

// The same stream over resources that share no bytes, with one resource every region_bytes bytes. A range across
// several resources is cut up.
Stream WithRegions(const Stream& stream, uint64_t region_bytes);

// The stream with an end to each render pass instance. Commands that are not valid inside or outside of an instance are
// left out.
Stream WithCompleteRenderPasses(const Stream& stream);

// The stream as the C++ code of a test.
std::string ToCode(const Stream& stream);
// Only its commands: "{{.accesses = ...}, ...}".
std::string CommandsToCode(const Stream& stream);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_RANDOM_STREAM_H_
