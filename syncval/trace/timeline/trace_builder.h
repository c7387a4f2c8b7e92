// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_TRACE_BUILDER_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_TRACE_BUILDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

// Recordings and runs for tests, without a device.
namespace assay::syncval::trace {

inline constexpr VkPipelineStageFlags2 kCopyStage = VK_PIPELINE_STAGE_2_COPY_BIT;
inline constexpr VkPipelineStageFlags2 kComputeStage = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
inline constexpr VkPipelineStageFlags2 kAllStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
inline constexpr VkAccessFlags2 kReadAccess = VK_ACCESS_2_TRANSFER_READ_BIT;
inline constexpr VkAccessFlags2 kWriteAccess = VK_ACCESS_2_TRANSFER_WRITE_BIT;
inline constexpr VkAccessFlags2 kAllAccess = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

// A recording, command by command. Resource i has the addresses from 1000 * i on.
class RecordingBuilder {
 public:
  explicit RecordingBuilder(std::string name = "VkCommandBuffer 0x1") {
    trace_.name = std::move(name);
    trace_.queue_flags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
    trace_.texts = {""};
  }

  RecordingBuilder& Command(vk::CommandId id) {
    trace_.ids.push_back(id);
    trace_.positions.push_back(trace_.size());
    trace_.first_access.push_back(static_cast<uint32_t>(trace_.accesses.size()));
    trace_.first_barrier.push_back(static_cast<uint32_t>(trace_.barriers.size()));
    return *this;
  }
  // Of the last command, bytes [begin, end) of a resource.
  RecordingBuilder& Access(uint32_t resource, vk::SyncAccessIndex access, uint64_t begin = 0, uint64_t end = 64) {
    trace_.accesses.push_back(
        {.range = RangeOf(resource, begin, end), .resource = Resource(resource), .access = access});
    return *this;
  }
  RecordingBuilder& Ordering(OrderingRule rule) {
    trace_.accesses.back().ordering = rule;
    return *this;
  }
  RecordingBuilder& Copy(uint32_t from, uint32_t to) {
    return Command(vk::CommandId::kCmdCopyBuffer)
        .Access(from, vk::kSyncCopyTransferRead)
        .Access(to, vk::kSyncCopyTransferWrite);
  }
  RecordingBuilder& Read(uint32_t from) {
    return Command(vk::CommandId::kCmdDispatch).Access(from, vk::kSyncComputeShaderShaderStorageRead);
  }
  RecordingBuilder& Unknown() {
    Command(vk::CommandId::kCmdDispatch);
    trace_.unknown.push_back(trace_.size() - 1);
    return *this;
  }
  // A command with one barrier; on all memory, or on a resource.
  RecordingBuilder& Barrier(const BarrierFlags& flags, uint32_t resource = kNone) {
    Command(vk::CommandId::kCmdPipelineBarrier2);
    trace_.barriers.push_back({.flags = flags});
    if (resource == kNone) return *this;
    TracedBarrier& barrier = trace_.barriers.back();
    barrier.kind = TracedBarrier::Kind::kBuffer;
    barrier.resource = Resource(resource);
    barrier.first_range = static_cast<uint32_t>(trace_.barrier_ranges.size());
    barrier.range_count = 1;
    trace_.barrier_ranges.push_back(RangeOf(resource, 0, 64));
    return *this;
  }
  // The same for an image, with a layout transition.
  RecordingBuilder& Transition(const BarrierFlags& flags, uint32_t resource) {
    Barrier(flags, resource);
    TracedBarrier& barrier = trace_.barriers.back();
    barrier.kind = TracedBarrier::Kind::kImage;
    barrier.new_layout = VK_IMAGE_LAYOUT_GENERAL;
    Access(resource, vk::kSyncImageLayoutTransition);
    trace_.accesses.back().transition = 0;
    return *this;
  }
  // Begin and end an instance of a render pass object. The commands between them are in its subpasses.
  RecordingBuilder& BeginRenderPass() { return Command(vk::CommandId::kCmdBeginRenderPass2); }
  RecordingBuilder& NextSubpass() { return Command(vk::CommandId::kCmdNextSubpass2); }
  RecordingBuilder& EndRenderPass() { return Command(vk::CommandId::kCmdEndRenderPass2); }
  // Adds a subpass dependency to the last of these commands.
  RecordingBuilder& Dependency(uint32_t src, uint32_t dst, const BarrierFlags& flags) {
    trace_.barriers.push_back(
        {.kind = TracedBarrier::Kind::kSubpass, .flags = flags, .src_subpass = src, .dst_subpass = dst});
    return *this;
  }
  RecordingBuilder& OfSubpass(uint32_t subpass) {
    trace_.accesses.back().subpass = subpass;
    return *this;
  }
  TracedBarrier& last_barrier() { return trace_.barriers.back(); }
  RecordingBuilder& Region(TracedRegion::Kind kind, const std::string& name, uint32_t first, uint32_t end,
                           uint32_t depth = 0) {
    trace_.regions.push_back({kind, AddText(name), first, end, depth});
    return *this;
  }
  RecordingBuilder& Hazard(uint32_t command, uint32_t prior, uint32_t resource) {
    trace_.hazards.push_back({.id = AddText("SYNC-HAZARD-READ-AFTER-WRITE"),
                              .text = AddText("reads what was written."),
                              .fix = AddText("Record a barrier."),
                              .command = command,
                              .prior_command = prior,
                              .resource = Resource(resource)});
    return *this;
  }
  RecordingBuilder& Execute(std::vector<RecordedTraceRef> secondaries) {
    Command(vk::CommandId::kCmdExecuteCommands);
    for (RecordedTraceRef& secondary : secondaries)
      trace_.executed.push_back({trace_.size() - 1, std::move(secondary)});
    return *this;
  }

