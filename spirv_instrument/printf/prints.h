// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PRINTF_PRINTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PRINTF_PRINTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/printf/format.h"

// The prints of a module: debugPrintf on the host.
//
// A shader writes the values of the arguments alone. Format and strings stay in the module, and so do the types, which
// say how many words each argument has. So a record names the instruction, and the host, which has the module as it was
// before it was instrumented, makes the text:
//
//   const Prints prints(module);
//   for (const PrintProblem& problem : prints.problems()) Warn(problem.ToString());   // before anything runs
//   ...
//   for (const ErrorRecord& record : ReadErrors(output).records) Show(prints.Text(record.instruction, record.data));
//
// Instructions are counted as Module::At counts.
namespace assay::spirv_instrument {

inline constexpr std::string_view kDebugPrintfSet = "NonSemantic.DebugPrintf";
// The number of its only instruction.
inline constexpr uint32_t kDebugPrintf = 1;

// A format that does not fit the arguments, or means nothing.
struct PrintProblem {
  // Of the OpExtInst.
  uint32_t instruction = 0;
  // Where it is in the source: line and column are 0 if the module does not say. The column is that of the conversion,
  // if the module has the source and the format is on this line of it; that of the statement otherwise.
  SourceLocation location;
  std::string format;
  PrintError error;

  // "shader.comp:12:20: debugPrintf("i = %d"): "%d" prints an integer, and the argument is a float of 32 bits."
  std::string ToString() const;
};

class Prints {
 public:
  // Reads all prints; refers to `module` only here. Linear in the module and the formats.
  explicit Prints(const Module& module);

  bool empty() const { return prints_.empty(); }
  // In the order of the module.
  absl::Span<const PrintProblem> problems() const { return problems_; }
  // Whether the instruction is a print with a problem.
  bool IsWrong(uint32_t instruction) const;
  // The text of a record; "" if the instruction is no print. `words` are the record's arguments.
  std::string Text(uint32_t instruction, absl::Span<const uint32_t> words) const;

 private:
  struct Print {
    std::vector<PrintArgument> arguments;
    PrintPlan plan;
  };

  void Add(const Module& module, Instruction instruction);
  void LocateProblems(const SourceLocations& locations, const Module& module);

  absl::flat_hash_map<uint32_t, Print> prints_;
  std::vector<PrintProblem> problems_;
};

// Whether the instruction is a print, where `set` imports kDebugPrintfSet.
bool IsPrint(Instruction instruction, Id set);
// The ids behind the format of a print.
absl::Span<const uint32_t> ArgumentsOfPrint(Instruction print);
// What an argument is, by the type of its value.
PrintType TypeOfPrintArgument(const Module& module, Id argument);

// The column, from 1, of the character at `offset` of a format in a line of source that has the format as a literal,
// with its escape sequences; 0 if the line does not have it.
uint32_t ColumnInLine(std::string_view line, std::string_view format, size_t offset);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PRINTF_PRINTS_H_
