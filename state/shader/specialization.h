// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_SPECIALIZATION_H_
#define ASSAY_STATE_SHADER_SPECIALIZATION_H_

#include <vector>

#include "spirv_instrument/ir/constants/specialization.h"
#include "vk/vulkan.h"

namespace assay::state {

// The constants of `info`, which may be null, in its order. Entries outside of its data are left out.
std::vector<spirv_instrument::Specialization> ReadSpecialization(const VkSpecializationInfo* info);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_SPECIALIZATION_H_
