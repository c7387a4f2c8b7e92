// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_MODULE_READER_H_
#define ASSAY_CORE_SPIRV_MODULE_READER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "core/spirv/module_finding.h"
#include "dispatch/dispatch.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::core {

// An entry point and what it statically uses.
struct EntryPointUse {
  spirv_instrument::EntryPoint entry_point;
  // Those that it may call, itself first.
  std::vector<spirv_instrument::Function> functions;
  // Global variables that these name, in order of ids.
  std::vector<spirv_instrument::Id> variables;

  spv::ExecutionModel model() const { return entry_point.model(); }
  bool Is(spv::ExecutionModel other) const { return model() == other; }
};

// A valid module, as own checks read it.
class ModuleReader {
 public:
  // `findings` must outlive this.
  explicit ModuleReader(ModuleFindings& findings);

  const spirv_instrument::Module& module() const { return findings_.module(); }
  const spirv_instrument::Decorations& decorations() const { return decorations_; }
  const std::vector<EntryPointUse>& entry_points() const { return entry_points_; }
  ModuleFindings& findings() { return findings_; }

  spirv_instrument::Instruction Find(spirv_instrument::Id id) const { return module().Find(id); }
  bool HasCapability(spv::Capability capability) const { return capabilities_.contains(capability); }
  bool HasExtension(std::string_view name) const;
  bool HasEntryPoint(spv::ExecutionModel model) const;
  bool HasMode(const EntryPointUse& use, spv::ExecutionMode mode) const;

  // What a pointer points to; null if it is none.
  spirv_instrument::Instruction PointeeOf(spirv_instrument::Instruction pointer) const;
  // The storage class of a pointer's type; Max if it is none.
  spv::StorageClass StorageOf(spirv_instrument::Id pointer) const;
  // A type without all its arrays, or without the outermost.
  spirv_instrument::Instruction WithoutArrays(spirv_instrument::Instruction type) const;
  spirv_instrument::Instruction ElementOf(spirv_instrument::Instruction array) const;
  // Of an array; nullopt if it is no plain constant.
  std::optional<uint32_t> LengthOf(spirv_instrument::Instruction array) const;
  // The value of an OpConstant of at most 32 bits; not of specialization constants.
  std::optional<uint32_t> ConstantOf(spirv_instrument::Id id) const;

  bool IsBlock(spirv_instrument::Instruction type) const;
  // Of the variable itself, not of members of its block.
  std::optional<spv::BuiltIn> BuiltInOf(spirv_instrument::Id variable) const;
  // Whether it is a built-in variable, or a block of them.
  bool IsBuiltIn(spirv_instrument::Instruction variable) const;

  // The variables of a storage class that the entry point lists.
  void ForEachInInterface(const EntryPointUse& use, spv::StorageClass storage,
                          absl::FunctionRef<void(spirv_instrument::Instruction variable)> visit) const;
  // The functions of the entry points of a model, each once.
  std::vector<spirv_instrument::Function> FunctionsOf(spv::ExecutionModel model) const;

 private:
  // What a function names.
  struct FunctionUse {
    std::vector<spirv_instrument::Id> callees;
    std::vector<spirv_instrument::Id> variables;
  };
  FunctionUse Read(spirv_instrument::Function function) const;
  void ReadEntryPoints();

  ModuleFindings& findings_;
  const spirv_instrument::Decorations decorations_;
  absl::flat_hash_set<spv::Capability> capabilities_;
  std::vector<EntryPointUse> entry_points_;
};

// "the entry point "main"".
std::string NameOf(const EntryPointUse& use);

// How many invocations a workgroup has in X, Y and Z.
using WorkgroupSize = std::array<uint32_t, 3>;
// nullopt if specialization may change it.
std::optional<WorkgroupSize> WorkgroupSizeOf(const ModuleReader& reader, const EntryPointUse& use);

// The base of an access chain, or of OpCopyObject of a pointer; kNoId for another instruction.
spirv_instrument::Id BaseOf(spirv_instrument::Instruction instruction);

// Each finds what breaks some rules. Linear in the module.
void CheckWorkgroups(ModuleReader& reader);
void CheckInterfaces(ModuleReader& reader);
void CheckBuiltInUse(ModuleReader& reader);
void CheckTileImages(ModuleReader& reader);
void CheckTransformFeedback(ModuleReader& reader);
void CheckMeshShaders(ModuleReader& reader);
void CheckImages(ModuleReader& reader);
void CheckTypes(ModuleReader& reader);
void CheckMatrixPointers(ModuleReader& reader);
void CheckLayeredMeshes(const dispatch::Device& device, ModuleReader& reader);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_MODULE_READER_H_
