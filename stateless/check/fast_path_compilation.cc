// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/check/fast_path.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "vk/command_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {
namespace {

// A step over words replaces at least this many steps.
constexpr size_t kFewestWords = 2;

uint16_t IndexOf(const vk::StructInfo& info) { return static_cast<uint16_t>(&info - vk::Structs().data()); }

}  // namespace

using vk::Indirection;
using vk::LengthKind;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

const FastPath::Op* FastPath::CompileCommand(vk::CommandId command) const {
  const StructInfo& parameters = *vk::GetCommandInfo(command).parameters;
  const auto index = static_cast<size_t>(command);
  const Op* const ops = CompileList(parameters, programs_.Of(command), false, commands_[index]);
  absl::MutexLock lock(&mutex_);
  if (beginnings_[index].load(std::memory_order_relaxed) == nullptr) {
    Beginning beginning = BeginningOf(parameters, ops);
    if (beginning.rest != ops)
      beginnings_[index].store(&kept_beginnings_.emplace_back(std::move(beginning)), std::memory_order_release);
  }
  return ops;
}

FastPath::Beginning FastPath::BeginningOf(const StructInfo& parameters, const Op* ops) {
  Beginning beginning{.ops = ops};
  const Op* op = GatherSimple(ops, parameters.size, beginning.parameters);
  while ((op->code == Code::kStructs || op->code == Code::kWordStructs) &&
         (op->conditions & (kConstantLength | kLength64)) == 0) {
    Beginning::Array& array = beginning.arrays.emplace_back(
        Beginning::Array{.count = op->length, .pointer = op->offset, .stride = op->stride, .op = op});
    const Op* const end = op + op->operand;
    const Op* first = op + 1;
    const bool has_chain = first->code == Code::kUnlessChained;
    if (has_chain) ++first;
    array.is_simple = (!has_chain || ChecksChain(*first)) && GatherSimple(first, op->stride, array.element) == end;
    op = end + 1;
  }
  beginning.rest = op;
  return beginning;
}

const FastPath::Op* FastPath::GatherSimple(const Op* op, size_t size, Simple& simple) {
  if (op->code == Code::kWords) {
    simple.first_word = op->offset;
    simple.words.assign(op->words, op->words + op->length);
    ++op;
  }
  for (; op->code == Code::kNotZero32 || op->code == Code::kNotZero64; ++op) {
    const uint32_t within = op->offset % sizeof(uint64_t);
    const uint32_t word = op->offset - within;
    if (word + sizeof(uint64_t) > size || (within != 0 && op->code == Code::kNotZero64)) break;
    const uint64_t mask = op->code == Code::kNotZero64 ? ~uint64_t{0} : uint64_t{~uint32_t{0}} << within * 8;
    simple.not_zero.push_back({.mask = mask, .offset = word});
  }
  return op;
}

const FastPath::Op* FastPath::CompileStruct(const StructInfo& info) const {
  std::atomic<const Op*>& place = structs_[IndexOf(info)];
  absl::MutexLock lock(&mutex_);
  if (const Op* const ops = place.load(std::memory_order_relaxed)) return ops;
  std::vector<Op>& list = lists_.emplace_back();
  CompileElement(info, 0, list);
  list.push_back({.code = Code::kAccept});
  place.store(list.data(), std::memory_order_release);
  return list.data();
}

const FastPath::Op* FastPath::CompileChained(const StructInfo& info) const {
  return CompileList(info, programs_.OfChained(info), true, chained_[IndexOf(info)]);
}

const FastPath::Op* FastPath::CompileList(const StructInfo& info, std::span<const stateless::Op> steps, bool is_chained,
                                          std::atomic<const Op*>& place) const {
  absl::MutexLock lock(&mutex_);
  if (const Op* const ops = place.load(std::memory_order_relaxed)) return ops;
  std::vector<Op>& list = lists_.emplace_back();
  Compile(info, steps, 0, is_chained, list);
  list.push_back({.code = Code::kAccept});
  place.store(list.data(), std::memory_order_release);
  return list.data();
}

