// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// "Fragment Output Interface".

#include "core/interfaces/pipeline_stages.h"

namespace assay::core {

void CheckFragment(const CheckedStage& fragment, const VkPipelineMultisampleStateCreateInfo* multisample,
                   messages::Report& report) {
  const StageInterface& outputs = fragment.interface->outputs;
  if (multisample == nullptr || multisample->alphaToCoverageEnable == VK_FALSE) return;
  if (!outputs.is_complete || outputs.At(0, 3) != nullptr) return;
  report.Error(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-alphaToCoverageEnable-08891"),
               {messages::Object(fragment.module)}, fragment.where,
               "is a fragment shader that has no output for component 3 of location 0, from which "
               "alphaToCoverageEnable takes the coverage.",
               "Declare an output vec4 at location 0, or set alphaToCoverageEnable to VK_FALSE.");
}

}  // namespace assay::core
