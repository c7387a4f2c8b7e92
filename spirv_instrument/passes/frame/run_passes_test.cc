// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/run_passes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {
namespace {

// Wants each store checked, in a form that the test chooses. Two of these passes want the same checks.
class StorePass : public Pass {
 public:
  explicit StorePass(Form form, std::string_view condition = "IsWrittenAndLive") : form_(form), condition_(condition) {}

  std::string_view name() const override { return "stores"; }
  absl::Span<const spv::Op> opcodes() const override {
    static constexpr spv::Op kOpcodes[] = {spv::Op::OpStore};
    return kOpcodes;
  }
  void Process(Instruction instruction, WantedChecks& wanted) override {
    wanted.Add(*this, instruction, {.form = form_, .literals = {instruction.index()}, .span = {0, 4}});
  }
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override {
    EXPECT_EQ(span.end, check.span.end);
    return emitter.Call(condition_, {emitter.Uint(1)});
  }
  void EmitReport(const WantedCheck& check, Emitter& emitter) override {
    const Id zero = emitter.Uint(0);
    emitter.Call("ReportFault", {emitter.InstructionOf(check), emitter.Uint(1), zero, zero, zero, zero, zero});
  }

 private:
  Form form_;
  std::string_view condition_;
};

constexpr std::string_view kTwoStores = R"(
    %entry = OpLabel
    %first = OpAccessChain %ptr_uint %buffer %zero %one
    %second = OpAccessChain %ptr_uint %buffer %zero %ten
    OpStore %first %one
    OpStore %second %ten
    OpReturn)";

absl::StatusOr<Instrumented> RunOn(const std::string& text, std::vector<Pass*> passes, FrameConfig config = {}) {
  return RunPasses(Assemble(text), config, passes);
}

Module ReadResult(const absl::StatusOr<Instrumented>& result) {
  EXPECT_TRUE(result.ok()) << result.status();
  absl::StatusOr<Module> module = Module::Read(result->words);
  EXPECT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(ValidationErrors(*module), "");
  return *std::move(module);
}

// In the first function, which is the shader's own.
size_t CountOps(const Module& module, spv::Op op) {
  size_t count = 0;
  for (Instruction instruction : module.functions()[0].instructions()) count += instruction.op() == op;
  return count;
}

TEST(RunPasses, WithoutChecksNothingChanges) {
  StorePass pass(Form::kGuard);
  const std::vector<uint32_t> words = Assemble(ComputeShader("%entry = OpLabel\nOpReturn"));
  const absl::StatusOr<Instrumented> result = RunPasses(words, {}, {&pass});
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->is_changed);
  EXPECT_EQ(result->words, words);
  EXPECT_EQ(result->shader_id_word, 0u);
}

TEST(RunPasses, AGuardedAccessIsConditional) {
  StorePass pass(Form::kGuard);
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores), {&pass}));
  EXPECT_EQ(CountOps(module, spv::Op::OpStore), 2u);
  EXPECT_EQ(CountOps(module, spv::Op::OpBranchConditional), 2u);
  // A condition and a report for each.
  EXPECT_EQ(CountOps(module, spv::Op::OpFunctionCall), 4u);
  // The store is alone in its block.
  for (Instruction instruction : module.functions()[0].instructions()) {
    if (instruction.op() != spv::Op::OpStore) continue;
    EXPECT_EQ(instruction.previous().op(), spv::Op::OpLabel);
    EXPECT_EQ(instruction.next().op(), spv::Op::OpBranch);
  }
}

TEST(RunPasses, AReportedAccessIsExecutedInAnyCase) {
  StorePass guard(Form::kGuard);
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores), {&guard}, {.is_report_only = true}));
  EXPECT_EQ(CountOps(module, spv::Op::OpBranchConditional), 2u);
  for (Instruction instruction : module.functions()[0].instructions()) {
    if (instruction.op() != spv::Op::OpStore) continue;
    EXPECT_EQ(instruction.previous().op(), spv::Op::OpLabel);
  }
  StorePass report(Form::kReport);
  EXPECT_EQ(RunOn(ComputeShader(kTwoStores), {&report})->words,
            RunOn(ComputeShader(kTwoStores), {&guard}, {.is_report_only = true})->words);
}

