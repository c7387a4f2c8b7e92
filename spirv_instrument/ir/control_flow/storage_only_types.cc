// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/storage_only_types.h"

#include <cstdint>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"

namespace assay::spirv_instrument {
namespace {

// Whether a type is a scalar that needs a capability, which the module does not have, for more than storage.
bool IsStorageOnly(const Module& module, Instruction scalar) {
  if (scalar.op() != spv::Op::OpTypeInt && scalar.op() != spv::Op::OpTypeFloat) return false;
  const uint32_t width = scalar.literal(0);
  if (width != 8 && width != 16) return false;
  if (scalar.op() == spv::Op::OpTypeInt) {
    return !HasCapability(module, width == 8 ? spv::Capability::Int8 : spv::Capability::Int16);
  }
  // A second operand is another encoding, which has capabilities of its own.
  return width == 16 && scalar.operand_count() == 1 && !HasCapability(module, spv::Capability::Float16);
}

}  // namespace

StorageOnlyType FindStorageOnlyType(Module& module, Id type) {
  StorageOnlyType result;
  const Instruction definition = module.Find(type);
  const bool is_vector = definition.op() == spv::Op::OpTypeVector;
  const Instruction scalar = is_vector ? module.Find(definition.id(0)) : definition;
  const bool is_float = scalar.op() == spv::Op::OpTypeFloat;
  if (!is_float && scalar.op() != spv::Op::OpTypeInt) {
    result.is_storage_only =
        !HoldsForAllParts(module, type, [&](Instruction part) { return !IsStorageOnly(module, part); });
    return result;
  }
  result.is_storage_only = IsStorageOnly(module, scalar);
  if (!result.is_storage_only) return result;
  Globals globals = module.globals();
  const bool is_signed = scalar.literal(1) != 0;
  const Id wide = is_float ? globals.Float(32) : globals.Int(32, is_signed);
  result.wide_type = is_vector ? globals.Vector(wide, definition.literal(1)) : wide;
  result.conversion = is_float ? spv::Op::OpFConvert : is_signed ? spv::Op::OpSConvert : spv::Op::OpUConvert;
  return result;
}

}  // namespace assay::spirv_instrument
