// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_PROGRAM_H_
#define ASSAY_STATELESS_IMPLICIT_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "vk/command_id.h"
#include "vk/rules/implicit_rule_info.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"

// A program: the rules of a structure or command as a list of steps, which the interpreter does one after the other. It
// is made once from the registry's tables. Only members that have a rule, or lead to one, are in it.
namespace assay::stateless {

enum class OpCode : uint8_t {
  kStructureType,
  // The pNext chain.
  kNext,
  // Inline elements.
  kHandle,
  kEnum,
  kFlags,
  kBool32,
  kFunction,
  kStruct,
  // Flags that must not be 0; flags that must be 0.
  kNotZero,
  kZero,
  // An inline length; an inline length that may be 0 while its arrays are null; a length behind a pointer.
  kLength,
  kLengthOfArrays,
  kLengthOfPointee,
  // A pointer to elements, to pointers to them, to text.
  kPointer,
  // A pointer that may be garbage; conditional_pointers.h decides when it is not.
  kConditionalPointer,
  // Jumps over the next step unless the union's member is the selected one.
  kSelected,
  // The structure has explicit rules (explicit_rules.h); comes last.
  kExplicit,
};

enum OpFlag : uint8_t {
  // Null, or 0, is valid.
  kOpOptional = 1,
  // Handles in the array may be null.
  kOpNullableElements = 2,
  // The driver writes what the pointer points to.
  kOpOutput = 4,
  // The type is one bit of a bitmask.
  kOpSingleBit = 8,
  // The elements, behind the pointer or inline, are to be checked.
  kOpElements = 16,
  // More than one inline element.
  kOpSeveral = 32,
};

struct Op {
  OpCode code;
  // Bits of OpFlag.
  uint8_t flags = 0;
  // An EnumId or an index into Structs(), depending on the member's kind.
  uint16_t type = vk::kNoType;
  // Bytes from the beginning of the structure.
  uint32_t offset = 0;
  // Bytes of an element.
  uint32_t size = 0;
  // vk::kNoVuid if nothing is to be reported.
  vk::VuidIndex vuid = vk::kNoVuid;
  // For kNext, the id of kUnique.
  vk::VuidIndex other_vuid = vk::kNoVuid;
  const vk::MemberInfo* member = nullptr;
};

// The programs of all structures and commands.
class Programs {
 public:
  // leave_out is for tests: rules for which it is true are not checked.
  using LeaveOut = std::function<bool(vk::VuidIndex)>;
  explicit Programs(const LeaveOut& leave_out = {});

  // The programs with every rule; made by the first call.
  static const Programs& All();

  std::span<const Op> Of(const vk::StructInfo& structure) const {
    return Ops(structs_[static_cast<size_t>(&structure - vk::Structs().data())]);
  }
  // The steps for a structure in a pNext chain: without its sType and pNext.
  std::span<const Op> OfChained(const vk::StructInfo& structure) const;
  std::span<const Op> Of(vk::CommandId command) const { return Ops(commands_[static_cast<size_t>(command)]); }

 private:
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  std::span<const Op> Ops(Range range) const { return {ops_.data() + range.first, range.count}; }

  std::vector<Op> ops_;
  std::vector<Range> structs_;
  std::vector<Range> commands_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_PROGRAM_H_
