// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_MARKERS_MARKERS_H_
#define ASSAY_GPUAV_MARKERS_MARKERS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuav/device/context.h"
#include "gpuav/device/memory.h"
#include "gpuav/markers/marker_way.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Markers: what a command buffer says of how far it came.
//
// A recording has *points*: each action command, and its end. Events that are waited for are points too. At each, the
// command buffer writes the number of the point twice:
//
//   *begun*  as soon as the device comes there (VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT). So what is before the point may
//            still run. A device that cannot write so early may write later.
//   *ended*  when everything before the point is complete (VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT).
//
// An action has begun if its point has, and it has ended if the next point has ended. Barriers and the like behind an
// action, up to the next point, count as a part of it. Before the first action there is no point, since nothing may be
// executed between a render pass instance that is suspended and the one that resumes it, which may be in another
// command buffer. For the same reason there is no end behind one that is suspended.
//
// Where there is nothing but vkCmdFillBuffer (MarkerWay::kFills), there are two points: the first action, or the render
// pass instance that it is in, and the end. The first fill waits for nothing, and a barrier makes the other one wait
// for everything.
namespace assay::gpuav {

// The number of the first point. 0 stands for none.
inline constexpr uint32_t kFirstPoint = 1;

// A command that is a point.
struct MarkedAction {
  vk::CommandId command;
  // Its position among all commands.
  uint32_t position;
  // See state::CommandBuffer::LabelsOf.
  uint32_t label_path;
  // Null if it uses none.
  VkPipeline pipeline;
};

// What a recording marks. Outlives the recording while an execution is pending.
class MarkerLog {
 public:
  MarkerLog(Memory& memory, MarkerWay marker_way, VkCommandBuffer of);
  ~MarkerLog() { memory_.Free(range_); }
  MarkerLog(const MarkerLog&) = delete;
  MarkerLog& operator=(const MarkerLog&) = delete;

  // Whether there is memory for it, if it needs any.
  bool is_valid() const { return way == MarkerWay::kCheckpoints || range_; }
  // The number of the end.
  uint32_t EndPoint() const { return kFirstPoint + static_cast<uint32_t>(actions.size()); }
  // Makes the words as if nothing had begun. No execution is pending.
  void Clear();
  // The last points that have begun and ended. Not for checkpoints.
  uint32_t begun() const { return range_.mapped[kBegunWord]; }
  uint32_t ended() const { return range_.mapped[kEndedWord]; }

  const MarkerWay way;
  const VkCommandBuffer command_buffer;
  // Never given twice; tells whose a checkpoint is.
  const uint32_t id;
  // None where there are fills.
  std::vector<MarkedAction> actions;
  // Of the label paths that actions have; complete when recording has ended.
  std::map<uint32_t, std::vector<std::string>> labels;
  // Whether the end is a point.
  bool has_end = false;
  // Completion's lock guards it: how many executions are pending.
  uint32_t pending = 0;

 private:
  friend class RecordingMarkers;
  static constexpr size_t kBegunWord = 0;
  static constexpr size_t kEndedWord = 1;

  Memory& memory_;
  const MemoryRange range_;
};

// The marker that vkCmdSetCheckpointNV gets.
inline uint64_t CheckpointOf(uint32_t log_id, uint32_t point) { return uint64_t{log_id} << 32 | point; }

// Marks a command buffer while it is recorded. Costs a load for each action unless gpuav_markers is on.
class RecordingMarkers {
 public:
  RecordingMarkers(Context& context, Memory& memory, state::CommandBuffer& buffer)
      : context_(context), memory_(memory), buffer_(buffer) {}

  void Reset();
  // vkBeginCommandBuffer has succeeded.
  void Begin();
  // A command that is a point is about to be recorded. One with a pipeline uses what is bound at `point`.
  void Mark(vk::CommandId command, std::optional<VkPipelineBindPoint> point = std::nullopt) {
    if (log_ != nullptr) [[unlikely]]
      MarkAction(command, point);
  }
  // A render pass instance is about to begin.
  void BeginRenderPass(VkRenderingFlags flags);
  // vkCmdExecuteCommands is about to be recorded, and this is the last command buffer that it executes.
  void Execute(const RecordingMarkers& last) { is_suspended_ = last.is_suspended_; }
  // vkEndCommandBuffer is about to be called.
  void End();

  // Null if nothing is marked.
  const std::shared_ptr<MarkerLog>& log() const { return log_; }

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  void MarkAction(vk::CommandId command, std::optional<VkPipelineBindPoint> point);
  // What is before the point has ended, and what is behind it has begun.
  void WriteEnded(uint32_t point);
  void WriteBegun(uint32_t point);
  void SetCheckpoint(uint32_t point);

  Context& context_;
  Memory& memory_;
  state::CommandBuffer& buffer_;
  std::shared_ptr<MarkerLog> log_;
  // Of fills: whether the first point was written.
  bool has_begun_ = false;
  // Whether the last render pass instance is suspended.
  bool is_suspended_ = false;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_MARKERS_MARKERS_H_
