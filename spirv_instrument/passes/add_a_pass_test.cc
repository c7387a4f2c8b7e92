// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/arithmetic/numeric.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/pass.h"
#include "spirv_instrument/passes/frame/run_passes.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/passes/operands/components.h"

// The pass that docs/instrumentation.md adds step by step. What is between "begin FILE" and "end FILE" is what the page
// shows of a file; add_a_pass_doc_test.py compares the two.
namespace assay::spirv_instrument {
namespace {

// error_codes.h, as far as the pass needs it, with the line that the page adds.
enum class ErrorCode : uint32_t { kVectorIndexPastEnd = 103 };

// begin vector_index.h
// Components that a vector does not have: OpVectorExtractDynamic and OpVectorInsertDynamic (SPIR-V, "Composite
// Instructions": the behavior is undefined). The index counts as unsigned, so that a negative one is past the end. The
// instruction is executed if the index is good, and its result is zero if not.
//
// *Ids*: the index. *Literals*: how many components the vector has.
//
// What it does not see: vectors in memory, where the index is one of an access chain.
struct VectorIndexConfig {
  bool inserts = true;
};

std::unique_ptr<Pass> MakeVectorIndex(const VectorIndexConfig& config);
// end vector_index.h

// begin vector_index.cc
constexpr spv::Op kOpcodes[] = {spv::Op::OpVectorExtractDynamic, spv::Op::OpVectorInsertDynamic};

class VectorIndex : public Pass {
 public:
  explicit VectorIndex(const VectorIndexConfig& config) : config_(config) {}

  std::string_view name() const override { return "vector_index"; }
  absl::Span<const spv::Op> opcodes() const override { return kOpcodes; }
  void Begin(ModuleFacts& facts) override { facts_ = &facts; }

  void Process(Instruction instruction, WantedChecks& wanted) override {
    const bool is_insert = instruction.op() == spv::Op::OpVectorInsertDynamic;
    if (is_insert && !config_.inserts) return;
    const uint32_t count = ComponentCount(facts_->module(), instruction.id(0));
    const Id index = instruction.id(is_insert ? 2 : 1);
    if (AreConstantsFromTo(*facts_, index, 0, int64_t{count} - 1)) {
      return wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    }
    wanted.Add(*this, instruction, {.ids = {index}, .literals = {count}, .span = {0, 1}, .is_cheap = true});
  }

  Id EmitCondition(const WantedCheck& check, AccessSpan, Emitter& emitter) override {
    const Id index = emitter.AsUint(emitter.Ids(check)[0]);
    const Id count = emitter.Uint(emitter.Literals(check)[0]);
    return emitter.builder().Binary(spv::Op::OpULessThan, emitter.globals().Bool(), index, count);
  }

  void EmitReport(const WantedCheck& check, Emitter& emitter) override {
    Numerics numerics(emitter.module(), emitter.builder());
    const Id zero = emitter.Uint(0);
    const Id is_good = EmitCondition(check, check.span, emitter);
    const Id good = emitter.builder().Add(spv::Op::OpSelect, numerics.Uints(1), {is_good, emitter.Uint(1), zero});
    const Id index = emitter.AsUint(emitter.Ids(check)[0]);
    const Id count = emitter.Uint(emitter.Literals(check)[0]);
    const auto quad = [&](Id word, uint32_t padding) { return numerics.Quad(word, 1, padding); };
    const Id code = emitter.Uint(static_cast<uint32_t>(ErrorCode::kVectorIndexPastEnd));
    constexpr uint32_t kUnsignedOf32Bits = 32 << 8;
    emitter.Call("ReportArithmetic", {emitter.InstructionOf(check), code, emitter.Uint(kUnsignedOf32Bits),
                                      quad(good, 1), quad(index, 0), quad(zero, 0), quad(count, 0), quad(zero, 0)});
  }

