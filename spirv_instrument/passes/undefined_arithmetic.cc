// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/undefined_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/passes/arithmetic/float_operations.h"
#include "spirv_instrument/passes/arithmetic/numeric.h"
#include "spirv_instrument/runtime/error_codes.h"

namespace assay::spirv_instrument {
namespace {

enum Variant : uint32_t {
  // Ids: dividend, divisor.
  kUnsignedDivision,
  kSignedDivision,
  // Ids: base, shift. Literal: the width of the base.
  kShift,
  // Ids: offset, count. Literal: the width of the base.
  kBitField,
  // Id: the value. Literals: the width of the result; whether it has a sign.
  kConversion,
  // Ids: all operands. Literals: opcode, number, whether NaN and infinity are reported, the width of the result.
  kFloatResult,
};

// Literals of kFloatResult.
constexpr size_t kOpcodeLiteral = 0;
constexpr size_t kNumberLiteral = 1;
constexpr size_t kNotANumberLiteral = 2;
constexpr size_t kInfinityLiteral = 3;

constexpr spv::Op kDivisionOpcodes[] = {spv::Op::OpUDiv, spv::Op::OpUMod, spv::Op::OpSDiv, spv::Op::OpSRem,
                                        spv::Op::OpSMod};
constexpr spv::Op kShiftOpcodes[] = {spv::Op::OpShiftRightLogical, spv::Op::OpShiftRightArithmetic,
                                     spv::Op::OpShiftLeftLogical};
constexpr spv::Op kBitFieldOpcodes[] = {spv::Op::OpBitFieldInsert, spv::Op::OpBitFieldSExtract,
                                        spv::Op::OpBitFieldUExtract};
constexpr spv::Op kConversionOpcodes[] = {spv::Op::OpConvertFToU, spv::Op::OpConvertFToS};

bool Contains(absl::Span<const spv::Op> opcodes, spv::Op op) {
  return std::find(opcodes.begin(), opcodes.end(), op) != opcodes.end();
}

// Why an instruction is undefined, and for each component whether it is not.
struct Goodness {
  ErrorCode code = ErrorCode::kDivisionByZero;
  // A Boolean or a vector of them.
  Id bools = kNoId;
};

// A record's values, and of what type they are.
struct Evidence {
  Numerics::Words first;
  Numerics::Words second;
  NumericType type;
  bool is_signed = false;
};

class UndefinedArithmetic : public Pass {
 public:
  explicit UndefinedArithmetic(const UndefinedArithmeticConfig& config)
      : config_(config), opcodes_(OpcodesOf(config.not_a_number | config.infinity)) {
    const auto add = [&](bool is_on, absl::Span<const spv::Op> opcodes) {
      if (is_on) opcodes_.insert(opcodes_.end(), opcodes.begin(), opcodes.end());
    };
    add(config.division, kDivisionOpcodes);
    add(config.shifts, kShiftOpcodes);
    add(config.bit_fields, kBitFieldOpcodes);
    add(config.conversions, kConversionOpcodes);
  }

  std::string_view name() const override { return "undefined_arithmetic"; }
  absl::Span<const spv::Op> opcodes() const override { return opcodes_; }

  void Begin(ModuleFacts& facts) override {
    module_ = &facts.module();
    glsl_ = FindExtendedSet(*module_, "GLSL.std.450");
  }

  void Process(Instruction instruction, WantedChecks& wanted) override {
    const spv::Op op = instruction.op();
    if (Contains(kDivisionOpcodes, op)) {
      WantDivision(instruction, wanted);
    } else if (Contains(kShiftOpcodes, op)) {
      WantShift(instruction, wanted);
    } else if (Contains(kBitFieldOpcodes, op)) {
      WantBitField(instruction, wanted);
    } else if (Contains(kConversionOpcodes, op)) {
      WantConversion(instruction, wanted);
    } else {
      WantFloatResult(instruction, wanted);
    }
  }

