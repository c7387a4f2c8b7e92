// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_DEBUG_SOURCE_LOCATIONS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_DEBUG_SOURCE_LOCATIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "spirv_instrument/ir/debug/source_text.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

// Where in the source an instruction comes from. The line in effect at an instruction is known by Instruction::line();
// here it becomes the name of a file and the text of the line. This is for reports: a module that is only changed does
// not need it.
namespace assay::spirv_instrument {

struct SourceLocation {
  // "" if it is not known, as when source was compiled from memory.
  std::string file;
  // From 1; 0 if it is not known.
  uint32_t line = 0;
  uint32_t column = 0;
  // The text of that line, without its end; "" if the module does not have the source.
  std::string text;
  // The function of the source that the instruction is in, by its DebugFunction; "" without.
  std::string function;
};

// Source files, lines and texts of a module: OpLine with OpSource and OpSourceContinued, or DebugLine with DebugSource
// and DebugSourceContinued of NonSemantic.Shader.DebugInfo.100. The scopes of OpenCL.DebugInfo.100 are understood too.
//
// Source that was preprocessed has #line directives. Its lines are numbered from the directive before them, in the file
// that it names: the line behind "#line 10" is number 10, whatever its place in the source.
class SourceLocations {
 public:
  // Reads what the module has of sources; `module` must outlive this. Linear in the module's debug instructions.
  explicit SourceLocations(const Module& module);
  SourceLocations(const SourceLocations&) = delete;
  SourceLocations& operator=(const SourceLocations&) = delete;

  // nullopt if no line is in effect at the instruction.
  std::optional<SourceLocation> Of(Instruction instruction) const;

  // Where the function that the instruction was inlined from is called, innermost first (DebugInlinedAt).
  std::vector<SourceLocation> InlinedAt(Instruction instruction) const;

 private:
  // The source of a file; `lines` refers to `text`.
  struct Source {
    std::string text;
    SourceText lines;
  };

  void ReadSources(Id set);
  // The instruction of a debug information set with this number; null if `id` is none.
  Instruction DebugInstruction(Id id, uint32_t number) const;
  // What an operand says where NonSemantic.Shader.DebugInfo.100 has the id of a constant, and older sets a literal.
  uint32_t Number(Instruction instruction, size_t operand) const;
  std::string_view LineText(Id file, std::string_view name, uint32_t line) const;
  SourceLocation At(Id file, uint32_t line, uint32_t column) const;
  // The id of the OpString that names the file of a DebugSource; kNoId without.
  Id FileOf(Id debug_source) const;
  // The DebugSource of a DebugFunction or DebugLexicalBlock.
  Id SourceOfScope(Id scope) const;
  // The name of the DebugFunction that a scope is in.
  std::string_view FunctionOf(Id scope) const;
  std::string_view StringOf(Id id) const;

  const Module& module_;
  // In the order of the module. Complete before lines are looked up.
  std::vector<Source> sources_;
  // Indices in sources_ by the id of the OpString with the file's name; kNoId for source without a file.
  absl::flat_hash_map<uint32_t, size_t> source_indices_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_DEBUG_SOURCE_LOCATIONS_H_
