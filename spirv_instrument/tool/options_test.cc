// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/options.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "testing/golden_file.h"

// The text of --help. bazel run //spirv_instrument/tool:options_test -- --update_goldens writes the golden anew.
namespace assay::spirv_instrument {
namespace {

Options Parse(const std::vector<std::string_view>& arguments) {
  absl::StatusOr<Options> options = ParseOptions(arguments);
  EXPECT_TRUE(options.ok()) << options.status();
  return options.ok() ? *options : Options();
}

std::string ErrorOf(const std::vector<std::string_view>& arguments) {
  const absl::Status status = ParseOptions(arguments).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(Options, APassAndAnInputAreEnough) {
  const Options options = Parse({"--pass", "buffer_bounds", "in.spv"});
  EXPECT_EQ(options.input, "in.spv");
  EXPECT_FALSE(options.output.has_value());
  EXPECT_TRUE(options.config.passes.buffer_bounds.has_value());
  EXPECT_FALSE(options.config.passes.descriptor_index.has_value());
  EXPECT_TRUE(options.validates);
  EXPECT_FALSE(options.shows_diff);
  EXPECT_FALSE(options.shows_statistics);
}

TEST(Options, PassesMayBeListedAndRepeated) {
  const Options options =
      Parse({"--pass=buffer_bounds,device_address", "in.spv", "--pass", "debug_printf", "-o", "out.spv"});
  EXPECT_TRUE(options.config.passes.buffer_bounds.has_value());
  EXPECT_TRUE(options.config.passes.device_address.has_value());
  EXPECT_TRUE(options.config.passes.debug_printf.has_value());
  EXPECT_FALSE(options.config.passes.block_counts.has_value());
  EXPECT_EQ(options.output, "out.spv");
}

TEST(Options, AllStandsForAllPasses) {
  const Options options = Parse({"--pass", "all", "-"});
  EXPECT_EQ(options.input, "-");
  EXPECT_EQ(MakePasses(options.config.passes).size(), PassNames().size());
}

TEST(Options, SwitchesAndNumbers) {
  const Options options = Parse({"--diff", "--stats", "--report-only", "--report-at-end", "--no-validation",
                                 "--shader-id=7", "--max-checks", "12", "--pass", "all", "in.spv"});
  EXPECT_TRUE(options.shows_diff);
  EXPECT_TRUE(options.shows_statistics);
  EXPECT_TRUE(options.config.frame.is_report_only);
  EXPECT_TRUE(options.config.frame.reports_at_end);
  EXPECT_FALSE(options.validates);
  EXPECT_EQ(options.config.frame.runtime.shader_id, 7u);
  EXPECT_EQ(options.config.frame.max_checks, 12u);
}

TEST(Options, ReachHasThreeWays) {
  EXPECT_EQ(Parse({"--pass=all", "a"}).config.frame.runtime.reach, Reach::kDescriptorSet);
  const RuntimeConfig set = Parse({"--pass=all", "a", "--set", "3"}).config.frame.runtime;
  EXPECT_EQ(set.reach, Reach::kDescriptorSet);
  EXPECT_EQ(set.descriptor_set, 3u);
  const RuntimeConfig push = Parse({"--pass=all", "a", "--push-constants=64"}).config.frame.runtime;
  EXPECT_EQ(push.reach, Reach::kPushConstant);
  EXPECT_EQ(push.push_constant_offset, 64u);
  const RuntimeConfig specialization = Parse({"--pass=all", "a", "--specialization=100"}).config.frame.runtime;
  EXPECT_EQ(specialization.reach, Reach::kSpecializationConstant);
  EXPECT_EQ(specialization.specialization_id, 100u);
}

TEST(Options, StepsAreOnUnlessTheyAreNamed) {
  EXPECT_TRUE(Parse({"--pass=all", "a"}).config.frame.steps.spans);
  const StepsConfig steps = Parse({"--pass=all", "a", "--without=spans,hoisted", "--host=certain"}).config.frame.steps;
  EXPECT_TRUE(steps.same_values);
  EXPECT_TRUE(steps.dominated);
  EXPECT_FALSE(steps.spans);
  EXPECT_FALSE(steps.hoisted);
  EXPECT_EQ(steps.host, HostDecides::kCertain);
}

TEST(Options, OptionsOfPassesMayComeBeforeThePass) {
  const Options options = Parse({"--arithmetic=shifts", "--nan=roots,division", "--first-counter=8",
                                 "--subgroups=always", "--pass=undefined_arithmetic,block_counts", "a"});
  const UndefinedArithmeticConfig& arithmetic = *options.config.passes.undefined_arithmetic;
  EXPECT_TRUE(arithmetic.shifts);
  EXPECT_FALSE(arithmetic.division);
  EXPECT_FALSE(arithmetic.bit_fields);
  EXPECT_FALSE(arithmetic.conversions);
  EXPECT_EQ(arithmetic.not_a_number, FloatOperations::kRoots | FloatOperations::kDivision);
  EXPECT_EQ(arithmetic.infinity, FloatOperations::kNone);
  EXPECT_EQ(options.config.passes.block_counts->first_counter, 8u);
  EXPECT_EQ(options.config.passes.block_counts->subgroups, SubgroupUse::kAlways);
}

TEST(Options, ResultsOfFloatsLeaveTheOtherKindsOn) {
  const Options options = Parse({"--infinity=all", "--pass=undefined_arithmetic", "a"});
  EXPECT_TRUE(options.config.passes.undefined_arithmetic->division);
  EXPECT_EQ(options.config.passes.undefined_arithmetic->infinity, FloatOperations::kAll);
}

TEST(Options, OnePassAloneKeepsItsOwnOptions) {
  const Options options = Parse({"--arithmetic=division", "--set=2", "--pass=all", "a"});
  const InstrumentConfig only = WithOnly(options.config, "undefined_arithmetic");
  EXPECT_EQ(MakePasses(only.passes).size(), 1u);
  EXPECT_FALSE(only.passes.undefined_arithmetic->shifts);
  EXPECT_EQ(only.frame.runtime.descriptor_set, 2u);
}

TEST(OptionErrors, SayWhatIsWrong) {
  EXPECT_EQ(ErrorOf({}), "there is no input; --help says what to write");
  EXPECT_EQ(ErrorOf({"a"}), "no pass was chosen: --pass NAME, or --pass all");
  EXPECT_EQ(ErrorOf({"a", "b"}), "there are two inputs, \"a\" and \"b\"");
  EXPECT_EQ(ErrorOf({"--pass"}), "--pass needs a value");
  EXPECT_EQ(ErrorOf({"--pass", "bounds", "a"}), "--pass: \"bounds\" is no pass; --help lists them");
  EXPECT_EQ(ErrorOf({"--passes=x", "a"}), "there is no option --passes; --help lists them");
  EXPECT_EQ(ErrorOf({"-x", "a"}), "there is no option -x; --help lists them");
  EXPECT_EQ(ErrorOf({"--diff=yes", "a"}), "--diff has no value");
  EXPECT_EQ(ErrorOf({"--set=x", "a"}), "--set: \"x\" is no number from 0 to 4294967295");
  EXPECT_EQ(ErrorOf({"--set=-1", "a"}), "--set: \"-1\" is no number from 0 to 4294967295");
  EXPECT_EQ(ErrorOf({"--push-constants=4", "a"}), "--push-constants: the offset is a multiple of 8");
  EXPECT_EQ(ErrorOf({"--set=1", "--push-constants=8", "a"}),
            "only one of --set, --push-constants and --specialization can be chosen");
  EXPECT_EQ(ErrorOf({"--without=x", "a"}), "--without: \"x\" is none of same_values, dominated, spans, hoisted");
  EXPECT_EQ(ErrorOf({"--host=x", "a"}), "--host: \"x\" is none of nothing, certain, all");
  EXPECT_EQ(ErrorOf({"--arithmetic=x", "a"}),
            "--arithmetic: \"x\" is none of division, shifts, bit_fields, conversions");
  EXPECT_EQ(ErrorOf({"--nan=x", "a"}), "--nan: \"x\" is no group of operations; --help lists them");
  EXPECT_EQ(ErrorOf({"--subgroups=x", "a"}), "--subgroups: \"x\" is none of never, declared, always");
}

TEST(OptionErrors, OptionsOfAPassNeedThePass) {
  EXPECT_EQ(ErrorOf({"--nan=all", "--pass=buffer_bounds", "a"}),
            "--arithmetic, --nan and --infinity are for the pass undefined_arithmetic, which was not chosen");
  EXPECT_EQ(ErrorOf({"--first-counter=1", "--pass=buffer_bounds", "a"}),
            "--first-counter and --subgroups are for the pass block_counts, which was not chosen");
}

TEST(Help, NeedsNothingElse) { EXPECT_TRUE(Parse({"--help"}).shows_help); }

TEST(Help, IsTheGolden) { EXPECT_TRUE(test::MatchesGolden("spirv_instrument/tool/goldens/help.txt", HelpText())); }

}  // namespace
}  // namespace assay::spirv_instrument
