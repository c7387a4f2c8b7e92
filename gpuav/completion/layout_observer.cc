// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/completion/layout_observer.h"

#include <ranges>
#include <utility>

#include "gpuav/recording/recording.h"

namespace assay::gpuav {

void LayoutObserver::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  for (const state::SubmittedCommandBuffer& submitted : batch.command_buffers) {
    if (submitted.layouts != nullptr) Set(*submitted.state, submitted.layouts);
    for (const state::SubmittedCommandBuffer::Secondary& secondary : submitted.secondaries) {
      Set(*secondary.state, secondary.layouts);
    }
  }
}

void LayoutObserver::Set(const state::CommandBuffer& buffer, std::shared_ptr<const state::ExecutionLayouts> layouts) {
  const auto* recording = buffer.Sub<Recording>();
  if (recording == nullptr || recording->memory() == nullptr) return;
  since_submit_.push_back({recording->memory(), completion_.SetLayouts(*recording->memory(), std::move(layouts))});
}

void LayoutObserver::OnUndo() {
  for (Change& change : std::views::reverse(since_submit_)) {
    const std::shared_ptr<ExecutionMemory> memory = change.memory.lock();
    if (memory != nullptr) completion_.UndoLayouts(*memory, std::move(change.before));
  }
  since_submit_.clear();
}

}  // namespace assay::gpuav
