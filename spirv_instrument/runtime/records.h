// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_RECORDS_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_RECORDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/error_codes.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {

// A record that a shader wrote.
struct ErrorRecord {
  ErrorCode code;
  uint32_t shader_id;
  // The position of the instruction in the module that was instrumented, counted from 1: Module::At.
  uint32_t instruction;
  uint32_t action;
  // A slot of the causes.
  uint32_t cause;
  // spv::ExecutionModel.
  uint32_t stage;
  std::array<uint32_t, 4> stage_words;
  // Behind the record's fixed words. Of an error, kRecordDataWords of them. Valid as long as the words that were read.
  absl::Span<const uint32_t> data;
};

struct ErrorStream {
  std::vector<ErrorRecord> records;
  uint32_t lost_records = 0;
  uint32_t lost_faults = 0;
  // Records without size, as a lost device leaves them, end the stream, since what comes behind cannot be found.
  bool is_cut = false;
};

// Prepares the errors or the output: header words for a memory of so many words in all.
std::array<uint32_t, kStreamHeaderWords> MakeStreamHeader(size_t words);
// Reads what was written. Whatever the words are, nothing past them is read.
ErrorStream ReadErrors(absl::Span<const uint32_t> words);

// Prepares the causes: header words for 2^slot_bits slots. At most 16 bits.
std::array<uint32_t, kCausesHeaderWords> MakeCausesHeader(uint32_t slot_bits);
constexpr size_t CausesWords(uint32_t slot_bits) { return kCausesHeaderWords + (size_t{kCauseSlotWords} << slot_bits); }
// How many faults a slot has counted; 0 if there is no such slot.
uint32_t FaultsOf(absl::Span<const uint32_t> causes, uint32_t slot);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_RECORDS_H_
