// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_DECLARATIONS_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_DECLARATIONS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/model/interpreter/value.h"

namespace assay::spirv_instrument::model {

struct Type {
  enum class Kind : uint8_t {
    // Also what is not declared, and types that are not in the subset.
    kOther,
    kVoid,
    kBool,
    kInt,
    kFloat,
    kVector,
    kMatrix,
    kArray,
    kRuntimeArray,
    kStruct,
    kPointer,
    kImage,
    kSampler,
    kSampledImage,
    kFunction,
  };
  struct Member {
    Id type = kNoId;
    uint32_t offset = 0;
    MatrixContext matrix;
  };

  Kind kind = Kind::kOther;
  // Of kBool (1), kInt, kFloat.
  uint32_t width = 0;
  bool is_signed = false;
  // Component, column, element, pointee; the sampled type of an image, the image of a sampled image.
  Id element = kNoId;
  // Of vectors, matrices and arrays.
  uint32_t count = 0;
  // Of arrays, in bytes.
  uint32_t stride = 0;
  std::vector<Member> members;
  // Of pointers.
  spv::StorageClass storage = spv::StorageClass::Function;
  // Of images.
  spv::Dim dimension = spv::Dim::Dim2D;
  bool is_arrayed = false;
  bool is_multisampled = false;
  // How many scalars a value has; 0 for runtime arrays, images and so on.
  uint32_t cells = 0;

  bool IsScalar() const { return kind == Kind::kBool || kind == Kind::kInt || kind == Kind::kFloat; }
  bool IsAddress() const { return kind == Kind::kPointer && storage == spv::StorageClass::PhysicalStorageBuffer; }
};

// The types and constants of a module, specialization constants with the values that a pipeline gives them.
class Declarations {
 public:
  // `module` must outlive the result. Unimplemented for a constant expression that is not in the subset.
  static absl::StatusOr<Declarations> Make(Module& module,
                                           absl::Span<const corpus::SpecializationConstant> specialization);

  Module& module() const { return *module_; }

  // Of kind kOther if the id is no type.
  const Type& TypeWithId(Id id) const { return types_[ToNumber(id) < types_.size() ? ToNumber(id) : 0]; }
  const Type& TypeOf(Id value) const { return TypeWithId(module_->Find(value).type_id()); }
  // The scalar that a type is made of: itself, a vector's component, a matrix's.
  const Type& ScalarOf(const Type& type) const;

  // Null if the id is no constant.
  const Cells* Constant(Id id) const {
    const uint32_t number = ToNumber(id);
    return number < is_constant_.size() && is_constant_[number] ? &constants_[number] : nullptr;
  }
  // The set and binding of a variable.
  uint32_t DecorationOf(Id id, spv::Decoration decoration) const;
  bool HasDecoration(Id id, spv::Decoration decoration) const;

 private:
  explicit Declarations(Module& module);

  void Declare(Instruction instruction);
  absl::Status DeclareConstant(Instruction instruction,
                               absl::Span<const corpus::SpecializationConstant> specialization);
  void SetConstant(Id id, Cells cells);
  void ReadMembers(Instruction structure, Type& type);

  Module* module_;
  std::vector<Type> types_;
  std::vector<Cells> constants_;
  std::vector<bool> is_constant_;
};

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_DECLARATIONS_H_
