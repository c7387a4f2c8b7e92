// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/coverage/coverage.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/id_table.h"

namespace assay::spirv_instrument {
namespace {

constexpr size_t kCountColumn = 12;
constexpr size_t kLineColumn = 6;

// Calls `visit` for each place of the source that a block has code of.
template <typename Visit>
void ForEachLocation(const SourceLocations& locations, Block block, Visit visit) {
  Instruction last;
  for (const Instruction instruction : block.instructions()) {
    // Instructions in a row nearly always have one line.
    if (instruction.line() == last) continue;
    last = instruction.line();
    std::optional<SourceLocation> location = locations.Of(instruction);
    if (location && location->line != 0) visit(*std::move(location));
  }
}

// The name that the source has for a function: glslang adds the types of parameters.
std::string NameOfFunction(const SourceLocations& locations, const Decorations& names, Function function) {
  for (const Instruction instruction : function.entry().instructions()) {
    const std::optional<SourceLocation> location = locations.Of(instruction);
    if (location && !location->function.empty()) return location->function;
  }
  const std::string_view name = names.NameOf(function.id());
  if (name.empty()) return absl::StrCat("function ", ToNumber(function.id()));
  return std::string(name.substr(0, name.find('(')));
}

std::string AlignRight(std::string text, size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

void AppendFunctions(const Coverage& coverage, std::string& report) {
  absl::StrAppend(&report, AlignRight("calls", kCountColumn), AlignRight("blocks", kCountColumn), "  function\n");
  for (const FunctionCoverage& function : coverage.functions) {
    absl::StrAppend(&report, AlignRight(absl::StrCat(function.calls), kCountColumn),
                    AlignRight(absl::StrCat(function.executed_blocks, "/", function.blocks), kCountColumn), "  ",
                    function.name, "\n");
  }
}

void AppendLine(const LineCoverage& line, std::string_view text, std::string& report) {
  std::string count = absl::StrCat(line.count, line.executed_blocks == line.blocks ? "" : "*");
  if (line.executed_blocks == 0) count = "#####";
  absl::StrAppend(&report, AlignRight(std::move(count), kCountColumn),
                  AlignRight(absl::StrCat(line.line.line), kLineColumn), ":");
  if (!text.empty()) absl::StrAppend(&report, " ", text);
  report += '\n';
}

}  // namespace

std::vector<Function> CountedFunctions(const Module& module) {
  IdTable<uint8_t> is_reached(module.dense_id_count());
  for (const EntryPoint& entry_point : EntryPoints(module)) {
    for (const Id function : ReachableFunctions(module, entry_point.function())) is_reached[function] = 1;
  }
  std::vector<Function> functions;
  for (const Function function : module.functions()) {
    if (is_reached.Get(function.id()) != 0) functions.push_back(function);
  }
  return functions;
}

std::vector<CoverageBlock> CoverageBlocks(const Module& module) {
  const SourceLocations locations(module);
  const Decorations names(module);
  std::vector<CoverageBlock> blocks;
  for (const Function function : CountedFunctions(module)) {
    const std::string name = NameOfFunction(locations, names, function);
    for (const Block block : function.blocks()) {
      CoverageBlock covered{.function = function.id(), .label = block.id(), .function_name = name};
      ForEachLocation(locations, block, [&](SourceLocation location) {
        covered.lines.push_back({.file = std::move(location.file), .line = location.line});
      });
      std::sort(covered.lines.begin(), covered.lines.end());
      covered.lines.erase(std::unique(covered.lines.begin(), covered.lines.end()), covered.lines.end());
      blocks.push_back(std::move(covered));
    }
  }
  return blocks;
}

std::vector<uint64_t> ReadCounts(absl::Span<const uint32_t> words, size_t block_count) {
  std::vector<uint64_t> counts(block_count, 0);
  const size_t known = std::min(block_count, words.size() / 2);
  for (size_t i = 0; i < known; ++i) counts[i] = words[2 * i] | uint64_t{words[2 * i + 1]} << 32;
  return counts;
}

Coverage MakeCoverage(absl::Span<const CoverageBlock> blocks, absl::Span<const uint64_t> counts) {
  Coverage coverage;
  std::map<SourceLine, LineCoverage> lines;
  Id function = kNoId;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const uint64_t count = i < counts.size() ? counts[i] : 0;
    const uint32_t is_executed = count != 0 ? 1 : 0;
    if (blocks[i].function != function) {
      function = blocks[i].function;
      coverage.functions.push_back({.name = blocks[i].function_name, .calls = count});
    }
    ++coverage.functions.back().blocks;
    coverage.functions.back().executed_blocks += is_executed;
    ++coverage.blocks;
    coverage.executed_blocks += is_executed;
    for (const SourceLine& line : blocks[i].lines) {
      LineCoverage& covered = lines[line];
      covered.line = line;
      covered.count = std::max(covered.count, count);
      ++covered.blocks;
      covered.executed_blocks += is_executed;
    }
  }
  for (auto& [line, covered] : lines) coverage.lines.push_back(std::move(covered));
  return coverage;
}

std::string CoverageReport(const Module& module, const Coverage& coverage) {
  const SourceLocations locations(module);
  std::map<SourceLine, std::string> texts;
  for (const Function function : CountedFunctions(module)) {
    for (const Block block : function.blocks()) {
      ForEachLocation(locations, block, [&](SourceLocation location) {
        texts.try_emplace({.file = std::move(location.file), .line = location.line}, std::move(location.text));
      });
    }
  }
  std::string report = absl::StrCat(coverage.executed_blocks, " of ", coverage.blocks, " blocks were executed.\n\n");
  AppendFunctions(coverage, report);
  const std::string* file = nullptr;
  for (const LineCoverage& line : coverage.lines) {
    if (file == nullptr || *file != line.line.file) {
      file = &line.line.file;
      absl::StrAppend(&report, "\n", file->empty() ? "unnamed source" : *file, "\n");
    }
    const auto text = texts.find(line.line);
    AppendLine(line, text == texts.end() ? "" : std::string_view(text->second), report);
  }
  return report;
}

}  // namespace assay::spirv_instrument
