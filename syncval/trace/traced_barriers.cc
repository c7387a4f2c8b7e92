// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/traced_barriers.h"

#include <vector>

namespace assay::syncval::trace {
namespace {

using state::DeviceState;
using state::Items;

template <class B>
BarrierFlags FlagsOf(const B& barrier) {
  return {barrier.srcStageMask, barrier.srcAccessMask, barrier.dstStageMask, barrier.dstAccessMask};
}

template <class B>
void AddBuffer(const B& barrier, const BarrierFlags& flags, uint32_t index, bool is_event, CommandTrace& trace) {
  std::vector<Range> ranges;
  if (const auto* buffer = DeviceState::Get<state::Buffer>(barrier.buffer); buffer != nullptr && buffer->address != 0) {
    const uint64_t begin = buffer->address + barrier.offset;
    if (const VkDeviceSize length = buffer->Clamp(barrier.offset, barrier.size))
      ranges.push_back({begin, begin + length});
  }
  trace.AddBarrier({.kind = TracedBarrier::Kind::kBuffer,
                    .is_event = is_event,
                    .is_queue_family_ownership_transfer = barrier.srcQueueFamilyIndex != barrier.dstQueueFamilyIndex,
                    .flags = flags,
                    .index = index},
                   state::Buffer::kType, reinterpret_cast<uint64_t>(barrier.buffer), ranges);
}

template <class B>
void AddImage(const B& barrier, const BarrierFlags& flags, uint32_t index, bool is_event, CommandTrace& trace) {
  std::vector<Range> ranges;
  if (const auto* image = DeviceState::Get<state::Image>(barrier.image)) {
    state::ByteRanges relative;
    image->encoder.AppendRanges(barrier.subresourceRange, relative);
    for (const state::ByteRange& range : relative)
      ranges.push_back({image->address + range.begin, image->address + range.end});
  }
  trace.AddBarrier({.kind = TracedBarrier::Kind::kImage,
                    .is_event = is_event,
                    .is_queue_family_ownership_transfer = barrier.srcQueueFamilyIndex != barrier.dstQueueFamilyIndex,
                    .flags = flags,
                    .index = index,
                    .old_layout = barrier.oldLayout,
                    .new_layout = barrier.newLayout},
                   state::Image::kType, reinterpret_cast<uint64_t>(barrier.image), ranges);
}

// The accesses of the memory barriers are within the scopes of the others too; see engine/engine.h.
template <class C>
void TraceSync1(const C& call, bool is_event, CommandTrace& trace) {
  VkAccessFlags src_of_memory = 0, dst_of_memory = 0;
  for (const VkMemoryBarrier& barrier : Items(call.pMemoryBarriers, call.memoryBarrierCount)) {
    src_of_memory |= barrier.srcAccessMask;
    dst_of_memory |= barrier.dstAccessMask;
  }
  const auto flags = [&](VkAccessFlags src, VkAccessFlags dst) {
    return BarrierFlags{call.srcStageMask, src | src_of_memory, call.dstStageMask, dst | dst_of_memory};
  };
  const auto buffers = Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount);
  const auto images = Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount);
  if (call.memoryBarrierCount != 0 || (buffers.empty() && images.empty()))
    trace.AddBarrier({.is_event = is_event, .flags = flags(0, 0)}, VK_OBJECT_TYPE_UNKNOWN, 0, {});
  for (uint32_t i = 0; i < buffers.size(); ++i)
    AddBuffer(buffers[i], flags(buffers[i].srcAccessMask, buffers[i].dstAccessMask), i, is_event, trace);
  for (uint32_t i = 0; i < images.size(); ++i)
    AddImage(images[i], flags(images[i].srcAccessMask, images[i].dstAccessMask), i, is_event, trace);
}

void TraceDependency(const VkDependencyInfo& info, bool is_event, CommandTrace& trace) {
  for (const VkMemoryBarrier2& barrier : Items(info.pMemoryBarriers, info.memoryBarrierCount))
    trace.AddBarrier({.is_event = is_event, .flags = FlagsOf(barrier)}, VK_OBJECT_TYPE_UNKNOWN, 0, {});
  const auto buffers = Items(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount);
  for (uint32_t i = 0; i < buffers.size(); ++i) AddBuffer(buffers[i], FlagsOf(buffers[i]), i, is_event, trace);
  const auto images = Items(info.pImageMemoryBarriers, info.imageMemoryBarrierCount);
  for (uint32_t i = 0; i < images.size(); ++i) AddImage(images[i], FlagsOf(images[i]), i, is_event, trace);
}

}  // namespace

void TraceBarriers(const vk::CmdPipelineBarrier& call, bool is_event, CommandTrace& trace) {
  TraceSync1(call, is_event, trace);
}
void TraceBarriers(const vk::CmdWaitEvents& call, bool is_event, CommandTrace& trace) {
  TraceSync1(call, is_event, trace);
}
void TraceBarriers(const vk::CmdPipelineBarrier2& call, bool is_event, CommandTrace& trace) {
  if (call.pDependencyInfo != nullptr) TraceDependency(*call.pDependencyInfo, is_event, trace);
}
void TraceBarriers(const vk::CmdWaitEvents2& call, bool is_event, CommandTrace& trace) {
  for (const VkDependencyInfo& info : Items(call.pDependencyInfos, call.eventCount))
    TraceDependency(info, is_event, trace);
}

}  // namespace assay::syncval::trace
