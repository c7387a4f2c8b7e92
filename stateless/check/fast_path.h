// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_CHECK_FAST_PATH_H_
#define ASSAY_STATELESS_CHECK_FAST_PATH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "stateless/explicit/explicit_rules.h"
#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/program.h"
#include "vk/command_id.h"

// Nearly every call is correct, and to find that out takes less than to find out what is wrong. A fast path says of
// most correct calls that they are, and nothing of any other: what it does not accept the interpreter walks.
//
// It is a second compilation of the same steps (program.h) for one device: one list for each command, in which the
// masks of valid bits and enumerants are part of the step, the steps of structures stand where the structure is come
// to, and nothing is kept that only a message needs. Whatever is not simple (a pNext chain, text, unions, structures
// that the driver writes) is a step that accepts nothing.
namespace assay::stateless {

class FastPath {
 public:
  // All must outlive it; explicit_rules may be null.
  FastPath(const Programs& programs, const EnabledApi& enabled, const ExplicitRules* explicit_rules);

  // Whether the interpreter would certainly have nothing to say of the command with these parameters.
  bool Accepts(vk::CommandId command, const void* parameters) const {
    return Run(ops_.data() + commands_[static_cast<size_t>(command)], static_cast<const char*>(parameters));
  }

 private:
  enum class Code : uint8_t {
    // As many words as the length says, of each of which certain bits must have certain values: an sType, a pNext that
    // must be null, masks without the bits that are not valid. Words of structures are 64 bits.
    kWords,
    // 32 bits that are the operand; that are not 0; likewise 64, of which a pointer is one.
    kEqual32,
    kNotZero32,
    kNotZero64,
    // Not some bits along with others: the halves of the operand.
    kNotBoth32,
    kAtMost32,
    kAtMost64,
    kZero32,
    kZero64,
    kBool32,
    // No bits besides those of the operand, with one of the three conditions on top.
    kFlags32,
    kFlags64,
    // An enumerant below 64 whose bit the operand has, or another that is enabled.
    kEnum,
    // As many as the length says one after the other, all below 64.
    kEnums,
    // A pointer to as many elements as the length says; null only if that is 0 or kOptional. The steps of a structure
    // follow, up to their kNextElement; the operand is how many they are.
    kPointer,
    kHandles,
    kStructs,
    // A pointer to a structure whose uint32_t at byte `length` is not 0.
    kNotZeroInPointee,
    kNextElement,
    // The explicit rules of a structure.
    kExplicit,
    kAccept,
    kReject,
  };
  enum Condition : uint8_t { kOptional = 1, kNonZero = 2, kSingleBit = 4, kLength64 = 8, kConstantLength = 16 };

  struct Op {
    Code code = Code::kReject;
    // Bits of Condition.
    uint8_t conditions = 0;
    // An EnumId or an index into Structs().
    uint16_t type = 0;
    // Bytes from the beginning of what is checked.
    uint32_t offset = 0;
    // Where the length of an array is, or what it is; then the bytes of an element.
    uint32_t length = 0;
    uint32_t stride = 0;
    uint64_t operand = 0;
  };
  // A word is valid if it has the expected bits under the mask.
  struct Word {
    uint64_t mask = 0;
    uint64_t expected = 0;
  };

  static constexpr size_t kMaxDepth = 6;

  // Appends the steps of a structure or command at the end of ops_; depth counts the arrays around it.
  void Compile(const vk::StructInfo& info, std::span<const stateless::Op> steps, size_t depth);
  void Unroll(const vk::StructInfo& info, std::span<const stateless::Op> steps, uint32_t base, std::vector<Op>& ops);
  void AddExplicit(const vk::StructInfo& info, uint32_t base, std::vector<Op>& ops) const;
  static void JoinEnums(std::vector<Op>& ops);
  // Makes one step of those that can be said by words.
  void GatherWords(std::vector<Op>& ops, uint32_t size);
  static bool GatherWord(const Op& op, std::vector<Word>& words);
  Op Translate(const vk::StructInfo& info, const stateless::Op& step, uint32_t base) const;
  Op TranslateFlags(const stateless::Op& step, Op op) const;
  Op TranslatePointer(const vk::StructInfo& info, const stateless::Op& step, uint32_t base, Op op) const;
  static bool SetLength(const vk::StructInfo& info, const vk::MemberInfo& member, uint32_t base, Op& op);

  bool Run(const Op* op, const char* base) const;
  bool AcceptsWords(const Op& op, const char* at) const;
  static bool AcceptsFlags(const Op& op, uint64_t value);
  static bool AcceptsHandles(const char* handles, uint64_t count);
  static uint64_t LengthOf(const Op& op, const char* base);

  const Programs& programs_;
  const EnabledApi& enabled_;
  const ExplicitRules* const explicit_rules_;
  std::vector<Op> ops_;
  std::vector<Word> words_;
  // Where each command's steps begin.
  std::vector<uint32_t> commands_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_CHECK_FAST_PATH_H_
