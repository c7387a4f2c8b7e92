// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/reading/reader.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operands.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/reading/debug_places.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/storage/arena.h"

namespace assay::spirv_instrument {
namespace {

constexpr size_t kVersionWord = 1;
constexpr size_t kGeneratorWord = 2;
constexpr size_t kBoundWord = 3;
constexpr size_t kSchemaWord = 4;

uint32_t Swapped(uint32_t word) { return __builtin_bswap32(word); }

static_assert(std::endian::native == std::endian::little, "strings in words are read as bytes");

absl::Status ErrorAt(size_t offset, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("word ", offset, ": ", what));
}

}  // namespace

absl::Status Reader::Error(uint32_t word, std::string_view what) const { return ErrorAt(offset_ + word, what); }

absl::Status Reader::Read(absl::Span<const uint32_t> words) {
  if (absl::Status status = ReadHeader(words); !status.ok()) return status;
  CopyWords(words);
  if (absl::Status status = CountInstructions(); !status.ok()) return status;
  for (offset_ = kHeaderWords; offset_ < words_.size(); offset_ += words_[offset_] >> spv::WordCountShift) {
    if (absl::Status status = ReadInstruction(); !status.ok()) return status;
  }
  if (function_ != 0) return Error(0, "the module ends in a function");
  module_.last_read_index_ = index_;
  return absl::OkStatus();
}

absl::Status Reader::ReadHeader(absl::Span<const uint32_t> words) {
  if (words.size() < kHeaderWords) return ErrorAt(words.size(), "the module ends in its header");
  if (words.size() > UINT32_MAX) return ErrorAt(UINT32_MAX, "the module has too many words");
  module_.is_byte_swapped_ = words[0] == Swapped(spv::MagicNumber);
  if (words[0] != spv::MagicNumber && !module_.is_byte_swapped_) return ErrorAt(0, "the magic number is not SPIR-V's");
  const auto word = [this, words](size_t index) {
    return module_.is_byte_swapped_ ? Swapped(words[index]) : words[index];
  };
  module_.version_ = word(kVersionWord);
  module_.generator_ = word(kGeneratorWord);
  module_.bound_ = word(kBoundWord);
  module_.schema_ = word(kSchemaWord);
  if (module_.version_ < 0x00010000 || module_.version_ > NewestVersion() || (module_.version_ & 0xff) != 0) {
    return ErrorAt(kVersionWord, "the version is none that is known");
  }
  if (module_.bound_ == 0 || module_.bound_ > kMaxBound) {
    return ErrorAt(kBoundWord, absl::StrCat("the bound (", module_.bound_, ") is not between 1 and ", kMaxBound));
  }
  return absl::OkStatus();
}

void Reader::CopyWords(absl::Span<const uint32_t> words) {
  words_ = absl::MakeSpan(arena_.AllocateWords(words.size()), words.size());
  if (module_.is_byte_swapped_) {
    std::transform(words.begin(), words.end(), words_.begin(), Swapped);
  } else {
    std::copy(words.begin(), words.end(), words_.begin());
  }
  module_.dense_id_count_ = static_cast<uint32_t>(std::min<size_t>(module_.bound_, words.size()));
  module_.definitions_ = IdTable<uint32_t>(module_.dense_id_count_);
}

absl::Status Reader::CountInstructions() {
  size_t count = 0;
  size_t labels = 0;
  for (offset_ = kHeaderWords; offset_ < words_.size(); ++count) {
    const size_t size = words_[offset_] >> spv::WordCountShift;
    if (size == 0) return Error(0, "an instruction has no words");
    if (size > words_.size() - offset_) return Error(0, "an instruction goes on behind the end of the module");
    if ((words_[offset_] & spv::OpCodeMask) == static_cast<uint32_t>(spv::Op::OpLabel)) ++labels;
    offset_ += size;
  }
  arena_.instructions.reserve(1 + count);
  arena_.blocks.reserve(1 + labels);
  return absl::OkStatus();
}

absl::Status Reader::ReadInstruction() {
  const uint32_t opcode = words_[offset_] & spv::OpCodeMask;
  const OpcodeInfo* info = FindOpcode(opcode);
  if (info == nullptr) return Error(0, absl::StrCat("opcode ", opcode, " is unknown"));
  const absl::Span<uint32_t> words = words_.subspan(offset_, words_[offset_] >> spv::WordCountShift);
  if (absl::Status status = CheckOperands(*info, words); !status.ok()) return status;
  const auto op = static_cast<spv::Op>(opcode);
  if ((op == spv::Op::OpTypeVector || op == spv::Op::OpTypeMatrix) && words[3] > kMaxComponents) {
    return Error(3, absl::StrCat(info->name, " has ", words[3], " components, and ", kMaxComponents, " are the most"));
  }

  index_ = static_cast<uint32_t>(arena_.instructions.size());
  InstructionRecord& record = arena_.instructions.emplace_back();
  record.words = words.data();
  record.opcode = info->opcode;
  record.has_type = info->has_type;
  record.has_result = info->has_result;
  record.first_operand = static_cast<uint8_t>(1 + (info->has_type ? 1 : 0) + (info->has_result ? 1 : 0));
  arena_.LinkBehind(index_, arena_.last);
  if (absl::Status status = Define(*info, record); !status.ok()) return status;
  NoteDebugPlace(record);
  return Place(record);
}

