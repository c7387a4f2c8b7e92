// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_RUNTIME_ACCESS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_RUNTIME_ACCESS_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/link/linker.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {

// What check functions import (checks.h), for one module: the shader id, the stage, stage words, and the address of the
// action block. Functions are added when they are asked for.
//
// A function that entry points of several execution models reach does not know which of them runs, and one of several
// entry points with variables of their own does not know whose built-in to read. Then each entry point begins with
// storing its stage and its stage words in private variables, and the function reads these. Only of a function that is
// itself the entry point of several execution models the stage stays unknown: 0xffffffff, with words 0.
class RuntimeAccess {
 public:
  // Both must outlive this.
  RuntimeAccess(ModuleFacts& facts, const RuntimeConfig& config) : facts_(facts), config_(config) {}

  // FailedPrecondition if the module has no room for what the configuration says: it uses the descriptor set, or has
  // push constants there, or a specialization constant with that id. Also if it is for OpenCL: SPIRV-Tools' validator
  // does not always mind capabilities that need Kernel, with which integers may not have a sign.
  absl::Status Check() const;

  // For Linker::Options. The variant is an execution model; Max where it is not known.
  Id Import(std::string_view name, Linker::Variant variant);

  // Adds what entry points do first, and defines what has to come last. Nothing may be added to the module's constants
  // afterwards.
  void Finish();
  // Where the shader id is in the words that the module writes now; 0 if no shader id was asked for.
  size_t ShaderIdWord() const;
  // Variables to be listed in interfaces.
  absl::Span<const Id> variables() const { return variables_; }

 private:
  // What the entry point that runs has stored, for functions that cannot tell which one it is.
  struct OfEntryPoint {
    Id stage = kNoId;
    Id words = kNoId;
  };

  Id AddShaderId();
  Id AddStage(Linker::Variant variant);
  Id AddStageWords(Linker::Variant variant);
  const OfEntryPoint& VariablesOfEntryPoint();
  void StoreAtEntryPoints();
  // A function that returns what a variable has.
  Id ReturnVariable(std::string_view name, Id type, Id variable);
  Id AddActionAddress();
  // A function without parameters, with one block that is empty.
  Id AddFunction(std::string_view name, Id result_type, Block& block);
  Id ReturnConstant(std::string_view name, Id type, Id constant);
  Id LoadFromPushConstants(Builder& builder, Id type);
  Id LoadFromSpecializationConstants(Builder& builder, Id type);

  ModuleFacts& facts_;
  const RuntimeConfig& config_;
  Id shader_id_ = kNoId;
  // The function.
  Id action_address_ = kNoId;
  // Made when they are first asked for.
  OfEntryPoint of_entry_point_;
  std::vector<Id> variables_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_RUNTIME_ACCESS_H_
