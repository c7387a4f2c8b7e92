// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/completion/lost.h"

#include <map>

namespace assay::gpuav {

void ReadCheckpoints(const dispatch::Device& device, std::vector<LostSubmission>& submissions) {
  std::map<VkQueue, std::vector<QueuedExecution>> queues;
  for (LostSubmission& submission : submissions) {
    for (LostExecution& execution : submission.executions) {
      if (execution.markers == nullptr || execution.markers->way != MarkerWay::kCheckpoints) continue;
      queues[submission.queue].push_back({execution.markers.get(), execution.secondaries, &execution.progress});
    }
  }
  for (const auto& [queue, executions] : queues) ReadCheckpoints(device, queue, executions);
}

}  // namespace assay::gpuav
