// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/limits.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument {
namespace {

Instrumented InstrumentText(const std::string& body, bool at_end = true, uint32_t host_sets = 0xffffffff) {
  InstrumentConfig config;
  config.frame.reports_at_end = at_end;
  config.frame.steps.host_sets = host_sets;
  config.passes.descriptor_index.emplace();
  config.passes.buffer_bounds.emplace();
  absl::StatusOr<Instrumented> made = Instrument(Assemble(ComputeShader(body)), config);
  EXPECT_TRUE(made.ok()) << made.status();
  absl::StatusOr<Module> module = Module::Read(made->words);
  EXPECT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(ValidationErrors(*module), "");
  return *std::move(made);
}

// Stores to the array of the buffer, at an index that is loaded from its first word.
std::string Stores(size_t count) {
  std::string text = R"(
    %entry = OpLabel
    %first = OpAccessChain %ptr_uint %buffer %zero %one
    %value = OpLoad %uint %first)";
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, "\n    %sum", i, " = OpIAdd %uint ", i == 0 ? "%value" : absl::StrCat("%sum", i - 1),
                    " %one\n    %at", i, " = OpAccessChain %ptr_uint %buffer %zero %sum", i, "\n    OpStore %at", i,
                    " %one");
  }
  return absl::StrCat(text, "\n    OpReturn");
}

bool HasFunction(const Instrumented& instrumented, std::string_view name) {
  absl::StatusOr<Module> module = Module::Read(instrumented.words);
  const Decorations decorations(*module);
  for (Function function : module->functions()) {
    if (decorations.NameOf(function.id()) == name) return true;
  }
  return false;
}

TEST(Limits, ChecksCompareWithThem) {
  const Instrumented instrumented = InstrumentText(Stores(2));
  ASSERT_EQ(instrumented.limits.size(), 1u);
  EXPECT_EQ(instrumented.limits[0].kind, HostLimit::Kind::kBuffer);
  EXPECT_EQ(instrumented.limits[0].stride, 4u);
  ASSERT_EQ(instrumented.limited_checks.size(), 2u);
  EXPECT_EQ(instrumented.limited_checks[0].limit, instrumented.limits[0]);
  EXPECT_LT(instrumented.limited_checks[0].instruction, instrumented.limited_checks[1].instruction);
  EXPECT_TRUE(instrumented.reports_at_end);
  EXPECT_TRUE(HasFunction(instrumented, "NoteCheck"));
  EXPECT_FALSE(HasFunction(instrumented, "WriteErrorRecord"));
  // No record says which shader it is of, so that the words are the same in each run of a program.
  EXPECT_EQ(instrumented.shader_id_word, 0u);
}

TEST(Limits, ACheckIsNotNotedForAnotherOfItsAccess) {
  const std::string copy = R"(
    %entry = OpLabel
    %first = OpAccessChain %ptr_uint %buffer %zero %one
    %value = OpLoad %uint %first
    %sum = OpIAdd %uint %value %one
    %from = OpAccessChain %ptr_uint %buffer %zero %value
    %to = OpAccessChain %ptr_uint %buffer %zero %sum
    OpCopyMemory %to %from
    OpReturn)";
  const Instrumented instrumented = InstrumentText(copy);
  EXPECT_EQ(instrumented.limited_checks.size(), 2u);
  EXPECT_TRUE(HasFunction(instrumented, "NoteCheckUnless"));
  EXPECT_FALSE(HasFunction(InstrumentText(Stores(1)), "NoteCheckUnless"));
}

TEST(Limits, AreForReportsAtTheEnd) {
  const Instrumented instrumented = InstrumentText(Stores(1), false);
  EXPECT_TRUE(instrumented.limits.empty());
  EXPECT_TRUE(HasFunction(instrumented, "WriteErrorRecord"));
}

TEST(Limits, TheHostHasToKnowThem) {
  const Instrumented instrumented = InstrumentText(Stores(1), true, 0);
  EXPECT_TRUE(instrumented.limits.empty());
  EXPECT_TRUE(instrumented.reports_at_end);
  EXPECT_TRUE(HasFunction(instrumented, "EndNotes"));
}

TEST(Limits, ThereIsRoomForSoManyChecks) {
  EXPECT_EQ(InstrumentText(Stores(kMaxNotes)).limited_checks.size(), kMaxNotes);
  const Instrumented instrumented = InstrumentText(Stores(kMaxNotes + 1));
  EXPECT_TRUE(instrumented.limits.empty());
  EXPECT_TRUE(instrumented.reports_at_end);
}

}  // namespace
}  // namespace assay::spirv_instrument
