// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_FORMATS_MIXED_SAMPLES_H_
#define ASSAY_CORE_FORMATS_MIXED_SAMPLES_H_

#include "dispatch/dispatch.h"
#include "vk/vulkan.h"

namespace assay::core {

// Whether the driver supports numbers of samples together, by VK_NV_coverage_reduction_mode; true if it does not say.
// `depth` and `colors` are 0 without such attachments.
bool SupportsMixedSamples(const dispatch::Device& device, VkCoverageReductionModeNV mode, VkSampleCountFlags samples,
                          VkSampleCountFlags depth, VkSampleCountFlags colors);

}  // namespace assay::core

#endif  // ASSAY_CORE_FORMATS_MIXED_SAMPLES_H_
