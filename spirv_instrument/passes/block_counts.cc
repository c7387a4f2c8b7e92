// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/block_counts.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/ir/preamble.h"

namespace assay::spirv_instrument {
namespace {

// The first version with subgroup operations.
constexpr uint32_t kVersionOfSubgroups = 0x00010300;

// A block may begin with any instruction.
const std::vector<spv::Op>& AllOpcodes() {
  static const auto* opcodes = [] {
    constexpr uint32_t kEnd = 0x2000;
    auto* all = new std::vector<spv::Op>;
    for (uint32_t opcode = 0; opcode < kEnd; ++opcode) {
      if (FindOpcode(opcode) != nullptr) all->push_back(static_cast<spv::Op>(opcode));
    }
    return all;
  }();
  return *opcodes;
}

class BlockCounts : public Pass {
 public:
  explicit BlockCounts(const BlockCountsConfig& config) : config_(config) {}

  std::string_view name() const override { return "block_counts"; }
  absl::Span<const spv::Op> opcodes() const override { return AllOpcodes(); }

  void Begin(ModuleFacts& facts) override {
    facts_ = &facts;
    counters_.assign(facts.module().block_index_count(), 0);
    uint32_t next = config_.first_counter;
    for (const Function function : facts.functions()) {
      for (const Block block : function.blocks()) counters_[block.index()] = next++;
    }
  }

  void Process(Instruction instruction, WantedChecks& wanted) override {
    const Block block = instruction.block();
    if (block != block_) {
      block_ = block;
      first_ = block.first_after_phis();
    }
    if (instruction != first_) return;
    wanted.Add(*this, instruction,
               {.form = Form::kInsert,
                .variant = MayUseSubgroups(block.function()) ? 1u : 0u,
                .literals = {counters_[block.index()]}});
  }

  Id EmitCondition(const WantedCheck&, AccessSpan, Emitter&) override { return kNoId; }

  void EmitReport(const WantedCheck& check, Emitter& emitter) override {
    const Id counter = emitter.Uint(emitter.Literals(check)[0]);
    emitter.Call("CountBlock", {counter, check.variant != 0 ? EmitExecutions(emitter) : emitter.Uint(1)});
  }

 private:
  bool MayUseSubgroups(Function function) const {
    if (config_.subgroups == SubgroupUse::kNever) return false;
    const spv::ExecutionModel model = facts_->ModelOf(function);
    if (model == spv::ExecutionModel::Fragment || model == spv::ExecutionModel::Max) return false;
    if (facts_->module().version() < kVersionOfSubgroups) return false;
    return config_.subgroups == SubgroupUse::kAlways ||
           HasCapability(facts_->module(), spv::Capability::GroupNonUniformBallot);
  }

  // How many invocations of the subgroup are here, for one of them, and 0 for the others.
  static Id EmitExecutions(Emitter& emitter) {
    AddCapability(emitter.module(), spv::Capability::GroupNonUniformBallot);
    Globals globals = emitter.globals();
    Builder& builder = emitter.builder();
    const Id uint_type = globals.Uint32();
    const Id scope = emitter.Uint(static_cast<uint32_t>(spv::Scope::Subgroup));
    const Id ballot = builder.Add(spv::Op::OpGroupNonUniformBallot, globals.Vector(uint_type, 4),
                                  {scope, globals.BoolConstant(true)});
    const Id count =
        builder.Add(spv::Op::OpGroupNonUniformBallotBitCount, uint_type, {scope, spv::GroupOperation::Reduce, ballot});
    const Id is_elected = builder.Add(spv::Op::OpGroupNonUniformElect, globals.Bool(), {scope});
    return builder.Add(spv::Op::OpSelect, uint_type, {is_elected, count, emitter.Uint(0)});
  }

  const BlockCountsConfig config_;
  ModuleFacts* facts_ = nullptr;
  // By Block::index().
  std::vector<uint32_t> counters_;
  // The block that is walked over, and its first instruction.
  Block block_;
  Instruction first_;
};

}  // namespace

std::unique_ptr<Pass> MakeBlockCounts(const BlockCountsConfig& config) { return std::make_unique<BlockCounts>(config); }

}  // namespace assay::spirv_instrument
