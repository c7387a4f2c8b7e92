// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/markers/markers.h"

#include <atomic>
#include <utility>

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

uint32_t NextId() {
  static std::atomic<uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

MemoryRange RangeFor(MarkerWay way, Memory& memory) {
  constexpr VkDeviceSize kBytes = 16;
  return way == MarkerWay::kCheckpoints ? MemoryRange() : memory.Allocate(kBytes);
}

// Whether the command buffer may have markers. Those of protected pools may not write to memory that is not protected.
bool CanMark(const state::CommandBuffer& buffer, MarkerWay way) {
  constexpr VkQueueFlags kQueues = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  if ((buffer.pool.queue_flags & kQueues) == 0 || (buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0) {
    return false;
  }
  // No fill may be inside of a render pass.
  const bool is_inside = buffer.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY &&
                         (buffer.usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0;
  return way != MarkerWay::kFills || !is_inside;
}

}  // namespace

MarkerLog::MarkerLog(Memory& memory, MarkerWay marker_way, VkCommandBuffer of)
    : way(marker_way), command_buffer(of), id(NextId()), memory_(memory), range_(RangeFor(marker_way, memory)) {
  Clear();
}

void MarkerLog::Clear() {
  if (range_) range_.mapped[kBegunWord] = range_.mapped[kEndedWord] = 0;
}

void RecordingMarkers::Reset() {
  log_.reset();
  has_begun_ = is_suspended_ = false;
}

void RecordingMarkers::Begin() {
  const MarkerWay way = MarkerWayOf(context_.device());
  if (way == MarkerWay::kNone || !CanMark(buffer_, way)) return;
  auto log = std::make_shared<MarkerLog>(memory_, way, reinterpret_cast<VkCommandBuffer>(buffer_.handle()));
  if (log->is_valid()) log_ = std::move(log);
}

void RecordingMarkers::MarkAction(vk::CommandId command, std::optional<VkPipelineBindPoint> point) {
  if (log_->way == MarkerWay::kFills) {
    if (!buffer_.rendering.is_active()) WriteBegun(kFirstPoint);
    return;
  }
  const uint32_t position = buffer_.command_count;
  // Commands that use several pipelines come once for each.
  if (!log_->actions.empty() && log_->actions.back().position == position) return;
  WriteEnded(log_->EndPoint());
  WriteBegun(log_->EndPoint());
  const VkPipeline pipeline = point ? buffer_.At(*point).pipeline : VK_NULL_HANDLE;
  log_->actions.push_back({command, position, buffer_.label_path(), pipeline});
}

void RecordingMarkers::BeginRenderPass(VkRenderingFlags flags) {
  if (log_ == nullptr) return;
  is_suspended_ = (flags & VK_RENDERING_SUSPENDING_BIT) != 0;
  if (log_->way == MarkerWay::kFills && (flags & VK_RENDERING_RESUMING_BIT) == 0) WriteBegun(kFirstPoint);
}

void RecordingMarkers::End() {
  if (log_ == nullptr) return;
  log_->has_end = !is_suspended_;
  if (log_->has_end) WriteEnded(log_->EndPoint());
  for (const MarkedAction& action : log_->actions) {
    if (action.label_path != 0 && !log_->labels.contains(action.label_path)) {
      log_->labels[action.label_path] = buffer_.LabelsOf(action.label_path);
    }
  }
}

void RecordingMarkers::WriteEnded(uint32_t point) {
  const dispatch::Device& device = context_.device();
  const MemoryRange& range = log_->range_;
  const VkDeviceSize offset = range.offset + MarkerLog::kEndedWord * sizeof(uint32_t);
  switch (log_->way) {
    case MarkerWay::kBufferMarkers:
      CallNext(device, vk::CmdWriteBufferMarkerAMD{log_->command_buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                                   range.buffer, offset, point});
      break;
    case MarkerWay::kCheckpoints:
      // One checkpoint is for both, so that actions have theirs already.
      if (log_->has_end) SetCheckpoint(point);
      break;
    case MarkerWay::kFills: {
      // Also orders the fills of one execution before those of the next.
      const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                       .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                       .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
      CallNext(device, vk::CmdPipelineBarrier{log_->command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                              VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr});
      CallNext(device, vk::CmdFillBuffer{log_->command_buffer, range.buffer, offset, sizeof(uint32_t), point});
      break;
    }
    case MarkerWay::kNone:
      break;
  }
}

void RecordingMarkers::WriteBegun(uint32_t point) {
  const dispatch::Device& device = context_.device();
  const MemoryRange& range = log_->range_;
  const VkDeviceSize offset = range.offset + MarkerLog::kBegunWord * sizeof(uint32_t);
  switch (log_->way) {
    case MarkerWay::kBufferMarkers:
      CallNext(device, vk::CmdWriteBufferMarkerAMD{log_->command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                                   range.buffer, offset, point});
      break;
    case MarkerWay::kCheckpoints:
      SetCheckpoint(point);
      break;
    case MarkerWay::kFills:
      if (std::exchange(has_begun_, true)) break;
      CallNext(device, vk::CmdFillBuffer{log_->command_buffer, range.buffer, offset, sizeof(uint32_t), point});
      break;
    case MarkerWay::kNone:
      break;
  }
}

void RecordingMarkers::SetCheckpoint(uint32_t point) {
  const uint64_t marker = CheckpointOf(log_->id, point);
  CallNext(context_.device(), vk::CmdSetCheckpointNV{log_->command_buffer, reinterpret_cast<const void*>(marker)});
}

}  // namespace assay::gpuav
