// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/shrink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument::fuzz {
namespace {

constexpr uint32_t kPassBits = 10;
constexpr uint32_t kBits = 27;

class Shrinker {
 public:
  Shrinker(Input input, size_t max_tries, absl::FunctionRef<bool(const Input&)> is_wanted)
      : input_(std::move(input)), tries_left_(max_tries), is_wanted_(is_wanted) {}

  Input Do() {
    ShrinkConfiguration();
    size_t before = 0;
    do {
      before = input_.words.size();
      RemoveParts(spv::Op::OpFunction, [](spv::Op op) { return op == spv::Op::OpFunctionEnd; });
      RemoveParts(spv::Op::OpLabel, IsTerminator);
      StraightenBranches();
      JoinBlocks();
      RemoveRanges();
      RemoveAndReplace();
      RemoveEverywhere();
    } while (input_.words.size() < before && tries_left_ > 0);
    return std::move(input_);
  }

 private:
  bool Accept(Input smaller) {
    if (tries_left_ == 0) return false;
    --tries_left_;
    if (!is_wanted_(smaller)) return false;
    input_ = std::move(smaller);
    return true;
  }
  bool Accept(const InstructionList& list) {
    return Accept(Input{.configuration = input_.configuration, .words = list.ToWords()});
  }

  // Settings as they are without any, and as few passes as possible.
  void ShrinkConfiguration() {
    for (uint32_t bit = 0; bit < kBits; ++bit) {
      Input other = input_;
      other.configuration = bit < kPassBits ? other.configuration | 1u << bit : other.configuration & ~(1u << bit);
      if (other.configuration != input_.configuration) Accept(std::move(other));
    }
  }

  // Whole functions or blocks, the last one first.
  template <typename IsEnd>
  void RemoveParts(spv::Op begin, IsEnd is_end) {
    const size_t count = InstructionList(input_.words).instructions.size();
    for (size_t place = count; place-- > 0;) {
      InstructionList list(input_.words);
      if (place >= list.instructions.size() || OpOf(list.instructions[place]) != begin) continue;
      size_t end = place;
      while (end < list.instructions.size() && !is_end(OpOf(list.instructions[end]))) ++end;
      Erase(list, place, std::min(end + 1, list.instructions.size()));
      Accept(list);
    }
  }

  // A selection becomes a branch to one of its targets.
  void StraightenBranches() {
    for (size_t place = 1; place < InstructionList(input_.words).instructions.size(); ++place) {
      InstructionList list(input_.words);
      const Words branch = list.instructions[place];
      if (OpOf(branch) != spv::Op::OpBranchConditional && OpOf(branch) != spv::Op::OpSwitch) continue;
      for (uint32_t word = 2; word < std::min<size_t>(branch.size(), 4); ++word) {
        InstructionList straight(input_.words);
        straight.instructions[place] = MakeInstruction(spv::Op::OpBranch, {branch[word]});
        if (OpOf(straight.instructions[place - 1]) == spv::Op::OpSelectionMerge) Erase(straight, place - 1, place);
        if (Accept(straight)) break;
      }
    }
  }

  // A block that only goes to the next one becomes one with it.
  void JoinBlocks() {
    for (size_t place = InstructionList(input_.words).instructions.size(); place-- > 1;) {
      InstructionList list(input_.words);
      if (place >= list.instructions.size()) continue;
      const Words& branch = list.instructions[place - 1];
      const bool is_join = OpOf(branch) == spv::Op::OpBranch && OpOf(list.instructions[place]) == spv::Op::OpLabel;
      if (!is_join || branch.back() != ResultOf(list.instructions[place])) continue;
      Erase(list, place - 1, place + 1);
      Accept(list);
    }
  }

  // Half of the instructions, then a quarter, and so on to single ones.
  void RemoveRanges() {
    for (size_t size = InstructionList(input_.words).instructions.size() / 2; size > 0; size /= 2) {
      for (size_t end = InstructionList(input_.words).instructions.size(); end >= size; end -= size) {
        InstructionList list(input_.words);
        if (end > list.instructions.size()) continue;
        Erase(list, end - size, end);
        Accept(list);
      }
    }
  }

  // Single instructions whose result something else can stand for.
  void RemoveAndReplace() {
    for (size_t place = InstructionList(input_.words).instructions.size(); place-- > 0;) {
      InstructionList list(input_.words);
      if (place >= list.instructions.size()) continue;
      const uint32_t result = ResultOf(list.instructions[place]);
      if (result == 0) continue;
      for (uint32_t id : list.IdsLike(result, place)) {
        InstructionList replaced(input_.words);
        replaced.ReplaceUses(result, id);
        Erase(replaced, place, place + 1);
        if (Accept(replaced)) break;
      }
    }
  }

  // A definition, with what names and decorates it, and from interfaces.
  void RemoveEverywhere() {
    for (size_t place = InstructionList(input_.words).instructions.size(); place-- > 0;) {
      InstructionList list(input_.words);
      if (place >= list.instructions.size() || place >= list.first_function()) continue;
      const uint32_t result = ResultOf(list.instructions[place]);
      if (result == 0) continue;
      Erase(list, place, place + 1);
      for (Words& instruction : list.instructions) {
        if (OpOf(instruction) != spv::Op::OpEntryPoint) continue;
        instruction.erase(std::remove(instruction.begin() + std::min<std::ptrdiff_t>(4, std::ssize(instruction)),
                                      instruction.end(), result),
                          instruction.end());
        SetWordCount(instruction);
      }
      std::erase_if(list.instructions, [&](const Words& instruction) {
        const spv::Op op = OpOf(instruction);
        const bool is_about =
            IsAnnotation(op) || op == spv::Op::OpName || op == spv::Op::OpMemberName || op == spv::Op::OpExecutionMode;
        return is_about && instruction.size() > 1 && instruction[1] == result;
      });
      Accept(list);
    }
  }

  static void Erase(InstructionList& list, size_t begin, size_t end) {
    list.instructions.erase(list.instructions.begin() + static_cast<std::ptrdiff_t>(begin),
                            list.instructions.begin() + static_cast<std::ptrdiff_t>(end));
  }

  Input input_;
  size_t tries_left_;
  const absl::FunctionRef<bool(const Input&)> is_wanted_;
};

}  // namespace

Input Shrink(Input input, size_t max_tries, absl::FunctionRef<bool(const Input&)> is_wanted) {
  return Shrinker(std::move(input), max_tries, is_wanted).Do();
}

}  // namespace assay::spirv_instrument::fuzz
