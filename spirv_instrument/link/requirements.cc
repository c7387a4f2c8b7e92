// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/link/requirements.h"

#include <cstdint>

#include "absl/types/span.h"
#include "spirv_instrument/ir/preamble.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kVersion13 = 0x00010300;
constexpr uint32_t kVersion15 = 0x00010500;

constexpr spv::Capability kCapabilities[] = {
    spv::Capability::Shader,  spv::Capability::PhysicalStorageBufferAddresses,
    spv::Capability::Int8,    spv::Capability::Int16,
    spv::Capability::Int64,   spv::Capability::Float16,
    spv::Capability::Float64,
};

void RequireStorageClass(Module& module, spv::StorageClass storage) {
  if (storage == spv::StorageClass::PhysicalStorageBuffer) RequireAddressCasts(module);
  if (storage == spv::StorageClass::StorageBuffer && module.version() < kVersion13) {
    AddExtension(module, "SPV_KHR_storage_buffer_storage_class");
  }
}

void RequireInteger(Module& module, uint32_t width) {
  if (width == 8) AddCapability(module, spv::Capability::Int8);
  if (width == 16) AddCapability(module, spv::Capability::Int16);
  if (width == 64) AddCapability(module, spv::Capability::Int64);
}

void RequireFloat(Module& module, uint32_t width) {
  if (width == 16) AddCapability(module, spv::Capability::Float16);
  if (width == 64) AddCapability(module, spv::Capability::Float64);
}

}  // namespace

void Require(Module& module, Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpTypeInt:
      return RequireInteger(module, instruction.literal(0));
    case spv::Op::OpTypeFloat:
      return RequireFloat(module, instruction.literal(0));
    case spv::Op::OpTypePointer:
      return RequireStorageClass(module, instruction.enumerant<spv::StorageClass>(0));
    default:
      return;
  }
}

absl::Span<const spv::Capability> RequirableCapabilities() { return kCapabilities; }

void RequireAddressCasts(Module& module) {
  // The extension comes first: the capability would bring the first one that has it.
  if (module.version() < kVersion15) AddExtension(module, "SPV_KHR_physical_storage_buffer");
  EnablePhysicalStorageBuffer(module);
}

}  // namespace assay::spirv_instrument
