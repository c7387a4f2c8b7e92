// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/comparison/mutation.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/passes/frame/run_passes.h"

namespace assay::spirv_instrument::model {
namespace {

bool IsAtomic(spv::Op op) { return spv::Op::OpAtomicLoad <= op && op <= spv::Op::OpAtomicXor; }

// A pass with a mistake in what it wants or emits.
class WrongPass : public Pass {
 public:
  WrongPass(std::unique_ptr<Pass> pass, Mutation mutation) : pass_(std::move(pass)), mutation_(mutation) {}

  std::string_view name() const override { return pass_->name(); }
  absl::Span<const spv::Op> opcodes() const override { return pass_->opcodes(); }
  void Begin(ModuleFacts& facts) override { pass_->Begin(facts); }

  void Process(Instruction instruction, WantedChecks& wanted) override {
    const size_t before = wanted.size();
    pass_->Process(instruction, wanted);
    for (size_t i = before; i < wanted.size(); ++i) {
      wanted[i].pass = this;
      Change(wanted, i);
    }
  }

  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override {
    return IsGood(check) ? emitter.globals().BoolConstant(true) : pass_->EmitCondition(check, span, emitter);
  }

  Id EmitFastCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override {
    return IsGood(check) ? emitter.globals().BoolConstant(true) : pass_->EmitFastCondition(check, span, emitter);
  }

  void EmitReport(const WantedCheck& check, Emitter& emitter) override {
    WantedCheck reported = check;
    const bool names_another = mutation_ == Mutation::kReportNamesAnother && Is("buffer_bounds");
    if (names_another) reported.access = check.access.previous();
    pass_->EmitReport(reported, emitter);
  }

 private:
  bool Is(std::string_view name) const { return pass_->name() == name; }

  // Whether the check is left out.
  bool IsGood(const WantedCheck& check) const {
    if (!Is("buffer_bounds")) return false;
    const spv::Op op = check.access.op();
    return (mutation_ == Mutation::kStoresAreGood && op == spv::Op::OpStore) ||
           (mutation_ == Mutation::kAtomicsAreGood && IsAtomic(op));
  }

  void Change(WantedChecks& wanted, size_t index) const {
    WantedCheck& check = wanted[index];
    switch (mutation_) {
      case Mutation::kBufferEndsEarly:
        if (Is("buffer_bounds") && check.span.end >= 4) check.span.end -= 4;
        return;
      case Mutation::kBufferEndsLate:
        if (Is("buffer_bounds")) check.span.end += 4;
        return;
      case Mutation::kAddressEndsEarly:
        // The span of an alignment begins at 0, and is small.
        if (Is("device_address") && check.span.end > check.span.begin + 1 && !check.is_cheap) --check.span.end;
        return;
      case Mutation::kLastIndexIsForgotten:
        if (Is("device_address") && check.id_count > 1) --check.id_count;
        return;
      case Mutation::kDescriptorIsTheFirst:
        if (Is("descriptor_index")) check.id_count = 0;
        return;
      case Mutation::kSpansAreForgotten:
        for (size_t i = 0; i < index && !Is("descriptor_index"); ++i) {
          if (wanted[i].pass == this && wanted.IsSameThing(wanted[i], check)) check.span = wanted[i].span;
        }
        return;
      case Mutation::kHostAsksForLess:
        if (HostCondition* host = wanted.Host(check); host != nullptr && host->bytes >= 4) host->bytes -= 4;
        return;
      case Mutation::kHostAsksForTheFirst:
        if (HostCondition* host = wanted.Host(check); host != nullptr) host->index = 0;
        return;
      case Mutation::kBadIsExecuted:
        if (check.form == Form::kGuard) check.form = Form::kReport;
        return;
      default:
        return;
    }
  }

  std::unique_ptr<Pass> pass_;
  Mutation mutation_;
};

}  // namespace

absl::StatusOr<Instrumented> InstrumentWrongly(Mutation mutation, absl::Span<const uint32_t> words,
                                               const InstrumentConfig& config) {
  PassConfigs configs = config.passes;
  if (mutation == Mutation::kAlignmentIsForgotten && configs.device_address) configs.device_address->alignment = false;
  std::vector<std::unique_ptr<Pass>> owned;
  std::vector<Pass*> passes;
  for (std::unique_ptr<Pass>& pass : MakePasses(configs)) {
    owned.push_back(std::make_unique<WrongPass>(std::move(pass), mutation));
    passes.push_back(owned.back().get());
  }
  return RunPasses(words, config.frame, passes);
}

}  // namespace assay::spirv_instrument::model
