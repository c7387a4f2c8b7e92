// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_TOOL_OPTIONS_H_
#define ASSAY_SPIRV_INSTRUMENT_TOOL_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument {

// What the command is asked to do.
struct Options {
  // "-" is standard input.
  std::string input;
  // Standard output if it is "-"; nothing is written without.
  std::optional<std::string> output;
  InstrumentConfig config;
  bool shows_diff = false;
  bool shows_statistics = false;
  bool shows_help = false;
  bool validates = true;
};

// Reads the arguments behind the name of the program. Errors are InvalidArgument, and say what would be right.
absl::StatusOr<Options> ParseOptions(absl::Span<const std::string_view> arguments);

// The same configuration with one pass alone, by its name.
InstrumentConfig WithOnly(const InstrumentConfig& config, std::string_view pass);

// What --help prints. The names of passes come from PassNames().
std::string HelpText();

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_TOOL_OPTIONS_H_
