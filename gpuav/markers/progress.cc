// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/markers/progress.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "vk/commands.h"

namespace assay::gpuav {
namespace {

// The last checkpoint that a stage came to.
std::optional<uint64_t> LastOf(absl::Span<const VkCheckpointDataNV> checkpoints, VkPipelineStageFlagBits stage) {
  const auto found = std::ranges::find(checkpoints, stage, &VkCheckpointDataNV::stage);
  if (found == checkpoints.end()) return std::nullopt;
  return reinterpret_cast<uint64_t>(found->pCheckpointMarker);
}

// Gives the member of each execution the last point that a stage came to.
void Apply(absl::Span<const QueuedExecution> executions, uint64_t last, uint32_t Progress::* member) {
  const auto log_id = static_cast<uint32_t>(last >> 32);
  const auto found =
      std::ranges::find_if(executions, [&](const QueuedExecution& execution) { return execution.log->id == log_id; });
  const auto at = static_cast<size_t>(found - executions.begin());
  for (size_t i = 0; i < executions.size(); ++i) {
    Progress& progress = *executions[i].progress;
    if (i == at) {
      progress.*member = static_cast<uint32_t>(last);
    } else if (at == executions.size() || i > at) {
      // A secondary command buffer may come before or behind the point of the one that executes it.
      if (at != executions.size() && i - at <= executions[at].secondaries) progress.knows_begin = false;
    } else if (at - i <= executions[i].secondaries) {
      // It executes the one that has the checkpoint: it has begun, and its own points are not known.
      progress.knows_actions = false;
      if (member == &Progress::begun) progress.begun = kFirstPoint;
    } else {
      progress.*member = executions[i].log->EndPoint();
    }
  }
}

}  // namespace

Progress ProgressOf(const MarkerLog& log) {
  if (log.way == MarkerWay::kCheckpoints) return {};
  return {.knows_begin = true,
          .knows_actions = log.way == MarkerWay::kBufferMarkers,
          .begun = log.begun(),
          .ended = log.ended()};
}

void ReadCheckpoints(const dispatch::Device& device, VkQueue queue, absl::Span<const QueuedExecution> executions) {
  uint32_t count = 0;
  dispatch::CallNext(device, vk::GetQueueCheckpointDataNV{queue, &count, nullptr});
  std::vector<VkCheckpointDataNV> checkpoints(count, {.sType = VK_STRUCTURE_TYPE_CHECKPOINT_DATA_NV});
  dispatch::CallNext(device, vk::GetQueueCheckpointDataNV{queue, &count, checkpoints.data()});
  checkpoints.resize(std::min<size_t>(checkpoints.size(), count));
  const std::optional<uint64_t> top = LastOf(checkpoints, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
  const std::optional<uint64_t> bottom = LastOf(checkpoints, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
  if (!top) return;
  for (const QueuedExecution& execution : executions) {
    *execution.progress = {.knows_begin = true, .knows_actions = bottom.has_value()};
  }
  Apply(executions, *top, &Progress::begun);
  if (bottom) Apply(executions, *bottom, &Progress::ended);
}

}  // namespace assay::gpuav