  RecordedTraceRef Finish() {
    trace_.first_access.push_back(static_cast<uint32_t>(trace_.accesses.size()));
    trace_.first_barrier.push_back(static_cast<uint32_t>(trace_.barriers.size()));
    return std::make_shared<RecordedTrace>(trace_);
  }

 private:
  static Range RangeOf(uint32_t resource, uint64_t begin, uint64_t end) {
    const uint64_t base = uint64_t{1000} * (resource + 1);
    return {base + begin, base + end};
  }
  uint32_t Resource(uint32_t resource) {
    while (trace_.resources.size() <= resource) {
      const auto handle = static_cast<uint64_t>(trace_.resources.size()) + 1;
      trace_.resources.push_back({.type = VK_OBJECT_TYPE_BUFFER,
                                  .handle = handle,
                                  .name = "VkBuffer 0x" + std::to_string(handle),
                                  .description = "64 bytes"});
    }
    return resource;
  }
  TextIndex AddText(const std::string& text) {
    trace_.texts.push_back(text);
    return static_cast<TextIndex>(trace_.texts.size() - 1);
  }

  RecordedTrace trace_;
};

// A run on queues of which each can do everything.
class RunBuilder {
 public:
  explicit RunBuilder(uint32_t queues = 1, uint32_t limit = 1000000) : timeline(limit), serials_(queues) {
    timeline.device = "VkDevice 0x9";
    for (uint32_t i = 0; i < queues; ++i) {
      timeline.queues.push_back({"VkQueue 0x" + std::to_string(i + 1), i,
                                 VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT});
    }
  }

  // Returns the batch's place. It waits for the batches given.
  BatchPoint Submit(uint32_t queue, std::vector<RecordedTraceRef> recordings, std::vector<BatchPoint> after = {}) {
    TracedBatch batch = Batch(queue, vk::CommandId::kQueueSubmit2);
    batch.command_buffers = std::move(recordings);
    batch.signals.push_back({"VkSemaphore 0x7", 0, kAllStages});
    if (!after.empty()) batch.waits.push_back({"VkSemaphore 0x7", 0, kAllStages, std::move(after), ""});
    const BatchPoint point = batch.point;
    timeline.Add(std::move(batch));
    return point;
  }
  void Present(uint32_t queue, std::vector<BatchPoint> after = {}) {
    TracedBatch batch = Batch(queue, vk::CommandId::kQueuePresentKHR);
    batch.presents = {"image 0 of VkSwapchainKHR 0x8"};
    if (!after.empty()) batch.waits.push_back({"VkSemaphore 0x7", 0, kAllStages, std::move(after), ""});
    timeline.Add(std::move(batch));
  }

  Timeline timeline;

 private:
  TracedBatch Batch(uint32_t queue, vk::CommandId command) {
    return {.point = {queue, ++serials_[queue]}, .command = command, .host_time = 1000 * static_cast<int64_t>(++time_)};
  }

  std::vector<uint64_t> serials_;
  uint64_t time_ = 0;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_TRACE_BUILDER_H_
