// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/completion/layout_observer.h"

#include "gpuav/recording/recording.h"

namespace assay::gpuav {

void LayoutObserver::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  for (const state::SubmittedCommandBuffer& submitted : batch.command_buffers) {
    if (submitted.layouts == nullptr || !submitted.state) continue;
    const auto* recording = submitted.state->Sub<Recording>();
    if (recording == nullptr || recording->memory() == nullptr) continue;
    completion_.SetLayouts(*recording->memory(), submitted.layouts);
    since_submit_.push_back(recording->memory());
  }
}

void LayoutObserver::OnUndo() {
  for (const std::weak_ptr<ExecutionMemory>& weak : since_submit_) {
    if (const std::shared_ptr<ExecutionMemory> memory = weak.lock()) completion_.SetLayouts(*memory, nullptr);
  }
  since_submit_.clear();
}

}  // namespace assay::gpuav
