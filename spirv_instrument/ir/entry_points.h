// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_ENTRY_POINTS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_ENTRY_POINTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// An OpEntryPoint.
class EntryPoint {
 public:
  explicit EntryPoint(Instruction instruction) : instruction_(instruction) {}

  Instruction instruction() const { return instruction_; }
  spv::ExecutionModel model() const { return instruction_.enumerant<spv::ExecutionModel>(0); }
  Id function() const { return instruction_.id(1); }
  std::string_view name() const { return instruction_.string(2); }
  // The ids of the interface, as words.
  absl::Span<const uint32_t> interface() const;
  bool HasInInterface(Id variable) const;

 private:
  Instruction instruction_;
};

// In order.
std::vector<EntryPoint> EntryPoints(const Module& module);

// The OpExecutionMode and OpExecutionModeId of an entry point's function.
std::vector<Instruction> ExecutionModes(const Module& module, Id function);
// Null without. Its operands: function, mode, and what the mode has.
Instruction FindExecutionMode(const Module& module, Id function, spv::ExecutionMode mode);
// Does nothing if the function has the mode.
void AddExecutionMode(Module& module, Id function, spv::ExecutionMode mode, absl::Span<const Word> operands = {});

// Whether interfaces list variables of this storage class: from 1.4 on of all but Function, before of Input and Output.
bool BelongsInInterface(const Module& module, spv::StorageClass storage);
// Adds a global variable to the interface of an entry point, or of all; does nothing where it is listed, or does not
// belong there in the module's version. An entry point may list a variable that it does not use.
void AddToInterface(Module& module, EntryPoint entry_point, Id variable);
void AddToInterfaces(Module& module, Id variable);
// Raises the module's version to at least this one. From 1.4 on interfaces list all variables that an entry point
// uses; those that they lack are added.
void RaiseVersion(Module& module, uint32_t version);

// The ids of the functions that a function can call, itself included, in the order in which they are found. Time is
// linear in these functions.
std::vector<Id> ReachableFunctions(const Module& module, Id function);
// The global variables that a function and those that it can call name, in order of ids; of all storage classes.
std::vector<Id> UsedVariables(const Module& module, Id function);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_ENTRY_POINTS_H_