  Id EmitCondition(const WantedCheck& check, AccessSpan, Emitter& emitter) override {
    Numerics numerics(emitter.module(), emitter.builder());
    Id condition = kNoId;
    for (const Goodness& goodness : EmitGoodness(check, emitter, numerics)) {
      const Id is_good = numerics.All(goodness.bools, ComponentsOf(goodness.bools));
      condition = condition == kNoId
                      ? is_good
                      : emitter.builder().Binary(spv::Op::OpLogicalAnd, emitter.globals().Bool(), condition, is_good);
    }
    return condition;
  }

  void EmitReport(const WantedCheck& check, Emitter& emitter) override {
    Numerics numerics(emitter.module(), emitter.builder());
    const auto goodnesses = EmitGoodness(check, emitter, numerics);
    const Evidence evidence = EmitEvidence(check, emitter, numerics);
    const uint32_t kind = !evidence.type.IsInteger() ? 2 : evidence.is_signed ? 1 : 0;
    const uint32_t type = kind << 16 | evidence.type.width << 8;
    const uint32_t count = evidence.type.components;
    const auto quad = [&](Id words) { return numerics.Quad(words, count, 0); };
    const Id first_low = quad(evidence.first.low);
    const Id first_high = quad(evidence.first.high);
    const Id second_low = quad(evidence.second.low);
    const Id second_high = quad(evidence.second.high);
    for (const Goodness& goodness : goodnesses) {
      Id bools = goodness.bools;
      if (check.variant == kFloatResult) bools = OrPassedOn(check, goodness.code, bools, emitter, numerics);
      const Id good = emitter.builder().Add(spv::Op::OpSelect, numerics.Uints(count),
                                            {bools, numerics.SplatUint(count, 1), numerics.SplatUint(count, 0)});
      emitter.Call("ReportArithmetic",
                   {emitter.InstructionOf(check), emitter.Uint(static_cast<uint32_t>(goodness.code)),
                    emitter.Uint(type), numerics.Quad(good, count, 1), first_low, first_high, second_low, second_high});
    }
  }

 private:
  using Goodnesses = absl::InlinedVector<Goodness, 2>;

  void Want(Instruction instruction, WantedChecks& wanted, Variant variant, absl::Span<const Id> ids,
            absl::Span<const uint32_t> literals) {
    wanted.Add(*this, instruction,
               {.form = variant == kFloatResult ? Form::kReport : Form::kGuard,
                .variant = variant,
                .ids = ids,
                .literals = literals,
                .span = {0, 1},
                .is_cheap = true});
  }

  void WantDivision(Instruction instruction, WantedChecks& wanted) {
    const Id divisor = instruction.id(1);
    const std::optional<NumericType> type = NumericTypeOf(*module_, divisor);
    if (!type || !NumericTypeOf(*module_, instruction.id(0))) return;
    const bool is_signed = instruction.op() != spv::Op::OpUDiv && instruction.op() != spv::Op::OpUMod;
    const uint64_t minus_one = ~uint64_t{0} >> (64 - type->width);
    const auto is_good = [&](uint64_t value) { return value != 0 && !(is_signed && value == minus_one); };
    if (EveryComponent(*module_, divisor, is_good)) return wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    Want(instruction, wanted, is_signed ? kSignedDivision : kUnsignedDivision, {instruction.id(0), divisor}, {});
  }

  void WantShift(Instruction instruction, WantedChecks& wanted) {
    const Id shift = instruction.id(1);
    const std::optional<NumericType> base = NumericTypeOf(*module_, instruction.id(0));
    if (!base || !NumericTypeOf(*module_, shift)) return;
    if (EveryComponent(*module_, shift, [&](uint64_t value) { return value < base->width; })) {
      return wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    }
    Want(instruction, wanted, kShift, {instruction.id(0), shift}, {base->width});
  }