TEST(RunPasses, WhatIsInsertedHasNoCondition) {
  StorePass pass(Form::kInsert);
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores), {&pass}));
  EXPECT_EQ(CountOps(module, spv::Op::OpStore), 2u);
  EXPECT_EQ(CountOps(module, spv::Op::OpFunctionCall), 2u);
  EXPECT_EQ(CountOps(module, spv::Op::OpBranchConditional), 0u);
}

TEST(RunPasses, WhatIsReplacedIsGone) {
  StorePass pass(Form::kReplace);
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores), {&pass}));
  EXPECT_EQ(CountOps(module, spv::Op::OpStore), 0u);
  EXPECT_EQ(CountOps(module, spv::Op::OpFunctionCall), 2u);
}

TEST(RunPasses, ChecksOfOneAccessShareABranch) {
  StorePass one(Form::kGuard);
  StorePass other(Form::kGuard);
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores), {&one, &other}));
  EXPECT_EQ(CountOps(module, spv::Op::OpBranchConditional), 2u);
  EXPECT_EQ(CountOps(module, spv::Op::OpLogicalAnd), 2u);
  EXPECT_EQ(CountOps(module, spv::Op::OpFunctionCall), 8u);
}

// A condition that is only reported has a branch of its own, so that the access does not depend on it.
TEST(RunPasses, AReportKeepsNoAccessFromBeingExecuted) {
  StorePass guard(Form::kGuard);
  StorePass report(Form::kReport);
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores), {&guard, &report}));
  EXPECT_EQ(CountOps(module, spv::Op::OpBranchConditional), 4u);
  EXPECT_EQ(CountOps(module, spv::Op::OpLogicalAnd), 0u);
  EXPECT_EQ(CountOps(module, spv::Op::OpFunctionCall), 8u);
}

TEST(RunPasses, CountsWhatBecameOfChecks) {
  StorePass pass(Form::kGuard);
  const absl::StatusOr<Instrumented> result = RunOn(ComputeShader(kTwoStores), {&pass}, {.max_checks = 1});
  ReadResult(result);
  ASSERT_EQ(result->statistics.passes.size(), 1u);
  EXPECT_EQ(result->statistics.passes[0].pass, "stores");
  EXPECT_EQ(result->statistics.passes[0].Count(Outcome::kEmitted), 1u);
  EXPECT_EQ(result->statistics.passes[0].Count(Outcome::kLimit), 1u);
  EXPECT_EQ(result->statistics.words_after, result->words.size());
}

// The first store's check takes the only place. Insertions do not count.
TEST(RunPasses, TheLimitIsForChecksWithACondition) {
  StorePass insert(Form::kInsert);
  StorePass check(Form::kGuard);
  const absl::StatusOr<Instrumented> result = RunOn(ComputeShader(kTwoStores), {&insert, &check}, {.max_checks = 1});
  const Module module = ReadResult(result);
  EXPECT_EQ(result->statistics.passes[0].Count(Outcome::kEmitted), 2u);
  EXPECT_EQ(result->statistics.passes[0].Count(Outcome::kLimit), 0u);
  EXPECT_EQ(result->statistics.passes[1].Count(Outcome::kEmitted), 1u);
  EXPECT_EQ(result->statistics.passes[1].Count(Outcome::kLimit), 1u);
  EXPECT_EQ(CountOps(module, spv::Op::OpBranchConditional), 1u);
  // Two that were inserted, a condition and a report.
  EXPECT_EQ(CountOps(module, spv::Op::OpFunctionCall), 4u);
}

TEST(RunPasses, UnreachableBlocksAreLeftAlone) {
  StorePass pass(Form::kGuard);
  const absl::StatusOr<Instrumented> result = RunOn(ComputeShader(R"(
    %entry = OpLabel
    %first = OpAccessChain %ptr_uint %buffer %zero %one
    OpReturn
    %nowhere = OpLabel
    OpStore %first %one
    OpReturn)"),
                                                    {&pass});
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->is_changed);
  EXPECT_EQ(result->statistics.passes[0].Count(Outcome::kUnreachable), 1u);
}

