// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_READING_READER_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_READING_READER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/reading/operand_context.h"
#include "spirv_instrument/ir/storage/arena.h"

namespace assay::spirv_instrument {

// Makes a module of words: what Module::Read does.
class Reader {
 public:
  // `module` is a new one.
  explicit Reader(Module& module) : module_(module), arena_(*module.arena_), context_(module) {}

  // What the module then is, if this is OK, and the errors, are as Module::Read says.
  absl::Status Read(absl::Span<const uint32_t> words);

  static constexpr size_t kHeaderWords = 5;

 private:
  absl::Status ReadHeader(absl::Span<const uint32_t> words);
  // Copies the words into the arena, in the host's byte order.
  void CopyWords(absl::Span<const uint32_t> words);
  // Finds where instructions begin, so that there is memory for all of them.
  absl::Status CountInstructions();
  absl::Status ReadInstruction();
  absl::Status CheckOperands(const OpcodeInfo& info, absl::Span<const uint32_t> words);
  absl::Status CheckId(uint32_t word, uint32_t id);
  absl::Status Define(const OpcodeInfo& info, const InstructionRecord& record);
  // Puts the instruction into its block, function or section.
  absl::Status Place(InstructionRecord& record);
  absl::Status PlaceInFunction(InstructionRecord& record, spv::Op op);
  absl::Status BeginFunction();
  absl::Status EndFunction();
  absl::Status BeginBlock(InstructionRecord& record);
  void NoteDebugPlace(InstructionRecord& record);

  // `word` counts from the current instruction's first.
  absl::Status Error(uint32_t word, std::string_view what) const;

  Module& module_;
  Arena& arena_;
  const ModuleOperandContext context_;
  // All words of the module, and where the current instruction begins in them.
  absl::Span<uint32_t> words_;
  size_t offset_ = 0;
  // The index of the current instruction.
  uint32_t index_ = 0;
  // 0 outside of functions and blocks.
  uint32_t function_ = 0;
  uint32_t block_ = 0;
  // The line and scope in effect.
  uint32_t line_ = 0;
  uint32_t scope_ = 0;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_READING_READER_H_
