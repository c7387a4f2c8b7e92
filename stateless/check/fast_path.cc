// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/check/fast_path.h"

#include <array>
#include <bit>

#include "stateless/check/utf8.h"
#include "vk/walk/array_walk.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {

using vk::IsAddress;
using vk::Load;

bool FastPath::AcceptsWords(const Op& op, const char* at) {
  const Word* const words = op.words;
  uint64_t wrong = 0;
  for (uint32_t i = 0; i < op.length; ++i) {
    wrong |= (Load<uint64_t>(at, i * sizeof(uint64_t)) ^ words[i].expected) & words[i].mask;
  }
  return wrong == 0;
}

bool FastPath::AcceptsFlags(const Op& op, uint64_t value) {
  if ((value & ~op.operand) != 0) return false;
  if (op.conditions == 0 || op.conditions == kOptional) return true;
  if (value == 0) return (op.conditions & kNonZero) == 0 && (op.conditions & kOptional) != 0;
  return (op.conditions & kSingleBit) == 0 || std::has_single_bit(value);
}

bool FastPath::AcceptsHandles(const char* handles, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    if (Load<uint64_t>(handles, i * sizeof(uint64_t)) == 0) return false;
  }
  return true;
}

inline uint64_t FastPath::LengthOf(const Op& op, const char* base) {
  if ((op.conditions & kConstantLength) != 0) return op.length;
  return (op.conditions & kLength64) != 0 ? Load<uint64_t>(base, op.length) : Load<uint32_t>(base, op.length);
}

bool FastPath::Run(const Op* op, const char* base) const {
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
      case Code::kEnum: {
        const auto value = Load<uint32_t>(at);
        const bool valid =
            value < 64 ? (op->operand >> value & 1) != 0 : enabled_.HasValue(op->type, static_cast<int32_t>(value));
        if (!valid) return false;
        break;
      }
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
      case Code::kHandles: {
        const char* const elements = Load<const char*>(at);
        if (elements == nullptr) {
          if ((op->conditions & kOptional) == 0 && LengthOf(*op, base) != 0) return false;
          break;
        }
        if (!IsAddress(elements)) return false;
        if (op->code == Code::kHandles && !AcceptsHandles(elements, LengthOf(*op, base))) return false;
        break;
      }
      case Code::kText: {
        const char* const text = Load<const char*>(at);
        if (text == nullptr ? (op->conditions & kOptional) == 0 : !IsAddress(text) || !IsUtf8(text)) return false;
        break;
      }
      case Code::kStructs: {
        const char* const elements = Load<const char*>(at);
        if (elements == nullptr) {
          if ((op->conditions & kOptional) == 0 && LengthOf(*op, base) != 0) return false;
          op += op->operand;
          break;
        }
        if (!IsAddress(elements)) return false;
        const uint64_t count = LengthOf(*op, base);
        if (count == 0) {
          op += op->operand;
          break;
        }
        arrays.Enter(op, base, elements, count);
        break;
      }
      case Code::kNotZeroInPointee: {
        const char* const pointee = Load<const char*>(at);
        if (!IsAddress(pointee) || Load<uint32_t>(pointee, op->length) == 0) return false;
        break;
      }
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
    }
  }
}

}  // namespace assay::stateless