  void WantBitField(Instruction instruction, WantedChecks& wanted) {
    const size_t first = instruction.op() == spv::Op::OpBitFieldInsert ? 2 : 1;
    const Id offset = instruction.id(first);
    const Id count = instruction.id(first + 1);
    const std::optional<NumericType> base = NumericTypeOf(*module_, instruction.id(0));
    if (!base || !NumericTypeOf(*module_, offset) || !NumericTypeOf(*module_, count)) return;
    uint64_t end = 0;
    const auto add = [&](uint64_t value) {
      end += std::min<uint64_t>(value, base->width + 1);
      return true;
    };
    if (EveryComponent(*module_, offset, add) && EveryComponent(*module_, count, add) && end <= base->width) {
      return wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    }
    Want(instruction, wanted, kBitField, {offset, count}, {base->width});
  }

  void WantConversion(Instruction instruction, WantedChecks& wanted) {
    const std::optional<NumericType> result = AsNumericType(*module_, instruction.type_id());
    if (!result || !NumericTypeOf(*module_, instruction.id(0))) return;
    const bool is_signed = instruction.op() == spv::Op::OpConvertFToS;
    Want(instruction, wanted, kConversion, {instruction.id(0)}, {result->width, is_signed ? 1u : 0u});
  }

  void WantFloatResult(Instruction instruction, WantedChecks& wanted) {
    const FloatOperations group = GroupOf(instruction, glsl_);
    const bool not_a_number = HasAny(config_.not_a_number, group);
    const bool infinity = HasAny(config_.infinity, group);
    const std::optional<NumericType> result = AsNumericType(*module_, instruction.type_id());
    if ((!not_a_number && !infinity) || !result || result->IsInteger()) return;
    const bool is_extended = instruction.op() == spv::Op::OpExtInst;
    absl::InlinedVector<Id, 3> ids;
    for (size_t i = is_extended ? 2 : 0; i < instruction.operand_count(); ++i) {
      if (!NumericTypeOf(*module_, instruction.id(i))) return;
      ids.push_back(instruction.id(i));
    }
    Want(instruction, wanted, kFloatResult, ids,
         {static_cast<uint32_t>(instruction.op()), is_extended ? instruction.literal(1) : 0, not_a_number ? 1u : 0u,
          infinity ? 1u : 0u, result->width});
  }

  uint32_t ComponentsOf(Id bools) const {
    const Instruction type = module_->TypeOf(bools);
    return type.op() == spv::Op::OpTypeVector ? type.literal(1) : 1;
  }

  Goodnesses EmitGoodness(const WantedCheck& check, Emitter& emitter, Numerics& numerics) const {
    const absl::Span<const Id> ids = emitter.Ids(check);
    const absl::Span<const uint32_t> literals = emitter.Literals(check);
    switch (check.variant) {
      case kUnsignedDivision:
        return {EmitDivisorIsNotZero(ids[1], emitter, numerics)};
      case kSignedDivision:
        return {EmitDivisorIsNotZero(ids[1], emitter, numerics),
                EmitDivisionDoesNotOverflow(ids[0], ids[1], emitter, numerics)};
      case kShift:
        return {EmitShiftIsLess(ids[1], literals[0], emitter, numerics)};
      case kBitField:
        return {EmitBitFieldIsWithin(ids[0], ids[1], literals[0], emitter)};
      case kConversion:
        return {EmitValueIsWithin(ids[0], literals[0], literals[1] != 0, emitter, numerics)};
      default:
        return EmitResultIsGood(check, emitter, numerics);
    }
  }

  Goodness EmitDivisorIsNotZero(Id divisor, Emitter& emitter, Numerics& numerics) const {
    const NumericType type = *NumericTypeOf(*module_, divisor);
    return {ErrorCode::kDivisionByZero, emitter.builder().Binary(spv::Op::OpINotEqual, numerics.Bools(type.components),
                                                                 divisor, numerics.Splat(type, 0))};
  }

