// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// FrameConfig::reports_at_end.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument {
namespace {

// It returns from two places, and may divide by 0.
constexpr std::string_view kTwoStores = R"(
    %entry = OpLabel
    %first = OpAccessChain %ptr_uint %buffer %zero %one
    OpStore %first %one
    %value = OpLoad %uint %first
    %quotient = OpUDiv %uint %ten %value
    %is_over = OpIEqual %bool %quotient %ten
    OpSelectionMerge %more None
    OpBranchConditional %is_over %leave %more
    %leave = OpLabel
    OpReturn
    %more = OpLabel
    %second = OpAccessChain %ptr_uint %buffer %zero %ten
    OpStore %second %ten
    OpReturn)";

Instrumented InstrumentText(const std::string& text, bool at_end, bool divisions = false) {
  InstrumentConfig config;
  config.frame.reports_at_end = at_end;
  config.frame.steps.host = HostDecides::kNothing;
  config.passes.buffer_bounds.emplace();
  if (divisions) config.passes.undefined_arithmetic.emplace();
  absl::StatusOr<Instrumented> made = Instrument(Assemble(text), config);
  EXPECT_TRUE(made.ok()) << made.status();
  return *std::move(made);
}

Module ReadResult(const Instrumented& instrumented) {
  absl::StatusOr<Module> module = Module::Read(instrumented.words);
  EXPECT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(ValidationErrors(*module), "");
  return *std::move(module);
}

size_t CountFunctions(const Module& module, std::string_view name) {
  const Decorations decorations(module);
  size_t count = 0;
  for (Function function : module.functions()) count += decorations.NameOf(function.id()) == name;
  return count;
}

TEST(ReportAtEnd, WhatReportsIsThereOnce) {
  const Instrumented instrumented = InstrumentText(ComputeShader(kTwoStores), true);
  const Module module = ReadResult(instrumented);
  EXPECT_TRUE(instrumented.reports_at_end);
  EXPECT_EQ(CountFunctions(module, "NoteFault"), 1u);
  EXPECT_EQ(CountFunctions(module, "CountFault"), 1u);
  EXPECT_EQ(CountFunctions(module, "ReportFault"), 0u);
  // The entry point calls what it was, between the two functions.
  const Function own = module.functions()[0];
  const Function entry_point = module.FindFunction(EntryPoints(module).front().function());
  std::vector<Id> called;
  for (Instruction instruction : entry_point.instructions()) {
    if (instruction.op() == spv::Op::OpFunctionCall) called.push_back(instruction.id(0));
  }
  ASSERT_EQ(called.size(), 3u);
  EXPECT_EQ(called[1], own.id());
  EXPECT_TRUE(FindExecutionMode(module, entry_point.id(), spv::ExecutionMode::LocalSize));
  EXPECT_FALSE(FindExecutionMode(module, own.id(), spv::ExecutionMode::LocalSize));
}

TEST(ReportAtEnd, OtherChecksReportAtOnce) {
  const std::string text = ComputeShader(kTwoStores);
  const Instrumented instrumented = InstrumentText(text, true, true);
  EXPECT_FALSE(instrumented.reports_at_end);
  EXPECT_EQ(instrumented.words, InstrumentText(text, false, true).words);
}

TEST(ReportAtEnd, OtherStagesReportAtOnce) {
  const std::string text = absl::StrReplaceAll(ComputeShader(kTwoStores),
                                               {{"GLCompute", "Fragment"}, {"LocalSize 1 1 1", "OriginUpperLeft"}});
  const Instrumented instrumented = InstrumentText(text, true);
  ReadResult(instrumented);
  EXPECT_FALSE(instrumented.reports_at_end);
  EXPECT_EQ(instrumented.words, InstrumentText(text, false).words);
}

}  // namespace
}  // namespace assay::spirv_instrument
