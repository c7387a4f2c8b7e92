// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_EVENT_RECORDING_H_
#define ASSAY_CORE_RECORDING_EVENT_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
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
  std::shared_ptr<const EventDependency> dependency;
  // Of vkCmdWaitEvents.
  VkPipelineStageFlags2 src_stages = 0;
  // The index of the first part in pEvents.
  uint32_t first_index = 0;
  absl::InlinedVector<Part, 1> parts;
};

// The events of a recording.
class EventRecording {
 public:
  // Bits of Entry::waits.
  static constexpr uint8_t kSync1 = 1, kSync2 = 2;
  // The place of a wait or a reset in this recording; those of secondary command buffers are not marked.
  struct Mark {
    // The value of dependencies() at the command; 0 for none.
    uint32_t at = 0;
    bool is_sync2 = false;
  };
  struct Entry {
    VkEvent event;
    EventEffect effect;
    // The versions of the commands that wait for it: kSync1, kSync2 or both.
    uint8_t waits = 0;
    Mark last_reset = {};
    Mark last_wait = {};
    // The second synchronization scope of the last wait.
    VkPipelineStageFlags2 dst_stages = 0;
  };

  // The entry of an event, made if there is none. Valid until the next call.
  Entry& At(VkEvent event) {
    const auto [found, is_new] = indices_.try_emplace(event, entries_.size());
    if (is_new) entries_.push_back({event, {}});
    return entries_[found->second];
  }
  absl::Span<const Entry> entries() const { return entries_; }
  bool is_empty() const { return entries_.empty(); }
  void Clear() {
    if (is_empty()) return;
    indices_.clear();
    entries_.clear();
    waits.clear();
  }

  // The number of commands so far that may order later commands after all earlier ones; begins with 1.
  uint32_t dependencies() const { return dependencies_; }
  void NoteDependency() { ++dependencies_; }

  // The waits that only a submission can check, in the order of recording.
  std::vector<EventWait> waits;

 private:
  uint32_t dependencies_ = 1;
  absl::flat_hash_map<VkEvent, size_t> indices_;
  std::vector<Entry> entries_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_EVENT_RECORDING_H_
