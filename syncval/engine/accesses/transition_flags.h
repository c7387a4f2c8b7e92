// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_TRANSITION_FLAGS_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_TRANSITION_FLAGS_H_

#include "vk/vulkan.h"

namespace assay::syncval {

// Remarks on a layout transition that is a last write. Suggestions read them; hazards do not depend on them.
//
// Encoding: a StageSet carries the flags in bits of its `ended` stages. The bits are those of stages that no scope ever
// has, since scopes have single stages: TOP_OF_PIPE, ALL_GRAPHICS, ALL_COMMANDS. So the flags go wherever the stages of
// the transition go, and AccessState does not grow. Only StageSet knows this. Others call its accessors, or those of
// AccessState.
enum class TransitionFlags : VkPipelineStageFlags2 {
  kNone = 0,
  // An automatic transition for a subpass.
  kForSubpass = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT,
  // The second access scope of the barrier has all reads, or all writes, but no stage that does any.
  kReadsInNoStage = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
  kWritesInNoStage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
  kAll = kForSubpass | kReadsInNoStage | kWritesInNoStage,
};

constexpr TransitionFlags operator|(TransitionFlags a, TransitionFlags b) {
  return static_cast<TransitionFlags>(static_cast<VkPipelineStageFlags2>(a) | static_cast<VkPipelineStageFlags2>(b));
}
constexpr bool Has(TransitionFlags flags, TransitionFlags flag) {
  return (static_cast<VkPipelineStageFlags2>(flags) & static_cast<VkPipelineStageFlags2>(flag)) != 0;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_TRANSITION_FLAGS_H_
