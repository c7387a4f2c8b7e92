// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/storage_only_types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"

namespace assay::spirv_instrument {
namespace {

// Whether a scalar type needs a capability for more than storage that the module does not have.
bool IsStorageOnly(const Module& module, Instruction scalar) {
  const uint32_t width = scalar.literal(0);
  if (width != 8 && width != 16) return false;
  if (scalar.op() == spv::Op::OpTypeInt) {
    return !HasCapability(module, width == 8 ? spv::Capability::Int8 : spv::Capability::Int16);
  }
  // A second operand is another encoding, which has capabilities of its own.
  return scalar.op() == spv::Op::OpTypeFloat && width == 16 && scalar.operand_count() == 1 &&
         !HasCapability(module, spv::Capability::Float16);
}

bool ContainsStorageOnly(const Module& module, Id type) {
  std::vector<Id> pending = {type};
  absl::flat_hash_set<uint32_t> seen = {ToNumber(type)};
  while (!pending.empty()) {
    const Instruction definition = module.Find(pending.back());
    pending.pop_back();
    size_t part_count = 0;
    switch (definition.op()) {
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
      case spv::Op::OpTypeArray:
        part_count = 1;
        break;
      case spv::Op::OpTypeStruct:
        part_count = definition.operand_count();
        break;
      default:
        if (IsStorageOnly(module, definition)) return true;
        break;
    }
    for (size_t part = 0; part < part_count; ++part) {
      if (seen.insert(definition.literal(part)).second) pending.push_back(definition.id(part));
    }
  }
  return false;
}

}  // namespace

StorageOnlyType FindStorageOnlyType(Module& module, Id type) {
  StorageOnlyType result;
  const Instruction definition = module.Find(type);
  const bool is_vector = definition.op() == spv::Op::OpTypeVector;
  const Instruction scalar = is_vector ? module.Find(definition.id(0)) : definition;
  const bool is_float = scalar.op() == spv::Op::OpTypeFloat;
  if (!is_float && scalar.op() != spv::Op::OpTypeInt) {
    result.is_storage_only = ContainsStorageOnly(module, type);
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
