// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_SPECIALIZATION_H_
#define ASSAY_STATE_SHADER_SPECIALIZATION_H_

#include <cstdint>
#include <vector>

#include "vk/vulkan.h"

namespace assay::state {

// The value of a specialization constant. Only the low word matters here.
struct SpirvSpecialization {
  uint32_t specialization_id;
  uint32_t value;
  friend bool operator==(const SpirvSpecialization&, const SpirvSpecialization&) = default;
};

// The constants of `info`, which may be null, in its order. Entries outside of its data are left out.
std::vector<SpirvSpecialization> ReadSpecialization(const VkSpecializationInfo* info);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_SPECIALIZATION_H_