void FastPath::Compile(const StructInfo& info, std::span<const stateless::Op> steps, size_t depth, bool is_chained,
                       std::vector<Op>& list) const {
  std::vector<Op> ops;
  Unroll(info, steps, 0, is_chained, ops);
  GatherWords(ops, info.size);
  JoinEnums(ops);
  for (const Op& op : ops) {
    const size_t at = list.size();
    list.push_back(op);
    if (op.code != Code::kStructs && op.code != Code::kConditionalStructs) continue;
    if (depth == kMaxDepth) {
      list.back().code = Code::kReject;
      continue;
    }
    CompileElement(vk::Structs()[op.type], depth + 1, list);
    list.push_back({.code = Code::kNextElement, .stride = op.stride});
    list[at].operand = list.size() - at - 1;
    const std::span<const Op> element = std::span(list).subspan(at + 1);
    if (op.code == Code::kStructs && HasOnlyWords(element)) list[at].code = Code::kWordStructs;
  }
}

// The words must see whether there is a chain.
bool FastPath::HasOnlyWords(std::span<const Op> element) {
  if (element.size() != 3 || element[0].code != Code::kUnlessChained) return false;
  return ChecksChain(element[1]);
}

bool FastPath::ChecksChain(const Op& words) {
  if (words.code != Code::kWords) return false;
  const size_t first = words.offset / sizeof(uint64_t);
  const size_t next = offsetof(VkBaseInStructure, pNext) / sizeof(uint64_t);
  if (next < first || next >= first + words.length) return false;
  const Word& word = words.words[next - first];
  return word.mask == ~uint64_t{0} && word.expected == 0;
}

void FastPath::CompileElement(const StructInfo& info, size_t depth, std::vector<Op>& list) const {
  const size_t at = list.size();
  const bool may_have_chain = info.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM;
  if (may_have_chain)
    list.push_back({.code = Code::kUnlessChained, .type = IndexOf(info), .offset = offsetof(VkBaseInStructure, pNext)});
  Compile(info, programs_.Of(info), depth, false, list);
  if (may_have_chain) list[at].operand = list.size() - at - 1;
}

void FastPath::Unroll(const StructInfo& info, std::span<const stateless::Op> steps, uint32_t base, bool is_chained,
                      std::vector<Op>& ops) const {
  for (const stateless::Op& step : steps) {
    if (step.code == OpCode::kStruct && (step.flags & kOpSeveral) == 0) {
      const StructInfo& inner = vk::Structs()[step.type];
      Unroll(inner, programs_.Of(inner), base + step.offset, false, ops);
    } else if (step.code == OpCode::kExplicit) {
      if (explicit_rules_ == nullptr) continue;
      if (is_chained) {
        ops.push_back({.code = Code::kExplicitChained, .type = IndexOf(info), .offset = base});
      } else {
        AddExplicit(info, base, ops);
      }
    } else {
      ops.push_back(Translate(info, step, base));
    }
  }
}

void FastPath::AddExplicit(const StructInfo& info, uint32_t base, std::vector<Op>& ops) const {
  const uint16_t type = IndexOf(info);
  for (const FastPathRequirement& requirement : explicit_rules_->Requirements(type)) {
    const bool is_wide = requirement.size == sizeof(uint64_t);
    Op op{.offset = base + requirement.offset, .operand = ~requirement.forbidden};
    op.code = is_wide ? Code::kFlags64 : Code::kFlags32;
    if (requirement.only_with != ~uint64_t{0}) {
      op.code = Code::kNotBoth32;
      op.operand = requirement.forbidden << 32 | requirement.only_with;
    }
    if (requirement.is_not_zero) op.code = is_wide ? Code::kNotZero64 : Code::kNotZero32;
    if (requirement.most != ~uint64_t{0}) {
      op.code = is_wide ? Code::kAtMost64 : Code::kAtMost32;
      op.operand = requirement.most;
    }
    ops.push_back(op);
  }
  if (explicit_rules_->HasOtherRules(type)) ops.push_back({.code = Code::kExplicit, .type = type, .offset = base});
}