 private:
  const VectorIndexConfig config_;
  ModuleFacts* facts_ = nullptr;
};

std::unique_ptr<Pass> MakeVectorIndex(const VectorIndexConfig& config) { return std::make_unique<VectorIndex>(config); }
// end vector_index.cc

// A shader with vectors, and indices that are not constant: %index, and %wide of 64 bits.
std::vector<uint32_t> Shader(std::string_view statements) {
  constexpr std::string_view kGlobals = R"(
    %long = OpTypeInt 64 1
    %pair = OpTypeVector %uint 2
    %quad = OpTypeVector %uint 4
    %three = OpConstant %uint 3
    %four = OpConstant %uint 4
    %vector_of_2 = OpUndef %pair
    %vector_of_4 = OpUndef %quad
    %index = OpUndef %uint
    %wide = OpUndef %long)";
  const std::string body = absl::StrCat("%entry = OpLabel\n", statements, "\nOpReturn");
  return Assemble(absl::StrCat("OpCapability Int64\n", ComputeShader(body, kGlobals)));
}

// begin vector_index_test.cc
Instrumented Apply(const std::vector<uint32_t>& words, const VectorIndexConfig& config = {}) {
  const std::unique_ptr<Pass> pass = MakeVectorIndex(config);
  absl::StatusOr<Instrumented> result = RunPasses(words, {}, {pass.get()});
  EXPECT_TRUE(result.ok()) << result.status();
  return *std::move(result);
}

uint32_t CountOf(const Instrumented& result, Outcome outcome) { return result.statistics.passes[0].Count(outcome); }

TEST(VectorIndex, AnExtractionIsConditional) {
  const Instrumented result = Apply(Shader("%value = OpVectorExtractDynamic %uint %vector_of_4 %index"));
  EXPECT_EQ(CountOf(result, Outcome::kEmitted), 1u);
  const Module module = *Module::Read(result.words);
  EXPECT_EQ(ValidationErrors(module), "");
  size_t found = 0;
  for (const Instruction instruction : module.functions()[0].instructions()) {
    if (instruction.op() != spv::Op::OpVectorExtractDynamic) continue;
    ++found;
    EXPECT_EQ(instruction.previous().op(), spv::Op::OpLabel);
    EXPECT_EQ(instruction.next().op(), spv::Op::OpBranch);
  }
  EXPECT_EQ(found, 1u);
}

TEST(VectorIndex, AConstantIsDecidedAtOnce) {
  const std::vector<uint32_t> words = Shader("%value = OpVectorExtractDynamic %uint %vector_of_4 %three");
  const Instrumented result = Apply(words);
  EXPECT_EQ(CountOf(result, Outcome::kAlwaysGood), 1u);
  EXPECT_EQ(result.words, words);
  EXPECT_EQ(CountOf(Apply(Shader("%value = OpVectorExtractDynamic %uint %vector_of_4 %four")), Outcome::kEmitted), 1u);
}
// end vector_index_test.cc

// In the shader's own function.
size_t CountOps(const Instrumented& result, spv::Op op) {
  const Module module = *Module::Read(result.words);
  EXPECT_EQ(ValidationErrors(module), "");
  size_t count = 0;
  for (const Instruction instruction : module.functions()[0].instructions()) count += instruction.op() == op;
  return count;
}

TEST(VectorIndex, AnInsertionIsConditionalIfThatIsWanted) {
  const std::vector<uint32_t> words = Shader("%value = OpVectorInsertDynamic %quad %vector_of_4 %one %index");
  const Instrumented result = Apply(words);
  EXPECT_EQ(CountOf(result, Outcome::kEmitted), 1u);
  EXPECT_EQ(CountOps(result, spv::Op::OpPhi), 1u);
  EXPECT_EQ(Apply(words, {.inserts = false}).words, words);
}

TEST(VectorIndex, AnIndexIsComparedOnceForVectorsOfOneSize) {
  const Instrumented result =
      Apply(Shader("%first = OpVectorExtractDynamic %uint %vector_of_4 %index\n"
                   "%second = OpVectorInsertDynamic %quad %vector_of_4 %one %index\n"
                   "%third = OpVectorExtractDynamic %uint %vector_of_2 %index"));
  EXPECT_EQ(CountOf(result, Outcome::kEmitted), 2u);
  EXPECT_EQ(CountOf(result, Outcome::kDominated), 1u);
  // In the conditions and in the reports of the first and the third.
  EXPECT_EQ(CountOps(result, spv::Op::OpULessThan), 4u);
  // All three are guarded.
  EXPECT_EQ(CountOps(result, spv::Op::OpBranchConditional), 3u);
}

TEST(VectorIndex, AWideIndexIsComparedWhole) {
  const Instrumented result = Apply(Shader("%value = OpVectorExtractDynamic %uint %vector_of_4 %wide"));
  // SaturateIndex in the condition, and twice in the report beside ReportArithmetic.
  EXPECT_EQ(CountOps(result, spv::Op::OpFunctionCall), 4u);
}

}  // namespace
}  // namespace assay::spirv_instrument
