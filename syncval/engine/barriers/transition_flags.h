// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_TRANSITION_FLAGS_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_TRANSITION_FLAGS_H_

#include "syncval/engine/barriers/barrier.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// Of a layout transition, ended stages of available_stages that no scope has say what suggestions ask: that it is an
// automatic one for a subpass, and what its barrier names of all reads, or writes, without a stage that does any.
inline constexpr VkPipelineStageFlags2 kForSubpass = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
inline constexpr VkPipelineStageFlags2 kReadsInNoStage = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT;
inline constexpr VkPipelineStageFlags2 kWritesInNoStage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
inline constexpr VkPipelineStageFlags2 kTransitionFlags = kForSubpass | kReadsInNoStage | kWritesInNoStage;

inline VkPipelineStageFlags2 TransitionFlagsOf(const Barrier& barrier) {
  if (!barrier.dst.stages.Empty()) return 0;
  const VkAccessFlags2 accesses = barrier.flags.dst_access;
  return ((accesses & VK_ACCESS_2_MEMORY_READ_BIT) != 0 ? kReadsInNoStage : 0) |
         ((accesses & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0 ? kWritesInNoStage : 0);
}

// Whether nothing can follow upon a layout transition with this second scope.
inline bool IsEmptyScope(const BarrierScope& dst) { return (dst.stages.outside | dst.stages.inside) == 0; }

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_TRANSITION_FLAGS_H_
