// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/merge.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/random.h"
#include "spirv_instrument/grammar/operand_kind.h"
#include "spirv_instrument/grammar/operands.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument::fuzz {
namespace {

// An instruction, and which of its words are ids.
struct WithIds {
  Words words;
  std::vector<uint32_t> id_words;
  Section section = Section::kFunctions;
};

// Types that must not be there twice, constants and sets: equal ones are the same thing.
bool IsShared(spv::Op op) {
  if (op == spv::Op::OpExtInstImport) return true;
  if (op == spv::Op::OpTypeStruct || op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray) return false;
  return (IsType(op) && op != spv::Op::OpTypeForwardPointer) || (IsConstant(op) && !IsSpecializationConstant(op));
}

std::vector<WithIds> Sort(const InstructionList& list) {
  std::vector<WithIds> result;
  for (size_t place = 0; place < list.instructions.size(); ++place) {
    WithIds instruction = {.words = list.instructions[place]};
    for (const ParsedOperand& operand : list.OperandsOf(instruction.words)) {
      if (IsId(operand.kind)) instruction.id_words.push_back(operand.word);
    }
    instruction.section = SectionOf(OpOf(instruction.words));
    const bool is_in_function = place >= list.first_function();
    if (is_in_function) {
      instruction.section = Section::kFunctions;
    } else if (instruction.section == Section::kFunctions) {
      instruction.section = Section::kGlobals;
    }
    result.push_back(std::move(instruction));
  }
  return result;
}

Words WithoutResult(Words words) {
  SetResult(words, 0);
  return words;
}

class Merger {
 public:
  Merger(absl::Span<const uint32_t> first, absl::Span<const uint32_t> second, Random& random)
      : first_(first), second_(second), random_(random) {}

  Words Do() {
    const uint64_t bound = uint64_t{first_.header[kBoundWord]} + second_.header[kBoundWord];
    if (bound > kMaxBound) return first_.ToWords();
    for (WithIds& instruction : Sort(first_)) {
      if (IsShared(OpOf(instruction.words))) shared_[WithoutResult(instruction.words)] = ResultOf(instruction.words);
      Add(std::move(instruction));
    }
    std::vector<WithIds> others = Sort(second_);
    Rename(others);
    for (WithIds& other : others) AddOther(std::move(other));

    Words words = first_.header;
    words[1] = std::max(first_.header[1], second_.header[1]);
    words[kBoundWord] = static_cast<uint32_t>(bound);
    for (const std::vector<Words>& section : sections_) {
      for (const Words& instruction : section) words.insert(words.end(), instruction.begin(), instruction.end());
    }
    return words;
  }

 private:
  void Add(WithIds instruction) {
    sections_[static_cast<size_t>(instruction.section)].push_back(std::move(instruction.words));
  }

  // Gives the second module's ids numbers behind those of the first, or those of what the first has, too.
  void Rename(std::vector<WithIds>& others) {
    const uint32_t offset = first_.header[kBoundWord];
    for (WithIds& other : others) {
      for (uint32_t word : other.id_words) other.words[word] += offset;
    }
    for (WithIds& other : others) {
      // Names and annotations come before what they name, and are looked at once all is known.
      if (other.section != Section::kGlobals && other.section != Section::kExtendedSetImports) continue;
      Map(other);
      const uint32_t result = ResultOf(other.words);
      if (!IsShared(OpOf(other.words))) continue;
      if (const auto found = shared_.find(WithoutResult(other.words)); found != shared_.end()) {
        renamed_[result] = found->second;
      }
    }
  }

  void Map(WithIds& instruction) const {
    for (uint32_t word : instruction.id_words) {
      const auto found = renamed_.find(instruction.words[word]);
      if (found != renamed_.end()) instruction.words[word] = found->second;
    }
  }

  void AddOther(WithIds other) {
    const uint32_t result = ResultOf(other.words);
    if (renamed_.contains(result)) return;
    const bool is_renamed = other.words.size() > 1 && renamed_.contains(other.words[1]);
    Map(other);
    std::vector<Words>& section = sections_[static_cast<size_t>(other.section)];
    switch (other.section) {
      case Section::kCapabilities:
      case Section::kExtensions:
        if (std::find(section.begin(), section.end(), other.words) != section.end()) return;
        break;
      case Section::kMemoryModel:
        return;
      case Section::kEntryPoints:
        if (other.words.size() < 4) return;
        if (random_.OneIn(2)) {
          left_out_.insert(other.words[2]);
          return;
        }
        // The name's first character.
        other.words[3] = (other.words[3] & 0xffffff00) | static_cast<uint32_t>('A' + random_.Below(26));
        break;
      case Section::kExecutionModes:
        if (other.words.size() > 1 && left_out_.contains(other.words[1])) return;
        break;
      case Section::kNames:
      case Section::kAnnotations:
        // The first module has said all about these.
        if (is_renamed) return;
        break;
      default:
        break;
    }
    section.push_back(std::move(other.words));
  }

  const InstructionList first_;
  const InstructionList second_;
  Random& random_;
  std::array<std::vector<Words>, kSectionCount> sections_;
  // The first module's, by content.
  std::map<Words, uint32_t> shared_;
  // From ids of the second module to those of the first.
  std::map<uint32_t, uint32_t> renamed_;
  // Functions whose entry point is left out.
  std::set<uint32_t> left_out_;
};

}  // namespace

Words Merge(absl::Span<const uint32_t> first, absl::Span<const uint32_t> second, Random& random) {
  if (!InstructionList(first).IsModule() || !InstructionList(second).IsModule()) return {first.begin(), first.end()};
  return Merger(first, second, random).Do();
}

}  // namespace assay::spirv_instrument::fuzz
