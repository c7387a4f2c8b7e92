// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_LINK_LINKER_H_
#define ASSAY_SPIRV_INSTRUMENT_LINK_LINKER_H_

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/link/library.h"

namespace assay::spirv_instrument {

// Copies functions of a library into a module, with the functions that they call and the types, constants, variables,
// extended instruction sets, capabilities and extensions that they use. What the module has already is not added again:
// types and constants by content (Globals), the rest by name. Global variables of the library are added once.
//
// Two things are changed on the way. Scopes and decorations follow the module's memory model: the Vulkan memory model
// has no Coherent and Volatile decorations, and asks for a capability at Device scope, which QueueFamily scope does not
// need. And a function that `import` provides is not copied; calls go to the module's own.
//
// Time is linear in what is copied. The order in which things are added depends on the calls of Link alone.
class Linker {
 public:
  // A copy of a function that depends on imports exists once for each variant that was asked for; other functions are
  // in the module once. The frame has a variant for each execution model, since stage words differ.
  using Variant = uint32_t;

  struct Options {
    // Variables with a descriptor set get this one.
    uint32_t descriptor_set = 0;
    // The function of the module that stands in for a function of the library; kNoId to copy that of the library. The
    // same for all calls with the same arguments.
    std::function<Id(std::string_view name, Variant variant)> import;
    // Which functions those are.
    absl::Span<const std::string_view> imported_names;
    // NoteFault stands in for ReportFault (checks/faults.glsl). What reports is small then, and may be inlined.
    bool reports_at_end = false;
  };

  // Both must outlive this.
  Linker(Module& module, const Library& library, Options options);

  // The id of the function in the module, which is copied when it is first asked for. kNoId if the library does not
  // have it, or it recurses.
  Id Link(std::string_view name, Variant variant = 0);
  // The id of a global variable in the module, which is added when it is first asked for. kNoId if the library does not
  // have it.
  Id LinkVariable(std::string_view name);
  // The type of what it returns, in the module.
  Id ReturnTypeOf(std::string_view name);

  // The variables that were added, in order. The caller puts them into interfaces.
  absl::Span<const Id> variables() const { return variables_; }

 private:
  struct FunctionKey {
    uint32_t function;
    Variant variant;
    friend bool operator==(const FunctionKey& a, const FunctionKey& b) = default;
    template <typename H>
    friend H AbslHashValue(H state, const FunctionKey& key) {
      return H::combine(std::move(state), key.function, key.variant);
    }
  };

  using Operands = absl::InlinedVector<Word, 16>;

  Id LinkFunction(Function function, Variant variant);
  Id CopyFunction(Function function, std::string_view name, Variant variant);
  void CopyBody(Function from, Function to, Variant variant, IdTable<Id>& locals);
  // The module's id for a type, constant, variable or extended instruction set of the library.
  Id Global(Id library_id);
  Id CopyTypeOrConstant(Instruction definition);
  Id CopyVariable(Instruction variable);
  void CopyDecorations(Id from, Id to);
  bool IsKept(spv::Decoration decoration) const;
  Operands MapOperands(Instruction instruction, absl::FunctionRef<Id(Id)> map);
  bool DependsOnImports(Function function);

  Module& module_;
  const Library& library_;
  Options options_;
  bool has_vulkan_memory_model_;
  IdTable<Id> globals_;
  absl::flat_hash_map<FunctionKey, Id> functions_;
  absl::flat_hash_map<uint32_t, bool> depends_on_imports_;
  std::vector<Id> variables_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_LINK_LINKER_H_
