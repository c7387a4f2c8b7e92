// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_COMPLETION_LAYOUT_OBSERVER_H_
#define ASSAY_GPUAV_COMPLETION_LAYOUT_OBSERVER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "gpuav/completion/completion.h"
#include "gpuav/recording/execution_memory.h"
#include "state/state.h"

namespace assay::gpuav {

// Learns which layouts images have in executions, from the observer before it that tracks layouts.
class LayoutObserver final : public state::QueueObserver {
 public:
  explicit LayoutObserver(Completion& completion) : completion_(completion) {}

  void OnSubmit() override { since_submit_.clear(); }
  void OnUndo() override;
  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;

 private:
  void Set(const state::CommandBuffer& buffer, std::shared_ptr<const state::ExecutionLayouts> layouts);

  Completion& completion_;
  // What got layouts since OnSubmit, with those that it had.
  struct Change {
    std::weak_ptr<ExecutionMemory> memory;
    std::shared_ptr<const state::ExecutionLayouts> before;
  };
  std::vector<Change> since_submit_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_COMPLETION_LAYOUT_OBSERVER_H_