TEST(RunPasses, TheShaderIdIsOneWord) {
  StorePass pass(Form::kGuard);
  absl::StatusOr<Instrumented> seven = RunOn(ComputeShader(kTwoStores), {&pass}, {.runtime = {.shader_id = 7}});
  const absl::StatusOr<Instrumented> ten = RunOn(ComputeShader(kTwoStores), {&pass}, {.runtime = {.shader_id = 10}});
  ASSERT_TRUE(seven.ok() && ten.ok());
  ASSERT_EQ(seven->shader_id_word, ten->shader_id_word);
  ASSERT_NE(seven->shader_id_word, 0u);
  EXPECT_EQ(seven->words[seven->shader_id_word], 7u);
  // The shader has a constant 10, which is another one.
  seven->words[seven->shader_id_word] = 10;
  EXPECT_EQ(seven->words, ten->words);
}

TEST(RunPasses, TheReservedSetMustBeFree) {
  StorePass pass(Form::kGuard);
  const absl::StatusOr<Instrumented> result =
      RunOn(ComputeShader(kTwoStores), {&pass}, {.runtime = {.descriptor_set = 0}});
  EXPECT_TRUE(absl::IsFailedPrecondition(result.status()));
}

TEST(RunPasses, AnUnknownCheckFunctionIsAnError) {
  StorePass pass(Form::kGuard, "NoSuchFunction");
  EXPECT_FALSE(RunOn(ComputeShader(kTwoStores), {&pass}).ok());
}

TEST(RunPasses, WordsThatAreNoModuleAreAnError) {
  StorePass pass(Form::kGuard);
  EXPECT_FALSE(RunPasses({1, 2, 3}, {}, {&pass}).ok());
}

// A vertex and a fragment shader in one module, which share a function.
constexpr std::string_view kTwoStages = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %vertex "vertex" %buffer
    OpEntryPoint Fragment %fragment "fragment" %coord %buffer
    OpExecutionMode %fragment OriginUpperLeft
    OpDecorate %coord BuiltIn FragCoord
    OpDecorate %Block Block
    OpMemberDecorate %Block 0 Offset 0
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4
    %ptr_input = OpTypePointer Input %vec4
    %zero = OpConstant %uint 0
    %Block = OpTypeStruct %uint
    %ptr_Block = OpTypePointer StorageBuffer %Block
    %ptr_uint = OpTypePointer StorageBuffer %uint
    %coord = OpVariable %ptr_input Input
    %buffer = OpVariable %ptr_Block StorageBuffer
    %shared = OpFunction %void None %fn
    %a = OpLabel
    %in_shared = OpAccessChain %ptr_uint %buffer %zero
    OpStore %in_shared %zero
    OpReturn
    OpFunctionEnd
    %vertex = OpFunction %void None %fn
    %b = OpLabel
    %call_vertex = OpFunctionCall %void %shared
    %in_vertex = OpAccessChain %ptr_uint %buffer %zero
    OpStore %in_vertex %zero
    OpReturn
    OpFunctionEnd
    %fragment = OpFunction %void None %fn
    %c = OpLabel
    %call_fragment = OpFunctionCall %void %shared
    %in_fragment = OpAccessChain %ptr_uint %buffer %zero
    OpStore %in_fragment %zero
    OpReturn
    OpFunctionEnd)";

TEST(RunPasses, EachStageHasItsStageWords) {
  StorePass pass(Form::kGuard);
  Module module = ReadResult(RunOn(std::string(kTwoStages), {&pass}));
  const std::vector<EntryPoint> entry_points = EntryPoints(module);
  // The buffer, three of the runtime's, and the two that what both use reads. Vertex and instance index were added; the
  // fragment coordinate was there.
  EXPECT_EQ(entry_points[0].interface().size(), 8u);
  EXPECT_EQ(entry_points[1].interface().size(), 7u);
  size_t stages = 0;
  for (Function function : module.functions()) stages += module.decorations().NameOf(function.id()) == "Stage";
  // Vertex, fragment, and the one of the entry point that runs for what both use.
  EXPECT_EQ(stages, 3u);
}

// The values of stores to a private variable, as constants; 0 for what is none.
std::vector<uint32_t> StoredConstants(Module& module, std::string_view name) {
  std::vector<uint32_t> values;
  for (Instruction instruction : module.instructions()) {
    if (instruction.op() != spv::Op::OpStore) continue;
    if (module.decorations().NameOf(instruction.id(0)) != name) continue;
    const Instruction value = module.Find(instruction.id(1));
    values.push_back(value.op() == spv::Op::OpConstant ? value.literal(0) : 0);
  }
  return values;
}

