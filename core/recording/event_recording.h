// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_EVENT_RECORDING_H_
#define ASSAY_CORE_RECORDING_EVENT_RECORDING_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/recording/event_dependency.h"
#include "state/state.h"
#include "vk/vulkan.h"

// What commands make of events, for recordings and for devices.
//
// A set of an event that is set has no effect, so that what a recording makes of an event depends on what it was
// before, up to the recording's first reset. That dependence is an *effect*: effects follow upon each other, and become
// a *state* when the state before is known.
namespace assay::core {

struct EventState {
  enum class Kind : uint8_t {
    kUnknown,
    kUnset,
    kSetByHost,
    // By vkCmdSetEvent.
    kSetWithStages,
    // By vkCmdSetEvent2.
    kSetWithDependency,
  };
  Kind kind = Kind::kUnknown;
  VkPipelineStageFlags2 stages = 0;
  std::shared_ptr<const EventDependency> dependency;
  // That executed the command; null for one that is recorded, and for the host.
  const state::Queue* queue = nullptr;

  bool is_set() const { return kind > Kind::kUnset; }
};

class EventEffect {
 public:
  // What the event was before is of no consequence.
  bool is_known() const { return is_reset_; }
  bool sets() const { return set_.kind != EventState::Kind::kUnset; }

  void Reset() { *this = EventEffect(true); }
  void Set(const EventState& state) {
    if (!sets()) {
      set_ = state;
    } else if (!IsSame(set_, state)) {
      set_ = {};
    }
  }
  // This and then next.
  void Append(const EventEffect& next) {
    if (next.is_reset_) {
      *this = next;
    } else if (next.sets()) {
      Set(next.set_);
    }
  }
  // When a queue executes it.
  EventState After(const EventState& before, const state::Queue* queue) const;
  // Where that is certain, or else as far as commands that are without effect are not the point.
  const EventState& AfterUnset() const { return set_; }

  EventEffect() = default;

 private:
  explicit EventEffect(bool is_reset) : is_reset_(is_reset) {}
  // Whether it is certain that both are sets with the same.
  static bool IsSame(const EventState& a, const EventState& b);

  bool is_reset_ = false;
  // What an event that is unset becomes; unknown after sets that differ.
  EventState set_ = {EventState::Kind::kUnset};
};

// A vkCmdWaitEvents, or one event of a vkCmdWaitEvents2.
struct EventWait {
  struct Part {
    VkEvent event;
    // Of what the recording does before.
    EventEffect before;
  };
  // In which it is recorded.
  VkCommandBuffer commands = VK_NULL_HANDLE;
  // Null for vkCmdWaitEvents.
  std::shared_ptr<const EventDependency> dependency;
  // Of vkCmdWaitEvents.
  VkPipelineStageFlags2 src_stages = 0;
  // Of the parts, in pEvents.
  uint32_t first_index = 0;
  absl::InlinedVector<Part, 1> parts;
};

// The events of a recording.
class EventRecording {
 public:
  // Bits of Entry::waits.
  static constexpr uint8_t kSync1 = 1, kSync2 = 2;
  // A wait or a reset in this recording, not in one that it executes.
  struct Mark {
    // dependencies() then; 0 for none.
    uint32_t at = 0;
    bool is_sync2 = false;
  };
  struct Entry {
    VkEvent event;
    EventEffect effect;
    // By which generations' commands it is waited for.
    uint8_t waits = 0;
    Mark last_reset = {};
    Mark last_wait = {};
    // The second synchronization scope of the last wait.
    VkPipelineStageFlags2 dst_stages = 0;
  };

  // Valid until another event is asked for.
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

  // Counts the commands after which something may follow upon all that comes before them; begins with 1.
  uint32_t dependencies() const { return dependencies_; }
  void NoteDependency() { ++dependencies_; }

  // In the order of recording, those of which only a submission can say whether they are right.
  std::vector<EventWait> waits;

 private:
  uint32_t dependencies_ = 1;
  absl::flat_hash_map<VkEvent, size_t> indices_;
  std::vector<Entry> entries_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_EVENT_RECORDING_H_
