// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_SECTIONS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_SECTIONS_H_

#include <cstddef>
#include <cstdint>

#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {

// The sections of a module, in their order: SPIR-V, "Logical Layout of a Module".
enum class Section : uint8_t {
  kCapabilities,
  kExtensions,
  kExtendedSetImports,
  kMemoryModel,
  kEntryPoints,
  kExecutionModes,
  // OpString, OpSource and their like.
  kSources,
  // OpName and OpMemberName.
  kNames,
  kModuleProcessed,
  kAnnotations,
  // Types, constants, global variables, and non-semantic instructions among them.
  kGlobals,
  kFunctions,
};

inline constexpr size_t kSectionCount = static_cast<size_t>(Section::kFunctions) + 1;

// The section that an instruction outside of functions belongs to. kFunctions if it belongs into a function, and for
// OpLine and OpNoLine, which belong to what follows them.
Section SectionOf(spv::Op op);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_SECTIONS_H_
