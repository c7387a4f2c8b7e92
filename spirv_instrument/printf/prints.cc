// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/printf/prints.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/printf/text.h"

namespace assay::spirv_instrument {
namespace {

// The operands of the OpExtInst: set, number, format, arguments.
constexpr size_t kFormatOperand = 2;
constexpr size_t kFirstArgument = 3;

PrintType TypeOfScalar(Instruction type) {
  const uint32_t width = type.literal(0);
  const bool has_width = width == 8 || width == 16 || width == 32 || width == 64;
  switch (type.op()) {
    case spv::Op::OpTypeBool:
      return {.kind = PrintType::Kind::kBool};
    case spv::Op::OpTypeInt:
      if (!has_width) return {};
      return {.kind = type.literal(1) == 0 ? PrintType::Kind::kUnsigned : PrintType::Kind::kSigned,
              .width = static_cast<uint8_t>(width)};
    case spv::Op::OpTypeFloat:
      // Those with an encoding are not the floats of IEEE 754.
      if (!has_width || width == 8 || type.operand_count() > 1) return {};
      return {.kind = PrintType::Kind::kFloat, .width = static_cast<uint8_t>(width)};
    case spv::Op::OpTypePointer:
      if (type.enumerant<spv::StorageClass>(0) != spv::StorageClass::PhysicalStorageBuffer) return {};
      return {.kind = PrintType::Kind::kPointer, .width = 64};
    default:
      return {};
  }
}

// The character behind a backslash, as GLSL and C have it.
char Unescape(char c) {
  constexpr std::string_view kEscapes = "abfnrtv0";
  constexpr std::string_view kCharacters("\a\b\f\n\r\t\v\0", 8);
  const size_t at = kEscapes.find(c);
  return at == std::string_view::npos ? c : kCharacters[at];
}

// Where the character at `offset` is in the line, if the format begins at `begin`; npos if the format is not there.
size_t MatchFormat(std::string_view line, size_t begin, std::string_view format, size_t offset) {
  size_t found = std::string_view::npos;
  size_t at = begin;
  for (size_t i = 0; i <= format.size(); ++i) {
    if (i == offset) found = at;
    if (i == format.size()) break;
    if (at >= line.size()) return std::string_view::npos;
    const bool is_escaped = line[at] == '\\' && at + 1 < line.size();
    const char c = is_escaped ? Unescape(line[at + 1]) : line[at];
    if (c != format[i]) return std::string_view::npos;
    at += is_escaped ? 2 : 1;
  }
  return at < line.size() && line[at] == '"' ? found : std::string_view::npos;
}

}  // namespace

bool IsPrint(Instruction instruction, Id set) {
  return instruction.op() == spv::Op::OpExtInst && set != kNoId && instruction.id(0) == set &&
         instruction.literal(1) == kDebugPrintf;
}

absl::Span<const uint32_t> ArgumentsOfPrint(Instruction print) {
  const absl::Span<const uint32_t> operands = print.operands();
  return operands.size() <= kFirstArgument ? absl::Span<const uint32_t>() : operands.subspan(kFirstArgument);
}

PrintType TypeOfPrintArgument(const Module& module, Id argument) {
  if (module.Find(argument).op() == spv::Op::OpString) return {.kind = PrintType::Kind::kString};
  const Instruction type = module.TypeOf(argument);
  if (type.op() != spv::Op::OpTypeVector) return TypeOfScalar(type);
  PrintType vector = TypeOfScalar(module.Find(type.id(0)));
  const uint32_t components = type.literal(1);
  if (components > 4) return {};
  vector.components = static_cast<uint8_t>(components);
  return vector;
}

uint32_t ColumnInLine(std::string_view line, std::string_view format, size_t offset) {
  for (size_t quote = line.find('"'); quote != std::string_view::npos; quote = line.find('"', quote + 1)) {
    const size_t found = MatchFormat(line, quote + 1, format, offset);
    if (found != std::string_view::npos) return static_cast<uint32_t>(found + 1);
  }
  return 0;
}

std::string PrintProblem::ToString() const {
  std::string place;
  if (location.line != 0) {
    if (!location.file.empty()) absl::StrAppend(&place, location.file, ":");
    absl::StrAppend(&place, location.file.empty() ? "line " : "", location.line);
    if (location.column != 0) absl::StrAppend(&place, ":", location.column);
  } else {
    absl::StrAppend(&place, "instruction ", instruction);
  }
  return absl::StrCat(place, ": debugPrintf(\"", format, "\"): ", error.what);
}

Prints::Prints(const Module& module) {
  const Id set = FindExtendedSet(module, kDebugPrintfSet);
  if (set == kNoId) return;
  for (const Function function : module.functions()) {
    for (const Instruction instruction : function.instructions()) {
      if (IsPrint(instruction, set)) Add(module, instruction);
    }
  }
  if (!problems_.empty()) LocateProblems(SourceLocations(module), module);
}

void Prints::Add(const Module& module, Instruction instruction) {
  Print print;
  for (const uint32_t word : ArgumentsOfPrint(instruction)) {
    PrintArgument argument{.type = TypeOfPrintArgument(module, Id{word})};
    if (argument.type.kind == PrintType::Kind::kString) argument.string = module.Find(Id{word}).string(0);
    print.arguments.push_back(std::move(argument));
  }
  const Instruction format = module.Find(instruction.id(kFormatOperand));
  const std::string_view text = format.op() == spv::Op::OpString ? format.string(0) : "";
  print.plan = MakePrintPlan(text, print.arguments);
  for (const PrintError& error : print.plan.errors) {
    problems_.push_back({.instruction = instruction.index(), .format = std::string(text), .error = error});
  }
  prints_.emplace(instruction.index(), std::move(print));
}

void Prints::LocateProblems(const SourceLocations& locations, const Module& module) {
  for (PrintProblem& problem : problems_) {
    std::optional<SourceLocation> location = locations.Of(module.At(problem.instruction));
    if (!location) continue;
    problem.location = std::move(*location);
    const uint32_t column = ColumnInLine(problem.location.text, problem.format, problem.error.offset);
    if (column != 0) problem.location.column = column;
  }
}

bool Prints::IsWrong(uint32_t instruction) const {
  const auto found = prints_.find(instruction);
  return found != prints_.end() && !found->second.plan.errors.empty();
}

std::string Prints::Text(uint32_t instruction, absl::Span<const uint32_t> words) const {
  const auto found = prints_.find(instruction);
  if (found == prints_.end()) return "";
  return PrintText(found->second.plan, found->second.arguments, words);
}

}  // namespace assay::spirv_instrument