  Goodness EmitDivisionDoesNotOverflow(Id dividend, Id divisor, Emitter& emitter, Numerics& numerics) const {
    const NumericType type = *NumericTypeOf(*module_, divisor);
    const NumericType dividend_type = *NumericTypeOf(*module_, dividend);
    const Id bools = numerics.Bools(type.components);
    Builder& builder = emitter.builder();
    const Id other_divisor = builder.Binary(spv::Op::OpINotEqual, bools, divisor, numerics.Splat(type, ~uint64_t{0}));
    const Id other_dividend = builder.Binary(spv::Op::OpINotEqual, bools, dividend,
                                             numerics.Splat(dividend_type, uint64_t{1} << (dividend_type.width - 1)));
    return {ErrorCode::kDivisionOverflow, builder.Binary(spv::Op::OpLogicalOr, bools, other_divisor, other_dividend)};
  }

  Goodness EmitShiftIsLess(Id shift, uint32_t width, Emitter& emitter, Numerics& numerics) const {
    const NumericType type = *NumericTypeOf(*module_, shift);
    return {ErrorCode::kShiftPastWidth, emitter.builder().Binary(spv::Op::OpULessThan, numerics.Bools(type.components),
                                                                 shift, numerics.Splat(type, width))};
  }

  Goodness EmitBitFieldIsWithin(Id offset, Id count, uint32_t width, Emitter& emitter) const {
    Builder& builder = emitter.builder();
    const Id bool_type = emitter.globals().Bool();
    const Id bits = emitter.AsUint(count);
    const Id begin = emitter.AsUint(offset);
    const Id all = emitter.Uint(width);
    // The difference is large if the count is, and decides nothing then.
    const Id last_begin = builder.Binary(spv::Op::OpISub, emitter.globals().Uint32(), all, bits);
    const Id count_is_good = builder.Binary(spv::Op::OpULessThanEqual, bool_type, bits, all);
    const Id begin_is_good = builder.Binary(spv::Op::OpULessThanEqual, bool_type, begin, last_begin);
    return {ErrorCode::kBitFieldPastWidth,
            builder.Binary(spv::Op::OpLogicalAnd, bool_type, count_is_good, begin_is_good)};
  }

  // A value is good without its fraction, so that it may be less than the lowest result by anything below 1.
  Goodness EmitValueIsWithin(Id value, uint32_t width, bool is_signed, Emitter& emitter, Numerics& numerics) const {
    NumericType type = *NumericTypeOf(*module_, value);
    const Id wide = numerics.WithoutHalves(value, type);
    const Id bools = numerics.Bools(type.components);
    const uint32_t digits = type.width == 64 ? 53 : 24;
    const double lowest = is_signed ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0.0;
    const double end = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
    // The lowest less 1 is no float if it has more digits than a float; then no float is between the two.
    const bool has_next = !is_signed || width <= digits;
    Builder& builder = emitter.builder();
    const Id above = builder.Binary(has_next ? spv::Op::OpFOrdGreaterThan : spv::Op::OpFOrdGreaterThanEqual, bools,
                                    wide, numerics.SplatFloat(type, has_next ? lowest - 1.0 : lowest));
    const Id below = builder.Binary(spv::Op::OpFOrdLessThan, bools, wide, numerics.SplatFloat(type, end));
    const Id finite = EmitFloatTest(numerics, builder, wide, type, FloatTest::kFinite);
    const Id within = builder.Binary(spv::Op::OpLogicalAnd, bools, above, below);
    return {ErrorCode::kConversionOutOfRange, builder.Binary(spv::Op::OpLogicalAnd, bools, within, finite)};
  }

  // The operation of the access, once more.
  Id EmitAgain(const WantedCheck& check, Emitter& emitter) const {
    absl::InlinedVector<Word, 4> operands;
    for (const uint32_t word : check.access.operands()) operands.push_back(word);
    const Id result = emitter.builder().Add(check.access.op(), check.access.type_id(), operands);
    CopyDecorations(emitter.module(), check.access.result_id(), result);
    return result;
  }

