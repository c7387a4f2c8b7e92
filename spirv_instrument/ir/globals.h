// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_GLOBALS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_GLOBALS_H_

#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument {

class Module;

// A decoration that a type is to have.
struct DecorationOfType {
  spv::Decoration decoration;
  std::optional<uint32_t> member = std::nullopt;
  absl::InlinedVector<uint32_t, 2> parameters = {};
};

// Types, constants and global variables of a module: finds what the module has, and adds what it does not have at the
// end of its section. module.globals() makes one; it may be copied, and is valid as long as the module stays where it
// is. The first look-up builds the index, in time linear in the section; each is then constant in time.
//
// What is found has the same opcode, operands and decorations. So the types without decoration below are never a type
// that someone decorated for a purpose of their own, and a structure with offsets is found again with the same offsets.
// Only types that a module may not have twice, such as integers, are found whatever their decorations are.
// Names do not matter. Types that need a capability or extension do not declare it: see preamble.h.
class Globals {
 public:
  explicit Globals(Module& module) : module_(&module) {}

  // ---- Types.
  Id Void() { return Type(spv::Op::OpTypeVoid); }
  Id Bool() { return Type(spv::Op::OpTypeBool); }
  Id Int(uint32_t width, bool is_signed) { return Type(spv::Op::OpTypeInt, {width, is_signed ? 1u : 0u}); }
  Id Uint32() { return Int(32, false); }
  Id Float(uint32_t width) { return Type(spv::Op::OpTypeFloat, {width}); }
  Id Vector(Id component, uint32_t count) { return Type(spv::Op::OpTypeVector, {component, count}); }
  Id Pointer(spv::StorageClass storage, Id pointee) { return Type(spv::Op::OpTypePointer, {storage, pointee}); }
  // `length` is the id of a constant.
  Id Array(Id element, Id length) { return Type(spv::Op::OpTypeArray, {element, length}); }
  Id RuntimeArray(Id element) { return Type(spv::Op::OpTypeRuntimeArray, {element}); }
  Id FunctionType(Id result, absl::Span<const Id> parameters);
  // Any type. `operands` follow the result id.
  Id Type(spv::Op op, absl::Span<const Word> operands = {}, absl::Span<const DecorationOfType> decorations = {}) {
    return FindOrAdd(op, kNoId, operands, decorations);
  }

  // ---- Constants, of a type that the module has.
  Id Uint(uint32_t value) { return Constant(Uint32(), {value}); }
  Id Uint64(uint64_t value);
  Id BoolConstant(bool value);
  // `value` are the literal's words, the low one first.
  Id Constant(Id type, absl::Span<const Word> value) { return FindOrAdd(spv::Op::OpConstant, type, value); }
  // An OpConstant of an integer or floating-point type with this value; kNoId for another type. Of an integer the low
  // bits count.
  Id Integer(Id type, uint64_t value);
  Id FloatConstant(Id type, double value);
  // All zeros. OpConstantNull, for a type for which IsNullable(); see also ZeroValue of builder.h.
  Id Null(Id type) { return FindOrAdd(spv::Op::OpConstantNull, type, {}); }
  Id Composite(Id type, absl::Span<const Id> parts);
  Id Undef(Id type) { return FindOrAdd(spv::Op::OpUndef, type, {}); }

  // Whether OpConstantNull may have the type: SPIR-V, "OpConstantNull". Not pointers into PhysicalStorageBuffer,
  // images, samplers and what contains one of them.
  bool IsNullable(Id type) const;

  // ---- Both.
  // kNoId if the module has none. `type` is kNoId for a type.
  std::optional<Id> Find(spv::Op op, Id type, absl::Span<const Word> operands,
                         absl::Span<const DecorationOfType> decorations = {});
  Id FindOrAdd(spv::Op op, Id type, absl::Span<const Word> operands,
               absl::Span<const DecorationOfType> decorations = {});

  // A new global variable of a pointer type with this storage class. Not found again by content. If the interfaces of
  // entry points have to list it, call AddToInterfaces() of entry_points.h.
  Id AddVariable(Id pointer_type, spv::StorageClass storage, Id initializer = kNoId);

 private:
  Module* module_;
};

// Whether `holds` is true of a type and of all that vectors, matrices, arrays and structures have as their parts. Asks
// once for each type, and no more after the first that it is false of. Null stands for an id that is none.
bool HoldsForAllParts(const Module& module, Id type, absl::FunctionRef<bool(Instruction)> holds);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_GLOBALS_H_