// Neighbours of one type, as in VkComponentMapping, are one step.
void FastPath::JoinEnums(std::vector<Op>& ops) {
  std::vector<Op> joined;
  for (const Op& op : ops) {
    Op* const last = joined.empty() ? nullptr : &joined.back();
    const bool follows = last != nullptr && op.code == Code::kEnum && op.operand == last->operand &&
                         (last->code == Code::kEnum || last->code == Code::kEnums) && op.type == last->type;
    const uint32_t length = !follows ? 0 : last->code == Code::kEnum ? 1 : last->length;
    if (follows && op.offset == last->offset + length * sizeof(uint32_t)) {
      last->code = Code::kEnums;
      last->length = length + 1;
    } else {
      joined.push_back(op);
    }
  }
  ops = std::move(joined);
}

// Words that lie within the structure alone are read.
void FastPath::GatherWords(std::vector<Op>& ops, uint32_t size) const {
  std::vector<Word> words(size / sizeof(uint64_t));
  std::vector<Op> rest(1);
  for (const Op& op : ops) {
    if (!GatherWord(op, words)) rest.push_back(op);
  }
  if (ops.size() - (rest.size() - 1) < kFewestWords) return;
  const auto is_used = [](const Word& word) { return word.mask != 0; };
  const auto begin = std::ranges::find_if(words, is_used);
  const auto end = std::find_if(words.rbegin(), words.rend(), is_used).base();
  rest.front() = {.code = Code::kWords,
                  .offset = static_cast<uint32_t>((begin - words.begin()) * sizeof(uint64_t)),
                  .length = static_cast<uint32_t>(end - begin),
                  .words = words_.emplace_back(begin, end).data()};
  ops = std::move(rest);
}

bool FastPath::GatherWord(const Op& op, std::vector<Word>& words) {
  Word word;
  bool is_half = true;
  switch (op.code) {
    case Code::kEqual32:
      word = {~uint32_t{0}, op.operand};
      break;
    case Code::kZero32:
      word = {~uint32_t{0}, 0};
      break;
    case Code::kZero64:
      word = {~uint64_t{0}, 0};
      is_half = false;
      break;
    case Code::kFlags32:
      word = {~static_cast<uint32_t>(op.operand), 0};
      break;
    case Code::kFlags64:
      word = {~op.operand, 0};
      is_half = false;
      break;
    default:
      return false;
  }
  // The masks alone do not say that one bit must be there.
  if (op.conditions != 0 && op.conditions != kOptional) return false;
  const size_t index = op.offset / sizeof(uint64_t);
  const uint32_t within = op.offset % sizeof(uint64_t);
  if (index >= words.size() || (within != 0 && !(is_half && within == sizeof(uint32_t)))) return false;
  const uint32_t shift = within * 8;
  words[index].mask |= word.mask << shift;
  words[index].expected |= word.expected << shift;
  return true;
}

FastPath::Op FastPath::Translate(const StructInfo& info, const stateless::Op& step, uint32_t base) const {
  Op op{.type = step.type, .offset = base + step.offset};
  const auto sized = [&](Code narrow, Code wide) {
    op.code = step.size == 4 ? narrow : step.size == 8 ? wide : Code::kReject;
    return op;
  };
  if ((step.flags & kOpSeveral) != 0) return op;
  switch (step.code) {
    case OpCode::kStructureType:
      op.code = Code::kEqual32;
      op.operand = step.size;
      return op;
    case OpCode::kNext:
      op.code = Code::kZero64;
      return op;
    case OpCode::kHandle:
      op.code = Code::kNotZero64;
      return op;
    case OpCode::kEnum:
      op.code = Code::kEnum;
      op.operand = enabled_.LowValues(step.type) | ((step.flags & kOpOptional) != 0 ? 1 : 0);
      return op;
    case OpCode::kFlags:
      return TranslateFlags(step, op);
    case OpCode::kBool32:
      op.code = Code::kBool32;
      return op;
    case OpCode::kFunction:
      // One that may be null has nothing to be checked, and comes too seldom to be left out.
      op.code = Code::kNotZero64;
      return op;
    case OpCode::kNotZero:
    case OpCode::kLength:
    // One that is 0 is correct if its arrays are null, and comes too seldom to be looked at.
    case OpCode::kLengthOfArrays:
      return sized(Code::kNotZero32, Code::kNotZero64);
    case OpCode::kLengthOfPointee:
      op.code = Code::kNotZeroInPointee;
      op.offset = base + info.members[static_cast<size_t>(step.member->length_member)].offset;
      op.length = step.member->length_offset;
      return op;
    case OpCode::kZero:
      return sized(Code::kZero32, Code::kZero64);
    case OpCode::kPointer:
      return TranslatePointer(info, step, base, op);
    case OpCode::kConditionalPointer:
      op = TranslatePointer(info, step, base, op);
      // Inside another structure, base is not that of its own.
      op.code = op.code == Code::kStructs && base == 0 ? Code::kConditionalStructs : Code::kZero64;
      if (op.code == Code::kConditionalStructs) op.member = step.member;
      return op;
    default:
      return op;
  }
}

