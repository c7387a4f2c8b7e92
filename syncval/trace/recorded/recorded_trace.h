// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_RECORDED_RECORDED_TRACE_H_
#define ASSAY_SYNCVAL_TRACE_RECORDED_RECORDED_TRACE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "syncval/engine/engine.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// One recording of a command buffer, as the trace keeps it.
namespace assay::syncval::trace {

// An index into RecordedTrace::texts; 0 is the empty text.
using TextIndex = uint32_t;
inline constexpr uint32_t kNone = ~0u;

// A buffer or image, described so that it can be shown when it is gone.
struct TracedResource {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint64_t handle = 0;
  // "VkBuffer 0x12[particles]".
  std::string name;
  // "4096 bytes", "VK_FORMAT_R8G8B8A8_UNORM 640x480".
  std::string description;
};

struct TracedAccess {
  Range range;
  // Into RecordedTrace::resources.
  uint32_t resource = 0;
  // "bytes 0 to 255", "mip level 1"; empty for all of an image.
  TextIndex where = 0;
  vk::SyncAccessIndex access = vk::kSyncNone;
  OrderingRule ordering = OrderingRule::kNone;
  // A possible read: the command reads at least a part of this and no more, such as vertices by index.
  bool is_possible_read = false;
  // Of a layout transition, the barrier of the command that does it, by its index among the call's image barriers.
  uint32_t transition = kNone;
  // The subpass, for accesses of a render pass instance itself (loads, stores, resolves, layout transitions).
  uint32_t subpass = kNone;
};

struct TracedBarrier {
  // A subpass dependency is kept with the command at which its second scope begins: the one that begins its subpass, or
  // ends the render pass.
  enum class Kind : uint8_t { kMemory, kBuffer, kImage, kSubpass };
  Kind kind = Kind::kMemory;
  // The command waits for an event.
  bool is_event = false;
  bool is_queue_family_ownership_transfer = false;
  BarrierFlags flags;
  // Of a buffer or image barrier, into RecordedTrace::resources.
  uint32_t resource = kNone;
  // Among the call's barriers of its kind; of a subpass dependency, among the render pass's.
  uint32_t index = 0;
  // Of a subpass dependency; VK_SUBPASS_EXTERNAL for outside of the render pass.
  uint32_t src_subpass = 0;
  uint32_t dst_subpass = 0;
  // An implicit subpass dependency, which the application did not write.
  bool is_implicit = false;
  VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // Into RecordedTrace::barrier_ranges. Memory barriers and subpass dependencies have none and cover everything.
  uint32_t first_range = 0;
  uint32_t range_count = 0;

  bool is_transition() const { return old_layout != new_layout; }
};

// A stretch of commands: a debug label, a render pass instance, a subpass. Regions nest.
struct TracedRegion {
  enum class Kind : uint8_t { kLabel, kRendering, kSubpass };
  Kind kind = Kind::kLabel;
  TextIndex name = 0;
  uint32_t first_command = 0;
  uint32_t end_command = 0;
  uint32_t depth = 0;
};

struct TracedHazard {
  // "SYNC-HAZARD-READ-AFTER-WRITE".
  TextIndex id = 0;
  TextIndex text = 0;
  TextIndex fix = 0;
  uint32_t command = 0;
  // kNone where the earlier command is of another recording.
  uint32_t prior_command = kNone;
  uint32_t resource = kNone;
};

// Commands are parallel arrays, since most readers want one or two members.
struct RecordedTrace {
  // "VkCommandBuffer 0x12[frame]".
  std::string name;
  VkQueueFlags queue_flags = 0;

  // Commands that act, synchronize or execute others.
  std::vector<vk::CommandId> ids;
  // Among all commands of the command buffer, from 1, as messages count them.
  std::vector<uint32_t> positions;
  // Of each command and, last, of the end.
  std::vector<uint32_t> first_access;
  std::vector<uint32_t> first_barrier;
  // Commands that may access memory besides `accesses`, in increasing order.
  std::vector<uint32_t> unknown;

  std::vector<TracedAccess> accesses;
  std::vector<TracedBarrier> barriers;
  std::vector<Range> barrier_ranges;
  std::vector<TracedRegion> regions;
  std::vector<TracedHazard> hazards;
  std::vector<TracedResource> resources;
  std::vector<std::string> texts;

  // A secondary command buffer that a command executes, in increasing order of commands.
  struct Executed {
    uint32_t command;
    std::shared_ptr<const RecordedTrace> trace;
  };
  std::vector<Executed> executed;

  uint32_t size() const { return static_cast<uint32_t>(ids.size()); }
  // By SyncRecording's tags; kNone for a command that was not recorded after all.
  std::vector<uint32_t> command_of_tag;

  // Commands, with those of secondaries.
  uint32_t total_size() const {
    uint32_t total = size();
    for (const Executed& part : executed) total += part.trace->total_size();
    return total;
  }
};

using RecordedTraceRef = std::shared_ptr<const RecordedTrace>;

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_RECORDED_RECORDED_TRACE_H_
