// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/control_flow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"

namespace assay::state {
namespace {

using spv::Op;

// The words of a literal in an OpSwitch.
size_t LiteralWords(const SpirvModule& module, uint32_t selector) {
  return module.TypeOf(selector).Word(2) > 32 ? 2 : 1;
}

// The value that decides the branch, if it is constant.
std::optional<uint32_t> DecidingValue(const SpirvModule& module, const SpirvInstruction& branch) {
  if (branch.op() == Op::OpSwitch && LiteralWords(module, branch.Word(1)) != 1) return std::nullopt;
  return module.EvaluateConstant(branch.Word(1));
}

bool IsDecided(const SpirvModule& module, const SpirvInstruction& instruction) {
  return (instruction.op() == Op::OpBranchConditional || instruction.op() == Op::OpSwitch) &&
         DecidingValue(module, instruction).has_value();
}

// The labels that a block's last instruction may lead to.
std::vector<uint32_t> TargetsOf(const SpirvModule& module, const SpirvInstruction& last) {
  switch (last.op()) {
    case Op::OpBranch:
      return {last.Word(1)};
    case Op::OpBranchConditional: {
      const std::optional<uint32_t> value = DecidingValue(module, last);
      if (!value) return {last.Word(2), last.Word(3)};
      return {last.Word(*value != 0 ? 2 : 3)};
    }
    case Op::OpSwitch: {
      const std::optional<uint32_t> value = DecidingValue(module, last);
      const size_t literal = LiteralWords(module, last.Word(1));
      std::vector<uint32_t> targets = {last.Word(2)};
      for (size_t i = 3; i + literal < last.size(); i += literal + 1) {
        if (value && last.Word(i) == *value) return {last.Word(i + literal)};
        if (!value) targets.push_back(last.Word(i + literal));
      }
      return targets;
    }
    default:
      return {};
  }
}

class Blocks {
 public:
  Blocks(const SpirvModule& module, const SpirvFunction& function) : module_(module), body_(function.body) {
    for (size_t i = 0; i < body_.size(); ++i) {
      if (body_[i].op() != Op::OpLabel) continue;
      numbers_[body_[i].result_id()] = begins_.size();
      begins_.push_back(i);
    }
  }

  std::vector<SpirvInstruction> Reachable() {
    if (begins_.empty()) return body_;
    std::vector<bool> is_reachable(begins_.size());
    std::vector<size_t> to_visit = {0};
    is_reachable[0] = true;
    while (!to_visit.empty()) {
      const size_t block = to_visit.back();
      to_visit.pop_back();
      for (const uint32_t label : TargetsOf(module_, body_[EndOf(block) - 1])) {
        const auto found = numbers_.find(label);
        if (found == numbers_.end() || is_reachable[found->second]) continue;
        is_reachable[found->second] = true;
        to_visit.push_back(found->second);
      }
    }
    std::vector<SpirvInstruction> result(body_.begin(), At(begins_.front()));
    for (size_t block = 0; block < begins_.size(); ++block) {
      if (is_reachable[block]) result.insert(result.end(), At(begins_[block]), At(EndOf(block)));
    }
    return result;
  }

 private:
  std::vector<SpirvInstruction>::const_iterator At(size_t i) const {
    return body_.begin() + static_cast<std::ptrdiff_t>(i);
  }
  size_t EndOf(size_t block) const { return block + 1 < begins_.size() ? begins_[block + 1] : body_.size(); }

  const SpirvModule& module_;
  const std::vector<SpirvInstruction>& body_;
  // Where each block begins, by number, and the numbers by label.
  std::vector<size_t> begins_;
  absl::flat_hash_map<uint32_t, size_t> numbers_;
};

}  // namespace

std::vector<SpirvInstruction> ReachableInstructions(const SpirvModule& module, const SpirvFunction& function) {
  // Most functions have no such branch, and a compiler leaves no other block without a way to it.
  const bool has_decided =
      std::ranges::any_of(function.body, [&](const SpirvInstruction& each) { return IsDecided(module, each); });
  return has_decided ? Blocks(module, function).Reachable() : function.body;
}

}  // namespace assay::state
