// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/module.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/reading/reader.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/storage/arena.h"
#include "spirv_instrument/ir/storage/global_index.h"

namespace assay::spirv_instrument {

Module::Module() : arena_(std::make_unique<Arena>()) {}
Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

absl::StatusOr<Module> Module::Read(absl::Span<const uint32_t> words) {
  Module module;
  if (absl::Status status = Reader(module).Read(words); !status.ok()) return status;
  return module;
}

absl::StatusOr<std::vector<uint32_t>> Module::Write() const {
  if (!status_.ok()) return status_;
  size_t count = Reader::kHeaderWords;
  for (Instruction instruction : instructions()) count += instruction.words().size();
  std::vector<uint32_t> words;
  words.reserve(count);
  words = {spv::MagicNumber, version_, generator_, bound_, schema_};
  for (Instruction instruction : instructions()) {
    words.insert(words.end(), instruction.words().begin(), instruction.words().end());
  }
  if (is_byte_swapped_) {
    for (uint32_t& word : words) word = __builtin_bswap32(word);
  }
  return words;
}

void Module::Fail(std::string_view what) {
  if (status_.ok()) status_ = absl::ResourceExhaustedError(what);
}

Function Module::FindFunction(Id id) const {
  const Instruction definition = Find(id);
  if (definition.op() != spv::Op::OpFunction) return {};
  const auto found = function_indices_.find(definition.index());
  return found == function_indices_.end() ? Function() : Function(arena_.get(), found->second);
}

Block Module::FindBlock(Id label) const {
  const Instruction definition = Find(label);
  return definition.op() == spv::Op::OpLabel ? definition.block() : Block();
}

InstructionRange Module::section(Section section) const {
  const SectionBounds& bounds = sections_[static_cast<size_t>(section)];
  if (section == Section::kFunctions) {
    for (Function function : functions()) return {function.definition(), {}};
    return {};
  }
  if (bounds.first == 0) return {};
  return {Handle(bounds.first), Handle(bounds.last).next()};
}

std::vector<Function> Module::functions() const {
  std::vector<Function> result;
  result.reserve(arena_->functions.size());
  for (uint32_t index = 1; index < arena_->functions.size(); ++index) {
    if (arena_->functions[index].begin != 0) result.emplace_back(arena_.get(), index);
  }
  return result;
}

Instruction Module::At(uint32_t index) const {
  return index < arena_->instructions.size() ? Handle(index) : Instruction();
}

}  // namespace assay::spirv_instrument
