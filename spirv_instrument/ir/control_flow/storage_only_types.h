// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_STORAGE_ONLY_TYPES_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_STORAGE_ONLY_TYPES_H_

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// A module with, say, StorageBuffer8BitAccess and without Int8 has types of 8 bits that it may only load, store, copy
// and convert: SPIR-V, "Capability". No constants, OpUndef and OpPhi of them.
struct StorageOnlyType {
  // Whether the type is or contains one that the module may do no more with.
  bool is_storage_only = false;
  // For a scalar or a vector: the type with 32 bits that holds the same values; kNoId for others.
  Id wide_type = kNoId;
  // Converts from one to the other, either way.
  spv::Op conversion = spv::Op::OpNop;
};

// Adds the type with 32 bits to the module if it is needed.
StorageOnlyType FindStorageOnlyType(Module& module, Id type);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_STORAGE_ONLY_TYPES_H_
