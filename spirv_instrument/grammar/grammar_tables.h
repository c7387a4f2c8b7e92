// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_GRAMMAR_GRAMMAR_TABLES_H_
#define ASSAY_SPIRV_INSTRUMENT_GRAMMAR_GRAMMAR_TABLES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "spirv_instrument/grammar/grammar.h"

// The tables that generate.py writes.
namespace assay::spirv_instrument::tables {

// By opcode.
extern const absl::Span<const OpcodeInfo> kOpcodes;
// For each opcode up to the largest: 1 + its index in kOpcodes, or 0.
extern const absl::Span<const uint16_t> kOpcodeIndices;
// By OperandKind.
extern const absl::Span<const OperandKindInfo> kKinds;
extern const absl::Span<const ExtendedSetInfo> kSets;
extern const uint32_t kNewestVersion;

}  // namespace assay::spirv_instrument::tables

#endif  // ASSAY_SPIRV_INSTRUMENT_GRAMMAR_GRAMMAR_TABLES_H_
