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

// A command buffer in little, for tests.
struct StreamBarrier {
  BarrierFlags flags;
  bool global = true;
  Range range;
  bool layout_transition = false;
  // As Access::region.
  uint64_t region = 0;
};
// An automatic layout transition, after the first scopes of some dependencies and before the second of others.
struct StreamTransition {
  Range range;
  uint64_t region = 0;
  // Numbers of the instance's dependencies.
  std::vector<uint32_t> after;
  std::vector<uint32_t> before;
};
enum class StreamSubpass : uint8_t { kNone, kBegin, kNext, kEnd };
enum class StreamEvent : uint8_t { kNone, kSet, kReset, kWait };

// Either accesses, or barriers, by themselves or with an event, or the execution of secondary command buffers, or a
// step of a render pass instance.
struct StreamCommand {
  std::vector<Access> accesses;
  std::vector<StreamBarrier> barriers;
  // Which of a DeviceStream's.
  std::vector<uint32_t> executes;
  StreamEvent event = StreamEvent::kNone;
  uint32_t event_number = 0;
  bool is_sync1_event = false;
  StreamSubpass subpass = StreamSubpass::kNone;
  std::vector<StreamTransition> transitions;
  // Of kBegin.
  uint32_t subpasses = 1;
  std::vector<SubpassGraph::Dependency> dependencies;
  // As SubpassGraph's; WithCompleteRenderPasses sets it.
  std::vector<uint32_t> last_transitions;
};
// A command's tag is its position.
using Stream = std::vector<StreamCommand>;

inline constexpr VkQueueFlags kStreamQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

// The stages of all accesses of streams, which are those that a device of streams has.
VkPipelineStageFlags2 StreamStages();

// The same stream for the same seed, on every platform. Between min and max commands on few bytes; barriers mostly have
// to do with the accesses that there are.
Stream RandomStream(uint64_t seed, uint32_t min_commands, uint32_t max_commands);

// The same with render pass instances here and there.
Stream RandomStreamOfSubpasses(uint64_t seed, uint32_t min_commands, uint32_t max_commands);

// A stream with one instance of more subpasses, and dependencies, than SubpassGraph has stages, of which there are
// enough at a time.
Stream RandomStreamOfManySubpasses(uint64_t seed);

// The same stream over resources that share no bytes: one every so many bytes. What lies across several of them is cut
// up.
Stream WithRegions(const Stream& stream, uint64_t region_bytes);

// The stream without what has no place in a render pass instance or outside of any, and with an end to each.
Stream WithCompleteRenderPasses(const Stream& stream);

// The stream as the C++ code of a test.
std::string ToCode(const Stream& stream);
// Its commands alone: "{{.accesses = ...}, ...}".
std::string CommandsToCode(const Stream& stream);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_RANDOM_STREAM_H_
