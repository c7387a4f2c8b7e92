// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/options.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv_instrument/passes/arithmetic/float_groups.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kHelpBeforePasses =
    R"(Makes shaders check themselves: reads a SPIR-V module, runs passes over it, and writes the result.

  instrument --pass NAME[,NAME...] [options] INPUT [-o OUTPUT] [--diff] [--stats]

INPUT is a module or its assembly text; "-" is standard input.

  --pass NAME[,NAME...]      The passes to run; may be repeated. "all" stands for all of them:
)";

constexpr std::string_view kHelpBehindPasses =
    R"(  -o FILE                    Where to write the module; "-" is standard output.
  --diff                     Prints the difference of the disassembly before and after.
  --stats                    Prints which checks were emitted and why others were not, and what each pass alone costs
                             in words and time.
  --no-validation            Does not validate the module before and after.
  --help                     Prints this.

How the shader reaches the memory that it reads and writes:

  --set NUMBER               By this descriptor set, which the module does not use. The default is 7.
  --push-constants OFFSET    By an address in push constants, at this offset in bytes.
  --specialization ID        By an address in two specialization constants; the low word has this SpecId.
  --shader-id NUMBER         What the records of this shader have as shader. The default is 0.

What is emitted:

  --report-only              Bad accesses are executed, and only reported.
  --report-at-end            Compute shaders whose checks are all of descriptors report the first fault of an
                             invocation, where it ends.
  --max-checks NUMBER        At most so many checks.
  --without STEP[,STEP...]   Without steps that save work: same_values, dominated, spans, hoisted.
  --host WHAT                Which conditions on descriptors are left to the host: nothing, certain, or all. The
                             default is all.

For single passes:

  --arithmetic KIND[,KIND...]
                             What undefined_arithmetic checks: division, shifts, bit_fields, conversions. All of them
                             by default.
  --nan GROUP[,GROUP...]     Floating-point operations whose results undefined_arithmetic reports if they are NaN:
                             division, sums, roots, logarithms, powers, trigonometry, geometry, conversions, or all.
  --infinity GROUP[,GROUP...]
                             The same for infinity.
  --first-counter NUMBER     The counter of the first block that block_counts counts. The default is 0.
  --subgroups WHEN           When block_counts counts by subgroup: never, declared (the module declares
                             GroupNonUniformBallot, the default), or always.

The exit status is 0 if all went well, 1 if the input cannot be read or instrumented, 2 if the options are wrong.
)";

std::vector<std::string_view> SplitByComma(std::string_view list) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

class Parser {
 public:
  explicit Parser(absl::Span<const std::string_view> arguments) : arguments_(arguments) {}

  absl::StatusOr<Options> Parse() {
    while (at_ < arguments_.size() && status_.ok()) Argument(arguments_[at_++]);
    if (!status_.ok()) return status_;
    if (options_.shows_help) return options_;
    Finish();
    if (!status_.ok()) return status_;
    return options_;
  }

