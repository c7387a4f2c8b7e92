// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/words/specialized_words.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::core {
namespace {

using spirv_instrument::Specialization;
using spv::Op;
using Words = absl::Span<const uint32_t>;

constexpr size_t kWordsOfHeader = 5;

Op OpOf(Words instruction) { return static_cast<Op>(instruction[0] & spv::OpCodeMask); }

bool IsSpecId(Words instruction) {
  return OpOf(instruction) == Op::OpDecorate && instruction.size() == 4 &&
         instruction[2] == static_cast<uint32_t>(spv::Decoration::SpecId);
}

// Goes through a module once; decorations and types come before the constants that they are of.
class Specializer {
 public:
  explicit Specializer(absl::Span<const Specialization> values) : values_(values) {}

  std::vector<uint32_t> Run(Words words) {
    if (words.size() < kWordsOfHeader || words[0] != spv::MagicNumber) return {};
    out_.reserve(words.size());
    Copy(words.subspan(0, kWordsOfHeader));
    size_t at = kWordsOfHeader;
    while (at < words.size()) {
      const size_t size = words[at] >> spv::WordCountShift;
      if (size == 0 || size > words.size() - at) return {};
      const Words instruction = words.subspan(at, size);
      // Functions have no specialization constants.
      if (OpOf(instruction) == Op::OpFunction) break;
      if (!Read(instruction)) return {};
      at += size;
    }
    if (!has_changed_) return {};
    Copy(words.subspan(at));
    return std::move(out_);
  }

 private:
  void Copy(Words words) { out_.insert(out_.end(), words.begin(), words.end()); }
  void CopyAs(Op op, Words instruction) {
    out_.push_back(static_cast<uint32_t>(instruction.size()) << spv::WordCountShift | static_cast<uint32_t>(op));
    Copy(instruction.subspan(1));
  }

  // False for what is not understood.
  bool Read(Words instruction) {
    switch (OpOf(instruction)) {
      case Op::OpGroupDecorate:
        return false;
      case Op::OpDecorate:
        if (!IsSpecId(instruction)) break;
        spec_ids_[instruction[1]] = instruction[3];
        return true;
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        types_[instruction[1]] = {instruction[2],
                                  OpOf(instruction) == Op::OpTypeInt && instruction.size() > 3 && instruction[3] != 0};
        break;
      case Op::OpSpecConstantTrue:
      case Op::OpSpecConstantFalse:
        AddBoolean(instruction);
        return true;
      case Op::OpSpecConstant:
        return AddNumber(instruction);
      case Op::OpSpecConstantOp:
        specialized_.insert(instruction[2]);
        break;
      case Op::OpSpecConstantComposite:
        AddComposite(instruction);
        return true;
      default:
        break;
    }
    Copy(instruction);
    return true;
  }

  std::optional<uint64_t> ValueOf(uint32_t constant) const {
    const auto id = spec_ids_.find(constant);
    if (id == spec_ids_.end()) return std::nullopt;
    const auto found = std::ranges::find(values_, id->second, &Specialization::constant_id);
    return found == values_.end() ? std::nullopt : std::optional(found->value);
  }

  void AddBoolean(Words instruction) {
    const bool was = OpOf(instruction) == Op::OpSpecConstantTrue;
    const bool is = static_cast<uint32_t>(ValueOf(instruction[2]).value_or(was ? 1 : 0)) != 0;
    has_changed_ |= was != is;
    CopyAs(is ? Op::OpConstantTrue : Op::OpConstantFalse, instruction);
  }

  bool AddNumber(Words instruction) {
    const auto type = types_.find(instruction[1]);
    const size_t word_count = instruction.size() - 3;
    if (type == types_.end() || word_count == 0 || word_count > 2) return false;
    CopyAs(Op::OpConstant, instruction);
    const std::optional<uint64_t> value = ValueOf(instruction[2]);
    if (!value) return true;
    uint64_t bits = *value;
    if (const uint32_t width = type->second.width; width < 32) {
      // A narrow literal is extended to its word.
      bits &= (uint64_t{1} << width) - 1;
      if (type->second.is_signed && (bits >> (width - 1)) != 0) bits |= ~uint64_t{0} << width;
    }
    const uint32_t literals[] = {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
    const Words given(literals, word_count);
    has_changed_ |= !std::equal(given.begin(), given.end(), instruction.begin() + 3);
    std::copy(given.begin(), given.end(), out_.end() - static_cast<std::ptrdiff_t>(word_count));
    return true;
  }

  void AddComposite(Words instruction) {
    const Words parts = instruction.subspan(3);
    const bool is_plain =
        std::none_of(parts.begin(), parts.end(), [this](uint32_t part) { return specialized_.contains(part); });
    if (!is_plain) specialized_.insert(instruction[2]);
    CopyAs(is_plain ? Op::OpConstantComposite : Op::OpSpecConstantComposite, instruction);
  }

  struct Type {
    uint32_t width;
    bool is_signed;
  };

  const absl::Span<const Specialization> values_;
  std::vector<uint32_t> out_;
  absl::flat_hash_map<uint32_t, uint32_t> spec_ids_;
  absl::flat_hash_map<uint32_t, Type> types_;
  // The results that stay specialization constants.
  absl::flat_hash_set<uint32_t> specialized_;
  bool has_changed_ = false;
};

}  // namespace

std::vector<uint32_t> SpecializedWords(Words words, absl::Span<const Specialization> values) {
  return values.empty() ? std::vector<uint32_t>() : Specializer(values).Run(words);
}

}  // namespace assay::core
