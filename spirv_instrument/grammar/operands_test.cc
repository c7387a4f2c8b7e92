// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/grammar/operands.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operand_kind.h"

namespace assay::spirv_instrument {
namespace {

// Type 32 is of one word, type 64 of two. Value N has type N. Id 7 imports OpenCL.std.
class Context : public OperandContext {
 public:
  uint32_t LiteralWordsOfType(uint32_t type) const override { return type == 32 ? 1 : type == 64 ? 2 : 0; }
  uint32_t LiteralWordsOfValue(uint32_t value) const override { return LiteralWordsOfType(value); }
  const ExtendedSetInfo* ExtendedSet(uint32_t id) const override {
    return id == 7 ? FindExtendedSet("OpenCL.std") : nullptr;
  }
};

// What the operands are: "i" for an id, "l" for another word, "sN" for a string and "nN" for a number of N words. An
// error ends it, as "!" and the word.
std::string Parsed(spv::Op op, std::vector<uint32_t> operands, std::string* what = nullptr) {
  std::vector<uint32_t> words = {static_cast<uint32_t>(operands.size() + 1) << spv::WordCountShift |
                                 static_cast<uint32_t>(op)};
  words.insert(words.end(), operands.begin(), operands.end());
  std::string text;
  uint32_t next = 1;
  const std::optional<OperandError> error = ParseOperands(words, Context(), [&](const ParsedOperand& operand) {
    EXPECT_EQ(operand.word, next);
    next += operand.word_count;
    if (operand.kind == OperandKind::kLiteralString) {
      absl::StrAppend(&text, "s", operand.word_count);
    } else if (operand.kind == OperandKind::kLiteralContextDependentNumber) {
      absl::StrAppend(&text, "n", operand.word_count);
    } else {
      text += IsId(operand.kind) ? "i" : "l";
    }
  });
  if (!error) {
    EXPECT_EQ(next, words.size());
    return text;
  }
  if (what != nullptr) *what = error->what;
  return absl::StrCat(text, "!", error->word);
}

TEST(Operands, OfEveryKind) {
  EXPECT_EQ(Parsed(spv::Op::OpReturn, {}), "");
  EXPECT_EQ(Parsed(spv::Op::OpIAdd, {1, 2, 3, 4}), "iiii");
  EXPECT_EQ(Parsed(spv::Op::OpCompositeExtract, {1, 2, 3, 4, 5}), "iiill");
  EXPECT_EQ(Parsed(spv::Op::OpAtomicLoad, {1, 2, 3, 4, 5}), "iiiii");
  EXPECT_EQ(Parsed(spv::Op::OpName, {1, 0x00636261}), "is1");
  EXPECT_EQ(Parsed(spv::Op::OpName, {1, 0x64636261, 0}), "is2");
  EXPECT_EQ(Parsed(spv::Op::OpEntryPoint, {5, 1, 0, 2, 3}), "lis1ii");
  EXPECT_EQ(Parsed(spv::Op::OpSource, {2, 450}), "ll");
  EXPECT_EQ(Parsed(spv::Op::OpSource, {2, 450, 1}), "lli");
  EXPECT_EQ(Parsed(spv::Op::OpSource, {2, 450, 1, 0x41, 0}), "llis1!5");
}

TEST(Operands, OfMasks) {
  // Aligned, and MakePointerAvailable with a scope.
  EXPECT_EQ(Parsed(spv::Op::OpStore, {1, 2}), "ii");
  EXPECT_EQ(Parsed(spv::Op::OpStore, {1, 2, 2, 16}), "iill");
  EXPECT_EQ(Parsed(spv::Op::OpStore, {1, 2, 2 | 8 | 32, 16, 9}), "iilli");
  // Bias, Grad and Sample, in the order of the bits.
  EXPECT_EQ(Parsed(spv::Op::OpImageSampleImplicitLod, {1, 2, 3, 4, 1 | 4 | 64, 5, 6, 7, 8}), "iiiiliiii");
  EXPECT_EQ(Parsed(spv::Op::OpStore, {1, 2, 2}), "iil!4");
  EXPECT_EQ(Parsed(spv::Op::OpStore, {1, 2, 0x40000000}), "iil!3");
  EXPECT_EQ(Parsed(spv::Op::OpLoopMerge, {1, 2, 8 | 256, 5, 6}), "iilll");
}

TEST(Operands, OfEnumerants) {
  EXPECT_EQ(Parsed(spv::Op::OpDecorate, {1, 33, 5}), "ill");
  EXPECT_EQ(Parsed(spv::Op::OpDecorate, {1, 2}), "il");
  EXPECT_EQ(Parsed(spv::Op::OpDecorate, {1, 41, 0x41, 1}), "ils1l");
  EXPECT_EQ(Parsed(spv::Op::OpDecorateId, {1, 27, 5}), "ili");
  // BankBitsINTEL has any number of literals.
  EXPECT_EQ(Parsed(spv::Op::OpDecorate, {1, 5835, 1, 2, 3}), "illll");
  EXPECT_EQ(Parsed(spv::Op::OpExecutionMode, {1, 17, 8, 8, 1}), "illll");
  EXPECT_EQ(Parsed(spv::Op::OpExecutionMode, {1, 17, 8, 8}), "illl!5");
  EXPECT_EQ(Parsed(spv::Op::OpExecutionMode, {1, 7, 8}), "il!3");
  // An unknown value without consequences is for the validator.
  EXPECT_EQ(Parsed(spv::Op::OpCapability, {123456}), "l");
}

TEST(Operands, OfNumbersByTheirType) {
  EXPECT_EQ(Parsed(spv::Op::OpConstant, {32, 1, 5}), "iin1");
  EXPECT_EQ(Parsed(spv::Op::OpConstant, {64, 1, 5, 6}), "iin2");
  EXPECT_EQ(Parsed(spv::Op::OpConstant, {64, 1, 5}), "ii!4");
  EXPECT_EQ(Parsed(spv::Op::OpConstant, {9, 1, 5}), "ii!3");
  EXPECT_EQ(Parsed(spv::Op::OpSwitch, {32, 1}), "ii");
  EXPECT_EQ(Parsed(spv::Op::OpSwitch, {32, 1, 5, 2, 6, 3}), "iin1in1i");
  EXPECT_EQ(Parsed(spv::Op::OpSwitch, {64, 1, 5, 0, 2}), "iin2i");
  EXPECT_EQ(Parsed(spv::Op::OpSwitch, {32, 1, 5}), "iin1!4");
}

TEST(Operands, OfOtherInstructionsInside) {
  EXPECT_EQ(Parsed(spv::Op::OpSpecConstantOp, {1, 2, static_cast<uint32_t>(spv::Op::OpIAdd), 3, 4}), "iilii");
  EXPECT_EQ(Parsed(spv::Op::OpSpecConstantOp, {1, 2, static_cast<uint32_t>(spv::Op::OpCompositeExtract), 3, 4}),
            "iilil");
  EXPECT_EQ(Parsed(spv::Op::OpSpecConstantOp, {1, 2, static_cast<uint32_t>(spv::Op::OpIAdd), 3}), "iili!5");
  EXPECT_EQ(Parsed(spv::Op::OpSpecConstantOp, {1, 2, static_cast<uint32_t>(spv::Op::OpStore), 3, 4}), "ii!3");
  // A set that is not known has ids.
  EXPECT_EQ(Parsed(spv::Op::OpExtInst, {1, 2, 3, 4, 5, 6}), "iiilii");
  // vloadn ends with a literal, sqrt does not.
  EXPECT_EQ(Parsed(spv::Op::OpExtInst, {1, 2, 7, 171, 5, 6, 4}), "iiiliil");
  EXPECT_EQ(Parsed(spv::Op::OpExtInst, {1, 2, 7, 61, 5}), "iiili");
  EXPECT_EQ(Parsed(spv::Op::OpExtInst, {1, 2, 7, 61, 5, 6}), "iiili!6");
  EXPECT_EQ(Parsed(spv::Op::OpExtInst, {1, 2, 7, 99999, 5}), "iiil!4");
}

TEST(Operands, ErrorsSayWhat) {
  std::string what;
  EXPECT_EQ(Parsed(static_cast<spv::Op>(0xfff0), {}, &what), "!0");
  EXPECT_EQ(what, "opcode 65520 is unknown");
  EXPECT_EQ(Parsed(spv::Op::OpIAdd, {1, 2, 3}, &what), "iii!4");
  EXPECT_EQ(what, "OpIAdd ends before all of its operands");
  EXPECT_EQ(Parsed(spv::Op::OpIAdd, {1, 2, 3, 4, 5}, &what), "iiii!5");
  EXPECT_EQ(what, "OpIAdd has more operands than it takes");
  EXPECT_EQ(Parsed(spv::Op::OpName, {1, 0x64636261}, &what), "i!2");
  EXPECT_EQ(what, "a string does not end in its instruction");
}

}  // namespace
}  // namespace assay::spirv_instrument
