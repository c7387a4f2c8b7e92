// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_RECORDED_COMMAND_H_
#define ASSAY_CORE_BARRIERS_RECORDED_COMMAND_H_

#include <cstdint>

#include "core/masks/check.h"
#include "core/recording/recording_scope.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Private to the package: a command that is being recorded, for the checks of barriers.
namespace assay::core {

inline bool IsInRenderPass(const state::CommandBuffer& buffer) {
  const auto* const scope = buffer.Sub<RecordingScope>();
  return scope != nullptr && (scope->bits() & kInsideRenderPass) != 0;
}

// The checks of a command, with the command buffer that it is recorded into.
struct RecordedCommand {
  Check check;
  const state::CommandBuffer& buffer;

  // Index of the queue family of the command buffer's pool.
  uint32_t family() const { return buffer.pool.queue_family; }
  const RecordingScope* scope() const { return buffer.Sub<RecordingScope>(); }
  bool in_render_pass() const { return IsInRenderPass(buffer); }
};

inline Check CheckOf(const SyncLimits& limits, messages::Report& report, VkCommandBuffer buffer, SyncVersion version) {
  return {limits, report, messages::Object(buffer), version};
}

// Counts the barrier as a possible dependency between the resets and waits of events (EventRecording::dependencies()).
// Runs in PreCallValidate, where the command buffer is at hand: a hook in PreCallRecord would look it up again for each
// barrier.
inline void NoteDependency(const state::CommandBuffer& buffer, messages::Report& report) {
  auto* scope = buffer.Sub<RecordingScope>();
  if (scope == nullptr) return;
  scope->events.NoteDependency();
  report.OnSkip([](void* events) { static_cast<EventRecording*>(events)->UndoDependency(); }, &scope->events);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_RECORDED_COMMAND_H_
