// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/check/fast_path.h"

#include <array>
#include <bit>
#include <cstddef>

#include "stateless/check/utf8.h"
#include "stateless/implicit/pnext_chain.h"
#include "vk/walk/array_walk.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {

using vk::IsAddress;
using vk::Load;

// Word by word: a wider load would wait for the narrower stores by which the application has just filled the structure.
inline bool FastPath::AcceptsWords(std::span<const Word> words, const char* at) {
  for (const Word& word : words) {
    if (((Load<uint64_t>(at) ^ word.expected) & word.mask) != 0) return false;
    at += sizeof(uint64_t);
  }
  return true;
}

bool FastPath::AcceptsFlags(const Op& op, uint64_t value) const {
  if ((value & ~op.operand) != 0 && ((op.conditions & kHasNames) == 0 || !enabled_.HasBits(op.type, value)))
    return false;
  if ((op.conditions & (kNonZero | kSingleBit)) == 0) return true;
  if (value == 0) return (op.conditions & kNonZero) == 0 && (op.conditions & kOptional) != 0;
  return (op.conditions & kSingleBit) == 0 || std::has_single_bit(value);
}

bool FastPath::AcceptsElements(const Op& op, const char* elements, uint64_t count) const {
  for (uint64_t i = 0; i < count; ++i) {
    const auto value = Load<uint32_t>(elements, i * sizeof(uint32_t));
    if (op.code == Code::kEnumArray ? !AcceptsEnum(op, value) : !AcceptsFlags(op, value)) return false;
  }
  return true;
}

bool FastPath::AcceptsChained(uint16_t type, const char* structure, KnownPointers& pointers) const {
  const Op* ops = chained_[type].load(std::memory_order_acquire);
  if (ops == nullptr) [[unlikely]]
    ops = CompileChained(vk::Structs()[type]);
  return Run(ops, structure, pointers);
}

// A structure that the interpreter would leave out, such as the loader's, rejects.
bool FastPath::AcceptsWithChain(uint16_t type, const char* structure, KnownPointers& pointers) const {
  const vk::StructInfo& info = vk::Structs()[type];
  if (Load<VkStructureType>(structure) != info.structure_type) return false;
  const auto* const first = Load<const VkBaseInStructure*>(structure, offsetof(VkBaseInStructure, pNext));
  for (const auto* link = first; link != nullptr; link = link->pNext) {
    if (!IsAddress(link)) return false;
    const vk::StructInfo* const chained = vk::FindStruct(link->sType);
    if (chained == nullptr || !enabled_.Has(*chained) || !MayBeIn(info, *first, *chained)) return false;
    for (const auto* earlier = first; earlier != link; earlier = earlier->pNext) {
      if (earlier->sType == link->sType) return false;
    }
  }
  if (!AcceptsChained(type, structure, pointers)) return false;
  for (const auto* link = first; link != nullptr; link = link->pNext) {
    const auto index = static_cast<uint16_t>(vk::FindStruct(link->sType) - vk::Structs().data());
    if (!AcceptsChained(index, reinterpret_cast<const char*>(link), pointers)) return false;
  }
  return true;
}

inline bool FastPath::Accepts(const Simple& simple, const char* base) {
  if (!AcceptsWords(simple.words, base + simple.first_word)) return false;
  for (const Simple::NotZero& word : simple.not_zero) {
    if ((Load<uint64_t>(base, word.offset) & word.mask) == 0) return false;
  }
  return true;
}

const FastPath::Op* FastPath::AfterBeginning(const Beginning& beginning, const char* base) {
  if (!Accepts(beginning.parameters, base)) [[unlikely]]
    return beginning.ops;
  for (const Beginning::Array& array : beginning.arrays) {
    const auto count = Load<uint32_t>(base, array.count);
    if (count == 0) continue;
    const char* element = Load<const char*>(base, array.pointer);
    if (!array.is_simple || !IsAddress(element)) return array.op;
    for (uint32_t i = 0; i < count; ++i, element += array.stride) {
      if (!Accepts(array.element, element)) return array.op;
    }
  }
  return beginning.rest;
}

bool FastPath::AcceptsWordStructs(const Op* array, const char* element, uint64_t count, KnownPointers& pointers) const {
  const Op& unless_chained = array[1];
  const Op& words = array[2];
  for (uint64_t i = 0; i < count; ++i, element += array->stride) {
    if (AcceptsWords(words, element + words.offset)) [[likely]]
      continue;
    if (Load<const void*>(element, unless_chained.offset) == nullptr) return false;
    if (!AcceptsWithChain(unless_chained.type, element, pointers)) return false;
  }
  return true;
}

bool FastPath::AcceptsHandles(const char* handles, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    if (Load<uint64_t>(handles, i * sizeof(uint64_t)) == 0) return false;
  }
  return true;
}

