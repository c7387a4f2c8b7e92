// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_EVENT_STATE_H_
#define ASSAY_CORE_RECORDING_EVENT_STATE_H_

#include <cstdint>

#include "core/recording/event_dependency.h"
#include "state/state.h"
#include "vk/vulkan.h"

// What commands do to an event, in recordings and on devices.
//
// A set of an event that is set already has no effect. Until its first reset of an event, a recording therefore changes
// the event in a way that depends on the state before. An *effect* is that change; effects can be appended to each
// other. A *state* follows from an effect when the state before is known.
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
  EventDependencyRef dependency;
  // The queue that executed the command; null in a recording, and for the host.
  const state::Queue* queue = nullptr;

  bool is_set() const { return kind > Kind::kUnset; }
};

class EventEffect {
 public:
  // Whether the state after does not depend on the state before.
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
  // This effect, followed by next.
  void Append(const EventEffect& next) {
    if (next.is_reset_) {
      *this = next;
    } else if (next.sets()) {
      Set(next.set_);
    }
  }
  // The state after a queue executes the effect.
  EventState After(const EventState& before, const state::Queue* queue) const;
  // The state after, if the event is unset before.
  const EventState& AfterUnset() const { return set_; }

  EventEffect() = default;

 private:
  explicit EventEffect(bool is_reset) : is_reset_(is_reset) {}
  // Whether both are certainly sets with the same stages or dependency.
  static bool IsSame(const EventState& a, const EventState& b);

  bool is_reset_ = false;
  // The state of an event that was unset before; unknown after sets that differ.
  EventState set_ = {EventState::Kind::kUnset};
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_EVENT_STATE_H_
