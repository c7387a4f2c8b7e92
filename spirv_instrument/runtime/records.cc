// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/records.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/error_codes.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

ErrorRecord Decode(absl::Span<const uint32_t> words) {
  ErrorRecord record{
      .code = static_cast<ErrorCode>(words[kRecordCodeWord]),
      .shader_id = words[kRecordShaderWord],
      .instruction = words[kRecordInstructionWord],
      .action = words[kRecordActionWord],
      .cause = words[kRecordCauseWord],
      .stage = words[kRecordStageWord],
      .stage_words = {},
      .data = words.subspan(kRecordDataWord),
  };
  std::copy_n(words.begin() + kRecordStageWordsWord, record.stage_words.size(), record.stage_words.begin());
  return record;
}

}  // namespace

std::array<uint32_t, kStreamHeaderWords> MakeStreamHeader(size_t words) {
  std::array<uint32_t, kStreamHeaderWords> header = {};
  const size_t capacity = words < kStreamHeaderWords ? 0 : words - kStreamHeaderWords;
  header[kCapacityWord] = static_cast<uint32_t>(std::min<size_t>(capacity, 0xffffffff));
  return header;
}

ErrorStream ReadErrors(absl::Span<const uint32_t> words) {
  ErrorStream stream;
  if (words.size() < kStreamHeaderWords) return stream;
  stream.lost_records = words[kLostRecordsWord];
  stream.lost_faults = words[kLostFaultsWord];
  absl::Span<const uint32_t> rest = words.subspan(kStreamHeaderWords);
  // The header is the shader's, so the size of the memory counts too.
  rest = rest.first(std::min<size_t>(rest.size(), std::min(words[kCapacityWord], words[kReservedWord])));
  while (rest.size() >= kRecordDataWord) {
    const uint32_t size = rest[kRecordSizeWord];
    if (size < kRecordDataWord || size > rest.size()) {
      // The last place may have been too small for the record that asked for it.
      stream.is_cut = size != 0 || rest.size() >= kErrorRecordWords;
      break;
    }
    stream.records.push_back(Decode(rest.first(size)));
    rest.remove_prefix(size);
  }
  return stream;
}

std::array<uint32_t, kCausesHeaderWords> MakeCausesHeader(uint32_t slot_bits) {
  std::array<uint32_t, kCausesHeaderWords> header = {};
  header[kCauseSlotBitsWord] = slot_bits;
  return header;
}

uint32_t FaultsOf(absl::Span<const uint32_t> causes, uint32_t slot) {
  const size_t word = kCausesHeaderWords + size_t{slot} * kCauseSlotWords + kCauseCountWord;
  return word < causes.size() ? causes[word] : 0;
}

}  // namespace assay::spirv_instrument
