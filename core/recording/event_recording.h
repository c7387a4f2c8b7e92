// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_EVENT_RECORDING_H_
#define ASSAY_CORE_RECORDING_EVENT_RECORDING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "core/recording/event_dependency.h"
#include "core/recording/event_state.h"
#include "vk/vulkan.h"

// What a recording does to events.
namespace assay::core {

// A vkCmdWaitEvents, or one event of a vkCmdWaitEvents2.
struct EventWait {
  struct Part {
    VkEvent event;
    // The effect of the commands before the wait in the recording.
    EventEffect before;
  };
  // The command buffer that records the wait.
  VkCommandBuffer commands = VK_NULL_HANDLE;
  // Null for vkCmdWaitEvents.
  EventDependencyRef dependency;
  // Of vkCmdWaitEvents.
  VkPipelineStageFlags2 src_stages = 0;
  // The index of the first part in pEvents.
  uint32_t first_index = 0;
  // Of EventRecording::parts: one for each event.
  uint32_t part_count = 0;
  size_t first_part = 0;
};

// The events of a recording. Memory is allocated only where a recording needs more of it than all before.
class EventRecording {
 public:
  // Bits of Entry::waits.
  static constexpr uint8_t kSync1 = 1, kSync2 = 2;
  static constexpr uint32_t kNone = ~uint32_t{0};
  // The place of a wait or a reset in this recording; those of secondary command buffers are not marked.
  struct Mark {
    // The value of dependencies() at the command; 0 for none.
    uint32_t at = 0;
    bool is_sync2 = false;
  };
  struct Entry {
    VkEvent event = VK_NULL_HANDLE;
    EventEffect effect;
    // The versions of the commands that wait for it: kSync1, kSync2 or both.
    uint8_t waits = 0;
    Mark last_reset = {};
    Mark last_wait = {};
    // The second synchronization scope of the last wait.
    VkPipelineStageFlags2 dst_stages = 0;
    // The index of the next entry with the same head; kNone for none.
    uint32_t next = kNone;
  };

  EventRecording() { heads_.fill(kNone); }

  // The entry of an event, made if there is none. Valid until the next call.
  Entry& At(VkEvent event) {
    const uint32_t index = IndexOf(event);
    if (index < before_.entry_count) before_.entries.push_back(entries_[index]);
    return entries_[index];
  }

  // A command that may be skipped after it was recorded: its changes are between BeginCommand() and the next one.
  // UndoCommand() takes them back.
  void BeginCommand() {
    before_.entry_count = entries_.size();
    before_.wait_count = waits.size();
    before_.part_count = parts.size();
    before_.dependencies = dependencies_;
    before_.entries.clear();
  }
  void UndoCommand() {
    for (; !before_.entries.empty(); before_.entries.pop_back()) {
      entries_[IndexOf(before_.entries.back().event)] = std::move(before_.entries.back());
    }
    // The last entry that was added is the first of its head.
    for (; entries_.size() > before_.entry_count; entries_.pop_back()) {
      HeadOf(entries_.back().event) = entries_.back().next;
    }
    waits.resize(before_.wait_count);
    parts.resize(before_.part_count);
    dependencies_ = before_.dependencies;
  }
  absl::Span<const Entry> entries() const { return entries_; }
  bool is_empty() const { return entries_.empty(); }
  void Clear() {
    before_.entry_count = before_.wait_count = before_.part_count = 0;
    before_.entries.clear();
    pool_.Clear();
    if (is_empty()) return;
    heads_.fill(kNone);
    entries_.clear();
    waits.clear();
    parts.clear();
  }

  // The number of commands so far that may order later commands after all earlier ones; begins with 1.
  uint32_t dependencies() const { return dependencies_; }
  void NoteDependency() { ++dependencies_; }
  void UndoDependency() { --dependencies_; }

  // A copy of a dependency of the recording.
  EventDependencyRef Copy(const VkDependencyInfo& info) { return pool_.Add(info); }

  // The waits that only a submission can check, in the order of recording; and their parts.
  std::vector<EventWait> waits;
  std::vector<EventWait::Part> parts;
  absl::Span<const EventWait::Part> PartsOf(const EventWait& wait) const {
    return absl::MakeConstSpan(parts).subspan(wait.first_part, wait.part_count);
  }

 private:
  // What BeginCommand() found, and the entries that have been asked for since, as they were.
  struct Before {
    size_t entry_count = 0;
    size_t wait_count = 0;
    size_t part_count = 0;
    uint32_t dependencies = 1;
    std::vector<Entry> entries;
  };

  static constexpr size_t kHeads = 16;

  // The low bits of a handle of the layer are an index; a driver's may be an aligned address.
  uint32_t& HeadOf(VkEvent event) {
    const auto handle = reinterpret_cast<uint64_t>(event);
    return heads_[(handle ^ (handle >> 6)) % kHeads];
  }
  uint32_t IndexOf(VkEvent event) {
    uint32_t& head = HeadOf(event);
    for (uint32_t i = head; i != kNone; i = entries_[i].next) {
      if (entries_[i].event == event) return i;
    }
    Entry& added = entries_.emplace_back();
    added.event = event;
    added.next = head;
    return head = static_cast<uint32_t>(entries_.size() - 1);
  }

  Before before_;
  uint32_t dependencies_ = 1;
  // The last entry of each head. Most recordings have few events, so there is no hash map.
  std::array<uint32_t, kHeads> heads_;
  std::vector<Entry> entries_;
  EventDependencyPool pool_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_EVENT_RECORDING_H_
