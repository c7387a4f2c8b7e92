// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Any words: they are refused, or become a module that is written as it was read, and that can be looked at and changed
// in every way. What is written after that can be read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/control_flow/constructs.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

constexpr size_t kMaxGuards = 64;

void LookAt(const Module& module) {
  const Uses uses(module);
  const Decorations decorations(module);
  const SourceLocations locations(module);
  for (Instruction instruction : module.instructions()) {
    for (const Use& use : uses.Of(instruction.result_id())) {
      if (use.user.words()[use.word] != ToNumber(instruction.result_id())) std::abort();
    }
    decorations.NameOf(instruction.result_id());
    decorations.Find(instruction.result_id(), spv::Decoration::NonUniform);
    locations.Of(instruction);
    locations.InlinedAt(instruction);
  }
  for (EntryPoint entry_point : EntryPoints(module)) {
    ReachableFunctions(module, entry_point.function());
    UsedVariables(module, entry_point.function());
  }
}

void LookAt(const Module& module, Function function) {
  const ControlFlowGraph graph(module, function);
  const DominatorTree dominators = DominatorTree::Dominators(graph);
  const DominatorTree post_dominators = DominatorTree::PostDominators(graph);
  const Constructs constructs(graph, dominators);
  for (uint32_t block = 0; block < graph.size(); ++block) {
    if (graph.IsReachable(block) && !dominators.Dominates(0, block)) std::abort();
    post_dominators.ImmediateDominator(block);
    constructs.LoopDepth(block);
  }
}

bool MayBeSplitAt(Instruction instruction) {
  const spv::Op op = instruction.op();
  return op != spv::Op::OpPhi && op != spv::Op::OpVariable && op != spv::Op::OpUntypedVariableKHR && !IsMerge(op) &&
         !IsTerminator(op) && op != spv::Op::OpLine && op != spv::Op::OpNoLine;
}

// Guards some instructions, and changes others.
void Change(Module& module) {
  std::vector<Instruction> instructions;
  for (Function function : module.functions()) {
    for (Block block : function.blocks()) {
      // Behind what has to be at the beginning.
      for (Instruction at = block.first_after_phis(); at && at.block() == block; at = at.next()) {
        if (MayBeSplitAt(at)) instructions.push_back(at);
      }
    }
  }
  if (instructions.size() > kMaxGuards) instructions.resize(kMaxGuards);
  Globals globals = module.globals();
  const Id condition = globals.BoolConstant(true);
  for (Instruction instruction : instructions) {
    if (CanGuard(module, instruction)) {
      GuardInstruction(module, instruction, condition);
    } else {
      ReportUnless(module, instruction, condition);
    }
  }
  if (!instructions.empty()) {
    const Id first = instructions.front().result_id();
    const Id last = instructions.back().result_id();
    if (first != kNoId) SetName(module, first, "name");
    if (first != kNoId && last != kNoId) CopyDecorations(module, first, last);
    module.RemoveWithAnnotations(instructions.back());
  }
  RaiseVersion(module, 0x00010600);
  if (!module.functions().empty()) module.RemoveFunction(module.functions().front());
}

void TryWords(const std::vector<uint32_t>& words) {
  absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return;
  if (*module->Write() != words) std::abort();
  LookAt(*module);
  for (Function function : module->functions()) LookAt(*module, function);
  Change(*module);
  const absl::StatusOr<std::vector<uint32_t>> written = module->Write();
  if (!written.ok()) return;
  absl::StatusOr<Module> again = Module::Read(*written);
  if (!again.ok() || *again->Write() != *written) std::abort();
}

}  // namespace
}  // namespace assay::spirv_instrument

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint32_t> words(size / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(uint32_t));
  // Most changes of the header are refused, and would leave nothing to try.
  const uint32_t header[] = {spv::MagicNumber, 0x00010600, 0, 4000, 0};
  if (words.size() >= std::size(header) && size % 8 != 0) std::memcpy(words.data(), header, sizeof(header));
  assay::spirv_instrument::TryWords(words);
  return 0;
}
