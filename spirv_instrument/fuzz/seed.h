// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_SEED_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_SEED_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "spirv_instrument/fuzz/fuzz.h"

namespace assay::spirv_instrument::fuzz {

// An input as assembly. Its first lines are comments:
//
//   ; target: vulkan1.1              as spirv-as takes it; vulkan1.3 without
//   ; configuration: 0x40            0 without
//
// Ids that are numbers keep them. InvalidArgument if a line cannot be read.
absl::StatusOr<Input> InputOfAssembly(std::string_view text);

// The other way round. The module may be any; what cannot be disassembled is an error.
absl::StatusOr<std::string> AssemblyOf(const Input& input, std::string_view comment);

// Of a file: assembly if its name ends in .spvasm, else bytes as in fuzz.h.
absl::StatusOr<Input> ReadInput(const std::string& path);

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_SEED_H_
