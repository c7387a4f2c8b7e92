// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/reachable_blocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/constants/constant_values.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

// The label to which an OpSwitch goes if its selector, an integer of `width` bits, has this value.
Id SwitchTarget(Instruction branch, uint32_t width, uint64_t value) {
  const size_t literal_words = width > 32 ? 2 : 1;
  // A narrow literal has the sign, or zeros, in the bits above.
  const uint64_t mask = ~uint64_t{0} >> (64 - width);
  for (size_t operand = 2; operand + literal_words < branch.operand_count(); operand += literal_words + 1) {
    const uint64_t literal = literal_words == 2 ? branch.literal64(operand) : branch.literal(operand);
    if ((literal & mask) == value) return branch.id(operand + literal_words);
  }
  return branch.id(1);
}

// The label to which a terminator always goes; kNoId if that depends on what is no constant, or it does not branch.
Id DecidedTarget(const Module& module, Instruction terminator, ConstantValues& constants) {
  const bool is_switch = terminator.op() == spv::Op::OpSwitch;
  if (!is_switch && terminator.op() != spv::Op::OpBranchConditional) return kNoId;
  const std::optional<uint64_t> value = constants.Of(terminator.id(0));
  if (!value) return kNoId;
  if (!is_switch) return terminator.id(*value != 0 ? 1 : 2);
  const Instruction type = module.TypeOf(terminator.id(0));
  return type.op() == spv::Op::OpTypeInt ? SwitchTarget(terminator, type.literal(0), *value) : kNoId;
}

}  // namespace

std::vector<Block> ReachableBlocks(const Module& module, Function function, ConstantValues& constants) {
  std::vector<Block> found;
  absl::flat_hash_set<uint32_t> seen;
  const auto add = [&](Block block) {
    if (block && block.function() == function && seen.insert(block.index()).second) found.push_back(block);
  };
  add(function.entry());
  // It grows.
  size_t next = 0;
  while (next < found.size()) {
    const Instruction terminator = found[next++].terminator();
    if (const Id target = DecidedTarget(module, terminator, constants); target != kNoId) {
      add(module.FindBlock(target));
    } else {
      ForEachTarget(module, terminator, [&](uint32_t, Id label) { add(module.FindBlock(label)); });
    }
  }
  return found;
}

}  // namespace assay::spirv_instrument