 private:
  void Fail(std::string what) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(what);
  }

  // The value of an option: behind "=", or the next argument.
  std::string_view Value() {
    if (attached_) return *attached_;
    if (at_ < arguments_.size()) return arguments_[at_++];
    Fail(absl::StrCat(option_, " needs a value"));
    return "";
  }

  uint32_t Number() {
    const std::string_view value = Value();
    uint32_t number = 0;
    if (status_.ok() && !absl::SimpleAtoi(value, &number)) {
      Fail(absl::StrCat(option_, ": \"", value, "\" is no number from 0 to 4294967295"));
    }
    return number;
  }

  void Argument(std::string_view argument) {
    attached_.reset();
    if (argument.size() < 2 || argument[0] != '-') {
      if (!options_.input.empty()) {
        return Fail(absl::StrCat("there are two inputs, \"", options_.input, "\" and \"", argument, "\""));
      }
      options_.input = std::string(argument);
      return;
    }
    const size_t equals = argument.substr(0, 2) == "--" ? argument.find('=') : std::string_view::npos;
    option_ = argument.substr(0, equals);
    if (equals != std::string_view::npos) attached_ = argument.substr(equals + 1);
    if (!Switch() && !Memory() && !Emission() && !PassOption()) {
      Fail(absl::StrCat("there is no option ", option_, "; --help lists them"));
    }
  }

  bool Switch() {
    bool* const on = option_ == "--diff"            ? &options_.shows_diff
                     : option_ == "--stats"         ? &options_.shows_statistics
                     : option_ == "--help"          ? &options_.shows_help
                     : option_ == "--report-only"   ? &options_.config.frame.is_report_only
                     : option_ == "--report-at-end" ? &options_.config.frame.reports_at_end
                     : option_ == "--no-validation" ? &is_not_validated_
                                                    : nullptr;
    if (on == nullptr) return false;
    if (attached_) Fail(absl::StrCat(option_, " has no value"));
    *on = true;
    return true;
  }

  bool Memory() {
    RuntimeConfig& runtime = options_.config.frame.runtime;
    if (option_ == "--set") {
      SetReach(Reach::kDescriptorSet);
      runtime.descriptor_set = Number();
    } else if (option_ == "--push-constants") {
      SetReach(Reach::kPushConstant);
      runtime.push_constant_offset = Number();
      if (runtime.push_constant_offset % 8 != 0) Fail("--push-constants: the offset is a multiple of 8");
    } else if (option_ == "--specialization") {
      SetReach(Reach::kSpecializationConstant);
      runtime.specialization_id = Number();
    } else if (option_ == "--shader-id") {
      runtime.shader_id = Number();
    } else {
      return false;
    }
    return true;
  }

  void SetReach(Reach reach) {
    if (has_reach_) Fail("only one of --set, --push-constants and --specialization can be chosen");
    has_reach_ = true;
    options_.config.frame.runtime.reach = reach;
  }

  bool Emission() {
    if (option_ == "-o") {
      options_.output = std::string(Value());
    } else if (option_ == "--max-checks") {
      options_.config.frame.max_checks = Number();
    } else if (option_ == "--without") {
      for (const std::string_view step : SplitByComma(Value())) Without(step);
    } else if (option_ == "--host") {
      Host(Value());
    } else {
      return false;
    }
    return true;
  }

  void Without(std::string_view step) {
    StepsConfig& steps = options_.config.frame.steps;
    bool* const on = step == "same_values" ? &steps.same_values
                     : step == "dominated" ? &steps.dominated
                     : step == "spans"     ? &steps.spans
                     : step == "hoisted"   ? &steps.hoisted
                                           : nullptr;
    if (on == nullptr) {
      return Fail(absl::StrCat("--without: \"", step, "\" is none of same_values, dominated, spans, hoisted"));
    }
    *on = false;
  }

  void Host(std::string_view what) {
    HostDecides& host = options_.config.frame.steps.host;
    if (what == "nothing") {
      host = HostDecides::kNothing;
    } else if (what == "certain") {
      host = HostDecides::kCertain;
    } else if (what == "all") {
      host = HostDecides::kAll;
    } else {
      Fail(absl::StrCat("--host: \"", what, "\" is none of nothing, certain, all"));
    }
  }

  bool PassOption() {
    if (option_ == "--pass") {
      for (const std::string_view pass : SplitByComma(Value())) Pass(pass);
    } else if (option_ == "--arithmetic") {
      arithmetic_ = {.division = false, .shifts = false, .bit_fields = false, .conversions = false};
      for (const std::string_view kind : SplitByComma(Value())) Arithmetic(kind);
    } else if (option_ == "--nan") {
      not_a_number_ = Groups();
    } else if (option_ == "--infinity") {
      infinity_ = Groups();
    } else if (option_ == "--first-counter") {
      first_counter_ = Number();
    } else if (option_ == "--subgroups") {
      Subgroups(Value());
    } else {
      return false;
    }
    return true;
  }

  void Pass(std::string_view name) {
    if (name == "all") {
      for (const std::string_view each : PassNames()) Pass(each);
      return;
    }
    if (!status_.ok()) return;
    if (!EnablePass(options_.config.passes, name).ok()) {
      Fail(absl::StrCat("--pass: \"", name, "\" is no pass; --help lists them"));
    }
    has_pass_ = true;
  }

  void Arithmetic(std::string_view kind) {
    bool* const on = kind == "division"      ? &arithmetic_->division
                     : kind == "shifts"      ? &arithmetic_->shifts
                     : kind == "bit_fields"  ? &arithmetic_->bit_fields
                     : kind == "conversions" ? &arithmetic_->conversions
                                             : nullptr;
    if (on == nullptr) {
      return Fail(absl::StrCat("--arithmetic: \"", kind, "\" is none of division, shifts, bit_fields, conversions"));
    }
    *on = true;
  }

  FloatOperations Groups() {
    FloatOperations groups = FloatOperations::kNone;
    for (const std::string_view name : SplitByComma(Value())) {
      const std::optional<FloatOperations> group = FindFloatOperations(name);
      if (!group) Fail(absl::StrCat(option_, ": \"", name, "\" is no group of operations; --help lists them"));
      groups = groups | group.value_or(FloatOperations::kNone);
    }
    return groups;
  }

  void Subgroups(std::string_view when) {
    if (when == "never") {
      subgroups_ = SubgroupUse::kNever;
    } else if (when == "declared") {
      subgroups_ = SubgroupUse::kIfDeclared;
    } else if (when == "always") {
      subgroups_ = SubgroupUse::kAlways;
    } else {
      Fail(absl::StrCat("--subgroups: \"", when, "\" is none of never, declared, always"));
    }
  }

  // Options of passes may come before the passes, so they take effect last.
  void Finish() {
    if (options_.input.empty()) return Fail("there is no input; --help says what to write");
    if (!has_pass_) return Fail("no pass was chosen: --pass NAME, or --pass all");
    options_.validates = !is_not_validated_;
    PassConfigs& passes = options_.config.passes;
    if (arithmetic_ || not_a_number_ || infinity_) {
      if (!passes.undefined_arithmetic) {
        return Fail("--arithmetic, --nan and --infinity are for the pass undefined_arithmetic, which was not chosen");
      }
      if (arithmetic_) passes.undefined_arithmetic = arithmetic_;
      if (not_a_number_) passes.undefined_arithmetic->not_a_number = *not_a_number_;
      if (infinity_) passes.undefined_arithmetic->infinity = *infinity_;
    }
    if (first_counter_ || subgroups_) {
      if (!passes.block_counts) {
        return Fail("--first-counter and --subgroups are for the pass block_counts, which was not chosen");
      }
      if (first_counter_) passes.block_counts->first_counter = *first_counter_;
      if (subgroups_) passes.block_counts->subgroups = *subgroups_;
    }
  }

  absl::Span<const std::string_view> arguments_;
  size_t at_ = 0;
  absl::Status status_;
  Options options_;
  // The option that is read, and what stands behind its "=".
  std::string_view option_;
  std::optional<std::string_view> attached_;
  bool has_reach_ = false;
  bool is_not_validated_ = false;
  bool has_pass_ = false;
  std::optional<UndefinedArithmeticConfig> arithmetic_;
  std::optional<FloatOperations> not_a_number_;
  std::optional<FloatOperations> infinity_;
  std::optional<uint32_t> first_counter_;
  std::optional<SubgroupUse> subgroups_;
};

}  // namespace

absl::StatusOr<Options> ParseOptions(absl::Span<const std::string_view> arguments) { return Parser(arguments).Parse(); }

InstrumentConfig WithOnly(const InstrumentConfig& config, std::string_view pass) {
  InstrumentConfig only = config;
  only.passes = {};
  // Names come from PassNames(), so that there is such a pass.
  EnablePass(only.passes, pass).IgnoreError();
  if (only.passes.undefined_arithmetic) only.passes.undefined_arithmetic = config.passes.undefined_arithmetic;
  if (only.passes.block_counts) only.passes.block_counts = config.passes.block_counts;
  return only;
}

std::string HelpText() {
  std::string text(kHelpBeforePasses);
  for (const std::string_view name : PassNames()) {
    absl::StrAppend(&text, std::string(29, ' '), name, "\n");
  }
  return absl::StrCat(text, kHelpBehindPasses);
}

}  // namespace assay::spirv_instrument
