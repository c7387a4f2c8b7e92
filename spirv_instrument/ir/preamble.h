// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_PREAMBLE_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_PREAMBLE_H_

#include <string_view>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

// What a module declares to use: capabilities, extensions, extended instruction sets, memory and addressing model.
namespace assay::spirv_instrument {

// Whether the module declares it, or declares one that implies it (Matrix is implied by Shader, and so on).
bool HasCapability(const Module& module, spv::Capability capability);
// Does nothing if the module declares it, or one that implies it. Also adds the extension that the capability needs, if
// the module's version does not have it.
void AddCapability(Module& module, spv::Capability capability);

bool HasExtension(const Module& module, std::string_view name);
// Does nothing if the module has it.
void AddExtension(Module& module, std::string_view name);

// The id that imports the set ("GLSL.std.450"); kNoId without. The second adds it.
Id FindExtendedSet(const Module& module, std::string_view name);
Id ImportExtendedSet(Module& module, std::string_view name);
// The set's name; "" if `id` imports none.
std::string_view ExtendedSetName(const Module& module, Id id);

// Logical and Simple if the module declares none.
spv::AddressingModel AddressingModelOf(const Module& module);
spv::MemoryModel MemoryModelOf(const Module& module);
// Lets the module use pointers into PhysicalStorageBuffer: raises the addressing model from Logical to
// PhysicalStorageBuffer64, and adds the capability and the extension.
void EnablePhysicalStorageBuffer(Module& module);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_PREAMBLE_H_