absl::Status Reader::CheckOperands(const OpcodeInfo& info, absl::Span<const uint32_t> words) {
  if (words.size() < info.min_words) {
    return Error(static_cast<uint32_t>(words.size()), absl::StrCat(info.name, " ends before all of its operands"));
  }
  if (words.size() > info.max_words) {
    return Error(info.max_words, absl::StrCat(info.name, " has more operands than it takes"));
  }
  absl::Status status;
  if (words.size() <= info.simple_words) {
    uint32_t word = 1;
    for (; word < 1u + (info.has_type ? 1 : 0) + (info.has_result ? 1 : 0); ++word) {
      if (status = CheckId(word, words[word]); !status.ok()) return status;
    }
    uint32_t bits = info.id_bits;
    for (; word < words.size(); ++word) {
      if ((bits & 1) != 0 && (words[word] == 0 || words[word] >= module_.bound_)) return CheckId(word, words[word]);
      // The last bit stands for all that follow.
      bits = bits >> 1 | (bits & 0x80000000);
    }
    return status;
  }
  const auto visit = [&](const ParsedOperand& operand) {
    if (status.ok() && IsId(operand.kind)) status = CheckId(operand.word, words[operand.word]);
  };
  if (std::optional<OperandError> error = ParseOperands(words, context_, visit)) {
    return Error(error->word, error->what);
  }
  return status;
}

absl::Status Reader::CheckId(uint32_t word, uint32_t id) {
  if (id != 0 && id < module_.bound_) return absl::OkStatus();
  return Error(word, absl::StrCat("id ", id, " is not between 0 and the bound (", module_.bound_, ")"));
}

absl::Status Reader::Define(const OpcodeInfo& info, const InstructionRecord& record) {
  if (!info.has_result) return absl::OkStatus();
  const uint32_t word = info.has_type ? 2 : 1;
  uint32_t& definition = module_.definitions_[Id{record.words[word]}];
  if (definition != 0)
    return Error(word, absl::StrCat("id ", record.words[word], " is the result of two instructions"));
  definition = index_;
  return absl::OkStatus();
}

void Reader::NoteDebugPlace(InstructionRecord& record) {
  switch (DebugPlaceOf(module_, Instruction(&arena_, index_))) {
    case DebugPlace::kNone:
      break;
    case DebugPlace::kLine:
      line_ = index_;
      break;
    case DebugPlace::kNoLine:
      line_ = 0;
      break;
    case DebugPlace::kScope:
      scope_ = index_;
      break;
    case DebugPlace::kNoScope:
      scope_ = 0;
      break;
  }
  record.line = line_;
  record.scope = scope_;
}

absl::Status Reader::Place(InstructionRecord& record) {
  const auto op = static_cast<spv::Op>(record.opcode);
  if (op == spv::Op::OpFunction) return BeginFunction();
  if (function_ != 0) return PlaceInFunction(record, op);
  // What belongs into functions may not be elsewhere, but for what may be anywhere.
  if (SectionOf(op) != Section::kFunctions) {
    module_.NoteInSection(Instruction(&arena_, index_));
  } else if (op != spv::Op::OpLine && op != spv::Op::OpNoLine && op != spv::Op::OpNop) {
    return Error(0, absl::StrCat(NameOf(op), " is outside of a function"));
  }
  return absl::OkStatus();
}

absl::Status Reader::PlaceInFunction(InstructionRecord& record, spv::Op op) {
  if (op == spv::Op::OpFunctionEnd) return EndFunction();
  if (op == spv::Op::OpLabel) return BeginBlock(record);
  if (block_ != 0) {
    record.block = block_;
    arena_.blocks[block_].last = index_;
    if (IsTerminator(op)) {
      block_ = 0;
      line_ = 0;
      scope_ = 0;
    }
    return absl::OkStatus();
  }
  if (op == spv::Op::OpLine || op == spv::Op::OpNoLine || op == spv::Op::OpNop) return absl::OkStatus();
  const bool is_parameter = op == spv::Op::OpFunctionParameter && arena_.functions[function_].first_block == 0;
  return is_parameter ? absl::OkStatus() : Error(0, absl::StrCat(NameOf(op), " is outside of a block"));
}

absl::Status Reader::BeginFunction() {
  if (function_ != 0) return Error(0, "a function begins in another");
  function_ = static_cast<uint32_t>(arena_.functions.size());
  arena_.functions.push_back({.begin = index_});
  module_.function_indices_[index_] = function_;
  return absl::OkStatus();
}

absl::Status Reader::EndFunction() {
  if (block_ != 0) return Error(0, "a function ends in a block without terminator");
  arena_.functions[function_].end = index_;
  function_ = 0;
  return absl::OkStatus();
}

absl::Status Reader::BeginBlock(InstructionRecord& record) {
  if (block_ != 0) return Error(0, "a block begins in another");
  FunctionRecord& function = arena_.functions[function_];
  block_ = static_cast<uint32_t>(arena_.blocks.size());
  arena_.blocks.push_back({.label = index_, .last = index_, .function = function_, .previous = function.last_block});
  (function.last_block == 0 ? function.first_block : arena_.blocks[function.last_block].next) = block_;
  function.last_block = block_;
  record.block = block_;
  return absl::OkStatus();
}

}  // namespace assay::spirv_instrument