FastPath::Op FastPath::TranslateFlags(const stateless::Op& step, Op op) const {
  op.operand = enabled_.LowValues(step.type);
  if (step.other_vuid != vk::kNoVuid) op.conditions |= kNonZero;
  if ((step.flags & kOpSingleBit) != 0) op.conditions |= kSingleBit;
  if ((step.flags & kOpOptional) != 0) op.conditions |= kOptional;
  if (enabled_.HasNames(step.type)) op.conditions |= kHasNames;
  op.code = step.size == 4 ? Code::kFlags32 : step.size == 8 ? Code::kFlags64 : Code::kReject;
  return op;
}

FastPath::Op FastPath::TranslatePointer(const StructInfo& info, const stateless::Op& step, uint32_t base, Op op) const {
  const MemberInfo& member = *step.member;
  if ((step.flags & kOpOptional) != 0) op.conditions |= kOptional;
  op.stride = step.size;
  const bool has_elements = (step.flags & kOpElements) != 0;
  if (!SetLength(info, member, base, op)) {
    // There must be something, however long it is.
    if (has_elements) return op;
    const auto optional = static_cast<uint8_t>(op.conditions & kOptional);
    return {.code = Code::kPointer,
            .conditions = static_cast<uint8_t>(kConstantLength | optional),
            .offset = op.offset,
            .length = 1};
  }
  op.code = has_elements ? CodeOfElements(step) : Code::kPointer;
  if (op.code == Code::kEnumArray) op.operand = enabled_.LowValues(step.type);
  if (op.code == Code::kFlagsArray) {
    op.operand = enabled_.LowValues(step.type);
    if (step.other_vuid != vk::kNoVuid) op.conditions |= kNonZero;
    if ((step.flags & kOpSingleBit) != 0) op.conditions |= kSingleBit;
    if (enabled_.HasNames(step.type)) op.conditions |= kHasNames;
  }
  return op;
}

FastPath::Code FastPath::CodeOfElements(const stateless::Op& step) {
  if (step.member->indirection != Indirection::kPointer || (step.flags & kOpOutput) != 0) return Code::kReject;
  switch (step.member->kind) {
    case MemberKind::kStruct:
      return Code::kStructs;
    case MemberKind::kString:
      return Code::kText;
    case MemberKind::kHandle:
      return (step.flags & kOpNullableElements) != 0 ? Code::kPointer : Code::kHandles;
    case MemberKind::kEnum:
      return Code::kEnumArray;
    case MemberKind::kFlags:
      return step.size == sizeof(uint32_t) ? Code::kFlagsArray : Code::kReject;
    default:
      return Code::kReject;
  }
}

// False for lengths that are not in the same structure.
bool FastPath::SetLength(const StructInfo& info, const MemberInfo& member, uint32_t base, Op& op) {
  switch (member.length_kind) {
    case LengthKind::kOne:
    case LengthKind::kNullTerminated:
    case LengthKind::kUnknown:
      op.conditions |= kConstantLength;
      op.length = 1;
      return true;
    case LengthKind::kConstant:
      op.conditions |= kConstantLength;
      op.length = member.length_offset;
      return true;
    case LengthKind::kMember: {
      // A member of a union has its length in the structure that holds the union.
      if (member.length_member < 0) return false;
      const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
      if (length.indirection != Indirection::kInline || length.element_size < 4) return false;
      if (length.element_size == 8) op.conditions |= kLength64;
      op.length = base + length.offset;
      return true;
    }
    default:
      return false;
  }
}

}  // namespace assay::stateless