inline uint64_t FastPath::LengthOf(const Op& op, const char* base) {
  if ((op.conditions & (kConstantLength | kLength64)) == 0) [[likely]]
    return Load<uint32_t>(base, op.length);
  return (op.conditions & kConstantLength) != 0 ? op.length : Load<uint64_t>(base, op.length);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch-enum"

bool FastPath::Run(const Op* op, const char* base, KnownPointers& pointers) const {
  std::array<vk::ArrayFrame<Op>, kMaxDepth> frames;
  vk::ArrayWalk<Op> arrays(frames.data());
  for (;; ++op) {
    const char* const at = base + op->offset;
    switch (op->code) {
      case Code::kWords:
        if (!AcceptsWords(*op, at)) return false;
        break;
      case Code::kEqual32:
        if (Load<uint32_t>(at) != op->operand) return false;
        break;
      case Code::kNotZero32:
        if (Load<uint32_t>(at) == 0) return false;
        break;
      case Code::kNotZero64:
        if (Load<uint64_t>(at) == 0) return false;
        break;
      case Code::kNotBoth32: {
        const auto value = Load<uint32_t>(at);
        if ((value & op->operand) != 0 && (value & op->operand >> 32) != 0) return false;
        break;
      }
      case Code::kAtMost32:
        if (Load<uint32_t>(at) > op->operand) return false;
        break;
      case Code::kAtMost64:
        if (Load<uint64_t>(at) > op->operand) return false;
        break;
      case Code::kZero32:
        if (Load<uint32_t>(at) != 0) return false;
        break;
      case Code::kZero64:
        if (Load<uint64_t>(at) != 0) return false;
        break;
      case Code::kBool32:
        if (Load<uint32_t>(at) > VK_TRUE) return false;
        break;
      case Code::kFlags32:
        if (!AcceptsFlags(*op, Load<uint32_t>(at))) return false;
        break;
      case Code::kFlags64:
        if (!AcceptsFlags(*op, Load<uint64_t>(at))) return false;
        break;
      case Code::kEnum:
        if (!AcceptsEnum(*op, Load<uint32_t>(at))) return false;
        break;
      case Code::kEnums: {
        uint64_t valid = 1;
        for (uint32_t i = 0; i < op->length; ++i) {
          const auto value = Load<uint32_t>(at, i * sizeof(uint32_t));
          valid &= value < 64 ? op->operand >> value : 0;
        }
        if (valid == 0) return false;
        break;
      }
      case Code::kPointer:
      case Code::kHandles:
      case Code::kEnumArray:
      case Code::kFlagsArray: {
        const char* const elements = Load<const char*>(at);
        if (elements == nullptr) {
          if ((op->conditions & kOptional) == 0 && LengthOf(*op, base) != 0) return false;
          break;
        }
        if (!IsAddress(elements)) return false;
        if (op->code == Code::kPointer) break;
        const uint64_t count = LengthOf(*op, base);
        if (op->code == Code::kHandles ? !AcceptsHandles(elements, count) : !AcceptsElements(*op, elements, count))
          return false;
        break;
      }
      case Code::kText: {
        const char* const text = Load<const char*>(at);
        if (text == nullptr ? (op->conditions & kOptional) == 0 : !IsAddress(text) || !IsUtf8(text)) return false;
        break;
      }
      case Code::kConditionalStructs:
        if (Load<const char*>(at) == nullptr || !pointers.IsRead(*op->member, base)) {
          op += op->operand;
          break;
        }
        [[fallthrough]];
      case Code::kStructs: {
        // The pointer to no elements is ignored.
        const uint64_t count = LengthOf(*op, base);
        const char* const elements = Load<const char*>(at);
        if (count == 0 || (elements == nullptr && (op->conditions & kOptional) != 0)) {
          op += op->operand;
          break;
        }
        if (!IsAddress(elements)) return false;
        arrays.Enter(op, base, elements, count);
        break;
      }
      case Code::kWordStructs: {
        const uint64_t count = LengthOf(*op, base);
        const char* const elements = Load<const char*>(at);
        if (count != 0 && (elements != nullptr || (op->conditions & kOptional) == 0)) {
          if (!IsAddress(elements) || !AcceptsWordStructs(op, elements, count, pointers)) return false;
        }
        op += op->operand;
        break;
      }
      case Code::kNotZeroInPointee: {
        const char* const pointee = Load<const char*>(at);
        if (!IsAddress(pointee) || Load<uint32_t>(pointee, op->length) == 0) return false;
        break;
      }
      case Code::kUnlessChained:
        if (Load<const char*>(at) == nullptr) break;
        if (!AcceptsWithChain(op->type, base, pointers)) return false;
        op += op->operand;
        break;
      case Code::kExplicitChained:
        if (!explicit_rules_->AcceptsWithChain(op->type, at)) return false;
        break;
      case Code::kExplicit:
        if (!explicit_rules_->AcceptsOtherRules(op->type, at)) return false;
        break;
      case Code::kNextElement:
        arrays.Next(op, base);
        break;
      case Code::kAccept:
        return true;
      case Code::kReject:
        return false;
      default:
        // All codes are above, which the compiler checks. Without this, each step would first be compared with the
        // last.
        __builtin_unreachable();
    }
  }
}

#pragma GCC diagnostic pop

}  // namespace assay::stateless