TEST(RunPasses, AnEntryPointSaysWhichItIs) {
  StorePass pass(Form::kGuard);
  Module module = ReadResult(RunOn(std::string(kTwoStages), {&pass}));
  // Vertex is 0 and Fragment is 4.
  EXPECT_EQ(StoredConstants(module, "stage_of_entry_point"), (std::vector<uint32_t>{0, 4}));
  EXPECT_EQ(StoredConstants(module, "stage_words_of_entry_point").size(), 2u);
}

// Nothing in the shader says which of the two it is.
TEST(RunPasses, AFunctionThatIsTwoEntryPointsIsOfNoKnownStage) {
  const std::string text = absl::StrReplaceAll(
      kTwoStages,
      {{"OpCapability Shader", "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\""},
       {"OpEntryPoint Vertex", "OpEntryPoint RayGenerationKHR"},
       {"OpEntryPoint Fragment %fragment \"fragment\" %coord", "OpEntryPoint CallableKHR %vertex \"other\""},
       {"OpExecutionMode %fragment OriginUpperLeft", ""}});
  StorePass pass(Form::kGuard);
  Module module = ReadResult(RunOn(text, {&pass}));
  EXPECT_EQ(StoredConstants(module, "stage_of_entry_point"), (std::vector<uint32_t>{0xffffffff}));
}

TEST(RunPasses, IsDeterministic) {
  StorePass pass(Form::kGuard);
  const absl::StatusOr<Instrumented> once = RunOn(std::string(kTwoStages), {&pass});
  EXPECT_TRUE(RunOn(ComputeShader(kTwoStores), {&pass}).ok());
  EXPECT_EQ(RunOn(std::string(kTwoStages), {&pass})->words, once->words);
}

// Where the application has push constants already, another member is added.
constexpr std::string_view kPushConstants = R"(
    %P = OpTypeStruct %uint %uint
    %ptr_P = OpTypePointer PushConstant %P
    %p = OpVariable %ptr_P PushConstant)";
constexpr std::string_view kOffsets = R"(
    OpDecorate %P Block
    OpMemberDecorate %P 0 Offset 0
    OpMemberDecorate %P 1 Offset 12)";

TEST(RunPasses, PushConstantsGetAMember) {
  StorePass pass(Form::kGuard);
  const FrameConfig config{.runtime = {.reach = Reach::kPushConstant, .push_constant_offset = 16}};
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores, kPushConstants, kOffsets), {&pass}, config));
  size_t blocks = 0;
  for (Instruction variable : module.section(Section::kGlobals)) {
    if (variable.op() != spv::Op::OpVariable) continue;
    if (variable.enumerant<spv::StorageClass>(0) != spv::StorageClass::PushConstant) continue;
    ++blocks;
    EXPECT_EQ(module.Find(module.Find(variable.type_id()).id(1)).operand_count(), 3u);
  }
  EXPECT_EQ(blocks, 1u);
}

TEST(RunPasses, PushConstantsMustLeaveRoom) {
  StorePass pass(Form::kGuard);
  const FrameConfig config{.runtime = {.reach = Reach::kPushConstant, .push_constant_offset = 8}};
  EXPECT_TRUE(
      absl::IsFailedPrecondition(RunOn(ComputeShader(kTwoStores, kPushConstants, kOffsets), {&pass}, config).status()));
}

TEST(RunPasses, SpecializationConstantsHaveTwoIds) {
  StorePass pass(Form::kGuard);
  const FrameConfig config{.runtime = {.reach = Reach::kSpecializationConstant, .specialization_id = 40}};
  const Module module = ReadResult(RunOn(ComputeShader(kTwoStores), {&pass}, config));
  std::vector<uint32_t> ids;
  for (Instruction annotation : module.section(Section::kAnnotations)) {
    if (annotation.op() != spv::Op::OpDecorate) continue;
    if (annotation.enumerant<spv::Decoration>(1) == spv::Decoration::SpecId) ids.push_back(annotation.literal(2));
  }
  EXPECT_EQ(ids, (std::vector<uint32_t>{40, 41}));
}

}  // namespace
}  // namespace assay::spirv_instrument
