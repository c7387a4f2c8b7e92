// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_PIPELINE_STATES_H_
#define ASSAY_CORE_DRAW_PIPELINE_STATES_H_

#include <memory>

#include "core/recording/dynamic_states.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {

// What is noted of a pipeline that was created; `pipeline` is its state. Null if one of its libraries is not known.
std::shared_ptr<const PipelineStates> ReadPipelineStates(const VkGraphicsPipelineCreateInfo& info,
                                                         const state::Pipeline& pipeline);
std::shared_ptr<const PipelineStates> ReadPipelineStates(const VkRayTracingPipelineCreateInfoKHR& info,
                                                         const state::Pipeline& pipeline);

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_PIPELINE_STATES_H_
