// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/debug/source_locations.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/unified1/NonSemanticShaderDebugInfo100.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/debug/source_text.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument {
namespace {

// Scopes and calls may name one another in circles, in a module that is not valid.
constexpr int kMaxNesting = 256;

// Operands of OpExtInst; those of the instruction begin behind set and number.
constexpr size_t kNumberOperand = 1;
constexpr size_t kFirst = 2;
constexpr size_t kSecond = 3;
constexpr size_t kThird = 4;
constexpr size_t kFourth = 5;

}  // namespace

SourceLocations::SourceLocations(const Module& module) : module_(module) {
  ReadSources(FindExtendedSet(module, "NonSemantic.Shader.DebugInfo.100"));
  for (Source& source : sources_) source.lines = SourceText(source.text);
}

void SourceLocations::ReadSources(Id set) {
  // A file has the text of the first instruction that gives it one.
  bool is_new = false;
  const auto begin = [&](Id file) {
    is_new = source_indices_.try_emplace(ToNumber(file), sources_.size()).second;
    if (is_new) sources_.emplace_back();
  };
  const auto add = [&](std::string_view text) {
    if (is_new) sources_.back().text.append(text);
  };
  for (Instruction instruction : module_.section(Section::kSources)) {
    if (instruction.op() == spv::Op::OpSource && instruction.operand_count() > 3) {
      begin(instruction.id(2));
      add(instruction.string(3));
    } else if (instruction.op() == spv::Op::OpSource) {
      is_new = false;
    } else if (instruction.op() == spv::Op::OpSourceContinued) {
      add(instruction.string(0));
    }
  }
  for (Instruction instruction : module_.section(Section::kGlobals)) {
    if (instruction.op() != spv::Op::OpExtInst || instruction.id(0) != set) continue;
    if (instruction.literal(kNumberOperand) == NonSemanticShaderDebugInfo100DebugSource) {
      is_new = false;
      if (instruction.operand_count() <= kSecond) continue;
      begin(instruction.id(kFirst));
      add(StringOf(instruction.id(kSecond)));
    } else if (instruction.literal(kNumberOperand) == NonSemanticShaderDebugInfo100DebugSourceContinued) {
      add(StringOf(instruction.id(kFirst)));
    }
  }
}

std::optional<SourceLocation> SourceLocations::Of(Instruction instruction) const {
  const Instruction line = instruction.line();
  if (!line) return std::nullopt;
  SourceLocation location;
  if (line.op() == spv::Op::OpLine) {
    location = At(line.id(0), line.literal(1), line.literal(2));
  } else {
    location = At(FileOf(line.id(kFirst)), Number(line, kSecond), Number(line, kFourth));
  }
  if (instruction.scope()) location.function = FunctionOf(instruction.scope().id(kFirst));
  return location;
}

std::vector<SourceLocation> SourceLocations::InlinedAt(Instruction instruction) const {
  std::vector<SourceLocation> calls;
  Id id = instruction.scope().id(kSecond);
  while (calls.size() < kMaxNesting) {
    const Instruction call = DebugInstruction(id, NonSemanticShaderDebugInfo100DebugInlinedAt);
    if (!call) break;
    SourceLocation location = At(FileOf(SourceOfScope(call.id(kSecond))), Number(call, kFirst), 0);
    location.function = FunctionOf(call.id(kSecond));
    calls.push_back(std::move(location));
    id = call.id(kThird);
  }
  return calls;
}

Instruction SourceLocations::DebugInstruction(Id id, uint32_t number) const {
  const Instruction instruction = module_.Find(id);
  const bool is_it = instruction.op() == spv::Op::OpExtInst && instruction.literal(kNumberOperand) == number &&
                     ExtendedSetName(module_, instruction.id(0)).find("DebugInfo") != std::string_view::npos;
  return is_it ? instruction : Instruction();
}

uint32_t SourceLocations::Number(Instruction instruction, size_t operand) const {
  if (!ExtendedSetName(module_, instruction.id(0)).starts_with("NonSemantic.")) return instruction.literal(operand);
  const Instruction constant = module_.Find(instruction.id(operand));
  return constant.op() == spv::Op::OpConstant ? constant.literal(0) : 0;
}

std::string_view SourceLocations::LineText(Id file, std::string_view name, uint32_t line) const {
  for (Id id : {file, kNoId}) {
    const auto found = source_indices_.find(ToNumber(id));
    if (found != source_indices_.end()) return sources_[found->second].lines.Line(name, line);
  }
  // A file that was included has its lines in another one, behind a directive that names it.
  for (const Source& source : sources_) {
    if (const std::string_view text = source.lines.Line(name, line); !text.empty()) return text;
  }
  return {};
}

SourceLocation SourceLocations::At(Id file, uint32_t line, uint32_t column) const {
  SourceLocation location = {.file = std::string(StringOf(file)), .line = line, .column = column};
  location.text = LineText(file, location.file, line);
  return location;
}

Id SourceLocations::FileOf(Id debug_source) const {
  return DebugInstruction(debug_source, NonSemanticShaderDebugInfo100DebugSource).id(kFirst);
}

Id SourceLocations::SourceOfScope(Id scope) const {
  if (const Instruction block = DebugInstruction(scope, NonSemanticShaderDebugInfo100DebugLexicalBlock)) {
    return block.id(kFirst);
  }
  return DebugInstruction(scope, NonSemanticShaderDebugInfo100DebugFunction).id(kThird);
}

std::string_view SourceLocations::FunctionOf(Id scope) const {
  for (int step = 0; step < kMaxNesting; ++step) {
    const Instruction block = DebugInstruction(scope, NonSemanticShaderDebugInfo100DebugLexicalBlock);
    if (!block) break;
    scope = block.id(kFourth);
  }
  return StringOf(DebugInstruction(scope, NonSemanticShaderDebugInfo100DebugFunction).id(kFirst));
}

std::string_view SourceLocations::StringOf(Id id) const {
  const Instruction string = module_.Find(id);
  return string.op() == spv::Op::OpString ? string.string(0) : std::string_view();
}

}  // namespace assay::spirv_instrument
