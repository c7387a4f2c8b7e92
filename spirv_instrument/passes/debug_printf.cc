// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/debug_printf.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/passes/arithmetic/numeric.h"
#include "spirv_instrument/printf/prints.h"

namespace assay::spirv_instrument {
namespace {

enum Variant : uint32_t { kWritten, kRemoved };

// How many words a call of the check function writes.
constexpr size_t kWordsAtOnce = 4;

constexpr spv::Op kOpcodes[] = {spv::Op::OpExtInst};

class DebugPrintf : public Pass {
 public:
  explicit DebugPrintf(const DebugPrintfConfig& config) : config_(config) {}

  std::string_view name() const override { return "debug_printf"; }
  absl::Span<const spv::Op> opcodes() const override { return kOpcodes; }

  void Begin(ModuleFacts& facts) override {
    module_ = &facts.module();
    set_ = FindExtendedSet(*module_, kDebugPrintfSet);
    if (!config_.prints_wrong_formats) prints_.emplace(*module_);
  }

  void Process(Instruction instruction, WantedChecks& wanted) override {
    if (!IsPrint(instruction, set_)) return;
    const bool is_removed = prints_ && prints_->IsWrong(instruction.index());
    wanted.Add(*this, instruction, {.form = Form::kReplace, .variant = is_removed ? kRemoved : kWritten});
  }

  Id EmitCondition(const WantedCheck&, AccessSpan, Emitter&) override { return kNoId; }

  void EmitReport(const WantedCheck& check, Emitter& emitter) override {
    if (check.variant == kRemoved) return;
    std::vector<Id> words;
    // Copied, since emitting moves the words of instructions.
    const absl::Span<const uint32_t> operands = ArgumentsOfPrint(check.access);
    const absl::InlinedVector<uint32_t, 8> arguments(operands.begin(), operands.end());
    for (const uint32_t argument : arguments) AddWords(Id{argument}, emitter, words);
    while (words.size() % kWordsAtOnce != 0) words.push_back(emitter.Uint(0));
    const Id count = emitter.Uint(static_cast<uint32_t>(words.size()));
    const Id record = emitter.Call("BeginPrint", {emitter.InstructionOf(check), count});
    for (size_t i = 0; i < words.size(); i += kWordsAtOnce) {
      emitter.Call("WritePrintWords", {record, emitter.Uint(static_cast<uint32_t>(i)), words[i], words[i + 1],
                                       words[i + 2], words[i + 3]});
    }
    emitter.Call("EndPrint", {record, count});
  }

 private:
  // Adds the words of an argument, each a 32-bit unsigned integer.
  void AddWords(Id argument, Emitter& emitter, std::vector<Id>& words) const {
    Numerics numerics(emitter.module(), emitter.builder());
    const PrintType type = TypeOfPrintArgument(*module_, argument);
    switch (type.kind) {
      case PrintType::Kind::kString:
      case PrintType::Kind::kOther:
        return;
      case PrintType::Kind::kPointer: {
        const Id pair = emitter.AddressOf(argument);
        for (uint32_t i = 0; i < 2; ++i) words.push_back(Extract(pair, i, emitter));
        return;
      }
      case PrintType::Kind::kBool: {
        const Id uints = emitter.builder().Add(
            spv::Op::OpSelect, numerics.Uints(type.components),
            {argument, numerics.SplatUint(type.components, 1), numerics.SplatUint(type.components, 0)});
        return AddComponents(type.components, {.low = uints}, emitter, words);
      }
      default:
        break;
    }
    // Both say the same of numbers; long vectors are left out.
    const std::optional<NumericType> numeric = NumericTypeOf(*module_, argument);
    if (!numeric) return;
    Numerics::Words value = numerics.WordsOf(argument, *numeric, numeric->kind == NumericType::Kind::kSigned);
    if (numeric->width != 64) value.high = kNoId;
    AddComponents(type.components, value, emitter, words);
  }

  // Without `high`, a component is one word.
  static void AddComponents(uint32_t components, const Numerics::Words& value, Emitter& emitter,
                            std::vector<Id>& words) {
    for (uint32_t i = 0; i < components; ++i) {
      for (const Id part : {value.low, value.high}) {
        if (part != kNoId) words.push_back(components == 1 ? part : Extract(part, i, emitter));
      }
    }
  }

  static Id Extract(Id vector, uint32_t component, Emitter& emitter) {
    return emitter.builder().Add(spv::Op::OpCompositeExtract, emitter.globals().Uint32(), {vector, component});
  }

  const DebugPrintfConfig config_;
  Module* module_ = nullptr;
  Id set_ = kNoId;
  // If it matters which formats are wrong.
  std::optional<Prints> prints_;
};

}  // namespace

std::unique_ptr<Pass> MakeDebugPrintf(const DebugPrintfConfig& config) { return std::make_unique<DebugPrintf>(config); }

}  // namespace assay::spirv_instrument