  Goodnesses EmitResultIsGood(const WantedCheck& check, Emitter& emitter, Numerics& numerics) const {
    const absl::Span<const uint32_t> literals = emitter.Literals(check);
    const Id result = EmitAgain(check, emitter);
    const NumericType type = *AsNumericType(*module_, check.access.type_id());
    const auto test = [&](FloatTest what) { return EmitFloatTest(numerics, emitter.builder(), result, type, what); };
    Goodnesses goodnesses;
    if (literals[kNotANumberLiteral] != 0) goodnesses.push_back({ErrorCode::kNotANumber, test(FloatTest::kNotNaN)});
    if (literals[kInfinityLiteral] != 0) goodnesses.push_back({ErrorCode::kInfinity, test(FloatTest::kNotInfinite)});
    return goodnesses;
  }

  // Not to be reported where NaN or infinity is only passed on. This is asked where something is to be reported, and
  // not in the condition.
  Id OrPassedOn(const WantedCheck& check, ErrorCode code, Id bools, Emitter& emitter, Numerics& numerics) const {
    Builder& builder = emitter.builder();
    const FloatTest wanted = code == ErrorCode::kNotANumber ? FloatTest::kNotNaN : FloatTest::kFinite;
    const Id bool_type = emitter.globals().Bool();
    Id are_new = emitter.globals().BoolConstant(true);
    for (const Id id : emitter.Ids(check)) {
      const NumericType type = *NumericTypeOf(*module_, id);
      if (type.IsInteger()) continue;
      const Id tests = EmitFloatTest(numerics, builder, id, type, wanted);
      are_new = builder.Binary(spv::Op::OpLogicalAnd, bool_type, are_new, numerics.All(tests, type.components));
    }
    const uint32_t count = ComponentsOf(bools);
    const Id is_passed_on = builder.Add(spv::Op::OpLogicalNot, bool_type, {are_new});
    const Id repeated = numerics.Repeat(numerics.Bools(count), is_passed_on, count);
    return builder.Binary(spv::Op::OpLogicalOr, numerics.Bools(count), bools, repeated);
  }

  // What error_codes.h says of the record.
  Evidence EmitEvidence(const WantedCheck& check, Emitter& emitter, Numerics& numerics) const {
    const absl::Span<const Id> ids = emitter.Ids(check);
    const absl::Span<const uint32_t> literals = emitter.Literals(check);
    Evidence evidence;
    switch (check.variant) {
      case kBitField:
        evidence.type = {.width = literals[0]};
        evidence.first = {.low = emitter.AsUint(ids[0]), .high = emitter.Uint(0)};
        evidence.second = {.low = emitter.AsUint(ids[1]), .high = emitter.Uint(0)};
        break;
      case kConversion:
        evidence.type = *NumericTypeOf(*module_, ids[0]);
        evidence.first = numerics.WordsOf(ids[0], evidence.type, false);
        evidence.second = {.low = numerics.SplatUint(evidence.type.components, literals[0]),
                           .high = numerics.SplatUint(evidence.type.components, literals[1])};
        break;
      case kFloatResult:
        evidence.type = *AsNumericType(*module_, check.access.type_id());
        evidence.first = numerics.WordsOf(EmitAgain(check, emitter), evidence.type, false);
        evidence.second = {.low = numerics.SplatUint(evidence.type.components, literals[kNumberLiteral]),
                           .high = numerics.SplatUint(evidence.type.components, literals[kOpcodeLiteral])};
        break;
      default:
        evidence.type = *NumericTypeOf(*module_, ids[0]);
        evidence.is_signed = check.variant == kSignedDivision ||
                             (check.variant == kShift && evidence.type.kind == NumericType::Kind::kSigned);
        evidence.first = numerics.WordsOf(ids[0], evidence.type, evidence.is_signed);
        // A shift counts as unsigned.
        evidence.second = numerics.WordsOf(ids[1], *NumericTypeOf(*module_, ids[1]), check.variant == kSignedDivision);
        break;
    }
    return evidence;
  }

  const UndefinedArithmeticConfig config_;
  std::vector<spv::Op> opcodes_;
  Module* module_ = nullptr;
  Id glsl_ = kNoId;
};

}  // namespace

std::unique_ptr<Pass> MakeUndefinedArithmetic(const UndefinedArithmeticConfig& config) {
  return std::make_unique<UndefinedArithmetic>(config);
}

}  // namespace assay::spirv_instrument
