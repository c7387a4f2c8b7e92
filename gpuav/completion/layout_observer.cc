// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/completion/layout_observer.h"

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
  completion_.SetLayouts(*recording->memory(), std::move(layouts));
  since_submit_.push_back(recording->memory());
}

void LayoutObserver::OnUndo() {
  for (const std::weak_ptr<ExecutionMemory>& weak : since_submit_) {
    if (const std::shared_ptr<ExecutionMemory> memory = weak.lock()) completion_.SetLayouts(*memory, nullptr);
  }
  since_submit_.clear();
}

}  // namespace assay::gpuav
