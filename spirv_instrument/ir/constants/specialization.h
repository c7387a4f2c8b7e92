// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONSTANTS_SPECIALIZATION_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONSTANTS_SPECIALIZATION_H_

#include <cstdint>

namespace assay::spirv_instrument {

// The value of the specialization constants with this SpecId.
struct Specialization {
  uint32_t constant_id;
  uint64_t value;
  friend bool operator==(const Specialization&, const Specialization&) = default;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONSTANTS_SPECIALIZATION_H_
