// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_COVERAGE_COVERAGE_H_
#define ASSAY_SPIRV_INSTRUMENT_COVERAGE_COVERAGE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

// Coverage of shaders: from the counts that the pass block_counts makes to blocks, functions and lines of the source.
// All of it is of the module as it was before it was instrumented.
namespace assay::spirv_instrument {

// A line of the source that a block has code of.
struct SourceLine {
  // "" if it is not known.
  std::string file;
  uint32_t line = 0;

  friend bool operator==(const SourceLine& a, const SourceLine& b) = default;
  friend auto operator<=>(const SourceLine& a, const SourceLine& b) = default;
};

struct CoverageBlock {
  // Of the OpFunction and the OpLabel.
  Id function = kNoId;
  Id label = kNoId;
  // The name of the function: that of the source, or by OpName, or "function 12".
  std::string function_name;
  // In the order of the files and lines; each once. Empty without debug information.
  std::vector<SourceLine> lines;
};

// The blocks that are counted, by counter: those of the functions that an entry point reaches, in the order of the
// module.
std::vector<CoverageBlock> CoverageBlocks(const Module& module);

// The functions that an entry point reaches, in the order of the module.
std::vector<Function> CountedFunctions(const Module& module);

struct LineCoverage {
  SourceLine line;
  // How often the line was executed: the largest count of the blocks that have code of it, since a line that is divided
  // into blocks begins in one of them.
  uint64_t count = 0;
  // Blocks that have code of it, and how many of them were executed.
  uint32_t blocks = 0;
  uint32_t executed_blocks = 0;
};

struct FunctionCoverage {
  std::string name;
  // How often it was called: the count of its entry block.
  uint64_t calls = 0;
  uint32_t blocks = 0;
  uint32_t executed_blocks = 0;
};

struct Coverage {
  // By file and line.
  std::vector<LineCoverage> lines;
  // In the order of the module.
  std::vector<FunctionCoverage> functions;
  uint32_t blocks = 0;
  uint32_t executed_blocks = 0;
};

// Makes counts of words: two for each block, low word first. Blocks without words were not executed.
std::vector<uint64_t> ReadCounts(absl::Span<const uint32_t> words, size_t block_count);

// `counts` has one number for each block.
Coverage MakeCoverage(absl::Span<const CoverageBlock> blocks, absl::Span<const uint64_t> counts);

// A report for readers: functions with their calls and blocks, then the lines of each file that have code, with how
// often they were executed, and their text where the module has it. "#####" stands for a line that was not executed. A
// count with "*" is that of a line some of whose blocks were not executed.
std::string CoverageReport(const Module& module, const Coverage& coverage);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_COVERAGE_COVERAGE_H_
