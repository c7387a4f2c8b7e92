// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The command: reads a module, runs passes, writes the module. --help says how it is called.

#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/instrument.h"
#include "spirv_instrument/printf/prints.h"
#include "spirv_instrument/tool/module_file.h"
#include "spirv_instrument/tool/options.h"
#include "spirv_instrument/tool/statistics_text.h"
#include "spirv_instrument/tool/unified_diff.h"
#include "spirv_instrument/tool/validate_module.h"

namespace assay::spirv_instrument {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongOptions = 2;

// A module on standard output does not mix with text, which goes to standard error then.
std::ostream& TextOutput(const Options& options) { return options.output == "-" ? std::cerr : std::cout; }

absl::Status PrintDiff(const Options& options, absl::Span<const uint32_t> before, absl::Span<const uint32_t> after) {
  const absl::StatusOr<std::string> before_text = DisassembleModule(before);
  if (!before_text.ok()) return before_text.status();
  const absl::StatusOr<std::string> after_text = DisassembleModule(after);
  if (!after_text.ok()) return after_text.status();
  TextOutput(options) << UnifiedDiff(options.input, *before_text, options.output.value_or("instrumented"), *after_text);
  return absl::OkStatus();
}

absl::Status PrintStatistics(const Options& options, absl::Span<const uint32_t> words, const Statistics& all) {
  std::vector<Statistics> alone;
  for (const PassStatistics& pass : all.passes) {
    const absl::StatusOr<Instrumented> result = Instrument(words, WithOnly(options.config, pass.pass));
    if (!result.ok()) return result.status();
    alone.push_back(result->statistics);
  }
  TextOutput(options) << StatisticsText(all, alone);
  return absl::OkStatus();
}

// Formats that are wrong do not stop anything: the host prints what it can.
absl::Status WarnOfPrints(absl::Span<const uint32_t> words) {
  const absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return module.status();
  const Prints prints(*module);
  for (const PrintProblem& problem : prints.problems()) std::cerr << "warning: " << problem.ToString() << "\n";
  return absl::OkStatus();
}

absl::Status Validate(std::string_view name, absl::Span<const uint32_t> words) {
  const absl::Status status = ValidateModule(words);
  if (status.ok()) return status;
  return absl::FailedPreconditionError(absl::StrCat(name, " is not valid: ", status.message()));
}

absl::Status Run(const Options& options) {
  const absl::StatusOr<std::vector<uint32_t>> words = ReadModule(options.input);
  if (!words.ok()) return words.status();
  if (options.validates) {
    if (absl::Status status = Validate(options.input, *words); !status.ok()) return status;
  }
  if (options.config.passes.debug_printf) {
    if (absl::Status status = WarnOfPrints(*words); !status.ok()) return status;
  }
  const absl::StatusOr<Instrumented> result = Instrument(*words, options.config);
  if (!result.ok()) return result.status();
  if (options.output) {
    if (absl::Status status = WriteModule(*options.output, result->words); !status.ok()) return status;
  }
  if (options.shows_diff) {
    if (absl::Status status = PrintDiff(options, *words, result->words); !status.ok()) return status;
  }
  if (options.shows_statistics) {
    if (absl::Status status = PrintStatistics(options, *words, result->statistics); !status.ok()) return status;
  }
  // A result that is not valid was written and shown all the same, to be looked at.
  return options.validates ? Validate("the result", result->words) : absl::OkStatus();
}

int Main(absl::Span<const std::string_view> arguments) {
  const absl::StatusOr<Options> options = ParseOptions(arguments);
  if (!options.ok()) {
    std::cerr << "instrument: " << options.status().message() << "\n";
    return kWrongOptions;
  }
  if (options->shows_help) {
    std::cout << HelpText();
    return 0;
  }
  const absl::Status status = Run(*options);
  if (status.ok()) return 0;
  std::cerr << "instrument: " << status.message() << "\n";
  return kFailed;
}

}  // namespace
}  // namespace assay::spirv_instrument

int main(int count, char** arguments) {
  const std::vector<std::string_view> list(arguments + 1, arguments + count);
  return assay::spirv_instrument::Main(list);
}
